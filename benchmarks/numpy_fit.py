"""An epoch of the fit in numpy, beside the engine's on the same rows.

    python -m benchmarks.numpy_fit ROWS

Both must come to the same weights, up to the order of the rows.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figure, run
from benchmarks.kernels import built

WIDTH, BATCH, EPOCHS, RATE = 12, 256, 5, 1e-2


def matrix(rows: int) -> NDArray[np.float32]:
    """Differences of features that a hidden weight vector explains."""
    random = np.random.Generator(np.random.PCG64(1))
    differences = random.standard_normal((rows, WIDTH), np.float32)
    hidden = np.linspace(-1.5, 1.5, WIDTH, dtype=np.float32)
    wrong = random.random(rows, np.float32) > 1 / (1 + np.exp(-differences @ hidden))
    differences[wrong] *= -1
    return differences


def epoch(
    rows: NDArray[np.float32],
    random: np.random.Generator,
    state: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], list[int]],
) -> None:
    """One pass of Adam over the rows in a new order."""
    weights, momentum, scale, steps = state
    order = random.permutation(len(rows))
    for begin in range(0, len(rows), BATCH):
        batch = rows[order[begin : begin + BATCH]]
        share = 1 / (1 + np.exp(batch @ weights))
        slope = -(share @ batch) / len(batch)
        norm = np.sqrt(slope @ slope)
        if norm > 1:
            slope /= norm
        steps[0] += 1
        momentum += 0.1 * (slope - momentum)
        scale += 0.001 * (slope * slope - scale)
        corrected = np.sqrt(scale / (1 - 0.999 ** steps[0])) + 1e-8
        weights -= RATE * momentum / (1 - 0.9 ** steps[0]) / corrected


def main(count: int) -> None:
    """Measure both."""
    rows = matrix(count)
    case = f"{count:,} rows"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        rows.tofile(path)
        ours = {
            figure.figure: figure.value
            for figure in run([built(), "--epoch", path, "--width", str(WIDTH)])
        }
    random = np.random.Generator(np.random.PCG64(2))
    state = (np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH), [0])
    best = float("inf")
    for _ in range(EPOCHS):
        begun = time.perf_counter()
        epoch(rows, random, state)
        best = min(best, time.perf_counter() - begun)
    gap = float(np.abs(state[0] - np.array(ours["epoch weights"])).max())
    if gap > 0.25:
        raise SystemExit(f"error: numpy and the engine came to weights that differ by {gap}")
    Figure("epoch", case, ours["epoch"], "ns/row").print()
    Figure("numpy epoch", case, 1e9 * best / count, "ns/row").print()


if __name__ == "__main__":
    main(int(sys.argv[1]))
