"""Split: which events train, which validate, which test.

All splits cut the stream in time order, so a split is two row numbers and the rule they came from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.errors import SettingError
from linkgram.events import EventStream


@dataclass(frozen=True, slots=True)
class Split:
    """Rows `[0, training_end)` train, `[training_end, validation_end)` validate, the rest test.

    Rows before `training_start`, where a benchmark has such, are history that teaches nothing.
    """

    training_end: int
    validation_end: int
    events: int
    rule: Mapping[str, Any]
    training_start: int = 0

    def __post_init__(self) -> None:
        if self.training_start < 0:
            raise SettingError(
                f"training starts at row {self.training_start}; accepted: 0 or later",
                setting="split",
                value=self.training_start,
            )
        bounds = (self.training_start, self.training_end, self.validation_end, self.events)
        for name, first, end in zip(
            ("training", "validation", "test"), bounds, bounds[1:], strict=False
        ):
            if end <= first:
                raise SettingError(
                    f"the {name} split is empty (rows {first} to {end} of {self.events}) under "
                    f"the rule {told(self.rule)}",
                    hint="choose another split, such as one by fractions of the events",
                    setting="split",
                    value=dict(self.rule),
                )

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Events in training, validation and test."""
        return (
            self.training_end - self.training_start,
            self.validation_end - self.training_end,
            self.events - self.validation_end,
        )

    def durations(self, stream: EventStream) -> tuple[float, float]:
        """Last minus first time of the training and of the validation split."""
        times = stream.times
        a, b, c = self.training_start, self.training_end, self.validation_end
        return float(times[b - 1] - times[a]), float(times[c - 1] - times[b])


def by_quantile(stream: EventStream, *, validation: float = 0.15, test: float = 0.15) -> Split:
    """TGB's rule: cut at quantiles of all timestamps; events at a cut's time stay before it.

    >>> stream = EventStream.from_arrays([0] * 10, range(10), range(10))
    >>> by_quantile(stream).sizes
    (7, 1, 2)
    """
    _check_shares(validation, test)
    _check_events(stream)
    cuts = np.quantile(stream.times, [1 - validation - test, 1 - test])
    first, second = np.searchsorted(stream.times, cuts, side="right")
    rule = {"rule": "time-quantiles", "validation": validation, "test": test}
    return Split(int(first), int(second), len(stream), rule)


def by_fraction(stream: EventStream, *, validation: float = 0.15, test: float = 0.15) -> Split:
    """Cut by numbers of events, wherever their times fall.

    >>> by_fraction(EventStream.from_arrays([0] * 10, range(10), [0] * 10), test=0.2).sizes
    (6, 2, 2)
    """
    _check_shares(validation, test)
    _check_events(stream)
    count = len(stream)
    first, second = round(count * (1 - validation - test)), round(count * (1 - test))
    rule = {"rule": "event-fractions", "validation": validation, "test": test}
    return Split(first, second, count, rule)


def by_time(stream: EventStream, *, validation_start: float, test_start: float) -> Split:
    """Cut at two times: each split begins with the first event at or after its time.

    >>> stream = EventStream.from_arrays([0] * 10, range(10), range(10))
    >>> by_time(stream, validation_start=6, test_start=8).sizes
    (6, 2, 2)
    """
    _check_events(stream)
    first, second = np.searchsorted(stream.times, [validation_start, test_start], side="left")
    rule = {"rule": "times", "validation_start": validation_start, "test_start": test_start}
    return Split(int(first), int(second), len(stream), rule)


def by_mask(splits: Sequence[int] | NDArray[np.integer[Any]]) -> Split:
    """Given for each event: 0 training, 1 validation, 2 test, never falling.

    >>> by_mask([0, 0, 0, 1, 2, 2]).sizes
    (3, 1, 2)
    """
    values = np.asarray(splits)
    if values.ndim != 1 or not np.isin(values, (0, 1, 2)).all():
        raise SettingError(
            "a split mask holds 0 (training), 1 (validation) or 2 (test)", setting="split"
        )
    falls = np.flatnonzero(np.diff(values.astype(np.int8)) < 0)
    if falls.size:
        row = int(falls[0]) + 1
        raise SettingError(
            f"event {row}: its split {values[row]} comes after {values[row - 1]}; "
            f"training comes first, then validation, then test",
            setting="split",
            row=row,
        )
    first, second = np.searchsorted(values, [1, 2], side="left")
    return Split(int(first), int(second), len(values), {"rule": "given mask"})


def told(rule: Mapping[str, Any]) -> str:
    """A rule as messages say it.

    >>> told({"rule": "times", "validation_start": 3.0, "test_start": 5.0})
    'times (validation_start 3.0, test_start 5.0)'
    """
    rest = ", ".join(f"{name} {value}" for name, value in rule.items() if name != "rule")
    return f"{rule.get('rule')}" + (f" ({rest})" if rest else "")


def _check_shares(validation: float, test: float) -> None:
    for name, share in (("validation", validation), ("test", test)):
        if not 0 < share < 1:
            raise SettingError(
                f"setting `{name}` is {share}; accepted: a share between 0 and 1",
                setting=name,
                value=share,
            )
    if validation + test >= 1:
        raise SettingError(
            f"validation ({validation}) and test ({test}) together leave nothing to train on",
            setting="validation",
            value=validation,
        )


def _check_events(stream: EventStream) -> None:
    if len(stream) < 3:
        raise SettingError(
            f"a stream of {len(stream)} cannot be split in three; give at least 3 events",
            setting="split",
        )
