"""What is read from a result file is of the promised type, or the file is refused by name."""

from __future__ import annotations

import copy
import json
import os
import random

import pytest
from tests.support.study_files import StudyFiles

from linkgram.errors import LinkgramError
from linkgram.evaluation.study_result import StudyResult, studies_in, study_path
from linkgram.report.figures import FIGURES, style
from linkgram.report.page import page
from linkgram.report.shelf import Shelf, cell, columns, numbers


def study(**parts):
    return StudyResult("depth", "0" * 16, {"name": "mine"}, **parts)


@pytest.mark.parametrize(
    "value",
    ["12", True, [1], {"mean": "1"}, {"mean": 1, "values": 3}, {"mean": 1, "values": ["x"]},
     10**400, {"mean": 1, "sd": {}}],
)  # fmt: skip
def test_what_is_no_number_is_refused_with_its_place(value):
    with pytest.raises(LinkgramError, match=r"study 'depth' of 'mine'.*mrr"):
        cell(study(), {"mrr": value}, "mrr")


def test_an_undefined_number_is_none():
    assert cell(study(), {"mrr": None}, "mrr") is None
    assert cell(study(), {}, "mrr") is None
    assert cell(study(), {"mrr": {"mean": None, "sd": None, "values": []}}, "mrr") is None


def test_a_row_with_an_undefined_value_is_left_out_of_a_series():
    found = study(series={"s": {"a": [1, 2, 3], "b": [4, None, 6]}})
    assert columns(found, "s", "a", "b") == [(1, 4), (3, 6)]
    assert numbers(found, "s", "b") == [4, None, 6]


@pytest.mark.parametrize("series", [{}, {"s": 1}, {"s": {"a": "abc"}}, {"s": {"a": {}}},
                                    {"s": {"a": [1] * 200_001}}])  # fmt: skip
def test_a_series_of_another_shape_is_refused(series):
    with pytest.raises(LinkgramError, match="series"):
        numbers(study(series=series), "s", "a")


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(LinkgramError, match="differ in length"):
        columns(study(series={"s": {"a": [1], "b": []}}), "s", "a", "b")


def test_of_a_study_repeated_with_other_settings_the_one_written_last_counts(tmp_path):
    old, new = StudyFiles("mine").depth(), StudyFiles("mine", seeds=5).depth()
    for age, one in ((100, old), (0, new)):
        one.save(tmp_path)
        path = study_path(tmp_path, one.name, one.study, one.key)
        stamp = 1_700_000_000 - age
        os.utime(path, (stamp, stamp))
    if old.key == new.key:
        pytest.fail("the two studies should have keys of their own")
    assert Shelf.read(tmp_path).of("mine")["depth"] == new


def test_a_directory_without_studies_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(LinkgramError, match="no studies") as refusal:
        page(Shelf.read(tmp_path))
    assert "linkgram paper" in str(refusal.value)


def _places(value, path=()):
    """Every place in a tree of lists and mappings."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()  # fmt: skip
    for key, item in items:
        yield from _places(item, (*path, key))


JUNK = (
    None,
    True,
    -1,
    0,
    1e308,
    10**400,
    "",
    "<b>",
    [],
    {},
    [[]],
    {"mean": None},
    [None],
    "x" * 5000,
)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_stands_in_a_file_it_is_shown_or_refused_in_one_line(seed, tmp_path):
    """Damage one place after another; only a `LinkgramError` may come out."""
    choose = random.Random(seed)
    refused = []
    whole = [json.loads(one.to_json()) for one in StudyFiles("mine").all()]
    for attempt in range(20):
        facts = copy.deepcopy(whole)
        damaged = choose.choice(facts)
        places = [place for place in _places(damaged) if place]
        place = choose.choice(places)
        inner = damaged
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = choose.choice(JUNK)
        try:
            shelf = Shelf(StudyResult.from_json(json.dumps(one)) for one in facts)
            assert page(shelf).startswith("<!doctype html>")
            if attempt == 0:
                with style.quiet():
                    for draw in FIGURES.values():
                        draw(shelf)
        except LinkgramError as refusal:
            refused.append(str(refusal))
    assert refused
    assert not any("\n" in line for line in refused)


def test_files_of_other_programs_are_passed_over(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "other"}')
    StudyFiles("mine").depth().save(tmp_path)
    assert [one.study for one in studies_in(tmp_path)] == ["depth"]
    assert Shelf.read(tmp_path).names == ["mine"]
