"""A score is the weighted sum of the features, and an explanation is that sum written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import fed_predictor, settings_of, spread_weights
from tests.support.strategies import event_lists, settings

CANDIDATES = list(range(7))
CELLS = st.sampled_from(["float64", "float32"])


@given(chosen=settings(), events=event_lists(), cells=CELLS, source=st.integers(0, 3))
@run(max_examples=100, deadline=None)
def test_the_score_is_the_features_times_the_weights(chosen, events, cells, source) -> None:
    predictor = fed_predictor(chosen, events, cells=cells)
    now = events[-1][2] + 1.0
    features = predictor.features(source, CANDIDATES, now)
    expected = features @ np.array(spread_weights(chosen)) + predictor.bias
    assert predictor.score(source, CANDIDATES, now) == pytest.approx(expected, abs=1e-9)


@given(
    chosen=settings(),
    events=event_lists(),
    cells=CELLS,
    source=st.integers(0, 3),
    candidate=st.integers(0, 6),
)
@run(max_examples=100, deadline=None)
def test_the_contributions_of_an_explanation_sum_to_the_score(
    chosen, events, cells, source, candidate
) -> None:
    predictor = fed_predictor(chosen, events, cells=cells)
    now = events[-1][2] + 1.0
    explanation = predictor.explain(source, candidate, now)
    features = predictor.features(source, [candidate], now)[0]
    parts = dict(zip(predictor.weights, features * spread_weights(chosen), strict=True))
    assert list(explanation.contributions) == list(predictor.configuration.feature_names)
    assert explanation.contributions == pytest.approx(parts, abs=1e-9)
    total = sum(explanation.contributions.values()) + predictor.bias
    assert explanation.score == pytest.approx(total, abs=1e-9)
    assert explanation.score == pytest.approx(
        predictor.score(source, [candidate], now)[0], abs=1e-9
    )


def test_weights_can_be_set_by_name_and_by_order() -> None:
    events = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 3.0)]
    by_order, by_name = (fed_predictor(settings_of(), events) for _ in range(2))
    weights = [0.1 * (k + 1) for k in range(len(by_order.weights))]
    by_order.weights = weights
    by_name.weights = dict(zip(by_name.configuration.feature_names, weights, strict=True))
    assert list(by_order.weights.values()) == weights
    assert by_order.weights == by_name.weights
    assert list(by_order.score(0, [1, 2, 3], 3.0)) == list(by_name.score(0, [1, 2, 3], 3.0))


def test_weights_do_not_reach_the_features() -> None:
    events = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 3.0)]
    predictor = fed_predictor(settings_of(), events)
    before = predictor.features(0, CANDIDATES, 3.0)
    predictor.weights = [0.0] * len(predictor.weights)
    assert np.array_equal(before, predictor.features(0, CANDIDATES, 3.0))
    assert not (predictor.score(0, CANDIDATES, 3.0) - predictor.bias).any()
