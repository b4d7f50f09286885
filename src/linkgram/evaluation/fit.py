"""Fit: a dozen weights from the training events, chosen on the validation queries.

One pass over the training events makes the matrices of all seeds; each seed is then trained from
its matrix alone, and after every epoch its weights are judged on the validation queries. What is
given to `fit` ends before the test split, so no test event can reach the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linkgram import _core
from linkgram.configuration import Configuration
from linkgram.errors import SettingError, shown
from linkgram.evaluation.candidates import CandidateSet
from linkgram.events import EventStream
from linkgram.events.room import machine_memory
from linkgram.predictor import LinkPredictor

DEFAULT_SEEDS = (1, 2, 3, 4, 5)
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How weights are learned; the defaults are the paper's.

    Attributes:
        negatives: negatives for each positive; more than one makes a listwise softmax.
        learning_rate: Adam's step size.
        batch: training queries in a step.
        clip: largest norm of a step's gradient.
        epochs: most passes over the training queries.
        patience: epochs without a better validation MRR before stopping.
        validation_memory: most bytes of validation evidence to keep between epochs; where it does
            not suffice the queries are replayed instead, with the same weights to the bit.
        history_memory: most bytes that copies of the history may take (one a thread, and one kept
            between passes); where it does not suffice, passes begin at the first event, and then
            fewer threads work, with the same weights to the bit. None: half of the machine's.
    """

    negatives: int = 1
    learning_rate: float = 1e-2
    batch: int = 256
    clip: float = 1.0
    epochs: int = 100
    patience: int = 10
    validation_memory: int = 2 << 30
    history_memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("negatives", "batch", "epochs", "patience"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
                _refuse(name, value, "a whole number from 1")
        for name in ("learning_rate", "clip"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not 0 < value <= 1e9:
                _refuse(name, value, "a number above 0")
        for name in ("validation_memory", "history_memory"):
            memory = getattr(self, name)
            if memory is None and name == "history_memory":
                continue
            if isinstance(memory, bool) or not isinstance(memory, int) or not 0 <= memory < 2**62:
                _refuse(name, memory, "a number of bytes")


@dataclass(frozen=True, slots=True)
class SeedFit:
    """The weights of one seed: those of the epoch with the best validation MRR."""

    seed: int
    weights: tuple[float, ...]
    epoch: int
    validation_mrr: tuple[float, ...]

    @property
    def best_validation_mrr(self) -> float:
        """Validation MRR of the kept epoch."""
        return self.validation_mrr[self.epoch - 1]


@dataclass(frozen=True, slots=True)
class Fit:
    """What `fit` found: the configuration with its time scales set, and a `SeedFit` a seed."""

    configuration: Configuration
    runs: tuple[SeedFit, ...]
    settings: FitSettings
    validation_kept: bool
    validation_bytes: int
    _model: Any

    @property
    def validation_mrr(self) -> float:
        """Mean over the seeds of the best validation MRR: what configurations are chosen by."""
        return float(np.mean([run.best_validation_mrr for run in self.runs]))

    @property
    def best_run(self) -> SeedFit:
        """The seed with the highest validation MRR."""
        return max(self.runs, key=lambda run: run.best_validation_mrr)

    def predictor(self, stream: EventStream, *, fixed_vocabulary: bool = False) -> LinkPredictor:
        """Make a predictor with the best seed's weights that has observed `stream`.

        Its vocabulary grows with what it observes, unless it is to be fixed to the stream's.
        """
        predictor = LinkPredictor(
            self.configuration,
            weights=self.best_run.weights,
            destinations=stream.destination_ids if fixed_vocabulary else None,
        )
        predictor.observe(stream)
        return predictor

    @property
    def mean_weights(self) -> dict[str, float]:
        """Mean weight of every feature over the seeds."""
        means = np.mean([run.weights for run in self.runs], axis=0)
        return dict(zip(self.configuration.feature_names, map(float, means), strict=True))


def fit(
    stream: EventStream,
    training_end: int,
    candidates: CandidateSet,
    configuration: Configuration | None = None,
    *,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    settings: FitSettings | None = None,
    training_start: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Fit:
    """Fit the weights of `configuration` on events before `training_end`, once for each seed.

    `stream` ends where the test split begins: its events from `training_end` on are the validation
    queries, and `candidates` are their negatives. Open time scales of the configuration are set as
    the paper sets them. Events before `training_start` are observed but teach nothing.
    `progress(phase, done, total)` is called now and then.
    """
    settings = settings or FitSettings()
    seeds = check_seeds(seeds)
    times = stream.times
    if not 0 <= training_start < training_end < len(stream):
        raise SettingError(
            f"training is rows {training_start} to {training_end} of {len(stream)}; training and "
            f"validation must both have events",
            setting="training_end",
            value=training_end,
        )
    configuration = (configuration or Configuration()).resolved(
        training_duration=float(times[training_end - 1] - times[training_start]),
        validation_duration=float(times[-1] - times[training_end]),
    )
    model = new_model(stream, configuration, settings)
    matrices = model.extract(
        stream, training_start, training_end, seeds, settings.negatives, threads,
        watching(progress, "extract", training_end - training_start),
    )  # fmt: skip
    plain = asdict(settings)
    runs, kept, size = model.fit(
        stream,
        training_end,
        len(stream),
        lent(candidates),
        list(zip(seeds, matrices, strict=True)),
        settings.negatives,
        tuple(plain[name] for name in ("learning_rate", "batch", "clip", "epochs", "patience")),
        settings.validation_memory,
        threads,
        watching(progress, "fit", len(stream) - training_end),
    )
    return Fit(
        configuration=configuration,
        runs=tuple(
            SeedFit(run["seed"], tuple(run["weights"]), run["epoch"], tuple(run["validation_mrr"]))
            for run in runs
        ),
        settings=settings,
        validation_kept=kept,
        validation_bytes=size,
        _model=model,
    )


def fit_facts(settings: FitSettings) -> dict[str, Any]:
    """How weights are learned, without what changes no result: how much memory may be used."""
    return {name: value for name, value in asdict(settings).items() if "memory" not in name}


def new_model(
    stream: EventStream, configuration: Configuration, settings: FitSettings
) -> _core.Model:
    """A model without history over the ids of `stream`."""
    memory = settings.history_memory
    return _core.Model(
        configuration.to_dict(),
        len(stream.source_ids),
        len(stream.destination_ids),
        machine_memory() // 2 if memory is None else memory,
    )


def lent(candidates: CandidateSet) -> _core.Candidates:
    """The candidates as the core borrows them; `None` is every destination but the positive."""
    if candidates.offsets is None or candidates.destinations is None:
        return None
    return candidates.offsets, candidates.destinations


def watching(progress: Progress | None, phase: str, total: int) -> Callable[[int], None] | None:
    """A callback for the core that reports as `progress` wants it."""
    if progress is None:
        return None
    return lambda done: progress(phase, done, total)


def check_seeds(seeds: Sequence[int]) -> list[int]:
    """Refuse seeds that are no numbers, none at all, or twice the same."""
    listed = list(seeds)
    numbers = all(isinstance(seed, int) and 0 <= seed < 2**64 for seed in listed)
    if not listed or not numbers or len(set(listed)) != len(listed):
        _refuse("seeds", listed, "different whole numbers from 0, at least one")
    return listed


def _refuse(name: str, found: object, accepted: str) -> None:
    raise SettingError(
        f"setting `{name}` is {shown(found)}; accepted: {accepted}", setting=name, value=found
    )
