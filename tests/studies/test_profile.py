"""The profile against counting by hand, in plain Python."""

from __future__ import annotations

import statistics
from collections import Counter

import pytest
from tests.support.protocols import small, stream_over

from linkgram.studies.catalogue import run_study
from linkgram.studies.profile import new_pairs, popularity, repeat_intervals, ties


@pytest.mark.parametrize("seed", range(10))
def test_series_are_what_counting_finds(seed):
    case = small(seed)
    stream, events = case.protocol.stream, case.events
    seen, fresh, last, gaps = set(), [], {}, []
    for source, destination, time in events:
        pair = (source, destination)
        fresh.append(pair not in seen)
        seen.add(pair)
        if pair in last:
            gaps.append(time - last[pair])
        last[pair] = time
    assert new_pairs(stream).tolist() == fresh
    found, immediate = repeat_intervals(stream)
    assert sorted(found.tolist()) == pytest.approx(sorted(gap for gap in gaps if gap > 0))
    assert immediate == sum(gap == 0 for gap in gaps)
    counts = sorted(Counter(v for _, v, _ in events).values(), reverse=True)
    assert popularity(stream) == {"rank": list(range(1, len(counts) + 1)), "events": counts}
    sizes = Counter(Counter(t for _, _, t in events).values())
    assert ties(stream) == {"size": sorted(sizes), "groups": [sizes[n] for n in sorted(sizes)]}


def test_bins_hold_every_event_once(subject):
    result, _ = run_study("profile", subject)
    stream = subject.protocol.stream
    facts = dict(zip(result.column("fact"), result.column("value"), strict=True))
    over_time = result.series["events_over_time"]
    assert sum(over_time["events"]) == len(stream) == facts["events"]
    assert over_time["from"][1:] == over_time["to"][:-1]
    assert (over_time["from"][0], over_time["to"][-1]) == (stream.times[0], stream.times[-1])
    gaps, immediate = repeat_intervals(stream)
    assert sum(result.series["repeat_intervals"]["events"]) == len(gaps)
    assert facts["repeats_at_the_same_time"] == immediate
    assert facts["median_repeat_interval"] == statistics.median(gaps.tolist())
    shares = result.series["novelty_over_time"]["new_pairs"]
    new = sum(
        share * events
        for share, events in zip(shares, over_time["events"], strict=True)
        if share is not None
    )
    assert new == pytest.approx(facts["distinct_pairs"])


def test_a_stream_without_repeats_or_time_has_a_profile_too(tmp_path):
    stream = stream_over(tuple((at, at, 5.0) for at in range(6)), 6)
    gaps, immediate = repeat_intervals(stream)
    assert (len(gaps), immediate) == (0, 0)
    assert ties(stream) == {"size": [6], "groups": [1]}


def test_an_empty_bin_has_no_share():
    from linkgram.studies.profile import _edges, _new_share

    stream = stream_over(((0, 0, 0.0), (0, 1, 100.0)), 2)
    shares = _new_share(_edges(stream.times, 4), stream.times, new_pairs(stream))
    assert shares["new_pairs"] == [1.0, None, None, 1.0]
