"""Weights: what the fitted rule adds and subtracts, by data set; transitions by their position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import (
    BACKOFF_KEY,
    BACKOFFS,
    SEED_KEY,
    Panel,
    bar_sheet,
    draw_panel,
    name_rows,
    rows_height,
)
from linkgram.report.figures.style import BLUE, INK, TITLE_PAD, VERMILLION, head, sheet
from linkgram.report.groups import flat
from linkgram.report.shelf import Cell, Shelf, cell, text
from linkgram.report.words import feature, measured, number

MOST = 10.0
SCALARS = ("popularity", "source_history", "source_recency")
ADDED = (
    ("co-occurrence", "co_occurrence"),
    ("global-recency", "global_recency"),
    ("multi-scale", "source_recency_slow"),
    ("multi-scale", "source_recency_fast"),
)
_DIVERGING = LinearSegmentedColormap.from_list("weights", [VERMILLION, "#ffffff", BLUE])


def draw(shelf: Shelf) -> Figure | None:
    """Bars of the reference configuration's weights, and a heat map of the transition weights."""
    studies = flat(study for study in shelf.all("weights") if study.rows)
    if not studies:
        return None
    panels = [_panel(studies, "reference", name) for name in SCALARS]
    figure = sheet(0.75 + rows_height(studies, panels))
    grid = figure.add_gridspec(1, 4, width_ratios=[1, 1, 1, 2.6])
    first = figure.add_subplot(grid[0])
    axes = [first, *(figure.add_subplot(grid[place], sharey=first) for place in (1, 2))]
    for place, (panel, one) in enumerate(zip(panels, axes, strict=True)):
        draw_panel(one, studies, panel, "weight")
        name_rows(one, studies if place == 0 else None)
    _heat(figure.add_subplot(grid[3]), studies)
    return head(
        figure,
        findings.weights([(study.name, positions(study, "marginal")) for study in studies]),
        f"Mean fitted weights of the reference configuration{_seeds(panels)}. {BACKOFF_KEY} "
        f"{SEED_KEY} Weights beyond ±10 are clipped and printed. Features differ in scale: compare "
        "sizes only within the transitions. "
        f"Fitted on training events. {measured(*studies)}",
    )


def draw_added(shelf: Shelf) -> Figure | None:
    """Bars of the weights of co-occurrence and recency where each is added to the reference."""
    studies = flat(study for study in shelf.all("weights") if study.rows)
    panels = [_panel(studies, features, name) for features, name in ADDED]
    if not any(found for panel in panels for row in panel.bars for _, found in row):
        return None
    return head(
        bar_sheet(studies, panels, "weight"),
        "Weights of the features added to the reference configuration",
        f"Mean fitted weights, each addition alone{_seeds(panels)}. {BACKOFF_KEY} {SEED_KEY} "
        f"Weights beyond ±10 are clipped and printed. {measured(*studies)}",
    )


def _seeds(panels: Sequence[Panel]) -> str:
    counts = {len(found.values) for panel in panels for row in panel.bars for _, found in row
              if found is not None and found.values}  # fmt: skip
    return f" over {' or '.join(map(str, sorted(counts)))} seeds" if counts else ""


def weight(study: StudyResult, backoff: str, features: str, name: str) -> Cell | None:
    """A fitted weight, if the study has it."""
    for row in study.rows:
        found = (text(row, "backoff"), text(row, "features"), text(row, "feature"))
        if found == (backoff, features, name):
            return cell(study, row, "weight")
    return None


def positions(study: StudyResult, backoff: str) -> list[tuple[int, float]]:
    """Position and mean weight of the reference configuration's transitions."""
    found = []
    for row in study.rows:
        place, value = cell(study, row, "position"), cell(study, row, "weight")
        if place is None or value is None:
            continue
        if (text(row, "backoff"), text(row, "features")) == (backoff, "reference"):
            found.append((round(place.mean), value.mean))
    return sorted(found)


def _panel(studies: Sequence[StudyResult], features: str, name: str) -> Panel:
    bars = [
        [(backoff, weight(study, backoff, features, name)) for backoff in BACKOFFS]
        for study in studies
    ]
    return Panel(feature(name), bars, MOST)


def _heat(axes: Axes, studies: Sequence[StudyResult]) -> None:
    """Transition weights by position: rows are data sets, one block of columns a backoff."""
    found = [[dict(positions(study, backoff)) for backoff in BACKOFFS] for study in studies]
    deepest = max((max(block, default=0) for row in found for block in row), default=0)
    if not deepest:
        axes.set_axis_off()
        return
    width = 2 * deepest + 1
    values = np.full((len(studies), width), np.nan)
    for row, blocks in enumerate(found):
        for block, by_position in enumerate(blocks):
            for place, value in by_position.items():
                values[row, block * (deepest + 1) + place - 1] = value
    most = float(np.nanmax(np.abs(values))) or 1.0
    edges = np.arange(width + 1) - 0.5, np.arange(len(studies) + 1) - 0.5
    axes.pcolormesh(*edges, np.ma.masked_invalid(values), cmap=_DIVERGING, vmin=-most, vmax=most)
    axes.set_ylim(len(studies) - 0.5, -0.5)
    if deepest <= 6:
        for (row, place), value in np.ndenumerate(values):
            if np.isfinite(value):
                strong = abs(value) > 0.6 * most
                axes.text(place, row, number(value), ha="center", va="center", fontsize=5.5,
                          color="white" if strong else INK)  # fmt: skip
    marks = [*range(deepest), *range(deepest + 1, width)]
    axes.set_xticks(marks, [str(mark % (deepest + 1) + 1) for mark in marks])
    axes.set_yticks([])
    axes.set_xlabel("history position, 1 = most recent")
    for block, backoff in enumerate(BACKOFFS):
        title = f"transitions, {backoff}" if block == 0 else backoff
        axes.annotate(title, (block * (deepest + 1) - 0.5, 1), (0, TITLE_PAD),
                      xycoords=("data", "axes fraction"), textcoords="offset points",
                      fontweight="bold", va="baseline", annotation_clip=False)  # fmt: skip
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
