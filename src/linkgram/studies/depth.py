"""Depth: how many recent destinations are worth looking at, K = 1 to 20.

The features at a depth are a prefix of those at a larger one: one extraction at depth 20, a fit for
each depth on its columns, and one pass that ranks for all of them.
"""

from __future__ import annotations

from typing import Any

from linkgram.configuration import Configuration
from linkgram.evaluation.reference import statements
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import (
    Findings,
    beside_statement,
    mrr_over,
    paired,
    validation_over,
)
from linkgram.studies.subject import Subject

DEPTHS = tuple(range(1, 21))
COLUMNS = (
    Column("depth", "K, how many recent destinations are contexts"),
    Column("mrr", "test MRR", "%"),
    Column("validation_mrr", "validation MRR, event-wise", "%"),
    Column("change", "from depth 1, paired by seed", "points"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return {
        **subject.fit_settings(subject.analysis_seeds),
        "features": "reference", "backoff": "marginal", "depths": list(DEPTHS),
    }  # fmt: skip


def findings(subject: Subject) -> Findings:
    """One row a depth."""
    configurations = [Configuration(depth=depth) for depth in DEPTHS]
    runs = subject.runs.of(configurations, subject.analysis_seeds)
    first = mrr_over(runs[0])
    rows: list[dict[str, Any]] = [
        {
            "depth": depth,
            "mrr": mrr_over(some),
            "validation_mrr": validation_over(some),
            "change": paired(mrr_over(some), first),
        }
        for depth, some in zip(DEPTHS, runs, strict=True)
    ]
    compared = []
    last = rows[-1]["change"]["mean"]
    beyond_five = last - rows[4]["change"]["mean"]
    of_statement = {
        "DepthLastfmLoss": -last,
        "DepthSeqGainMin": last,
        "DepthSeqGainMax": last,
        "DepthSeqBeyondFiveMax": beyond_five,
    }
    named = () if subject.figures is None else statements("depth", subject.protocol.name)
    for stated in named:
        if stated.name in of_statement:
            compared += beside_statement(of_statement[stated.name], stated)
    return Findings(COLUMNS, rows, subject.measured("event-wise"), paper=compared)
