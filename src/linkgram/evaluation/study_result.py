"""StudyResult: the finished table of one study on one data set, with all a reader needs.

Stored as one strict JSON file, `<data>.<study>.<key>.json`. The key is over all inputs (events,
split, candidates, configuration, seeds), so a finished study is found and not repeated. Tables,
figures and pages are made from these files alone.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from linkgram.errors import LinkgramError
from linkgram.evaluation.measure import versions
from linkgram.evaluation.metrics import mean_and_sd
from linkgram.evaluation.result import plain, safe_name, write_whole

STUDY_FORMAT = "linkgram-study-1"
MOST_BYTES = 256 << 20
UNITS = ("%", "points", "s", None)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a study's table.

    Attributes:
        name: the key of its values in every row.
        meaning: what it holds, in words.
        unit: "%", "points" (differences of percentages), "s", or None for plain numbers and text.
    """

    name: str
    meaning: str
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class StudyResult:
    """One study on one data set.

    Attributes:
        study: name of the study, such as "coverage".
        key: 16 hexadecimal digits over all inputs.
        data: name, digest, sizes and provenance, as in a `Result`.
        measured: the schedule, candidates, ties and split behind every score.
        settings: seeds, configuration and whatever else the study fixes.
        columns: what the table's columns mean.
        rows: one mapping a row; a value is a number, a text, None where it is undefined, or
            `{"mean", "sd", "values"}` over the seeds.
        series: arrays by name, for figures.
        notes: undefined cases and what a reader should know.
        paper: values that the paper prints: what, ours, paper, difference, source.
        versions: of linkgram and what it runs on.
        seconds: wall and processor time by phase.

    >>> column = Column("mrr", "mean reciprocal rank", "%")
    >>> result = StudyResult("depth", "0" * 16, {"name": "mine"}, columns=(column,),
    ...                      rows=({"mrr": over_seeds([50.0, 52.0])},))
    >>> result.rows[0]["mrr"]["mean"], StudyResult.from_json(result.to_json()) == result
    (51.0, True)
    """

    study: str
    key: str
    data: Mapping[str, Any]
    measured: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[Column, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    series: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    paper: tuple[Mapping[str, Any], ...] = ()
    versions: Mapping[str, str] = field(default_factory=versions)
    seconds: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        for row in self.rows:
            if list(row) != names:
                raise LinkgramError(
                    f"a row of study {self.study} has columns {list(row)}, not {names}"
                )

    @property
    def name(self) -> str:
        """Name of the data set."""
        return str(self.data["name"])

    def column(self, name: str) -> list[Any]:
        """The values of a column, row by row."""
        return [row[name] for row in self.rows]

    def to_json(self) -> str:
        """The stored form."""
        return json.dumps(
            {"format": STUDY_FORMAT} | asdict(self), indent=1, allow_nan=False, default=plain
        )

    @classmethod
    def from_json(cls, text: str) -> StudyResult:
        """Read the stored form; what is not one is refused with a `LinkgramError`."""
        try:
            facts = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as problem:
            raise LinkgramError(f"not a study's result: {problem}") from None
        if not isinstance(facts, dict) or facts.get("format") != STUDY_FORMAT:
            raise LinkgramError(f"not a study's result of this version ({STUDY_FORMAT})")
        wanted = {one.name for one in fields(cls)} | {"format"}
        if facts.keys() != wanted:
            raise LinkgramError(
                f"a study's result with missing or unknown parts: "
                f"{', '.join(sorted(wanted ^ facts.keys()))}"
            )
        del facts["format"]
        _check_shapes(facts)
        facts["columns"] = tuple(Column(**column) for column in facts["columns"])
        for part in ("rows", "notes", "paper"):
            facts[part] = tuple(facts[part])
        return cls(**facts)

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write it whole or not at all, under its own name."""
        return write_whole(study_path(directory, self.name, self.study, self.key), self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> StudyResult:
        """Read a stored study; the file is checked before it is believed."""
        place = Path(path)
        if place.stat().st_size > MOST_BYTES:
            raise LinkgramError(f"{place} is larger than any study's result ({MOST_BYTES} bytes)")
        try:
            return cls.from_json(place.read_text(encoding="utf-8"))
        except (LinkgramError, UnicodeDecodeError) as problem:
            raise LinkgramError(f"{place}: {problem}") from None


def study_path(directory: str | os.PathLike[str], name: str, study: str, key: str) -> Path:
    """Where a study of a data set is stored.

    >>> study_path("results", "my data.csv", "depth", "0123").name
    'my_data.csv.depth.0123.json'
    """
    return Path(directory) / f"{safe_name(name)}.{study}.{key}.json"


def studies_in(
    directory: str | os.PathLike[str], paths: Sequence[Path] | None = None
) -> Iterator[StudyResult]:
    """All studies stored in a directory; other files there are passed over.

    They come by file name, or in the order of `paths`, some of its files.
    """
    for path in sorted(Path(directory).glob("*.json")) if paths is None else paths:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(200)
        if f'"format": "{STUDY_FORMAT}"' in head:
            yield StudyResult.load(path)


def over_seeds(values: Sequence[float]) -> dict[str, Any]:
    """A cell of a table: mean and sample sd over the seeds, and each seed's value.

    >>> over_seeds([1.0])
    {'mean': 1.0, 'sd': None, 'values': [1.0]}
    """
    listed = [float(value) for value in values]
    return mean_and_sd(listed) | {"values": listed}


def central(value: Any) -> float | None:
    """The number of a cell: its mean over seeds, itself, or None.

    >>> central({"mean": 1.5, "sd": None, "values": [1.5]}), central(2), central("text")
    (1.5, 2.0, None)
    """
    if isinstance(value, Mapping):
        value = value.get("mean")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        return None
    return float(value)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


_SHAPES: Mapping[str, type | tuple[type, ...]] = {
    "study": str, "key": str, "data": dict, "measured": dict, "settings": dict, "columns": list,
    "rows": list, "series": dict, "notes": list, "paper": list, "versions": dict, "seconds": dict,
}  # fmt: skip


def _check_shapes(facts: Mapping[str, Any]) -> None:
    """Refuse parts of a type that no writer writes."""
    for part, shape in _SHAPES.items():
        if not isinstance(facts[part], shape):
            raise LinkgramError(f"`{part}` is a {type(facts[part]).__name__}")
    if not isinstance(facts["data"].get("name"), str):
        raise LinkgramError("`data` has no name")
    for column in facts["columns"]:
        text = isinstance(column, dict) and {"name", "meaning", "unit"} == column.keys()
        if not text or not all(isinstance(column[key], str) for key in ("name", "meaning")):
            raise LinkgramError(f"a column is {str(column)[:80]}")
        if column["unit"] not in UNITS:
            raise LinkgramError(f"column {column['name']} has unit {column['unit']!r}")
    for part in ("rows", "paper"):
        if not all(isinstance(row, dict) for row in facts[part]):
            raise LinkgramError(f"`{part}` holds something that is no mapping")
