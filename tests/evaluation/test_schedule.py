"""Schedules: what a query may see, said once as a law and once as groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.naive_fit import visible

from linkgram.errors import SettingError
from linkgram.evaluation import Schedule

GAPS = st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.5, 1e6]), min_size=1, max_size=40)
SCHEDULES = st.one_of(
    st.just("event-wise"),
    st.just("strict-timestamp"),
    st.integers(1, 50).map(lambda size: f"batch({size})"),
)


@given(GAPS, SCHEDULES, st.data())
def test_a_query_sees_what_comes_before_its_group(gaps, name, data):
    times = np.cumsum(gaps)
    first, end = sorted(data.draw(st.tuples(*[st.integers(0, len(times))] * 2)))
    groups = list(Schedule.parse(name).groups(times, first, end))
    assert all(start < stop for start, stop in groups)
    assert [start for start, _ in groups[1:]] == [stop for _, stop in groups[:-1]]
    asked = [row for start, stop in groups for row in range(max(start, first), stop)]
    assert asked == list(range(first, end))
    for start, stop in groups:
        for row in range(max(start, first), stop):
            assert start == visible(times.tolist(), first, row, name)
    if name != "strict-timestamp" and groups:
        assert groups[0][0] == first


@given(GAPS)
def test_batch_of_one_is_event_wise_and_so_is_strict_without_ties(gaps):
    times = np.cumsum(gaps)
    event_wise = list(Schedule().groups(times, 0, len(times)))
    assert list(Schedule("batch", 1).groups(times, 0, len(times))) == event_wise
    untied = np.arange(len(times), dtype=float)
    assert list(Schedule("strict-timestamp").groups(untied, 0, len(times))) == event_wise


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [
        ("event-wise", "event-wise", 1), ("strict-timestamp", "strict-timestamp", 1),
        ("batch(200)", "batch", 200), ("batch-200", "batch", 200), ("batch:200", "batch", 200),
        ("batch200", "batch", 200), ("batch(1)", "batch", 1), ("batch(007)", "batch", 7),
    ],
)  # fmt: skip
def test_schedules_are_read_as_written(text, name, size):
    schedule = Schedule.parse(text)
    assert (schedule.name, schedule.size) == (name, size)
    assert Schedule.parse(str(schedule)) == Schedule.parse(schedule) == schedule


@pytest.mark.parametrize(
    "text",
    ["", "batch", "batch()", "batch(0)", "batch(-5)", "batch(1.5)", "batch(2)x", "eventwise",
     "Batch(2)", "batch(9999999999)", None, 200, 1.5],
    ids=repr,
)  # fmt: skip
def test_anything_else_is_refused_and_the_choices_named(text):
    with pytest.raises(SettingError) as caught:
        Schedule.parse(text)
    assert caught.value.setting == "schedule"


@pytest.mark.parametrize("size", [0, -1, 2.0, True, None, "2"])
def test_sizes_are_whole_numbers_from_one(size):
    with pytest.raises(SettingError, match="1 or more") as caught:
        Schedule("batch", size)
    assert caught.value.value is size
    with pytest.raises(SettingError, match="unknown"):
        Schedule("daily", 1)
