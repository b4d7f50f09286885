"""TGB's own candidates, rebuilt from the events: half a source's past, half everything else.

For a query (u, t) of a split, P is what u does at time t in that split and H what u did in
training. Drawn are min(k // 2, |H - P|) of H - P, then the rest of k from the vocabulary without P
and H: all of it where it has fewer. TGB draws with NumPy's legacy generator, seeded once,
validation before test, and keeps the last draw of an event that occurs twice; so do we, word for
word.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkgram import _core
from linkgram.evaluation.candidates import files
from linkgram.evaluation.candidates.candidate_set import CandidateSet
from linkgram.evaluation.candidates.checks import MAX_VOCABULARY, vocabulary_of, whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from linkgram.events import EventStream

SPLITS = ("validation", "test")


def historical_random(
    stream: EventStream,
    *,
    training_end: int,
    validation_end: int,
    k: int,
    seed: int = 42,
    progress: Callable[[int], object] | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> tuple[CandidateSet, CandidateSet]:
    """Draw the candidates of validation and test as TGB's generator `hist_rnd` does.

    Args:
        stream: all events, with the whole vocabulary as `destination_ids`, in the order of ids.
        training_end: number of training events.
        validation_end: number of training and validation events; the others are test.
        k: candidates a query (TGB: 1,000 on uci and enron), fewer where there are not as many.
        seed: of NumPy's legacy generator, 0 to 2**32 - 1.
        progress: called with the number of queries done, at most ten times a second.
        directory: where to write the sets, as its directories `validation` and `test`; they come
            back memory-mapped. Without it they stay in memory.

    >>> from linkgram.events import EventStream
    >>> stream = EventStream.from_arrays([0] * 6, [0, 1, 2, 3, 4, 2], range(6))
    >>> validation, test = historical_random(stream, training_end=3, validation_end=5, k=3)
    >>> [row.tolist() for row in validation], test[0].tolist()
    ([[0, 4], [1, 3]], [1, 3, 4])

    """
    settings = {
        "k": whole(k, "k", 1, MAX_VOCABULARY),
        "seed": whole(seed, "seed", 0, 2**32 - 1),
        "validation_end": whole(validation_end, "validation_end", 0, len(stream)),
        "vocabulary_size": vocabulary_of(stream),
    }
    settings["training_end"] = whole(training_end, "training_end", 0, settings["validation_end"])
    places = None if directory is None else [Path(directory, split) for split in SPLITS]
    with ExitStack() as stack:
        made = [stack.enter_context(files.replacing(place)) for place in places or ()]

        def allocate(split: int, total: int) -> NDArray[np.int32]:
            return files.new_destinations(made[split], total) if made else np.empty(total, np.int32)

        drawn = _core.historical_random(
            stream.sources,
            stream.destinations,
            stream.times,
            source_count=len(stream.source_ids),
            allocate=allocate,
            progress=progress,
            **settings,
        )
        rules = [
            {
                "rule": "historical-random",
                "split": split,
                "generator": "NumPy's legacy MT19937, validation before test",
                **settings,
            }
            for split in SPLITS
        ]
        if places is None:
            sets = [
                CandidateSet._checked(*part, rule) for part, rule in zip(drawn, rules, strict=True)
            ]
            return sets[0], sets[1]
        offsets = [part[0] for part in drawn]
        # A directory with a mapped file cannot be renamed everywhere.
        del drawn
        for place, ends, rule in zip(made, offsets, rules, strict=True):
            files.seal(place, ends, rule)
    return CandidateSet._mapped(places[0]), CandidateSet._mapped(places[1])
