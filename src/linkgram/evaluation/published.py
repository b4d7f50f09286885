"""What others published, as values: a score, the paper's figures for a data set, a stated number.

A score always carries the schedule and the candidates it was measured under, and who says so. Where
the values come from is in `linkgram.evaluation.reference`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Study = Literal[
    "main", "timing", "backoff", "features", "weights", "depth", "coverage", "smoothing"
]
Bound = Literal["is", "at least", "at most"]
STUDIES: tuple[Study, ...] = get_args(Study)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from; `accessed` is the day a page that changes was looked at."""

    name: str
    title: str
    url: str | None = None
    accessed: datetime.date | None = None

    def __str__(self) -> str:
        return self.title if self.accessed is None else f"{self.title}, {self.accessed}"


@dataclass(frozen=True, slots=True)
class Reported:
    """One published score, in percent.

    Attributes:
        data_set: the data set it was measured on.
        method: what was measured: a baseline, a backoff, `ours` for the backoff that validation
            chose, or the name of a neural model.
        value: test MRR, or a change of it in points.
        sd: sample standard deviation over runs, where one is printed.
        schedule: the schedule it was measured under, or in words what the source says of it.
        candidates: what it was ranked against.
        source: who says so.
        table: label of the paper's table, or `None` for a score stated elsewhere.
    """

    data_set: str
    method: str
    value: float
    sd: float | None
    schedule: str
    candidates: str
    source: Source
    table: str | None = None


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """What the paper prints for one data set.

    Attributes:
        name: the data set.
        benchmark: `"TGB"` or `"TGB-Seq"`.
        neural: the best neural score it reports.
        main: the main table by column: EdgeBank, heuristic, Base3, marginal, continuation.
        timing: the timing table by schedule and column: EdgeBank, heuristic, Base3, ours.
        strict: ours under strict timestamps.
        strict_event: ours event-wise, as the table of strict timestamps repeats it.
        strict_change: their difference in points, paired by seed.
    """

    name: str
    benchmark: str
    neural: Reported
    main: Mapping[str, Reported] = field(repr=False)
    timing: Mapping[str, Mapping[str, Reported]] = field(repr=False)
    strict: Reported
    strict_event: Reported
    strict_change: Reported

    @property
    def chosen_backoff(self) -> str:
        """The backoff that validation chose in the paper: the one its timing table repeats.

        >>> from linkgram.evaluation.reference import paper
        >>> paper("tgbl-lastfm").chosen_backoff  # though continuation is higher on test
        'marginal'
        """
        ours = self.timing["event-wise"]["ours"].value
        return next(
            backoff for backoff in ("marginal", "continuation") if self.main[backoff].value == ours
        )

    def score(self, method: str, schedule: str) -> Reported | None:
        """The paper's score of a method under a schedule; `None` where it prints none.

        A method is a column of its tables. A backoff under other schedules than event-wise is
        `ours` if validation chose it, else the paper does not have it.

        >>> from linkgram.evaluation.reference import paper
        >>> paper("tgbl-uci").score("heuristic", "batch(200)").value
        37.49
        >>> paper("tgbl-uci").score("continuation", "batch(200)") is None
        True
        """
        if schedule == "event-wise" and method in self.main:
            return self.main[method]
        if method == self.chosen_backoff:
            method = "ours"
        if schedule == "strict-timestamp":
            return self.strict if method == "ours" else None
        return self.timing.get(schedule, {}).get(method)


@dataclass(frozen=True, slots=True)
class Statement:
    """A number of the paper's text.

    Attributes:
        name: as the paper's source calls it.
        study: the analysis it belongs to.
        says: what is counted or measured.
        bound: whether it is the value itself or bounds all of them.
        value: the number.
        unit: points of MRR, percent, data sets, ...
        data_sets: those the text names or all of a bound, empty where it names none.
        of: how many data sets were looked at, where the statement is over several.
    """

    name: str
    study: Study
    says: str
    bound: Bound
    value: float
    unit: str
    data_sets: tuple[str, ...] = ()
    of: int | None = None
