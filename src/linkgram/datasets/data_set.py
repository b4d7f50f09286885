"""The data set: a stream with its splits, the negatives that came with it, and where it is from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from linkgram.errors import EventError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linkgram.datasets.manifest import DataFile
    from linkgram.events import EventStream


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """A stream over a fixed vocabulary, cut into training, validation and test.

    Attributes:
        name: as the registry spells it.
        benchmark: "TGB", "TGB-Seq" or "samples".
        version: of the data, as the benchmark counts it.
        stream: all events; `destination_ids` is the whole candidate range in id order.
        training_end: the event where training ends and validation begins.
        validation_end: the event where validation ends and test begins.
        split_rule: how the two were found. `observed_only` events at the start, if any, are
            history that is observed but never learned from.
        shipped: the negatives that came with the data, by split; converted when first asked for.
        candidate_rule: how to draw candidates for splits that are not shipped.
        files: what was read.
        notes: what a reader of results should know.

    """

    name: str
    benchmark: str
    version: int
    stream: EventStream = field(repr=False)
    training_end: int
    validation_end: int
    split_rule: Mapping[str, Any] = field(repr=False)
    shipped: Mapping[str, Any] = field(repr=False)
    candidate_rule: Mapping[str, Any] = field(repr=False)
    files: tuple[DataFile, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)

    def __post_init__(self) -> None:
        ends = (0, self.training_end, self.validation_end, len(self.stream))
        if list(ends) != sorted(set(ends)):
            raise EventError(
                f"{self.name} cannot be split: training would end at event {ends[1]}, validation "
                f"at {ends[2]}, and there are {ends[3]} events; every split needs an event",
                hint="a stream with too few distinct times has no such split",
            )

    @property
    def training(self) -> EventStream:
        """The events to learn from."""
        return self.stream[int(self.split_rule.get("observed_only", 0)) : self.training_end]

    @property
    def validation(self) -> EventStream:
        """The events to choose by."""
        return self.stream[self.training_end : self.validation_end]

    @property
    def test(self) -> EventStream:
        """The events to report."""
        return self.stream[self.validation_end :]
