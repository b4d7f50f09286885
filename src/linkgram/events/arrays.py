"""Array-likes: whatever holds one column of values becomes one polars Series, its type kept.

NumPy arrays, lists, pandas columns and Arrow arrays are told apart by what they can do, never by
importing the library they come from. Python objects are looked at one by one, because a column of
objects may hold anything. No judgement is made here about what a source or a time may be: that is
`linkgram.events.columns`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram.errors import EventError, shown

if TYPE_CHECKING:
    import polars as pl

INTEGER_LIMIT = 2**63 - 1
EXACT_LIMIT = 2**53


def series(values: Any, column: str) -> pl.Series:
    """One column of values as a polars Series.

    >>> series([3, 1], "u").to_list()
    [3, 1]
    """
    import polars as pl

    if isinstance(values, pl.Series):
        return values.rename(column)
    if hasattr(values, "iloc") and hasattr(values, "to_numpy"):
        if getattr(values.dtype, "tz", None) is not None:
            values = values.dt.tz_convert(None)
        # A whole float column with missing values stays float: the ids are judged later, by row.
        values = values.to_numpy()
    elif hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return pl.Series(column, values)
    if not isinstance(values, np.ndarray):
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise EventError(
                f"column {column!r} must be an array of values, found {type(values).__name__}",
                column=column,
                value=values,
            )
        values = np.fromiter(values, dtype=object)
    if values.ndim != 1:
        raise EventError(
            f"column {column!r} must have one dimension, found shape {values.shape}", column=column
        )
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        plain = series(np.asarray(values.data), column)
        return pl.select(pl.when(pl.lit(pl.Series(~mask))).then(plain).alias(column)).to_series()
    if values.dtype.kind in "OT":
        return _objects(values.astype(object).tolist(), column)
    if values.dtype.kind in "Mm":
        return pl.Series(column, _supported_resolution(values, column))
    if values.dtype.kind == "f" and values.dtype.itemsize != 4:
        values = values.astype(np.float64)
    if values.dtype.kind not in "iufbU":
        raise EventError(
            f"column {column!r} holds {values.dtype}; "
            "ids are integers or text, times are numbers or dates",
            column=column,
            value=str(values.dtype),
            hint="decode bytes to text first" if values.dtype.kind == "S" else None,
        )
    return pl.Series(column, values)


def _supported_resolution(values: np.ndarray[Any, Any], column: str) -> np.ndarray[Any, Any]:
    """Dates in one of the resolutions polars knows, unchanged in value."""
    unit = np.datetime_data(values.dtype)[0]
    if unit == "generic" or unit in ("ps", "fs", "as"):
        raise EventError(
            f"column {column!r} has dates of resolution {unit!r}; days to nanoseconds are accepted",
            column=column,
            value=unit,
        )
    code = values.dtype.kind
    days = unit in ("Y", "M", "W", "D") and code == "M"
    target = f"{code}8[{'D' if days else unit if unit in ('us', 'ns') else 'ms'}]"
    converted: np.ndarray[Any, Any] = values.astype(target)
    wrong = np.flatnonzero((converted.astype(values.dtype) != values) & ~np.isnat(values))
    if wrong.size:
        row = int(wrong[0])
        raise EventError(
            f"event {row}: time {values[row]} is too far from 1970",
            row=row,
            column=column,
            value=values[row],
        )
    return converted


def _kind(cls: type) -> str:
    """Say what a Python value is to us, by its class."""
    if issubclass(cls, str):
        return "text"
    if issubclass(cls, bool | np.bool_):
        return "boolean"
    if issubclass(cls, int | np.integer):
        return "integer"
    if issubclass(cls, float | np.floating):
        return "number"
    if cls is type(None) or cls.__name__ in ("NAType", "NaTType"):
        return "missing"
    if issubclass(cls, datetime.datetime):
        return "datetime"
    if issubclass(cls, datetime.date):
        return "date"
    return cls.__name__


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _objects(values: list[Any], column: str) -> pl.Series:
    """Python objects as one Series; mixed kinds are refused at the first value that differs."""
    import polars as pl

    kinds = {cls: _kind(cls) for cls in set(map(type, values))}
    if "missing" in kinds.values() or "number" in kinds.values():
        values = [
            None if kinds[type(v)] == "missing" or (kinds[type(v)] == "number" and v != v) else v
            for v in values
        ]
        kinds = {cls: _kind(cls) for cls in set(map(type, values))}
    found = set(kinds.values()) - {"missing"}
    if not found:
        return pl.Series(column, values, dtype=pl.Null)
    if found == {"text"}:
        texts = [None if v is None else str(v) for v in values]
        try:
            return pl.Series(column, texts, dtype=pl.String)
        except UnicodeEncodeError:
            row = next(row for row, text in enumerate(texts) if text and not _is_unicode(text))
            raise EventError(
                f"event {row}: column {column!r} holds half a character (a lone surrogate)",
                row=row,
                column=column,
                value=values[row],
                hint="ids must be valid Unicode",
            ) from None
    if found == {"boolean"}:
        return pl.Series(column, [None if v is None else bool(v) for v in values], dtype=pl.Boolean)
    if found <= {"integer", "number"}:
        limit = INTEGER_LIMIT if found == {"integer"} else EXACT_LIMIT
        for row, v in enumerate(values):
            if v is not None and kinds[type(v)] == "integer" and not -limit - 1 <= v <= limit:
                raise EventError(
                    f"event {row}: column {column!r} holds {shown(v)}, which is above {limit}",
                    row=row,
                    column=column,
                    value=v,
                    hint="use text for ids that do not fit 64-bit integers",
                )
        dtype = pl.Int64 if found == {"integer"} else pl.Float64
        number = int if found == {"integer"} else float
        return pl.Series(column, [None if v is None else number(v) for v in values], dtype=dtype)
    if found == {"date"}:
        return pl.Series(column, values, dtype=pl.Date)
    if found == {"datetime"}:
        return pl.Series(column, _datetimes(values))
    first = next(kinds[type(v)] for v in values if v is not None)
    known = first in ("text", "boolean", "integer", "number", "date", "datetime")
    row, value = next(
        (row, v)
        for row, v in enumerate(values)
        if v is not None and (not known or kinds[type(v)] != first)
    )
    raise EventError(
        f"event {row}: column {column!r} holds {shown(value)} ({kinds[type(value)]})"
        + (f" after values that are {first}" if known else "")
        + "; a column holds one type: ids are integers or text, times are numbers or dates",
        row=row,
        column=column,
        value=value,
    )


def _datetimes(values: list[Any]) -> np.ndarray[Any, Any]:
    """Datetime objects as UTC; those that carry nanoseconds say so by offering `to_datetime64`."""
    nanoseconds = any(hasattr(v, "to_datetime64") for v in values)
    plain: list[Any] = []
    for v in values:
        if v is not None and hasattr(v, "to_datetime64"):
            v = v.to_datetime64()
        elif v is not None and v.tzinfo is not None:
            v = v.astimezone(datetime.UTC).replace(tzinfo=None)
        plain.append(v)
    return np.array(plain, dtype="M8[ns]" if nanoseconds else "M8[us]")
