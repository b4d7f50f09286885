"""The comparison: ours under each backoff, the counting baselines, the published reference."""

from __future__ import annotations

from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.page.chart import (
    Chart,
    Charts,
    axis,
    colour,
    hover,
    names,
    paint,
    room_for_label,
)
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import Cell, cell, text
from linkgram.report.words import feature_set, measured, number, spread

KINDS = {"ours": "linkgram", "baseline": "counting baseline", "published": "published score"}
COLOURS = {"linkgram": "blue", "counting baseline": "grey", "published score": "vermillion"}


def section(study: StudyResult, charts: Charts) -> Html:
    """The scores as a chart and as a table, with the paper's own figures where it prints some."""
    rows = scored(study)
    if not rows:
        return tag("p", "No method has a score here.")
    values: list[dict[str, Any]] = [
        {
            "method": text(row, "method"), "kind": KINDS.get(text(row, "kind"), "other"),
            "mrr": score.mean, "label": number(score.mean), "shown": spread(score),
            "low": score.mean - (score.sd or 0), "high": score.mean + (score.sd or 0),
            "choice": text(row, "choice"),
        }
        for row, score in rows
    ]  # fmt: skip
    shared: dict[str, Any] = {"y": names("method", [value["method"] for value in values])}
    kinds = {kind: COLOURS[kind] for kind in COLOURS if any(v["kind"] == kind for v in values)}
    tooltip = hover(("method", "method"), ("kind", "what"), ("shown", "MRR, %"),
                    ("choice", "settings or source"))  # fmt: skip
    dots = axis("mrr", "test MRR, %", scale=room_for_label(44))
    spec = {
        "data": {"values": values},
        "encoding": shared,
        "layer": [
            {"mark": {"type": "rule", "color": colour("line"), "strokeWidth": 1.5},
             "encoding": {"x": dots, "x2": {"datum": 0}}},
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"x": axis("low", "test MRR, %"), "x2": {"field": "high"},
                          "color": paint("kind", kinds)}},
            {"mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
             "encoding": {"x": dots, "color": paint("kind", kinds), "tooltip": tooltip}},
            {"mark": {"type": "text", "align": "left", "dx": 9, "fontWeight": 600},
             "encoding": {"x": dots, "text": {"field": "label"}}},
        ],
    }  # fmt: skip
    chart = Chart(
        findings.comparison(study),
        "Dots: test MRR of every method, the highest first.", spec,
        f"Mean over seeds, whisker one standard deviation. {measured(study)} A published score "
        "keeps its own schedule and candidates, named in the table.",
        height=26 * len(values), key=kinds,
    )  # fmt: skip
    return joined([charts.place(chart), _table(study, rows), beside_paper([study])])


def scored(study: StudyResult) -> list[tuple[dict[str, Any], Cell]]:
    """The rows that have a score, the highest first."""
    found = [(dict(row), score) for row in study.rows if (score := cell(study, row, "mrr"))]
    return sorted(found, key=lambda one: -one[1].mean)


def _table(study: StudyResult, rows: list[tuple[dict[str, Any], Cell]]) -> Html:
    shown = []
    for row, score in rows:
        validation = cell(study, row, "validation_mrr")
        name = text(row, "method") + (" (chosen)" if row.get("chosen") is True else "")
        shown.append([
            name, KINDS.get(text(row, "kind"), "other"), Entry(spread(score), score.mean),
            Entry(spread(validation), validation.mean if validation else ""),
            feature_set(text(row, "features")), text(row, "choice"),
        ])  # fmt: skip
    marked = [at for at, (row, _) in enumerate(rows) if row.get("chosen") is True]
    heads = ["method", "what", "test MRR, %", "validation MRR, %", "features",
             "settings, choice or source"]  # fmt: skip
    return table("Scores by method", heads, shown, numeric=[2, 3], marked=marked)


def beside_paper(studies: list[StudyResult]) -> Html | None:
    """What the paper prints, beside what was measured here; nothing where it prints nothing."""
    rows = [
        [
            text(one, "what"),
            *(Entry(number(found.mean if found else None, signed=part == "difference"),
                    found.mean if found else "")
              for part in ("ours", "paper", "difference")
              for found in [cell(study, one, part)]),
            text(one, "source"),
        ]
        for study in studies
        for one in study.paper
    ]  # fmt: skip
    if not rows:
        return None
    heads = ["what", "here", "the paper", "difference", "source"]
    return tag(
        "details",
        tag("summary", "Beside the paper's own figures"),
        table("Values that the paper prints", heads, rows, numeric=[1, 2, 3]),
    )
