"""The digest of a stream: a SHA-256 of its events, the same whatever container they came from.

Hashed, in this order, all numbers little-endian:

    "linkgram events 1", newline     what this is, then the number of events (uint64)
    for sources, then destinations:
        "n", "i" or "t"              no id at all, integer ids, text ids
        the number of ids (uint64)   ids that occur, in order of first appearance
        the ids                      int64 each; or all byte lengths (uint64 each), then all the
                                     UTF-8 bytes end to end
        the dense ids                uint32, one an event
    the times                        float64, one an event

A slice that shares the ids of a longer stream hashes only the ids that occur in it. The unit of
time is not hashed: events at the same numbers are the same events.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from linkgram.events.encode import ExternalIds, renumber


def digest(
    sources: npt.NDArray[np.uint32],
    destinations: npt.NDArray[np.uint32],
    times: npt.NDArray[np.float64],
    source_ids: ExternalIds,
    destination_ids: ExternalIds,
) -> str:
    """Compute the hexadecimal digest of events given as dense ids.

    >>> none = np.empty(0, dtype=np.uint32)
    >>> len(digest(none, none, np.empty(0), (), ()))
    64
    """
    state = hashlib.sha256(b"linkgram events 1\n")
    state.update(len(times).to_bytes(8, "little"))
    for dense, external in ((sources, source_ids), (destinations, destination_ids)):
        numbers, used = renumber(dense, external)
        state.update(b"n" if not len(used) else b"t" if isinstance(used, tuple) else b"i")
        state.update(len(used).to_bytes(8, "little"))
        if isinstance(used, tuple):
            texts = [text.encode() for text in used]
            state.update(np.array([len(text) for text in texts], dtype="<u8").tobytes())
            state.update(b"".join(texts))
        else:
            state.update(used.astype("<i8").tobytes())
        state.update(numbers.astype("<u4").tobytes())
    state.update(times.astype("<f8").tobytes())
    return state.hexdigest()
