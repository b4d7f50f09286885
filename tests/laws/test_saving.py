"""Save, load, continue equals never having stopped, bit for bit."""

from __future__ import annotations

import itertools
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st
from tests.support.predictors import bits, fed_predictor, observe_all, settings_of
from tests.support.strategies import event_lists, settings
from tests.support.streams import random_case

from linkgram import EventError, LinkPredictor, StateFileError

CANDIDATES = list(range(7))


def saved_and_loaded(predictor: LinkPredictor) -> LinkPredictor:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.linkgram"
        predictor.save(path)
        return LinkPredictor.load(path)


def assert_same(first: LinkPredictor, second: LinkPredictor, now: float) -> None:
    assert first.digest() == second.digest()
    assert first.weights == second.weights
    assert first.bias == second.bias
    assert first.configuration == second.configuration
    for source in range(4):
        for wait in (0.0, 1e3):
            asked = (source, CANDIDATES, now + wait)
            assert bits(first.features(*asked)) == bits(second.features(*asked))
            assert bits(first.score(*asked)) == bits(second.score(*asked))
        assert first.top_k(source, now, k=4) == second.top_k(source, now, k=4)


@given(
    chosen=settings(),
    events=event_lists(min_size=2),
    stops=st.lists(st.integers(1, 24), min_size=1, max_size=3),
    cells=st.sampled_from(["float64", "float32"]),
    growing=st.booleans(),
)
@run(max_examples=80, deadline=None)
def test_save_load_continue_equals_never_having_stopped(
    chosen, events, stops, cells, growing
) -> None:
    options = {"cells": cells, "destinations": None if growing else CANDIDATES}
    steady = fed_predictor(chosen, events, **options)
    marks = [0, *sorted(stop for stop in stops if stop < len(events)), len(events)]
    stopping = fed_predictor(chosen, [], **options)
    for start, stop in itertools.pairwise(marks):
        observe_all(stopping, events[start:stop])
        stopping = saved_and_loaded(stopping)
    assert_same(steady, stopping, events[-1][2])


@pytest.mark.parametrize("cells", ["float64", "float32"])
@pytest.mark.parametrize("seed", range(4))
def test_long_rows_survive_a_stop(seed, cells) -> None:
    case = random_case(40_000 + seed, length=(800, 900), width=60)
    steady = fed_predictor(case.settings, case.events, cells=cells)
    stopping = saved_and_loaded(fed_predictor(case.settings, case.events[:400], cells=cells))
    observe_all(stopping, case.events[400:])
    assert steady.digest() == stopping.digest()
    asked = (case.events[-1][0], [z for _, z, _ in case.events[:300]], case.events[-1][2])
    assert bits(steady.features(*asked)) == bits(stopping.features(*asked))


def test_an_empty_predictor_survives_a_stop() -> None:
    empty = fed_predictor(settings_of(), [], destinations=CANDIDATES)
    assert_same(empty, saved_and_loaded(empty), 0.0)


@pytest.mark.parametrize("names", [("ann", "bo", ""), ("ä", "\u6771\u4eac", "a\nb")])
def test_text_ids_survive_a_stop(names) -> None:
    events = [(names[k % 3], names[(k * k) % 3], float(k)) for k in range(9)]
    steady = fed_predictor(settings_of(), events)
    stopped = saved_and_loaded(steady)
    assert steady.top_k(names[0], 9.0) == stopped.top_k(names[0], 9.0)
    assert {z for z, _ in stopped.top_k(names[0], 9.0)} == {z for _, z, _ in events}


def test_the_order_of_time_and_the_fixed_vocabulary_survive_a_stop() -> None:
    events = [(0, 1, 0.0), (0, 2, 5.0)]
    predictor = saved_and_loaded(fed_predictor(settings_of(), events, destinations=CANDIDATES))
    with pytest.raises(EventError):
        predictor.observe(0, 1, 4.0)
    with pytest.raises(EventError):
        predictor.observe(0, 99, 6.0)


def saved_bytes(folder: Path, name: str) -> tuple[Path, bytes]:
    events = [(f"u{k % 3}", f"v{k * k % 7}", float(k)) for k in range(30)]
    path = folder / name
    fed_predictor(settings_of(), events).save(path)
    return path, path.read_bytes()


def test_a_file_changed_at_any_byte_or_cut_at_any_length_is_refused(tmp_path) -> None:
    path, whole = saved_bytes(tmp_path, "state")
    damaged = [whole[:at] for at in range(len(whole))]
    damaged += [
        whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :]
        for at in range(len(whole))
        for flip in (0x01, 0x80)
    ]
    for content in (*damaged, whole + b"\0", b"hello\n" * 99):
        path.write_bytes(content)
        with pytest.raises(StateFileError, match="state"):
            LinkPredictor.load(path)
    path.write_bytes(whole)
    assert LinkPredictor.load(path).describe()["events"] == 30


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of a POSIX system")
def test_a_saved_file_has_the_permissions_of_any_new_file_and_keeps_its_own(tmp_path) -> None:
    (tmp_path / "any").touch()
    path, _ = saved_bytes(tmp_path, "state")
    assert path.stat().st_mode == (tmp_path / "any").stat().st_mode
    path.chmod(0o640)
    saved_bytes(tmp_path, "state")
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of a POSIX system")
def test_saving_through_a_link_changes_what_it_points_to(tmp_path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "state")
    saved_bytes(tmp_path, "link")
    assert (tmp_path / "link").is_symlink()
    assert LinkPredictor.load(tmp_path / "elsewhere" / "state").describe()["events"] == 30
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["elsewhere", "link", "state"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path) -> None:
    path, whole = saved_bytes(tmp_path, "state")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        fed_predictor(settings_of(), [(0, 1, 0.0)]).save(tmp_path / "folder")
    with pytest.raises(FileNotFoundError):
        fed_predictor(settings_of(), [(0, 1, 0.0)]).save(tmp_path / "nowhere" / "state")
    assert path.read_bytes() == whole
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "state"]
