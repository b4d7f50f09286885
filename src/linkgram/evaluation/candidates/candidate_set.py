"""CandidateSet: the negatives of consecutive queries, ragged, in memory or mapped from a file.

Query i has the negatives `destinations[offsets[i] : offsets[i + 1]]`, dense ids without the
positive. The set of every destination but the positive is never written out: its offsets and
destinations are None.
"""

from __future__ import annotations

import hashlib
import json
import operator
from array import array
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram.errors import CandidateError, SettingError
from linkgram.evaluation.candidates import files
from linkgram.evaluation.candidates.checks import (
    MAX_VOCABULARY,
    as_row,
    check_destinations,
    check_offsets,
    column,
    whole,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

ALL_DESTINATIONS = "all-destinations"


class CandidateSet:
    """The negatives of consecutive queries, and the rule that made them.

    Args:
        offsets: int64, one more than there are queries; from 0, never falling.
        destinations: int32 dense ids of all negatives, query after query.
        rule: what made them, in JSON's types; `vocabulary_size`, where it stands, bounds the ids.

    >>> candidates = CandidateSet([0, 2, 5], [7, 1, 0, 7, 3], {"rule": "by hand"})
    >>> len(candidates), candidates[1].tolist(), candidates.rule["rule"]
    (2, [0, 7, 3], 'by hand')

    """

    __slots__ = ("_queries", "destinations", "offsets", "rule")

    offsets: NDArray[np.int64] | None
    destinations: NDArray[np.int32] | None
    rule: Mapping[str, Any]

    def __init__(self, offsets: Any, destinations: Any, rule: Mapping[str, Any]) -> None:
        rule = plain_rule(rule)
        offsets, destinations = (
            column(offsets, "offsets", "<i8"),
            column(destinations, "destinations", "<i4"),
        )
        check_offsets(offsets, len(destinations))
        check_destinations(destinations, rule.get("vocabulary_size"))
        self._set(offsets, destinations, rule, len(offsets) - 1)

    def _set(
        self,
        offsets: NDArray[np.int64] | None,
        destinations: NDArray[np.int32] | None,
        rule: Mapping[str, Any],
        queries: int,
    ) -> None:
        for part in (offsets, destinations):
            if part is not None:
                part.flags.writeable = False
        self.offsets = offsets
        self.destinations = destinations
        self.rule = rule
        self._queries = queries

    @classmethod
    def _checked(
        cls,
        offsets: NDArray[np.int64],
        destinations: NDArray[np.int32],
        rule: Mapping[str, Any],
    ) -> CandidateSet:
        """Take columns that are known to be right, without looking through them again."""
        made = cls.__new__(cls)
        made._set(offsets, destinations, plain_rule(rule), len(offsets) - 1)
        return made

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Any],
        rule: Mapping[str, Any],
        *,
        directory: str | os.PathLike[str] | None = None,
    ) -> CandidateSet:
        """Take one array of negatives a query, of any lengths, such as a shipped file's.

        With a `directory` the negatives go straight to its files and come back memory-mapped.

        >>> CandidateSet.from_rows([[4, 2], [], [9.0]], {"rule": "shipped"}).offsets.tolist()
        [0, 2, 2, 3]
        """
        rule = plain_rule(rule)
        size = rule.get("vocabulary_size")
        checked = (as_row(row, number, size) for number, row in enumerate(rows))
        if directory is not None:
            with files.replacing(directory) as temporary:
                offsets = files.append_rows(temporary, checked)
                files.seal(temporary, offsets, rule)
            return cls._mapped(directory)
        ends, drawn = array("q", [0]), array("i")
        for row in checked:
            drawn.frombytes(row.tobytes())
            ends.append(len(drawn))
        return cls._checked(np.array(ends, np.int64), np.array(drawn, np.int32), rule)

    @classmethod
    def all_destinations(cls, queries: int, vocabulary_size: int) -> CandidateSet:
        """Every destination of the vocabulary except the positive, for each of `queries` queries.

        >>> every = CandidateSet.all_destinations(2, 4)
        >>> len(every), every.offsets, every.negatives(0, 2).tolist()
        (2, None, [0, 1, 3])
        """
        whole(queries, "queries", 0, 2**63 - 1)
        whole(vocabulary_size, "vocabulary_size", 1, MAX_VOCABULARY)
        made = cls.__new__(cls)
        rule = {
            "rule": ALL_DESTINATIONS,
            "vocabulary_size": int(vocabulary_size),
            "queries": int(queries),
        }
        made._set(None, None, plain_rule(rule), int(queries))
        return made

    @classmethod
    def load(cls, directory: str | os.PathLike[str], mmap: bool = True) -> CandidateSet:
        """Open a saved set, memory-mapped unless `mmap` is False.

        The files are not trusted: they are read through once, a piece at a time, and refused with
        a `CandidateError` when anything in them is not as saved.
        """
        place = Path(directory)
        try:
            rule = plain_rule(files.read_rule(place))
            if rule.get("rule") == ALL_DESTINATIONS:
                return cls.all_destinations(rule["queries"], rule["vocabulary_size"])
        except (KeyError, SettingError) as problem:
            raise files.damaged(place, f"{files.RULE}: {problem}") from None
        files.check(place, rule.get("vocabulary_size"))
        return cls._mapped(place, mmap)

    @classmethod
    def _mapped(cls, directory: str | os.PathLike[str], mmap: bool = True) -> CandidateSet:
        offsets, destinations = files.map_columns(Path(directory))
        if not mmap:
            offsets, destinations = np.array(offsets), np.array(destinations)
        return cls._checked(offsets, destinations, files.read_rule(Path(directory)))

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write the set as a directory, which appears complete or not at all.

        A candidate set that is already there is replaced; any other content is refused.
        """
        with files.replacing(directory) as temporary:
            if self.offsets is not None and self.destinations is not None:
                np.save(temporary / files.DESTINATIONS, self.destinations, allow_pickle=False)
            files.seal(temporary, self.offsets, self.rule)

    def digest(self) -> str:
        """Compute a SHA-256 of the offsets and destinations, the same in memory and mapped.

        >>> one, other = CandidateSet([0, 1], [3], {}), CandidateSet([0, 1], [4], {})
        >>> one.digest() == other.digest()
        False
        """
        if self.offsets is None or self.destinations is None:
            sizes = f"{ALL_DESTINATIONS} {self._queries} {self.vocabulary_size}"
            return hashlib.sha256(sizes.encode()).hexdigest()
        return files.digest(self.offsets, self.destinations)

    @property
    def vocabulary_size(self) -> int | None:
        """How many destinations the rule draws from, where it says so."""
        return self.rule.get("vocabulary_size")

    def negatives(self, query: int, positive: int) -> NDArray[np.int32]:
        """Give the negatives of a query whose positive is known, whatever the rule."""
        if self.offsets is not None:
            return self[query]
        self._index(query)
        size = self.rule["vocabulary_size"]
        if not 0 <= positive < size:
            raise CandidateError(
                f"query {query}: positive {positive} is outside the {size} destinations",
                row=query,
                value=positive,
            )
        return np.delete(np.arange(size, dtype=np.int32), positive)

    def _index(self, query: int) -> int:
        at = operator.index(query)
        if not -len(self) <= at < len(self):
            raise IndexError(f"query {at} is outside a candidate set of {len(self)} queries")
        return at % len(self)

    def __len__(self) -> int:
        return self._queries

    def __getitem__(self, query: int) -> NDArray[np.int32]:
        at = self._index(query)
        if self.offsets is None or self.destinations is None:
            raise CandidateError(
                "this set holds every destination but the positive, and is not written out",
                row=at,
                hint="negatives(query, positive) gives one query's",
            )
        return self.destinations[self.offsets[at] : self.offsets[at + 1]]

    def __repr__(self) -> str:
        name = self.rule.get("rule", "rule unknown")
        count = "" if self.destinations is None else f", {len(self.destinations):,} candidates"
        return f"CandidateSet({len(self):,} queries{count}: {name})"


def plain_rule(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copy a rule, read-only; it must be something JSON can hold.

    >>> plain_rule({"k": 20})["k"]
    20
    """
    try:
        copy = json.loads(json.dumps(dict(rule), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as problem:
        raise SettingError(
            f"the rule cannot be written as JSON: {problem}", setting="rule", value=rule
        ) from None
    size = copy.get("vocabulary_size")
    if size is not None:
        whole(size, "vocabulary_size", 1, MAX_VOCABULARY)
    return MappingProxyType(copy)
