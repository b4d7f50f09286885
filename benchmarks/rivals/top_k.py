"""Ten best destinations of a whole vocabulary: implicit's recommend on factors of the same counts.

python -m benchmarks.rivals.top_k FOLDER
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.figures import Figure
from benchmarks.written import Written

QUERIES, FACTORS = 2_000, 64


def main(folder: str) -> None:
    """Measure recommending, one source at a time, after fitting factors once."""
    try:
        from implicit.als import AlternatingLeastSquares
        from scipy.sparse import csr_matrix
    except ImportError as error:
        sys.stderr.write(f"implicit is not installed ({error}); its row is left out\n")
        return
    stream = Written(folder)
    end = stream.about["validation_end"]
    shape = (stream.about["sources"], stream.about["destinations"])
    pairs = (stream.sources[:end], stream.destinations[:end])
    matrix = csr_matrix((np.ones(end, np.float32), pairs), shape=shape)
    model = AlternatingLeastSquares(factors=FACTORS, iterations=1, random_state=1, num_threads=1)
    model.fit(matrix, show_progress=False)
    sources = stream.sources[end : end + QUERIES].tolist()
    begun = time.perf_counter()
    for source in sources:
        model.recommend(source, matrix[source], N=10, filter_already_liked_items=False)
    spent = time.perf_counter() - begun
    Figure("implicit top 10", stream.name, 1e9 * spent / len(sources), "ns/query").print()


if __name__ == "__main__":
    main(sys.argv[1])
