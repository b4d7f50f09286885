"""The stream itself: ids by first appearance, slices, equality, what describe counts."""

import copy
import hashlib
import json
import os
import pickle
import struct
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkgram.errors import EventError
from linkgram.events import EventStream, StreamDescription

STREAM = EventStream.from_arrays(
    ["b", "a", "b", "c", "a"], [9, 5, 5, 9, 1], [1.0, 2.0, 2.0, 3.5, 4.0]
)


def test_dense_ids_follow_first_appearance_in_each_role():
    assert STREAM.sources.tolist() == [0, 1, 0, 2, 1]
    assert STREAM.destinations.tolist() == [0, 1, 1, 0, 2]
    assert STREAM.source_ids == ("b", "a", "c")
    assert STREAM.destination_ids.tolist() == [9, 5, 1]
    types = (STREAM.sources.dtype, STREAM.destinations.dtype, STREAM.times.dtype)
    assert types == (np.uint32, np.uint32, np.float64)
    assert STREAM.destination_ids.dtype == np.int64


def test_a_stream_cannot_be_changed_nor_changed_through_its_input():
    times = np.array([1.0, 2.0])
    stream = EventStream.from_arrays([1, 2], [3, 4], times)
    times[0] = -5.0
    assert stream.times.tolist() == [1.0, 2.0]
    for column in (stream.sources, stream.destinations, stream.times, stream.source_ids):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            stream[:1].times[0] = 1
    with pytest.raises(AttributeError):
        stream.times = times


def test_a_slice_shares_the_ids_of_the_whole():
    part = STREAM[2:4]
    assert part.source_ids is STREAM.source_ids
    assert part.destination_ids is STREAM.destination_ids
    assert np.shares_memory(part.times, STREAM.times)
    assert part.sources.tolist() == [0, 2]
    assert [part.external(i) for i in range(2)] == [("b", 5, 2.0), ("c", 9, 3.5)]
    assert part.time_unit == STREAM.time_unit
    assert len(STREAM[-2:]) == 2
    assert len(STREAM[::2]) == 3


def test_a_slice_equals_the_same_events_made_alone():
    alone = EventStream.from_arrays(["b", "c"], [5, 9], [2.0, 3.5])
    assert STREAM[2:4] == alone
    assert STREAM[2:4].digest() == alone.digest()
    assert hash(STREAM[2:4]) == hash(alone)
    assert STREAM[2:4].describe().sources == 2


def test_only_forward_slices_are_taken():
    with pytest.raises(EventError, match="a step of -1 would turn the stream") as caught:
        STREAM[::-1]
    assert caught.value.value == -1
    with pytest.raises(TypeError, match=r"stream\.external\(i\)"):
        STREAM[0]


def test_external_gives_python_objects():
    event = STREAM.external(-1)
    assert event == ("a", 1, 4.0)
    assert [type(value) for value in event] == [str, int, float]
    for index in (5, -6):
        with pytest.raises(IndexError, match=f"event {index} is outside a stream of 5 events"):
            STREAM.external(index)


@pytest.mark.parametrize(
    "other",
    [
        EventStream.from_arrays(["b", "a"], [9, 5], [1.0, 2.5]),
        EventStream.from_arrays(["b", "x"], [9, 5], [1.0, 2.0]),
        EventStream.from_arrays(["b", "a"], [9, 6], [1.0, 2.0]),
        EventStream.from_arrays(["b", "a"], ["9", "5"], [1.0, 2.0]),
        EventStream.from_arrays(["b", "b"], [9, 5], [1.0, 2.0]),
        EventStream.from_arrays(["b"], [9], [1.0]),
        EventStream.from_arrays([], [], []),
    ],
    ids=repr,
)
def test_different_events_are_unequal(other):
    assert STREAM[:2] != other
    assert STREAM[:2].digest() != other.digest()


def test_text_that_joins_alike_is_told_apart():
    one = EventStream.from_arrays(["ab", "c"], [1, 1], [1, 1])
    two = EventStream.from_arrays(["a", "bc"], [1, 1], [1, 1])
    assert one != two
    assert one != "ab"


def test_the_digest_is_what_its_definition_says():
    ids = struct.pack("<cQqq", b"i", 2, 7, 3) + struct.pack("<3I", 0, 1, 0)
    texts = struct.pack("<cQQQ", b"t", 2, 2, 1) + "éx".encode() + struct.pack("<3I", 0, 1, 1)
    times = struct.pack("<3d", 0.0, 1.5, 2.0)
    expected = hashlib.sha256(
        b"linkgram events 1\n" + struct.pack("<Q", 3) + ids + texts + times
    ).hexdigest()
    stream = EventStream.from_arrays([7, 3, 7], ["é", "x", "x"], [-0.0, 1.5, 2.0])
    assert stream.digest() == expected


def test_empty_streams_are_equal_whatever_they_were():
    assert EventStream.from_arrays([], [], []) == STREAM[5:]
    empty = STREAM[:0].describe()
    assert (empty.events, empty.first_time, empty.span, empty.repeated_pairs) == (0, None, None, 0)
    assert "times           none" in str(empty)
    assert repr(STREAM[:0]) == "EventStream(0 events: 0 sources, 0 destinations, no times)"


def test_copies_are_equal():
    for other in (copy.copy(STREAM), copy.deepcopy(STREAM), pickle.loads(pickle.dumps(STREAM))):
        assert other == STREAM


def test_repr_says_what_the_stream_holds():
    assert repr(STREAM) == (
        "EventStream(5 events: 3 sources, 3 destinations, times 1.0 to 4.0 as given)"
    )


def test_a_description_is_frozen_and_readable():
    description = STREAM.describe()
    assert isinstance(description, StreamDescription)
    assert json.loads(json.dumps(description.as_dict()))["tied_events"] == 2
    assert description.self_loops is None
    assert "self-loops      ids of different types" in str(description)
    assert "times           1 to 4 (span 3, unit: as given)" in str(description)
    with pytest.raises(AttributeError):
        description.events = 3
    assert description.bytes == 5 * (4 + 4 + 8) + 3 + 3 * 8


events = st.lists(
    st.tuples(st.integers(0, 4), st.integers(2, 6), st.integers(0, 6)), min_size=1, max_size=40
).map(lambda found: sorted(found, key=lambda event: event[2]))


@given(events, st.booleans())
def test_describe_counts_what_a_slow_count_finds(found, text):
    sources, destinations, times = (list(column) for column in zip(*found, strict=True))
    kind = str if text else int
    stream = EventStream.from_arrays(
        [kind(s) for s in sources], [kind(d) for d in destinations], times
    )
    description = stream.describe()
    moments, pairs = Counter(times), Counter((s, d) for s, d, _ in found)
    assert description.events == len(found)
    assert description.sources == len(set(sources))
    assert description.destinations == len(set(destinations))
    assert (description.first_time, description.last_time) == (times[0], times[-1])
    assert description.span == times[-1] - times[0]
    assert description.distinct_times == len(moments)
    assert description.tied_events == sum(n for n in moments.values() if n > 1)
    assert description.duplicates == len(found) - len(set(found))
    assert description.distinct_pairs == len(pairs)
    assert description.repeated_pairs == (len(found) - len(pairs)) / len(found)
    assert description.self_loops == sum(s == d for s, d, _ in found)


def test_importing_events_imports_no_reader():
    code = (
        "import sys, linkgram.events; "
        "print([m for m in ('polars', 'pandas', 'pyarrow') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert result.stdout.strip() == "[]"
