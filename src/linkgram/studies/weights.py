"""Weights: what the scoring rule learned, feature by feature.

Features differ in range, so only weights of one kind are to be compared in size: transitions with
transitions. Signs can be read everywhere.
"""

from __future__ import annotations

from typing import Any

from linkgram.configuration import BACKOFFS
from linkgram.evaluation.study_result import Column, over_seeds
from linkgram.studies.features import REFERENCE, feature_runs
from linkgram.studies.features import settings as settings
from linkgram.studies.findings import Findings
from linkgram.studies.runs import Run
from linkgram.studies.subject import Subject

TRANSITION = "transition_"
COLUMNS = (
    Column("backoff", "marginal or continuation"),
    Column("features", "feature set of the configuration"),
    Column("feature", "the feature"),
    Column("position", "history position of a transition, 1 is the most recent destination"),
    Column("weight", "learned weight"),
    Column("sign", "+ or - where all seeds agree, else 'mixed'"),
)


def findings(subject: Subject) -> Findings:
    """One row a backoff, feature set and feature."""
    runs = feature_runs(subject)
    rows = [
        _row(backoff, name, feature, some)
        for (backoff, name), some in runs.items()
        for feature in some[0].weights
    ]
    series = {
        f"transition_{backoff}": [
            row["weight"]["mean"]
            for row in rows
            if (row["backoff"], row["features"]) == (backoff, REFERENCE) and row["position"]
        ]
        for backoff in BACKOFFS
    }
    notes = ["Compare sizes of weights only among transitions: other features differ in range."]
    return Findings(COLUMNS, rows, subject.measured("event-wise"), series=series, notes=notes)


def _row(backoff: str, features: str, feature: str, runs: list[Run]) -> dict[str, Any]:
    weights = [run.weights[feature] for run in runs]
    signs = {"+" if weight > 0 else "-" for weight in weights}
    transition = feature.startswith(TRANSITION)
    return {
        "backoff": backoff,
        "features": features,
        "feature": feature,
        "position": int(feature.removeprefix(TRANSITION)) if transition else None,
        "weight": over_seeds(weights),
        "sign": signs.pop() if len(signs) == 1 else "mixed",
    }
