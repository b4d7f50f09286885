"""The model and every baseline behind one face, so that one suite can hold them to the same rules.

A contender has a history and answers in dense ids. Its passes over a protocol (`ranks`) are those
that the published scores come from.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.support.naive import Settings
from tests.support.predictors import spread_weights

from linkgram import Configuration, EventStream, LinkPredictor, _core
from linkgram.evaluation import Protocol, Schedule, baselines, midrank
from linkgram.evaluation.fit import lent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from linkgram.evaluation import CandidateSet


@dataclass(frozen=True)
class Kind:
    """What a contender is: the model in some configuration, or one lane of a baseline.

    `by_number`: where everything else is equal, the number of a destination decides. Base3 with
    fewer popular destinations than there are: its published code leaves that to an array's order.
    """

    name: str
    make: Any
    by_number: bool = False

    def __str__(self) -> str:
        return self.name


class Model:
    """The model, asked through `LinkPredictor` and ranked by the core's pass."""

    def __init__(self, protocol: Protocol, end: int, configuration: Configuration) -> None:
        self.configuration = configuration
        settings = Settings(**{
            name: value
            for name, value in configuration.to_dict().items()
            if name in Settings.__dataclass_fields__
        })  # fmt: skip
        self.weights = spread_weights(settings)
        size = protocol.vocabulary_size
        self.predictor = LinkPredictor(
            configuration, weights=self.weights, destinations=range(size)
        )
        self.sizes = (len(protocol.stream.source_ids), size)
        self.observe(protocol.stream, 0, end)

    def observe(self, stream: EventStream, first: int, end: int) -> None:
        """Add rows `first` to `end`."""
        part = stream[first:end]
        plain = np.arange(len(stream.source_ids)), np.arange(len(stream.destination_ids))
        self.predictor.observe(EventStream(part.sources, part.destinations, part.times, *plain))

    def score(self, source: int, candidates: Sequence[int], time: float) -> NDArray[np.float64]:
        """Scores of dense candidates."""
        return self.predictor.score(source, list(candidates), time)

    def rank(self, source: int, candidates: Sequence[int], time: float) -> float:
        """Midrank of the first candidate."""
        positive, *negatives = candidates
        return self.predictor.rank(source, positive, negatives, time)

    def stopped(self) -> Model:
        """The same after it was saved and loaded."""
        other = Model.__new__(Model)
        vars(other).update(vars(self))
        with tempfile.TemporaryDirectory() as folder:
            self.predictor.save(Path(folder) / "state")
            other.predictor = LinkPredictor.load(Path(folder) / "state")
        return other

    def ranks(
        self, protocol: Protocol, queries: tuple[int, int], rows: CandidateSet,
        schedule: str, threads: int = 1,
    ) -> list[float]:  # fmt: skip
        """Midranks of rows, by a pass of the core from the first event on."""
        model = _core.Model(self.configuration.to_dict(), *self.sizes)
        by = Schedule.parse(schedule)
        found = model.ranks(
            protocol.stream, *queries, by.name, by.size, lent(rows), [self.weights], threads
        )
        return [float(rank) for rank in found[0]]


class Baseline:
    """One lane of a baseline."""

    def __init__(self, core: _core.Baseline, lane: Any, observed: int) -> None:
        self.core, self.lane, self.observed = core, lane, observed

    def observe(self, stream: EventStream, first: int, end: int) -> None:
        """Add rows `first` to `end`."""
        self.core.observe(stream, first, end)
        self.observed = end

    def score(self, source: int, candidates: Sequence[int], time: float) -> NDArray[np.float64]:
        """Scores of dense candidates."""
        return self.core.score(source, np.array(candidates, np.uint32), time, self.lane)

    def rank(self, source: int, candidates: Sequence[int], time: float) -> float:
        """Midrank of the first candidate."""
        return midrank(self.score(source, candidates, time), 0)

    def stopped(self) -> Baseline:
        """A copy: a baseline lives as long as the evaluation it is part of."""
        return Baseline(self.core.copy(), self.lane, self.observed)

    def ranks(
        self, protocol: Protocol, queries: tuple[int, int], rows: CandidateSet,
        schedule: str, threads: int = 1,
    ) -> list[float]:  # fmt: skip
        """Midranks of rows, by a pass of the core from what it has observed on."""
        by = Schedule.parse(schedule)
        found = self.core.ranks(
            protocol.stream, self.observed, *queries, by.name, by.size, lent(rows), [self.lane],
            threads,
        )  # fmt: skip
        return [float(rank) for rank in found[0]]


def _model(**changes: Any) -> Any:
    additions = ("co-occurrence", "global-recency", "multi-scale")
    chosen: dict[str, Any] = {"depth": 3, "additions": additions, "decay": 40.0, "recency": 7.0}
    configuration = Configuration(**(chosen | changes))
    return lambda protocol, end: Model(protocol, end, configuration)


def _observed(core: _core.Baseline, lane: Any, protocol: Protocol, end: int) -> Baseline:
    core.observe(protocol.stream, 0, end)
    return Baseline(core, lane, end)


def _recall(lane: Any) -> Any:
    def make(protocol: Protocol, end: int) -> Baseline:
        sizes = len(protocol.stream.source_ids), protocol.vocabulary_size
        return _observed(_core.Baseline.recall(*sizes), lane, protocol, end)

    return make


def _pop_track(decay: float, batch: int) -> Any:
    def make(protocol: Protocol, end: int) -> Baseline:
        core = _core.Baseline.pop_track([0.5, decay], batch, protocol.vocabulary_size)
        return _observed(core, ("decay 1",), protocol, end)

    return make


def _base3(lane: str, **settings: Any) -> Any:
    def make(protocol: Protocol, end: int) -> Baseline:
        chosen = dict(baselines.BASE3_RELEASED) | settings
        return Baseline(baselines.base3(protocol, end, **chosen), (lane,), end)

    return make


KINDS = (
    Kind("ours marginal", _model(backoff="marginal")),
    Kind("ours continuation, float64", _model(backoff="continuation", cells="float64")),
    Kind("ours reference, undecayed", _model(additions=(), decay=float("inf"))),
    Kind("EdgeBank unlimited", _recall(("ever",))),
    Kind("EdgeBank window", _recall(("within", 6.0, 20.0))),
    *(Kind(f"heuristic {order}", _recall(("order", order))) for order in baselines.PAPER_ORDERS),
    Kind("PopTrack", _pop_track(0.9, 7)),
    Kind("PopTrack, batch of one", _pop_track(0.95, 1)),
    Kind("Base3, everything popular", _base3("base3")),
    Kind("Base3, five popular", _base3("base3", k=5), by_number=True),
    Kind("Base3, pairs alone", _base3("base3 pair")),
    Kind("Base3, popularity alone", _base3("base3 popularity", k=5), by_number=True),
    Kind("t-CoMem", _base3("base3 co-memory")),
)
