"""Faces of a stream, a chart each: events over time, novelty, popularity, repeats and ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.chart import Chart, axis, colour, hover
from linkgram.report.page.table import Entry, table
from linkgram.report.page.times import Clock
from linkgram.report.shelf import columns
from linkgram.report.words import count, number

TIE_SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 99), (100, None))


def events_over_time(study: StudyResult, clock: Clock) -> Chart | None:
    """Bars of events by equal stretches of time."""
    rows = columns(study, "events_over_time", "from", "to", "events")
    if not rows:
        return None
    total = sum(events for *_, events in rows) or 1
    middle, seen = rows[0][0], 0.0
    for start, _, events in rows:
        if seen >= total / 2:
            break
        middle, seen = start, seen + events
    share = (middle - rows[0][0]) / ((rows[-1][1] - rows[0][0]) or 1)
    title = (
        f"Half of all events fall in the first {number(100 * share, 0)} % of the time"
        if share < 0.4
        else f"Half of all events fall in the last {number(100 - 100 * share, 0)} % of the time"
        if share > 0.6
        else "Events are spread evenly over time"
    )
    values = [
        {
            "a": clock.place(start),
            "b": clock.place(end),
            "events": events,
            "when": clock.name(start),
        }
        for start, end, events in rows
    ]
    spec = {
        "data": {"values": values},
        "mark": _bin("blue"),
        "encoding": {
            "x": clock.axis("a"), "x2": {"field": "b"}, "y": axis("events", "events"),
            "y2": {"datum": 0}, "tooltip": hover(("when", "from"), ("events", "events")),
        },
    }  # fmt: skip
    shown = [[Entry(clock.name(a), a), Entry(count(n), n)] for a, _, n in rows]
    return Chart(
        title, f"Bars of the number of events in {len(rows)} equal stretches of time.", spec,
        details=table("Events over time", ["from", "events"], shown, numeric=[1]), height=190,
    )  # fmt: skip


def novelty(study: StudyResult, clock: Clock) -> Chart | None:
    """The share of events whose pair occurs for the first time."""
    rows = columns(study, "novelty_over_time", "from", "to", "new_pairs")
    if not rows:
        return None
    early, late = (number(100 * share, 0) for share in _halves(study, rows))
    values = [
        {"t": clock.place((a + b) / 2), "share": 100 * new, "when": clock.name(a)}
        for a, b, new in rows
    ]
    spec = {
        "data": {"values": values},
        "mark": _line("vermillion"),
        "encoding": {
            "x": clock.axis("t"),
            "y": axis("share", "new pairs, % of events", scale={"domain": [0, 100]}),
            "tooltip": hover(("when", "from"), ("share", "new pairs, %")),
        },
    }  # fmt: skip
    shown = [[Entry(clock.name(a), a), Entry(number(100 * new, 1), new)] for a, _, new in rows]
    return Chart(
        f"First meetings of a pair: {early} % of the first half of events, {late} % of the second",
        "A line of the share of events whose pair was never seen before, over time.", spec, "",
        table("New pairs over time", ["from", "new pairs, %"], shown, numeric=[1]),
        height=190,
    )  # fmt: skip


def _halves(study: StudyResult, rows: list[tuple[float, ...]]) -> list[float]:
    """The share of new pairs in each half of the events; of the time where bins are not counted."""
    events = {row[0]: row[1] for row in columns(study, "events_over_time", "from", "events")}
    counts = [(events.get(start, 1.0), new) for start, _, new in rows]
    total, seen = sum(size for size, _ in counts), 0.0
    halves = [[0.0, 0.0], [0.0, 0.0]]
    for size, new in counts:
        half = halves[seen + size / 2 > total / 2]
        half[0] += size
        half[1] += size * new
        seen += size
    return [fresh / (size or 1.0) for size, fresh in halves]


def popularity(study: StudyResult, facts: Mapping[str, float]) -> Chart | None:
    """Events of the destinations by rank, both axes logarithmic."""
    rows = columns(study, "popularity", "rank", "events")
    rows = [(rank, events) for rank, events in rows if rank > 0 and events > 0]
    if not rows:
        return None
    top = [events for rank, events in rows if rank <= 10]
    total = facts.get("events", 0.0)
    title = "Events by popularity rank of the destination"
    if len(top) == 10 and total >= sum(top):
        share = number(100 * sum(top) / total, 1 if sum(top) < 0.1 * total else 0)
        title = f"The 10 most popular destinations draw {share} % of all events"
    spec = {
        "data": {"values": [{"rank": rank, "events": events} for rank, events in rows]},
        "mark": _line("green"),
        "encoding": {
            "x": axis("rank", "rank of the destination", scale=_log(), axis=_powers(rows[-1][0])),
            "y": axis("events", "events", scale=_log(), axis=_powers(rows[0][1])),
            "tooltip": hover(("rank", "rank"), ("events", "events")),
        },
    }  # fmt: skip
    shown = [[Entry(count(rank), rank), Entry(count(n), n)] for rank, n in rows]
    return Chart(
        title, "A falling line: events against the rank of the destination, both on log scales.",
        spec, details=table("Popularity", ["rank", "events"], shown, numeric=[1]), height=210,
    )  # fmt: skip


def repeats(study: StudyResult, facts: Mapping[str, float], clock: Clock) -> Chart | None:
    """Times between consecutive events of one pair, on a log scale."""
    rows = columns(study, "repeat_intervals", "from", "to", "events")
    rows = [row for row in rows if 0 < row[0] < row[1]]
    if not rows:
        return None
    middle = facts.get("median_repeat_interval")
    title = "Time between two events of the same pair"
    if middle is not None:
        title = f"Half of all repeats come within {clock.span(middle)}"
    values = [
        {"a": a, "b": b, "events": n, "from": clock.span(a), "to": clock.span(b)}
        for a, b, n in rows
    ]
    spec = {
        "data": {"values": values},
        "mark": _bin("purple"),
        "encoding": {
            "x": axis("a", "time since the pair's last event", scale=_log(nice=False),
                      axis=clock.span_axis(rows[0][0], rows[-1][1])),
            "x2": {"field": "b"},
            "y": axis("events", "repeats"),
            "y2": {"datum": 0},
            "tooltip": hover(("from", "from"), ("to", "to"), ("events", "repeats")),
        },
    }  # fmt: skip
    shown = [
        [Entry(clock.span(a), a), Entry(clock.span(b), b), Entry(count(n), n)] for a, b, n in rows
    ]
    at_once = facts.get("repeats_at_the_same_time")
    note = f"{count(at_once)} repeats at the very same time are left out." if at_once else ""
    return Chart(
        title, "Bars of repeats by the time since the pair's last event, on a log scale.", spec,
        note, table("Repeat intervals", ["from", "to", "repeats"], shown, numeric=[2]), 210,
    )  # fmt: skip


def ties(study: StudyResult) -> Chart | None:
    """How many events share their time with how many others."""
    rows = columns(study, "ties", "size", "groups")
    total = sum(size * groups for size, groups in rows)
    if not total:
        return None
    values: list[dict[str, Any]] = []
    for low, high in TIE_SIZES:
        events = sum(n * s for s, n in rows if s >= low and (high is None or s <= high))
        label = str(low) if low == high else f"{low}+" if high is None else f"{low}\u2013{high}"
        values.append({"size": label, "share": 100 * events / total, "events": events})
    while len(values) > 2 and not values[-1]["events"]:
        values.pop()
    alone = values[0]["share"]
    spec = {
        "data": {"values": values},
        "mark": {"type": "bar", "color": colour("sky"), "width": {"band": 0.7}},
        "encoding": {
            "x": {"field": "size", "type": "ordinal", "sort": None,
                  "title": "events at the same time", "axis": {"labelAngle": 0}},
            "y": axis("share", "% of events"),
            "tooltip": hover(("size", "events at one time"), ("events", "events"), ("share", "%")),
        },
    }  # fmt: skip
    title = (
        "No two events share a time"
        if alone == 100
        else f"{number(100 - alone, 0 if alone < 99 else 2)} % of events share their time"
    )
    note = "Tied events keep their order in the file; only strict timestamps hide them."
    shown = [[str(v["size"]), Entry(number(v["share"], 1), v["share"]),
              Entry(count(v["events"]), v["events"])] for v in values]  # fmt: skip
    return Chart(
        title, "Bars: the share of events by how many events have the same time.", spec, note,
        table("Ties", ["events at one time", "% of events", "events"], shown, numeric=[1, 2]), 210,
    )  # fmt: skip


def _log(**more: Any) -> dict[str, Any]:
    return {"type": "log", **more}


def _powers(most: float) -> dict[str, Any]:
    """Ticks at the powers of ten."""
    powers = [10**power for power in range(19) if 10**power <= most]
    return {"values": powers, "format": "~s"}


def _line(name: str) -> dict[str, Any]:
    point = {"size": 14, "filled": True, "color": colour(name)}
    return {"type": "line", "color": colour(name), "point": point}


def _bin(name: str) -> dict[str, Any]:
    return {"type": "rect", "color": colour(name), "stroke": colour("paper"), "strokeWidth": 0.5}
