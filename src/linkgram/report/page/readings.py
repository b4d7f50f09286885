"""Readings: a fitted weight in plain words, by rules from its sign and size.

A score is the log of an odds between candidates. So with weight w, doubling an estimate multiplies
a candidate's odds by 2^w, and a recency of 1 instead of 0 multiplies them by e^w.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from linkgram.report.findings import sure
from linkgram.report.shelf import Cell
from linkgram.report.words import feature, listing, number, spread

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
# What a weight near zero is about.
SUBJECT: Mapping[str, str] = {
    "popularity": "How popular a destination is",
    "source_history": "How often a source visited a destination",
    "transition_1": "What usually follows the latest destination",
    "co_occurrence": "What usually appears near the recent destinations",
}
RECENCIES = ("source_recency", "global_recency", "source_recency_fast", "source_recency_slow")
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
        subject = SUBJECT.get(name, feature(name).capitalize())
        says, place = f"{subject} hardly matters once the rest is known.", 2
    return Sentence(says, f"weight {spread(weight)}; {effect(name, weight.mean)}",
                    ("for", "against", "")[place])  # fmt: skip


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
    lead = _lead(first, list(later.values()))
    says = (
        "Seeds disagree on whether the latest destination or an older one says most."
        if not sure(lead)
        else f"Older destinations add less: positions 2 to {len(later) + 1} have smaller "
        "transition weights than the latest one."
        if lead.mean > 0
        else "An older destination says more than the latest one: the largest transition weight "
        "is not at position 1."
    )
    return Sentence(says, f"weights {listing(parts)}", "for" if largest > 0 else "against")


def _lead(first: Cell, later: list[Cell]) -> Cell:
    """By how much the first weight leads the largest other, seed by seed where there are seeds."""
    others = [found.values for found in later]
    values = [
        value - max(beside) for value, *beside in zip(first.values, *others, strict=False) if beside
    ]
    return Cell(first.mean - max(found.mean for found in later), None, tuple(values))


def _is_later(name: str) -> bool:
    return name.startswith("transition_") and name != "transition_1"
