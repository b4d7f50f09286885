"""Bad input is refused with the right error, and a refusal leaves the state as it was."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.support.predictors import (
    fed_predictor,
    predictor_of,
    settings_of,
    spread_weights,
    stream_of,
)

from linkgram import (
    CandidateError,
    EventError,
    EventStream,
    LinkgramError,
)

EVENTS = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 5.0)]
TEXT_EVENTS = [(f"u{u}", f"v{v}", t) for u, v, t in EVENTS]
VOCABULARY = [1, 2, 3, 4]

BAD_TIMES = [4.999, -1.0, math.nan, math.inf, -math.inf, -1e308]
BAD_IDS = [-1, -(2**63), 2**63, 2**64, 10**30, 1.5, math.nan, None, b"v1", (1,), [1], {}]


@pytest.mark.parametrize("time", BAD_TIMES)
def test_a_time_that_is_no_number_or_runs_backwards_is_refused(time) -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    with pytest.raises(EventError) as refused:
        predictor.observe(0, 1, time)
    assert predictor.digest() == before
    assert refused.value.column == "time"
    assert refused.value.value == pytest.approx(time, nan_ok=True)


@pytest.mark.parametrize("time", ["x", b"9", True, None, [9.0], 9j], ids=repr)
def test_a_time_that_is_another_kind_of_thing_is_refused(time) -> None:
    # The history ends before any of these, so only their kind can be what is refused.
    predictor = fed_predictor(settings_of(), [(u, v, t - 10.0) for u, v, t in EVENTS])
    before = predictor.digest()
    with pytest.raises((EventError, TypeError)):
        EventStream.from_arrays([0], [1], [time])
    with pytest.raises((LinkgramError, TypeError)):
        predictor.score(0, [1], time)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(0, 1, time)
    assert predictor.digest() == before


def test_a_text_is_not_the_time_of_an_event_or_a_question() -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(0, 1, "9")
    with pytest.raises((LinkgramError, TypeError)):
        predictor.score(0, [1], "9")


def test_a_time_that_runs_backwards_names_the_event_and_both_times() -> None:
    with pytest.raises(EventError, match=r"event 1: time 873\.0 is before .* 900\.0") as refused:
        EventStream.from_arrays([0, 0], [1, 2], [900.0, 873.0])
    assert refused.value.row == 1


def test_a_stream_older_than_the_history_is_refused_as_a_whole() -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    with pytest.raises(EventError) as refused:
        predictor.observe(stream_of([(0, 1, 4.0), (0, 1, 6.0)]))
    assert refused.value.row == 0
    assert predictor.digest() == before


@pytest.mark.parametrize("time", BAD_TIMES)
@pytest.mark.parametrize("ask", ["features", "score", "rank", "top_k", "explain"])
def test_a_question_about_no_time_or_about_the_past_is_refused(ask, time) -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    arguments = {"rank": (0, 1, [2]), "top_k": (0,), "explain": (0, 1)}.get(ask, (0, [1, 2]))
    with pytest.raises(LinkgramError):
        getattr(predictor, ask)(*arguments, time)
    assert predictor.digest() == before


@pytest.mark.parametrize("events", [EVENTS, TEXT_EVENTS], ids=["integers", "texts"])
@pytest.mark.parametrize("bad", BAD_IDS, ids=repr)
def test_an_id_that_is_no_id_is_refused(bad, events) -> None:
    predictor = fed_predictor(settings_of(), events)
    before, (source, destination, _) = predictor.digest(), events[0]
    with pytest.raises((EventError, TypeError)):
        predictor.observe(bad, destination, 9.0)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(source, bad, 9.0)
    with pytest.raises((LinkgramError, TypeError)):
        predictor.score(source, [destination, bad], 9.0)
    with pytest.raises((LinkgramError, TypeError)):
        predictor.rank(source, bad, [destination], 9.0)
    assert predictor.digest() == before


@pytest.mark.parametrize("bad", [True, False, np.True_])
def test_a_truth_value_is_not_an_id(bad) -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    for event in ((bad, 1, 9.0), (0, bad, 9.0)):
        with pytest.raises((EventError, TypeError)):
            predictor.observe(*event)
    with pytest.raises((EventError, TypeError)):
        EventStream.from_arrays([0, 1], [bad, bad], [0.0, 1.0])
    assert predictor.digest() == before


@pytest.mark.parametrize(
    "columns",
    [
        ([0, -1], [1, 2], [0.0, 1.0]),
        ([0, 1], [1, -2], [0.0, 1.0]),
        ([0, 1], [1, 2], [0.0, math.nan]),
        ([0, 1], [1, 2], [0.0, math.inf]),
        ([0, 1], [1, 2], [1.0, 0.0]),
        ([0, "a"], [1, 2], [0.0, 1.0]),
        ([0, 1], ["b", 2], [0.0, 1.0]),
        ([0, 2**63], [1, 2], [0.0, 1.0]),
        ([0, 2**64], [1, 2], [0.0, 1.0]),
        ([0, 1.5], [1, 2], [0.0, 1.0]),
        ([0, None], [1, 2], [0.0, 1.0]),
        ([0, 1], [1], [0.0, 1.0]),
        ([0, 1], [1, 2], [0.0]),
        (np.zeros((2, 2), dtype=int), [1, 2], [0.0, 1.0]),
        ([0, 1], [1, 2], ["x", "y"]),
    ],
)
def test_columns_that_are_no_stream_are_refused(columns) -> None:
    with pytest.raises((EventError, TypeError)):
        EventStream.from_arrays(*columns)


@pytest.mark.parametrize(("source", "destination"), [("u0", 1), (0, "v1"), ("u0", "v1")])
def test_text_ids_among_integer_ids_are_refused(source, destination) -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.digest()
    with pytest.raises((EventError, TypeError)):
        predictor.observe(source, destination, 9.0)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(stream_of([(source, destination, 9.0)]))
    assert predictor.digest() == before


@pytest.mark.parametrize(("source", "destination"), [(0, "v1"), ("u0", 1), (0, 1)])
def test_integer_ids_among_text_ids_are_refused(source, destination) -> None:
    predictor = fed_predictor(settings_of(), TEXT_EVENTS)
    before = predictor.digest()
    with pytest.raises((EventError, TypeError)):
        predictor.observe(source, destination, 9.0)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(stream_of([(source, destination, 9.0)]))
    assert predictor.digest() == before


def test_candidates_of_the_other_type_are_refused() -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    with pytest.raises((CandidateError, TypeError)):
        predictor.score(0, ["v1"], 9.0)
    with pytest.raises((CandidateError, TypeError)):
        predictor.score(0, [1, "v1"], 9.0)


def test_a_candidate_outside_a_fixed_vocabulary_is_refused() -> None:
    predictor = fed_predictor(settings_of(), EVENTS, destinations=VOCABULARY)
    before = predictor.digest()
    for ask in (
        lambda: predictor.features(0, [1, 77], 9.0),
        lambda: predictor.score(0, [1, 77], 9.0),
        lambda: predictor.rank(0, 1, [2, 77], 9.0),
        lambda: predictor.rank(0, 77, [1, 2], 9.0),
        lambda: predictor.explain(0, 77, 9.0),
    ):
        with pytest.raises(CandidateError, match="77"):
            ask()
    assert predictor.digest() == before


@pytest.mark.parametrize("place", [0, 499, 998])
def test_one_destination_outside_a_fixed_vocabulary_refuses_the_whole_stream(place) -> None:
    predictor = fed_predictor(settings_of(), EVENTS, destinations=VOCABULARY)
    before = predictor.digest()
    events = [(k % 7, VOCABULARY[k % 4], 10.0 + k) for k in range(999)]
    events[place] = (0, 77, 10.0 + place)
    with pytest.raises(EventError, match="77") as refused:
        predictor.observe(stream_of(events))
    assert (refused.value.row, refused.value.column) == (place, "destination")
    assert predictor.digest() == before
    predictor.observe(0, 1, 5.0)


def test_a_refused_stream_makes_no_id_known() -> None:
    predictor = fed_predictor(settings_of(), EVENTS)
    before = predictor.features(0, [1, 2], 5.0)
    with pytest.raises((EventError, TypeError)):
        predictor.observe(stream_of([("new", 50, 9.0), ("newer", 51, 10.0)]))
    with pytest.raises(EventError):
        predictor.observe(stream_of([(5, 60, 1.0), (6, 61, 2.0)]))
    with pytest.raises((EventError, TypeError)):
        predictor.observe("new", 50, 9.0)
    with pytest.raises(EventError):
        predictor.observe(3, 50, math.nan)
    assert np.array_equal(predictor.features(0, [1, 2], 5.0), before)


@pytest.mark.parametrize(
    "vocabulary", [[1, 1], [1, -1], [1, "a"], [True, 2], [2**63], [1.5], [None]], ids=repr
)
def test_a_vocabulary_with_a_bad_id_is_refused(vocabulary) -> None:
    with pytest.raises((LinkgramError, TypeError)):
        predictor_of(settings_of(), destinations=vocabulary)


def test_a_predictor_that_knows_no_destination_still_answers() -> None:
    chosen = settings_of()
    predictor = predictor_of(chosen, weights=spread_weights(chosen))
    assert predictor.top_k(0, 0.0) == []
    assert np.isfinite(predictor.features(0, [1, 2], 0.0)).all()
    assert predictor.rank(0, 1, [2, 3], 0.0) == 2.0
