"""The tables of a comparison: the paper's main and timing table for one data set, and all methods.

Below each measured row of the first two stands what the paper prints there, and the difference of
the two printed numbers. The best neural score is published, not measured: its notes say by whom and
under which schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from linkgram.evaluation import reference
from linkgram.evaluation.comparison import Comparison, settings_text
from linkgram.evaluation.published import Reported
from linkgram.evaluation.table import Cell, Column, Score, Table, with_highest_bold

COUNTED = ("EdgeBank", "heuristic", "Base3")
NEURAL = "best neural, own schedule"


def tables_of(comparison: Comparison) -> list[Table]:
    """All tables: main, timing, and the methods one by one under each schedule."""
    methods = [methods_table(comparison, schedule) for schedule in comparison.schedules]
    return [main_table(comparison), timing_table(comparison), *methods]


def main_table(comparison: Comparison) -> Table:
    """Counted baselines, both backoffs and the best neural score, under the first schedule."""
    schedule = comparison.schedules[0]
    ours = comparison.ours
    backoffs = [str(row["settings"]["backoff"]) for row in ours]
    rows = _beside_paper(
        comparison,
        [*COUNTED, *(str(row["name"]) for row in ours)],
        [*COUNTED, *backoffs],
        schedule,
        comparison.name,
    )
    return Table(
        f"{comparison.name}: test MRR in %, {schedule}",
        (
            Column("data set", right=False),
            Column("from", right=False),
            *(Column(name) for name in COUNTED),
            *(Column(backoff, "ours") for backoff in backoffs),
            *_neural_columns(comparison),
        ),
        tuple(rows),
        _notes(comparison, schedule),
    )


def timing_table(comparison: Comparison) -> Table:
    """Counted baselines and the chosen backoff under every schedule."""
    rows: list[tuple[Cell, ...]] = []
    gaps = set()
    for schedule in comparison.schedules:
        rows += _beside_paper(
            comparison,
            [*COUNTED, str(comparison.chosen["name"])],
            [*COUNTED, "ours"],
            schedule,
            schedule,
        )
        gaps.add(len(rows) - 1)
    return Table(
        f"{comparison.name}: test MRR in % by schedule of updates",
        (
            Column("schedule", right=False),
            Column("from", right=False),
            *(Column(name) for name in COUNTED),
            Column("ours"),
            *_neural_columns(comparison),
        ),
        tuple(rows),
        (*_notes(comparison, "the schedule of each row"), _choice(comparison)),
        frozenset(gaps),
    )


def methods_table(comparison: Comparison, schedule: str) -> Table:
    """Every method under one schedule, and how far the chosen backoff is ahead of it."""
    rows = []
    published = False
    for row in comparison.methods:
        if _single_rule(row):
            continue
        printed = published_score(comparison, row, schedule)
        published |= printed is not None
        rows.append(_method(row, schedule, printed))
    notes = [
        *_rules(comparison, schedule),
        f"ours ahead by: {comparison.chosen['name']} minus the method, in points, paired by query; "
        f"95 %: bootstrap over blocks of neighbouring queries",
    ]
    columns = [
        Column("method", right=False),
        Column("settings", right=False, optional=True),
        Column("val MRR", optional=True),
        Column("test MRR"),
        Column("95 % of queries", optional=True),
        Column("ours ahead by"),
        Column("95 %"),
    ]
    if published:
        columns += [Column("published"), Column("difference")]
        notes += _published_notes(comparison, schedule)
    width = len(columns)
    return Table(
        f"{comparison.name}: all methods, test MRR in %, {schedule}",
        tuple(columns),
        tuple(row[:width] for row in rows),
        tuple(notes),
    )


def published_score(
    comparison: Comparison, row: Mapping[str, Any], schedule: str
) -> Reported | None:
    """The published score of a method under a schedule: the paper's, else one quoted elsewhere."""
    if comparison.paper is None:
        return None
    method = str(row["settings"]["backoff"] if row["kind"] == "ours" else row["name"])
    score = comparison.paper.score(method, schedule)
    if score is not None:
        return score
    elsewhere = reference.quoted(comparison.name)
    return next((s for s in elsewhere if (s.method, s.schedule) == (method, schedule)), None)


def percent(value: Mapping[str, Any]) -> Score:
    """A stored mean and deviation in percent."""
    sd = value["sd"]
    return Score(100 * value["mean"], None if sd is None else 100 * sd)


def difference(ours: Score, printed: Reported) -> Score:
    """What is printed here minus what is printed there."""
    return Score(round(ours.value, 2) - printed.value, signed=True)


def no_published_figures(comparison: Comparison) -> str | None:
    """Why there is nothing to compare with, or `None`."""
    if comparison.paper is not None:
        return None
    if reference.paper(comparison.name) is None:
        return f"no published figures: {comparison.name} is in none of the paper's tables"
    return (
        "no published figures: those of this name are for the benchmark's own events and candidates"
    )


def _beside_paper(
    comparison: Comparison,
    names: Sequence[str],
    columns: Sequence[str],
    schedule: str,
    head: str,
) -> list[tuple[Cell, ...]]:
    """The measured row, and below it the paper's and their difference where it has one."""
    found = [comparison.method(name) for name in names]
    scores = [None if row is None else percent(row["metrics"][schedule]["mrr"]) for row in found]
    measured: list[Cell] = ["" if score is None else score for score in scores]
    figures = comparison.paper
    if figures is None:
        return [(head, "measured", *with_highest_bold(measured))]
    neural = (Score(figures.neural.value), figures.neural.method)
    rows = [(head, "measured", *with_highest_bold((*measured, *neural)))]
    printed = [figures.score(column, schedule) for column in columns]
    if any(printed):
        reported = _cells(printed, lambda score, _: Score(score.value, score.sd))
        rows.append(("", "paper", *with_highest_bold((*reported, *neural))))
        change = [
            "" if ours is None or score is None else difference(ours, score)
            for ours, score in zip(scores, printed, strict=True)
        ]
        rows.append(("", "difference", *change, "", ""))
    return rows


def _cells(scores: Sequence[Reported | None], show: Callable[[Reported, int], Score]) -> list[Cell]:
    return ["" if score is None else show(score, at) for at, score in enumerate(scores)]


def _method(row: Mapping[str, Any], schedule: str, printed: Reported | None) -> tuple[Cell, ...]:
    mrr, behind = row["metrics"][schedule]["mrr"], row["behind"].get(schedule)
    score = percent(mrr)
    validation = row["validation_mrr"]
    return (
        f"{row['name']}{' *' if row['chosen'] else ''}",
        _settings(row),
        "" if validation is None else percent(validation),
        score,
        _interval(mrr["interval"]),
        "" if behind is None else Score(100 * behind["mean"], signed=True),
        "" if behind is None else _interval(behind["interval"], signed=True),
        "" if printed is None else Score(printed.value, printed.sd),
        "" if printed is None else difference(score, printed),
    )


def _interval(interval: Sequence[float], *, signed: bool = False) -> str:
    low, high = (Score(100 * end, signed=signed).mean for end in interval)
    return f"{low} to {high}"


def _settings(row: Mapping[str, Any]) -> str:
    settings = row["settings"]
    if row["kind"] == "ours":
        return f"features {settings['feature_set']}, depth {settings['depth']}"
    return settings_text(settings)


def _single_rule(row: Mapping[str, Any]) -> bool:
    """One statistic alone, as the paper keeps it in its result files but not in its tables."""
    return "order" in row["settings"] and "of" not in row["settings"]


def _neural_columns(comparison: Comparison) -> tuple[Column, ...]:
    if comparison.paper is None:
        return ()
    return (Column("MRR", NEURAL), Column("method", NEURAL, right=False))


def _rules(comparison: Comparison, schedule: str) -> list[str]:
    seeds = len(comparison.facts["seeds"])
    spread = f"mean ± sample sd over {seeds} seeds" if seeds > 1 else "one seed"
    return [
        f"schedule: {schedule}; test candidates: {comparison.candidates}; ties: midrank",
        f"ours: {spread}; * chosen by validation",
    ]


def _notes(comparison: Comparison, schedule: str) -> tuple[str, ...]:
    notes = _rules(comparison, schedule)
    notes[-1] = notes[-1].partition(";")[0]
    features = {str(row["settings"]["feature_set"]) for row in comparison.ours}
    notes[-1] += f"; features: {', '.join(sorted(features))}"
    notes.append("; ".join(map(_counted, filter(None, map(comparison.method, COUNTED)))))
    figures = comparison.paper
    if figures is None:
        notes.append(f"{no_published_figures(comparison)}; bold: the highest in a row")
        return tuple(notes)
    neural = figures.neural
    notes.append(
        f"best neural: published, not measured: {neural.source}; schedule: {neural.schedule}; "
        f"candidates: {neural.candidates}"
    )
    notes.append(
        f"paper: {figures.strict.source}, its own feature sets, five seeds, "
        f"{figures.strict.candidates}; difference: measured minus paper, as printed; "
        f"bold: the highest in a row"
    )
    return tuple(notes)


def _counted(row: Mapping[str, Any]) -> str:
    chosen = row["settings"].get("chosen")
    how = "" if chosen is None else f", the {chosen}"
    return f"{row['name']}: {settings_text(row['settings'])}{how}"


def _choice(comparison: Comparison) -> str:
    chosen = comparison.chosen["settings"]["backoff"]
    how = "that validation chooses" if len(comparison.ours) > 1 else "that was asked for"
    note = f"ours is the backoff {how}: {chosen}"
    if comparison.paper is not None:
        theirs = comparison.paper.chosen_backoff
        note += " here and in the paper" if theirs == chosen else f" here, {theirs} in the paper"
    return note


def _published_notes(comparison: Comparison, schedule: str) -> list[str]:
    titles: dict[str, list[str]] = {}
    for row in comparison.methods:
        score = published_score(comparison, row, schedule)
        if score is not None:
            titles.setdefault(str(score.source), []).append(str(row["name"]))
    return [f"published: {', '.join(names)}: {title}" for title, names in titles.items()]
