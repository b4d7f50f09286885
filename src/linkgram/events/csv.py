"""Delimited text: three columns of a file of untyped fields, parsed block by block.

Text has no types, so an id column is integers when every id in it is a whole number written plainly
(`7`, or `7.0` as a float column is written), and text otherwise: a column with `007` keeps its ids
as text, so that `007` and `7` stay two ids. Blocks keep ids as integers while they can. A plainly
written integer can be written back unchanged, so a text id in a late block widens the whole column
without reading the file again.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkgram.errors import EventError, SettingError, shown
from linkgram.events import columns
from linkgram.events.blocks import Block, blocks
from linkgram.events.room import refuse_without_room
from linkgram.events.times import iso_format, judged_times, text_times

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
WHOLE = r"^[ \t]*(0|-?[1-9][0-9]*)(\.0*)?[ \t]*$"
NUMBER = r"^[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*$"
Names = tuple[str | int, str | int, str | int]


def separator_of(path: Path) -> str | None:
    """Give the separator a suffix promises, or None when the file is not delimited text.

    >>> separator_of(Path("events.csv.gz")), separator_of(Path("events.parquet"))
    (',', None)
    """
    return SEPARATORS.get(Path(path.name.removesuffix(".gz")).suffix)


def read_csv(
    path: Path,
    names: Names,
    *,
    separator: str,
    header: bool = True,
    ragged: bool = False,
    time_format: str | None = None,
) -> columns.EventColumns:
    r"""Read three columns of a file of delimited text, which may be gzip-compressed.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "e.csv")
    >>> _ = path.write_text("u,v,t\n1,a,3\n")
    >>> read_csv(path, ("u", "v", "t"), separator=",").destination.to_list()
    ['a']
    """
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise SettingError(
            f"separator {separator!r} is not usable; "
            "it is one ASCII character other than a quote or a newline",
            setting="separator",
            value=separator,
        )
    found: list[str] = []
    labels: list[str] = []
    where: list[int] = []
    chunks: list[tuple[pl.Series, pl.Series, pl.Series]] = []
    for block in blocks(path, separator, header=header):
        start = 0
        if not found:
            found = _labels(block, separator, header)
            where = [columns.position(name, found) for name in names]
            labels = [found[i] for i in where]
            if header:
                start = 1
                _refuse_event_as_header(names, labels)
        _refuse_ragged(block, start, len(found), ragged)
        refuse_without_room(path.name, block.first_row + len(block.ends))
        if start < len(block.ends):
            if not chunks and time_format is None:
                time_format = _format_of_dates(block, start, where[2], separator)
            table = _parse(block, start, len(block.ends), where, separator)
            row = block.first_row + start
            chunks.append(
                (
                    _compact(table[f"c{where[0]}"]),
                    _compact(table[f"c{where[1]}"]),
                    text_times(table[f"c{where[2]}"], labels[2], time_format, row),
                )
            )
    if not chunks:
        raise EventError(
            f"{path.name} has no events",
            hint="its only line was taken as the header" if found and header else None,
        )
    sources, destinations, times = zip(*chunks, strict=True)
    values, unit = _times(times, labels[2])
    return columns.EventColumns(
        columns.ids(_untyped_ids(sources, labels[0]), labels[0]),
        columns.ids(_untyped_ids(destinations, labels[1]), labels[1]),
        values,
        unit,
        labels[2],
    )


def _labels(block: Block, separator: str, header: bool) -> list[str]:
    if not header:
        return [f"column {i}" for i in range(int(block.fields[0]))]
    text = io.StringIO(block.record(0).decode(), newline="")
    try:
        return next(csv.reader(text, delimiter=separator))
    except csv.Error as error:
        raise EventError(f"the header cannot be read: {error}", row=0) from None


def _format_of_dates(block: Block, start: int, time: int, separator: str) -> str | None:
    """The format of the first event's time, if that is a date as ISO 8601 writes it."""
    try:
        text = io.StringIO(block.record(start).decode(), newline="")
        return iso_format(next(csv.reader(text, delimiter=separator))[time])
    except (csv.Error, IndexError):
        return None


def _refuse_event_as_header(names: Names, labels: list[str]) -> None:
    """With positions nothing checks the header's names, and the first event would be lost."""
    if not isinstance(names[2], int):
        return
    try:
        float(labels[2])
    except ValueError:
        return
    raise SettingError(
        f"the first line was taken as the header but holds {shown(labels[2])} as the time's name",
        setting="header",
        value=True,
        hint="pass header=False for a file without a header",
    )


def _refuse_ragged(block: Block, start: int, width: int, ragged: bool) -> None:
    fields = block.fields[start:]
    if ragged or (fields == width).all():
        return
    index = start + int(np.flatnonzero(fields != width)[0])
    row, count = block.first_row + index, int(block.fields[index])
    raise EventError(
        f"event {row}: found {count} fields where the first line has {width}",
        row=row,
        value=count,
        hint="pass ragged=True to drop fields beyond the first line's" if count > width else None,
    )


def _parse(block: Block, start: int, stop: int, where: list[int], separator: str) -> pl.DataFrame:
    """Split records start..stop of a block into the columns of text that are needed."""
    import polars as pl

    first = int(block.ends[start - 1]) + 1 if start else 0
    text = block.text[first : int(block.ends[stop - 1]) + 1]
    # A header of our own fixes the width, whatever the width of the first record.
    header = separator.join(f"c{i}" for i in range(max(where) + 1)).encode() + b"\n"
    try:
        table = pl.read_csv(
            header + text,
            columns=[f"c{i}" for i in where],
            separator=separator,
            quote_char='"' if block.quoted else None,
            infer_schema=False,
            truncate_ragged_lines=True,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        table = None
    if table is not None and table.height == stop - start:
        return table
    if stop - start > 1:
        # Records stand alone, so the one that cannot be parsed is found by halving.
        middle = (start + stop) // 2
        halves = (
            _parse(block, start, middle, where, separator),
            _parse(block, middle, stop, where, separator),
        )
        return pl.concat(halves)
    row = block.first_row + start
    record = block.record(start).decode()
    raise EventError(
        f"event {row}: the line {shown(record)} cannot be split into fields",
        row=row,
        value=record,
        hint="quotes must enclose a whole field, and a quote inside it is written twice",
    )


def _compact(texts: pl.Series) -> pl.Series:
    """Turn ids into integers if that loses nothing of how they are written."""
    import polars as pl

    integers = texts.cast(pl.Int64, strict=False)
    if integers.null_count() > texts.null_count():
        return texts
    return integers if (integers.cast(pl.String) == texts).all() else texts


def _untyped_ids(chunks: tuple[pl.Series, ...], column: str) -> pl.Series:
    """Join the ids of all blocks to one column of integers or of text."""
    import polars as pl

    if all(chunk.dtype == pl.Int64 for chunk in chunks):
        return pl.concat(chunks)
    texts = pl.concat([chunk.cast(pl.String) for chunk in chunks])
    if texts.str.contains(WHOLE).all():
        plain = texts.str.strip_chars(" \t").str.replace(r"\.0*$", "")
        integers = plain.cast(pl.Int64, strict=False)
        beyond = (integers.is_null() & texts.is_not_null()).arg_true()
        if len(beyond):
            raise columns.id_too_large(int(beyond[0]), column, texts[int(beyond[0])])
        return integers
    if texts.str.contains(NUMBER).all():
        numbers = texts.str.strip_chars(" \t").cast(pl.Float64, strict=False)
        if (numbers != numbers.floor()).any():
            return numbers
    return texts


def _times(chunks: tuple[pl.Series, ...], column: str) -> tuple[npt.NDArray[np.float64], str]:
    import polars as pl

    if len({chunk.dtype for chunk in chunks}) == 1:
        return judged_times(pl.concat(chunks), column)
    parts, unit, row = [], "", 0
    for chunk in chunks:
        part, unit = judged_times(chunk, column, first_row=row)
        parts.append(part)
        row += len(chunk)
    return np.concatenate(parts), unit
