"""The worked example: golden numbers, the paper's table, and tables counted by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from linkgram.evaluation.reference import worked_example as printed
from linkgram.studies import worked_example
from linkgram.studies.catalogue import worked_study

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "worked_stream.toml").read_text(encoding="utf-8")
)
# After each event, by hand: x -> z -> count.
TRANSITIONS = [
    {},
    {"a": {"b": 1}},
    {"a": {"b": 1}, "b": {"c": 1}},
    {"a": {"b": 1}, "b": {"c": 1}, "c": {"b": 1}},
    {"a": {"b": 1}, "b": {"c": 2}, "c": {"b": 1}},
    {"a": {"b": 1}, "b": {"c": 2}, "c": {"b": 1}},
]
CO_OCCURRENCE = [
    {},
    {"a": {"b": 1}},
    {"a": {"b": 1, "c": 1}, "b": {"c": 1}},
    {"a": {"b": 1, "c": 1}, "b": {"b": 1, "c": 1}, "c": {"b": 1}},
    {"a": {"b": 1, "c": 1}, "b": {"b": 1, "c": 2}, "c": {"b": 1, "c": 1}},
    {"a": {"b": 1, "c": 1}, "b": {"b": 1, "c": 2}, "c": {"b": 1, "c": 1}},
]


def test_the_events_are_those_of_the_golden_file():
    events = [(one["source"], one["destination"], one["time"]) for one in GOLDEN["events"]]
    assert list(worked_example.EVENTS) == events


@pytest.mark.parametrize("backoff", ["marginal", "continuation"])
def test_every_estimate_is_the_golden_one(backoff):
    expected = dict(GOLDEN["expected"][backoff])
    base = expected.pop("backoff_probability")
    if backoff == "continuation":
        expected["continuation"] = base
    found = worked_example.estimates(backoff)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, abs=1e-12), name


def test_the_tables_grow_event_by_event_as_counted_by_hand():
    found = worked_example.tables_by_event()
    assert [one["transitions"] for one in found] == TRANSITIONS
    assert [one["co_occurrence"] for one in found] == CO_OCCURRENCE
    assert [one["history"] for one in found] == [
        ["a"], ["b", "a"], ["c", "b"], ["b", "c"], ["c", "b"], ["c", "b"],
    ]  # fmt: skip


def test_every_value_the_paper_prints_is_ours_rounded(tmp_path):
    result, made = worked_study(tmp_path)
    assert made
    assert len(result.paper) == sum(map(len, printed().values())) == 20
    for one in result.paper:
        assert round(one["ours"], 2) == one["paper"], one["what"]
    assert worked_study(tmp_path) == (result, False)
