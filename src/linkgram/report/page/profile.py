"""What this stream is: its sizes as tiles, a chart a face, and all facts as a table."""

from __future__ import annotations

from collections.abc import Mapping

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.chart import Charts
from linkgram.report.page.faces import events_over_time, novelty, popularity, repeats, ties
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import table
from linkgram.report.page.times import Clock
from linkgram.report.shelf import cell, columns, text
from linkgram.report.words import count, fact, number


def section(study: StudyResult, charts: Charts) -> Html:
    """Tiles of sizes, then a chart for each face of the stream."""
    facts = facts_of(study)
    clock = Clock.of(study)
    found = [
        events_over_time(study, clock), novelty(study, clock), popularity(study, facts),
        repeats(study, facts, clock), ties(study),
    ]  # fmt: skip
    figures = [charts.place(chart) for chart in found if chart is not None]
    return joined([
        tiles(study, facts, clock),
        tag("div", *figures, class_="pair"),
        tag("details", tag("summary", "All facts of the stream"), _facts(study)),
    ])  # fmt: skip


def facts_of(study: StudyResult) -> dict[str, float]:
    """The countable facts of the stream."""
    return {
        text(row, "fact"): found.mean
        for row in study.rows
        if isinstance(row.get("value"), (int, float)) and (found := cell(study, row, "value"))
    }


def tiles(study: StudyResult, facts: Mapping[str, float], clock: Clock) -> Html:
    """The sizes that say most."""
    shown = [
        (label, count(facts[name]))
        for name, label in (("events", "events"), ("sources", "sources"),
                            ("destinations", "destinations"), ("distinct_pairs", "pairs"))
        if name in facts
    ]  # fmt: skip
    events, pairs = facts.get("events"), facts.get("distinct_pairs")
    if events and pairs is not None:
        again = number(100 * (1 - pairs / events), 0)
        shown.append(("of events repeat a pair", f"{again} %"))
    rows = columns(study, "events_over_time", "from", "to")
    if rows:
        shown.append(("from first to last event", clock.span(rows[-1][1] - rows[0][0])))
    return tag("dl", *(tag("div", tag("dt", a), tag("dd", b)) for a, b in shown), class_="tiles")


def _facts(study: StudyResult) -> Html:
    clock = Clock.of(study)
    rows = []
    for row in study.rows:
        name, value = text(row, "fact"), row.get("value")
        shown = fact(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            spans = name.endswith(("duration", "interval")) or name == "span"
            shown = clock.span(value) if spans else _plain(float(value))
        rows.append([name.replace("_", " "), shown])
    return table("Facts of the stream", ["fact", "value"], rows, numeric=[1])


def _plain(value: float) -> str:
    return count(value) if value.is_integer() else f"{value:,.4g}"
