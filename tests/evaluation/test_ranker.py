"""Rankers from outside meet the rules of the core: same ranks, and nothing of what comes later."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.support.naive_fit import visible
from tests.support.protocols import busy, small

from linkgram import Configuration, EventStream, LinkPredictor
from linkgram.errors import CandidateError, SettingError
from linkgram.evaluation import (
    CandidateSet,
    FitSettings,
    Questions,
    Schedule,
    fit,
    rank,
    rank_test_queries,
)

ALL = ("co-occurrence", "global-recency", "multi-scale")
QUICK = FitSettings(batch=16, epochs=4, patience=2)
SCHEDULES = ("event-wise", "batch(7)", "batch(5000)", "strict-timestamp")


class Outside:
    """The predictor as an outside model that works with dense ids."""

    def __init__(self, configuration, weights, stream):
        self.ids = stream
        self.predictor = LinkPredictor(
            configuration, weights=weights, destinations=stream.destination_ids
        )

    def observe(self, events):
        self.predictor.observe(events)

    def score(self, questions):
        scores = np.empty(len(questions.candidates))
        for at, (source, time) in enumerate(zip(questions.sources, questions.times, strict=True)):
            part = slice(*questions.offsets[at : at + 2])
            names = [self.ids.destination_ids[z] for z in questions.candidates[part]]
            scores[part] = self.predictor.score(
                self.ids.source_ids[source], [int(name) for name in names], float(time)
            )
        return scores


class Recorder:
    """Scores by id, and remembers everything it was shown, in order."""

    def __init__(self):
        self.shown: list[EventStream | Questions] = []

    def observe(self, events):
        self.shown.append(events)

    def score(self, questions):
        self.shown.append(questions)
        return questions.candidates

    def asked(self):
        return [shown for shown in self.shown if isinstance(shown, Questions)]


def fitted(protocol, configuration):
    return fit(
        protocol.before_test, protocol.split.training_end, protocol.validation, configuration,
        seeds=(1,), settings=QUICK,
    )  # fmt: skip


@pytest.fixture(scope="module")
def protocol():
    return busy(4, count=900)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_a_predictor_from_outside_gets_the_ranks_of_the_core(protocol, backoff, schedule):
    found = fitted(protocol, Configuration(backoff=backoff, additions=ALL, cells="float64"))
    outside = Outside(found.configuration, found.runs[0].weights, protocol.stream)
    ranks = rank(outside, protocol, schedule=schedule)
    assert np.array_equal(ranks, rank_test_queries(protocol, found, schedule)[0])
    # In the end it has observed everything, once.
    after = found.predictor(protocol.stream, fixed_vocabulary=True)
    assert outside.predictor.digest() == after.digest()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_small_nasty_streams_rank_alike_outside(schedule):
    ranked = 0
    for seed in range(40):
        case = small(seed, decay=math.inf)
        times, split = case.protocol.stream.times, case.protocol.split
        if np.searchsorted(times, times[split.validation_end]) < split.training_end:
            continue
        found = fitted(case.protocol, case.configuration)
        outside = Outside(found.configuration, found.runs[0].weights, case.protocol.stream)
        ranks = rank(outside, case.protocol, schedule=schedule)
        assert np.array_equal(ranks, rank_test_queries(case.protocol, found, schedule)[0])
        ranked += len(ranks)
    assert ranked > 300


def test_all_destinations_rank_alike_outside(protocol):
    size = protocol.vocabulary_size
    _, validation, test = protocol.split.sizes
    every = CandidateSet.all_destinations
    whole = replace(protocol, validation=every(validation, size), test=every(test, size))
    found = fitted(whole, Configuration(cells="float64"))
    outside = Outside(found.configuration, found.runs[0].weights, whole.stream)
    assert np.array_equal(rank(outside, whole), rank_test_queries(whole, found)[0])


def test_validation_queries_can_be_ranked(protocol):
    """Their mean reciprocal rank is the one the fit reported for its best epoch."""
    found = fitted(protocol, Configuration(additions=ALL, cells="float64"))
    run = found.runs[0]
    outside = Outside(found.configuration, run.weights, protocol.stream)
    ranks = rank(outside, protocol, on="validation")
    assert len(ranks) == protocol.split.sizes[1]
    assert np.mean(1 / ranks) == pytest.approx(run.best_validation_mrr, abs=1e-12)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_calls_come_once_a_group_and_see_only_what_is_history(protocol, schedule):
    stream, split = protocol.stream, protocol.split
    times, first = stream.times.tolist(), split.validation_end
    recorder = Recorder()
    rank(recorder, protocol, schedule=schedule)
    observed, row = 0, first
    for shown in recorder.shown:
        if isinstance(shown, EventStream):
            # Every event once, in order.
            part = stream[observed : observed + len(shown)]
            assert np.array_equal(shown.sources, part.sources)
            assert np.array_equal(shown.destinations, part.destinations)
            assert np.array_equal(shown.times, part.times)
            observed += len(shown)
            continue
        for at in range(len(shown)):
            assert observed == visible(times, first, row, schedule)
            assert (shown.sources[at], shown.times[at]) == (stream.sources[row], times[row])
            low, high = shown.offsets[at : at + 2]
            expected = [*protocol.test[row - first], stream.destinations[row]]
            assert shown.candidates[low:high].tolist() == sorted(expected)
            row += 1
    assert (observed, row) == (len(stream), len(stream))
    groups = list(Schedule.parse(schedule).groups(stream.times, first, len(stream)))
    assert len(recorder.asked()) == len(groups)
    assert max(len(questions) for questions in recorder.asked()) == max(
        stop - max(start, first) for start, stop in groups
    )


def test_strict_groups_that_began_in_validation_are_asked_whole_but_only_for_the_test(protocol):
    tied = EventStream(
        protocol.stream.sources, protocol.stream.destinations,
        np.floor(np.arange(900) / 7), protocol.stream.source_ids, protocol.stream.destination_ids,
    )  # fmt: skip
    first = protocol.split.validation_end
    begin = first // 7 * 7
    assert begin < first
    recorder = Recorder()
    rank(recorder, replace(protocol, stream=tied), schedule="strict-timestamp")
    before, questions, after = recorder.shown[:3]
    assert (len(before), len(questions), len(after)) == (begin, begin + 7 - first, 7)


@pytest.mark.parametrize("seed", range(5))
def test_the_candidates_do_not_show_which_is_the_positive(protocol, seed):
    """Positive and a negative changed places: the ranker is asked the very same question."""
    rng = np.random.default_rng(seed)
    stream, first = protocol.stream, protocol.split.validation_end
    destinations, rows = stream.destinations.copy(), []
    for at, row in enumerate(protocol.test):
        negatives = row.copy()
        if len(negatives):
            pick = int(rng.integers(len(negatives)))
            positive = int(destinations[first + at])
            destinations[first + at], negatives[pick] = negatives[pick], positive
        rows.append(negatives)
    swapped = EventStream(
        stream.sources, destinations, stream.times, stream.source_ids, stream.destination_ids
    )
    other = replace(protocol, stream=swapped, test=CandidateSet.from_rows(rows, {}))
    one, two = Recorder(), Recorder()
    ranks = [rank(one, protocol, schedule="batch(50)"), rank(two, other, schedule="batch(50)")]
    assert not np.array_equal(*ranks)
    for asked, asked_too in zip(one.asked(), two.asked(), strict=True):
        assert np.array_equal(asked.candidates, asked_too.candidates)
        assert np.array_equal(asked.offsets, asked_too.offsets)


class Says(Recorder):
    """Gives what it is told to give."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def score(self, questions):
        super().score(questions)
        return self.answer(questions)


def test_constant_scores_tie_whatever_their_type(protocol):
    expected = [1 + 0.5 * len(row) for row in protocol.test]
    for dtype in (np.float64, np.float32, np.int64, bool):
        ranker = Says(lambda asked, dtype=dtype: np.zeros(len(asked.candidates), dtype))
        assert rank(ranker, protocol).tolist() == expected
    assert rank(Says(lambda asked: [0.0] * len(asked.candidates)), protocol).tolist() == expected
    least = Says(lambda asked: np.full(len(asked.candidates), -np.inf))
    assert rank(least, protocol).tolist() == expected


@pytest.mark.parametrize(
    "answer",
    [
        lambda asked: np.zeros(len(asked.candidates) + 1),
        lambda asked: np.zeros(len(asked.candidates))[:-1],
        lambda asked: np.zeros((len(asked.candidates), 1)),
        lambda asked: 0.0,
        lambda asked: None,
        lambda asked: np.zeros(len(asked)) if len(asked) != len(asked.candidates) else 0.0,
    ],
)
def test_scores_of_another_shape_are_refused(protocol, answer):
    with pytest.raises(CandidateError, match="one number a candidate"):
        rank(Says(answer), protocol, schedule="batch(20)")


def test_a_score_that_is_nan_is_refused_and_the_event_named(protocol):
    first = protocol.split.validation_end

    def answer(asked):
        scores = np.zeros(len(asked.candidates))
        scores[asked.offsets[3]] = np.nan
        return scores

    with pytest.raises(CandidateError, match=f"event {first + 3}: .*NaN") as caught:
        rank(Says(answer), protocol, schedule="batch(20)")
    assert caught.value.row == first + 3


def test_a_ranker_that_has_observed_is_shown_only_the_rest(protocol):
    whole, rest = Recorder(), Recorder()
    ranks = rank(whole, protocol)
    assert np.array_equal(rank(rest, protocol, observed=500), ranks)
    assert len(rest.shown[0]) == protocol.split.validation_end - 500
    assert sum(len(shown) for shown in rest.shown if isinstance(shown, EventStream)) == 400
    ready = Recorder()
    rank(ready, protocol, observed=protocol.split.validation_end)
    assert isinstance(ready.shown[0], Questions)


@pytest.mark.parametrize("observed", [-1, 721, 900, 10_000])
def test_a_ranker_that_has_seen_test_events_is_refused(protocol, observed):
    recorder = Recorder()
    with pytest.raises(SettingError, match="`observed`") as caught:
        rank(recorder, protocol, observed=observed)
    assert caught.value.setting == "observed"
    assert recorder.shown == []


def test_under_strict_timestamps_the_last_time_of_validation_may_be_too_much(protocol):
    tied = EventStream(
        protocol.stream.sources, protocol.stream.destinations,
        np.floor(np.arange(900) / 7), protocol.stream.source_ids, protocol.stream.destination_ids,
    )  # fmt: skip
    other = replace(protocol, stream=tied)
    assert protocol.split.validation_end == 720
    with pytest.raises(SettingError, match="714"):
        rank(Recorder(), other, schedule="strict-timestamp", observed=720)
    rank(Recorder(), other, schedule="strict-timestamp", observed=714)


@pytest.mark.parametrize("on", ["training", "Test", "", None])
def test_only_validation_and_test_can_be_ranked(protocol, on):
    with pytest.raises(SettingError, match="validation or test") as caught:
        rank(Recorder(), protocol, on=on)
    assert caught.value.setting == "on"


def test_progress_ends_at_the_number_of_queries(protocol):
    heard = []
    rank(Recorder(), protocol, schedule="batch(50)", progress=heard.append)
    assert heard == [50, 100, 150, 180]
