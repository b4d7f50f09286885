"""Readers: from whatever holds events to three judged columns, chosen by name or by position.

    path .csv .tsv .txt (+ .gz)            block by block, three columns only
    path .parquet                          three columns only
    polars DataFrame or LazyFrame          as it is
    pandas DataFrame                       column by column, through NumPy
    NumPy structured array                 field by field
    mapping of names to array-likes        value by value
    anything with __arrow_c_stream__       through the Arrow C stream interface

Text in a delimited file has no type; a column of text in any other container stays text.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram.errors import EventError, SettingError
from linkgram.events import columns
from linkgram.events.arrays import series
from linkgram.events.csv import SEPARATORS, Names, read_csv, separator_of
from linkgram.events.room import refuse_without_room
from linkgram.events.times import judged_times

if TYPE_CHECKING:
    import polars as pl

ROLES = ("source", "destination", "time")


def read_columns(
    data: Any,
    names: Names,
    *,
    separator: str | None = None,
    header: bool = True,
    ragged: bool = False,
    time_format: str | None = None,
) -> columns.EventColumns:
    """Read and judge the three columns of any supported container.

    >>> read_columns({"u": [1], "v": ["a"], "t": [5]}, ("u", "v", "t")).times
    array([5.])
    """
    _check_names(names, header)
    if isinstance(data, str | os.PathLike):
        path = Path(data)
        promised = separator_of(path)
        if promised is not None or (separator is not None and path.suffix != ".parquet"):
            return read_csv(
                path,
                names,
                separator=separator if separator is not None else promised or ",",
                header=header,
                ragged=ragged,
                time_format=time_format,
            )
    given = {"separator": separator is not None, "header": not header, "ragged": ragged}
    for setting in (setting for setting, changed in given.items() if changed):
        raise SettingError(
            f"{setting} is for files of delimited text; {_what(data)} is read without it",
            setting=setting,
        )
    if isinstance(data, str | os.PathLike):
        three = _parquet(Path(data), names)
        if not len(three[0]):
            raise EventError(f"{Path(data).name} has no events")
    else:
        three = _in_memory(data, names)
    return judge(*three, time_format=time_format)


def judge(
    source: pl.Series, destination: pl.Series, time: pl.Series, *, time_format: str | None = None
) -> columns.EventColumns:
    """Three columns checked for one length and for acceptable values.

    >>> import polars as pl
    >>> judge(*(pl.Series(name, [1]) for name in "uvt")).time_name
    't'
    """
    if not len(source) == len(destination) == len(time):
        raise EventError(
            "columns differ in length: "
            + ", ".join(f"{c.name!r} has {len(c)}" for c in (source, destination, time)),
            value=(len(source), len(destination), len(time)),
        )
    times, unit = judged_times(time, time.name, time_format)
    return columns.EventColumns(
        columns.ids(source, source.name),
        columns.ids(destination, destination.name),
        times,
        unit,
        time.name,
    )


def _check_names(names: Names, header: bool) -> None:
    for role, name in zip(ROLES, names, strict=True):
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise SettingError(
                f"{role} must be a column's name or position, found {name!r}",
                setting=role,
                value=name,
            )
        if not header and isinstance(name, str):
            raise SettingError(
                f"{role}={name!r} names a column, but header=False says that there are no names",
                setting=role,
                value=name,
                hint="pass positions, such as source=0, destination=1, time=2",
            )
    if len(set(names)) < 3:
        raise SettingError(
            f"source, destination and time must be three columns, found {names}",
            setting="destination" if names[0] == names[1] else "time",
            value=names,
        )


def _what(data: object) -> str:
    return repr(Path(data).name) if isinstance(data, str | os.PathLike) else type(data).__name__


def _parquet(path: Path, names: Names) -> list[pl.Series]:
    import polars as pl

    if path.suffix != ".parquet":
        raise EventError(
            f"{path.name!r} has a suffix that says nothing about its format; accepted are "
            f"{', '.join(SEPARATORS)} (each also with .gz) and .parquet",
            value=path.suffix,
            hint="pass separator= to read it as delimited text",
        )
    # Opening it first gives the usual OSError, and keeps addresses of remote files out.
    with path.open("rb"):
        pass
    try:
        frame = pl.scan_parquet(path.resolve(), glob=False)
        found = frame.collect_schema().names()
        chosen = [found[columns.position(name, found)] for name in names]
        refuse_without_room(path.name, frame.select(pl.len()).collect().item())
        table = frame.select(chosen).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise EventError(
            f"{path.name} is not a readable Parquet file: {error}",
            hint="the file is damaged or of another format",
        ) from None
    return [table[name] for name in chosen]


def _in_memory(data: Any, names: Names) -> list[pl.Series]:
    import polars as pl

    if isinstance(data, pl.LazyFrame):
        found = data.collect_schema().names()
        data = data.select([found[columns.position(name, found)] for name in names]).collect()
    elif hasattr(data, "iloc") and hasattr(data, "columns"):
        found = [str(label) for label in data.columns]
        return [
            series(data.iloc[:, i], found[i])
            for i in (columns.position(name, found) for name in names)
        ]
    elif isinstance(data, Mapping):
        found = [str(label) for label in data]
        values = list(data.values())
        return [series(values[i], found[i]) for i in (columns.position(n, found) for n in names)]
    elif isinstance(data, np.ndarray) and data.dtype.names:
        found = list(data.dtype.names)
        return [
            series(data[found[i]], found[i]) for i in (columns.position(n, found) for n in names)
        ]
    elif not isinstance(data, pl.DataFrame):
        data = _arrow(data)
    return [data.to_series(columns.position(name, data.columns)) for name in names]


def _arrow(data: Any) -> pl.DataFrame:
    import polars as pl

    if hasattr(data, "__arrow_c_stream__"):
        try:
            return pl.DataFrame(data)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError) as error:
            raise EventError(
                f"{type(data).__name__} cannot be read as a table through its Arrow stream: {error}"
            ) from None
    raise EventError(
        f"events cannot be read from {type(data).__name__}; accepted are paths, polars and pandas "
        "DataFrames, Arrow tables, mappings of names to arrays, and NumPy structured arrays",
        value=type(data).__name__,
        hint="pass three arrays to EventStream.from_arrays",
    )
