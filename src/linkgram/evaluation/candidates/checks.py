"""What a candidate set may hold, and what its settings may be."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram.errors import CandidateError, SettingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linkgram.events import EventStream

MAX_VOCABULARY = 2**31 - 1
PIECE = 1 << 20


def whole(value: Any, setting: str, least: int, most: int) -> int:
    """Give a setting as an integer from `least` to `most`.

    >>> whole(np.int64(3), "k", 1, 9)
    3
    """
    accepted = f"an integer from {least} to {most} is accepted"
    try:
        number = operator.index(value) if not isinstance(value, bool | np.bool_) else None
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise SettingError(
            f"setting `{setting}` is {value!r}; {accepted}", setting=setting, value=value
        )
    return number


def vocabulary_of(stream: EventStream) -> int:
    """Count the stream's destinations; more than 32-bit ids can tell apart are refused."""
    size = len(stream.destination_ids)
    if size > MAX_VOCABULARY:
        raise SettingError(
            f"the stream has {size} destinations; candidates are drawn from at most "
            f"{MAX_VOCABULARY}",
            setting="stream",
            value=size,
        )
    return size


def column(values: Any, name: str, dtype: str) -> NDArray[Any]:
    """Give one column as an array of exactly this type; a file's is not copied."""
    found = np.asarray(values)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise CandidateError(
            f"{name} are {found.dtype} of shape {found.shape}; one row of integers is accepted",
            column=name,
        )
    made: NDArray[Any] = found.astype(dtype, copy=False)
    if made.dtype != found.dtype and not np.array_equal(made, found):
        raise CandidateError(f"{name} hold numbers that {np.dtype(dtype)} cannot", column=name)
    return made.view() if made is values else made


def check_offsets(offsets: NDArray[np.int64], total: int, first: int = 0) -> None:
    """Refuse offsets that do not run from `first` to `total` without falling.

    >>> check_offsets(np.array([0, 2, 5]), 5)
    """
    if not len(offsets) or offsets[0] != first or offsets[-1] != total:
        found = f"{offsets[0]} to {offsets[-1]}" if len(offsets) else "none"
        raise CandidateError(
            f"offsets run from {first} to the number of candidates, {total}; found {found}",
            column="offsets",
        )
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falls.size:
        at = int(falls[0])
        raise CandidateError(
            f"query {at}: its candidates end at {offsets[at + 1]}, before they begin at "
            f"{offsets[at]}",
            row=at,
            column="offsets",
            value=int(offsets[at + 1]),
        )


def check_destinations(
    destinations: NDArray[np.int32], vocabulary_size: int | None, first: int = 0
) -> None:
    """Refuse negative ids and, where the vocabulary is known, ids beyond it; piece by piece.

    >>> check_destinations(np.array([0, 3], dtype=np.int32), 4)
    """
    size = MAX_VOCABULARY if vocabulary_size is None else vocabulary_size
    for start in range(0, len(destinations), PIECE):
        piece = destinations[start : start + PIECE]
        if piece.min() < 0 or piece.max() >= size:
            at = int(np.flatnonzero((piece < 0) | (piece >= size))[0])
            raise CandidateError(
                f"candidate {first + start + at} is destination {piece[at]}; dense ids run from 0 "
                f"to {size - 1}",
                column="destinations",
                value=int(piece[at]),
            )


def as_row(row: Any, number: int, vocabulary_size: int | None) -> NDArray[np.int32]:
    """One query's negatives as int32; whole numbers stored as floats are taken too.

    >>> as_row([3.0, 1.0], 0, 4).tolist()
    [3, 1]
    """
    found = np.asarray(row)
    size = MAX_VOCABULARY if vocabulary_size is None else vocabulary_size
    fits = found.ndim == 1 and (not found.size or found.dtype.kind in "iuf")
    # Written so that a NaN fails it.
    if not fits or not bool(np.all((found >= 0) & (found < size) & (found == np.floor(found)))):
        raise CandidateError(
            f"query {number}: its candidates are not one row of dense ids from 0 to {size - 1}",
            row=number,
            column="destinations",
            value=row,
        )
    made: NDArray[np.int32] = found.astype("<i4")
    return made
