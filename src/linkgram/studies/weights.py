"""Weights: what the scoring rule learned, feature by feature.

Features differ in range, so only weights of one kind are to be compared in size: transitions with
transitions. Signs can be read everywhere.

The seed draws the negatives, and weights scatter with them far more than scores do. Where fits
are cheap, the reference configuration is fitted with more seeds than the paper's three.
"""

from __future__ import annotations

from typing import Any

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.evaluation.study_result import Column, over_seeds
from linkgram.studies import features
from linkgram.studies.features import REFERENCE, feature_runs
from linkgram.studies.findings import Findings
from linkgram.studies.runs import Run
from linkgram.studies.subject import Subject

TRANSITION = "transition_"
MANY_SEEDS = 20
# Events of training; up to here fits are cheap.
FEW_EVENTS = 200_000
COLUMNS = (
    Column("backoff", "marginal or continuation"),
    Column("features", "feature set of the configuration"),
    Column("feature", "the feature"),
    Column("position", "history position of a transition, 1 is the most recent destination"),
    Column("weight", "learned weight"),
    Column("sign", "+ or - where all seeds agree, else 'mixed'"),
)


def reference_seeds(subject: Subject) -> list[int]:
    """Seeds of the reference configuration; the additions keep those of every analysis."""
    few = subject.protocol.split.training_end <= FEW_EVENTS
    if subject.seeds is None and few:
        return list(range(1, MANY_SEEDS + 1))
    return subject.analysis_seeds


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return {
        **features.settings(subject),
        "seeds": reference_seeds(subject),
        "seeds_of_additions": subject.analysis_seeds,
    }


def findings(subject: Subject) -> Findings:
    """One row a backoff, feature set and feature."""
    runs = feature_runs(subject)
    configurations = [Configuration(backoff=backoff) for backoff in BACKOFFS]
    seeds = reference_seeds(subject)
    for backoff, some in zip(BACKOFFS, subject.runs.of(configurations, seeds, ()), strict=True):
        runs[backoff, REFERENCE] = some
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
    if len(seeds) > len(subject.analysis_seeds):
        notes.append(
            f"The reference configuration is over {len(seeds)} seeds, the additions over "
            f"{len(subject.analysis_seeds)}: few seeds can order near-equal weights either way."
        )
    return Findings(COLUMNS, rows, subject.measured("event-wise"), series=series, notes=notes)


def _row(backoff: str, feature_set: str, feature: str, runs: list[Run]) -> dict[str, Any]:
    weights = [run.weights[feature] for run in runs]
    signs = {"+" if weight > 0 else "-" for weight in weights}
    transition = feature.startswith(TRANSITION)
    return {
        "backoff": backoff,
        "features": feature_set,
        "feature": feature,
        "position": int(feature.removeprefix(TRANSITION)) if transition else None,
        "weight": over_seeds(weights),
        "sign": signs.pop() if len(signs) == 1 else "mixed",
    }
