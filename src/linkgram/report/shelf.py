"""Shelf: the studies of a directory of results, by data set and study; and what is in a cell.

A result file is untrusted. Whatever is read here is of the promised type, or the file is refused
with its data set, study and the place named.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkgram.errors import LinkgramError
from linkgram.evaluation.study_result import StudyResult, studies_in, study_path

# The paper's six events: an example of the model, and no stream to be compared with others.
WORKED = "worked-example"
# More points than any screen or page has room for; a file with more is damaged or hostile.
MOST_POINTS = 200_000
# Beyond every count, time and score; small enough that sums and axes of them stay finite.
LARGEST = 1e30


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table, with its spread over seeds where it has one.

    Attributes:
        mean: the number itself, or its mean over seeds.
        sd: sample standard deviation over seeds; None with fewer than two.
        values: by seed; empty for a number without seeds.
    """

    mean: float
    sd: float | None = None
    values: tuple[float, ...] = ()


class Shelf:
    """The studies of a directory; of one repeated with other settings, the one written last.

    >>> Shelf([]).names
    []
    """

    def __init__(self, studies: Iterable[StudyResult]) -> None:
        self._studies: dict[str, dict[str, StudyResult]] = {}
        for study in studies:
            self._studies.setdefault(study.name, {})[study.study] = study

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Shelf:
        """All studies stored in `directory`."""
        place = Path(directory)
        if not place.is_dir():
            raise LinkgramError(
                f"{place} is no directory of results",
                hint="`linkgram paper DATA --out out` writes one: out/results",
            )
        return cls(sorted(studies_in(place), key=lambda study: _written(place, study)))

    @property
    def names(self) -> list[str]:
        """The data sets, in the order of their names; the worked example is none."""
        return sorted(name for name, some in self._studies.items() if WORKED not in some)

    @property
    def worked(self) -> StudyResult | None:
        """The paper's worked example, if it was stored."""
        return next((some[WORKED] for some in self._studies.values() if WORKED in some), None)

    def of(self, name: str) -> dict[str, StudyResult]:
        """The studies of a data set, by their names."""
        return self._studies[name]

    def all(self, study: str) -> list[StudyResult]:
        """A study over all data sets that have it."""
        return [self._studies[name][study] for name in self.names if study in self._studies[name]]


def _written(place: Path, study: StudyResult) -> tuple[int, str]:
    path = study_path(place, study.name, study.study, study.key)
    # A file that was renamed still counts, as the oldest.
    return (path.stat().st_mtime_ns if path.exists() else 0, study.key)


def refuse(study: StudyResult, what: str) -> LinkgramError:
    """The refusal of something in a study's result."""
    return LinkgramError(
        f"study {study.study[:40]!r} of {study.name[:80]!r}: {what}",
        hint="remove its file and make it again with `linkgram paper`",
    )


def cell(study: StudyResult, row: Mapping[str, Any], column: str) -> Cell | None:
    """The number in a column of a row; None where it is undefined.

    >>> study = StudyResult("depth", "0" * 16, {"name": "mine"})
    >>> cell(study, {"mrr": {"mean": 50.0, "sd": 1.0, "values": [49.0, 51.0]}}, "mrr")
    Cell(mean=50.0, sd=1.0, values=(49.0, 51.0))
    """
    value = row.get(column)
    if isinstance(value, Mapping):
        mean = _number(study, value.get("mean"), column)
        sd = _number(study, value.get("sd"), column)
        listed = value.get("values", [])
        if not isinstance(listed, list) or len(listed) > MOST_POINTS:
            raise refuse(study, f"column {column}: the values by seed are no list")
        values = [_number(study, item, column) for item in listed]
        if mean is None:
            return None
        return Cell(mean, sd, tuple(item for item in values if item is not None))
    number = _number(study, value, column)
    return None if number is None else Cell(number)


def needed(study: StudyResult, row: Mapping[str, Any], column: str) -> Cell:
    """The number in a column of a row that cannot do without it."""
    found = cell(study, row, column)
    if found is None:
        raise refuse(study, f"column {column} has a row without a number")
    return found


def text(row: Mapping[str, Any], column: str) -> str:
    """The text in a column of a row; empty where there is none.

    >>> text({"method": "EdgeBank"}, "method"), text({}, "method")
    ('EdgeBank', '')
    """
    value = row.get(column)
    return "" if value is None else str(value)[:200]


def numbers(study: StudyResult, series: str, part: str) -> list[float | None]:
    """A list of numbers out of a series; an undefined one is None."""
    listed = _mapping(study, study.series.get(series), f"series {series}").get(part)
    if not isinstance(listed, list) or len(listed) > MOST_POINTS:
        raise refuse(study, f"series {series} has no list {part!r} of at most {MOST_POINTS} values")
    return [_number(study, item, f"{series}.{part}") for item in listed]


def columns(study: StudyResult, series: str, *parts: str) -> list[tuple[float, ...]]:
    """Equally long lists of a series as rows; a row with an undefined number is left out."""
    lists = [numbers(study, series, part) for part in parts]
    if len({len(listed) for listed in lists}) > 1:
        raise refuse(study, f"the lists of series {series} differ in length")
    rows = zip(*lists, strict=True)
    return [tuple(value for value in row if value is not None) for row in rows if None not in row]


def _mapping(study: StudyResult, value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise refuse(study, f"{what} is missing or of another shape")
    return value


def _number(study: StudyResult, value: Any, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refuse(study, f"{where} holds {str(value)[:40]!r}, which is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not abs(number) < LARGEST:
        raise refuse(study, f"{where} holds a number that is too large")
    return number
