"""Cost of observing one event at 100,000 and at 10,000,000 events, through the Python API.

    python -m benchmarks.observe

Best of three at each size; the ratio must stay within 3.
"""

from __future__ import annotations

import sys
import time

from benchmarks.streams import synthetic
from linkgram import Configuration, EventStream, LinkPredictor
from linkgram.configuration import ADDITIONS

GATE = 3.0


def nanoseconds_per_event(stream: EventStream, configuration: Configuration, rounds: int) -> float:
    """Best time of observing the whole stream into an empty predictor."""
    best = float("inf")
    for _ in range(rounds):
        predictor = LinkPredictor(configuration)
        begun = time.perf_counter()
        predictor.observe(stream)
        best = min(best, time.perf_counter() - begun)
    return 1e9 * best / len(stream)


def main() -> int:
    """Print both costs and their ratio; fail if the gate is missed."""
    small, large = synthetic(100_000), synthetic(10_000_000)
    missed = False
    for name, additions in (("reference", ()), ("all three", ADDITIONS)):
        costs = []
        for stream, rounds in ((small, 10), (large, 3)):
            span = float(stream.times[-1] - stream.times[0])
            configuration = Configuration(
                decay=0.15 * span, recency=0.007 * span, additions=additions
            )
            costs.append(nanoseconds_per_event(stream, configuration, rounds))
        ratio = costs[1] / costs[0]
        missed |= ratio > GATE
        print(
            f"{name:<10} {costs[0]:7.0f} ns/event at {len(small):>10,}   "
            f"{costs[1]:7.0f} ns/event at {len(large):>10,}   ratio {ratio:.2f} (gate {GATE})"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
