"""A comparison for other programs: one record a score, or one JSON document.

Every record says which schedule, candidates and tie rule its score was measured under. Published
scores are records too, with their source; scores are in percent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from linkgram.evaluation import reference
from linkgram.evaluation.comparison import Comparison, settings_text
from linkgram.evaluation.comparison_tables import no_published_figures, published_score
from linkgram.evaluation.published import Reported

FIELDS = (
    "data_set", "method", "kind", "settings", "schedule", "candidates", "ties", "seeds",
    "validation_mrr", "mrr", "mrr_sd", "mrr_low", "mrr_high", "hits@1", "hits@3", "hits@10",
    "ndcg@10", "behind", "behind_low", "behind_high", "published", "published_sd", "source",
    "accessed",
)  # fmt: skip


def records(comparison: Comparison) -> list[dict[str, Any]]:
    """A record a method and schedule, then one a published score; what is unknown is `None`."""
    found = [
        _measured(comparison, row, schedule)
        for schedule in comparison.schedules
        for row in comparison.methods
    ]
    return found + [_published(score) for score in published(comparison)]


def to_csv(comparison: Comparison) -> str:
    """The records as CSV with a heading; what is unknown is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records(comparison))
    return text.getvalue()


def document(comparison: Comparison) -> dict[str, Any]:
    """What was measured, and what was published of the same data set, with its sources."""
    return {
        "comparison": dict(comparison.facts),
        "published": [
            {name: value for name, value in _published(score).items() if value is not None}
            for score in published(comparison)
        ],
        "note": no_published_figures(comparison),
    }


def published(comparison: Comparison) -> list[Reported]:
    """The best neural score, the paper's for every measured schedule, and those quoted elsewhere.

    None where the comparison is not on a benchmark's own events and candidates.
    """
    figures = comparison.paper
    if figures is None:
        return []
    printed = [figures.neural]
    for schedule in comparison.schedules:
        if schedule == "event-wise":
            printed += figures.main.values()
        printed += figures.timing.get(schedule, {}).values()
        if schedule == "strict-timestamp":
            printed.append(figures.strict)
    return printed + list(reference.quoted(comparison.name))


def _measured(comparison: Comparison, row: Mapping[str, Any], schedule: str) -> dict[str, Any]:
    measured, behind = row["metrics"][schedule], row["behind"].get(schedule)
    score = published_score(comparison, row, schedule)
    low, high = measured["mrr"]["interval"]
    validation = row["validation_mrr"]
    record = dict.fromkeys(FIELDS) | {
        "data_set": comparison.name,
        "method": row["name"],
        "kind": row["kind"],
        "settings": settings_text(row["settings"]),
        "schedule": schedule,
        "candidates": comparison.candidates,
        "ties": "midrank",
        "seeds": len(comparison.facts["seeds"]) if row["kind"] == "ours" else None,
        "validation_mrr": None if validation is None else 100 * validation["mean"],
        "mrr": 100 * measured["mrr"]["mean"],
        "mrr_sd": None if measured["mrr"]["sd"] is None else 100 * measured["mrr"]["sd"],
        "mrr_low": 100 * low,
        "mrr_high": 100 * high,
    }
    for name in ("hits@1", "hits@3", "hits@10", "ndcg@10"):
        record[name] = 100 * measured[name]["mean"]
    if behind is not None:
        record["behind"] = 100 * behind["mean"]
        record["behind_low"], record["behind_high"] = (100 * end for end in behind["interval"])
    if score is not None:
        record |= {
            "published": score.value, "published_sd": score.sd, "source": score.source.title,
            "accessed": _day(score),
        }  # fmt: skip
    return record


def _published(score: Reported) -> dict[str, Any]:
    return dict.fromkeys(FIELDS) | {
        "data_set": score.data_set,
        "method": score.method,
        "kind": "published",
        "schedule": score.schedule,
        "candidates": score.candidates,
        "published": score.value,
        "published_sd": score.sd,
        "source": score.source.title,
        "accessed": _day(score),
    }


def _day(score: Reported) -> str | None:
    return None if score.source.accessed is None else score.source.accessed.isoformat()
