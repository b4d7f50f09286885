"""Horizontal bars, a row a data set and a panel a measure: plain marginal, hatched continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.figures.style import (
    INK,
    LINE,
    colour_of_sign,
    sheet,
    signed_axis,
)
from linkgram.report.groups import dividers
from linkgram.report.shelf import Cell
from linkgram.report.words import number

HATCHES = {"marginal": "", "continuation": "//////"}
BACKOFFS = tuple(HATCHES)
BACKOFF_KEY = (
    "Plain bars: marginal backoff; hatched: continuation. Blue: positive; vermillion: negative."
)
MANY = 5
SEED_KEY = "Dots: single seeds; whiskers: one sample standard deviation."


@dataclass(frozen=True, slots=True)
class Panel:
    """One column of bars.

    Attributes:
        title: the measure.
        bars: by data set (row), the bars of that row from top to bottom, each with its backoff;
            None where there is nothing to draw.
        most: bars longer than this are clipped, and their value printed.
    """

    title: str
    bars: Sequence[Sequence[tuple[str, Cell | None]]]
    most: float | None = None


def shortened(name: str) -> str:
    """A data set's name as far as a figure has room for it.

    >>> shortened("tgbl-uci"), len(shortened("a" * 100))
    ('tgbl-uci', 24)
    """
    line = " ".join(name.split())
    return line if len(line) <= 24 else f"{line[:23]}\N{HORIZONTAL ELLIPSIS}"


def bar_sheet(studies: Sequence[StudyResult], panels: Sequence[Panel], label: str) -> Figure:
    """A figure of bar panels side by side, sharing the rows."""
    figure = sheet(0.65 + rows_height(studies, panels))
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for place, (panel, one) in enumerate(zip(panels, axes, strict=True)):
        draw_panel(one, studies, panel, label)
        name_rows(one, studies if place == 0 else None)
    return figure


def rows_height(studies: Sequence[StudyResult], panels: Sequence[Panel]) -> float:
    """Inches that the rows of a figure need."""
    thickest = max(len(row) for panel in panels for row in panel.bars)
    return max(0.62, len(studies) * (0.13 + 0.13 * thickest))


def draw_panel(axes: Axes, studies: Sequence[StudyResult], panel: Panel, label: str) -> None:
    """Draw one panel: bars from zero, dots for seeds, whiskers for one standard deviation."""
    for row, bars in enumerate(panel.bars):
        height = 0.72 / max(len(bars), 1)
        for place, (backoff, found) in enumerate(bars):
            if found is not None:
                at = row - 0.36 + height * (place + 0.5)
                _bar(axes, at, height, backoff, found, panel.most)
    signed_axis(axes, label)
    axes.set_title(panel.title)
    axes.set_ylim(len(studies) - 0.5, -0.5)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.08)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="both", length=0)
    for border in dividers(studies):
        axes.axhline(border - 0.5, color=LINE, linewidth=0.8)


def name_rows(axes: Axes, studies: Sequence[StudyResult] | None) -> None:
    """Names of the data sets beside the first panel; none beside the others."""
    if studies is None:
        axes.tick_params(axis="y", labelleft=False)
    else:
        axes.set_yticks(range(len(studies)), [shortened(study.name) for study in studies])


def _bar(
    axes: Axes, at: float, height: float, backoff: str, found: Cell, most: float | None
) -> None:
    clipped = most is not None and abs(found.mean) > most
    length = found.mean if most is None else max(-most, min(most, found.mean))
    axes.barh(
        at, length, height * 0.86, color=colour_of_sign(found.mean), hatch=HATCHES.get(backoff),
        edgecolor="white", linewidth=0, alpha=0.85,
    )  # fmt: skip
    if clipped:
        inside = "right" if length > 0 else "left"
        axes.text(length, at, f" {number(found.mean, 1)} ", fontsize=6, va="center", ha=inside,
                  color="white", fontweight="bold")  # fmt: skip
        return
    if found.sd is not None:
        axes.errorbar(
            length, at, xerr=found.sd, color=INK, linewidth=0.8, capsize=1.5, capthick=0.8
        )
    if found.values:
        # Many seeds would hide the whisker that sums them up: smaller, below it.
        many = len(found.values) > MANY
        axes.plot(found.values, [at + (0.22 * height if many else 0)] * len(found.values), "o",
                  markersize=1.3 if many else 2.4, color=INK, alpha=0.6 if many else 1,
                  markeredgecolor="white", markeredgewidth=0 if many else 0.3)  # fmt: skip
