"""Example queries: what a source did, what was asked, and which evidence ranked the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.chart import Chart, Charts, axis, hover, names, paint, zero
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.page.times import Clock
from linkgram.report.shelf import Cell, cell, refuse
from linkgram.report.words import count, feature, listing, number

MOST_QUERIES = 20
MOST_CANDIDATES = 12
MOST_FEATURES = 60
# Kinds of evidence: a dozen features would be a dozen colours that nobody can tell apart.
KINDS = {
    "popularity": "grey",
    "own history": "blue",
    "transitions": "green",
    "co-occurrence": "purple",
    "recency": "orange",
}
KIND_OF = {"popularity": "popularity", "source_history": "own history",
           "co_occurrence": "co-occurrence"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ranked candidate: its name, score, and what each feature contributed."""

    name: str
    score: float
    is_positive: bool
    contributions: Mapping[str, float]
    against_average: bool


def kind_of(name: str) -> str:
    """The kind of evidence that a feature is.

    >>> kind_of("transition_3"), kind_of("source_recency_slow"), kind_of("source_history")
    ('transitions', 'recency', 'own history')
    """
    if name.startswith("transition_"):
        return "transitions"
    return KIND_OF.get(name, "recency")


def section(study: StudyResult, clock: Clock, charts: Charts) -> Html:
    """One card a query."""
    queries = study.series.get("queries")
    if not isinstance(queries, list):
        raise refuse(study, "series queries is no list")
    cards = [_card(study, query, place, clock, charts)
             for place, query in enumerate(queries[:MOST_QUERIES], 1)]  # fmt: skip
    return joined(cards)


def _card(study: StudyResult, query: Any, place: int, clock: Clock, charts: Charts) -> Html:
    if not isinstance(query, Mapping):
        raise refuse(study, f"query {place} is no mapping")
    candidates = _candidates(study, query)
    source, positive = _name(query.get("source")), _name(query.get("positive"))
    time, rank = _value(study, query, "time"), _value(study, query, "rank")
    among = query.get("candidates_ranked")
    total = f" of {count(among)}" if isinstance(among, int) and 0 < among < 2**63 else ""
    asked = "" if time is None else f" at {'' if clock.dated else 'time '}{clock.name(time)}"
    answer = "" if rank is None else f" ranked {number(rank, 0 if rank == int(rank) else 1)}{total}"
    chart = _chart(candidates, positive)
    return tag(
        "article",
        tag("h4", f"{place}. Where does {source} go next?"),
        tag("p", f"Source {source}{asked}. The destination that followed, {positive},{answer}."),
        _trail(study, query, positive),
        tag("p", reason(candidates)) if candidates else None,
        charts.place(chart) if chart is not None else None,
        class_="example",
    )


def _trail(study: StudyResult, query: Mapping[str, Any], positive: str) -> Html | None:
    """The source's last destinations, oldest first, and then the answer."""
    history = query.get("history")
    if not isinstance(history, list) or not history:
        return tag("p", "The source has no history.", class_="note")
    steps = []
    for step in reversed(history[:20]):
        if not isinstance(step, Mapping):
            raise refuse(study, "a step of a query's history is no mapping")
        steps.append(tag("li", _name(step.get("destination"))))
    answer = tag("li", f"\N{RIGHTWARDS ARROW} {positive}", class_="answer")
    return joined([
        tag("p", "Its last destinations, oldest first, and what followed:", class_="note"),
        tag("ol", *steps, answer, class_="trail"),
    ])  # fmt: skip


def reason(candidates: list[Candidate]) -> str:
    """Why the answer stands where it stands, from its contributions.

    >>> parts = {"transition_1": 2.0, "popularity": -0.5, "source_history": 0.1}
    >>> reason([Candidate("b", 1.6, True, parts, True)])
    'In its favour: transitions (+2.0) and own history (+0.1). Against it: popularity (−0.5).'
    >>> best = Candidate("a", 2.0, False, {"transition_1": 0.5, "source_recency": 1.5}, True)
    >>> reason([best, Candidate("b", 1.0, True, {"transition_1": 1.0}, True)])
    'In its favour: transitions (+1.0). a stands first: it is ahead by recency (+1.5).'
    """
    answer = next((one for one in candidates if one.is_positive), None)
    if answer is None:
        return ""
    parts = sorted(by_kind(answer).items(), key=lambda one: -abs(one[1]))
    favour = [f"{kind} ({number(value, 1, signed=True)})" for kind, value in parts if value > 0.05]
    against = [
        f"{kind} ({number(value, 1, signed=True)})" for kind, value in parts if value < -0.05
    ]
    said = []
    if favour:
        said.append(f"In its favour: {listing(favour)}.")
    if against:
        said.append(f"Against it: {listing(against)}.")
    said = said or ["No evidence sets it apart from the average candidate."]
    first = candidates[0]
    if first is not answer and first.score > answer.score:
        own = by_kind(answer)
        ahead = [(value - own.get(kind, 0.0), kind) for kind, value in by_kind(first).items()]
        most = [f"{kind} ({number(gain, 1, signed=True)})"
                for gain, kind in sorted(ahead, reverse=True)[:2] if gain > 0.05]  # fmt: skip
        if most:
            said.append(f"{first.name} stands first: it is ahead by {listing(most)}.")
    return " ".join(said)


def by_kind(candidate: Candidate) -> dict[str, float]:
    """Contributions summed by kind of evidence."""
    sums: dict[str, float] = {}
    for name, value in candidate.contributions.items():
        sums[kind_of(name)] = sums.get(kind_of(name), 0.0) + value
    return sums


def _chart(candidates: list[Candidate], positive: str) -> Chart | None:
    if not candidates:
        return None
    labels = [f"{place}. {one.name}" for place, one in enumerate(candidates, 1)]
    shown = [label if len(label) <= 24 else f"{label[:23]}\N{HORIZONTAL ELLIPSIS}"
             for label in labels]  # fmt: skip
    shown = [f"{label} \N{LEFTWARDS ARROW}" if one.is_positive else label
             for label, one in zip(shown, candidates, strict=True)]  # fmt: skip
    values = [
        {"candidate": label, "name": one.name, "kind": kind, "points": value,
         "shown": number(value, 2, signed=True), "order": place}
        for label, one in zip(shown, candidates, strict=True)
        for place, (kind, value) in enumerate(
            (kind, by_kind(one)[kind]) for kind in KINDS if kind in by_kind(one)
        )
    ]  # fmt: skip
    used = {kind: KINDS[kind] for kind in KINDS if any(v["kind"] == kind for v in values)}
    average = all(one.against_average for one in candidates)
    against = " Points are against the average candidate." if average else ""
    spec = {
        "layer": [
            {"data": {"values": values}, "mark": {"type": "bar", "height": {"band": 0.68}},
             "encoding": {
                 "y": names("candidate", shown),
                 "x": axis("points", "points of score", stack="zero"),
                 "color": paint("kind", used), "order": {"field": "order", "type": "ordinal"},
                 "tooltip": hover(("name", "candidate"), ("kind", "evidence"),
                                  ("shown", "points"))}},
            zero(),
        ],
    }  # fmt: skip
    return Chart(
        f"The evidence for {positive} and for the highest candidates",
        "Stacked bars: points of score by kind of evidence, a row a candidate.", spec,
        "The arrow marks the destination that followed. Bars to the right speak for a candidate, "
        f"bars to the left against it.{against}",
        _details(candidates), 25 * len(shown), used,
    )  # fmt: skip


def _details(candidates: list[Candidate]) -> Html:
    used = list(dict.fromkeys(name for one in candidates for name in one.contributions))
    heads = ["candidate", "score", *(feature(name) for name in used)]
    rows = [
        [one.name, Entry(number(one.score), one.score),
         *(Entry(number(value, signed=True), value)
           for value in (one.contributions.get(name, 0.0) for name in used))]
        for one in candidates
    ]  # fmt: skip
    marked = [place for place, one in enumerate(candidates) if one.is_positive]
    return table("Points of score by feature", heads, rows, numeric=range(1, len(heads)),
                 marked=marked)  # fmt: skip


def _candidates(study: StudyResult, query: Mapping[str, Any]) -> list[Candidate]:
    listed = query.get("candidates")
    if not isinstance(listed, list):
        raise refuse(study, "the candidates of a query are no list")
    found = []
    for one in listed[:MOST_CANDIDATES]:
        parts = one.get("against_average", one.get("contributions")) if isinstance(
            one, Mapping) else None  # fmt: skip
        if not isinstance(parts, Mapping) or len(parts) > MOST_FEATURES:
            raise refuse(study, "a candidate of a query has no contributions")
        values = {str(name)[:40]: _value(study, parts, name) or 0.0 for name in parts}
        found.append(Candidate(
            _name(one.get("destination")), _value(study, one, "score") or 0.0,
            one.get("is_positive") is True, values, "against_average" in one,
        ))  # fmt: skip
    return found


def _value(study: StudyResult, facts: Mapping[str, Any], name: str) -> float | None:
    found: Cell | None = cell(study, facts, name)
    return None if found is None else found.mean


def _name(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:59]}\N{HORIZONTAL ELLIPSIS}"
