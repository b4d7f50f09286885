"""Ranks of the test queries: the slow loop's, under every schedule; and what `evaluate` reports."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.support import naive_fit as twin
from tests.support.protocols import busy, ragged, small, stream_over

from linkgram import Configuration, EventStream, LinkPredictor
from linkgram.errors import LinkgramError, SettingError
from linkgram.evaluation import (
    CandidateSet,
    FitSettings,
    Protocol,
    Schedule,
    Split,
    by_fraction,
    evaluate,
    fit,
    metrics,
    rank_test_queries,
)
from linkgram.evaluation.measure import Phases

ALL = ("co-occurrence", "global-recency", "multi-scale")
QUICK = FitSettings(batch=16, epochs=6, patience=3)
SCHEDULES = ("event-wise", "batch(1)", "batch(4)", "batch(1000)", "strict-timestamp")


def fitted(protocol, configuration=None, seeds=(1, 2)):
    return fit(
        protocol.before_test, protocol.split.training_end, protocol.validation,
        configuration or Configuration(additions=ALL), seeds=seeds, settings=QUICK,
    )  # fmt: skip


@pytest.fixture(scope="module")
def protocol():
    return busy(2)


@pytest.fixture(scope="module")
def weights(protocol):
    return fitted(protocol)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("changes", [{}, {"decay": math.inf}], ids=["any decay", "undecayed"])
def test_ranks_are_those_of_the_slow_loop(schedule, changes):
    undecided = asked = 0
    for seed in range(60):
        case = small(seed, **changes)
        protocol, split = case.protocol, case.protocol.split
        found = fitted(protocol, case.configuration, seeds=(seed, seed + 1))
        if not reaches(protocol, schedule):
            continue
        queries = twin.asked(
            case.events, case.settings, protocol.vocabulary_size,
            (split.validation_end, split.events), protocol.test, schedule,
        )  # fmt: skip
        ranks = rank_test_queries(protocol, found, schedule, threads=2)
        assert ranks.shape == (2, len(queries))
        for run, row in zip(found.runs, ranks, strict=True):
            for at, (query, rank) in enumerate(zip(queries, row.tolist(), strict=True)):
                least, _, most = query.ranks(np.array(run.weights))
                assert least <= rank <= most, f"seed {seed}, {schedule}, query {at}"
                undecided += least != most
                asked += 1
    assert asked > 1000
    # After a huge gap counts have faded to differences that the twin's logarithms round away.
    assert undecided < asked * (0.03 if changes else 0.3)


def reaches(protocol, schedule):
    """Not so if the first test query's time began in training, which the fit has observed."""
    times, split = protocol.stream.times, protocol.split
    first = int(np.searchsorted(times, times[split.validation_end]))
    return schedule != "strict-timestamp" or first >= split.training_end


def test_ties_of_equal_evidence_are_midranks():
    """Nothing is known of any candidate but that it never occurred: all tie, also the positive."""
    events = [(0, 0, float(t)) for t in range(9)] + [(1, 3, 9.0)]
    split = Split(5, 9, 10, {})
    rows = [CandidateSet.from_rows([row] * n, {}) for row, n in (([1], 4), ([1, 2, 4, 1, 3], 1))]
    protocol = Protocol("ties", stream_over(events, 5), split, *rows)
    assert rank_test_queries(protocol, fitted(protocol)).tolist() == [[3.5], [3.5]]


def test_batches_of_one_are_event_wise(protocol, weights):
    assert same(protocol, weights, "batch(1)", "event-wise")
    assert not same(protocol, weights, "batch(2)", "event-wise")


def test_strict_is_event_wise_when_no_times_tie(protocol, weights):
    assert not same(protocol, weights, "strict-timestamp", "event-wise")
    stream = protocol.stream
    untied = EventStream(
        stream.sources, stream.destinations, np.arange(len(stream)) * 1.5,
        stream.source_ids, stream.destination_ids,
    )  # fmt: skip
    other = replace(protocol, stream=untied)
    assert same(other, fitted(other), "strict-timestamp", "event-wise")


def same(protocol, fitted, one, other):
    return np.array_equal(
        *(rank_test_queries(protocol, fitted, schedule) for schedule in (one, other))
    )


@pytest.mark.parametrize("schedule", ["event-wise", "batch(7)", "batch(300)", "strict-timestamp"])
def test_any_thread_count_gives_the_same_bits(protocol, weights, schedule):
    first = rank_test_queries(protocol, weights, schedule)
    for threads in (1, 2, 3, 8):
        assert np.array_equal(
            rank_test_queries(protocol, weights, schedule, threads=threads), first
        )


def test_ranking_leaves_the_fit_as_it_was(protocol, weights):
    before = rank_test_queries(protocol, weights)
    rank_test_queries(protocol, weights, "batch(9)")
    assert np.array_equal(rank_test_queries(protocol, weights), before)


def test_every_seed_is_ranked_as_if_alone(protocol, weights):
    together = rank_test_queries(protocol, weights)
    for run, row in zip(weights.runs, together, strict=True):
        alone = fitted(protocol, seeds=(run.seed,))
        assert np.array_equal(rank_test_queries(protocol, alone)[0], row)


def cut(stream, split):
    """A protocol over the stream with all destinations as candidates."""
    _, validation, test = split.sizes
    every, size = CandidateSet.all_destinations, len(stream.destination_ids)
    return Protocol("cut", stream, split, every(validation, size), every(test, size))


def tied(count=400, size=6):
    """Five events at every time."""
    rng = np.random.default_rng(8)
    events = [
        (int(rng.integers(4)), int(rng.integers(size - 1)), float(at // 5)) for at in range(count)
    ]
    return stream_over(events, size)


@pytest.mark.parametrize("offset", range(5))
def test_strict_queries_see_nothing_of_their_own_time_where_a_split_cuts_it(offset):
    """Whatever else happens at the time of the first test events cannot change their ranks."""
    stream = tied()
    split = by_fraction(stream, validation=0.25, test=(100 - offset) / 400)
    first = split.validation_end
    assert first == 300 + offset
    group = np.flatnonzero(stream.times == stream.times[first])
    assert (group[0] < first) == (offset > 0)
    protocol = cut(stream, split)
    found = fitted(protocol)
    before = {
        schedule: rank_test_queries(protocol, found, schedule)
        for schedule in ("strict-timestamp", "event-wise")
    }
    # The events of that time which belong to validation now all go to the last destination.
    destinations = stream.destinations.copy()
    destinations[group[0] : first] = 5
    changed = EventStream(
        stream.sources, destinations, stream.times, stream.source_ids, stream.destination_ids
    )
    other = replace(protocol, stream=changed)
    in_group = group[-1] + 1 - first
    strict, eager = (rank_test_queries(other, found, schedule) for schedule in before)
    assert np.array_equal(strict[:, :in_group], before["strict-timestamp"][:, :in_group])
    assert np.array_equal(eager, before["event-wise"]) == (offset == 0)
    assert np.array_equal(strict, before["strict-timestamp"]) == (offset == 0)


def test_a_time_that_began_in_training_cannot_be_ranked_strictly():
    """The fit has observed its first events; better no rank than one that has seen its own time."""
    events = [(0, at % 3, float(at >= 4)) for at in range(12)]
    protocol = cut(stream_over(events, 3), Split(6, 9, 12, {}))
    found = fitted(protocol)
    assert rank_test_queries(protocol, found).shape == (2, 3)
    with pytest.raises(LinkgramError, match="6 events are observed"):
        rank_test_queries(protocol, found, "strict-timestamp")


def test_batches_restart_at_the_first_test_event():
    """Moving the start of the test split by one moves every batch by one."""
    stream = tied()
    for first in (300, 301):
        protocol = cut(stream, Split(200, first, 400, {}))
        found = fitted(protocol)
        whole = rank_test_queries(protocol, found, "batch(10)")
        # Each batch alone, as the first of a test split of its own, is ranked the same.
        for start in range(first, 400, 10):
            part = stream[: min(start + 10, 400)]
            last = cut(part, Split(200, start, len(part), {}))
            alone = rank_test_queries(last, found, "batch(1000)")
            assert np.array_equal(whole[:, start - first : start - first + 10], alone)


def test_a_test_split_is_ranked_with_validation_in_its_history():
    """The last event of validation is known to the first test query."""
    protocol = cut(tied(), Split(200, 301, 400, {}))
    found = fitted(protocol)
    stream = protocol.stream
    destinations = stream.destinations.copy()
    destinations[300] = 5
    changed = EventStream(
        stream.sources, destinations, stream.times, stream.source_ids, stream.destination_ids
    )
    ranks = rank_test_queries(replace(protocol, stream=changed), found)
    assert not np.array_equal(ranks, rank_test_queries(protocol, found))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_destinations_are_the_same_written_out(protocol, schedule):
    size, split = protocol.vocabulary_size, protocol.split
    every = CandidateSet.all_destinations
    _, validation, test = split.sizes
    whole = replace(protocol, validation=every(validation, size), test=every(test, size))
    written = replace(protocol, **{
        name: CandidateSet.from_rows(
            [
                rows.negatives(at, int(positive))
                for at, positive in enumerate(protocol.stream.destinations[first:end])
            ],
            {},
        )
        for name, rows, first, end in (
            ("validation", whole.validation, split.training_end, split.validation_end),
            ("test", whole.test, split.validation_end, split.events),
        )
    })  # fmt: skip
    found, other = fitted(whole), fitted(written)
    assert found.runs == other.runs
    ranks = rank_test_queries(whole, found, schedule)
    assert np.array_equal(ranks, rank_test_queries(written, other, schedule))
    assert ranks.max() <= size


def test_the_order_of_candidates_does_not_matter(protocol, weights):
    rng = np.random.default_rng(3)
    rows = [rng.permutation(row.copy()) for row in protocol.test]
    other = replace(protocol, test=CandidateSet.from_rows(rows, {}))
    assert np.array_equal(rank_test_queries(other, weights), rank_test_queries(protocol, weights))


def test_ranks_are_those_of_a_predictor_asked_event_by_event(protocol, weights):
    """The public predictor, fed by hand, is the same model: also with cells that round."""
    split, stream = protocol.split, protocol.stream
    ranks = rank_test_queries(protocol, weights)
    for run, row in zip(weights.runs, ranks, strict=True):
        predictor = LinkPredictor(
            weights.configuration, weights=run.weights, destinations=stream.destination_ids
        )
        predictor.observe(stream[: split.validation_end])
        for at in range(split.validation_end, split.events):
            source, positive, time = stream.external(at)
            negatives = protocol.test[at - split.validation_end]
            found = predictor.rank(source, positive, negatives.tolist(), time)
            assert found == row[at - split.validation_end]
            predictor.observe(source, positive, time)


def test_candidates_outside_the_vocabulary_are_refused(protocol, weights):
    rows = [[0]] * (len(protocol.test) - 1) + [[3, protocol.vocabulary_size]]
    other = replace(protocol, test=CandidateSet.from_rows(rows, {}))
    with pytest.raises(LinkgramError, match="outside the vocabulary of 40 destinations"):
        rank_test_queries(other, weights)


def test_unknown_schedules_are_refused(protocol, weights):
    with pytest.raises(SettingError, match="schedule 'daily' is unknown"):
        rank_test_queries(protocol, weights, "daily")


def test_weights_are_the_same_under_every_schedule_and_all_is_reported(protocol):
    chosen = ["event-wise", Schedule("batch", 200), "strict-timestamp"]
    phases = Phases()
    result = evaluate(
        protocol, Configuration(additions=ALL), seeds=(1, 2), schedules=chosen, settings=QUICK,
        phases=phases,
    )  # fmt: skip
    found = fitted(protocol)
    assert result.schedules == ["event-wise", "batch(200)", "strict-timestamp"]
    names = found.configuration.feature_names
    for run, stored in zip(found.runs, result.facts["runs"], strict=True):
        assert stored["weights"] == dict(zip(names, run.weights, strict=True))
        assert stored["validation_mrr"] == run.validation_mrr
        assert (stored["seed"], stored["epoch"]) == (run.seed, run.epoch)
    assert result.validation_mrr == pytest.approx(found.validation_mrr, abs=1e-15)
    for schedule in result.schedules:
        ranks = rank_test_queries(protocol, found, schedule)
        assert np.array_equal(result.ranks[schedule], ranks)
        per_run = [run["metrics"][schedule] for run in result.facts["runs"]]
        assert per_run == [metrics(row) for row in ranks]
        measured = result.facts["metrics"][schedule]
        for name in ("mrr", "hits@1", "hits@3", "hits@10", "ndcg@10"):
            values = [one[name] for one in per_run]
            assert measured[name]["mean"] == pytest.approx(np.mean(values), abs=1e-15)
            assert measured[name]["sd"] == pytest.approx(np.std(values, ddof=1), abs=1e-15)
        assert result.mrr(schedule) == measured["mrr"]["mean"]
        low, high = measured["mrr"]["interval"]
        assert low < result.mrr(schedule) < high
    assert set(phases.seconds) == {
        "describe", "fit", "metrics", *(f"test {name}" for name in result.schedules)
    }  # fmt: skip


def test_threads_change_nothing_but_the_time(protocol):
    one, other = (
        evaluate(protocol, seeds=(1,), settings=QUICK, threads=threads).facts for threads in (1, 3)
    )
    varies = {"seconds", "threads", "peak_memory_bytes"}
    assert {name: one[name] for name in one if name not in varies} == {
        name: other[name] for name in other if name not in varies
    }


def test_one_seed_has_no_deviation(protocol):
    result = evaluate(protocol, seeds=(1,), settings=QUICK)
    assert result.facts["metrics"]["event-wise"]["mrr"]["sd"] is None


def test_an_unknown_schedule_is_refused_before_anything_is_done(protocol, monkeypatch):
    module = importlib.import_module("linkgram.evaluation.evaluate")
    monkeypatch.setattr(module, "fit", lambda *_, **__: pytest.fail("a fit was begun"))
    for options in ({"schedules": ["event-wise", "weekly"]}, {"seeds": ()}):
        with pytest.raises(SettingError):
            evaluate(protocol, **options)


def test_more_negatives_never_improve_a_rank(protocol, weights):
    rng = np.random.default_rng(6)
    more = ragged(rng, len(protocol.test), protocol.vocabulary_size)
    rows = [np.concatenate(pair) for pair in zip(protocol.test, more, strict=True)]
    other = replace(protocol, test=CandidateSet.from_rows(rows, {}))
    fewer, many = rank_test_queries(protocol, weights), rank_test_queries(other, weights)
    assert np.all(many >= fewer)
    assert np.all(many <= fewer + np.array([len(row) for row in more]))
