"""Blocks: a file of delimited text cut into whole records, in bounded memory.

A record ends at a newline outside quotes; whether a byte is inside quotes is the parity of the
quote characters before it, because a quote inside a quoted field is written twice. A file is not
trusted: whatever it decompresses to, no more than one block and one unfinished record are held, and
a record longer than `RECORD_LIMIT` is refused.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from linkgram.errors import EventError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK_BYTES = 4 << 20
RECORD_LIMIT = 1 << 20
NEWLINE, RETURN, QUOTE = 10, 13, 34
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records of valid UTF-8 without empty lines.

    `first_row` is the event of the first record, `ends` the position of each record's newline,
    `fields` the number of fields of each record, `quoted` whether any quote character occurs.
    """

    text: bytes
    first_row: int
    ends: npt.NDArray[np.int64]
    fields: npt.NDArray[np.int64]
    quoted: bool

    def record(self, index: int) -> bytes:
        """One record without its newline."""
        start = int(self.ends[index - 1]) + 1 if index else 0
        return self.text[start : int(self.ends[index])].removesuffix(b"\r")


def blocks(path: Path, separator: str, *, header: bool) -> Iterator[Block]:
    r"""Cut a file (gzip by its suffix) into blocks of records; the header, if any, is event -1.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "e.csv")
    >>> _ = path.write_text('u,v,t\n1,"a\nb",3\n')
    >>> [(b.first_row, b.fields.tolist(), b.record(1)) for b in blocks(path, ",", header=True)]
    [(-1, [3, 3], b'1,"a\nb",3')]
    """
    compressed = path.suffix == ".gz"
    row = -1 if header else 0
    carry = b""
    with path.open("rb") as raw:
        source = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if compressed else raw
        first = True
        while True:
            chunk = _read(source, row, path.name)
            if first:
                _refuse_other_encodings(chunk, compressed)
                chunk = chunk.removeprefix(BYTE_ORDER_MARK)
                first = False
            data = carry + chunk
            if not chunk:
                if not data:
                    return
                data += b"\n"
            block, carry = _cut(data, ord(separator), row)
            if not chunk and carry:
                raise EventError(
                    f"{_place(row + len(block.ends))}: a quoted field is never closed",
                    row=max(row + len(block.ends), 0),
                    hint="quotes enclose a whole field, and a quote inside it is written twice",
                )
            if len(block.ends):
                yield block
                row += len(block.ends)
            if not chunk:
                return


def _place(row: int) -> str:
    return "the header" if row < 0 else f"event {row}"


def _read(source: BinaryIO, row: int, name: str) -> bytes:
    try:
        return source.read(BLOCK_BYTES)
    except EOFError:
        raise EventError(
            f"{_place(row)} or one after it: the gzip data end too early in {name}",
            row=max(row, 0),
            hint="the file was cut short; fetch it again",
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise EventError(
            f"{_place(row)} or one after it: {name} is not valid gzip: {error}",
            row=max(row, 0),
            hint="the suffix .gz promises gzip; rename the file or fetch it again",
        ) from None


def _refuse_other_encodings(start: bytes, compressed: bool) -> None:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise EventError("the file is UTF-16; only UTF-8 is read", hint="save it as UTF-8")
    if start.startswith(b"\x1f\x8b") and not compressed:
        raise EventError(
            "the file is gzip-compressed but its name does not end in .gz",
            hint="rename it, for example to events.csv.gz",
        )


def _cut(data: bytes, separator: int, row: int) -> tuple[Block, bytes]:
    """Cut the data into whole records and the unfinished rest."""
    bytes_ = np.frombuffer(data, dtype=np.uint8)
    newlines, separators = bytes_ == NEWLINE, bytes_ == separator
    quoted = b'"' in data
    if quoted:
        # The sum wraps at 256, which keeps its parity.
        outside = (np.cumsum(bytes_ == QUOTE, dtype=np.uint8) & 1) == 0
        newlines &= outside
        separators &= outside
    ends = np.flatnonzero(newlines)
    cut = int(ends[-1]) + 1 if ends.size else 0
    text, carry = data[:cut], data[cut:]
    lengths = np.diff(ends, prepend=-1) - 1
    empty = lengths == 0
    single = np.flatnonzero(lengths == 1)
    empty[single] = bytes_[ends[single] - 1] == RETURN
    if empty.any():
        kept = np.repeat(~empty, lengths + 1)
        separators = separators[:cut][kept]
        text = bytes_[:cut][kept].tobytes()
        lengths = lengths[~empty]
        ends = np.cumsum(lengths + 1) - 1
    too_long = np.flatnonzero(lengths > RECORD_LIMIT)
    if too_long.size or len(carry) > RECORD_LIMIT:
        at = row + (int(too_long[0]) if too_long.size else len(ends))
        raise EventError(
            f"{_place(at)}: the line is longer than {RECORD_LIMIT} bytes",
            row=max(at, 0),
            hint="the file is not delimited text, or a quote is not closed",
        )
    before = np.searchsorted(np.flatnonzero(separators), ends)
    fields = np.diff(before, prepend=0) + 1
    _refuse_invalid_text(text, ends, row)
    return Block(text, row, ends, fields, quoted), carry


def _refuse_invalid_text(text: bytes, ends: npt.NDArray[Any], row: int) -> None:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        at = row + int(np.searchsorted(ends, error.start))
        raise EventError(
            f"{_place(at)}: byte 0x{text[error.start]:02x} is not valid UTF-8",
            row=max(at, 0),
            value=text[error.start],
            hint="save the file as UTF-8",
        ) from None
