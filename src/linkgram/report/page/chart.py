"""Charts: Vega-Lite specifications whose colours are the page's own, so dark mode is one CSS rule.

Rows hold plain numbers and texts under fixed field names; nothing out of a data set is ever part of
an expression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkgram.report.page.html import Html, tag

Row = Mapping[str, Any]
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
COLOURS = ("blue", "vermillion", "green", "purple", "sky", "orange", "grey")


def colour(name: str) -> str:
    """A colour of the page's palette, as charts and styles name it.

    >>> colour("blue")
    'var(--blue)'
    """
    return f"var(--{name})"


CONFIG: Mapping[str, Any] = {
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    # Each chart says in words what it shows, and has its numbers in a table; a reader of screens
    # need not walk through every mark as well.
    "mark": {"aria": False},
    "bar": {"cornerRadius": 1.5},
    "axis": {
        "labelColor": colour("muted"), "titleColor": colour("muted"), "titleFontWeight": "normal",
        "gridColor": colour("line"), "domain": False, "ticks": False, "labelFontSize": 12,
        "titleFontSize": 12, "labelPadding": 6, "labelOverlap": True, "titlePadding": 8,
        "labelLimit": 150,
    },
    "axisX": {"labelFlush": False, "labelSeparation": 6},
    "axisXQuantitative": {"tickCount": 6},
    "axisYQuantitative": {"tickCount": 5},
    "axisY": {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleX": 0,
              "titleY": -14, "titleBaseline": "bottom"},
    "text": {"color": colour("ink"), "fontSize": 12},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of the page.

    Attributes:
        title: the finding, or the measure.
        says: what is drawn, for those who cannot see it.
        spec: a Vega-Lite specification without size and style.
        note: how it was measured.
        details: the same numbers as a table.
        key: what its colours mean: a legend of the page's own, which wraps on a narrow screen.
        height: in pixels.
    """

    title: str
    says: str
    spec: Mapping[str, Any]
    note: str = ""
    details: Html | None = None
    height: int = 220
    key: Mapping[str, str] | None = None


class Charts:
    """The charts of a page, in the order in which they were placed."""

    def __init__(self) -> None:
        self.specs: list[Mapping[str, Any]] = []

    def place(self, chart: Chart) -> Html:
        """The figure of a chart; the script draws it into the empty element."""
        number = len(self.specs)
        self.specs.append(
            {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "width": "container",
             "autosize": {"type": "fit-x", "contains": "padding"},
             "height": chart.height, "description": f"{chart.title}. {chart.says}"[:1000],
             **chart.spec}
        )  # fmt: skip
        details = chart.details and tag("details", tag("summary", "The numbers"), chart.details)
        return tag(
            "figure",
            tag("figcaption", chart.title, class_="finding"),
            _key(chart.key) if chart.key else None,
            tag("div", class_="chart", id=f"chart-{number}", role="img", aria_label=chart.says),
            tag("p", chart.note, class_="note") if chart.note else None,
            details,
        )


def axis(field: str, title: str, **more: Any) -> dict[str, Any]:
    """A quantitative channel. Layers that share it need one title: one without would erase it.

    >>> axis("mrr", "MRR, %")["type"]
    'quantitative'
    """
    return {"field": field, "type": "quantitative", "title": title, **more}


def names(field: str, order: Sequence[str], **more: Any) -> dict[str, Any]:
    """A channel of names in the given order.

    The order is the scale's domain. As a `sort` it would become part of an expression.
    """
    scale = {"domain": list(dict.fromkeys(order))}
    return {"field": field, "type": "nominal", "sort": None, "title": None, "scale": scale, **more}


def paint(field: str, colours: Mapping[str, str]) -> dict[str, Any]:
    """A channel that colours names; the chart's `key` says which is which."""
    return {
        "field": field, "type": "nominal", "legend": None,
        "scale": {"domain": list(colours), "range": [colour(name) for name in colours.values()]},
    }  # fmt: skip


def room_for_label(pixels: int) -> dict[str, Any]:
    """A scale from zero that leaves room for a label beside the largest value."""
    return {"zero": True, "range": [0, {"expr": f"width - {pixels:d}"}]}


# Ticks of differences: a sign before all but zero.
SIGNED: Mapping[str, Any] = {"format": "+~g", "labelExpr": "datum.value == 0 ? '0' : datum.label"}


def hover(*fields: tuple[str, str]) -> list[dict[str, str]]:
    """What is shown over a mark: (field, its title)."""
    return [{"field": field, "title": title} for field, title in fields]


def zero(channel: str = "x") -> dict[str, Any]:
    """A line at zero, to stand below the marks."""
    return {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "color": colour("muted"), "strokeWidth": 1},
        "encoding": {channel: {"datum": 0}},
    }


def _key(colours: Mapping[str, str]) -> Html:
    items = [
        tag("li", tag("span", class_="swatch", style=f"background: {colour(shade)}"), name)
        for name, shade in colours.items()
    ]
    return tag("ul", *items, class_="key", aria_label="colours")
