"""Peak memory of a fit whose validation set has 2,000,000 queries of 101 candidates.

    python -m benchmarks.validation_memory

Evidence of that many queries does not fit the default budget, so the queries are replayed. The
gate is 4 GiB for the whole process, stream, candidates and training matrix included.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.streams import synthetic
from linkgram import Configuration
from linkgram.configuration import ADDITIONS
from linkgram.evaluation import FitSettings, fit
from linkgram.evaluation.candidates import uniform
from linkgram.evaluation.measure import peak_memory

TRAINING, VALIDATION, GATE = 1_000_000, 2_000_000, 4 << 30


def main() -> int:
    """Print the time and the peak; fail if the gate is missed."""
    stream = synthetic(TRAINING + VALIDATION)
    with tempfile.TemporaryDirectory() as folder:
        candidates = uniform(
            stream, TRAINING, len(stream), k=100, seed=1, directory=Path(folder) / "candidates"
        )
        begun = time.perf_counter()
        fitted = fit(
            stream,
            TRAINING,
            candidates,
            Configuration(additions=ADDITIONS),
            seeds=[1],
            settings=FitSettings(patience=3),
            threads=2,
        )
        spent = time.perf_counter() - begun
    peak = peak_memory()
    run = fitted.runs[0]
    print(
        f"{VALIDATION:,} queries of 101 candidates: {spent:.1f} s for {len(run.validation_mrr)} "
        f"epochs, evidence {'kept' if fitted.validation_kept else 'replayed'}, validation MRR "
        f"{100 * run.best_validation_mrr:.2f} %, peak {peak / 2**30:.2f} GiB (gate {GATE >> 30})"
    )
    return int(peak > GATE)


if __name__ == "__main__":
    sys.exit(main())
