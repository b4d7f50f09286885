"""Headers of an HTTP answer, read strictly: what is not exactly as specified says nothing."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from email.message import Message


def asked_pause(value: str | None, longest: float) -> float | None:
    """Give the seconds of a Retry-After, which holds a number or a date, at most `longest`.

    >>> asked_pause("7", 60.0), asked_pause("86400", 60.0), asked_pause("soon", 60.0)
    (7.0, 60.0, None)
    >>> asked_pause("Fri, 31 Dec 1999 23:59:59 GMT", 60.0)
    0.0
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        seconds = float(value)
    else:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError, OSError):
            return None
    return min(max(seconds, 0.0), longest)


def length(headers: Message) -> int | None:
    """Give the announced number of bytes.

    >>> from email.message import Message
    >>> headers = Message()
    >>> headers["Content-Length"] = "12"
    >>> length(headers), length(Message())
    (12, None)
    """
    value = headers.get("Content-Length", "").strip()
    return int(value) if re.fullmatch(r"[0-9]{1,18}", value) else None


def content_range(headers: Message) -> tuple[int | None, int | None]:
    """Give where a part starts, and how long the whole is.

    >>> from email.message import Message
    >>> headers = Message()
    >>> headers["Content-Range"] = "bytes 10-19/20"
    >>> content_range(headers), content_range(Message())
    ((10, 20), (None, None))
    """
    value = headers.get("Content-Range", "").strip()
    found = re.fullmatch(r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18}|\*)", value)
    if found is None:
        return None, None
    return int(found[1]), None if found[2] == "*" else int(found[2])
