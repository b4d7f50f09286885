"""Settings and weights outside their range are refused by name, and change nothing."""

from __future__ import annotations

import math

import pytest
from tests.support.predictors import fed_predictor, predictor_of, settings_of, spread_weights

from linkgram import Configuration, NotFittedError, SettingError

EVENTS = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 5.0)]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *(("depth", bad) for bad in (0, -1, 65, 10**9)),
        *(("alpha", bad) for bad in (0.0, -1.0, math.nan, math.inf)),
        *(("decay", bad) for bad in (0.0, -1.0, math.nan, -math.inf)),
        *(("recency", bad) for bad in (0.0, -1.0, math.nan)),
        *(("recency_share", bad) for bad in (0.0, -0.01, math.nan)),
        *(("backoff", bad) for bad in ("x", "", "Marginal")),
        *(("additions", bad) for bad in (("nope",), ("co-occurrence", "nope"))),
        *(("cells", bad) for bad in ("float16", "")),
    ],
)
def test_a_setting_outside_its_range_is_refused_by_name(setting, value) -> None:
    with pytest.raises(SettingError, match=setting) as refused:
        Configuration(**{setting: value})
    assert refused.value.setting == setting


@pytest.mark.parametrize("setting", ["depth", "alpha", "decay", "recency", "backoff", "cells"])
@pytest.mark.parametrize("value", [object(), [1], {}, "many", b"x"], ids=repr)
def test_a_setting_of_another_type_is_refused(setting, value) -> None:
    with pytest.raises((SettingError, TypeError)):
        Configuration(**{setting: value})


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(TypeError):
        Configuration(depht=3)


def test_scoring_without_weights_is_refused() -> None:
    predictor = predictor_of(settings_of())
    predictor.observe(0, 1, 0.0)
    before = predictor.digest()
    for ask in (
        lambda: predictor.score(0, [1], 1.0),
        lambda: predictor.rank(0, 1, [2], 1.0),
        lambda: predictor.top_k(0, 1.0),
        lambda: predictor.explain(0, 1, 1.0),
    ):
        with pytest.raises(NotFittedError):
            ask()
    assert predictor.digest() == before
    assert predictor.features(0, [1], 1.0).shape == (1, 10), "features need no weights"


@pytest.mark.parametrize(
    "change",
    [
        lambda weights: weights[:-1],
        lambda weights: [*weights, 0.0],
        lambda weights: [],
        lambda weights: [math.nan, *weights[1:]],
        lambda weights: [*weights[:-1], math.inf],
    ],
)
def test_weights_that_do_not_fit_the_features_are_refused(change) -> None:
    chosen = settings_of()
    predictor = fed_predictor(chosen, EVENTS)
    before = dict(predictor.weights)
    with pytest.raises(SettingError):
        predictor.weights = change(spread_weights(chosen))
    assert predictor.weights == before
    with pytest.raises(SettingError):
        predictor_of(chosen, weights=change(spread_weights(chosen)))


def test_weights_by_unknown_or_missing_names_are_refused() -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = dict(predictor.weights)
    for wrong in ({"popularity": 1.0}, before | {"fame": 1.0}):
        with pytest.raises(SettingError):
            predictor.weights = wrong
    assert predictor.weights == before
