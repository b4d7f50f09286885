"""Measure everything, print every gate, keep the figures by date and machine.

    python -m benchmarks [--only small,wiki,...] [--rivals PYTHON]

`--rivals` names a Python that has what benchmarks/rivals/requirements.txt lists; without it the
rows of other programs are left out. Every measurement is repeated (`--rounds`) and the best time
kept; the two sides of a ratio take turns.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import kernels
from benchmarks.figures import ROOT, Figure, Figures, module, run
from benchmarks.gates import missed_answers, verdicts
from benchmarks.page import SIZES

PARTS = ("small", "wiki", "medium", "large", "sizes", "fit", "calls", "instructions")
MEASURES = {
    "small": "updates,memory,scores,whole,lanes,threads,extraction,edge-bank",
    "wiki": "updates,scores,whole,edge-bank",
    "medium": "updates,memory,scores,lanes,threads,extraction,edge-bank,decay",
    "large": "updates,memory,scores,lanes,threads,extraction",
}
# Streams that plain Python is measured on, and those whose kernels are also built for x86-64-v3.
WITH_DICTIONARIES, WITH_V3 = ("small", "wiki", "medium"), ("small", "medium")
RIVALS = (
    ("rivals.edge_bank", ("small", "wiki", "medium"), ()),
    ("rivals.edge_bank", ("wiki",), ("all",)),
    ("rivals.tgm_edge_bank", ("small", "wiki"), ()),
    ("rivals.online", ("small",), ()),
    ("rivals.top_k", ("medium",), ()),
)


def stream(name: str, scale: float, rivals: str | None) -> Iterator[Figure]:
    """The kernels on a stream, then plain Python and rivals on the same."""
    yield from kernels.measure(name, MEASURES[name], scale=scale)
    if name in WITH_V3:
        for figure in kernels.measure(name, "scores", scale=scale, machine="x86-64-v3"):
            if figure.figure == "score":
                yield figure._replace(figure="score v3")
    with tempfile.TemporaryDirectory() as folder:
        if name in WITH_DICTIONARIES:
            kernels.write(name, Path(folder), scale=scale)
            for features in ("8", "12"):
                yield from run(module("dict_python", folder, features))
        for program, streams, arguments in RIVALS if rivals else ():
            if name in streams:
                command = module(program, folder, *arguments, python=rivals or "")
                yield from run(command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})


def calls(scale: float) -> Iterator[Figure]:
    """Calls from Python, and the import."""
    with tempfile.TemporaryDirectory() as folder:
        kernels.write("small", Path(folder), scale=scale)
        yield from run(module("calls", folder))
    with tempfile.TemporaryDirectory() as folder:
        kernels.write("medium", Path(folder), scale=scale)
        yield from run(module("calls", folder, "top"))
    for figure in kernels.measure("small", "scores", features="8", scale=scale):
        if figure.figure == "score":
            yield figure


def sizes(scale: float) -> Iterator[Figure]:
    """Queries and memory on streams of the sizes of benchmark sets, with all three additions."""
    for name in SIZES:
        yield from kernels.measure(name, "scores,memory", features="12", scale=scale)


def fits(scale: float) -> Iterator[Figure]:
    """Epochs over a medium and a large matrix."""
    for rows in (1_400_000, 14_000_000):
        yield from run(module("numpy_fit", str(int(rows * scale))))


def machine() -> str:
    """A name for this machine that tells nothing of its owner."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} threads"


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", default=",".join(PARTS), help="which parts, comma-separated")
    parser.add_argument("--scale", type=float, default=1.0, help="size of the streams")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--rivals", help="a Python that has the rivals installed")
    parser.add_argument("--out", type=Path, help="where to keep the figures")
    options = parser.parse_args()
    parts = options.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    figures = Figures()
    programs: dict[str, Callable[[], Iterator[Figure]]] = {
        "sizes": lambda: sizes(options.scale),
        "fit": lambda: fits(options.scale),
        "calls": lambda: calls(options.scale),
        "instructions": lambda: run(module("instructions")),
    }
    try:
        for part in parts:
            # Counts of instructions do not depend on the moment; large streams take long.
            rounds = 1 if part in ("instructions", "large", "sizes") else options.rounds
            for number in range(rounds):
                print(f"{part}, round {number + 1} of {rounds}", file=sys.stderr, flush=True)
                program = programs.get(part)
                figures.take(program() if program else stream(part, options.scale, options.rivals))
    finally:
        # What was measured before an interruption is kept too.
        wrong = report(figures, options.out, whole=options.scale == 1.0)
    return wrong


def report(figures: Figures, out: Path | None, *, whole: bool) -> int:
    """Print every gate; keep the figures."""
    found = list(verdicts(figures)) if whole else []
    for name in dict.fromkeys(verdict.name for verdict in found):
        print(name)
        for verdict in found:
            if verdict.name == name:
                prototype = "" if verdict.prototype is None else f"  [{verdict.prototype:g}]"
                mark = "" if verdict.holds else "   MISSED"
                value = f"{verdict.value:>12,.2f}  {verdict.bound:>9}"
                print(f"  {verdict.case:<18} {value}{prototype}{mark}")
    today = datetime.date.today().isoformat()
    facts = {
        "date": today,
        "machine": machine(),
        "python": platform.python_version(),
        "figures": [figure._asdict() for figure in figures.values()],
    }
    path = out or ROOT / "benchmarks" / "results" / f"{today}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(facts, indent=1) + "\n")
    print(f"figures kept in {path}", file=sys.stderr)
    wrong = missed_answers(figures) if whole else []
    for line in wrong:
        print(f"wrong answer: {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
