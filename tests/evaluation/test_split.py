"""Splits: cut in time order, nothing lost, the rule remembered; impossible ones refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkgram import EventStream
from linkgram.errors import SettingError
from linkgram.evaluation import Split, by_fraction, by_mask, by_quantile, by_time

TIMES = st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0, 40.0, 1e6]), min_size=3, max_size=60)
SHARES = st.tuples(st.integers(1, 60), st.integers(1, 60)).filter(lambda pair: sum(pair) < 100)


def stream_at(times):
    return EventStream.from_arrays([0] * len(times), [0] * len(times), times)


def or_none(rule, *arguments, **options):
    """The split, or `None` where a part of it would be empty."""
    try:
        return rule(*arguments, **options)
    except SettingError as refused:
        if "split is empty" not in str(refused):
            raise
        return None


@given(TIMES, SHARES)
def test_quantile_cuts_are_where_the_definition_puts_them(gaps, shares):
    times = np.cumsum(gaps)
    validation, test = (share / 100 for share in shares)
    split = or_none(by_quantile, stream_at(times), validation=validation, test=test)
    assume(split is not None)
    assert sum(split.sizes) == len(times)
    ordered = [Fraction(time) for time in times.tolist()]
    for end, share in (
        (split.training_end, Fraction(100 - sum(shares), 100)),
        (split.validation_end, Fraction(100 - shares[1], 100)),
    ):
        # No time on both sides of a cut: that is what makes the rule strict.
        assert times[end - 1] < times[end]
        # The quantile itself, exactly, by linear interpolation between order statistics.
        at = share * (len(times) - 1)
        low, part = int(at), at - int(at)
        cut = ordered[low] + part * (ordered[min(low + 1, len(times) - 1)] - ordered[low])
        slack = Fraction(1, 10**9) * (1 + cut)
        assert ordered[end - 1] <= cut + slack
        assert ordered[end] > cut - slack


def test_events_at_the_cut_s_time_stay_before_it():
    times = [0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15]
    # 21 events: the 70% quantile is exactly event 14's time 9, the 85% quantile event 17's.
    split = by_quantile(stream_at(times))
    assert split.sizes == (15, 3, 3)
    assert split.rule == {"rule": "time-quantiles", "validation": 0.15, "test": 0.15}


@given(st.integers(3, 300), SHARES)
def test_fractions_are_of_the_number_of_events(count, shares):
    validation, test = (share / 100 for share in shares)
    split = or_none(by_fraction, stream_at([0.0] * count), validation=validation, test=test)
    assume(split is not None)
    assert sum(split.sizes) == count
    assert abs(split.sizes[2] - count * test) <= 0.5 + 1e-9
    assert abs(split.training_end - count * (1 - validation - test)) <= 0.5 + 1e-9


@given(TIMES, st.data())
def test_times_and_masks_cut_alike(gaps, data):
    times = np.cumsum(gaps)
    low, high = sorted(data.draw(st.tuples(*[st.sampled_from(times.tolist())] * 2)))
    split = or_none(by_time, stream_at(times), validation_start=low, test_start=high)
    mask = [int(time >= low) + int(time >= high) for time in times]
    other = or_none(by_mask, mask)
    assert (split is None) == (other is None)
    if split is not None:
        assert split.sizes == other.sizes == tuple(mask.count(part) for part in range(3))
        assert split.rule == {"rule": "times", "validation_start": low, "test_start": high}
        assert other.rule == {"rule": "given mask"}


def test_a_mask_may_be_any_integers():
    assert by_mask(np.array([0, 1, 1, 2], np.uint8)).sizes == (1, 2, 1)
    assert by_mask([0, 1, 2]).sizes == (1, 1, 1)


@pytest.mark.parametrize(
    ("mask", "message", "row"),
    [
        ([0, 1, 0, 2], "event 2: its split 0 comes after 1", 2),
        ([0, 2, 1, 2], "event 2: its split 1 comes after 2", 2),
        ([0, 1, 3], "holds 0", None),
        ([0, -1, 2], "holds 0", None),
        ([[0, 1, 2]], "holds 0", None),
        (["train", "test"], "holds 0", None),
        ([0, 0.5, 2], "holds 0", None),
        ([0, float("nan"), 2], "holds 0", None),
        ([0, 0, 2], "validation split is empty", None),
        ([0, 1, 1], "test split is empty", None),
        ([1, 1, 2], "training split is empty", None),
        ([], "training split is empty", None),
    ],
)
def test_masks_that_cut_nothing_are_refused(mask, message, row):
    with pytest.raises(SettingError, match=message) as caught:
        by_mask(mask)
    assert caught.value.row == row


@pytest.mark.parametrize("rule", [by_quantile, by_fraction])
@pytest.mark.parametrize(
    ("shares", "setting"),
    [
        ({"validation": 0.0}, "validation"), ({"validation": 1.0}, "validation"),
        ({"test": -0.1}, "test"), ({"test": float("nan")}, "test"),
        ({"validation": 0.5, "test": 0.5}, "validation"),
        ({"validation": 0.7, "test": 0.6}, "validation"),
    ],
)  # fmt: skip
def test_shares_that_leave_nothing_are_refused(rule, shares, setting):
    with pytest.raises(SettingError) as caught:
        rule(stream_at(range(10)), **shares)
    assert caught.value.setting == setting


@pytest.mark.parametrize(
    "rule", [by_quantile, by_fraction, lambda s: by_time(s, validation_start=1, test_start=2)]
)
def test_two_events_are_not_enough(rule):
    with pytest.raises(SettingError, match="a stream of 2 cannot be split in three"):
        rule(stream_at([0, 1]))


def test_events_of_one_time_cannot_be_cut_by_time():
    with pytest.raises(SettingError, match=r"validation split is empty .*time-quantiles"):
        by_quantile(stream_at([5.0] * 20))


def test_test_before_validation_and_nan_are_refused():
    for starts in ((8, 6), (float("nan"), 8), (6, float("nan"))):
        with pytest.raises(SettingError, match="split is empty"):
            by_time(stream_at(range(10)), validation_start=starts[0], test_start=starts[1])


@pytest.mark.parametrize("bounds", [(0, 5, 10), (5, 5, 10), (5, 10, 10), (6, 5, 10), (-1, 5, 10)])
def test_a_split_has_no_empty_part(bounds):
    with pytest.raises(SettingError, match=r"the (training|validation|test) split is empty"):
        Split(*bounds, {"rule": "by hand"})


@pytest.mark.parametrize("start", [-1, 5, 6])
def test_training_starts_within_the_stream_and_before_it_ends(start):
    with pytest.raises(SettingError, match=r"training"):
        Split(5, 7, 10, {"rule": "by hand"}, training_start=start)


def test_events_before_the_training_start_belong_to_no_part():
    split = Split(5, 7, 10, {}, training_start=2)
    assert split.sizes == (3, 2, 3)
    assert split.durations(stream_at([0, 1, 5, 7, 9, 20, 21, 22, 23, 24])) == (4.0, 1.0)


def test_durations_are_from_first_to_last_event_of_each_part():
    stream = stream_at([0, 1, 5, 7, 9, 20])
    assert Split(3, 5, 6, {}).durations(stream) == (5.0, 2.0)
