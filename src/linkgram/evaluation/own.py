"""Own data: a protocol for any stream, by stated defaults that can all be overridden.

Without settings: TGB's split (time quantiles 70/15/15), the vocabulary of all destinations in the
stream, and as candidates all of them where there are up to 1,000, else 100 uniform ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from linkgram.evaluation.candidate_rule import CandidateRule
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.split import Split, by_quantile
from linkgram.events import EventStream


def protocol_for(
    stream: EventStream,
    *,
    name: str = "own data",
    split: Split | None = None,
    candidates: CandidateRule | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    directory: Path | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Protocol:
    """Make a protocol for `stream`; with a `directory` its candidates are mapped from there.

    >>> stream = EventStream.from_arrays([0, 1] * 50, [k % 7 for k in range(100)], range(100))
    >>> protocol = protocol_for(stream, candidates=CandidateRule("uniform", 3))
    >>> protocol.split.sizes, len(protocol.test[0])
    ((70, 15, 15), 3)
    """
    split = split or by_quantile(stream)
    rule = candidates or CandidateRule.default(len(stream.destination_ids))
    validation, test = rule.draw(
        stream, split, threads=threads, progress=progress, directory=directory
    )
    return Protocol(name, stream, split, validation, test, provenance=provenance or {})
