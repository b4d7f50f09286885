"""Names and the zero of time carry no information: change them, and the answers change alike."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor
from tests.support.strategies import event_lists, settings

CANDIDATES = list(range(5))
RENAMINGS = {
    "text": lambda k: f"id {k}",
    "reversed": lambda k: 1000 - k,
    "large": lambda k: 2**62 + 3 * k,
}


@given(
    chosen=settings(),
    events=event_lists(),
    kind=st.sampled_from(sorted(RENAMINGS)),
    growing=st.booleans(),
)
@run(max_examples=150, deadline=None)
def test_renaming_ids_renames_answers(chosen, events, kind, growing) -> None:
    renamed = RENAMINGS[kind]
    vocabulary = None if growing else CANDIDATES
    plain = fed_predictor(chosen, events, destinations=vocabulary)
    other = fed_predictor(
        chosen,
        [(renamed(u), renamed(v), t) for u, v, t in events],
        destinations=vocabulary and [renamed(z) for z in vocabulary],
    )
    now = events[-1][2] + 1.0
    for source in range(4):
        here = plain.features(source, CANDIDATES, now)
        there = other.features(renamed(source), [renamed(z) for z in CANDIDATES], now)
        assert bits(here) == bits(there)
        answers = [(renamed(z), score) for z, score in plain.top_k(source, now, k=5)]
        assert answers == other.top_k(renamed(source), now, k=5)


@given(chosen=settings(), events=event_lists())
@run(max_examples=50, deadline=None)
def test_a_source_and_a_destination_of_one_name_are_different_things(chosen, events) -> None:
    shared = fed_predictor(chosen, events)
    apart = fed_predictor(chosen, [(u + 100, v, t) for u, v, t in events])
    now = events[-1][2]
    for source in range(4):
        here = shared.features(source, CANDIDATES, now)
        assert bits(here) == bits(apart.features(source + 100, CANDIDATES, now))


@given(chosen=settings(), events=event_lists(), shift=st.sampled_from([1e9, -3e8, 0.25, 1e12]))
@run(max_examples=100, deadline=None)
def test_shifting_all_times_changes_nothing_beyond_rounding(chosen, events, shift) -> None:
    here = fed_predictor(chosen, events)
    there = fed_predictor(chosen, [(u, v, t + shift) for u, v, t in events])
    now = events[-1][2] + 1.0
    for source in range(4):
        found = there.features(source, CANDIDATES, now + shift)
        assert found == pytest.approx(np.array(here.features(source, CANDIDATES, now)), abs=1e-9)


@given(chosen=settings(), events=event_lists(), factor=st.sampled_from([3600.0, 1e-3, 1.7, 1e6]))
@run(max_examples=100, deadline=None)
def test_scaling_times_with_decay_and_recency_changes_nothing_beyond_rounding(
    chosen, events, factor
) -> None:
    scaled = replace(
        chosen,
        decay=chosen.decay if math.isinf(chosen.decay) else chosen.decay * factor,
        recency=chosen.recency * factor,
    )
    start = events[0][2]
    here = fed_predictor(chosen, [(u, v, t - start) for u, v, t in events])
    there = fed_predictor(scaled, [(u, v, (t - start) * factor) for u, v, t in events])
    now = events[-1][2] - start + 1.0
    # A scaled time is rounded before anyone sees it: that much no model can undo.
    finest = min(scaled.decay, scaled.recency / 10)
    tolerance = 1e-9 + 8 * math.ulp(now * factor) / finest
    for source in range(4):
        found = there.features(source, CANDIDATES, now * factor)
        expected = np.array(here.features(source, CANDIDATES, now))
        assert found == pytest.approx(expected, abs=tolerance)
