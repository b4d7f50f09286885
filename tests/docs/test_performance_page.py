"""docs/performance.md shows the figures that are kept, and the gates' files fit each other."""

from __future__ import annotations

import json
import tomllib

from benchmarks import instructions, page
from benchmarks.figures import ROOT, Figure, Figures
from benchmarks.gates import missed_answers, verdicts


def kept() -> Figures:
    figures = Figures()
    facts = json.loads(page.latest().read_text())
    figures.take(Figure(**figure) for figure in facts["figures"])
    return figures


def test_the_page_is_written_from_the_kept_figures():
    text = page.PAGE.read_text()
    assert page.rendered(text, page.latest()) == text


def test_every_gate_was_measured_and_every_answer_was_right():
    gates = tomllib.loads((ROOT / "benchmarks" / "gates.toml").read_text())["gate"]
    measured = {(verdict.name, verdict.case) for verdict in verdicts(kept())}
    assert measured == {(gate["name"], case["case"]) for gate in gates for case in gate["cases"]}
    assert missed_answers(kept()) == []


def test_a_wrong_answer_is_seen():
    figures = kept()
    right = figures["mrr", "small 8F"]
    figures["mrr", "small 8F"] = right._replace(value=right.value + 0.01)
    assert len(missed_answers(figures)) == 1


def test_of_two_times_the_better_is_kept():
    figures = Figures()
    for value in (3.0, 2.0, 4.0):
        figures.take([Figure("update", "small 8F", value, "ns/event")])
    assert figures.value("update", "small 8F") == 2.0


def test_instructions_are_kept_for_every_kernel():
    bounds = tomllib.loads((ROOT / "benchmarks" / "instructions.toml").read_text())
    wanted = {
        (name, f"{stream} {n}F") for name, stream, *_ in instructions.KERNELS for n in (8, 12)
    }
    assert {(name, case) for name, cases in bounds.items() for case in cases} == wanted
