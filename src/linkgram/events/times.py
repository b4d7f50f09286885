"""Times judged: finite float64 numbers, and dates as seconds since 1970 (UTC).

Every resolution of the same instant gives the same float: whole seconds and the rest are converted
apart. Nothing is rounded into a tie: when two distinct times would become one float64, the column
is refused, because a model that sees a tie where there was an order learns something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkgram.errors import EventError, SettingError, shown
from linkgram.events.arrays import EXACT_LIMIT
from linkgram.events.columns import first_true, refuse_missing

if TYPE_CHECKING:
    import polars as pl

ISO = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:(?P<clock>[T ])[0-9]{2}:[0-9]{2}(?P<seconds>:[0-9]{2}(?:[.][0-9]+)?)?"
    r"(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
TIME_LIMIT = 1e300
PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}


def iso_format(text: str) -> str | None:
    """The format of a date as ISO 8601 writes it, which needs no setting; None for other text.

    >>> iso_format("2024-05-01"), iso_format("2024-05-01T12:30:00.25+02:00")
    ('%Y-%m-%d', '%Y-%m-%dT%H:%M:%S%.f%#z')
    >>> iso_format("5/1/24 12:30 PM") is None
    True
    """
    found = ISO.fullmatch(text.strip())
    if found is None:
        return None
    clock = f"{found['clock']}%H:%M" if found["clock"] else ""
    seconds = ":%S%.f" if found["seconds"] else ""
    return f"%Y-%m-%d{clock}{seconds}" + ("%#z" if found["zone"] else "")


def text_times(
    values: pl.Series, column: str, time_format: str | None, first_row: int = 0
) -> pl.Series:
    """Parse times written as text: numbers, or dates in the given format.

    >>> import polars as pl
    >>> text_times(pl.Series(["1", "2.5"]), "t", None).to_list()
    [1.0, 2.5]
    """
    import polars as pl

    texts = values.str.strip_chars()
    if time_format is not None:
        parsed = _parse_dates(texts, time_format)
    else:
        parsed = texts.cast(pl.Int64, strict=False)
        if parsed.null_count() > values.null_count():
            parsed = texts.cast(pl.Float64, strict=False)
    row = first_true(parsed.is_null() & values.is_not_null())
    if row is not None:
        expected = "a number" if time_format is None else f"a date in the format {time_format!r}"
        raise EventError(
            f"event {first_row + row}: time {shown(values[row])} in column {column!r} "
            f"is not {expected}",
            row=first_row + row,
            column=column,
            value=values[row],
            hint='dates written as text need a time_format such as "%m/%d/%y %I:%M %p", unless all '
            "are written as 2024-05-01 12:30:00"
            if time_format is None
            else None,
        )
    return parsed


def _parse_dates(texts: pl.Series, time_format: str) -> pl.Series:
    """Parse dates; those that do not fit the format become null."""
    import polars as pl

    try:
        parsed = texts.str.to_datetime(time_format, strict=False, time_unit="us")
        # Nanoseconds reach from 1678 to 2261 and wrap silently beyond, so they are taken only
        # where the format has fractions of a second and every year is inside.
        if "f" in time_format and parsed.dt.year().is_between(1678, 2261).all():
            parsed = texts.str.to_datetime(time_format, strict=False, time_unit="ns")
    except pl.exceptions.PolarsError as error:
        raise SettingError(
            f"time_format {time_format!r} is not usable: {str(error).splitlines()[0]}",
            setting="time_format",
            value=time_format,
        ) from None
    return parsed


def judged_times(
    values: pl.Series, column: str, time_format: str | None = None, first_row: int = 0
) -> tuple[npt.NDArray[np.float64], str]:
    """Give times as finite float64, and their unit: "s" for dates, "as given" for numbers.

    >>> import polars as pl, datetime
    >>> judged_times(pl.Series([datetime.datetime(1970, 1, 2)]), "t")
    (array([86400.]), 's')
    """
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Null and len(values) == 0:
        return np.empty(0), "as given"
    refuse_missing(values, column, first_row)
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        values = values.cast(pl.String)
        # The first one decides for all of them: a column is written in one way.
        time_format = time_format or (iso_format(values[0]) if len(values) else None)
        values = text_times(values, column, time_format, first_row)
        dtype = values.dtype
    elif time_format is not None and not dtype.is_temporal():
        raise SettingError(
            f"time_format is for times written as text; column {column!r} holds {dtype}",
            setting="time_format",
            value=time_format,
        )
    if isinstance(dtype, pl.Datetime | pl.Duration):
        return _exact(values, column, PER_SECOND[dtype.time_unit], first_row), "s"
    if dtype == pl.Date:
        return values.to_physical().cast(pl.Float64).to_numpy() * 86400.0, "s"
    if dtype.is_integer():
        result = _exact(values, column, 1, first_row)
    elif dtype.is_float() or dtype.is_decimal():
        result = values.cast(pl.Float64).to_numpy()
    else:
        raise EventError(
            f"column {column!r} holds {dtype}; times are numbers, dates or datetimes",
            column=column,
            value=str(dtype),
        )
    wrong = np.flatnonzero(~(np.abs(result) <= TIME_LIMIT))
    if wrong.size:
        row = int(wrong[0])
        raise EventError(
            f"event {first_row + row}: time {result[row]} in column {column!r} is not a usable "
            f"number; times must be finite and within +-{TIME_LIMIT:g}",
            row=first_row + row,
            column=column,
            value=float(result[row]),
        )
    # Adding zero turns -0.0 into 0.0: the two are the same time and must have the same bytes.
    return result + 0.0, "as given"


def _exact(
    values: pl.Series, column: str, per_second: int, first_row: int
) -> npt.NDArray[np.float64]:
    """Integers divided by `per_second`, refused when two distinct ones would become one float."""
    import polars as pl

    small = values.to_physical().cast(pl.Int64, strict=False)
    row = first_true(small.is_null())
    if row is not None:
        raise EventError(
            f"event {first_row + row}: time {values[row]} in column {column!r} "
            "does not fit a 64-bit integer",
            row=first_row + row,
            column=column,
            value=values[row],
        )
    integers = small.to_numpy()
    result = _floats(integers, per_second)
    if len(integers) and max(int(integers.max()), -int(integers.min())) > EXACT_LIMIT:
        order = np.argsort(integers, kind="stable")
        ordered = integers[order]
        merged = np.flatnonzero(
            (np.diff(ordered) != 0) & (np.diff(_floats(ordered, per_second)) == 0)
        )
        if merged.size:
            later = np.maximum(order[merged], order[merged + 1])
            pair = merged[np.argmin(later)]
            other, row = sorted((int(order[pair]), int(order[pair + 1])))
            raise EventError(
                f"event {first_row + row}: time {values[row]} in column {column!r} would become "
                f"equal to event {first_row + other}'s {values[other]}; "
                "times are 64-bit floats, which tell 16 digits apart",
                row=first_row + row,
                column=column,
                value=values[row],
                hint="divide nanoseconds by 1e9 or convert them to datetimes; "
                "if distinct times still merge, subtract the first time from all",
            )
    return result


def _floats(integers: npt.NDArray[np.int64], per_second: int) -> npt.NDArray[np.float64]:
    if per_second == 1:
        return integers.astype(np.float64)
    whole, rest = np.divmod(integers, per_second)
    return whole.astype(np.float64) + rest.astype(np.float64) / per_second
