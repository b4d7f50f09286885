"""TGB's link sets: how its files become numbered events, and how its splits are found.

Two layouts. *Two roles*: source and destination are numbered apart in the file, and every
destination is moved up by the largest source plus one. *Shared ids*: ids are names, numbered as
they come, the source of an event before its destination. Times are whole numbers.

    q70, q85 = quantiles of all times, linearly interpolated
    training t <= q70; validation q70 < t <= q85; test q85 < t
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from linkgram.datasets.vocabulary import NumberedEvents, numbered_together
from linkgram.errors import EventError
from linkgram.events.blocks import blocks
from linkgram.events.encode import encode
from linkgram.events.read import read_columns

if TYPE_CHECKING:
    from pathlib import Path

    from linkgram.events.columns import EventColumns

VALIDATION_SHARE = TEST_SHARE = 0.15
BENCHMARK_HOME = "America/Toronto"
DAY_FORMAT = "%Y-%m-%d"


def read_tgb(path: Path, layout: str) -> tuple[NumberedEvents, dict[str, Any]]:
    r"""Read the events of one edge list under the benchmark's numbers; and facts about them.

    >>> from pathlib import Path
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "tgbl-toy_edgelist.csv")
    >>> _ = path.write_text("u,i,ts,label,idx\n0,0,5.0,0,1\n1,0,6.0,0,2\n")
    >>> events, facts = read_tgb(path, "two roles")
    >>> events.destinations.tolist(), facts
    ([2, 2], {'destination_shift': 2})
    """
    if layout == "two roles":
        columns = read_columns(path, (0, 1, 2), ragged=True)
        sources, destinations = _integers(columns, "source"), _integers(columns, "destination")
        shift = int(sources.max()) + 1
        if shift + int(destinations.max()) > np.iinfo(np.int64).max:
            raise EventError(f"ids of {path.name} are too large", value=shift - 1)
        return (
            NumberedEvents(sources, destinations + shift, np.trunc(columns.times)),
            {"destination_shift": shift},
        )
    dates = _has_dates(path)
    columns = read_columns(path, (1, 2, 0), ragged=True, time_format=DAY_FORMAT if dates else None)
    times = _midnights(columns.times) if dates else np.trunc(columns.times)
    texts = [columns.source, columns.destination]
    del columns
    # Each column is let go before the next is encoded: the largest sets hold 67 million events.
    encoded = (*encode(texts.pop(0)), *encode(texts.pop(0)))
    return NumberedEvents(*numbered_together(*encoded), times), {}


def split_by_quantiles(times: npt.NDArray[np.float64]) -> tuple[int, int, dict[str, Any]]:
    """Find the ends of training and validation in ordered times; and the rule that did.

    >>> split_by_quantiles(np.arange(20.0))[:2]
    (14, 17)
    """
    # The very sums of the benchmark: rounding decides which side an event at the border is on.
    shares = [1 - VALIDATION_SHARE - TEST_SHARE, 1 - TEST_SHARE]
    borders = np.quantile(times.astype(np.int64), shares)
    training_end, validation_end = np.searchsorted(times, borders, side="right")
    rule = {
        "rule": "time-quantiles",
        "quantiles": [0.7, 0.85],
        "borders": [float(border) for border in borders],
    }
    return int(training_end), int(validation_end), rule


def in_time_order(events: NumberedEvents) -> tuple[NumberedEvents, list[str]]:
    """Sort events whose times go back, ties in file order; and the note that says so.

    >>> events = NumberedEvents(np.array([1, 2]), np.array([3, 4]), np.array([6.0, 5.0]))
    >>> in_time_order(events)[0].sources.tolist()
    [2, 1]
    """
    backwards = int(np.count_nonzero(np.diff(events.times) < 0))
    if not backwards:
        return events, []
    note = (
        f"times go back in {backwards:,} places of the file: events were sorted by time, ties in "
        "file order; the splits hold the same events, in another order than the benchmark's"
    )
    return events.taken(np.argsort(events.times, kind="stable")), [note]


def _integers(columns: EventColumns, role: str) -> npt.NDArray[np.int64]:
    values = getattr(columns, role).to_numpy()
    if values.dtype != np.int64:
        raise EventError(
            f"the {role}s of this layout are integers, found {values.dtype}", column=role
        )
    return np.asarray(values)


def _has_dates(path: Path) -> bool:
    """Whether the first event's time is a date such as 2019-01-01 instead of a number."""
    for block in blocks(path, ",", header=True):
        if len(block.ends) > 1:
            first = block.record(1).split(b",")[0].decode().strip().strip('"')
            return first.count("-") == 2 and first.replace("-", "").isdigit()
    return False


def _midnights(days: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Days as seconds of their local midnight where the benchmark was made.

    Its loader takes the midnight of whatever machine it runs on; the shipped negatives carry the
    times of the machine that drew them.
    """
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        zone = ZoneInfo(BENCHMARK_HOME)
    except ZoneInfoNotFoundError:
        raise EventError(
            f"the days of this file are midnights in {BENCHMARK_HOME}, a time zone that this "
            "machine does not know",
            hint="pip install tzdata",
        ) from None
    known, which = np.unique(days, return_inverse=True)
    local = [
        datetime.fromtimestamp(day, UTC).replace(tzinfo=zone).timestamp() for day in known.tolist()
    ]
    return np.array(local)[which]
