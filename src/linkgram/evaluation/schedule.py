"""Schedule: which history a query may see.

Every query of a group is scored before any event of the group is observed; the schedule says what a
group is. A score means nothing without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from linkgram.errors import SettingError, shown

ScheduleName = Literal["event-wise", "batch", "strict-timestamp"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Event-wise, in batches of `size` consecutive events, or strictly by timestamp.

    >>> str(Schedule.parse("batch(200)")), str(Schedule.parse("event-wise"))
    ('batch(200)', 'event-wise')
    """

    name: ScheduleName = "event-wise"
    size: int = 1

    def __post_init__(self) -> None:
        if self.name not in ("event-wise", "batch", "strict-timestamp"):
            _refuse(self.name)
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 1:
            raise SettingError(
                f"a batch of {shown(self.size)} events cannot be; accepted: 1 or more",
                setting="schedule",
                value=self.size,
            )

    @classmethod
    def parse(cls, text: str | Schedule) -> Schedule:
        """Read a schedule as it is printed; `batch-200` and `batch:200` mean `batch(200)`."""
        if isinstance(text, Schedule):
            return text
        if text in ("event-wise", "strict-timestamp"):
            return cls(text)  # type: ignore[arg-type]
        batch = re.fullmatch(r"batch[-:(]?([0-9]{1,9})\)?", text) if isinstance(text, str) else None
        if batch is None:
            _refuse(text)
        return cls("batch", int(batch[1]))

    def __str__(self) -> str:
        return f"batch({self.size})" if self.name == "batch" else self.name

    def groups(self, times: NDArray[np.float64], first: int, end: int) -> Iterator[tuple[int, int]]:
        """The groups that cover rows `first` to `end`, as (start, stop).

        Under strict timestamps the first group begins at the first event of its time, even before
        `first`: what shares a query's time is not history.

        >>> list(Schedule("strict-timestamp").groups(np.array([0.0, 1, 1, 2]), 2, 4))
        [(1, 3), (3, 4)]
        """
        if self.name == "strict-timestamp":
            start = int(np.searchsorted(times, times[first], side="left")) if first < end else end
            while start < end:
                stop = min(int(np.searchsorted(times, times[start], side="right")), end)
                yield start, stop
                start = stop
        else:
            step = self.size if self.name == "batch" else 1
            for start in range(first, end, step):
                yield start, min(start + step, end)


def _refuse(found: object) -> NoReturn:
    raise SettingError(
        f"schedule {shown(found)} is unknown; "
        f"accepted: event-wise, batch(N) such as batch(200), strict-timestamp",
        setting="schedule",
        value=found,
    )
