"""Whatever object is handed in: an answer, a linkgram error or a TypeError. Never anything else."""

from __future__ import annotations

import contextlib
import math
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

THINGS = {
    "None": None,
    "a truth value": True,
    "a negative integer": -1,
    "2**63": 2**63,
    "2**64": 2**64,
    "an integer no float can hold": 10**400,
    "an integer too long to print": 10**5000,
    "a fraction": 1.5,
    "not a number": math.nan,
    "infinity": math.inf,
    "a complex number": 1j,
    "an empty text": "",
    "a text": "v",
    "a number as text": "9",
    "half a character": "\ud800",
    "a text with a zero byte": "a\0b",
    "bytes": b"9",
    "an object": object(),
    "a type": int,
    "a numpy integer": np.int8(3),
    "a large numpy integer": np.uint64(2**64 - 1),
    "a numpy text": np.str_("v"),
    "a numpy date": np.datetime64("2020-01-01"),
    "no time of numpy": np.datetime64("NaT"),
    "an array of no dimension": np.array(1),
    "an empty array": np.array([], dtype=object),
    "an array of integers": np.array([1, 2]),
    "an array of large integers": np.array([2**63], dtype=np.uint64),
    "an array of truth values": np.array([True]),
    "an array of fractions": np.array([1.5]),
    "an array of texts": np.array(["a"]),
    "an array of objects": np.array([1, "a", None], dtype=object),
    "a matrix": np.zeros((2, 2)),
    "an empty list": [],
    "a list of a text": ["v"],
    "a list of half a character": ["\ud800"],
    "a mixed list": [1, "v"],
    "a list of lists": [[1]],
    "a dict": {"v": 1},
    "a range": range(3),
    "dots": ...,
}
PLACES = {
    "observe source": lambda p, u, v, thing: p.observe(thing, v, 9.0),
    "observe destination": lambda p, u, v, thing: p.observe(u, thing, 9.0),
    "observe time": lambda p, u, v, thing: p.observe(u, v, thing),
    "observe stream": lambda p, u, v, thing: p.observe(thing),
    "features source": lambda p, u, v, thing: p.features(thing, [v], 9.0),
    "features candidates": lambda p, u, v, thing: p.features(u, thing, 9.0),
    "score candidate": lambda p, u, v, thing: p.score(u, [v, thing], 9.0),
    "score time": lambda p, u, v, thing: p.score(u, [v], thing),
    "rank destination": lambda p, u, v, thing: p.rank(u, thing, [v], 9.0),
    "rank candidates": lambda p, u, v, thing: p.rank(u, v, thing, 9.0),
    "explain candidate": lambda p, u, v, thing: p.explain(u, thing, 9.0),
    "top_k source": lambda p, u, v, thing: p.top_k(thing, 9.0),
    "top_k time": lambda p, u, v, thing: p.top_k(u, thing),
    "top_k k": lambda p, u, v, thing: p.top_k(u, 9.0, k=thing),
    "weights": lambda p, u, v, thing: setattr(p, "weights", thing),
    "a weight": lambda p, u, v, thing: setattr(
        p, "weights", [*list(p.weights.values())[1:], thing]
    ),
    "stream sources": lambda p, u, v, thing: EventStream.from_arrays(thing, [v, v], [1.0, 2.0]),
    "stream times": lambda p, u, v, thing: EventStream.from_arrays([u, u], [v, v], thing),
    "stream source": lambda p, u, v, thing: EventStream.from_arrays([u, thing], [v, v], [1.0, 2.0]),
    "stream time": lambda p, u, v, thing: EventStream.from_arrays([u, u], [v, v], [1.0, thing]),
    "vocabulary": lambda p, u, v, thing: LinkPredictor(p.configuration, destinations=thing),
    "vocabulary id": lambda p, u, v, thing: LinkPredictor(p.configuration, destinations=[v, thing]),
}


@pytest.mark.parametrize("events", [EVENTS, TEXT_EVENTS], ids=["integers", "texts"])
@pytest.mark.parametrize("place", PLACES)
def test_no_thing_in_any_place_fails_in_another_way(place, events) -> None:
    (source, destination, _), found = events[0], []
    for name, thing in THINGS.items():
        predictor = fed_predictor(settings_of(), events)
        before = predictor.digest()
        try:
            PLACES[place](predictor, source, destination, thing)
        except (LinkgramError, TypeError):
            assert predictor.digest() == before, name
        except BaseException as error:  # A panic is no Exception.
            found.append(f"{name}: {type(error).__name__}: {error}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("setting", [field.name for field in fields(Configuration)])
def test_no_thing_in_any_setting_fails_in_another_way(setting) -> None:
    found = []
    for name, thing in THINGS.items():
        try:
            Configuration(**{setting: thing})
        except (LinkgramError, TypeError):
            pass
        except BaseException as error:
            found.append(f"{name}: {type(error).__name__}: {error}")
    assert not found, "\n".join(found)


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


@given(value=ANYTHING_OR_LISTS, setting=st.sampled_from([f.name for f in fields(Configuration)]))
@run(max_examples=200, deadline=None)
def test_no_object_makes_a_setting_fail_in_another_way(value, setting) -> None:
    refuses_cleanly(Configuration, **{setting: value})


@given(weights=ANYTHING_OR_LISTS, vocabulary=ANYTHING_OR_LISTS)
@run(max_examples=200, deadline=None)
def test_no_object_makes_a_predictor_fail_in_another_way(weights, vocabulary) -> None:
    refuses_cleanly(LinkPredictor, Configuration(decay=1.0, recency=1.0), weights=weights)
    refuses_cleanly(LinkPredictor, Configuration(decay=1.0, recency=1.0), destinations=vocabulary)
