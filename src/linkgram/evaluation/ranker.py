"""Ranker: anything that observes events and scores candidates, evaluated under the same rules.

The model and the baselines rank inside the core. A model from elsewhere, a neural one for instance,
takes part by two methods. It is called once a group of the schedule, with all queries of the group,
so it can work in batches wherever the schedule has any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Structural

import numpy as np
from numpy.typing import NDArray

from linkgram.errors import CandidateError
from linkgram.evaluation.candidates import CandidateSet
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.schedule import Schedule
from linkgram.events import EventStream


@dataclass(frozen=True, slots=True)
class Questions:
    """The queries of one group with their candidates, all in dense ids.

    The candidates of query i are `candidates[offsets[i]:offsets[i + 1]]`, by rising id: the place
    of the positive says nothing.
    """

    sources: NDArray[np.uint32]
    times: NDArray[np.float64]
    offsets: NDArray[np.int64]
    candidates: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.sources)


class Ranker(Structural):
    """What an outside model must offer."""

    def observe(self, events: EventStream) -> None:
        """Add events to the history. Dense ids are `events.sources` and `events.destinations`."""

    def score(self, questions: Questions) -> NDArray[Any]:
        """One score for each of `questions.candidates`; higher is likelier. Changes nothing."""


def rank(
    ranker: Ranker,
    protocol: Protocol,
    *,
    schedule: str | Schedule = "event-wise",
    on: str = "test",
    observed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Midranks that `ranker` gives the positives of the test (or `on="validation"`) queries.

    `observed` is the number of events the ranker has already seen; the rest of the history is
    shown to it before the first query.
    """
    schedule = Schedule.parse(schedule)
    stream, split = protocol.stream, protocol.split
    if on == "validation":
        first, end, rows = split.training_end, split.validation_end, protocol.validation
    else:
        first, end, rows = split.validation_end, split.events, protocol.test
    ranks = np.empty(end - first)
    groups = schedule.groups(stream.times, first, end)
    for start, stop in groups:
        if observed < start:
            ranker.observe(stream[observed:start])
        observed = stop
        asked = range(max(start, first), stop)
        questions, places = _questions(stream, asked, rows, first)
        scores = np.asarray(ranker.score(questions))
        _check(scores, questions, asked)
        for at, (low, high) in enumerate(
            zip(questions.offsets, questions.offsets[1:], strict=False)
        ):
            ranks[asked[at] - first] = midrank(scores[low:high], int(places[at]))
        ranker.observe(stream[start:stop])
        if progress is not None:
            progress(stop - first)
    return ranks


def midrank(scores: NDArray[Any], place: int) -> float:
    """Midrank of the candidate at `place` among all of `scores`.

    >>> midrank(np.array([0.9, 0.5, 0.5]), 1)
    2.5
    """
    positive = scores[place]
    higher = int(np.count_nonzero(scores > positive))
    equal = int(np.count_nonzero(scores == positive))
    return 0.5 + higher + 0.5 * equal


def _questions(
    stream: EventStream, asked: range, rows: CandidateSet, first: int
) -> tuple[Questions, NDArray[np.int64]]:
    """The group's queries, positives sorted in among their negatives, and where they stand."""
    lists, places = [], []
    for row in asked:
        positive = np.int32(stream.destinations[row])
        negatives = rows.negatives(row - first, int(positive))
        candidates = np.sort(np.append(negatives, positive))
        lists.append(candidates)
        places.append(int(np.searchsorted(candidates, positive)))
    offsets = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(candidates) for candidates in lists], out=offsets[1:])
    part = slice(asked.start, asked.stop)
    questions = Questions(
        sources=stream.sources[part],
        times=stream.times[part],
        offsets=offsets,
        candidates=np.concatenate(lists) if lists else np.empty(0, np.int32),
    )
    return questions, np.array(places, np.int64)


def _check(scores: NDArray[Any], questions: Questions, asked: range) -> None:
    if scores.shape != questions.candidates.shape:
        raise CandidateError(
            f"the ranker gave {scores.shape} scores for {len(questions.candidates)} candidates; "
            f"give one number a candidate, in their order"
        )
    bad = np.flatnonzero(np.isnan(scores))
    if bad.size:
        row = asked[int(np.searchsorted(questions.offsets, bad[0], side="right")) - 1]
        raise CandidateError(
            f"event {row}: the ranker's score of a candidate is NaN; it cannot be ranked", row=row
        )
