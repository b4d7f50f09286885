"""Every baseline equals its slow twin on random streams: exactly, under every schedule."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from tests.support import naive_baselines as twins
from tests.support.protocols import ragged, small, stream_over

from linkgram import _core
from linkgram.evaluation import CandidateSet, Protocol, Schedule, Split
from linkgram.evaluation.baselines import (
    ALL_ORDERS,
    BASE3_RELEASED,
    EDGEBANK_SHARE,
    PAPER_ORDERS,
    POP_TRACK_BATCH,
    POP_TRACK_DECAYS,
    base3,
    evaluate_baselines,
    shared_ids,
)
from linkgram.evaluation.fit import lent

SCHEDULES = ("event-wise", "batch(1)", "batch(4)", "batch(1000)", "strict-timestamp")
SEEDS = range(60)
PARTS = ("base3", "base3 pair", "base3 popularity", "base3 co-memory")


def ranks(protocol, baseline, observed, schedule, lanes):
    """Ranks of the test queries, one row a lane."""
    by, split = Schedule.parse(schedule), protocol.split
    return baseline.ranks(
        protocol.stream, observed, split.validation_end, split.events, by.name, by.size,
        lent(protocol.test), lanes, 2,
    ).tolist()  # fmt: skip


def recall(protocol):
    return _core.Baseline.recall(len(protocol.stream.source_ids), protocol.vocabulary_size)


def slow(twin, case, schedule, observed=0):
    """The same ranks by a twin that has the first `observed` events."""
    protocol = case.protocol
    queries = (protocol.split.validation_end, protocol.split.events)
    return twins.naive_ranks(twin, case.events, queries, protocol.test, schedule, observed)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_edge_bank_equals_a_memory_read_out_of_the_events(schedule):
    remembered = []
    for seed in SEEDS:
        case = small(seed)
        protocol = case.protocol
        training, _ = protocol.split.durations(protocol.stream)
        end = float(protocol.stream.times[protocol.split.training_end - 1])
        for width in (EDGEBANK_SHARE * training, 0.0, 10 * training):
            lanes = [("ever",), ("within", width, end)]
            found = ranks(protocol, recall(protocol), 0, schedule, lanes)
            expected = [twins.NaiveEdgeBank(), twins.NaiveEdgeBank(width, end)]
            assert found == [slow(twin, case, schedule) for twin in expected], (seed, width)
            remembered.append(found[0] == found[1])
    assert 0.1 < np.mean(remembered) < 0.9


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_64_orders_equal_sorting_by_their_statistics(schedule):
    for seed in SEEDS:
        case = small(seed)
        found = ranks(
            case.protocol, recall(case.protocol), 0, schedule, [("order", o) for o in ALL_ORDERS]
        )
        # All orders for some streams, and for the others the paper's.
        for order, row in zip(ALL_ORDERS, found, strict=True):
            if seed < 10 or order in PAPER_ORDERS:
                assert row == slow(twins.NaiveHeuristic(order), case, schedule), (seed, order)


@pytest.mark.parametrize("batch", [1, 3, POP_TRACK_BATCH])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_lazy_pop_track_equals_decaying_every_destination(schedule, batch):
    decays = POP_TRACK_DECAYS
    for seed in SEEDS:
        case = small(seed)
        size = case.protocol.vocabulary_size
        baseline = _core.Baseline.pop_track(decays, batch, size)
        lanes = [(f"decay {at}",) for at in range(len(decays))]
        found = ranks(case.protocol, baseline, 0, schedule, lanes)
        for decay, row in zip(decays, found, strict=True):
            twin = twins.NaivePopTrack(decay, batch, size)
            assert row == slow(twin, case, schedule), (seed, decay)


@pytest.mark.parametrize("decay", [0.01, 0.3, 0.9, 1.0])
def test_pop_track_keeps_the_order_of_popularities_that_no_float_can_hold(decay):
    """Three destinations, long ago, in the same number of events: the later stays ahead."""
    silence = 40_000 if decay == 0.9 else 4000
    early = [(0, z, float(z // 2)) for z in (3, 3, 2, 2, 1, 1)]
    events = [
        *sorted(early, key=lambda event: event[2]),
        *((0, 0, 9.0 + n) for n in range(silence)),
    ]
    baseline = _core.Baseline.pop_track([decay], 1, 6)
    baseline.observe(stream_over(events, 6), 0, len(events))
    twin = twins.NaivePopTrack(Fraction(decay), 1, 6)
    for event in events[:6]:
        twin.observe(*event)
    # What happens to the others from then on keeps their order.
    expected = twin.score(0, [1, 2, 3, 4], 0.0)
    found = baseline.score(0, np.array([1, 2, 3, 4, 5, 0], np.uint32), 1e9, ("decay 0",)).tolist()
    for a, b in itertools.product(range(4), repeat=2):
        assert (found[a] > found[b]) == (expected[a] > expected[b])
    assert found[3] == found[4] < min(found[:3])
    assert found[5] > max(found[:3])


def base3_pair(case, history_end, part="base3", **settings):
    """Base3 with its history, and its twin."""
    chosen = dict(BASE3_RELEASED) | settings
    stream, size = case.protocol.stream, case.protocol.vocabulary_size
    history = case.events[:history_end]
    source_of, _ = shared_ids(case.protocol)
    shared = {z: int(u) for z, u in enumerate(source_of) if u != 2**32 - 1}
    twin = twins.NaiveBase3(
        history, size, k=chosen["k"], decay=chosen["decay"], shared=shared, part=part,
        remembered_from=float(np.quantile(stream.times[:history_end], 1 - chosen["mem_span"])),
    )  # fmt: skip
    return base3(case.protocol, history_end, **chosen), twin


@pytest.mark.parametrize("k", [1, 3, 1000])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_base3_and_each_part_equal_recomputing_over_all_destinations(schedule, k):
    differing = 0
    for seed in SEEDS:
        case = small(seed)
        protocol = case.protocol
        by, split = Schedule.parse(schedule), protocol.split
        history_end, _ = next(by.groups(protocol.stream.times, split.validation_end, split.events))
        if history_end == 0:
            continue
        for mem_span in (0.1, 1.0):
            rows = []
            for part in PARTS:
                fast, twin = base3_pair(case, history_end, part, k=k, mem_span=mem_span)
                (row,) = ranks(protocol, fast, history_end, schedule, [(part,)])
                assert row == slow(twin, case, schedule, history_end), (seed, mem_span, part)
                rows.append(row)
                fast, twin = base3_pair(case, history_end, part, k=k, mem_span=mem_span)
                check_scores(fast, twin, case, part, float(protocol.stream.times[history_end - 1]))
            differing += rows[0] not in rows[1:]
    assert differing > 10


def check_scores(fast, twin, case, part, now):
    """The scores themselves, for every source and destination."""
    size = case.protocol.vocabulary_size
    twin.begin_group()
    for source in range(len(case.protocol.stream.source_ids)):
        found = fast.score(source, np.arange(size, dtype=np.uint32), now, (part,))
        assert found == pytest.approx(twin.score(source, range(size), now), rel=1e-12)


def flat(events, size, training_end, validation_end, seed=0):
    """A protocol over events in dense ids, candidates at random."""
    split = Split(training_end, validation_end, len(events), {"rule": "by hand"})
    _, validation, test = split.sizes
    rng = np.random.default_rng([31, seed])
    rows = (ragged(rng, count, size) for count in (validation, test))
    return Protocol("flat", stream_over(events, size), split, *rows)


class Flat:
    """As `small` gives it: a protocol and its events."""

    def __init__(self, protocol, events):
        self.protocol, self.events = protocol, events


@pytest.mark.parametrize("k", [2, 5, 9])
def test_base3_faded_to_its_floor_equals_recomputing_over_all_destinations(k):
    """After 2,000 events of others a popularity reaches the floor, and those there tie."""
    rng = np.random.default_rng(k)
    events = [(int(rng.integers(4)), int(rng.integers(12)), float(at)) for at in range(60)]
    events += [(at % 4, at % 2, 60.0 + at) for at in range(2100)]
    events += [(int(rng.integers(4)), int(rng.integers(12)), 2160.0 + at) for at in range(60)]
    case = Flat(flat(tuple(events), 14, 40, 2150), events)
    for part in ("base3", "base3 popularity"):
        fast, twin = base3_pair(case, 60, part, k=k)
        (row,) = ranks(case.protocol, fast, 60, "event-wise", [(part,)])
        assert row == slow(twin, case, "event-wise", 60)


def test_base3_forgets_all_but_a_hundred_events_of_a_source_and_what_is_long_ago():
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.integers(0, 6_000, 500)).astype(float)
    events = [(at % 2, int(rng.integers(9)), time) for at, time in enumerate(times.tolist())]
    case = Flat(flat(tuple(events), 9, 300, 400), events)
    fast, twin = base3_pair(case, 400, "base3 co-memory")
    (row,) = ranks(case.protocol, fast, 400, "event-wise", [("base3 co-memory",)])
    assert row == slow(twin, case, "event-wise", 400)
    for wait in (0.0, 9e5, 2e6):
        fast, twin = base3_pair(case, 400, "base3 co-memory")
        check_scores(fast, twin, case, "base3 co-memory", times[399] + wait)


def test_what_is_reported_is_the_best_of_each_family_by_the_twins():
    """The choices on validation, made again from the twins' ranks."""
    for seed in range(12):
        case = small(seed)
        protocol = case.protocol
        split, size = protocol.split, protocol.vocabulary_size
        queries = (split.training_end, split.validation_end)

        def judged(twin, case=case, queries=queries):
            rows = case.protocol.validation
            found = twins.naive_ranks(twin, case.events, queries, rows, "event-wise")
            return float(np.mean(1 / np.array(found)))

        by_name = {one.name: one for one in evaluate_baselines(protocol)}
        orders = {order: judged(twins.NaiveHeuristic(order)) for order in ALL_ORDERS}
        for name, family in (("heuristic", PAPER_ORDERS), ("heuristic (64 orders)", ALL_ORDERS)):
            best = by_name[name]
            assert best.validation_mrr == pytest.approx(max(orders[one] for one in family))
            assert orders[best.settings["order"]] == pytest.approx(best.validation_mrr)
        decays = {
            decay: judged(twins.NaivePopTrack(decay, POP_TRACK_BATCH, size))
            for decay in POP_TRACK_DECAYS
        }
        track = by_name["PopTrack"]
        assert track.validation_mrr == pytest.approx(max(decays.values()))
        assert decays[track.settings["decay"]] == pytest.approx(track.validation_mrr)
        unlimited, window = by_name["EdgeBank unlimited"], by_name["EdgeBank window"]
        better = max(unlimited.mrr("event-wise"), window.mrr("event-wise"))
        assert by_name["EdgeBank"].mrr("event-wise") == better


def test_there_are_64_orders_and_seven_of_them_are_the_paper_s():
    assert len(set(ALL_ORDERS)) == 64
    assert set(PAPER_ORDERS) <= set(ALL_ORDERS)
    assert len(PAPER_ORDERS) == 7


def test_scores_in_thousandths_are_not_rounded_to_integers():
    """A library in use truncates Base3's scores, and so returns EdgeBank's number."""
    events = [(0, 5, 0.0), (0, 6, 1.0), (0, 6, 2.0), (1, 7, 3.0), (0, 5, 4.0)]
    case = Flat(flat(events, 9, 2, 4), events)
    fast, _ = base3_pair(case, 4)
    scores = fast.score(0, np.array([5, 6, 7], dtype=np.uint32), 4.0, ("base3",)).tolist()
    # Two pairs that were seen, one of them twice, and one that was not.
    assert 0 < scores[2] < scores[0] < scores[1] < 1


@pytest.mark.parametrize("lane", [("ever",), ("order", "LR>GR>LP>GP"), ("within", 5.0, 9.0)])
def test_a_hundred_negatives_that_tie_with_the_positive_are_a_midrank_of_51(lane):
    events = [(0, 0, float(at)) for at in range(10)] + [(1, 150, 10.0)]
    split = Split(5, 10, 11, {})
    rows = [
        CandidateSet.from_rows([range(1, 101)] * count, {"rule": "by hand"}) for count in (5, 1)
    ]
    protocol = Protocol("tied", stream_over(events, 200), split, *rows)
    assert ranks(protocol, recall(protocol), 0, "event-wise", [lane]) == [[51.0]]
