"""Save, load, continue equals never having stopped, bit for bit."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor, observe_all, settings_of
from tests.support.strategies import event_lists, settings
from tests.support.streams import random_case

from linkgram import EventError, LinkPredictor

CANDIDATES = list(range(7))


def saved_and_loaded(predictor: LinkPredictor) -> LinkPredictor:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.linkgram"
        predictor.save(path)
        return LinkPredictor.load(path)


def assert_same(first: LinkPredictor, second: LinkPredictor, now: float) -> None:
    assert first.digest() == second.digest()
    assert first.weights == second.weights
    assert first.bias == second.bias
    assert first.configuration == second.configuration
    for source in range(4):
        for wait in (0.0, 1e3):
            asked = (source, CANDIDATES, now + wait)
            assert bits(first.features(*asked)) == bits(second.features(*asked))
            assert bits(first.score(*asked)) == bits(second.score(*asked))
        assert first.top_k(source, now, k=4) == second.top_k(source, now, k=4)


@given(
    chosen=settings(),
    events=event_lists(min_size=2),
    stops=st.lists(st.integers(1, 24), min_size=1, max_size=3),
    cells=st.sampled_from(["float64", "float32"]),
    growing=st.booleans(),
)
@run(max_examples=80, deadline=None)
def test_save_load_continue_equals_never_having_stopped(
    chosen, events, stops, cells, growing
) -> None:
    options = {"cells": cells, "destinations": None if growing else CANDIDATES}
    steady = fed_predictor(chosen, events, **options)
    marks = [0, *sorted(stop for stop in stops if stop < len(events)), len(events)]
    stopping = fed_predictor(chosen, [], **options)
    for start, stop in itertools.pairwise(marks):
        observe_all(stopping, events[start:stop])
        stopping = saved_and_loaded(stopping)
    assert_same(steady, stopping, events[-1][2])


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("seed", range(4))
def test_long_rows_survive_a_stop(seed, cells) -> None:
    case = random_case(40_000 + seed, length=(800, 900), width=60)
    steady = fed_predictor(case.settings, case.events, cells=cells)
    stopping = saved_and_loaded(fed_predictor(case.settings, case.events[:400], cells=cells))
    observe_all(stopping, case.events[400:])
    assert steady.digest() == stopping.digest()
    asked = (case.events[-1][0], [z for _, z, _ in case.events[:300]], case.events[-1][2])
    assert bits(steady.features(*asked)) == bits(stopping.features(*asked))


def test_an_empty_predictor_survives_a_stop() -> None:
    empty = fed_predictor(settings_of(), [], destinations=CANDIDATES)
    assert_same(empty, saved_and_loaded(empty), 0.0)


@pytest.mark.parametrize("names", [("ann", "bo", ""), ("ä", "\u6771\u4eac", "a\nb")])
def test_text_ids_survive_a_stop(names) -> None:
    events = [(names[k % 3], names[(k * k) % 3], float(k)) for k in range(9)]
    steady = fed_predictor(settings_of(), events)
    stopped = saved_and_loaded(steady)
    assert steady.top_k(names[0], 9.0) == stopped.top_k(names[0], 9.0)
    assert {z for z, _ in stopped.top_k(names[0], 9.0)} == {z for _, z, _ in events}


def test_the_order_of_time_and_the_fixed_vocabulary_survive_a_stop() -> None:
    events = [(0, 1, 0.0), (0, 2, 5.0)]
    predictor = saved_and_loaded(fed_predictor(settings_of(), events, destinations=CANDIDATES))
    with pytest.raises(EventError):
        predictor.observe(0, 1, 4.0)
    with pytest.raises(EventError):
        predictor.observe(0, 99, 6.0)
