"""Cells: from values of a study's result to the cells of a table, and what every table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkgram.evaluation.candidate_rule import rule_text
from linkgram.evaluation.study_result import StudyResult
from linkgram.evaluation.table import Cell, Column, Score

Results = Sequence[StudyResult]
NOTHING = "-"


def cell(value: Any, *, signed: bool = False) -> Cell:
    """A number with its sd as a score, whole numbers and texts as they are.

    >>> cell({"mean": 2.0, "sd": 0.5}, signed=True).text, cell(1234), cell(None)
    ('+2.00 ± 0.50', '1,234', '-')
    """
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        return Score(value["mean"], value["sd"], signed=signed)
    if isinstance(value, float):
        return Score(value, signed=signed)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def points(value: Any) -> Cell:
    """A difference, with its sign."""
    return cell(value, signed=True)


def text_columns(*names: str) -> tuple[Column, ...]:
    """Columns of text."""
    return tuple(Column(name, right=False) for name in names)


def number_columns(names: Sequence[str], group: str = "") -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(name, group) for name in names)


def seeds_said(results: Results, setting: str = "seeds") -> str:
    """Over how many seeds a mean is."""
    seeds = sorted({len(one.settings[setting]) for one in results})
    return f"ours: mean ± sample sd over {' or '.join(map(str, seeds))} seeds"


def said(results: Results) -> tuple[str, ...]:
    """Schedule, seeds, candidates and ties: what no score is without."""
    rules = "; ".join(f"{one.name}: {rule_text(one.measured['candidates'])}" for one in results)
    return (
        f"schedule: {results[0].measured['schedule']}",
        seeds_said(results),
        f"candidates of test: {rules}",
        "ties: midrank",
    )


def beside_paper(
    lead: Sequence[str], here: Sequence[Any], printed: Sequence[Any], end: Sequence[Cell] = ()
) -> list[tuple[Cell, ...]]:
    """A row of what the paper prints and one of the differences, if it prints anything."""
    if all(value is None for value in printed):
        return []
    differences = [
        None if ours is None or theirs is None else _mean(ours) - theirs
        for ours, theirs in zip(here, printed, strict=True)
    ]
    return [
        (*lead, "paper", *map(cell, printed), *end),
        (*lead, "difference", *map(points, differences), *end),
    ]


def _mean(value: Any) -> float:
    return float(value["mean"] if isinstance(value, Mapping) else value)
