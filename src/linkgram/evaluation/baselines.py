"""The count baselines on a protocol: same split, candidates, schedules and ties as the model.

Choices are made on event-wise validation MRR and then kept under every schedule, as the paper does.
EdgeBank reports its better variant by test MRR, as the paper does too; both are kept.

| name | what it is |
| --- | --- |
| EdgeBank | 1 if the pair is remembered: ever, or within 15 % of the training duration |
| heuristic | the best of the paper's seven priority orders over LR, GR, LP, GP |
| heuristic (64 orders) | the best of all orders: a stronger family |
| PopTrack | decayed popularity, its decay chosen; its batch is its own setting |
| Base3 | released settings, or tuned (K and memory span chosen) |
| t-CoMem | Base3's co-memory alone |
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkgram import _core
from linkgram.evaluation.fit import Progress, lent, watching
from linkgram.evaluation.metrics import metrics
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.schedule import Schedule

EDGEBANK_SHARE = 0.15
PAPER_ORDERS = ("LR", "GR", "LP", "GP", "LR>LP", "GR>GP", "LR>GR>LP>GP")
ALL_ORDERS = tuple(
    ">".join(order)
    for size in (1, 2, 3, 4)
    for order in itertools.permutations(("LR", "GR", "LP", "GP"), size)
)
POP_TRACK_BATCH = 200
POP_TRACK_DECAYS = (
    0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 1.0
)  # fmt: skip
BASE3_RELEASED: Mapping[str, Any] = {"k": 1000, "mem_span": 0.1, "decay": 0.95}
BASE3_KS = (10, 100, 1000, 10_000)
BASE3_SPANS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
# All that the baselines are, besides their code: a stored comparison is found by it.
FAMILIES: dict[str, Any] = {
    "EdgeBank": [EDGEBANK_SHARE],
    "heuristic": [PAPER_ORDERS, ALL_ORDERS],
    "PopTrack": [POP_TRACK_BATCH, POP_TRACK_DECAYS],
    "Base3": [BASE3_RELEASED, BASE3_KS, BASE3_SPANS],
}


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """One baseline: its settings, what was chosen how, and its ranks by schedule."""

    name: str
    settings: Mapping[str, Any]
    validation_mrr: float | None
    ranks: Mapping[str, NDArray[np.float64]] = field(repr=False)

    def mrr(self, schedule: str) -> float:
        """Test MRR under a schedule."""
        return float(np.mean(1.0 / self.ranks[schedule]))

    def to_dict(self) -> dict[str, Any]:
        """Name, settings and metrics by schedule, as plain values."""
        return {
            "name": self.name,
            "settings": dict(self.settings),
            "validation_mrr": self.validation_mrr,
            "metrics": {schedule: metrics(ranks) for schedule, ranks in self.ranks.items()},
        }


def evaluate_baselines(
    protocol: Protocol,
    schedules: Sequence[str | Schedule] = ("event-wise",),
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[BaselineResult]:
    """Evaluate every baseline under every schedule, choosing on validation what is to be chosen."""
    run = _Run(protocol, [Schedule.parse(schedule) for schedule in schedules], threads, progress)
    return [*_recall(run), _pop_track(run), *_base3(run)]


@dataclass(frozen=True, slots=True)
class _Run:
    protocol: Protocol
    schedules: list[Schedule]
    threads: int
    progress: Progress | None

    def ranks(
        self, baseline: _core.Baseline, observed: int, on: str, schedule: Schedule, lanes: Any
    ) -> NDArray[np.float64]:
        split = self.protocol.split
        if on == "validation":
            first, end, rows = split.training_end, split.validation_end, self.protocol.validation
        else:
            first, end, rows = split.validation_end, split.events, self.protocol.test
        watch = watching(self.progress, f"baselines, {on}", end - first)
        return baseline.ranks(
            self.protocol.stream, observed, first, end, schedule.name, schedule.size,
            lent(rows), lanes, self.threads, watch,
        )  # fmt: skip

    def validation_mrrs(self, baseline: _core.Baseline, observed: int, lanes: Any) -> list[float]:
        ranks = self.ranks(baseline, observed, "validation", Schedule(), lanes)
        return [float(np.mean(1.0 / row)) for row in ranks]

    def test_ranks(
        self, baseline: _core.Baseline, lanes: Sequence[Any]
    ) -> list[dict[str, NDArray[np.float64]]]:
        by_schedule = {
            str(schedule): self.ranks(baseline, 0, "test", schedule, lanes)
            for schedule in self.schedules
        }
        return [
            {name: ranks[at] for name, ranks in by_schedule.items()} for at in range(len(lanes))
        ]


def _recall(run: _Run) -> list[BaselineResult]:
    protocol, split = run.protocol, run.protocol.split
    stream = protocol.stream
    training, _ = split.durations(stream)
    width, end = EDGEBANK_SHARE * training, float(stream.times[split.training_end - 1])
    edge_bank = [("ever",), ("within", width, end)]
    baseline = _core.Baseline.recall(len(stream.source_ids), protocol.vocabulary_size)
    orders: list[Any] = [("order", order) for order in ALL_ORDERS]
    judged = dict(zip(ALL_ORDERS, run.validation_mrrs(baseline, 0, orders), strict=True))
    paper = max(PAPER_ORDERS, key=judged.__getitem__)
    best = max(ALL_ORDERS, key=judged.__getitem__)
    tested = run.test_ranks(baseline, [*edge_bank, ("order", paper), ("order", best), *orders[:4]])
    variants = [
        BaselineResult("EdgeBank unlimited", {"memory": "unlimited"}, None, tested[0]),
        BaselineResult("EdgeBank window", {"memory": "window", "width": width}, None, tested[1]),
    ]
    first = str(run.schedules[0])
    better = max(variants, key=lambda result: result.mrr(first))
    settings = dict(better.settings) | {"chosen": f"better variant by {first} test MRR"}
    return [
        BaselineResult("EdgeBank", settings, None, better.ranks),
        *variants,
        BaselineResult("heuristic", {"order": paper, "of": 7}, judged[paper], tested[2]),
        BaselineResult("heuristic (64 orders)", {"order": best, "of": 64}, judged[best], tested[3]),
        *(
            BaselineResult(f"heuristic {order}", {"order": order}, judged[order], ranks)
            for order, ranks in zip(ALL_ORDERS[:4], tested[4:], strict=True)
        ),
    ]


def _pop_track(run: _Run) -> BaselineResult:
    lanes = [(f"decay {at}",) for at in range(len(POP_TRACK_DECAYS))]
    baseline = _core.Baseline.pop_track(
        POP_TRACK_DECAYS, POP_TRACK_BATCH, run.protocol.vocabulary_size
    )
    judged = run.validation_mrrs(baseline, 0, lanes)
    best = int(np.argmax(judged))
    settings = {"decay": POP_TRACK_DECAYS[best], "batch": POP_TRACK_BATCH}
    return BaselineResult(
        "PopTrack", settings, judged[best], run.test_ranks(baseline, [lanes[best]])[0]
    )


def _base3(run: _Run) -> list[BaselineResult]:
    size = run.protocol.vocabulary_size
    # All K from |V| on mean the same.
    ks = sorted({min(k, size) for k in (*BASE3_KS, BASE3_RELEASED["k"])})
    training_end = run.protocol.split.training_end
    judged = {}
    for k, span in itertools.product(ks, BASE3_SPANS):
        settings = dict(BASE3_RELEASED) | {"k": k, "mem_span": span}
        baseline = base3(run.protocol, training_end, **settings)
        judged[k, span] = run.validation_mrrs(baseline, training_end, [("base3",)])[0]
    best_k, best_span = max(judged, key=judged.__getitem__)
    tuned = dict(BASE3_RELEASED) | {"k": best_k, "mem_span": best_span}
    released_key = (min(int(BASE3_RELEASED["k"]), size), BASE3_RELEASED["mem_span"])
    released = _base3_ranks(run, BASE3_RELEASED, [("base3",), ("base3 co-memory",)])
    return [
        BaselineResult("Base3", BASE3_RELEASED, judged[released_key], released[0]),
        BaselineResult(
            "Base3 tuned",
            tuned,
            judged[best_k, best_span],
            _base3_ranks(run, tuned, [("base3",)])[0],
        ),
        BaselineResult("t-CoMem", BASE3_RELEASED, None, released[1]),
    ]


def _base3_ranks(
    run: _Run, settings: Mapping[str, Any], lanes: Sequence[Any]
) -> list[dict[str, NDArray[np.float64]]]:
    split, times = run.protocol.split, run.protocol.stream.times
    by_schedule = {}
    for schedule in run.schedules:
        # What shares the first query's time is no history under strict timestamps.
        history_end, _ = next(schedule.groups(times, split.validation_end, split.events))
        baseline = base3(run.protocol, history_end, **settings)
        by_schedule[str(schedule)] = run.ranks(baseline, history_end, "test", schedule, lanes)
    return [{name: ranks[at] for name, ranks in by_schedule.items()} for at in range(len(lanes))]


def base3(
    protocol: Protocol, history_end: int, *, k: int, mem_span: float, decay: float
) -> _core.Baseline:
    """Base3 with the events before `history_end` as its history."""
    stream = protocol.stream
    remembered = float(np.quantile(stream.times[:history_end], 1 - mem_span))
    return _core.Baseline.base3(
        stream, history_end, len(stream.source_ids), protocol.vocabulary_size,
        shared_ids(protocol), k, remembered, decay,
    )  # fmt: skip


def shared_ids(protocol: Protocol) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """For each destination the source with its id, and the other way round; 2**32 - 1 for none.

    Empty where no id plays both roles.
    """
    stream = protocol.stream
    sources, destinations = stream.source_ids, stream.destination_ids
    nothing = np.empty(0, np.uint32)
    source_of_id = {source: at for at, source in enumerate(sources)}
    source_of = np.array(
        [source_of_id.get(destination, 2**32 - 1) for destination in destinations], np.uint32
    )
    both = np.flatnonzero(source_of != 2**32 - 1)
    if not both.size:
        return nothing, nothing
    destination_of = np.full(len(sources), 2**32 - 1, np.uint32)
    destination_of[source_of[both]] = both
    return source_of, destination_of
