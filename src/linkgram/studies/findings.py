"""Findings: what a study returns, before it is keyed and stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkgram.evaluation.published import Reported, Statement
from linkgram.evaluation.reference import sources
from linkgram.evaluation.study_result import Column, central, over_seeds
from linkgram.studies.runs import Run


@dataclass(frozen=True, slots=True)
class Findings:
    """The parts of a `StudyResult` that the study itself makes."""

    columns: tuple[Column, ...]
    rows: Sequence[Mapping[str, Any]]
    measured: Mapping[str, Any]
    series: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    paper: Sequence[Mapping[str, Any]] = ()


def mrr_over(runs: Sequence[Run], schedule: str = "event-wise") -> dict[str, Any]:
    """Test MRR over seeds, in percent."""
    return over_seeds([run.mrr[schedule] for run in runs])


def validation_over(runs: Sequence[Run]) -> dict[str, Any]:
    """Validation MRR of the kept epochs over seeds, in percent."""
    return over_seeds([run.validation_mrr for run in runs])


def paired(these: Mapping[str, Any], those: Mapping[str, Any]) -> dict[str, Any]:
    """The differences of two cells, seed by seed.

    >>> paired(over_seeds([3.0, 5.0]), over_seeds([1.0, 2.0]))["values"]
    [2.0, 3.0]
    """
    return over_seeds([a - b for a, b in zip(these["values"], those["values"], strict=True)])


def beside(what: str, ours: Any, reported: Reported | None, **at: str) -> list[dict[str, Any]]:
    """Our value beside the one the paper prints, if it prints one; `at` says in which row."""
    value = central(ours)
    if reported is None or value is None:
        return []
    table = f", {reported.table}" if reported.table else ""
    return [
        {
            "what": what,
            "ours": value,
            "paper": reported.value,
            "difference": value - reported.value,
            "source": f"{reported.source}{table}",
            "at": at,
        }
    ]


def beside_statement(ours: Any, stated: Statement) -> list[dict[str, Any]]:
    """Our value beside a number of the paper's text."""
    value = central(ours)
    if value is None:
        return []
    bound = "" if stated.bound == "is" else f" ({stated.bound})"
    return [
        {
            "what": f"{stated.says}{bound}",
            "ours": value,
            "paper": stated.value,
            "difference": value - stated.value,
            "source": f"{sources()['paper']}, text",
            "at": {},
        }
    ]
