"""Tables with headings, notes and marks on the terminal, as wide as it allows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from linkgram.cli.show import console_for_output
from linkgram.evaluation.table import Cell, one_line
from linkgram.evaluation.table import Table as TextTable


def show_tables(tables: Sequence[TextTable]) -> None:
    """Tables with their notes; a note that stood below an earlier table is not repeated.

    The first note, the rules of the scores, stands below every table.
    """
    console = console_for_output()
    shown: set[str] = set()
    for at, given in enumerate(tables):
        if at:
            console.print()
        console.print(given.title, style="bold", highlight=False)
        left_out: list[str] = []
        table = _terminal_table(given, left_out)
        for column in given.columns:
            wanted = console.measure(table, options=console.options.update(width=10_000)).maximum
            if column.optional and wanted > console.width:
                left_out.append(column.name)
                table = _terminal_table(given, left_out)
        console.print(table)
        notes = [*given.notes[:1], *(note for note in given.notes[1:] if note not in shown)]
        if left_out:
            notes.append(f"not shown for want of width: {', '.join(left_out)}")
        for note in notes:
            console.print(one_line(note), style="dim", highlight=False)
        shown.update(given.notes)


def _terminal_table(given: TextTable, left_out: Sequence[str]) -> Table:
    kept = [at for at, column in enumerate(given.columns) if column.name not in left_out]
    table = Table(box=None, pad_edge=False, header_style="bold")
    group = ""
    for column in (given.columns[at] for at in kept):
        # A heading that several columns share stands above the first of them.
        above = column.group.replace(", ", "\n") if column.group != group else ""
        group = column.group
        heading = f"{above}\n{column.name}" if above else column.name
        table.add_column(heading, justify="right" if column.right else "left")
    for row in given.rows:
        table.add_row(*(_cell(row[at]) for at in kept))
    return table


def _cell(cell: Cell) -> Text:
    if isinstance(cell, str):
        return Text(one_line(cell))
    return Text(cell.text, style="bold" if cell.bold else "")
