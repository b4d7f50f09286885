"""TGM's EdgeBank over the same queries.

python -m benchmarks.rivals.tgm_edge_bank FOLDER
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.figures import Figure
from benchmarks.written import Written

QUERIES = 1_000


def main(folder: str) -> None:
    """Measure scoring and updating, event by event."""
    try:
        import torch
        from tgm.nn.modules.edgebank import EdgeBankPredictor
    except ImportError as error:
        sys.stderr.write(f"tgm-lib is not installed ({error}); its row is left out\n")
        return
    stream = Written(folder)
    end = stream.about["validation_end"]
    columns = (stream.sources.astype(np.int64), stream.destinations.astype(np.int64), stream.times)
    tensors = [torch.from_numpy(column.copy()) for column in columns]
    bank = EdgeBankPredictor(*(tensor[:end] for tensor in tensors))
    negatives = torch.from_numpy(stream.negatives.astype(np.int64))
    reciprocal = []
    begun = time.perf_counter()
    count = min(QUERIES, len(negatives))
    for query in range(count):
        row = end + query
        candidates = torch.cat((tensors[1][row : row + 1], negatives[query]))
        scores = bank(tensors[0][row].expand(len(candidates)), candidates)
        higher = (scores[1:] > scores[0]).sum().item()
        equal = (scores[1:] == scores[0]).sum().item()
        reciprocal.append(1 / (1 + higher + equal / 2))
        bank.update(*(tensor[row : row + 1] for tensor in tensors))
    spent = time.perf_counter() - begun
    expected = (1 / stream.ranks("edge-bank")[:count]).mean()
    if abs(np.mean(reciprocal) - expected) > 1e-6:
        raise SystemExit(f"error: {stream.name}: TGM's EdgeBank does not give the engine's MRR")
    Figure("tgm edge bank", stream.name, 1e9 * spent / count, "ns/query").print()


if __name__ == "__main__":
    main(sys.argv[1])
