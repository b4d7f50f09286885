"""Main: the row of the paper's main table: ours, every baseline, the best neural score.

Feature sets are the paper's for the data set; validation chooses the backoff. The neural score is a
published one, measured by its authors under their own schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation import choices
from linkgram.evaluation.reference import paper
from linkgram.evaluation.study_result import Column
from linkgram.studies.findings import Findings, beside, mrr_over, validation_over
from linkgram.studies.subject import Subject

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
    sets = {
        backoff: choices.name_of(one.additions)
        for backoff, one in subject.main_configurations().items()
    }
    return {**subject.fit_settings(subject.main_seeds), "feature_sets": sets}


def findings(subject: Subject) -> Findings:
    """One row a method."""
    runs, chosen = subject.main_runs(), subject.chosen_backoff()
    configurations = subject.main_configurations()
    rows: list[dict[str, Any]] = [
        {
            "method": f"linkgram, {backoff}",
            "kind": "ours",
            "backoff": backoff,
            "features": choices.name_of(configurations[backoff].additions),
            "mrr": mrr_over(runs[backoff]),
            "validation_mrr": validation_over(runs[backoff]),
            "chosen": backoff == chosen,
            "choice": "backoff by mean validation MRR",
        }
        for backoff in runs
    ]
    rows += [_baseline(found) for found in subject.baselines]
    figures = paper(subject.protocol.name)
    compared: list[dict[str, Any]] = []
    notes = ["EdgeBank is the better of its two variants by test MRR, as in the paper."]
    if figures is None:
        notes.append("The paper has no figures for this data set.")
    else:
        neural = figures.neural
        rows.append(
            _row(
                method=neural.method,
                kind="published",
                mrr=neural.value,
                choice=f"{neural.source}; schedule: {neural.schedule}; "
                f"candidates: {neural.candidates}",
            )
        )
        for row in rows:
            method = row["backoff"] if row["kind"] == "ours" else row["method"]
            if row["kind"] != "published":
                reported = figures.main.get(method)
                what = f"test MRR of {row['method']}"
                compared += beside(what, row["mrr"], reported, method=row["method"])
    return Findings(COLUMNS, rows, subject.measured(SCHEDULE), notes=notes, paper=compared)


def _baseline(found: Mapping[str, Any]) -> dict[str, Any]:
    validated = found["validation_mrr"]
    return _row(
        method=found["name"],
        kind="baseline",
        mrr=100 * found["metrics"][SCHEDULE]["mrr"],
        validation_mrr=None if validated is None else 100 * validated,
        choice=", ".join(f"{name} {value}" for name, value in found["settings"].items()),
    )


def _row(**values: Any) -> dict[str, Any]:
    return {column.name: values.get(column.name) for column in COLUMNS}
