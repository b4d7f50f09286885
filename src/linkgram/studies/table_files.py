"""Table files: one table as Markdown, as LaTeX (booktabs) and as CSV.

Markdown and LaTeX round as a reader wants it; CSV keeps every digit, and the sd in its own column.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linkgram.evaluation.result import write_whole
from linkgram.evaluation.study_result import central
from linkgram.studies.tables import Table

NOTHING = "-"
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def write_tables(tables: Sequence[Table], directory: str | os.PathLike[str]) -> list[Path]:
    """Write every table in the three forms; files that would not change are left alone."""
    written = []
    for table in tables:
        for suffix, text in (
            ("md", markdown(table)), ("tex", latex(table)), ("csv", comma_separated(table)),
        ):  # fmt: skip
            path = Path(directory) / f"{table.name}.{suffix}"
            if not path.exists() or path.read_text(encoding="utf-8") != text + "\n":
                written.append(write_whole(path, text))
    return written


def markdown(table: Table) -> str:
    r"""The table in Markdown.

    >>> print(markdown(Table("t", "Scores.", ("data", "MRR"), [["a|b", {"mean": 1.0, "sd": 0.5}]])))
    Scores.
    <BLANKLINE>
    | data | MRR |
    | --- | ---: |
    | a\|b | 1.00 ± 0.50 |
    """
    rule = ["---:" if right else "---" for right in _numeric(table)]
    lines = [table.caption, "", _line(map(_escaped, table.header)), _line(rule)]
    for row in table.rows:
        best = _best(table, row)
        cells = [_escaped(_shown(value, table.decimals)) for value in row]
        if best is not None:
            cells[best] = f"**{cells[best]}**"
        lines.append(_line(cells))
    return "\n".join(lines)


def latex(table: Table) -> str:
    r"""The table in LaTeX; it needs `\usepackage{booktabs}`.

    >>> print(latex(Table("t", "Scores (%).", ("data", "MRR"), [["a_b", 2.0]])))
    % Scores (%).
    \begin{tabular}{lr}
    \toprule
    data & MRR \\
    \midrule
    a\_b & 2.00 \\
    \bottomrule
    \end{tabular}
    """
    align = "".join("r" if right else "l" for right in _numeric(table))
    lines = [f"% {' '.join(table.caption.split())}", rf"\begin{{tabular}}{{{align}}}", r"\toprule"]
    lines += [" & ".join(map(_in_latex, table.header)) + r" \\", r"\midrule"]
    for row in table.rows:
        best = _best(table, row)
        cells = [_latex_cell(value, table.decimals, at == best) for at, value in enumerate(row)]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def comma_separated(table: Table) -> str:
    """The table as CSV; a column with seeds is followed by one with their sd.

    >>> mrr = {"mean": 1.0, "sd": None}
    >>> print(comma_separated(Table("t", "", ("data", "MRR"), [["a,b", mrr]])))
    data,MRR,MRR sd
    "a,b",1.0,
    """
    spread = [any(isinstance(row[at], Mapping) for row in table.rows) for at in _places(table)]
    header: list[str] = []
    for name, seeds in zip(table.header, spread, strict=True):
        header += [name, f"{name} sd"] if seeds else [name]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in table.rows:
        cells: list[Any] = []
        for value, seeds in zip(row, spread, strict=True):
            sd = value["sd"] if isinstance(value, Mapping) else None
            mean = value["mean"] if isinstance(value, Mapping) else value
            cells += [mean, sd] if seeds else [mean]
        writer.writerow(cells)
    return out.getvalue().rstrip("\n")


def _places(table: Table) -> range:
    return range(len(table.header))


def _numeric(table: Table) -> list[bool]:
    """Which columns hold numbers."""
    return [
        any(central(row[at]) is not None for row in table.rows) if table.rows else False
        for at in _places(table)
    ]


def _best(table: Table, row: Sequence[Any]) -> int | None:
    """Where the largest of the marked columns is, in a row of ours."""
    marked = [table.header.index(name) for name in table.bold]
    scores = {at: central(row[at]) for at in marked}
    known = {at: score for at, score in scores.items() if score is not None}
    return max(known, key=known.__getitem__) if known and "here" in row else None


def _shown(value: Any, decimals: int) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        mean = f"{value['mean']:.{decimals}f}"
        return mean if value["sd"] is None else f"{mean} ± {value['sd']:.{decimals}f}"
    if isinstance(value, (bool, str)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{decimals}f}"


def _latex_cell(value: Any, decimals: int, best: bool) -> str:
    if isinstance(value, Mapping):
        mean = f"{value['mean']:.{decimals}f}"
        spread = "" if value["sd"] is None else rf"\,{{\scriptsize$\pm${value['sd']:.{decimals}f}}}"
        return (rf"\textbf{{{mean}}}" if best else mean) + spread
    text = _in_latex(_shown(value, decimals))
    return rf"\textbf{{{text}}}" if best else text


def _in_latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text.replace("\n", " "))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", r"\|").replace("\n", " ")


def _line(cells: Any) -> str:
    return "| " + " | ".join(cells) + " |"
