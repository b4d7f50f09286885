"""Reference figures: what the paper prints for each data set, and what others published.

They are data (`reference.toml`), each with its source, schedule and candidates. Nothing here
decides a fit or a choice; a comparison puts them beside what it measured. Scores are test MRR in
percent.

| call | gives |
| --- | --- |
| `data_sets()` | the names that have figures |
| `paper(name)` | the paper's tables for one data set, or `None` for a data set it does not have |
| `paper_of(data)` | the same for the data of a result, if it is the benchmark's own |
| `paper(name).score(method, schedule)` | one score of these tables, or `None` |
| `quoted(name)` | single scores stated elsewhere: leaderboards, reproductions |
| `statements(study, data_set)` | numbers of the paper's text, such as the gain of a backoff |
| `statement(name)` | one of them |
| `worked_example()` | the paper's table of estimates on its worked stream |

>>> ours = paper("tgbl-enron").score("continuation", "event-wise")
>>> ours.value, ours.sd, ours.table
(86.83, 0.03, 'tab:tgb')
>>> paper("tgbl-enron").neural.schedule
'as its authors measured it; the timing of history updates may differ'
>>> statement("DepthLastfmLoss").value
1.94
>>> paper("mine.csv") is None
True
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from linkgram.errors import SettingError, shown

Study = Literal[
    "main", "timing", "backoff", "features", "weights", "depth", "coverage", "smoothing"
]
Bound = Literal["is", "at least", "at most"]
STUDIES: tuple[Study, ...] = get_args(Study)
BATCH_OF_PAPER = "batch(200)"
# How the file names the tables of one data set, and the schedule they were measured under.
TIMING = {"event-wise": "event-wise", "batch-200": BATCH_OF_PAPER}


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


@cache
def data_sets() -> tuple[str, ...]:
    """The data sets that have figures, in the order of the paper's tables.

    >>> len(data_sets()), data_sets()[0]
    (16, 'tgbl-wiki')
    """
    return tuple(_file()["data_sets"])


@cache
def paper(name: str) -> PaperFigures | None:
    """The paper's figures for a data set, or `None`: it is not in its tables."""
    row = _file()["data_sets"].get(name)
    if row is None:
        return None
    benchmark = "TGB" if name.startswith("tgbl-") else "TGB-Seq"
    about = _file()["benchmarks"][benchmark]
    tables = about["tables"]

    def figure(method: str, value: Any, schedule: str, table: str) -> Reported:
        mean, sd = value if isinstance(value, list) else (value, None)
        return Reported(
            name, method, mean, sd, schedule, about["candidates"], sources()["paper"], tables[table]
        )

    def column(values: Mapping[str, Any], schedule: str, table: str) -> dict[str, Reported]:
        return {method: figure(method, value, schedule, table) for method, value in values.items()}

    strict, neural = row["strict-timestamp"], row["neural"]
    said = _file()["sources"][neural["source"]]
    return PaperFigures(
        name=name,
        benchmark=benchmark,
        neural=Reported(
            name, neural["method"], neural["value"], None, said["schedule"], said["candidates"],
            sources()[neural["source"]], tables["main"],
        ),
        main=column(row["main"], "event-wise", "main"),
        timing={
            schedule: column(row[table], schedule, "timing") for table, schedule in TIMING.items()
        },
        strict=figure("ours", strict["ours"], "strict-timestamp", "strict-timestamp"),
        strict_event=figure("ours", strict["event-wise"], "event-wise", "strict-timestamp"),
        strict_change=figure(
            "change", strict["change"], "strict-timestamp minus event-wise", "strict-timestamp"
        ),
    )  # fmt: skip


def paper_of(data: Mapping[str, Any]) -> PaperFigures | None:
    """The paper's figures for the `data` of a result, if that is its own data set.

    A file that happens to bear a benchmark's name has none, nor has a benchmark's stream with other
    candidates.

    >>> paper_of({"name": "tgbl-uci", "provenance": {"file": "tgbl-uci"}}) is None
    True
    """
    figures = paper(str(data["name"]))
    came = data.get("provenance", {})
    if figures is None or came.get("benchmark") != figures.benchmark:
        return None
    return figures if came.get("candidates") == "the benchmark's" else None


def quoted(name: str) -> tuple[Reported, ...]:
    """Scores of a data set stated outside the paper's tables, in the order of the file.

    >>> [(score.method, score.value, str(score.source)[:3]) for score in quoted("tgbl-wiki")][:2]
    [('EdgeBank unlimited', 49.5, 'TGB'), ('EdgeBank window', 57.1, 'TGB')]
    """
    found = []
    for row in _file()["quoted"]:
        if row["data_set"] != name:
            continue
        said = _file()["sources"][row["source"]]
        candidates = said.get("candidates", _file()["benchmarks"]["TGB"]["candidates"])
        schedule = row.get("schedule") or said["schedule"]
        found.append(
            Reported(
                name, row["method"], row["value"], None, schedule, candidates,
                sources()[row["source"]],
            )
        )  # fmt: skip
    return tuple(found)


def statements(study: Study | None = None, data_set: str | None = None) -> tuple[Statement, ...]:
    """The numbers of the paper's text: all, those of a study, or those that name a data set.

    >>> [(found.name, found.value) for found in statements("backoff", "Yelp")]
    [('KnLossYelp', 5.01)]
    """
    if study is not None and study not in STUDIES:
        raise SettingError(
            f"study {shown(study)} is unknown; accepted: {', '.join(STUDIES)}",
            setting="study",
            value=study,
        )
    return tuple(
        one
        for one in _statements().values()
        if (study is None or one.study == study) and (data_set is None or data_set in one.data_sets)
    )


def statement(name: str) -> Statement:
    """One number of the paper's text, by the name its source gives it."""
    if name not in _statements():
        raise SettingError(
            f"the paper's text has no number {shown(name)}", setting="statement", value=name
        )
    return _statements()[name]


def worked_example() -> Mapping[str, tuple[float, ...]]:
    """Rows of the paper's table of estimates, over its four destinations, to two decimals.

    >>> worked_example()["transition_1"]
    (0.1, 0.65, 0.15, 0.1)
    """
    return {
        name: tuple(row)
        for name, row in _file()["worked_example"].items()
        if name != "destinations"
    }


@cache
def sources() -> Mapping[str, Source]:
    """Everything that figures come from, by the file's names."""
    return {
        name: Source(name, about["title"], about.get("url"), about.get("accessed"))
        for name, about in _file()["sources"].items()
    }


@cache
def _statements() -> Mapping[str, Statement]:
    return {
        name: Statement(name=name, **(row | {"data_sets": tuple(row.get("data_sets", ()))}))
        for name, row in _file()["statements"].items()
    }


@cache
def _file() -> Mapping[str, Any]:
    text = resources.files("linkgram.evaluation").joinpath("reference.toml").read_text("utf-8")
    return tomllib.loads(text)
