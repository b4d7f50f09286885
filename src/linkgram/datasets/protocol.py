"""The protocol of a data set: its own split, and its own candidates.

Shipped negatives win; what was not shipped is drawn by the benchmark's rule. Another candidate rule
may be asked for; the result then says so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from linkgram.datasets.data_set import DataSet
from linkgram.evaluation.candidate_rule import CandidateRule
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.split import Split

PARTS: tuple[Literal["validation"], Literal["test"]] = ("validation", "test")


def split_of(data_set: DataSet) -> Split:
    """The benchmark's split."""
    return Split(
        data_set.training_end,
        data_set.validation_end,
        len(data_set.stream),
        data_set.split_rule,
        training_start=int(data_set.split_rule.get("observed_only", 0)),
    )


def protocol_of(
    data_set: DataSet,
    *,
    candidates: CandidateRule | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    directory: Path | None = None,
) -> Protocol:
    """Make the protocol of a loaded data set.

    With a `directory` the candidates that are not shipped are mapped from there.
    """
    split = split_of(data_set)
    stream = data_set.stream
    parts = {} if candidates is not None else dict(data_set.shipped)
    rule = candidates or rule_of(data_set)
    options: dict[str, Any] = {"threads": threads, "progress": progress, "directory": directory}
    if not parts:
        parts = dict(zip(PARTS, rule.draw(stream, split, **options), strict=True))
    for part in PARTS:
        if part not in parts:
            parts[part] = rule.draw_part(part, stream, split, **options)
    return Protocol(
        name=data_set.name,
        stream=stream,
        split=split,
        validation=parts["validation"],
        test=parts["test"],
        notes=data_set.notes,
        provenance={
            "benchmark": data_set.benchmark,
            "version": data_set.version,
            "candidates": "the benchmark's" if candidates is None else "asked for",
            "files": [{"name": file.path.name, "sha256": file.sha256} for file in data_set.files],
        },
    )


def rule_of(data_set: DataSet) -> CandidateRule:
    """The benchmark's rule for candidates that are not shipped."""
    rule = data_set.candidate_rule
    if rule["rule"] == "all-destinations":
        return CandidateRule("all")
    return CandidateRule(str(rule["rule"]), int(rule["k"]), int(rule.get("seed", 42)))
