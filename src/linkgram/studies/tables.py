"""Tables over data sets, made from stored studies: the paper's, with its own values beside ours."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from linkgram.errors import LinkgramError
from linkgram.evaluation.reference import sources
from linkgram.evaluation.result import write_whole
from linkgram.evaluation.study_result import StudyResult
from linkgram.evaluation.table import Cell, Column, Score, Table
from linkgram.studies import analysis_tables, score_tables
from linkgram.studies.cells import NOTHING, Results, cell, number_columns, points, text_columns
from linkgram.studies.statements import statement_rows
from linkgram.studies.worked_example import NAME as WORKED

# Name of the table -> the study it is made from, and its maker.
MAKERS: Mapping[str, tuple[str, Callable[[Results], Table]]] = {
    "main": ("main", score_tables.main_table),
    "timing": ("timing", score_tables.timing_table),
    "strict-timestamp": ("timing", score_tables.strict_table),
    "backoff": ("backoff", analysis_tables.backoff_table),
    "features": ("features", analysis_tables.features_table),
    "weights": ("weights", analysis_tables.weights_table),
    "weights-additions": ("weights", analysis_tables.addition_weights_table),
    "depth": ("depth", analysis_tables.depth_table),
    "smoothing": ("smoothing", analysis_tables.smoothing_table),
    "coverage": ("coverage", analysis_tables.coverage_table),
    "profile": ("profile", analysis_tables.profile_table),
    WORKED: (WORKED, analysis_tables.worked_table),
    f"{WORKED}-events": (WORKED, analysis_tables.worked_events_table),
}


def tables_of(results: Iterable[StudyResult]) -> dict[str, Table]:
    """All tables that can be made of these results by name, data sets in the order given."""
    by_study: dict[str, list[StudyResult]] = {}
    for result in results:
        by_study.setdefault(result.study, []).append(result)
    tables = {}
    for name, (study, make) in MAKERS.items():
        if study not in by_study:
            continue
        try:
            tables[name] = make(by_study[study])
        except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as problem:
            raise LinkgramError(
                f"the results of study {study} are not as this version writes them: {problem!r}",
                hint="delete them, and they are made again",
            ) from None
    if rows := statement_rows(by_study):
        tables["statements"] = _statements(rows)
    if any(result.paper for some in by_study.values() for result in some):
        tables["beside-the-paper"] = _beside_the_paper(by_study)
    return tables


def write_tables(tables: Mapping[str, Table], directory: str | os.PathLike[str]) -> list[Path]:
    """Write every table as Markdown, LaTeX and CSV; files that would not change are left alone."""
    written = []
    for name, table in tables.items():
        for suffix, text in (
            ("md", table.to_markdown()),
            ("tex", f"% needs booktabs\n{table.to_latex()}"),
            ("csv", to_csv(table)),
        ):
            path = Path(directory) / f"{name}.{suffix}"
            if not path.exists() or path.read_text(encoding="utf-8") != text + "\n":
                written.append(write_whole(path, text))
    return written


def to_csv(table: Table) -> str:
    """The table as CSV with every digit; a column with deviations is followed by one of them.

    >>> from linkgram.evaluation.table import Column
    >>> columns = (Column("set"), Column("marginal", "ours"))
    >>> print(to_csv(Table("", columns, (("a,b", Score(1.25, 0.5)),))))
    set,ours marginal,ours marginal sd
    "a,b",1.25,0.5
    """
    places = range(len(table.columns))
    spread = [any(_sd(row[at]) is not None for row in table.rows) for at in places]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header = []
    for column, has_sd in zip(table.columns, spread, strict=True):
        header += [column.heading, f"{column.heading} sd"] if has_sd else [column.heading]
    writer.writerow(header)
    for row in table.rows:
        fields: list[object] = []
        for one, has_sd in zip(row, spread, strict=True):
            fields += [_value(one), _sd(one)] if has_sd else [_value(one)]
        writer.writerow(fields)
    return out.getvalue().rstrip("\n")


def _value(one: Cell) -> object:
    if isinstance(one, Score):
        return one.value
    return None if one == NOTHING else one


def _sd(one: Cell) -> float | None:
    return one.sd if isinstance(one, Score) else None


def _statements(found: Sequence[Sequence[object]]) -> Table:
    rows = tuple(tuple(map(cell, row)) for row in found)
    columns = (
        *text_columns("study"),
        Column("statement", right=False, wraps=0.55),
        *number_columns(["paper", "here", "data sets here"]),
    )
    notes = ("counts and medians here are over the data sets at hand, not over the paper's 16",)
    return Table("Statements of the paper's text", columns, rows, notes)


def _beside_the_paper(by_study: Mapping[str, Results]) -> Table:
    rows = tuple(
        (
            result.name,
            study,
            one["what"],
            cell(one["ours"]),
            cell(one["paper"]),
            points(one["difference"]),
            one["source"].removeprefix(f"{sources()['paper']}, "),
        )
        for study, results in by_study.items()
        for result in results
        for one in result.paper
    )
    columns = (
        *text_columns("data set", "study"),
        Column("what", right=False, wraps=0.3),
        *number_columns(["here", "paper", "difference"]),
        *text_columns("source"),
    )
    notes = ("ties: midrank", f"the paper: {sources()['paper']}")
    return Table("Values that the paper prints", columns, rows, notes)
