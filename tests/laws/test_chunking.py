"""Observing is a fold: how the stream is cut never shows, not in one bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import (
    bits,
    fed_predictor,
    observe_all,
    predictor_of,
    settings_of,
    stream_of,
)
from tests.support.strategies import event_lists, settings
from tests.support.streams import random_case

CANDIDATES = list(range(7))


@given(
    chosen=settings(),
    events=event_lists(min_size=2),
    cuts=st.sets(st.integers(1, 24)),
    cells=st.sampled_from(["float64", "float32"]),
    growing=st.booleans(),
)
@run(max_examples=150, deadline=None)
def test_observing_in_any_chunking_equals_observing_at_once(
    chosen, events, cuts, cells, growing
) -> None:
    options = {"cells": cells, "destinations": None if growing else CANDIDATES}
    at_once, in_chunks, one_by_one = (predictor_of(chosen, **options) for _ in range(3))
    stream = stream_of(events)
    at_once.observe(stream)
    marks = [0, *sorted(cut for cut in cuts if cut < len(events)), len(events)]
    for start, stop in itertools.pairwise(marks):
        in_chunks.observe(stream[start:stop])
    for source, destination, time in events:
        one_by_one.observe(source, destination, time)
    assert at_once.digest() == in_chunks.digest() == one_by_one.digest()
    for source in range(4):
        asked = (source, CANDIDATES, events[-1][2])
        found = [bits(p.features(*asked)) for p in (at_once, in_chunks, one_by_one)]
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("seed", range(6))
def test_chunking_a_stream_with_long_rows_never_shows(seed, cells) -> None:
    case = random_case(30_000 + seed, length=(800, 900), width=60)
    rng = np.random.default_rng(seed)
    stream = stream_of(case.events)
    at_once, in_chunks = (predictor_of(case.settings, cells=cells) for _ in range(2))
    at_once.observe(stream)
    start = 0
    while start < len(stream):
        stop = start + int(rng.integers(1, 100))
        in_chunks.observe(stream[start:stop])
        start = stop
    assert at_once.digest() == in_chunks.digest()


def test_a_slice_makes_known_only_the_destinations_in_it() -> None:
    chosen = settings_of()
    events = [(0, 1, 0.0), (1, 2, 1.0), (0, 3, 2.0), (2, 4, 3.0)]
    sliced, typed = predictor_of(chosen), predictor_of(chosen)
    observe_all(typed, events[:2])
    sliced.observe(stream_of(events)[:2])
    asked = (0, [1, 2, 3, 4], 1.0)
    assert bits(sliced.features(*asked)) == bits(typed.features(*asked))
    assert sliced.digest() == typed.digest()


def test_observing_an_empty_slice_changes_nothing() -> None:
    events = [(0, 1, 0.0), (1, 2, 1.0)]
    predictor = fed_predictor(settings_of(), events)
    before = predictor.digest()
    predictor.observe(stream_of(events)[1:1])
    assert predictor.digest() == before


def test_the_digest_sees_one_event_more_one_time_moved_and_one_order_changed() -> None:
    events = [(0, 1, 0.0), (1, 2, 1.0), (0, 2, 1.0)]
    streams = [
        events,
        [*events, (0, 1, 1.0)],
        [*events[:2], (0, 2, 1.5)],
        [events[0], (0, 2, 1.0), (1, 3, 1.0)],
    ]
    digests = {fed_predictor(settings_of(), stream).digest() for stream in streams}
    assert len(digests) == len(streams)
