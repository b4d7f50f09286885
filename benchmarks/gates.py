"""The gates: which ratio of which figures must reach what. benchmarks/gates.toml defines them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.figures import ROOT, Figures


class Verdict(NamedTuple):
    """One gate on one case, measured."""

    name: str
    case: str
    value: float
    bound: str
    prototype: float | None
    holds: bool


def verdicts(figures: Figures) -> Iterator[Verdict]:
    """Every gate whose figures were measured."""
    page = tomllib.loads((ROOT / "benchmarks" / "gates.toml").read_text())
    for gate in page["gate"]:
        for case in gate["cases"]:
            value = _value(figures, gate, case)
            if value is None:
                continue
            if "at_least" in case:
                holds, bound = value >= case["at_least"], f">= {case['at_least']}"
            else:
                holds, bound = value <= case["at_most"], f"<= {case['at_most']}"
            yield Verdict(gate["name"], case["case"], value, bound, case.get("prototype"), holds)


def _value(figures: Figures, gate: dict[str, Any], case: dict[str, Any]) -> float | None:
    over = figures.value(gate["over"], case["case"])
    other = gate.get("under", gate.get("minus"))
    if other is None:
        return over
    under = figures.value(other, case.get("under_case", case["case"]))
    if over is None or under is None:
        return None
    return over / under if "under" in gate else over - under


def missed_answers(figures: Figures) -> list[str]:
    """Every measured MRR that is not the one in benchmarks/expected.toml."""
    page = tomllib.loads((ROOT / "benchmarks" / "expected.toml").read_text())
    wrong = []
    for figure, cases in page["answers"].items():
        for case, expected in cases.items():
            found = figures.value(figure, case)
            if found is not None and abs(found - expected) > page["tolerance"]:
                wrong.append(f"{figure}, {case}: {found:.9f}, expected {expected:.9f}")
    return wrong
