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

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from linkgram.errors import SettingError, shown
from linkgram.evaluation.published import (
    STUDIES,
    PaperFigures,
    Reported,
    Source,
    Statement,
    Study,
)

BATCH_OF_PAPER = "batch(200)"
# How the file names the tables of one data set, and the schedule they were measured under.
TIMING = {"event-wise": "event-wise", "batch-200": BATCH_OF_PAPER}


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
