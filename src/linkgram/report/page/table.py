"""Tables that can be read aloud, sorted, and scrolled on a narrow screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkgram.report.page.html import Html, tag


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell: what is shown, and the number or text by which it is sorted."""

    shown: object
    key: float | str | None = None


def table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    numeric: Sequence[int] = (),
    marked: Sequence[int] = (),
) -> Html:
    """A table whose columns can be sorted; `numeric` columns stand right, `marked` rows stand out.

    >>> table("T", ["a"], [["<x>"]]).count("&lt;x&gt;")
    1
    """
    head = [
        tag("th", tag("button", name, type="button"), scope="col", class_=_side(place, numeric))
        for place, name in enumerate(heads)
    ]
    body = [
        tag(
            "tr",
            *(_cell(place, entry, numeric) for place, entry in enumerate(row)),
            class_="marked" if at in marked else None,
        )
        for at, row in enumerate(rows)
    ]
    inside = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *body),
        class_="sortable",
    )
    return tag("div", inside, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _cell(place: int, entry: object, numeric: Sequence[int]) -> Html:
    found = entry if isinstance(entry, Entry) else Entry(entry)
    key = None if found.key is None else str(found.key)
    if place == 0:
        return tag("th", found.shown, scope="row", data_key=key)
    return tag("td", found.shown, class_=_side(place, numeric), data_key=key)


def _side(place: int, numeric: Sequence[int]) -> str | None:
    return "number" if place in numeric else None
