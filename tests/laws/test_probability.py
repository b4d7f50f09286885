"""Estimators are probabilities, and what was never observed falls back to the backoff exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor, observe_all, predictor_of, settings_of
from tests.support.strategies import event_lists, settings
from tests.support.streams import BACKOFFS

from linkgram import Configuration, SettingError

VOCABULARY = range(6)
WAITS = st.sampled_from([0.0, 0.5, 30.0, 1e7])


def columns(predictor, configuration, source, candidates, time) -> dict[str, np.ndarray]:
    features = np.asarray(predictor.features(source, list(candidates), time))
    return dict(zip(configuration.feature_names, features.T, strict=True))


@given(
    chosen=settings(),
    events=event_lists(),
    wait=WAITS,
    source=st.integers(0, 3),
    cells=st.sampled_from(["float64", "float32"]),
)
@run(max_examples=200, deadline=None)
def test_every_estimator_sums_to_one_over_the_vocabulary(
    chosen, events, wait, source, cells
) -> None:
    predictor = predictor_of(chosen, cells=cells, destinations=VOCABULARY)
    configuration = Configuration(depth=chosen.depth, additions=chosen.additions)
    visits = sum(u == source for u, _, _ in events)
    seen = 0
    for now in range(1, len(events) + 1, max(1, len(events) // 3)):
        observe_all(predictor, events[seen:now])
        seen = now
    observe_all(predictor, events[seen:])
    found = columns(predictor, configuration, source, VOCABULARY, events[-1][2] + wait)
    for name, column in found.items():
        if "recency" in name:
            assert np.all((column >= 0) & (column <= 1)), name
        elif name.startswith("transition") and int(name.split("_")[1]) > visits:
            assert not column.any(), name
        else:
            tolerance = 1e-12 if cells == "float64" else 1e-5
            assert np.exp(column).sum() == pytest.approx(1, abs=tolerance), name


@given(chosen=settings(), events=event_lists(), wait=WAITS)
@run(max_examples=100, deadline=None)
def test_a_source_never_observed_gives_exactly_the_backoff(chosen, events, wait) -> None:
    predictor = fed_predictor(chosen, events, destinations=VOCABULARY)
    configuration = Configuration(depth=chosen.depth, additions=chosen.additions)
    found = columns(predictor, configuration, 99, VOCABULARY, events[-1][2] + wait)
    if chosen.backoff == "marginal":
        assert bits(found["source_history"]) == bits(found["popularity"])
    if "co_occurrence" in found:
        assert bits(found["co_occurrence"]) == bits(found["source_history"])
    for k in range(1, chosen.depth + 1):
        assert not found[f"transition_{k}"].any()
    assert not found["source_recency"].any()


@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("cells", ["float64", "float32"])
def test_a_destination_nobody_ever_left_gives_exactly_the_backoff(backoff, cells) -> None:
    chosen = settings_of(backoff=backoff)
    events = [(0, 1, 1.0), (0, 2, 2.0), (0, 1, 2.0), (1, 1, 5.0), (1, 3, 700.0)]
    predictor = fed_predictor(chosen, events, cells=cells, destinations=VOCABULARY)
    configuration = Configuration(depth=chosen.depth, additions=chosen.additions)
    known = columns(predictor, configuration, 1, VOCABULARY, 701.0)
    fresh = columns(predictor, configuration, 99, VOCABULARY, 701.0)
    assert bits(known["transition_1"]) == bits(fresh["source_history"])
    assert bits(known["transition_2"]) != bits(fresh["source_history"])


@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("alpha", [5e-324, 1e-310, 1e-200, 1e-100, 1e-30, 1e15, 1e100, 1e308])
def test_an_alpha_is_refused_or_gives_probabilities(alpha, backoff) -> None:
    chosen = settings_of(alpha=alpha, backoff=backoff)
    try:
        predictor = predictor_of(chosen, destinations=VOCABULARY)
    except SettingError:
        return
    observe_all(predictor, [(0, 1, 0.0), (1, 2, 1.0), (1, 3, 2.0), (2, 3, 2.0)])
    configuration = Configuration(depth=chosen.depth, additions=chosen.additions)
    for source in (0, 1, 2, 99):
        found = columns(predictor, configuration, source, VOCABULARY, 3.0)
        for name in ("popularity", "source_history", "co_occurrence"):
            assert np.exp(found[name]).sum() == pytest.approx(1), (source, name)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300, 1e308])
def test_a_time_scale_is_refused_or_gives_numbers(scale) -> None:
    for changes in ({"decay": scale}, {"recency": scale}):
        try:
            predictor = predictor_of(settings_of(**changes), destinations=VOCABULARY)
        except SettingError:
            continue
        observe_all(predictor, [(0, 1, -1e300), (0, 2, 0.0), (1, 3, 1.0), (0, 2, 1.0)])
        for time in (1.0, 2.0, 1e300):
            assert np.isfinite(predictor.features(0, list(VOCABULARY), time)).all()


@pytest.mark.parametrize("backoff", BACKOFFS)
def test_before_any_event_every_destination_is_as_likely(backoff) -> None:
    chosen = settings_of(backoff=backoff)
    predictor = predictor_of(chosen, destinations=VOCABULARY)
    features = predictor.features(0, list(VOCABULARY), 0.0)
    assert np.exp(features[:, 0]) == pytest.approx(1 / 6)
    assert np.exp(features[:, 1]) == pytest.approx(1 / 6)
