"""A stream of WikiLink's size in one process: observe, extract, fit five seeds, validate, test.

    python -m benchmarks.wikilink [SCALE]

100 uniform negatives for every validation and test query; two threads. Prints the time of each
phase and the peak of the memory; the gate is 16 GiB.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.kernels import built
from linkgram import Configuration, EventStream, LinkPredictor
from linkgram.evaluation import Protocol, Split, fit, rank_test_queries
from linkgram.evaluation.candidates import uniform

GATE, THREADS = 16 << 30, 2


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Print what a phase takes, and the peak so far."""
    begun = time.perf_counter()
    yield
    spent = time.perf_counter() - begun
    print(f"{name:<28} {spent:8.1f} s   peak {peak() / 2**30:5.2f} GiB", flush=True)


def peak() -> int:
    """Most bytes this process had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(scale: float) -> int:
    """Print the phases; fail if the gate is missed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        subprocess.run(
            [built(), "--stream", "wikilink", "--scale", str(scale), "--columns", folder],
            check=True,
        )
        columns = [
            np.fromfile(place / name, kind)
            for name, kind in (("sources", "<u4"), ("destinations", "<u4"), ("times", "<f8"))
        ]
        with phase("read the columns"):
            stream = EventStream.from_arrays(*columns)
        del columns
        with phase("observe"):
            LinkPredictor(Configuration(decay=1e9, recency=1e9)).observe(stream)
        size = len(stream)
        first, second = size * 70 // 100, size * 85 // 100
        with phase("draw candidates"):
            validation = uniform(
                stream, first, second, k=100, seed=1, directory=place / "validation"
            )
            test = uniform(stream, second, size, k=100, seed=2, directory=place / "test")
        begun: dict[str, float] = {}

        def watch(name: str, done: int, total: int) -> None:
            if name not in begun:
                begun[name] = time.perf_counter()

        configuration = Configuration()
        started = time.perf_counter()
        with phase("fit five seeds"):
            fitted = fit(
                stream[:second], first, validation, configuration, threads=THREADS, progress=watch
            )
        parts = {name: at - started for name, at in begun.items()}
        for name, later in zip(parts, [*list(parts.values())[1:], None], strict=False):
            end = later if later is not None else time.perf_counter() - started
            print(f"  of it {name:<20} {end - parts[name]:8.1f} s")
        epochs = [len(run.validation_mrr) for run in fitted.runs]
        protocol = Protocol(
            "wikilink-shaped",
            stream,
            Split(first, second, size, {"rule": "rows"}),
            validation,
            test,
        )
        with phase("test five seeds"):
            ranks = rank_test_queries(protocol, fitted, threads=THREADS)
        mrr = 100 * float((1 / ranks).mean())
        print(
            f"{size:,} events, {size - second:,} test queries, epochs {epochs}, evidence "
            f"{'kept' if fitted.validation_kept else 'replayed'}, validation MRR "
            f"{100 * fitted.validation_mrr:.2f} %, test MRR {mrr:.2f} % (event-wise, uniform(100))"
        )
        print(f"peak {peak() / 2**30:.2f} GiB (gate {GATE >> 30})")
    return int(peak() > GATE)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else 1.0))
