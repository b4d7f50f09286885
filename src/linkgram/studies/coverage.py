"""Coverage: the share of test queries whose last destination has been left before.

With v the last destination of the query's source u, pooled coverage counts the queries where any
source has moved on from v before, pair coverage those where u itself has. Histories are event-wise:
whatever stands before the query in the stream, validation and test events too. Decay cannot undo an
observation. A source without history has no v: its queries are covered by neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram.evaluation.novelty import novelty_index, surprise_index
from linkgram.evaluation.reference import statements
from linkgram.evaluation.split import Split
from linkgram.evaluation.study_result import Column
from linkgram.events import EventStream
from linkgram.studies.findings import Findings, beside_statement
from linkgram.studies.subject import Subject

COLUMNS = (
    Column("queries", "test queries"),
    Column("pooled_coverage", "queries whose last destination has an observed successor", "%"),
    Column("pair_coverage", "queries whose source has itself moved on from it before", "%"),
    Column("without_history", "queries whose source has no earlier event", "%"),
    Column("surprise_index", "distinct test pairs that never occur in training", "%"),
    Column("novelty_index", "new pairs among those of a time, mean over all times", "%"),
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """For each test query: whether its context was observed, and whether there is a context."""

    pooled: NDArray[np.bool_]
    pair: NDArray[np.bool_]
    has_history: NDArray[np.bool_]


def coverage(stream: EventStream, split: Split) -> Coverage:
    """Look up the last destination of every test query.

    >>> stream = EventStream.from_arrays([0, 0, 1, 1, 0], [5, 6, 5, 6, 5], range(5))
    >>> found = coverage(stream, Split(1, 2, 5, {}))
    >>> found.pooled.tolist(), found.pair.tolist(), found.has_history.tolist()
    ([False, True, False], [False, False, False], [False, True, True])
    """
    sources, destinations = stream.sources, stream.destinations
    count = len(stream)
    # By source, in time order: the event before is the one that a transition leaves from.
    order = np.argsort(sources, kind="stable")
    follows = sources[order][1:] == sources[order][:-1]
    previous = np.full(count, -1, np.int64)
    previous[order[1:][follows]] = destinations[order[:-1][follows]]
    rows = np.flatnonzero(previous >= 0)
    contexts = previous[rows]
    size = np.int64(len(stream.destination_ids))
    pairs = sources[rows].astype(np.int64) * size + contexts
    first_row = split.validation_end
    pooled = np.zeros(count, np.bool_)
    pair = np.zeros(count, np.bool_)
    # Rows rise, so whatever is not the first of its context has one before it.
    pooled[rows] = ~_first_of_each(contexts)
    pair[rows] = ~_first_of_each(pairs)
    return Coverage(pooled[first_row:], pair[first_row:], previous[first_row:] >= 0)


def _first_of_each(values: NDArray[np.int64]) -> NDArray[np.bool_]:
    first = np.zeros(len(values), np.bool_)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def settings(subject: Subject) -> dict[str, Any]:
    """Nothing but the data decides this study's result."""
    return {"histories": "event-wise", "of": subject.protocol.name}


def findings(subject: Subject) -> Findings:
    """One row."""
    stream, split = subject.protocol.stream, subject.protocol.split
    found = coverage(stream, split)
    silent = int(np.count_nonzero(~found.has_history))
    row = {
        "queries": len(found.pooled),
        "pooled_coverage": _share(found.pooled),
        "pair_coverage": _share(found.pair),
        "without_history": _share(~found.has_history),
        "surprise_index": 100 * surprise_index(stream, split),
        "novelty_index": 100 * novelty_index(stream),
    }
    notes = [
        f"{silent:,} of {len(found.pooled):,} test queries are of a source without history: they "
        f"have no last destination, and count as not covered in both shares.",
        "A destination that follows itself is a transition like any other.",
    ]
    compared = []
    for stated in statements("coverage"):
        if stated.data_sets and subject.protocol.name not in stated.data_sets:
            continue
        kind = "pooled_coverage" if stated.says.startswith("pooled") else "pair_coverage"
        if stated.unit == "percent" and subject.figures is not None:
            compared += beside_statement(row[kind], stated)
    return Findings(COLUMNS, [row], subject.measured("event-wise"), notes=notes, paper=compared)


def _share(flags: NDArray[np.bool_]) -> float:
    return 100 * float(np.mean(flags))
