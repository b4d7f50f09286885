"""The worked example: six events, what they leave in the tables, and every estimate from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.comparison import beside_paper
from linkgram.report.page.html import Html, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import cell, refuse, text
from linkgram.report.words import feature, number

ANCHOR = "worked"
TEXTS = ("backoff", "estimator")


def section(study: StudyResult) -> Html:
    """The tables after each event, then the estimates at the query."""
    return tag(
        "section",
        tag("h2", "How the model counts, on six events", id=ANCHOR),
        tag("p", "The paper's worked example, asked of the library itself: source u visits a, b, "
            "c, b and c, then source w visits d. Where does u go next? An entry such as b\u2192c 2 "
            "says that c followed b twice: at once for transitions, within two steps for "
            "co-occurrence."),
        table("The tables after each event", HEADS, _events(study), numeric=[0]),
        _estimates(study),
        beside_paper([study]),
        class_="data",
    )  # fmt: skip


HEADS = ("time", "event", "history of u, newest first", "transitions", "co-occurrence")


def _events(study: StudyResult) -> list[list[object]]:
    listed = study.series.get("events")
    if not isinstance(listed, list):
        raise refuse(study, "series events is no list")
    rows: list[list[object]] = []
    for one in listed[:100]:
        event = one.get("event") if isinstance(one, Mapping) else None
        if not isinstance(event, list) or len(event) != 3:
            raise refuse(study, "an event is not source, destination and time")
        source, destination, time = event
        history = one.get("history")
        rows.append([
            str(time), f"{source} visits {destination}",
            ", ".join(map(str, history)) if isinstance(history, list) else "",
            *(_counts(study, one.get(name)) for name in ("transitions", "co_occurrence")),
        ])  # fmt: skip
    return rows


def _counts(study: StudyResult, counts: Any) -> str:
    if not isinstance(counts, Mapping):
        raise refuse(study, "the counts after an event are no mapping")
    cells = [
        f"{context}\u2192{destination} {count}"
        for context, row in counts.items()
        if isinstance(row, Mapping)
        for destination, count in row.items()
    ]
    return ", ".join(cells) or "\N{EN DASH}"


def _estimates(study: StudyResult) -> Html:
    candidates = [column.name for column in study.columns if column.name not in TEXTS]
    rows = [
        [
            feature(text(row, "estimator")), text(row, "backoff"),
            *(Entry(number(found.mean if found else None, 3), found.mean if found else "")
              for name in candidates
              for found in [cell(study, row, name)]),
        ]
        for row in study.rows
    ]  # fmt: skip
    heads = ["estimate or recency", "backoff", *candidates]
    return table("Estimates for every candidate at the query", heads, rows,
                 numeric=range(2, len(heads)))  # fmt: skip
