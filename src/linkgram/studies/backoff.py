"""Backoff: continuation against marginal, in the reference configuration, paired by seed."""

from __future__ import annotations

from typing import Any

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.evaluation.reference import statements
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import Findings, beside_statement, mrr_over, paired
from linkgram.studies.subject import Subject

COLUMNS = (
    Column("marginal", "test MRR with marginal backoff", "%"),
    Column("continuation", "test MRR with continuation backoff", "%"),
    Column("difference", "continuation minus marginal, paired by seed", "points"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return {**subject.fit_settings(subject.analysis_seeds), "features": "reference", "depth": 5}


def findings(subject: Subject) -> Findings:
    """One row."""
    configurations = [Configuration(backoff=backoff) for backoff in BACKOFFS]
    runs = subject.runs.of(configurations, subject.analysis_seeds)
    marginal, continuation = (mrr_over(some) for some in runs)
    difference = paired(continuation, marginal)
    compared = []
    named = () if subject.figures is None else statements("backoff", subject.protocol.name)
    for stated in named:
        # A loss is printed as a positive number.
        sign = -1 if stated.says.startswith("loss") else 1
        compared += beside_statement(sign * difference["mean"], stated)
    row = {"marginal": marginal, "continuation": continuation, "difference": difference}
    return Findings(COLUMNS, [row], subject.measured("event-wise"), paper=compared)
