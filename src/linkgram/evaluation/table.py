"""Table: what a person reads, as text for a paper (LaTeX), a page (Markdown) or the terminal.

A cell is text or a `Score`. Captions and notes belong to the table: a score without its schedule
and candidates says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

SIGN = {True: "+", False: ""}
LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "±": r"$\pm$",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}  # fmt: skip
MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~$&])")


@dataclass(frozen=True, slots=True)
class Score:
    """A number that is shown with two decimals, perhaps with a deviation or a sign.

    >>> Score(82.7).text, Score(82.84, 0.04).text, Score(-0.001, signed=True).text
    ('82.70', '82.84 ± 0.04', '0.00')
    """

    value: float
    sd: float | None = None
    bold: bool = False
    signed: bool = False

    @property
    def mean(self) -> str:
        """The number alone. What rounds to nothing has no sign."""
        text = f"{self.value:{SIGN[self.signed]}.2f}"
        return text.lstrip("+-") if float(text) == 0 else text

    @property
    def text(self) -> str:
        """The number and its deviation, as plain text."""
        return self.mean if self.sd is None else f"{self.mean} ± {self.sd:.2f}"


Cell = str | Score


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, the heading it shares with its neighbours, and its side.

    An optional one may be left out where there is no room for all. LaTeX breaks the lines of one
    that `wraps` at that share of the page's width.
    """

    name: str
    group: str = ""
    right: bool = True
    optional: bool = False
    wraps: float = 0.0

    @property
    def heading(self) -> str:
        """Both headings on one line."""
        return f"{self.group} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns, rows, and the notes without which it could be misread.

    A row after which `gaps` names its place is followed by a little space.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    gaps: frozenset[int] = frozenset()

    def to_markdown(self) -> str:
        r"""A pipe table under its title, with its notes below.

        >>> table = Table("Scores", (Column("set", right=False), Column("MRR")),
        ...               (("a|b", Score(50, bold=True)),))
        >>> print(table.to_markdown())
        **Scores**
        <BLANKLINE>
        | set | MRR |
        | :-- | --: |
        | a\|b | **50.00** |
        """
        lines = [
            f"**{_markdown(self.title)}**",
            "",
            _pipes(_markdown(column.heading) for column in self.columns),
            _pipes("--:" if column.right else ":--" for column in self.columns),
            *(_pipes(map(_markdown_cell, row)) for row in self.rows),
        ]
        if self.notes:
            lines += ["", *(f"- {_markdown(note)}" for note in self.notes)]
        return "\n".join(lines)

    def to_latex(self) -> str:
        """A floating table for `booktabs`, with title and notes as its caption."""
        sides = "".join(map(_side, self.columns))
        notes = (note[:1].upper() + note[1:] for note in self.notes)
        caption = " ".join(_sentence(text) for text in (self.title, *notes))
        lines = [
            "\\begin{table}[!htbp]",
            "\\centering",
            f"\\caption{{{caption}}}",
            "\\footnotesize\\setlength{\\tabcolsep}{3pt}",
            f"\\begin{{tabular}}{{{sides}}}",
            "\\toprule",
            *self._groups(),
            _ampersands(latex(column.name) for column in self.columns),
            "\\midrule",
        ]
        for at, row in enumerate(self.rows):
            lines.append(_ampersands(map(_latex_cell, row)))
            if at in self.gaps and at + 1 < len(self.rows):
                lines.append("\\addlinespace[3pt]")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}"])

    def _groups(self) -> Iterator[str]:
        if not any(column.group for column in self.columns):
            return
        cells, rules, first = [], [], 1
        for group, members in groupby(column.group for column in self.columns):
            width = len(list(members))
            if group:
                cells.append(f"\\multicolumn{{{width}}}{{c}}{{{latex(group)}}}")
                rules.append(f"\\cmidrule(lr){{{first}-{first + width - 1}}}")
            else:
                cells += [""] * width
            first += width
        yield _ampersands(cells)
        yield "".join(rules)


def _side(column: Column) -> str:
    if column.wraps:
        return f"p{{{column.wraps:g}\\linewidth}}"
    return "r" if column.right else "l"


def latex(text: str) -> str:
    r"""Text that LaTeX prints as it stands; the sign of a number becomes a minus.

    >>> print(latex("50 % of a_b, LR>LP: -0.5"))
    50 \% of a\_b, LR\textgreater{}LP: $-$0.5
    """
    plain = "".join(LATEX.get(sign, sign) for sign in one_line(text))
    return re.sub(r"(?<![\w$-])-(?=\d)", "$-$", plain)


def one_line(text: str) -> str:
    """The text on one line and without control characters; names are the user's."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def with_highest_bold(row: Sequence[Cell]) -> tuple[Cell, ...]:
    """The row with its highest score marked, and what prints as the same number.

    >>> [cell.bold for cell in with_highest_bold((Score(1.0), Score(2.001), Score(2.004)))]
    [False, True, True]
    """
    highest = max((cell.value for cell in row if isinstance(cell, Score)), default=None)
    return tuple(
        Score(cell.value, cell.sd, bold=True, signed=cell.signed)
        if isinstance(cell, Score) and highest is not None and cell.mean == f"{highest:.2f}"
        else cell
        for cell in row
    )


def _markdown(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", one_line(text))


def _markdown_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return _markdown(cell)
    rest = "" if cell.sd is None else f" ± {cell.sd:.2f}"
    return f"**{cell.mean}**{rest}" if cell.bold else cell.text


def _pipes(cells: Iterator[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _latex_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return latex(cell)
    number = re.sub(r"^([+-])", r"$\1$", cell.mean)
    rest = "" if cell.sd is None else f"\\,{{\\scriptsize$\\pm${cell.sd:.2f}}}"
    return f"\\textbf{{{number}}}{rest}" if cell.bold else f"{number}{rest}"


def _ampersands(cells: Iterator[str] | map[str] | list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _sentence(text: str) -> str:
    return f"{latex(text).rstrip('.')}."
