"""Candidate sets: rows in, rows out, saved and loaded; damaged or foreign files refused."""

import json
import os
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkgram.errors import CandidateError, DataSetMissingError, SettingError
from linkgram.evaluation.candidates import CandidateSet

ROWS = [[3, 1, 4], [], [1, 5], [9]]
RULE = {"rule": "by hand", "vocabulary_size": 10, "note": ["any", 1.5, None]}


@pytest.fixture
def candidates():
    return CandidateSet.from_rows(ROWS, RULE)


@pytest.fixture
def saved(candidates, tmp_path):
    candidates.save(tmp_path / "set")
    return tmp_path / "set"


@given(st.lists(st.lists(st.integers(0, 2**31 - 2), max_size=6), max_size=12))
def test_rows_come_out_as_they_went_in(rows):
    made = CandidateSet.from_rows((np.array(row, np.int64) for row in rows), {})
    assert [row.tolist() for row in made] == rows
    assert (made.offsets.dtype, made.destinations.dtype) == (np.int64, np.int32)
    direct = CandidateSet(made.offsets, made.destinations, {})
    assert direct.digest() == made.digest()


def test_a_set_can_be_indexed_but_not_changed(candidates):
    assert len(candidates) == 4
    assert candidates[-1].tolist() == candidates.negatives(3, 0).tolist() == [9]
    for index in (4, -5):
        with pytest.raises(IndexError, match="outside a candidate set of 4 queries"):
            candidates[index]
    with pytest.raises(ValueError, match="read-only"):
        candidates[0][0] = 2
    with pytest.raises(TypeError):
        candidates.rule["rule"] = "other"
    assert repr(candidates) == "CandidateSet(4 queries, 6 candidates: by hand)"


def test_making_a_set_leaves_the_caller_s_arrays_as_they_are():
    offsets, destinations = np.array([0, 2]), np.array([5, 6], np.int32)
    CandidateSet(offsets, destinations, {})
    assert offsets.flags.writeable
    assert destinations.flags.writeable


@pytest.mark.parametrize("mmap", [True, False])
def test_a_saved_set_is_the_same_when_loaded(candidates, saved, mmap):
    loaded = CandidateSet.load(saved, mmap=mmap)
    assert isinstance(loaded.destinations, np.memmap) == mmap
    assert [row.tolist() for row in loaded] == ROWS
    assert dict(loaded.rule) == RULE
    assert loaded.digest() == candidates.digest()
    assert not loaded.destinations.flags.writeable


def test_sets_without_queries_or_candidates_are_saved_too(tmp_path):
    for number, rows in enumerate([[], [[]], [[], []]]):
        CandidateSet.from_rows(rows, {}).save(tmp_path / str(number))
        assert [list(row) for row in CandidateSet.load(tmp_path / str(number))] == rows


def test_every_destination_is_saved_as_a_rule_alone(tmp_path):
    every = CandidateSet.all_destinations(7, 100)
    every.save(tmp_path / "set")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["rule.json"]
    loaded = CandidateSet.load(tmp_path / "set")
    assert (len(loaded), loaded.vocabulary_size, loaded.offsets) == (7, 100, None)
    assert loaded.digest() == every.digest() != CandidateSet.all_destinations(7, 99).digest()


def test_rows_can_go_straight_to_a_directory(candidates, tmp_path):
    written = CandidateSet.from_rows(iter(ROWS), RULE, directory=tmp_path / "set")
    assert isinstance(written.destinations, np.memmap)
    assert written.digest() == CandidateSet.load(tmp_path / "set").digest() == candidates.digest()


def test_pieces_of_a_large_set_are_judged_together(tmp_path, monkeypatch):
    from linkgram.evaluation.candidates import checks, files

    monkeypatch.setattr(files, "PIECE", 3)
    monkeypatch.setattr(checks, "PIECE", 3)
    rows = [[i % 7] * (i % 4) for i in range(40)]
    made = CandidateSet.from_rows(rows, {"vocabulary_size": 7})
    made.save(tmp_path / "set")
    assert CandidateSet.load(tmp_path / "set").digest() == made.digest()
    monkeypatch.undo()
    assert CandidateSet.load(tmp_path / "set").digest() == made.digest()
    monkeypatch.setattr(files, "PIECE", 3)
    for at in range(1, 40):
        broken = made.offsets.copy()
        broken[at] = -1
        np.save(tmp_path / "set" / "offsets.npy", broken)
        with pytest.raises(CandidateError, match="before they begin"):
            CandidateSet.load(tmp_path / "set")


def test_saving_replaces_a_set_and_nothing_else(candidates, saved, tmp_path):
    other = CandidateSet.from_rows([[2]], {})
    reading = CandidateSet.load(saved)
    other.save(saved)
    assert CandidateSet.load(saved).digest() == other.digest()
    if os.name == "posix":
        assert reading.digest() == candidates.digest()

    foreign = tmp_path / "home"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("dear")
    for place in (foreign, tmp_path / "file"):
        with pytest.raises(SettingError, match="is not a candidate set") as caught:
            other.save(place)
        assert caught.value.setting == "directory"
    (foreign / "rule.json").write_text("{}")
    with pytest.raises(SettingError, match="is not a candidate set"):
        other.save(foreign)
    assert (foreign / "letter.txt").read_text() == "dear"
    (tmp_path / "empty").mkdir()
    other.save(tmp_path / "empty")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["empty", "file", "home", "set"]


def test_a_failure_while_writing_leaves_the_old_set(saved, candidates, tmp_path):
    def rows():
        yield [1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CandidateSet.from_rows(rows(), {}, directory=saved)
    with pytest.raises(CandidateError, match="query 1"):
        CandidateSet.from_rows([[1], [-1]], {}, directory=saved)
    assert CandidateSet.load(saved).digest() == candidates.digest()
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize(
    "row",
    [[-1], [10], [1.5], [np.nan], [np.inf], ["1"], [[1]], 3, [True], [None], [2**70]],
    ids=str,
)
def test_rows_that_are_not_dense_ids_are_refused(row):
    with pytest.raises(CandidateError, match="query 1: its candidates are not one row") as caught:
        CandidateSet.from_rows([[0], row], RULE)
    assert caught.value.row == 1


@pytest.mark.parametrize(
    ("offsets", "destinations", "message"),
    [
        ([], [], "found none"),
        ([1, 2], [0, 0], "found 1 to 2"),
        ([0, 1], [0, 0], "found 0 to 1"),
        ([0, 2, 1, 3], [0, 0, 0], "query 1: its candidates end at 1, before they begin at 2"),
        ([0, 1], [-1], "candidate 0 is destination -1"),
        ([0, 2], [0, 10], "candidate 1 is destination 10"),
        ([0, 1], [2**31], "int32 cannot"),
        ([[0, 1]], [0], "one row of integers"),
        ([0, 1], [0.0], "one row of integers"),
    ],
)
def test_columns_that_do_not_fit_are_refused(offsets, destinations, message):
    with pytest.raises(CandidateError, match=message):
        CandidateSet(offsets, destinations, RULE)


@pytest.mark.parametrize(
    "rule", [{"k": np.int64(3)}, {"k": float("nan")}, {"vocabulary_size": "many"}], ids=str
)
def test_rules_that_json_cannot_hold_are_refused(rule):
    with pytest.raises(SettingError):
        CandidateSet([0], [], rule)


def damage_rule(**changed):
    def damage(place):
        content = json.loads((place / "rule.json").read_text())
        content.update(changed)
        (place / "rule.json").write_text(json.dumps(content))

    return damage


def damage_bytes(name, change):
    def damage(place):
        (place / name).write_bytes(change((place / name).read_bytes()))

    return damage


def damage_array(name, values):
    return lambda place: np.save(place / name, values, allow_pickle=True)


def flipped(content):
    return content[:-4] + struct.pack("<i", 8)


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("bomb",)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damage_bytes("rule.json", lambda _: b"\xff"), "is not JSON"),
        (damage_bytes("rule.json", lambda _: b"[" * 100_000), "is not JSON"),
        (damage_bytes("rule.json", lambda _: b" " * (1 << 21)), "is larger than"),
        (damage_bytes("rule.json", lambda _: b"[]"), "does not say"),
        (damage_rule(format="linkgram candidates 2"), "does not say"),
        (damage_rule(rule=None), "holds no rule"),
        (damage_rule(digest="0" * 64), "digest"),
        (damage_rule(rule={"vocabulary_size": "ten"}), "vocabulary_size"),
        (damage_rule(rule={"vocabulary_size": -1}), "vocabulary_size"),
        (damage_rule(rule={"vocabulary_size": 9}), "candidate 5 is destination 9"),
        (damage_rule(rule={"rule": "all-destinations"}), "queries"),
        (damage_rule(rule={"rule": "all-destinations", "queries": -1}), "rule.json"),
        (lambda place: (place / "offsets.npy").unlink(), "offsets.npy is missing"),
        (damage_bytes("destinations.npy", lambda content: content[:-1]), "destinations.npy"),
        (damage_bytes("destinations.npy", lambda content: content + b"x"), "another length"),
        (damage_bytes("destinations.npy", lambda content: content[:20]), "not a NumPy file"),
        (damage_bytes("destinations.npy", lambda _: b""), "not a NumPy file"),
        (damage_bytes("destinations.npy", lambda c: c.replace(b"(6,)", b"(9**9**9,)")), "NumPy"),
        (damage_bytes("destinations.npy", lambda c: c.replace(b"(6,)", b"(-6,)")), "dest"),
        (damage_bytes("destinations.npy", lambda c: c.replace(b"'<i4'", b"'|O'  ")), "NumPy"),
        (damage_bytes("destinations.npy", lambda c: c.replace(b"{", b"(")), "NumPy"),
        (damage_bytes("destinations.npy", lambda _: pickle.dumps(Bomb())), "not a NumPy file"),
        (damage_bytes("destinations.npy", lambda _: b"PK\x03\x04" + bytes(99)), "NumPy"),
        (damage_bytes("destinations.npy", flipped), "digest"),
        (damage_array("destinations.npy", np.array([Bomb()] * 6)), "not a NumPy file"),
        (damage_array("destinations.npy", np.arange(6)), "one row of int32"),
        (damage_array("destinations.npy", np.arange(6, dtype=">i4")), "one row of int32"),
        (damage_array("destinations.npy", np.zeros((6, 1), np.int32)), "one row of int32"),
        (damage_array("destinations.npy", np.array([0, 1, 2, 3, 4, -5], np.int32)), "tion -5"),
        (damage_array("destinations.npy", np.arange(7, dtype=np.int32)), "offsets end at 6"),
        (damage_array("offsets.npy", np.array([], np.int64)), "offsets end at 0"),
        (damage_array("offsets.npy", np.array([0, 3, 2, 5, 6])), "query 1: .* before they begin"),
        (damage_array("offsets.npy", np.array([1, 3, 3, 5, 6])), "found 1 to 6"),
        (damage_array("offsets.npy", np.array([0, 3, 3, 5, 7])), "offsets end at 7"),
        (damage_array("offsets.npy", np.array([0, 3, 3, 6])), "digest"),
    ],
)
def test_damaged_files_are_refused(saved, tmp_path, monkeypatch, damage, message):
    monkeypatch.chdir(tmp_path)
    damage(saved)
    with pytest.raises(CandidateError, match=message):
        CandidateSet.load(saved)
    assert not (tmp_path / "bomb").exists()


def test_a_place_without_candidates_is_named(tmp_path):
    with pytest.raises(DataSetMissingError, match="no candidate set in") as caught:
        CandidateSet.load(tmp_path / "nowhere")
    assert isinstance(caught.value, FileNotFoundError)
