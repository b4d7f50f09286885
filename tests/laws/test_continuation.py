"""Continuation counts: how many different destinations each one was ever seen to follow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.naive import NaiveModel
from tests.support.predictors import bits, fed_predictor, observe_all, predictor_of, settings_of
from tests.support.strategies import event_lists

VOCABULARY = list(range(6))
NEVER_OBSERVED = 5
FRESH_SOURCE = 99


def continuation_counts(predictor, alpha: float, time: float) -> np.ndarray:
    """N1+(.z) = alpha (P_c(z) / P_c(z0) - 1), z0 a destination never observed; P_c(z) is what a
    source never observed gets under continuation backoff."""
    backoff = np.exp(predictor.features(FRESH_SOURCE, VOCABULARY, time)[:, 1])
    return alpha * (backoff / backoff[NEVER_OBSERVED] - 1)


@given(
    events=event_lists(),
    alpha=st.sampled_from([1.0, 0.1, 20.0]),
    decay=st.sampled_from([math.inf, 0.3, 10.0]),
    depth=st.integers(1, 4),
)
@run(max_examples=80, deadline=None)
def test_continuation_counts_never_fall(events, alpha, decay, depth) -> None:
    chosen = settings_of(backoff="continuation", alpha=alpha, decay=decay, depth=depth)
    predictor, twin = predictor_of(chosen, destinations=VOCABULARY), NaiveModel(chosen, 6)
    before = np.zeros(len(VOCABULARY))
    for event in events:
        observe_all(twin, [event])
        predictor.observe(*event)
        counts = continuation_counts(predictor, alpha, event[2])
        expected = twin.continuation_counts()
        assert counts == pytest.approx([expected.get(z, 0.0) for z in VOCABULARY], abs=1e-6)
        assert np.all(np.round(counts) >= before)
        assert np.round(counts).sum() - before.sum() in (0, 1)
        before = np.round(counts)


def test_continuation_counts_do_not_decay() -> None:
    events = [(0, 1, 0.0), (0, 2, 1.0), (1, 3, 1.0), (1, 2, 2.0)]
    chosen = settings_of(backoff="continuation", decay=0.1)
    predictor = fed_predictor(chosen, events, destinations=VOCABULARY)
    now, later = (predictor.features(FRESH_SOURCE, VOCABULARY, time)[:, 1] for time in (2.0, 1e12))
    assert bits(now) == bits(later)
    assert continuation_counts(predictor, 1.0, 2.0) == pytest.approx([0, 0, 2, 0, 0, 0])


def test_the_first_event_of_a_source_continues_nothing() -> None:
    events = [(source, 1, 0.0) for source in range(4)]
    chosen = settings_of(backoff="continuation")
    predictor = fed_predictor(chosen, events, destinations=VOCABULARY)
    assert continuation_counts(predictor, 1.0, 0.0) == pytest.approx([0] * 6)
