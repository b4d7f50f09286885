"""Whatever object is handed in: an answer, a linkgram error or a TypeError. Never anything else."""

from __future__ import annotations

import contextlib
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import fed_predictor, settings_of

from linkgram import Configuration, EventStream, LinkgramError, LinkPredictor

EVENTS = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 5.0)]
TEXT_EVENTS = [(f"u{u}", f"v{v}", t) for u, v, t in EVENTS]

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(0, 3),
    st.floats(),
    st.floats(0, 100),
    st.complex_numbers(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.sampled_from([object(), int, np.int8(3), np.uint64(2**64 - 1), np.float32(1.5)]),
    st.sampled_from(
        [np.str_("v"), np.array(1), np.array([1, 2]), np.array(["a"]), np.datetime64("2020-01-01")]
    ),
    st.sampled_from([np.array([], dtype=object), np.zeros((2, 2)), "\ud800", range(3), 10**400]),
)
LISTS = st.lists(ANYTHING, max_size=4)
ANYTHING_OR_LISTS = st.one_of(ANYTHING, LISTS, st.dictionaries(st.text(max_size=2), ANYTHING))


def refuses_cleanly(call: Any, *arguments: Any, **options: Any) -> None:
    """Answer, or refuse with a linkgram error or a TypeError: above all, never panic."""
    with contextlib.suppress(LinkgramError, TypeError):
        call(*arguments, **options)


@given(
    source=ANYTHING_OR_LISTS,
    destination=ANYTHING_OR_LISTS,
    time=ANYTHING_OR_LISTS,
    text=st.booleans(),
    fixed=st.booleans(),
)
@run(max_examples=300, deadline=None)
def test_no_object_makes_observe_fail_in_another_way(
    source, destination, time, text, fixed
) -> None:
    events = TEXT_EVENTS if text else EVENTS
    vocabulary = list(dict.fromkeys(v for _, v, _ in events)) if fixed else None
    predictor = fed_predictor(settings_of(), events, destinations=vocabulary)
    before = predictor.digest()
    try:
        predictor.observe(source, destination, time)
    except (LinkgramError, TypeError):
        assert predictor.digest() == before
    refuses_cleanly(predictor.observe, source)
    refuses_cleanly(EventStream.from_arrays, source, destination, time)


@given(
    source=ANYTHING_OR_LISTS,
    candidates=ANYTHING_OR_LISTS,
    time=st.one_of(st.just(9.0), ANYTHING_OR_LISTS),
    k=ANYTHING,
    text=st.booleans(),
    fixed=st.booleans(),
)
@run(max_examples=300, deadline=None)
def test_no_object_makes_a_question_fail_in_another_way(
    source, candidates, time, k, text, fixed
) -> None:
    events = TEXT_EVENTS if text else EVENTS
    vocabulary = list(dict.fromkeys(v for _, v, _ in events)) if fixed else None
    predictor = fed_predictor(settings_of(), events, destinations=vocabulary)
    before = predictor.digest()
    refuses_cleanly(predictor.features, source, candidates, time)
    refuses_cleanly(predictor.score, source, candidates, time)
    refuses_cleanly(predictor.rank, source, candidates, candidates, time)
    refuses_cleanly(predictor.rank, source, k, candidates, time)
    refuses_cleanly(predictor.explain, source, candidates, time)
    refuses_cleanly(predictor.top_k, source, time, k=k)
    assert predictor.digest() == before


HUGE = 10**5000
WITH_HUGE = {
    "observe source": lambda predictor: predictor.observe(HUGE, 1, 9.0),
    "observe destination": lambda predictor: predictor.observe(0, HUGE, 9.0),
    "observe time": lambda predictor: predictor.observe(0, 1, HUGE),
    "score candidate": lambda predictor: predictor.score(0, [HUGE], 9.0),
    "top_k k": lambda predictor: predictor.top_k(0, 9.0, k=-HUGE),
    "stream destination": lambda _: EventStream.from_arrays([0], [HUGE], [1.0]),
    "stream time": lambda _: EventStream.from_arrays([0], [1], [HUGE]),
    "setting depth": lambda _: Configuration(depth=HUGE),
    "setting alpha": lambda _: Configuration(alpha=HUGE),
    "setting cells": lambda _: Configuration(cells=HUGE),
}


@pytest.mark.parametrize("place", WITH_HUGE)
def test_an_integer_too_long_to_print_is_refused(place) -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    with pytest.raises((LinkgramError, TypeError)):
        WITH_HUGE[place](predictor)
    assert predictor.digest() == before


@given(value=ANYTHING_OR_LISTS, setting=st.sampled_from([f.name for f in fields(Configuration)]))
@run(max_examples=200, deadline=None)
def test_no_object_makes_a_setting_fail_in_another_way(value, setting) -> None:
    refuses_cleanly(Configuration, **{setting: value})


@given(weights=ANYTHING_OR_LISTS, vocabulary=ANYTHING_OR_LISTS)
@run(max_examples=200, deadline=None)
def test_no_object_makes_a_predictor_fail_in_another_way(weights, vocabulary) -> None:
    refuses_cleanly(LinkPredictor, Configuration(decay=1.0, recency=1.0), weights=weights)
    refuses_cleanly(LinkPredictor, Configuration(decay=1.0, recency=1.0), destinations=vocabulary)
