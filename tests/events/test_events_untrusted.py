"""Files are not trusted: damage is refused by name, and no file exhausts the memory."""

import gzip
import os
import random
import subprocess
import sys
import textwrap
import zlib

import polars
import pytest

from linkgram.errors import EventError, LinkgramError
from linkgram.events import EventStream

HEADER = b"source,destination,time\n"
ROWS = b"".join(b"%d,%d,%d\n" % (n % 7, n % 5, n) for n in range(20_000))

BOMB = """
    import resource, sys, time
    from linkgram.errors import EventError
    from linkgram.events import EventStream

    limit = 2 << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.monotonic()
    try:
        EventStream.read(sys.argv[1])
    except EventError as error:
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(grown // 1024, time.monotonic() - started, error.row, error, sep="|")
"""


def explode(path):
    """Read a file in a process of its own: MiB grown, seconds, row, message."""
    path_list = os.pathsep.join(filter(None, sys.path))
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(BOMB), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": path_list, "POLARS_MAX_THREADS": "1"},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    grown, seconds, row, message = result.stdout.strip().split("|")
    return int(grown), float(seconds), row, message


def write_bomb(path, start, filler, copies=64):
    """One gzip member holding `start` and then 16 MiB of filler, `copies` times."""
    squeeze = zlib.compressobj(9, wbits=31)
    block = filler * ((16 << 20) // len(filler))
    with path.open("wb") as handle:
        handle.write(squeeze.compress(start))
        for _ in range(copies):
            handle.write(squeeze.compress(block))
        handle.write(squeeze.flush())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs resource limits")
@pytest.mark.parametrize(
    ("start", "row", "match"),
    [
        (b"", "0", "the header: the line is longer than 1048576 bytes"),
        (HEADER + b"1,2,3\n4,5,6\n", "2", "event 2: the line is longer than 1048576 bytes"),
        (HEADER + b'1,2,3\n4,"', "1", "event 1: the line is longer than 1048576 bytes"),
    ],
    ids=["from the start", "after two events", "inside a quote"],
)
def test_a_gigabyte_of_zeros_is_refused_quickly_in_little_memory(tmp_path, start, row, match):
    path = tmp_path / "bomb.csv.gz"
    write_bomb(path, start, b"\0")
    assert path.stat().st_size < 2 << 20
    grown, seconds, found, message = explode(path)
    assert message.startswith(match)
    assert found == row
    assert grown < 200
    assert seconds < 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs resource limits")
def test_many_empty_lines_need_little_memory(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    write_bomb(path, HEADER, b"\n", copies=8)
    grown, _, _, message = explode(path)
    assert message.startswith("bomb.csv.gz has no events")
    assert grown < 400


@pytest.mark.parametrize("length", [1 << 20, (1 << 20) + 1])
def test_a_line_may_be_one_mebibyte_long(tmp_path, length):
    path = tmp_path / "e.csv"
    path.write_bytes(b"source,destination,time\n0,b,0\n1," + b"x" * (length - 4) + b",2\n0,b,3\n")
    if length == 1 << 20:
        assert len(EventStream.read(path)) == 3
        return
    with pytest.raises(
        EventError, match="event 1: the line is longer than 1048576 bytes"
    ) as caught:
        EventStream.read(path)
    assert caught.value.row == 1


def test_gzip_cut_short_is_refused(tmp_path):
    path = tmp_path / "e.csv.gz"
    whole = gzip.compress(HEADER + ROWS)
    for length in (5, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(EventError, match="the gzip data end too early") as caught:
            EventStream.read(path)
        assert caught.value.row == 0
    path.write_bytes(whole)
    assert len(EventStream.read(path)) == 20_000


def test_content_that_is_not_gzip_is_refused(tmp_path):
    path = tmp_path / "e.csv.gz"
    for content in (HEADER + ROWS, gzip.compress(b"")[:10] + b"\xff" * 100, b"PK\x03\x04"):
        path.write_bytes(content)
        with pytest.raises(EventError, match="not valid gzip"):
            EventStream.read(path)


def test_gzip_with_a_wrong_checksum_is_refused(tmp_path):
    path = tmp_path / "e.csv.gz"
    whole = bytearray(gzip.compress(HEADER + ROWS))
    whole[-6] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(EventError, match="not valid gzip"):
        EventStream.read(path)


def test_gzip_in_several_members_is_one_file(tmp_path):
    path = tmp_path / "e.csv.gz"
    path.write_bytes(gzip.compress(HEADER + ROWS[:5001]) + gzip.compress(ROWS[5001:]))
    assert len(EventStream.read(path)) == 20_000


def test_compressed_content_without_the_suffix_is_named(tmp_path):
    path = tmp_path / "e.csv"
    path.write_bytes(gzip.compress(HEADER + ROWS))
    with pytest.raises(EventError, match=r"gzip-compressed but its name does not end in \.gz"):
        EventStream.read(path)


def test_random_damage_is_refused_or_read_but_never_crashes(tmp_path):
    chance = random.Random(5)
    text = HEADER + b'1,"a\nb",3\n2,c,4\n5,"d""e",6\r\n' * 3
    refused = 0
    for number in range(400):
        damaged = bytearray(text)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.choice(b'",\n\r\0\xff1 -.a')
        path = tmp_path / f"{number}.csv"
        path.write_bytes(bytes(damaged))
        try:
            stream = EventStream.read(path, sort=True, ragged=chance.random() < 0.5)
            assert 1 <= len(stream) <= 12
        except LinkgramError:
            refused += 1
    assert 200 < refused < 400


def test_more_events_than_the_memory_holds_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("linkgram.events.room.machine_memory", lambda: 64 * 19_999)
    (tmp_path / "e.csv").write_bytes(HEADER + ROWS)
    polars.read_csv(tmp_path / "e.csv").write_parquet(tmp_path / "e.parquet")
    for path in (tmp_path / "e.csv", tmp_path / "e.parquet"):
        with pytest.raises(EventError, match="holds 20,000 events or more") as caught:
            EventStream.read(path)
        assert caught.value.value == 20_000
    monkeypatch.undo()
    assert len(EventStream.read(tmp_path / "e.parquet")) == 20_000
