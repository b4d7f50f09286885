"""linkgram: n-gram statistics for temporal links.

Given a stream of events (source, destination, time), predict a source's next destination from
smoothed counts and a log-linear rule of about a dozen learned weights.
"""

from linkgram._core import __version__
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
