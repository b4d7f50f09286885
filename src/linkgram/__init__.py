"""linkgram: n-gram statistics for temporal links.

Given a stream of events (source, destination, time), predict a source's next destination from
smoothed counts and a log-linear rule of about a dozen learned weights.
"""

import importlib
import typing

from linkgram._core import __version__

if typing.TYPE_CHECKING:
    from linkgram.configuration import Configuration
    from linkgram.errors import (
        CandidateError,
        DataSetMissingError,
        DownloadError,
        EventError,
        LinkgramError,
        NotFittedError,
        SettingError,
        StateFileError,
    )
    from linkgram.events import EventStream, StreamDescription
    from linkgram.predictor import Explanation, LinkPredictor

__all__ = [
    "CandidateError",
    "Configuration",
    "DataSetMissingError",
    "DownloadError",
    "EventError",
    "EventStream",
    "Explanation",
    "LinkPredictor",
    "LinkgramError",
    "NotFittedError",
    "SettingError",
    "StateFileError",
    "StreamDescription",
    "__version__",
]

# Readers and what they need are loaded when a name is first asked for, not by `import linkgram`.
_HOMES = {
    "Configuration": "linkgram.configuration",
    "EventStream": "linkgram.events",
    "StreamDescription": "linkgram.events",
    "Explanation": "linkgram.predictor",
    "LinkPredictor": "linkgram.predictor",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'linkgram' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(_HOMES.get(name, "linkgram.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
