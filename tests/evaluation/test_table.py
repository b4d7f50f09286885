"""Tables read back from Markdown and LaTeX as what was put in, whatever the names are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkgram.evaluation.table import Column, Score, Table, latex, one_line, with_highest_bold

COLUMNS = (Column("set", right=False), Column("first", "both"), Column("second", "both"))
ODD = [
    "a_b",
    "50 %",
    "a & b",
    "{x}",
    "$1",
    "#1",
    "back\\slash",
    "x~y^z",
    "a|b",
    "LR>LP",
    "<i>",
    "*bold*",
    "[link](x)",
    "`code`",
    "two\nlines",
    "tab\there",
    "é ü 漢",
    "±",
    "-0.5",
    "",
]
NAMES = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\textquotedbl{}": '"',
    r"$\pm$": "±", "$-$": "-",
}  # fmt: skip


def unlatex(text):
    """What LaTeX prints for text without further commands; refuses what it would choke on."""
    found, at = "", 0
    while at < len(text):
        for name, sign in NAMES.items():
            if text.startswith(name, at):
                found, at = found + sign, at + len(name)
                break
        else:
            if text[at] == "\\":
                assert text[at + 1] in "&%$#_{}", text[at:]
                at += 1
            else:
                assert text[at] not in "&%$#_{}~^", text[at:]
            found, at = found + text[at], at + 1
    return found


def cells_of_markdown(line):
    assert line.startswith("| ")
    assert line.endswith(" |")
    parts = re.split(r"(?<!\\) \| ", line[2:-2])
    return [re.sub(r"\\([\\`*_\[\]<>|#~$&])", r"\1", part) for part in parts]


def cells_of_latex(line):
    return [part.strip() for part in re.split(r"(?<!\\)&", line.removesuffix("\\\\"))]


@pytest.mark.parametrize("text", ODD)
def test_odd_names_come_back(text):
    table = Table(text, COLUMNS, ((text, Score(1.0), text),), (text,))
    (row,) = table.to_markdown().splitlines()[4:5]
    assert cells_of_markdown(row) == [one_line(text), "1.00", one_line(text)]
    body = table.to_latex().split("\\midrule\n")[1].split("\n\\bottomrule")[0]
    first, number, last = cells_of_latex(body)
    assert (unlatex(first), number, unlatex(last)) == (one_line(text), "1.00", one_line(text))


@given(st.text())
def test_any_text_comes_back_from_latex(text):
    assert unlatex(latex(text)) == one_line(text)
    assert "\n" not in latex(text)


def test_latex_has_booktabs_rules_and_headings_over_their_columns():
    rows = (("a", Score(1.0, 0.25, bold=True), Score(-2.0)), ("b", "", Score(0.5, signed=True)))
    text = Table("Title", COLUMNS, rows, ("one note", "another."), frozenset({0, 1})).to_latex()
    assert text.splitlines() == [
        r"\begin{table}[!htbp]",
        r"\centering",
        r"\caption{Title. One note. Another.}",
        r"\footnotesize\setlength{\tabcolsep}{3pt}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r" & \multicolumn{2}{c}{both} \\",
        r"\cmidrule(lr){2-3}",
        r"set & first & second \\",
        r"\midrule",
        r"a & \textbf{1.00}\,{\scriptsize$\pm$0.25} & $-$2.00 \\",
        r"\addlinespace[3pt]",
        r"b &  & $+$0.50 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_columns_without_a_shared_heading_have_one_line_of_headings():
    text = Table("t", (Column("a"), Column("b")), ()).to_latex()
    assert "multicolumn" not in text
    assert "a & b \\\\" in text


def test_markdown_says_title_rows_and_notes():
    table = Table("t", COLUMNS, (("x", Score(1.0, 0.5, bold=True), Score(2.0)),), ("n",))
    assert table.to_markdown().splitlines() == [
        "**t**",
        "",
        "| set | both first | both second |",
        "| :-- | --: | --: |",
        "| x | **1.00** ± 0.50 | 2.00 |",
        "",
        "- n",
    ]


@pytest.mark.parametrize(
    ("value", "signed", "text"),
    [(0.0, True, "0.00"), (-0.004, False, "0.00"), (-0.004, True, "0.00"), (0.006, True, "+0.01"),
     (-0.006, True, "-0.01"), (100.0, False, "100.00")],
)  # fmt: skip
def test_what_rounds_to_nothing_has_no_sign(value, signed, text):
    assert Score(value, signed=signed).text == text


def test_the_highest_is_bold_and_what_prints_alike_too():
    row = with_highest_bold(("name", Score(1.001), "", Score(1.004, 0.1), Score(0.99)))
    assert [cell.bold for cell in row if isinstance(cell, Score)] == [True, True, False]
    assert row[0] == "name"
    assert with_highest_bold(("a", "")) == ("a", "")
    assert with_highest_bold((Score(-2.0), Score(-1.0)))[1].bold
