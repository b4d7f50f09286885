"""Timing: the same weights and candidates, under other schedules.

Event-wise, in batches of 200, and strictly by timestamp: what changes is only the history that a
query may see. Baselines keep their choices too, which were made event-wise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation import choices
from linkgram.evaluation.reference import PaperFigures, paper
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import Findings, beside, mrr_over, paired
from linkgram.studies.subject import SCHEDULES, Subject

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
    sets = {
        backoff: choices.name_of(one.additions)
        for backoff, one in subject.main_configurations().items()
    }
    return {
        **subject.fit_settings(subject.main_seeds),
        "feature_sets": sets, "schedules": list(SCHEDULES),
    }  # fmt: skip


def findings(subject: Subject) -> Findings:
    """One row a method and schedule."""
    chosen = subject.chosen_backoff()
    configuration = subject.main_configurations()[chosen]
    (runs,) = subject.runs.of([configuration], subject.main_seeds, SCHEDULES)
    first = mrr_over(runs, SCHEDULES[0])
    rows: list[dict[str, Any]] = [
        {
            "method": OURS,
            "kind": "ours",
            "schedule": schedule,
            "mrr": mrr_over(runs, schedule),
            "change": paired(mrr_over(runs, schedule), first),
        }
        for schedule in SCHEDULES
    ]
    for found in subject.baselines:
        rows += _baseline(found)
    figures = paper(subject.protocol.name)
    notes = [
        f"Ours is {chosen} backoff with feature set {choices.name_of(configuration.additions)}: "
        f"validation chose the backoff.",
        "The paper did not evaluate baselines under strict timestamps.",
        "The batch of PopTrack is part of its model, whatever the schedule.",
    ]
    compared = []
    if figures is not None:
        compared = _compared(rows, figures)
        if figures.chosen_backoff != chosen:
            notes.append(f"In the paper validation chose {figures.chosen_backoff} backoff here.")
    measured = subject.measured(*SCHEDULES)
    return Findings(COLUMNS, rows, measured, notes=notes, paper=compared)


def _baseline(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    mrr = {schedule: 100 * found["metrics"][schedule]["mrr"] for schedule in SCHEDULES}
    return [
        {
            "method": found["name"],
            "kind": "baseline",
            "schedule": schedule,
            "mrr": mrr[schedule],
            "change": mrr[schedule] - mrr[SCHEDULES[0]],
        }
        for schedule in SCHEDULES
    ]


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
