"""Events, (source, destination, time) in time order, and the readers that make streams."""

from linkgram.events.describe import StreamDescription
from linkgram.events.stream import EventStream

__all__ = ["EventStream", "StreamDescription"]
