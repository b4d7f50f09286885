"""The fast path equals the slow twin: features, scores and ranks, on thousands of small streams.

float64 cells agree to 1e-9 and float32 cells to 1e-5; a rank may differ only by candidates whose
twin scores lie within 1e-6 of the positive's without standing on the same evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import strategies
from tests.support.naive import NaiveModel
from tests.support.predictors import observe_all, predictor_of
from tests.support.streams import Case, Query, feature_count, random_case

if TYPE_CHECKING:
    from linkgram import LinkPredictor

TOLERANCE = {"float64": 1e-9, "float32": 1e-5}
NEAR_TIE = 1e-6
BLOCK = 100


def check_rank(
    found: float, twin: NaiveModel, query: Query, scores: dict[int, float], label: str
) -> None:
    positive = scores[query.positive]
    evidence = twin.evidence(query.source, query.positive)
    least, undecided = 1.0, 0
    for negative in query.negatives:
        if twin.evidence(query.source, negative) == evidence:
            least += 0.5
        elif abs(scores[negative] - positive) <= NEAR_TIE:
            undecided += 1
        else:
            least += scores[negative] > positive
    assert least <= found <= least + undecided, f"{label}: rank {found}, twin {least}+{undecided}"


def check_query(
    predictors: dict[str, LinkPredictor], twin: NaiveModel, query: Query, case: Case, seed: object
) -> None:
    rows = twin.features(query.source, query.candidates, query.time)
    scores = dict(zip(query.candidates, np.array(rows) @ np.array(case.weights), strict=True))
    for cells, predictor in predictors.items():
        label = f"seed {seed}, {cells}, {query}"
        asked = (query.source, list(query.candidates), query.time)
        features = np.asarray(predictor.features(*asked))
        assert features.shape == (len(query.candidates), feature_count(case.settings)), label
        worst = np.abs(features - np.array(rows)).max(initial=0.0)
        assert worst <= TOLERANCE[cells], f"{label}: a feature is off by {worst}"
        off = np.abs(predictor.score(*asked) - np.array(list(scores.values()))).max(initial=0.0)
        assert off <= 4 * TOLERANCE[cells], f"{label}: a score is off by {off}"
        rank = predictor.rank(query.source, query.positive, list(query.negatives), query.time)
        check_rank(rank, twin, query, scores, label)


def check(case: Case, seed: object) -> None:
    """Feed both, ask both, at every query of the case."""
    twin = NaiveModel(case.settings, None if case.vocabulary is None else len(case.vocabulary))
    chosen = {"weights": case.weights, "destinations": case.vocabulary}
    predictors = {cells: predictor_of(case.settings, cells=cells, **chosen) for cells in TOLERANCE}
    seen = 0
    for query in case.queries:
        for model in (twin, *predictors.values()):
            observe_all(model, case.events[seen : query.after])
        seen = query.after
        check_query(predictors, twin, query, case, seed)


@pytest.mark.parametrize("block", range(16))
def test_random_small_streams_agree_with_the_twin(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        check(random_case(seed), seed)


@pytest.mark.parametrize("seed", range(10_000, 10_030))
def test_streams_with_many_destinations_agree_with_the_twin(seed: int) -> None:
    check(random_case(seed, length=(150, 300), width=40), seed)


@pytest.mark.parametrize("seed", range(20_000, 20_003))
def test_long_streams_agree_with_the_twin(seed: int) -> None:
    check(random_case(seed, length=(1500, 2000), width=60), seed)


@given(
    chosen=strategies.settings(),
    events=strategies.event_lists(),
    wait=st.sampled_from([0.0, 0.5, 100.0, 1e7]),
    source=st.integers(0, 3),
    candidates=st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True),
    growing=st.booleans(),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_stream_agrees_with_the_twin(chosen, events, wait, source, candidates, growing) -> None:
    query = Query(len(events), source, events[-1][2] + wait, candidates[0], tuple(candidates[1:]))
    weights = tuple((-1.0) ** k / (k + 1) for k in range(feature_count(chosen)))
    vocabulary = None if growing else tuple(range(8))
    check(Case(chosen, tuple(events), (query,), vocabulary, weights), "hypothesis")
