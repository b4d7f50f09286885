"""Timing: the same weights and candidates, under other schedules.

Event-wise, in batches of 200, and strictly by timestamp: what changes is only the history that a
query may see. Baselines keep their choices too, which were made event-wise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation.published import PaperFigures
from linkgram.evaluation.study_result import Column, over_seeds
from linkgram.studies.findings import Findings, beside, paired
from linkgram.studies.subject import SCHEDULES, Subject, mrr_by_seed

COLUMNS = (
    Column("method", "what was measured"),
    Column("kind", "ours or baseline"),
    Column("schedule", "which history a query may see"),
    Column("mrr", "test MRR", "%"),
    Column("change", "from event-wise, ours paired by seed", "points"),
)
OURS = "linkgram"


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return subject.main_settings()


def findings(subject: Subject) -> Findings:
    """One row a method and schedule."""
    comparison, figures = subject.comparison, subject.figures
    rows = _ours(comparison.chosen)
    for row in comparison.methods:
        if row["kind"] == "baseline":
            rows += _baseline(row)
    chosen = comparison.chosen["settings"]
    notes = [
        f"Ours is {chosen['backoff']} backoff with feature set {chosen['feature_set']}: "
        f"validation chose the backoff.",
        "The paper did not evaluate baselines under strict timestamps.",
        "The batch of PopTrack is part of its model, whatever the schedule.",
    ]
    compared = []
    if figures is not None:
        compared = _compared(rows, figures)
        if figures.chosen_backoff != chosen["backoff"]:
            notes.append(f"In the paper validation chose {figures.chosen_backoff} backoff here.")
    measured = subject.measured(*SCHEDULES)
    return Findings(COLUMNS, rows, measured, notes=notes, paper=compared)


def _ours(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    first = over_seeds(mrr_by_seed(row, SCHEDULES[0]))
    found = []
    for schedule in SCHEDULES:
        mrr = over_seeds(mrr_by_seed(row, schedule))
        change = paired(mrr, first)
        found.append(_row(OURS, "ours", schedule, mrr, change))
    return found


def _baseline(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    mrr = {schedule: 100 * row["metrics"][schedule]["mrr"]["mean"] for schedule in SCHEDULES}
    return [
        _row(row["name"], "baseline", schedule, mrr[schedule], mrr[schedule] - mrr[SCHEDULES[0]])
        for schedule in SCHEDULES
    ]


def _row(*values: Any) -> dict[str, Any]:
    return dict(zip((column.name for column in COLUMNS), values, strict=True))


def _compared(rows: list[dict[str, Any]], figures: PaperFigures) -> list[dict[str, Any]]:
    compared = []
    for row in rows:
        method = "ours" if row["kind"] == "ours" else row["method"]
        schedule = row["schedule"]
        strict = schedule == "strict-timestamp" and method == "ours"
        reported = figures.strict if strict else figures.timing.get(schedule, {}).get(method)
        at = {"method": row["method"], "schedule": schedule}
        what = f"test MRR of {row['method']}, {schedule}"
        compared += beside(what, row["mrr"], reported, column="mrr", **at)
        if strict:
            what = f"change of {row['method']} from event-wise to {schedule}"
            compared += beside(what, row["change"], figures.strict_change, column="change", **at)
    return compared
