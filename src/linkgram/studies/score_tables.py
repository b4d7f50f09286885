"""Score tables: the paper's main, timing and strict-timestamp tables, over the data sets at hand.

Where the paper prints a value, a row with it and one with the difference follow ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.configuration import BACKOFFS
from linkgram.evaluation.reference import paper_of
from linkgram.evaluation.study_result import StudyResult
from linkgram.evaluation.table import Cell, Table, with_highest_bold
from linkgram.studies.cells import (
    NOTHING,
    Results,
    beside_paper,
    cell,
    number_columns,
    points,
    said,
    text_columns,
)
from linkgram.studies.subject import SCHEDULES
from linkgram.studies.timing import OURS

COUNTING = ("EdgeBank", "heuristic", "Base3")
NEURAL = "best neural, own schedule"


def main_table(results: Results) -> Table:
    """Counting methods, ours under both backoffs, and the best neural score."""
    rows: list[tuple[Cell, ...]] = []
    gaps = set()
    for result in results:
        mrr = {_method(row): row["mrr"] for row in result.rows}
        neural = next((row for row in result.rows if row["kind"] == "published"), None)
        neural_cells: list[Cell] = [NOTHING, NOTHING]
        if neural is not None:
            neural_cells = [cell(neural["mrr"]), str(neural["method"])]
        here = [mrr.get(method) for method in (*COUNTING, *BACKOFFS)]
        rows.append(with_highest_bold((result.name, "here", *map(cell, here), *neural_cells)))
        # The paper's row is found by our method's name: "linkgram, marginal" is `marginal` here.
        printed = {str(one["at"]["method"]).rpartition(", ")[2]: one for one in result.paper}
        values = [
            printed[method]["paper"] if method in printed else None
            for method in (*COUNTING, *BACKOFFS)
        ]
        rows += beside_paper((result.name,), here, values, (NOTHING, NOTHING))
        gaps.add(len(rows) - 1)
    columns = (
        *text_columns("data set", "from"),
        *number_columns(COUNTING),
        *number_columns(BACKOFFS, "ours"),
        *number_columns(["MRR"], NEURAL),
        *text_columns("method"),
    )
    return Table("Test MRR in %", columns, tuple(rows), said(results), frozenset(gaps))


def timing_table(results: Results) -> Table:
    """Counting methods and ours, with the same weights under every schedule."""
    rows: list[tuple[Cell, ...]] = []
    gaps = set()
    methods = (*COUNTING, OURS)
    for result in results:
        figures = paper_of(result.data)
        neural: tuple[Cell, ...] = (NOTHING, NOTHING)
        if figures is not None:
            neural = (cell(figures.neural.value), figures.neural.method)
        for schedule in SCHEDULES:
            mrr = {row["method"]: row["mrr"] for row in result.rows if row["schedule"] == schedule}
            here = [mrr.get(method) for method in methods]
            row = (result.name, schedule, "here", *map(cell, here), *neural)
            rows.append(with_highest_bold(row))
            printed = _printed(result, schedule, "mrr")
            values = [printed.get(method) for method in methods]
            rows += beside_paper((result.name, schedule), here, values, (NOTHING, NOTHING))
            gaps.add(len(rows) - 1)
    columns = (
        *text_columns("data set", "schedule", "from"),
        *number_columns((*COUNTING, "ours")),
        *number_columns(["MRR"], NEURAL),
        *text_columns("method"),
    )
    title = "Test MRR in % by schedule of updates"
    notes = ("schedule: that of each row", *said(results)[1:])
    return Table(title, columns, tuple(rows), notes, frozenset(gaps))


def strict_table(results: Results) -> Table:
    """Ours, event-wise and strictly by timestamp."""
    rows: list[tuple[Cell, ...]] = []
    gaps = set()
    for result in results:
        ours = {row["schedule"]: row for row in result.rows if row["kind"] == "ours"}
        event, strict = ours[SCHEDULES[0]], ours[SCHEDULES[2]]
        here = [event["mrr"], strict["mrr"], strict["change"]]
        scores = (cell(event["mrr"]), cell(strict["mrr"]), points(strict["change"]))
        rows.append((result.name, "here", *scores))
        values = [
            _printed(result, SCHEDULES[0], "mrr").get(OURS),
            _printed(result, SCHEDULES[2], "mrr").get(OURS),
            _printed(result, SCHEDULES[2], "change").get(OURS),
        ]
        rows += beside_paper((result.name,), here, values)
        gaps.add(len(rows) - 1)
    columns = (
        *text_columns("data set", "from"),
        *number_columns(["event-wise", "strict timestamp", "change (points)"]),
    )
    notes = ("schedule: that of each column; changes are paired by seed", *said(results)[1:])
    return Table("Ours without the events of a query's own time: test MRR in %",
                 columns, tuple(rows), notes, frozenset(gaps))  # fmt: skip


def _printed(result: StudyResult, schedule: str, column: str) -> dict[str, float]:
    return {
        one["at"]["method"]: one["paper"]
        for one in result.paper
        if (one["at"].get("schedule"), one["at"].get("column")) == (schedule, column)
    }


def _method(row: Mapping[str, Any]) -> str:
    return str(row["backoff"] if row["kind"] == "ours" else row["method"])
