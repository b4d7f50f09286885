"""Columns chosen and ids judged: external ids are integers of 0 or larger, or text.

Rows are counted from 0 over the events, and the first bad row is the one a refusal names. Floats
are accepted as ids only when every one is whole, which is how data frames keep integers next to
missing values. Times are judged in `linkgram.events.times`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkgram.errors import EventError, shown
from linkgram.events.arrays import EXACT_LIMIT, INTEGER_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt
    import polars as pl


@dataclass(frozen=True, slots=True)
class EventColumns:
    """Three judged columns of one length, still in the order they were given in."""

    source: pl.Series
    destination: pl.Series
    times: npt.NDArray[np.float64]
    time_unit: str
    time_name: str


def position(name: str | int, found: Sequence[str]) -> int:
    """Where a column is, by its name or by its position from 0.

    >>> position("v", ["u", "v", "t"]), position(2, ["u", "v", "t"])
    (1, 2)
    """
    listed = ", ".join(shown(label) for label in found[:50]) + (", ..." if len(found) > 50 else "")
    if isinstance(name, int):
        if 0 <= name < len(found):
            return name
        raise EventError(
            f"there is no column at position {name}; positions are counted from 0 and "
            f"{len(found)} columns were found: {listed}",
            column=str(name),
            value=name,
        )
    count = found.count(name)
    if count == 1:
        return found.index(name)
    other = [mark for mark in ";,\t|" if mark in found[0]] if len(found) == 1 else []
    raise EventError(
        f"{f'{count} columns are' if count else 'no column is'} named {name!r}; "
        f"the columns found are {listed or 'none'}",
        column=name,
        hint=f"the fields seem to be separated by {other[0]!r}: pass separator= to say so"
        if other
        else "name the columns with source=, destination= and time=",
    )


def first_true(flags: pl.Series) -> int | None:
    """Find the first row whose flag is true, if any.

    >>> import polars as pl
    >>> first_true(pl.Series([False, None, True]))
    2
    """
    rows = flags.fill_null(False).arg_true()
    return int(rows[0]) if len(rows) else None


def refuse_missing(values: pl.Series, column: str, first_row: int = 0) -> None:
    """Refuse a column with a missing value, naming the first event that lacks it.

    >>> import polars as pl
    >>> refuse_missing(pl.Series([1, 2]), "u")
    """
    row = first_true(values.is_null()) if values.null_count() else None
    if row is not None:
        raise EventError(
            f"event {first_row + row}: column {column!r} has no value; "
            "every event needs a source, a destination and a time",
            row=first_row + row,
            column=column,
            hint="drop or fill the events with missing values",
        )


def ids(values: pl.Series, column: str) -> pl.Series:
    """External ids as Int64 or String, every one of them acceptable.

    >>> import polars as pl
    >>> ids(pl.Series([3.0, 1.0]), "u").to_list()
    [3, 1]
    """
    import polars as pl

    dtype = values.dtype
    if dtype == pl.Null and len(values) == 0:
        return values.cast(pl.Int64)
    if dtype.is_float():
        values = values.fill_nan(None)
    refuse_missing(values, column)
    if dtype == pl.String:
        return values
    if dtype in (pl.Categorical, pl.Enum):
        return values.cast(pl.String)
    if dtype.is_float() or dtype.is_decimal():
        numbers = values.cast(pl.Float64)
        row = first_true((numbers != numbers.floor()) | (numbers.abs() > EXACT_LIMIT))
        if row is not None:
            raise EventError(
                f"event {row}: id {shown(values[row])} in column {column!r} is not a whole number; "
                "ids are integers or text",
                row=row,
                column=column,
                value=values[row],
                hint="check that the column holds ids, or convert it to text",
            )
        values = numbers.cast(pl.Int64)
    elif not dtype.is_integer():
        raise EventError(
            f"event 0: column {column!r} holds {dtype}; ids are integers or text"
            if len(values)
            else f"column {column!r} holds {dtype}; ids are integers or text",
            row=0 if len(values) else None,
            column=column,
            value=values[0] if len(values) else None,
            hint="convert the column to integers or text",
        )
    integers = values.cast(pl.Int64, strict=False)
    row = first_true(integers.is_null())
    if row is not None:
        raise id_too_large(row, column, values[row])
    row = first_true(integers < 0)
    if row is not None:
        raise EventError(
            f"event {row}: id {integers[row]} in column {column!r} is negative; "
            "integer ids must be 0 or larger",
            row=row,
            column=column,
            value=integers[row],
            hint="add an offset, or convert the column to text",
        )
    return integers


def id_too_large(row: int, column: str, value: object) -> EventError:
    """Make the refusal of an integer id that a signed 64-bit integer cannot hold.

    >>> id_too_large(7, "u", 2**63).row
    7
    """
    return EventError(
        f"event {row}: id {value} in column {column!r} does not fit; "
        f"integer ids must be from 0 to {INTEGER_LIMIT}",
        row=row,
        column=column,
        value=value,
        hint="convert the column to text",
    )
