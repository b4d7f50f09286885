"""Together: configurations whose features are columns of one another share their passes.

The features at depth k are a prefix of those at a larger depth, and a configuration with additions
has every feature of the one without. One extraction of the widest configuration therefore serves
them all: a narrower one is fitted on its columns alone, and ranked with zero weights for the
others, which add exactly nothing to a score. Weights and ranks are those of separate fits, bit for
bit.

Co-occurrence counts share rows with the transition counts and depend on the depth: configurations
with and without them do not share a pass, nor do those of different depths with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkgram.configuration import ADDITIONS, Addition, Configuration
from linkgram.evaluation.fit import (
    FitSettings,
    Progress,
    SeedFit,
    check_seeds,
    lent,
    new_model,
    watching,
)
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.schedule import Schedule

# Training rows are copied for each narrower configuration; so many bytes of copies at a time.
MOST_COPIED = 1 << 30


@dataclass(frozen=True, slots=True)
class Shared:
    """A widest configuration, and those that share its passes by their place in a list."""

    widest: Configuration
    members: tuple[int, ...]


def shared_passes(configurations: Sequence[Configuration]) -> list[Shared]:
    """Which of the configurations share their passes.

    >>> shared_passes([Configuration(depth=1), Configuration(depth=9), Configuration(alpha=2.0)])[0]
    Shared(widest=Configuration(depth=9, ...), members=(0, 1))
    """
    groups: dict[Configuration, list[int]] = {}
    for at, configuration in enumerate(configurations):
        counted: tuple[Addition, ...] = ()
        if "co-occurrence" in configuration.additions:
            counted = ("co-occurrence",)
        depth = configuration.depth if counted else 1
        key = replace(configuration, additions=counted, depth=depth)
        groups.setdefault(key, []).append(at)
    shared = []
    for key, members in groups.items():
        some = [configurations[at] for at in members]
        additions = tuple(a for a in ADDITIONS if any(a in one.additions for one in some))
        depth = max(one.depth for one in some)
        shared.append(Shared(replace(key, additions=additions, depth=depth), tuple(members)))
    return shared


def columns_of(configuration: Configuration, widest: Configuration) -> list[int]:
    """Where the features of a configuration stand among those of the widest.

    >>> columns_of(Configuration(depth=1), Configuration(depth=3))
    [0, 1, 2, 5]
    """
    place = {name: at for at, name in enumerate(widest.feature_names)}
    return [place[name] for name in configuration.feature_names]


def fit_together(
    protocol: Protocol,
    configurations: Sequence[Configuration],
    seeds: Sequence[int],
    *,
    settings: FitSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[tuple[SeedFit, ...]]:
    """Fit configurations, sharing passes; for each what `fit` would find, a `SeedFit` a seed.

    The protocol's test split is not looked at.
    """
    settings = settings or FitSettings()
    seeds = check_seeds(seeds)
    found: dict[int, tuple[SeedFit, ...]] = {}
    resolved = [resolved_on(protocol, configuration) for configuration in configurations]
    for shared in shared_passes(resolved):
        fits = _fit_shared(protocol, shared, resolved, seeds, settings, threads, progress)
        found |= dict(zip(shared.members, fits, strict=True))
    return [found[at] for at in range(len(configurations))]


def resolved_on(protocol: Protocol, configuration: Configuration) -> Configuration:
    """The configuration with open time scales set from the protocol's split."""
    training, validation = protocol.split.durations(protocol.stream)
    return configuration.resolved(training_duration=training, validation_duration=validation)


def _fit_shared(
    protocol: Protocol,
    shared: Shared,
    configurations: Sequence[Configuration],
    seeds: Sequence[int],
    settings: FitSettings,
    threads: int,
    progress: Progress | None,
) -> list[tuple[SeedFit, ...]]:
    stream, split = protocol.before_test, protocol.split
    model = new_model(stream, shared.widest, settings)
    matrices = model.extract(
        stream, split.training_start, split.training_end, seeds, settings.negatives, threads,
        watching(progress, "extract", split.sizes[0]),
    )  # fmt: skip
    plain = asdict(settings)
    lanes = [(member, seed) for member in shared.members for seed in range(len(seeds))]
    at_once = max(1, MOST_COPIED // max(1, matrices[0].nbytes))
    runs: list[SeedFit] = []
    for start in range(0, len(lanes), at_once):
        part = lanes[start : start + at_once]
        columns = [columns_of(configurations[member], shared.widest) for member, _ in part]
        rows = [
            (seeds[seed], _only(matrices[seed], some))
            for (_, seed), some in zip(part, columns, strict=True)
        ]
        fitted, _, _ = model.fit(
            stream,
            split.training_end,
            len(stream),
            lent(protocol.validation),
            rows,
            settings.negatives,
            tuple(plain[name] for name in ("learning_rate", "batch", "clip", "epochs", "patience")),
            settings.validation_memory,
            threads,
            watching(progress, "fit", split.sizes[1]),
            columns,
        )
        for some, run in zip(columns, fitted, strict=True):
            weights = tuple(run["weights"][column] for column in some)
            runs.append(SeedFit(run["seed"], weights, run["epoch"], tuple(run["validation_mrr"])))
    count = len(seeds)
    return [tuple(runs[at : at + count]) for at in range(0, len(runs), count)]


def rank_together(
    protocol: Protocol,
    weighted: Sequence[tuple[Configuration, Sequence[Sequence[float]]]],
    schedule: str | Schedule = "event-wise",
    *,
    settings: FitSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[NDArray[np.float64]]:
    """Midranks of the test queries: for each configuration one row a weight vector."""
    schedule = Schedule.parse(schedule)
    split = protocol.split
    found: dict[int, NDArray[np.float64]] = {}
    configurations = [resolved_on(protocol, configuration) for configuration, _ in weighted]
    for shared in shared_passes(configurations):
        lanes = []
        for member in shared.members:
            columns = columns_of(configurations[member], shared.widest)
            for weights in weighted[member][1]:
                padded = np.zeros(len(shared.widest.feature_names))
                padded[columns] = weights
                lanes.append(padded.tolist())
        model = new_model(protocol.stream, shared.widest, settings or FitSettings())
        ranks = model.ranks(
            protocol.stream, split.validation_end, split.events, schedule.name, schedule.size,
            lent(protocol.test), lanes, threads,
            watching(progress, f"test {schedule}", split.sizes[2]),
        )  # fmt: skip
        start = 0
        for member in shared.members:
            stop = start + len(weighted[member][1])
            found[member] = ranks[start:stop]
            start = stop
    return [found[at] for at in range(len(weighted))]


def _only(matrix: NDArray[np.float32], columns: Sequence[int]) -> NDArray[np.float32]:
    """Some columns of the matrix, in one piece of memory."""
    if len(columns) == matrix.shape[1]:
        return matrix
    return np.ascontiguousarray(matrix[:, columns])
