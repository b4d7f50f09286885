"""Timing: what withheld history costs, under the same weights and candidates."""

from __future__ import annotations

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.page.chart import Chart, axis, colour, hover, names, paint
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import cell, text
from linkgram.report.words import measured, spread

COLOURS = ("blue", "vermillion", "green", "purple")


def chart(study: StudyResult) -> Chart:
    """A row a method, a dot a schedule."""
    rows = [(row, score) for row in study.rows if (score := cell(study, row, "mrr")) is not None]
    schedules = list(dict.fromkeys(text(row, "schedule") for row, _ in rows))
    # More schedules than colours would repeat one; nobody runs so many.
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(schedules)}
    values = [
        {"method": text(row, "method"), "schedule": text(row, "schedule"), "mrr": score.mean,
         "shown": spread(score)}
        for row, score in rows
    ]  # fmt: skip
    changes = [
        ("", text(row, "schedule"), found)
        for row, _ in rows
        if text(row, "kind") == "ours" and (found := cell(study, row, "change")) is not None
    ]
    methods = list(dict.fromkeys(str(value["method"]) for value in values))
    spec = {
        "data": {"values": values},
        "encoding": {"y": names("method", methods)},
        "layer": [
            {"mark": {"type": "rule", "color": colour("line"), "strokeWidth": 2},
             "encoding": {"x": axis("mrr", "test MRR, %", aggregate="min"),
                          "x2": {"field": "mrr", "aggregate": "max"}}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
             "encoding": {"x": axis("mrr", "test MRR, %", scale={"zero": True}),
                          "color": paint("schedule", colours),
                          "shape": {"field": "schedule", "type": "nominal", "legend": None,
                                    "scale": {"domain": schedules,
                                              "range": ["circle", "square", "diamond", "cross"]}},
                          "tooltip": hover(("method", "method"), ("schedule", "schedule"),
                                           ("shown", "MRR, %"))}},
        ],
    }  # fmt: skip
    shown = [
        [text(row, "method"), text(row, "schedule"), Entry(spread(score), score.mean),
         Entry(spread(change, signed=True), change.mean if change else "")]
        for row, score in rows
        for change in [cell(study, row, "change")]
    ]  # fmt: skip
    return Chart(
        findings.timing(changes), "Dots: test MRR of every method under every schedule.", spec,
        f"Weights, settings and candidates stay the same; only the history differs. "
        f"{measured(study)}",
        table("Timing", ["method", "schedule", "test MRR, %", "change, points"], shown,
              numeric=[2, 3]), 26 * len(methods), colours,
    )  # fmt: skip
