"""Write the tables of docs/performance.md from kept figures.

python -m benchmarks.page [RESULTS]
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.figures import ROOT, Figure, Figures
from benchmarks.gates import verdicts

# Streams that are measured for their size.
SIZES = ("coin", "ml-20m", "yelp", "comment", "flight", "wikilink")
PAGE = ROOT / "docs" / "performance.md"
COSTS = (
    ("update", "observe an event, tables growing from empty, warm pages"),
    ("update known", "observe an event whose pairs are known"),
    ("update touch", "bare touch of the lines an update reads"),
    ("score", "rank 101 candidates, then observe"),
    ("score touch", "bare touch of the lines a query reads"),
    ("score all", "rank the whole vocabulary, then observe"),
    ("score one more lane", "one more weight vector in the same pass"),
    ("extract", "a training row, then observe"),
    ("extract five seeds", "a row of five seeds extracted together"),
    ("state", "bytes of the state a distinct pair"),
)
RIVALS = (
    ("dict score", "the model in plain dictionaries, 101 candidates"),
    ("dict update", "the same, observing"),
    ("tgb edge bank", "EdgeBank in TGB's shape with TGB's Evaluator, 101 candidates"),
    ("tgb edge bank all", "the same, whole vocabulary"),
    ("tgm edge bank", "TGM's EdgeBank, 101 candidates"),
    ("edge bank", "our EdgeBank, 101 candidates"),
    ("edge bank all", "our EdgeBank, whole vocabulary"),
    ("river update", "river's FunkMF, one learn"),
    ("river score", "river's FunkMF, 101 candidates"),
    ("vowpal wabbit update", "Vowpal Wabbit, one learn"),
    ("vowpal wabbit score", "Vowpal Wabbit, 101 candidates"),
    ("implicit top 10", "implicit's recommend, 64 factors"),
    ("top 10", "our top_k(10), from Python"),
)


def gates(figures: Figures) -> str:
    """Every gate, a row a case."""
    found = list(verdicts(figures))
    lines = ["| what | case | ours | gate | prototype | |", "| --- | --- | --: | --: | --: | --- |"]
    previous = ""
    for verdict in found:
        name = "" if verdict.name == previous else verdict.name
        previous = verdict.name
        prototype = "" if verdict.prototype is None else f"{verdict.prototype:g}"
        value = f"{verdict.value:,.2f}" if verdict.value < 1000 else f"{verdict.value:,.0f}"
        mark = "" if verdict.holds else "missed"
        lines.append(
            f"| {name} | {verdict.case} | {value} | {verdict.bound} | {prototype} | {mark} |"
        )
    held = sum(verdict.holds for verdict in found)
    return "\n".join([f"{held} of {len(found)} gates hold.", "", *lines])


def costs(figures: Figures) -> str:
    """Nanoseconds an operation, a column a case."""
    cases = [
        case
        for case in ("small 8F", "small 12F", "medium 8F", "medium 12F", "large 8F", "large 12F")
        if figures.value("update", case) is not None
    ]
    lines = [f"| ns | {' | '.join(cases)} |", f"| --- |{' --: |' * len(cases)}"]
    for name, meaning in COSTS:
        values = [figures.value(name, case) for case in cases]
        if any(value is not None for value in values):
            cells = ["" if value is None else f"{value:,.4g}" for value in values]
            lines.append(f"| {meaning} | {' | '.join(cells)} |")
    return "\n".join(lines)


def rivals(figures: Figures) -> str:
    """What other programs take."""
    lines = ["| program | case | time |", "| --- | --- | --: |"]
    for name, meaning in RIVALS:
        for (figure, case), measured in figures.items():
            if figure == name:
                lines.append(f"| {meaning} | {case} | {measured.value / 1e3:,.2f} us |")
    return "\n".join(lines)


def sizes(figures: Figures) -> str:
    """Streams of the sizes of benchmark sets."""
    lines = [
        "| stream | events | destinations | rank 101, then observe | bare touch | bytes a pair |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    shapes = tomllib.loads((ROOT / "benchmarks" / "streams.toml").read_text())["stream"]
    for shape in shapes:
        if shape["name"] in SIZES:
            case = f"{shape['name']} 12F"
            measured = (figures.value(name, case) for name in ("score", "score touch", "state"))
            cells = ("" if value is None else f"{value:,.4g}" for value in measured)
            counts = f"{shape['events']:,} | {shape['destinations']:,}"
            lines.append(f"| {shape['name']} | {counts} | {' | '.join(cells)} |")
    return "\n".join(lines)


def printed(path: Path) -> str:
    """What a whole run printed."""
    return f"```text\n{path.read_text().rstrip()}\n```"


def rendered(page: str, path: Path) -> str:
    """The page with its marked blocks written anew from the figures in `path`."""
    facts: dict[str, Any] = json.loads(path.read_text())
    figures = Figures()
    figures.take(Figure(**figure) for figure in facts["figures"])
    where = f"Measured {facts['date']} on {facts['machine']}, Python {facts['python']}."
    blocks = {
        name: f"{where}\n\n{block(figures)}"
        for name, block in (
            ("gates", gates),
            ("costs", costs),
            ("sizes", sizes),
            ("rivals", rivals),
        )
    }
    for name in ("wikilink", "end-to-end"):
        blocks[name] = printed(path.with_name(f"{name}.txt"))
    for name, text in blocks.items():
        begin, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}{text}\n{end}{after}"
    return page


def latest() -> Path:
    """The figures kept last."""
    return max((ROOT / "benchmarks" / "results").glob("*.json"))


if __name__ == "__main__":
    kept = Path(sys.argv[1]) if sys.argv[1:] else latest()
    PAGE.write_text(rendered(PAGE.read_text(), kept))
