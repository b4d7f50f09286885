"""Protocol: split, candidates, tie rule and metric, over one stream.

Everything that must be the same for two scores to be comparable, except the schedule. Ids are
dense: the stream's destination ids are the whole fixed vocabulary, in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linkgram.errors import SettingError
from linkgram.evaluation.candidates import CandidateSet
from linkgram.evaluation.split import Split
from linkgram.events import EventStream

TIE_RULE = "midrank: 1 + negatives scored higher + half of those scored equal"


@dataclass(frozen=True, slots=True)
class Protocol:
    """One data set, ready to be evaluated on.

    Attributes:
        name: how results call it.
        stream: all events; its `destination_ids` are the fixed vocabulary.
        split: where training, validation and test begin.
        validation: negatives of the validation queries.
        test: negatives of the test queries.
        notes: what a reader of a score should know of the data.
        provenance: where the events came from (files and their digests, or columns).
    """

    name: str
    stream: EventStream
    split: Split
    validation: CandidateSet
    test: CandidateSet
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.split.events != len(self.stream):
            raise SettingError(
                f"the split is of {self.split.events} events, but the stream has "
                f"{len(self.stream)}",
                setting="split",
                value=self.split.events,
            )
        _, validation, test = self.split.sizes
        for name, rows, wanted in (
            ("validation", self.validation, validation),
            ("test", self.test, test),
        ):
            if len(rows) != wanted:
                raise SettingError(
                    f"the {name} candidates are for {len(rows)} queries, but the {name} split has "
                    f"{wanted} events",
                    setting="candidates",
                    value=len(rows),
                )
            # Listed candidates may come from part of the vocabulary; these are all of it.
            if rows.offsets is None and rows.vocabulary_size != self.vocabulary_size:
                raise SettingError(
                    f"the {name} candidates are all of {rows.vocabulary_size} destinations, but "
                    f"the vocabulary has {self.vocabulary_size}",
                    setting="candidates",
                    value=rows.vocabulary_size,
                )

    @property
    def vocabulary_size(self) -> int:
        """|V|: destinations in the fixed vocabulary, seen or not."""
        return len(self.stream.destination_ids)

    @property
    def before_test(self) -> EventStream:
        """Training and validation events: all that a fit may see."""
        return self.stream[: self.split.validation_end]

    def describe(self) -> dict[str, Any]:
        """What a result records of it."""
        training, validation, test = self.split.sizes
        return {
            "data": {
                "name": self.name,
                "digest": self.stream.digest(),
                "events": len(self.stream),
                "sources": len(self.stream.source_ids),
                "vocabulary_size": self.vocabulary_size,
                "time_unit": self.stream.time_unit,
                "provenance": dict(self.provenance),
                "notes": list(self.notes),
            },
            "split": {
                "rule": dict(self.split.rule),
                "training": training,
                "validation": validation,
                "test": test,
            },
            "candidates": {
                "validation": _candidates(self.validation),
                "test": _candidates(self.test),
                "ties": TIE_RULE,
            },
        }


def _candidates(rows: CandidateSet) -> dict[str, Any]:
    return {"rule": dict(rows.rule), "digest": rows.digest(), "queries": len(rows)}
