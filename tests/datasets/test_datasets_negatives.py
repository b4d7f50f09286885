"""Pickled negatives: bounded memory, and no way to run a program or to crash."""

import gzip
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkgram import _core
from linkgram.errors import CandidateError, DownloadError

KEYS = [(3, 10, 100), (3, 11, 100), (4, 12, 101)]
ROWS = [[11, 12], [10.0, 12.0, 13.0], []]


def converted(content, folder, keys=KEYS, first=10, size=4, **options):
    path = folder / "negatives.pkl"
    path.write_bytes(content)
    columns = [np.array(column, dtype=np.int64) for column in zip(*keys, strict=True)]
    facts = _core.convert_negatives(path, *columns, first, size, folder, **options)
    offsets = np.load(folder / "offsets.npy")
    destinations = np.load(folder / "destinations.npy")
    rows = np.split(destinations, offsets[1:-1])
    return facts, [row.tolist() for row in rows]


def written(protocol=5, kind=np.int64):
    return pickle.dumps(
        {tuple(map(kind, key)): np.array(row) for key, row in zip(KEYS, ROWS, strict=True)},
        protocol=protocol,
    )


@pytest.mark.parametrize("protocol", [3, 4, 5])
@pytest.mark.parametrize("kind", [int, float, np.int64, np.int32, np.float64, np.uint8])
def test_keys_of_every_kind(protocol, kind, tmp_path):
    facts, rows = converted(written(protocol, kind), tmp_path)
    assert rows == [[1, 2], [0, 2, 3], []]
    counts = {"entries": 3, "unused": 0, "repeated": 0, "negatives": 5, "with_positive": 0}
    assert facts == counts


@pytest.mark.parametrize("kind", ["<i2", ">i4", "<i8", ">i8", "<u4", "<f4", ">f8"])
def test_rows_of_every_kind(kind, tmp_path):
    content = pickle.dumps({KEYS[0]: np.array([13, 10], dtype=kind)}, protocol=5)
    assert converted(content, tmp_path, KEYS[:1])[1] == [[3, 0]]


def test_views_and_lists(tmp_path):
    content = pickle.dumps({KEYS[0]: np.arange(10, 14)[::2], KEYS[1]: [10, 13]}, protocol=5)
    assert converted(content, tmp_path, KEYS[:2])[1] == [[0, 2], [0, 3]]


def test_compressed(tmp_path):
    whole = gzip.compress(written())
    assert converted(whole, tmp_path)[1] == [[1, 2], [0, 2, 3], []]
    for length in range(2, len(whole)):
        with pytest.raises(DownloadError):
            converted(whole[:length], tmp_path)


def test_the_last_of_equal_keys_counts(tmp_path):
    start, end = pickle.dumps({(1, 2, 3): [10, 11]}, protocol=2), pickle.dumps({}, protocol=2)[-1:]
    again = pickle.dumps({(1, 2, 3): [12]}, protocol=2)
    # Both items set on one dictionary: what follows its beginning is taken from the second.
    body = again[again.index(b"q\x00") + 2 : -1].replace(b"q\x01", b"").replace(b"q\x02", b"")
    facts, rows = converted(start[:-1] + body + end, tmp_path, [(1, 2, 3)])
    assert (rows, facts["repeated"]) == ([[2]], 1)


def test_equal_events_share_a_row(tmp_path):
    keys = [KEYS[1], KEYS[0], KEYS[1], KEYS[2], KEYS[0]]
    assert converted(written(), tmp_path, keys)[1] == [[0, 2, 3], [1, 2], [0, 2, 3], [], [1, 2]]


def test_other_entries_are_counted(tmp_path):
    facts, rows = converted(written(), tmp_path, KEYS[1:2])
    assert (facts["unused"], rows) == (2, [[0, 2, 3]])


def test_the_positive_among_the_negatives_is_counted(tmp_path):
    content = pickle.dumps({(1, 12, 3): np.array([12, 13])})
    assert converted(content, tmp_path, [(1, 12, 3)])[0]["with_positive"] == 1


@pytest.mark.parametrize(
    "value",
    [
        {(1, 2, 3): np.array([1.5])},
        {(1, 2, 3): np.array([np.nan])},
        {(1, 2, 3): np.array([[1, 2]])},
        {(1, 2, 3): np.array(["a"])},
        {(1, 2, 3): np.array([object()])},
        {(1, 2, 3): np.array([(1, 2)], dtype="i4,i4")},
        {(1, 2, 3): np.array([1 + 2j])},
        {(1, 2, 3): "text"},
        {(1, 2): np.array([1])},
        {(1, 2, "3"): np.array([1])},
        {(1, 2, 3.5): np.array([1])},
        {(1, 2, 3, 4): np.array([1])},
        {"key": np.array([1])},
        [1, 2, 3],
        {(1, 2, 3): {(1, 2, 3): np.array([1])}},
        {(1, 2, 2**70): np.array([1])},
        os.system,
    ],
)
def test_everything_else_is_refused(value, tmp_path):
    with pytest.raises(DownloadError, match="byte "):
        converted(pickle.dumps(value), tmp_path, [(1, 2, 3)])


def test_columns_and_vocabulary_must_fit(tmp_path):
    with pytest.raises(CandidateError, match=r"destinations are 11 to 14") as caught:
        converted(written(), tmp_path, first=11)
    assert caught.value.value == 10
    with pytest.raises(CandidateError, match=r"query 1 .* has no entry") as caught:
        converted(written(), tmp_path, [KEYS[0], (9, 9, 9)])
    assert caught.value.row == 1


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_files_are_errors_or_numbers(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    content = bytearray(written(data.draw(st.sampled_from([3, 4, 5]))))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        _, rows = converted(bytes(content), folder)
    except (DownloadError, CandidateError):
        return
    assert all(0 <= destination < 4 for row in rows for destination in row)


def test_progress_and_stopping(tmp_path):
    entries = {(i, 10, i): np.array([11]) for i in range(60_000)}
    content, told = pickle.dumps(entries), []
    converted(content, tmp_path, list(entries), progress=told.append)
    assert len(told) == len(content) >> 20, "once for every mebibyte"
    assert told == sorted(told)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        converted(pickle.dumps(entries), tmp_path, list(entries), progress=stop)


# A few hundred kilobytes that become hundreds of megabytes, in three ways.
BOMBS = {
    "one entry of a hundred million": lambda key: pickle.dumps({key: np.zeros(10**8, np.int8)}, 4),
    "text of protocol 2": lambda key: pickle.dumps({key: np.zeros(5 * 10**7, np.int16)}, 2),
    "values made and thrown away": lambda key: b"\x80\x02}" + b"N0" * 10**8 + b".",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and RLIMIT_AS")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_in_little_memory(bomb, tmp_path):
    np.save(tmp_path / "keys.npy", np.zeros((3, 30), np.int64))
    content = gzip.compress(BOMBS[bomb]((0, 0, 0)), 1)
    assert len(content) < 2_000_000
    (tmp_path / "n.pkl").write_bytes(content)
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert "linkgram.errors.DownloadError: n.pkl: byte " in answer.stderr
    assert answer.stderr.count("DownloadError") == 1


PROGRAM = """
import resource, sys
import numpy as np
from linkgram import _core
keys = np.load(sys.argv[1] + "/keys.npy", mmap_mode="r")
columns = [np.ascontiguousarray(column) for column in keys]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = size + (48 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
facts = _core.convert_negatives(sys.argv[1] + "/n.pkl", *columns, 0, 5_000, sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(facts["entries"], facts["negatives"], after - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and RLIMIT_AS")
def test_memory_does_not_grow_with_the_file(tmp_path):
    # 300,000 entries of 40: 130 MB pickled, over 150 MB as a dictionary, 48 MB as int32.
    count, draw = 300_000, np.random.default_rng(0)
    sources, times = draw.integers(0, 5_000, count), np.arange(count)
    destinations = draw.integers(0, 5_000, count)
    np.save(tmp_path / "keys.npy", np.stack([sources, destinations, times]))
    rows = draw.integers(0, 5_000, (count, 40))
    keys = zip(sources, destinations, times, strict=True)
    with (tmp_path / "n.pkl").open("wb") as file:
        pickle.dump(dict(zip(keys, rows, strict=True)), file, protocol=5)
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    entries, negatives, kilobytes = map(int, answer.stdout.split())
    assert (entries, negatives) == (count, 40 * count)
    # Twenty bytes a query, one group of 1,000 entries, and buffers.
    assert kilobytes < 40_000
    found = np.load(tmp_path / "destinations.npy", mmap_mode="r")
    assert np.array_equal(found.reshape(count, 40), rows)
