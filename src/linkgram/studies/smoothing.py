"""Smoothing: how much the pseudocount alpha matters, in the reference configuration."""

from __future__ import annotations

from typing import Any

from linkgram.configuration import Configuration
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import (
    Findings,
    mrr_over,
    paired,
    validation_over,
)
from linkgram.studies.subject import Subject

ALPHAS = (0.1, 1.0, 10.0)
COLUMNS = (
    Column("alpha", "pseudocount of every estimator"),
    Column("mrr", "test MRR", "%"),
    Column("validation_mrr", "validation MRR, event-wise", "%"),
    Column("change", "from alpha 1, paired by seed", "points"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return {
        **subject.fit_settings(subject.analysis_seeds),
        "features": "reference", "backoff": "marginal", "depth": 5, "alphas": list(ALPHAS),
    }  # fmt: skip


def findings(subject: Subject) -> Findings:
    """One row an alpha."""
    configurations = [Configuration(alpha=alpha) for alpha in ALPHAS]
    runs = subject.runs.of(configurations, subject.analysis_seeds)
    usual = mrr_over(runs[ALPHAS.index(1.0)])
    rows = [
        {
            "alpha": alpha,
            "mrr": mrr_over(some),
            "validation_mrr": validation_over(some),
            "change": paired(mrr_over(some), usual),
        }
        for alpha, some in zip(ALPHAS, runs, strict=True)
    ]
    return Findings(COLUMNS, rows, subject.measured("event-wise"))
