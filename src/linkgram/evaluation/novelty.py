"""How much of a stream is new: the surprise index and the novelty index.

Both count distinct (source, destination) pairs, as the authors of EdgeBank define them. Much
novelty means that remembering pairs cannot suffice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkgram.evaluation.split import Split
from linkgram.events import EventStream


def surprise_index(stream: EventStream, split: Split) -> float:
    """Share of the test split's distinct pairs that never occur in training.

    >>> stream = EventStream.from_arrays([0] * 6, [0, 1, 2, 0, 0, 5], range(6))
    >>> surprise_index(stream, Split(3, 4, 6, {}))
    0.5
    """
    pairs = _pairs(stream)
    test = np.unique(pairs[split.validation_end :])
    training = np.unique(pairs[: split.training_end])
    return 1.0 - float(np.isin(test, training, assume_unique=True).mean())


def novelty_index(stream: EventStream) -> float:
    """Mean over all times of the share of that time's distinct pairs that are new.

    >>> novelty_index(EventStream.from_arrays([0] * 4, [0, 0, 1, 1], [1, 2, 2, 3]))
    0.5
    """
    pairs = _pairs(stream)
    _, moments = np.unique(stream.times, return_inverse=True)
    order = np.lexsort((moments, pairs))
    pairs, moments = pairs[order], moments[order]
    first_of_pair = np.ones(len(pairs), bool)
    first_of_pair[1:] = pairs[1:] != pairs[:-1]
    distinct = first_of_pair.copy()
    distinct[1:] |= moments[1:] != moments[:-1]
    count = int(moments.max()) + 1
    all_pairs = np.bincount(moments[distinct], minlength=count)
    new_pairs = np.bincount(moments[first_of_pair], minlength=count)
    return float(np.mean(new_pairs / all_pairs))


def _pairs(stream: EventStream) -> NDArray[np.uint64]:
    """One number a pair."""
    size = np.uint64(len(stream.destination_ids))
    return stream.sources.astype(np.uint64) * size + stream.destinations
