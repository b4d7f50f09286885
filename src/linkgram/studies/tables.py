"""Tables over data sets, made from stored studies: what the paper's tables show, and more.

A table keeps its values; how they are written is `table_files`. Where the paper prints a value, a
row with it and one with the difference follow ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.evaluation import choices
from linkgram.evaluation.reference import paper
from linkgram.evaluation.study_result import StudyResult, central
from linkgram.studies.statements import statement_rows
from linkgram.studies.subject import SCHEDULES
from linkgram.studies.timing import OURS
from linkgram.studies.worked_example import NAME as WORKED

COUNTING = ("EdgeBank", "heuristic", "Base3")
COMPARED = ("data set", "study", "what", "here", "paper", "difference", "source")
PROFILE_FACTS = (
    "events", "sources", "destinations", "training", "validation", "test", "span",
    "distinct_times", "tied_events", "duplicates", "distinct_pairs", "repeated_pairs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A table of values: numbers, texts, None, or `{"mean", "sd"}` over seeds.

    Attributes:
        name: of its files.
        caption: what is shown, under which schedule and candidates.
        header: one text a column.
        rows: one list a row.
        decimals: digits after the point of every number.
        bold: whether the largest score of a row is marked.
    """

    name: str
    caption: str
    header: tuple[str, ...]
    rows: list[list[Any]] = field(default_factory=list)
    decimals: int = 2
    bold: tuple[str, ...] = ()


Studies = Mapping[str, Sequence[StudyResult]]


def tables_of(results: Iterable[StudyResult]) -> list[Table]:
    """All tables that can be made of these results; data sets in their order."""
    by_study: dict[str, list[StudyResult]] = {}
    for result in results:
        by_study.setdefault(result.study, []).append(result)
    makers: Mapping[str, Sequence[Callable[[Sequence[StudyResult]], Table]]] = {
        "main": [main_table],
        "timing": [timing_table, strict_table],
        "backoff": [backoff_table],
        "features": [features_table],
        "weights": [weights_table, addition_weights_table],
        "depth": [depth_table],
        "smoothing": [smoothing_table],
        "coverage": [coverage_table],
        "profile": [profile_table],
        WORKED: [worked_table],
    }
    tables = [
        make(by_study[study])
        for study, some in makers.items()
        if study in by_study
        for make in some
    ]
    stated = statement_rows(by_study)
    if stated:
        header = ("study", "statement", "paper", "here", "data sets here")
        tables.append(Table("statements", "Statements of the paper's text.", header, stated))
    compared = compared_rows(by_study)
    if compared:
        tables.append(Table("beside-the-paper", "All values the paper prints.", COMPARED, compared))
    return tables


def main_table(results: Sequence[StudyResult]) -> Table:
    """One row a data set, and what the paper prints."""
    header = ("data set", "", *COUNTING, *BACKOFFS, "best neural", "method")
    rows = []
    for result in results:
        mrr = {_method(row): row["mrr"] for row in result.rows}
        neural = next((row for row in result.rows if row["kind"] == "published"), None)
        shown = [] if neural is None else [neural["mrr"], neural["method"]]
        here = [mrr.get(method) for method in (*COUNTING, *BACKOFFS)]
        rows.append([result.name, "here", *here, *(shown or [None, None])])
        printed = {_from_ours(one["at"]["method"]): one["paper"] for one in result.paper}
        rows += _paper_rows([printed.get(one) for one in (*COUNTING, *BACKOFFS)], here, 2)
    caption = "Test MRR (%). " + _said(results)
    return Table("main", caption, header, rows, bold=(*COUNTING, *BACKOFFS, "best neural"))


def timing_table(results: Sequence[StudyResult]) -> Table:
    """One row a data set and schedule, and what the paper prints."""
    header = ("data set", "schedule", "", *COUNTING, "ours", "best neural", "method")
    methods = (*COUNTING, OURS)
    rows = []
    for result in results:
        figures = paper(result.name)
        neural = [None, None] if figures is None else [figures.neural.value, figures.neural.method]
        for schedule in SCHEDULES:
            mrr = {row["method"]: row["mrr"] for row in result.rows if row["schedule"] == schedule}
            here = [mrr.get(method) for method in methods]
            rows.append([result.name, schedule, "here", *here, *neural])
            printed = _printed(result, schedule, "mrr")
            rows += _paper_rows([printed.get(method) for method in methods], here, 2, ["", ""])
    caption = "Test MRR (%) with the same weights under each schedule. " + _said(results)
    return Table("timing", caption, header, rows, bold=(*COUNTING, "ours"))


def strict_table(results: Sequence[StudyResult]) -> Table:
    """Ours, event-wise and strictly by timestamp."""
    header = ("data set", "", "event-wise", "strict timestamp", "change (points)")
    rows = []
    for result in results:
        ours = {row["schedule"]: row for row in result.rows if row["kind"] == "ours"}
        event, strict = ours[SCHEDULES[0]], ours[SCHEDULES[2]]
        here = [event["mrr"], strict["mrr"], strict["change"]]
        rows.append([result.name, "here", *here])
        printed = [
            _printed(result, SCHEDULES[0], "mrr").get(OURS),
            _printed(result, SCHEDULES[2], "mrr").get(OURS),
            _printed(result, SCHEDULES[2], "change").get(OURS),
        ]
        rows += _paper_rows(printed, here, 0)
    caption = "Test MRR (%) of ours; changes are paired by seed. " + _said(results)
    return Table("strict-timestamp", caption, header, rows)


def backoff_table(results: Sequence[StudyResult]) -> Table:
    """Marginal, continuation and their difference; the largest difference first."""
    header = ("data set", "marginal", "continuation", "difference (points)", "paper")
    ordered = sorted(results, key=lambda result: -abs(result.rows[0]["difference"]["mean"]))
    rows = []
    for result in ordered:
        (row,) = result.rows
        stated = [one["paper"] for one in result.paper]
        rows.append([result.name, *row.values(), *(stated or [None])])
    caption = "Test MRR (%) of the reference configuration, paired by seed. " + _said(results)
    return Table("backoff", caption, header, rows)


def features_table(results: Sequence[StudyResult]) -> Table:
    """The reference and what each addition changes; medians over the data sets at the end."""
    sets = list(choices.feature_sets())
    header = ("data set", "backoff", f"{sets[0]} (%)", *(f"{name} (points)" for name in sets[1:]))
    rows: list[list[Any]] = []
    changes: dict[str, list[list[float]]] = {}
    for backoff in BACKOFFS:
        for result in results:
            found = {row["features"]: row for row in result.rows if row["backoff"] == backoff}
            change = [found[name]["change"] for name in sets[1:]]
            rows.append([result.name, backoff, found[sets[0]]["mrr"], *change])
            changes.setdefault(backoff, []).append([one["mean"] for one in change])
    for of_backoff, some in changes.items():
        medians = np.median(some, axis=0).tolist()
        rows.append([f"median of {len(some)}", of_backoff, None, *medians])
    caption = "Test MRR (%) of the reference and changes (points), paired by seed. "
    return Table("features", caption + _said(results), header, rows)


def weights_table(results: Sequence[StudyResult]) -> Table:
    """Weights of the reference configuration."""
    features = Configuration().feature_names
    rows = [
        [result.name, backoff, *(_weight(result, backoff, "reference", one) for one in features)]
        for result in results
        for backoff in BACKOFFS
    ]
    caption = "Weights of the reference configuration. " + _said(results)
    return Table("weights", caption, ("data set", "backoff", *features), rows)


def addition_weights_table(results: Sequence[StudyResult]) -> Table:
    """The weight of every addition when it is added alone."""
    added = {
        "co_occurrence": "co-occurrence",
        "global_recency": "global-recency",
        "source_recency_fast": "multi-scale",
        "source_recency_slow": "multi-scale",
    }
    rows = [
        [result.name, backoff, *(_weight(result, backoff, added[one], one) for one in added)]
        for result in results
        for backoff in BACKOFFS
    ]
    caption = "Weights of the additions, each added to the reference alone. " + _said(results)
    return Table("weights-additions", caption, ("data set", "backoff", *added), rows)


def depth_table(results: Sequence[StudyResult]) -> Table:
    """One row a depth, one column a data set."""
    depths = results[0].column("depth")
    columns = [dict(zip(result.column("depth"), result.rows, strict=True)) for result in results]
    rows = [[depth, *(column[depth]["mrr"] for column in columns)] for depth in depths]
    rows.append([f"{depths[-1]} - {depths[0]}", *(one[depths[-1]]["change"] for one in columns)])
    caption = "Test MRR (%) by depth, reference configuration, marginal backoff. " + _said(results)
    return Table("depth", caption, ("depth", *(result.name for result in results)), rows)


def smoothing_table(results: Sequence[StudyResult]) -> Table:
    """MRR by alpha, and its range."""
    alphas = results[0].column("alpha")
    rows = []
    for result in results:
        mrr = dict(zip(result.column("alpha"), result.column("mrr"), strict=True))
        rows.append([result.name, *(mrr[alpha] for alpha in alphas), alpha_range(result)])
    median = float(np.median([row[-1] for row in rows]))
    rows.append([f"median of {len(results)}", *(None for _ in alphas), median])
    header = ("data set", *(f"alpha {alpha:g}" for alpha in alphas), "range (points)")
    caption = "Test MRR (%) by alpha, reference configuration, marginal backoff. " + _said(results)
    return Table("smoothing", caption, header, rows)


def alpha_range(result: StudyResult) -> float:
    """Largest minus smallest mean MRR over the alphas."""
    means = [row["mrr"]["mean"] for row in result.rows]
    return float(max(means) - min(means))


def coverage_table(results: Sequence[StudyResult]) -> Table:
    """One row a data set."""
    names = [column.name for column in results[0].columns]
    header = ("data set", *(name.replace("_", " ") for name in names))
    rows = [[result.name, *result.rows[0].values()] for result in results]
    caption = "Share of test queries (%) whose context was observed before; histories event-wise."
    return Table("coverage", caption, header, rows)


def profile_table(results: Sequence[StudyResult]) -> Table:
    """One row a data set, one column a fact."""
    header = ("data set", *(fact.replace("_", " ") for fact in PROFILE_FACTS))
    rows = []
    for result in results:
        facts = dict(zip(result.column("fact"), result.column("value"), strict=True))
        rows.append([result.name, *(facts.get(fact) for fact in PROFILE_FACTS)])
    return Table("profile", "What the streams hold.", header, rows)


def worked_table(results: Sequence[StudyResult]) -> Table:
    """Every estimate of the worked stream."""
    (result,) = results[:1]
    header = tuple(column.name for column in result.columns)
    caption = "Estimates on the worked stream: K = 2, alpha = 1, undecayed counts."
    return Table("worked-example", caption, header, [list(row.values()) for row in result.rows])


def compared_rows(by_study: Studies) -> list[list[Any]]:
    """Every value that the paper prints, with ours and the difference."""
    return [
        [result.name, study, *(one[k] for k in ("what", "ours", "paper", "difference", "source"))]
        for study, results in by_study.items()
        for result in results
        for one in result.paper
    ]


def _paper_rows(
    printed: Sequence[Any], here: Sequence[Any], empty: int, lead: Sequence[str] = ("",)
) -> list[list[Any]]:
    """A row with what the paper prints and one with the difference, if it prints anything."""
    if not any(value is not None for value in printed):
        return []
    pairs = [(central(ours), theirs) for ours, theirs in zip(here, printed, strict=True)]
    differences = [
        None if ours is None or theirs is None else ours - theirs for ours, theirs in pairs
    ]
    end = [None] * empty
    return [[*lead, "paper", *printed, *end], [*lead, "difference", *differences, *end]]


def _printed(result: StudyResult, schedule: str, column: str) -> dict[str, float]:
    return {
        one["at"]["method"]: one["paper"]
        for one in result.paper
        if (one["at"].get("schedule"), one["at"].get("column")) == (schedule, column)
    }


def _method(row: Mapping[str, Any]) -> str:
    return str(row["backoff"] if row["kind"] == "ours" else row["method"])


def _from_ours(method: str) -> str:
    return method.rpartition(", ")[2]


def _weight(result: StudyResult, backoff: str, features: str, feature: str) -> Any:
    wanted = (backoff, features, feature)
    return next(
        row["weight"]
        for row in result.rows
        if (row["backoff"], row["features"], row["feature"]) == wanted
    )


def _said(results: Sequence[StudyResult]) -> str:
    """Schedule, seeds, candidates and ties: what no score is without."""
    seeds = sorted({len(result.settings["seeds"]) for result in results})
    over = " or ".join(map(str, seeds))
    rules = "; ".join(f"{result.name} {_rule(result)}" for result in results)
    schedule = results[0].measured["schedule"]
    return (
        f"Schedule: {schedule}. Mean ± sample sd over {over} seeds. Candidates: {rules}. "
        f"Ties: midrank."
    )


def _rule(result: StudyResult) -> str:
    rule = result.measured["candidates"]
    return f"{rule['rule']}({rule['k']})" if "k" in rule else str(rule["rule"])
