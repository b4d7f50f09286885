"""One contract for every ranker, the model and all baselines: what a score may be trusted for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.support.contenders import KINDS
from tests.support.naive_fit import visible
from tests.support.predictors import bits
from tests.support.protocols import busy, small

from linkgram import EventError, EventStream
from linkgram.evaluation import CandidateSet

SCHEDULES = ("event-wise", "batch(1)", "batch(7)", "batch(5000)", "strict-timestamp")
CASES = [small(seed).protocol for seed in range(12)]


@pytest.fixture(scope="module")
def protocol():
    """Longer than three blocks of queries, for threads to share."""
    return busy(6, count=2600, vocabulary_size=23)


@pytest.fixture(params=KINDS, ids=str)
def kind(request):
    return request.param


def test_part(protocol):
    """The test rows and their candidates."""
    return (protocol.split.validation_end, protocol.split.events), protocol.test


test_part.__test__ = False


def answers(contender, protocol, row):
    """Scores of all destinations for some sources, as bits, at the time of a row."""
    everything, time = range(protocol.vocabulary_size), float(protocol.stream.times[row])
    return [bits(contender.score(source, everything, time)) for source in range(4)]


def test_asking_changes_nothing(kind):
    for protocol in CASES:
        queries, rows = test_part(protocol)
        asked, quiet = (kind.make(protocol, queries[0]) for _ in range(2))
        before = answers(asked, protocol, queries[0])
        for schedule in ("event-wise", "batch(7)"):
            asked.ranks(protocol, queries, rows, schedule)
        assert answers(asked, protocol, queries[0]) == before
        for contender in (asked, quiet):
            contender.observe(protocol.stream, *queries)
        assert answers(asked, protocol, -1) == answers(quiet, protocol, -1)


def test_how_the_history_is_cut_does_not_matter(kind):
    for seed, protocol in enumerate(CASES):
        begin, end = protocol.split.training_end, protocol.split.events
        whole, parts, single = (kind.make(protocol, begin) for _ in range(3))
        whole.observe(protocol.stream, begin, end)
        cuts = np.sort(np.random.default_rng(seed).integers(begin, end, 3)).tolist()
        for start, stop in zip([begin, *cuts], [*cuts, end], strict=True):
            parts.observe(protocol.stream, start, stop)
        for row in range(begin, end):
            single.observe(protocol.stream, row, row + 1)
        expected = answers(whole, protocol, -1)
        assert answers(parts, protocol, -1) == expected
        assert answers(single, protocol, -1) == expected


def test_stopping_and_going_on_equals_never_having_stopped(kind):
    for protocol in CASES:
        (first, end), _ = test_part(protocol)
        steady = kind.make(protocol, protocol.split.training_end)
        stopping = steady.stopped()
        for start, stop in ((protocol.split.training_end, first), (first, end)):
            steady.observe(protocol.stream, start, stop)
            stopping.observe(protocol.stream, start, stop)
            assert answers(stopping, protocol, stop - 1) == answers(steady, protocol, stop - 1)
            stopping = stopping.stopped()


def renamed(protocol, sources, destinations):
    """The same protocol with other numbers: `sources[u]` for u, `destinations[z]` for z."""
    old = protocol.stream
    # No source shares its name with a destination, in neither: Base3 would take them for one.
    stream = EventStream(
        sources[old.sources].astype(np.uint32), destinations[old.destinations].astype(np.uint32),
        old.times, 10**6 + np.arange(len(sources)), np.arange(len(destinations)),
    )  # fmt: skip
    rows = [destinations[row] for row in protocol.test]
    return replace(protocol, stream=stream, test=CandidateSet.from_rows(rows, {}))


def test_renaming_ids_renames_answers(kind):
    rng = np.random.default_rng(5)
    for protocol in CASES:
        queries, _ = test_part(protocol)
        same = np.arange(protocol.vocabulary_size, dtype=np.int32)
        sources = rng.permutation(len(protocol.stream.source_ids))
        plain = renamed(protocol, np.arange(len(sources)), same)
        other = renamed(protocol, sources, same if kind.by_number else rng.permutation(same))
        found = [
            kind.make(one, queries[0]).ranks(one, queries, one.test, "batch(7)")
            for one in (plain, other)
        ]
        assert found[0] == found[1]


def slow_ranks(contender, protocol, queries, rows, schedule, observed):
    """A query after the other, each after all that it may see, ranked by its candidates' scores."""
    stream, ranks = protocol.stream, []
    times = stream.times.tolist()
    for row in range(*queries):
        history = visible(times, queries[0], row, schedule)
        if history > observed:
            contender.observe(stream, observed, history)
            observed = history
        positive = int(stream.destinations[row])
        candidates = [positive, *rows.negatives(row - queries[0], positive).tolist()]
        ranks.append(contender.rank(int(stream.sources[row]), candidates, times[row]))
    return ranks


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_pass_gives_the_midranks_of_the_scores_of_what_each_query_may_see(kind, schedule):
    tied = 0
    for protocol in CASES:
        queries, rows = test_part(protocol)
        # Under strict timestamps the first query's time may have begun before the test split.
        begin = visible(protocol.stream.times.tolist(), queries[0], queries[0], schedule)
        found = kind.make(protocol, begin).ranks(protocol, queries, rows, schedule)
        slow = slow_ranks(kind.make(protocol, begin), protocol, queries, rows, schedule, begin)
        assert found == slow
        tied += sum(rank % 1 == 0.5 for rank in found)
    assert tied > 10


def test_equal_evidence_ties(kind):
    """Who stands among the candidates twice ties with himself; so do all that nobody ever saw."""
    for protocol in CASES:
        (first, _), _ = test_part(protocol)
        size, known = protocol.vocabulary_size, len(protocol.stream.source_ids)
        protocol = renamed(protocol, np.arange(known), np.arange(size, dtype=np.int32))
        contender = kind.make(protocol, first)
        time = float(protocol.stream.times[first])
        unseen = set(range(size)) - set(protocol.stream.destinations[:first].tolist())
        for source in range(3):
            scores = contender.score(source, [*range(size), *reversed(range(size))], time)
            assert bits(scores[:size]) == bits(scores[: size - 1 : -1])
            if not kind.by_number:
                assert len({float(scores[z]) for z in unseen}) <= 1


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_any_thread_count_gives_the_same_bits(kind, protocol, schedule):
    queries, rows = test_part(protocol)
    begin = visible(protocol.stream.times.tolist(), queries[0], queries[0], schedule)
    contender = kind.make(protocol, begin)
    alone = contender.ranks(protocol, queries, rows, schedule)
    for threads in (2, 3, 8):
        assert contender.ranks(protocol, queries, rows, schedule, threads) == alone


def test_a_batch_of_one_is_event_wise_and_a_longer_one_is_not(kind, protocol):
    queries, rows = test_part(protocol)
    contender = kind.make(protocol, queries[0])
    by = {name: contender.ranks(protocol, queries, rows, name) for name in SCHEDULES[:4]}
    assert by["batch(1)"] == by["event-wise"]
    assert by["batch(5000)"] != by["event-wise"]


def test_strict_timestamps_are_event_wise_where_no_times_tie(kind, protocol):
    queries, rows = test_part(protocol)
    old = protocol.stream
    untied = EventStream(
        old.sources, old.destinations, np.arange(len(old)) * 0.9, old.source_ids,
        old.destination_ids,
    )  # fmt: skip
    contender = kind.make(replace(protocol, stream=untied), queries[0])
    strict, event_wise = (
        contender.ranks(replace(protocol, stream=untied), queries, rows, schedule)
        for schedule in ("strict-timestamp", "event-wise")
    )
    assert strict == event_wise


def test_time_does_not_run_backwards(kind):
    protocol = busy(2, count=40)
    contender = kind.make(protocol, 30)
    before = answers(contender, protocol, 30)
    with pytest.raises(EventError):
        contender.observe(protocol.stream, 0, 5)
    assert answers(contender, protocol, 30) == before
