"""Coverage against a twin that walks through the events with two dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.protocols import small, stream_over

from linkgram.evaluation import Split
from linkgram.evaluation.novelty import novelty_index, surprise_index
from linkgram.studies.catalogue import run_study
from linkgram.studies.coverage import coverage


def walked(events, first):
    """For each event from `first`: (pooled, pair, has history), event by event."""
    last, moved_on, moved_on_by = {}, {}, {}
    found = []
    for at, (source, destination, _) in enumerate(events):
        v = last.get(source)
        if at >= first:
            pooled = v is not None and len(moved_on.get(v, [])) > 0
            pair = v is not None and len(moved_on_by.get((source, v), [])) > 0
            found.append((pooled, pair, v is not None))
        if v is not None:
            moved_on.setdefault(v, []).append(destination)
            moved_on_by.setdefault((source, v), []).append(destination)
        last[source] = destination
    return found


def streams(seed):
    """Nasty events of few sources, or events of so many that some are silent until the test."""
    if seed % 2:
        case = small(seed)
        return case.events, case.protocol.split
    rng = np.random.default_rng([31, seed])
    events = tuple(
        (int(rng.integers(0, 40)), int(rng.integers(0, 6)), float(at // 2)) for at in range(70)
    )
    return events, Split(30, 45, 70, {})


@pytest.mark.parametrize("seed", range(26))
def test_coverage_is_what_a_walk_through_the_events_finds(seed):
    events, split = streams(seed)
    found = coverage(stream_over(events, 60), split)
    expected = walked(events, split.validation_end)
    columns = (found.pooled, found.pair, found.has_history)
    assert list(zip(*(one.tolist() for one in columns), strict=True)) == expected


def test_the_cases_hold_every_kind_of_query():
    seen = set()
    for seed in range(26):
        events, split = streams(seed)
        seen |= set(walked(events, split.validation_end))
    assert seen == {
        (False, False, False), (False, False, True), (True, False, True), (True, True, True),
    }  # fmt: skip


def test_a_query_does_not_see_itself_nor_what_follows_it():
    # Source 0 leaves 5 for the first time with the query itself, and again only afterwards.
    events = ((0, 5, 0.0), (1, 6, 1.0), (0, 6, 2.0), (0, 5, 3.0), (0, 7, 4.0))
    found = coverage(stream_over(events, 8), Split(1, 2, 5, {}))
    assert found.pair.tolist() == [False, False, True]
    assert found.pooled.tolist() == [False, False, True]


def test_sources_without_history_count_as_not_covered_and_are_stated(subject):
    split, stream = subject.protocol.split, subject.protocol.stream
    (row,) = run_study("coverage", subject)[0].rows
    events = list(zip(stream.sources.tolist(), stream.destinations.tolist(),
                      stream.times.tolist(), strict=True))  # fmt: skip
    expected = np.array(walked(events, split.validation_end))
    assert row["queries"] == len(expected)
    assert row["pooled_coverage"] == pytest.approx(100 * expected[:, 0].mean())
    assert row["pair_coverage"] == pytest.approx(100 * expected[:, 1].mean())
    assert row["without_history"] == pytest.approx(100 * (~expected[:, 2]).mean())
    assert row["surprise_index"] == 100 * surprise_index(stream, split)
    assert row["novelty_index"] == 100 * novelty_index(stream)


def test_where_nobody_has_a_history_nothing_is_covered(tmp_path, subject):
    events = tuple((at, at % 3, float(at)) for at in range(9))
    found = coverage(stream_over(events, 3), Split(3, 6, 9, {}))
    assert not found.pooled.any()
    assert not found.pair.any()
    assert not found.has_history.any()


def test_the_note_counts_them(subject):
    result, _ = run_study("coverage", subject)
    silent = int(
        np.count_nonzero(~coverage(subject.protocol.stream, subject.protocol.split).has_history)
    )
    assert result.notes[0].startswith(f"{silent:,} of {result.rows[0]['queries']:,} test queries")
