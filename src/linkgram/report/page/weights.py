"""The fitted weights in plain words, by rules from their signs and sizes.

A score is the log of an odds between candidates. So with weight w, doubling an estimate multiplies
a candidate's odds by 2^w, and a recency of 1 instead of 0 multiplies them by e^w.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.findings import sure
from linkgram.report.page.chart import Chart, Charts, axis, hover, names, paint, zero
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import Cell, cell, text
from linkgram.report.words import feature, feature_set, listing, number, spread

# What a positive and a negative weight say of the stream.
MEANING: Mapping[str, tuple[str, str]] = {
    "popularity": (
        "Popular destinations are favoured, beyond what the other evidence already gives them.",
        "Popularity by itself counts against a destination: the other estimates already contain "
        "it, and the rule takes some of it back.",
    ),
    "source_history": (
        "Sources return: what a source has often visited is ranked higher.",
        "Sources move on: what a source has often visited is ranked lower.",
    ),
    "transition_1": (
        "What follows what matters: destinations that any source went to right after this "
        "source's latest one are ranked higher.",
        "What usually follows the latest destination is ranked lower, given the other evidence.",
    ),
    "source_recency": (
        "A pair seen a short while ago is likely to be seen again.",
        "A destination that the source has just visited is avoided for a while.",
    ),
    "co_occurrence": (
        "Destinations that appear within a few steps of the recent ones are favoured, even when "
        "they do not follow directly.",
        "Destinations that merely appear near the recent ones are ranked lower.",
    ),
    "global_recency": (
        "What anybody visited just now is likely to be visited next.",
        "What somebody visited just now is less likely to be visited next.",
    ),
    "source_recency_fast": (
        "Very recent pairs, on a tenth of the usual time scale, get an extra push.",
        "Very recent pairs, on a tenth of the usual time scale, are held back.",
    ),
    "source_recency_slow": (
        "Pairs seen long ago, on ten times the usual time scale, still count for it.",
        "Pairs seen within ten times the usual time scale are held back.",
    ),
}
RECENCIES = ("source_recency", "global_recency", "source_recency_fast", "source_recency_slow")
BACKOFF_COLOURS = {"marginal": "blue", "continuation": "orange"}
SMALL = 0.05


@dataclass(frozen=True, slots=True)
class Sentence:
    """One reading of one weight: what it says, its size in words, and its direction."""

    says: str
    size: str
    direction: str


def sentence(name: str, weight: Cell) -> Sentence:
    """A weight in words; hedged where seeds disagree on its sign.

    >>> sentence("source_history", Cell(1.0, 0.1, (0.9, 1.1))).size
    'weight 1.00 ± 0.10; twice the estimate multiplies the odds by 2.00'
    >>> sentence("popularity", Cell(0.0, 0.2, (-0.2, 0.2))).direction
    ''
    """
    if not sure(weight):
        low, high = min(weight.values, default=weight.mean), max(weight.values, default=weight.mean)
        return Sentence(
            f"No reading of {feature(name)}: seeds disagree on its sign.",
            f"weights from {number(low)} to {number(high)}", "",
        )  # fmt: skip
    place = 0 if weight.mean > 0 else 1
    if name in MEANING:
        says = MEANING[name][place]
    else:
        direction = ("raises", "lowers")[place]
        says = f"More {feature(name)} {direction} a candidate's rank."
    if abs(weight.mean) < SMALL and name not in RECENCIES:
        says = f"{feature(name).capitalize()} hardly matters once the rest is known."
    return Sentence(says, f"weight {spread(weight)}; {effect(name, weight.mean)}",
                    ("for", "against")[place])  # fmt: skip


def effect(name: str, weight: float) -> str:
    """The size of a weight as what it does to a candidate's odds.

    >>> effect("source_recency", 1.0)
    'seen this moment instead of never multiplies the odds by 2.72'
    """
    if name in RECENCIES:
        factor, what = _power(math.e, weight), "seen this moment instead of never"
    else:
        factor, what = _power(2.0, weight), "twice the estimate"
    return f"{what} multiplies the odds by {factor}"


def _power(base: float, weight: float) -> str:
    try:
        factor = base**weight
    except OverflowError:
        return "more than any number here"
    return number(factor) if 0.01 <= factor < 1e6 else f"{factor:.2g}"


def in_words(weights: Mapping[str, Cell]) -> list[Sentence]:
    """All weights of one configuration in words; later transitions are read together.

    >>> weights = {f"transition_{k}": Cell(1 / k, 0.0, (1 / k,)) for k in (1, 2, 3)}
    >>> [line.says[:28] for line in in_words(weights)]
    ['What follows what matters: d', 'Older destinations add less:']
    """
    later = {name: found for name, found in weights.items() if _is_later(name)}
    first = weights.get("transition_1")
    lines = []
    for name, found in weights.items():
        if name in later:
            continue
        lines.append(sentence(name, found))
        if name == "transition_1" and first is not None and later:
            lines.append(_later(first, later))
    return lines


def _later(first: Cell, later: Mapping[str, Cell]) -> Sentence:
    parts = [
        number(found.mean) + ("" if sure(found) else " (seeds disagree)")
        for found in later.values()
    ]
    largest = max(found.mean for found in later.values())
    says = (
        f"Older destinations add less: positions 2 to {len(later) + 1} have smaller transition "
        "weights than the latest one."
        if first.mean > largest
        else "An older destination says more than the latest one: the largest transition weight "
        "is not at position 1."
    )
    return Sentence(says, f"weights {listing(parts)}", "for" if largest > 0 else "against")


def _is_later(name: str) -> bool:
    return name.startswith("transition_") and name != "transition_1"


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
        tag("p", f"The configuration read here: {backoff} backoff, features "
            f"{feature_set(features)}. Features overlap, so a weight says what a feature adds "
            "given all the others; sizes compare only among features of one kind."),
        tag("ul", *lines, class_="words"),
        charts.place(_chart(study, features)),
    ])  # fmt: skip


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
    spec = {
        "layer": [
            {"data": {"values": values}, "mark": {"type": "bar", "opacity": 0.9},
             "encoding": {**row, "x": axis("weight", "weight"), "color": paint("backoff", colours),
                          "tooltip": tooltip}},
            {"data": {"values": seeds},
             "mark": {"type": "point", "filled": True, "size": 12, "color": "var(--ink)",
                      "opacity": 0.7},
             "encoding": {**row, "x": axis("weight")}},
            zero(),
        ],
    }  # fmt: skip
    shown = [
        [str(v["feature"]), str(v["backoff"]), Entry(v["shown"], v["weight"]), str(v["effect"])]
        for v in values
    ]
    return Chart(
        f"Fitted weights, features {feature_set(features)}",
        "Bars of each feature's weight under both backoffs; dots are single seeds.", spec,
        "Dots are seeds. Weights are learned on training events and kept by validation MRR "
        "(event-wise); no test event enters.",
        details=_details(shown), height=13 * len(values), key=colours,
    )  # fmt: skip


def _details(rows: Sequence[Sequence[object]]) -> Html:
    return table("Weights", ["feature", "backoff", "weight", "effect"], rows, numeric=[2])
