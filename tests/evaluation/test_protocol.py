"""Protocols: parts that fit together, and a description that tells all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.protocols import busy

from linkgram.errors import SettingError
from linkgram.evaluation import CandidateSet, Split


@pytest.fixture(scope="module")
def protocol():
    return busy(9, count=200)


def test_a_fit_may_see_training_and_validation(protocol):
    before = protocol.before_test
    assert len(before) == protocol.split.validation_end == 160
    assert before == protocol.stream[:160]
    # The vocabulary is fixed for all splits.
    assert before.destination_ids is protocol.stream.destination_ids
    assert protocol.vocabulary_size == 40


def test_the_description_tells_everything_that_must_be_equal(protocol):
    noted = replace(protocol, notes=("half of it is duplicates",), provenance={"file": "x.csv"})
    described = noted.describe()
    assert described["data"] == {
        "name": "busy 9", "digest": protocol.stream.digest(), "events": 200, "sources": 25,
        "vocabulary_size": 40, "time_unit": "as given", "provenance": {"file": "x.csv"},
        "notes": ["half of it is duplicates"],
    }  # fmt: skip
    assert described["split"] == {
        "rule": {"rule": "by hand"}, "training": 120, "validation": 40, "test": 40,
    }  # fmt: skip
    assert described["candidates"]["test"]["digest"] == protocol.test.digest()
    assert described["candidates"]["validation"]["queries"] == 40


@pytest.mark.parametrize("part", ["validation", "test"])
@pytest.mark.parametrize("count", [0, 39, 41])
def test_candidates_for_another_number_of_queries_are_refused(protocol, part, count):
    for rows in (
        CandidateSet.from_rows([[0]] * count, {}), CandidateSet.all_destinations(count, 40)
    ):  # fmt: skip
        message = f"{part} candidates are for {count} queries, but the {part} split has 40"
        with pytest.raises(SettingError, match=message) as caught:
            replace(protocol, **{part: rows})
        assert caught.value.setting == "candidates"


@pytest.mark.parametrize("events", [199, 201, 20_000])
def test_a_split_of_another_stream_is_refused(protocol, events):
    split = Split(120, 160, events, {})
    rows = CandidateSet.from_rows([[0]] * (events - 160), {})
    with pytest.raises(SettingError, match=f"split is of {events} events, .* has 200") as caught:
        replace(protocol, split=split, test=rows)
    assert caught.value.setting == "split"


@pytest.mark.parametrize("size", [39, 41])
def test_all_destinations_of_another_vocabulary_are_refused(protocol, size):
    with pytest.raises(
        SettingError, match=f"all of {size} destinations, but the vocabulary has 40"
    ):
        replace(protocol, test=CandidateSet.all_destinations(40, size))
