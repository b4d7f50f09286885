"""Numbers, facts and features in words, spelled alike in figures and on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.shelf import Cell

MINUS = "\N{MINUS SIGN}"

FEATURE_SETS = {
    "reference": "reference",
    "co-occurrence": "co-occurrence",
    "global-recency": "global recency",
    "multi-scale": "multi-scale recency",
    "all-three": "all three",
}
FEATURES = {
    "popularity": "popularity",
    "source_history": "source history",
    "co_occurrence": "co-occurrence",
    "source_recency": "source recency",
    "global_recency": "global recency",
    "source_recency_fast": "source recency, fast",
    "source_recency_slow": "source recency, slow",
}


def number(value: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """A number for reading.

    >>> number(-1.234), number(0.5, 1, signed=True), number(None), number(-0.001)
    ('−1.23', '+0.5', '–', '0.00')
    """
    if value is None:
        return "\N{EN DASH}"
    shown = f"{value:,.{digits}f}"
    if not any(digit in shown for digit in "123456789"):
        shown = shown.removeprefix("-")
    elif signed and value > 0:
        shown = f"+{shown}"
    return shown.replace("-", MINUS)


def spread(found: Cell | None, *, signed: bool = False) -> str:
    """A mean with its standard deviation over seeds.

    >>> spread(Cell(86.771, 0.031)), spread(Cell(2.0))
    ('86.77 ± 0.03', '2.00')
    """
    if found is None:
        return number(None)
    shown = number(found.mean, signed=signed)
    return shown if found.sd is None else f"{shown} ± {number(found.sd)}"


def count(value: float) -> str:
    """A whole number with its thousands apart.

    >>> count(59835)
    '59,835'
    """
    return f"{round(value):,}"


def compact(value: float) -> str:
    """A large number in few characters.

    >>> compact(59835), compact(950), compact(1_200_000)
    ('59.8 k', '950', '1.2 M')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            unit = 1e3 if letter == "k" else size
            return f"{value / unit:,.1f} {letter}"
    return f"{value:,.0f}"


DURATIONS = (
    (31_557_600.0, "year"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
)


def duration(value: float, unit: object) -> str:
    """A span of time in the largest unit that fits; in the data's own unit when it has no name.

    >>> duration(7200, "s"), duration(86400 * 400, "s"), duration(5, None), duration(90_000, "ms")
    ('2 hours', '1.1 years', '5 time units', '1.5 minutes')
    """
    scale = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}.get(str(unit))
    if scale is None:
        shown = f"{value:,.4g}" if abs(value) < 1e4 else compact(value)
        return f"{shown} {'time units' if unit is None else str(unit)[:20]}"
    seconds = value * scale
    for size, name in DURATIONS:
        if abs(seconds) >= size:
            shown = f"{seconds / size:,.1f}".removesuffix(".0")
            return f"{shown} {name}{'' if shown == '1' else 's'}"
    return f"{seconds:.3g} seconds"


def feature(name: str) -> str:
    """A feature's name for reading.

    >>> feature("transition_2"), feature("source_history")
    ('transition 2', 'source history')
    """
    return FEATURES.get(name, name.replace("_", " "))


def feature_set(name: str) -> str:
    """A feature set's name for reading.

    >>> feature_set("multi-scale")
    'multi-scale recency'
    """
    return FEATURE_SETS.get(name, name)


def listing(items: list[str]) -> str:
    """Items as a sentence lists them.

    >>> listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(([", ".join(items[:-1])] if len(items) > 1 else []) + items[-1:])


def fact(value: Any) -> str:
    """Any recorded fact as one line: `rule (setting value, ...)` for a mapping with a rule.

    >>> fact({"rule": "historical-random", "k": 1000, "seed": 42})
    'historical-random (k 1000, seed 42)'
    """
    if isinstance(value, Mapping):
        rest = ", ".join(
            f"{str(key).replace('_', ' ')} {fact(item)}"
            for key, item in value.items()
            if key != "rule"
        )
        if "rule" not in value:
            return rest[:400]
        rule = fact(value["rule"])
        return f"{rule} ({rest[:400]})" if rest else rule
    if isinstance(value, list):
        return " / ".join(fact(item) for item in value[:20])
    if isinstance(value, float):
        return f"{value:.10g}"
    return "unknown" if value is None else str(value)[:200]


def measured(*studies: StudyResult) -> str:
    """Under what their scores were measured: schedule, candidates and ties, once where they agree.

    >>> here = {"schedule": "event-wise", "candidates": {"rule": "uniform", "k": 100, "end": 9}}
    >>> measured(StudyResult("depth", "0", {"name": "a"}, here))
    'Schedule: event-wise. Candidates: uniform (k 100).'
    """
    parts = []
    for name in ("schedule", "candidates", "ties"):
        found: dict[str, list[str]] = {}
        for study in studies:
            if value := study.measured.get(name):
                shown = _rule(value) if name == "candidates" else fact(value)
                found.setdefault(shown.rstrip("."), []).append(study.name)
        said = [
            f"{shown} on {listing(names)}" if len(found) > 1 else shown
            for shown, names in found.items()
        ]
        if said:
            parts.append(f"{name.capitalize()}: {'; '.join(said)}.")
    return " ".join(parts)


def _rule(value: Any) -> str:
    """A rule of candidates by what tells it from others; sizes are the data set's."""
    if not isinstance(value, Mapping):
        return fact(value)
    if isinstance(value.get("rule"), Mapping):
        return _rule(value["rule"])
    return fact({name: value[name] for name in ("rule", "k", "seed") if name in value})
