"""Analysis tables: one a study beside the main comparison, over the data sets at hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkgram.configuration import BACKOFFS, Configuration
from linkgram.evaluation import choices
from linkgram.evaluation.study_result import StudyResult
from linkgram.evaluation.table import Cell, Column, Table
from linkgram.studies.cells import (
    NOTHING,
    Results,
    cell,
    number_columns,
    points,
    said,
    seeds_said,
    text_columns,
)

# Weight -> the feature set that adds it to the reference alone.
ADDED = {
    "co_occurrence": "co-occurrence",
    "global_recency": "global-recency",
    "source_recency_fast": "multi-scale",
    "source_recency_slow": "multi-scale",
}
SIZES = "sizes compare among transitions only: features differ in range"
# Facts of a profile, as they are grouped and named in its table.
PROFILE = {
    "events": ("events", "all"),
    "training": ("events", "training"),
    "validation": ("events", "validation"),
    "test": ("events", "test"),
    "tied_events": ("events", "tied"),
    "duplicates": ("events", "duplicate"),
    "sources": ("distinct", "sources"),
    "destinations": ("distinct", "destinations"),
    "distinct_pairs": ("distinct", "pairs"),
    "distinct_times": ("distinct", "times"),
}


def backoff_table(results: Results) -> Table:
    """Marginal, continuation and their difference, the largest difference first."""
    ordered = sorted(results, key=lambda result: -abs(result.rows[0]["difference"]["mean"]))
    rows: list[tuple[Cell, ...]] = []
    for result in ordered:
        (row,) = result.rows
        # A loss is stated as a positive number.
        stated = [
            one["paper"] if one["ours"] * row["difference"]["mean"] > 0 else -one["paper"]
            for one in result.paper
        ]
        printed = points(float(stated[0])) if stated else NOTHING
        scores = (cell(row["marginal"]), cell(row["continuation"]), points(row["difference"]))
        rows.append((result.name, *scores, printed))
    names = ("marginal", "continuation", "difference (points)", "paper")
    columns = (*text_columns("data set"), *number_columns(names))
    title = "Backoffs in the reference configuration: test MRR in %, paired by seed"
    return Table(title, columns, tuple(rows), said(results))


def features_table(results: Results) -> Table:
    """The reference and what each addition changes; medians over the data sets at the end."""
    reference, *added = choices.feature_sets()
    rows: list[tuple[Cell, ...]] = []
    medians: list[tuple[Cell, ...]] = []
    for backoff in BACKOFFS:
        changes = []
        for result in results:
            found = {row["features"]: row for row in result.rows if row["backoff"] == backoff}
            change = [found[name]["change"] for name in added]
            changes.append([one["mean"] for one in change])
            mrr = cell(found[reference]["mrr"])
            rows.append((result.name, backoff, mrr, *map(points, change)))
        median = np.median(changes, axis=0).tolist()
        medians.append((f"median of {len(results)}", backoff, NOTHING, *map(points, median)))
    columns = (
        *text_columns("data set", "backoff"),
        *number_columns([f"{reference} (%)"]),
        *number_columns(added, "change (points)"),
    )
    gaps = frozenset([len(rows) - 1])
    title = "Additions to the reference configuration: test MRR, paired by seed"
    return Table(title, columns, (*rows, *medians), said(results), gaps)


def weights_table(results: Results) -> Table:
    """Weights of the reference configuration."""
    features = Configuration().feature_names
    rows = tuple(
        (
            result.name,
            backoff,
            *(_weight(result, backoff, "reference", feature) for feature in features),
        )
        for result in results
        for backoff in BACKOFFS
    )
    columns = (*text_columns("data set", "backoff"), *map(_feature_column, features))
    notes = (seeds_said(results), SIZES)
    return Table("Weights of the reference configuration", columns, rows, notes)


def addition_weights_table(results: Results) -> Table:
    """The weight of every addition when it is added alone."""
    rows = tuple(
        (
            result.name,
            backoff,
            *(_weight(result, backoff, features, feature) for feature, features in ADDED.items()),
        )
        for result in results
        for backoff in BACKOFFS
    )
    columns = (*text_columns("data set", "backoff"), *map(_feature_column, ADDED))
    title = "Weights of the additions, each added to the reference alone"
    notes = (seeds_said(results, "seeds_of_additions"), SIZES)
    return Table(title, columns, rows, notes)


def _feature_column(feature: str) -> Column:
    kind, _, position = feature.rpartition("_")
    if position.isdigit():
        return Column(position, kind)
    if feature.startswith("source_"):
        return Column(feature.removeprefix("source_").replace("_", " "), "source")
    return Column(feature.replace("_", " "))


def _weight(result: StudyResult, backoff: str, features: str, feature: str) -> Cell:
    wanted = (backoff, features, feature)
    return cell(
        next(
            row["weight"]
            for row in result.rows
            if (row["backoff"], row["features"], row["feature"]) == wanted
        )
    )


def depth_table(results: Results) -> Table:
    """One row a depth, one column a data set."""
    depths = results[0].column("depth")
    columns = [dict(zip(result.column("depth"), result.rows, strict=True)) for result in results]
    rows: list[tuple[Cell, ...]] = [
        (str(depth), *(cell(column[depth]["mrr"]) for column in columns)) for depth in depths
    ]
    last = (points(column[depths[-1]]["change"]) for column in columns)
    rows.append((f"{depths[-1]} minus {depths[0]}", *last))
    names = [result.name for result in results]
    title = "Depths in the reference configuration, marginal backoff: test MRR in %"
    return Table(
        title,
        (*text_columns("depth"), *number_columns(names)),
        tuple(rows),
        said(results),
        frozenset([len(rows) - 2]),
    )


def smoothing_table(results: Results) -> Table:
    """MRR by alpha, and its range; the median range at the end."""
    alphas = results[0].column("alpha")
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        mrr = dict(zip(result.column("alpha"), result.column("mrr"), strict=True))
        rows.append(
            (result.name, *(cell(mrr[alpha]) for alpha in alphas), cell(alpha_range(result)))
        )
    median = float(np.median([alpha_range(result) for result in results]))
    rows.append((f"median of {len(results)}", *(NOTHING for _ in alphas), cell(median)))
    names = [*(f"alpha {alpha:g}" for alpha in alphas), "range (points)"]
    title = "Smoothing in the reference configuration, marginal backoff: test MRR in %"
    columns = (*text_columns("data set"), *number_columns(names))
    return Table(title, columns, tuple(rows), said(results), frozenset([len(rows) - 2]))


def alpha_range(result: StudyResult) -> float:
    """Largest minus smallest mean MRR over the alphas."""
    means = [row["mrr"]["mean"] for row in result.rows]
    return float(max(means) - min(means))


def coverage_table(results: Results) -> Table:
    """One row a data set."""
    names = [column.name.replace("_", " ") for column in results[0].columns]
    rows = tuple((result.name, *map(cell, result.rows[0].values())) for result in results)
    columns = (*text_columns("data set"), *number_columns(names))
    notes = ("histories are event-wise; a source without history is not covered",)
    return Table("Context coverage of the test queries in %", columns, rows, notes)


def profile_table(results: Results) -> Table:
    """One row a data set, one column a fact."""
    rows = []
    for result in results:
        facts = dict(zip(result.column("fact"), result.column("value"), strict=True))
        rows.append((result.name, *(cell(facts.get(fact)) for fact in PROFILE)))
    columns = (
        *text_columns("data set"),
        *(Column(name, group) for group, name in PROFILE.values()),
    )
    return Table("What the streams hold", columns, tuple(rows))


def worked_table(results: Results) -> Table:
    """Every estimate of the worked stream."""
    (result,) = results
    backoff, estimator, *candidates = (column.name for column in result.columns)
    rows = tuple(tuple(map(cell, row.values())) for row in result.rows)
    columns = (*text_columns(backoff, estimator), *number_columns(candidates))
    settings = ", ".join(
        f"{name} {value}" for name, value in result.settings.items() if name != "query"
    )
    return Table("Estimates on the worked stream", columns, rows, (settings,))


def worked_events_table(results: Results) -> Table:
    """What every event of the worked stream leaves in the tables."""
    (result,) = results
    rows = tuple(
        (
            str(at),
            "{} visits {}".format(*one["event"][:2]),
            ", ".join(one["history"]),
            *(_counts(one[name]) for name in ("transitions", "co_occurrence")),
        )
        for at, one in enumerate(result.series["events"], 1)
    )
    names = ("time", "event", "history of u, newest first", "transitions", "co-occurrence")
    notes = ("an entry x: z 2 says that z followed x twice: at once for transitions, within the "
             "window for co-occurrence",)  # fmt: skip
    title = "The worked stream event by event: the tables after each"
    return Table(title, text_columns(*names), rows, notes)


def _counts(table: Mapping[str, Mapping[str, int]]) -> str:
    return "; ".join(
        f"{context}: " + ", ".join(f"{z} {count}" for z, count in row.items())
        for context, row in table.items()
    ) or NOTHING  # fmt: skip
