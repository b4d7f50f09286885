"""The fitted weights: what the chosen configuration learned in words, and all of it as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.chart import SIGNED, Chart, Charts, axis, hover, names, paint, zero
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.readings import effect, in_words
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import Cell, cell, text
from linkgram.report.words import feature, feature_set, spread

BACKOFF_COLOURS = {"marginal": "blue", "continuation": "orange"}


def configuration(study: StudyResult, main: StudyResult | None) -> tuple[str, str]:
    """Backoff and feature set to read: what validation chose, if its weights are here."""
    here = list(dict.fromkeys((text(row, "backoff"), text(row, "features")) for row in study.rows))
    for row in main.rows if main is not None else ():
        wanted = (text(row, "backoff"), text(row, "features"))
        if row.get("chosen") is True and wanted in here:
            return wanted
    return here[0] if here else ("", "")


def weights_of(study: StudyResult, backoff: str, features: str) -> dict[str, Cell]:
    """The weights of one configuration, by feature."""
    return {
        text(row, "feature"): found
        for row in study.rows
        if (text(row, "backoff"), text(row, "features")) == (backoff, features)
        and (found := cell(study, row, "weight")) is not None
    }


def section(study: StudyResult, main: StudyResult | None, charts: Charts) -> Html:
    """The weights of the chosen configuration in words, and those of both backoffs as a chart."""
    backoff, features = configuration(study, main)
    found = weights_of(study, backoff, features)
    if not found:
        return tag("p", "No weights here.")
    lines = [
        tag(
            "li",
            line.says,
            " ",
            tag("span", line.size, class_="size"),
            class_=line.direction or None,
        )
        for line in in_words(found)
    ]
    return joined([
        tag("p", f"The configuration read here: {backoff} backoff, {_features(features)}. Features "
            "overlap, so a weight says what a feature adds given all the others; sizes compare "
            "only among features of one kind."),
        tag("ul", *lines, class_="words"),
        charts.place(_chart(study, features)),
    ])  # fmt: skip


def _features(name: str) -> str:
    if name == "reference":
        return "the reference features"
    added = "all three additions" if name == "all-three" else feature_set(name)
    return f"the reference features and {added}"


def _chart(study: StudyResult, features: str) -> Chart:
    both = {backoff: weights_of(study, backoff, features) for backoff in BACKOFF_COLOURS}
    both = {backoff: found for backoff, found in both.items() if found}
    values: list[dict[str, Any]] = [
        {"feature": feature(name), "backoff": backoff, "weight": found.mean, "shown": spread(found),
         "effect": effect(name, found.mean)}
        for backoff, by_name in both.items()
        for name, found in by_name.items()
    ]  # fmt: skip
    seeds = [
        {"feature": feature(name), "backoff": backoff, "weight": value}
        for backoff, by_name in both.items()
        for name, found in by_name.items()
        for value in found.values
    ]
    order = list(dict.fromkeys(value["feature"] for value in values))
    row = {"y": names("feature", order), "yOffset": names("backoff", list(BACKOFF_COLOURS))}
    tooltip = hover(("feature", "feature"), ("backoff", "backoff"), ("shown", "weight"),
                    ("effect", "effect"))  # fmt: skip
    colours = {name: BACKOFF_COLOURS[name] for name in both}
    across = axis("weight", "weight", axis=SIGNED)
    spec = {
        "layer": [
            {"data": {"values": values}, "mark": {"type": "bar", "opacity": 0.9},
             "encoding": {**row, "x": across, "color": paint("backoff", colours),
                          "tooltip": tooltip}},
            {"data": {"values": seeds},
             "mark": {"type": "point", "filled": True, "size": 12, "color": "var(--ink)",
                      "opacity": 0.7},
             "encoding": {**row, "x": across}},
            zero(),
        ],
    }  # fmt: skip
    shown = [
        [str(v["feature"]), str(v["backoff"]), Entry(v["shown"], v["weight"]), str(v["effect"])]
        for v in values
    ]
    return Chart(
        f"Fitted weights: {_features(features)}",
        "Bars of each feature's weight under both backoffs; dots are single seeds.", spec,
        "Dots are seeds. Weights are learned on training events and kept by validation MRR "
        "(event-wise); no test event enters.",
        details=_details(shown), height=13 * len(values), key=colours,
    )  # fmt: skip


def _details(rows: Sequence[Sequence[object]]) -> Html:
    return table("Weights", ["feature", "backoff", "weight", "effect"], rows, numeric=[2])
