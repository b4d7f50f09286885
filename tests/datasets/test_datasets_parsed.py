"""Parsed streams that are kept: the same data set, from arrays; and damage."""

import numpy as np
import pytest
from tests.support.benchmark_files import seq_negatives, seq_text, tgb_files

from linkgram import datasets
from linkgram.datasets import parsed


@pytest.fixture(autouse=True)
def keep_all(monkeypatch):
    monkeypatch.setattr(parsed, "WORTH_KEEPING", 1)


@pytest.fixture
def uci(tmp_path):
    for name, content in tgb_files("tgbl-uci", "uci").items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def kept(home):
    return next((home / "converted").glob("*-events-*"))


def same(first, second):
    assert first.stream == second.stream
    assert np.array_equal(first.stream.source_ids, second.stream.source_ids)
    assert np.array_equal(first.stream.destination_ids, second.stream.destination_ids)
    for fact in ("training_end", "validation_end", "split_rule", "notes", "files"):
        assert getattr(first, fact) == getattr(second, fact)
    for split in first.shipped:
        pairs = zip(first.shipped.arrays(split), second.shipped.arrays(split), strict=True)
        assert all(np.array_equal(a, b) for a, b in pairs)
    assert not second.stream.times.flags.writeable


def never(monkeypatch):
    """From now on no file of events is read."""
    for reader in ("read_tgb", "read_tgb_seq"):
        monkeypatch.setitem(datasets.load.__globals__, reader, None)


def test_tgb_is_read_once(uci, monkeypatch, home):
    first = datasets.load("uci", directory=uci)
    never(monkeypatch)
    same(first, datasets.load("uci", directory=uci))
    assert sorted(path.name for path in kept(home).iterdir())[-2:] == ["sources.npy", "times.npy"]


def test_tgb_seq_is_read_once(tmp_path, monkeypatch):
    (tmp_path / "Patent.csv").write_text(seq_text(extra=5))
    np.save(tmp_path / "Patent_test_ns.npy", seq_negatives())
    first = datasets.load("Patent", directory=tmp_path)
    never(monkeypatch)
    same(first, datasets.load("Patent", directory=tmp_path))


def test_another_file_is_read_anew(uci):
    first = datasets.load("uci", directory=uci)
    path = uci / "tgbl-uci_edgelist.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]))
    assert len(datasets.load("uci", directory=uci).stream) == len(first.stream) - 1


@pytest.mark.parametrize("file", ["facts.json", "times.npy", "destinations.npy", "source_ids.npy"])
@pytest.mark.parametrize("damage", ["cut", "empty", "other", "gone"])
def test_damaged_arrays_are_not_used(uci, home, file, damage):
    first = datasets.load("uci", directory=uci)
    path = kept(home) / file
    whole = path.read_bytes()
    if damage == "other":
        np.save(path.with_suffix(".npy"), np.arange(3.0)[::-1])
        path.with_suffix(".npy").replace(path)
    elif damage == "gone":
        path.unlink()
    else:
        path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"")
    same(first, datasets.load("uci", directory=uci))
    assert (kept(home) / file).read_bytes() == whole


def test_a_home_that_cannot_be_written_costs_only_time(uci, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LINKGRAM_DATA", str(tmp_path / "file"))
    assert len(datasets.load("uci", directory=uci).stream) == 200
