"""Main: the row of the paper's main table: ours, every baseline, the best neural score.

Feature sets are the paper's for the data set; validation chooses the backoff. The neural score is a
published one, measured by its authors under their own schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation.comparison import settings_text
from linkgram.evaluation.study_result import Column, over_seeds
from linkgram.studies.findings import Findings, beside
from linkgram.studies.subject import Subject, mrr_by_seed

SCHEDULE = "event-wise"
COLUMNS = (
    Column("method", "what was measured"),
    Column("kind", "ours, baseline (recomputed here) or published"),
    Column("backoff", "backoff of our configuration"),
    Column("features", "feature set of our configuration"),
    Column("mrr", "test MRR", "%"),
    Column("validation_mrr", "validation MRR, event-wise", "%"),
    Column("chosen", "whether validation chose it among our backoffs"),
    Column("choice", "settings, how they were chosen, or the source of a published score"),
)


def settings(subject: Subject) -> dict[str, Any]:
    """What decides this study's result besides the data."""
    return subject.main_settings()


def findings(subject: Subject) -> Findings:
    """One row a method."""
    comparison, figures = subject.comparison, subject.figures
    rows = [_ours(row) for row in comparison.ours]
    rows += [_baseline(row) for row in comparison.methods if row["kind"] == "baseline"]
    compared: list[dict[str, Any]] = []
    notes = ["EdgeBank is the better of its two variants by test MRR, as in the paper."]
    if figures is None:
        notes.append("The paper has no figures for this data set.")
    else:
        for row in rows:
            reported = figures.main.get(row["backoff"] or row["method"])
            what = f"test MRR of {row['method']}"
            compared += beside(what, row["mrr"], reported, method=row["method"])
        neural = figures.neural
        source = f"{neural.source}; schedule: {neural.schedule}; candidates: {neural.candidates}"
        rows.append(_row(method=neural.method, kind="published", mrr=neural.value, choice=source))
    return Findings(COLUMNS, rows, subject.measured(SCHEDULE), notes=notes, paper=compared)


def _ours(row: Mapping[str, Any]) -> dict[str, Any]:
    backoff = row["settings"]["backoff"]
    validated = [100 * run["validation_mrr"][run["epoch"] - 1] for run in row["runs"]]
    return _row(
        method=f"linkgram, {backoff}",
        kind="ours",
        backoff=backoff,
        features=row["settings"]["feature_set"],
        mrr=over_seeds(mrr_by_seed(row, SCHEDULE)),
        validation_mrr=over_seeds(validated),
        chosen=row["chosen"],
        choice="backoff by mean validation MRR",
    )


def _baseline(row: Mapping[str, Any]) -> dict[str, Any]:
    validated = row["validation_mrr"]
    return _row(
        method=row["name"],
        kind="baseline",
        mrr=100 * row["metrics"][SCHEDULE]["mrr"]["mean"],
        validation_mrr=None if validated is None else 100 * validated["mean"],
        choice=settings_text(row["settings"]),
    )


def _row(**values: Any) -> dict[str, Any]:
    return {column.name: values.get(column.name) for column in COLUMNS}
