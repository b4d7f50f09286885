"""Features: what each addition to the reference configuration gains, under both backoffs."""

from __future__ import annotations

from typing import Any

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.evaluation import choices
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import Findings, mrr_over, paired, validation_over
from linkgram.studies.runs import Run
from linkgram.studies.subject import Subject

REFERENCE = "reference"
COLUMNS = (
    Column("backoff", "marginal or continuation"),
    Column("features", "feature set: the reference, or what is added to it"),
    Column("mrr", "test MRR", "%"),
    Column("validation_mrr", "validation MRR, event-wise", "%"),
    Column("change", "from the reference under the same backoff, paired by seed", "points"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    sets = {name: list(additions) for name, additions in choices.feature_sets().items()}
    return {**subject.fit_settings(subject.analysis_seeds), "feature_sets": sets, "depth": 5}


def feature_runs(subject: Subject) -> dict[tuple[str, str], list[Run]]:
    """The runs of every feature set under both backoffs."""
    wanted = {
        (backoff, name): Configuration(backoff=backoff, additions=additions)
        for backoff in BACKOFFS
        for name, additions in choices.feature_sets().items()
    }
    runs = subject.runs.of(list(wanted.values()), subject.analysis_seeds)
    return dict(zip(wanted, runs, strict=True))


def findings(subject: Subject) -> Findings:
    """One row a backoff and feature set."""
    runs = feature_runs(subject)
    rows = [
        {
            "backoff": backoff,
            "features": name,
            "mrr": mrr_over(some),
            "validation_mrr": validation_over(some),
            "change": paired(mrr_over(some), mrr_over(runs[backoff, REFERENCE])),
        }
        for (backoff, name), some in runs.items()
    ]
    return Findings(COLUMNS, rows, subject.measured("event-wise"))
