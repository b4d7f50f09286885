"""Candidates by rules of our own: the draws of a query depend on seed, rule and query alone.

Query i is event i of the whole stream, so the candidates of events 100 to 200 are the same whether
they are drawn alone, within a longer range, or on several threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkgram import _core
from linkgram.errors import SettingError
from linkgram.evaluation.candidates import files
from linkgram.evaluation.candidates.candidate_set import CandidateSet
from linkgram.evaluation.candidates.checks import MAX_VOCABULARY, vocabulary_of, whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from linkgram.events import EventStream

GENERATOR = "linkgram counter-based splitmix64, version 1"


def uniform(
    stream: EventStream,
    start: int,
    stop: int,
    *,
    k: int,
    seed: int,
    distinct: bool = False,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> CandidateSet:
    """Draw k destinations other than the positive for each event of `stream[start:stop]`.

    Args:
        stream: all events; its `destination_ids` are the vocabulary.
        start: the first query's event.
        stop: the event after the last query's.
        k: candidates a query.
        seed: governs every draw, 0 to 2**64 - 1.
        distinct: whether the candidates of one query are all different.
        threads: how many may work; all of the machine's without it. The candidates are the same.
        progress: called with the number of queries done, at most ten times a second.
        directory: where to write the set, which comes back memory-mapped; else it stays in memory.

    >>> from linkgram.events import EventStream
    >>> stream = EventStream.from_arrays([0, 0, 0], [0, 1, 2], [1, 2, 3])
    >>> candidates = uniform(stream, 1, 3, k=2, seed=42, distinct=True)
    >>> sorted(candidates[0].tolist()), sorted(candidates[1].tolist())
    ([0, 2], [0, 1])

    """
    rule = "distinct" if distinct else "uniform"
    most = vocabulary_of(stream) - 1 if distinct else MAX_VOCABULARY
    settings = {"k": k, "seed": seed, "threads": threads, "progress": progress}
    named = {"rule": "uniform", "distinct": bool(distinct), "generator": GENERATOR}
    return _draw(stream, start, stop, rule, most, settings, named, directory)


def tgb_seq(
    stream: EventStream,
    start: int,
    stop: int,
    *,
    k: int = 100,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> CandidateSet:
    """Draw k integers from the first destination to the last, the last excluded, as TGB-Seq does.

    Its sampler draws with replacement, and draws a row again while it holds the positive; which
    generator and seed made the published files is not known. This is the same distribution from
    our own generator, so the candidates are not those of the files. Arguments are those of
    `uniform`.

    >>> from linkgram.events import EventStream
    >>> stream = EventStream.from_arrays([0, 0, 0], [0, 1, 2], [1, 2, 3])
    >>> tgb_seq(stream, 0, 2, k=3, seed=42).destinations.tolist()
    [1, 1, 1, 0, 0, 0]
    """
    settings = {"k": k, "seed": seed, "threads": threads, "progress": progress}
    named = {"rule": "tgb-seq", "last_destination": "excluded", "generator": GENERATOR}
    return _draw(stream, start, stop, "last-excluded", MAX_VOCABULARY, settings, named, directory)


def popularity(
    stream: EventStream,
    start: int,
    stop: int,
    *,
    training_end: int,
    k: int,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> CandidateSet:
    """Draw k destinations other than the positive, in proportion to their training events.

    The events before `training_end` are counted; a destination without any is never drawn, and one
    may be drawn several times. Other arguments are those of `uniform`.

    >>> from linkgram.events import EventStream
    >>> stream = EventStream.from_arrays([0] * 4, [0, 1, 1, 2], [1, 2, 3, 4])
    >>> popularity(stream, 2, 4, training_end=2, k=3, seed=42)[0].tolist()
    [0, 0, 0]
    """
    end = whole(training_end, "training_end", 1, len(stream))
    counts = np.bincount(stream.destinations[:end], minlength=vocabulary_of(stream))
    settings = {
        "k": k,
        "seed": seed,
        "threads": threads,
        "progress": progress,
        "counts": counts.astype(np.uint64),
    }
    named = {"rule": "popularity", "training_end": end, "generator": GENERATOR}
    return _draw(stream, start, stop, "popularity", MAX_VOCABULARY, settings, named, directory)


def all_destinations(stream: EventStream, start: int, stop: int) -> CandidateSet:
    """Take every destination but the positive for each event of `stream[start:stop]`.

    >>> from linkgram.events import EventStream
    >>> all_destinations(EventStream.from_arrays([0, 0], [0, 1], [1, 2]), 1, 2)
    CandidateSet(1 queries: all-destinations)
    """
    start, stop = _range(stream, start, stop)
    return CandidateSet.all_destinations(stop - start, vocabulary_of(stream))


def _range(stream: EventStream, start: int, stop: int) -> tuple[int, int]:
    stop = whole(stop, "stop", 0, len(stream))
    return whole(start, "start", 0, stop), stop


def _draw(
    stream: EventStream,
    start: int,
    stop: int,
    core_rule: str,
    most: int,
    settings: dict[str, Any],
    named: dict[str, Any],
    directory: str | os.PathLike[str] | None,
) -> CandidateSet:
    start, stop = _range(stream, start, stop)
    size = vocabulary_of(stream)
    if size < 2:
        raise SettingError(
            f"the stream has {size} destinations; negatives need at least 2",
            setting="stream",
            value=size,
        )
    k = whole(settings["k"], "k", 1, most)
    seed = whole(settings["seed"], "seed", 0, 2**64 - 1)
    if settings["threads"] is not None:
        whole(settings["threads"], "threads", 1, 1024)
    rule = {**named, "k": k, "seed": seed, "first_event": start, "vocabulary_size": size}
    offsets = np.arange(stop - start + 1, dtype=np.int64) * k

    def fill(out: NDArray[np.int32]) -> NDArray[np.int32]:
        positives = stream.destinations[start:stop]
        options = {**settings, "first": start, "vocabulary_size": size}
        _core.seeded_candidates(core_rule, positives, out=out, **options)
        return out

    if directory is None:
        return CandidateSet._checked(offsets, fill(np.empty(int(offsets[-1]), np.int32)), rule)
    with files.replacing(directory) as temporary:
        fill(files.new_destinations(temporary, int(offsets[-1])))
        files.seal(temporary, offsets, rule)
    return CandidateSet._mapped(directory)
