"""Clock: a stream's times as a reader wants them: dates, or time since the first event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.shelf import columns
from linkgram.report.words import duration

SECONDS: Mapping[str, float] = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
DAY = 86_400.0
# Times before 1980 or after 2200 are counted from somewhere else than 1970.
DATES = (315_532_800.0, 7_258_118_400.0)
STEPS = (
    (1e-3, "1 ms"), (1.0, "1 s"), (60.0, "1 min"), (3_600.0, "1 h"), (DAY, "1 day"),
    (7 * DAY, "1 week"), (30 * DAY, "1 month"), (365.25 * DAY, "1 year"),
    (3652.5 * DAY, "10 years"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clock:
    """How to show times.

    Attributes:
        unit: the stream's unit, such as "s"; None if it is not known.
        first: time of the first event.
        dated: whether times are dates.

    >>> Clock("s", 1_082_040_961.0, True).name(1_082_040_961.0)
    '2004-04-15 14:56'
    >>> Clock("s", 100.0, False).name(86_500.0), Clock(None, 0.0, False).name(3.0)
    ('1 day after the first event', '3')
    """

    unit: str | None
    first: float
    dated: bool

    @classmethod
    def of(cls, study: StudyResult) -> Clock:
        """The clock of a data set; its profile knows the first event."""
        unit = study.data.get("time_unit")
        rows = columns(study, "events_over_time", "from") if study.study == "profile" else []
        first = rows[0][0] if rows else 0.0
        known = unit if unit in SECONDS else None
        seconds = first * SECONDS[known] if known else 0.0
        return cls(known, first, known is not None and DATES[0] < seconds < DATES[1])

    def place(self, time: float) -> float:
        """Where a time stands on the axis: milliseconds since 1970, days, or the time itself."""
        if self.unit is None:
            return time
        scale = SECONDS[self.unit]
        return time * scale * 1000 if self.dated else (time - self.first) * scale / DAY

    def axis(self, field: str) -> dict[str, Any]:
        """The axis that `place` is for."""
        if self.dated:
            year = f"{datetime.fromtimestamp(self.first * SECONDS[str(self.unit)], UTC):%Y}"
            return {"field": field, "type": "temporal", "scale": {"type": "utc"},
                    "title": f"time, from {year} on",
                    "axis": {"tickCount": 5, "labelOverlap": True}}  # fmt: skip
        title = "time" if self.unit is None else "days after the first event"
        return {"field": field, "type": "quantitative", "title": title,
                "axis": {"tickCount": 5, "format": "~s"},
                "scale": {"zero": self.unit is not None}}  # fmt: skip

    def name(self, time: float) -> str:
        """A time for reading."""
        if self.unit is None:
            return f"{time:,.10g}"
        if not self.dated:
            return f"{self.span(time - self.first)} after the first event"
        seconds = time * SECONDS[self.unit]
        if not DATES[0] < seconds < DATES[1]:
            return f"{time:,.10g}"
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"

    def span(self, length: float) -> str:
        """A length of time for reading."""
        return duration(length, self.unit)

    def span_axis(self, low: float, high: float) -> dict[str, Any]:
        """Ticks of a log axis of time spans, at round ones."""
        if self.unit is None:
            return {"tickCount": 6, "format": "~s"}
        scale = SECONDS[self.unit]
        steps = [(size / scale, name) for size, name in STEPS if low <= size / scale <= high]
        label = "''"
        for size, name in steps:
            # The names are this module's own; no text of a data set is ever part of it.
            label = f"abs(datum.value / {size!r} - 1) < 0.001 ? '{name}' : {label}"
        return {"values": [size for size, _ in steps], "labelExpr": label, "labelOverlap": "greedy"}
