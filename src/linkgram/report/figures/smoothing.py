"""Smoothing: what a smaller and a larger alpha do to the score."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import SEED_KEY, Panel, bar_sheet
from linkgram.report.figures.style import head
from linkgram.report.groups import flat
from linkgram.report.shelf import Cell, Shelf, cell, needed
from linkgram.report.words import measured

USUAL = 1.0


def draw(shelf: Shelf) -> Figure | None:
    """A panel an alpha other than 1, a row a data set."""
    studies = flat(study for study in shelf.all("smoothing") if study.rows)
    alphas = sorted({alpha for study in studies for alpha in by_alpha(study)} - {USUAL})
    if not alphas:
        return None
    panels = [_panel(studies, alpha) for alpha in alphas[:6]]
    found = [bar.mean for panel in panels for row in panel.bars for _, bar in row if bar]
    return head(
        bar_sheet(studies, panels, "change in MRR, points"),
        findings.smoothing(found),
        "Change in test MRR from alpha = 1, marginal backoff, reference configuration, paired by "
        f"seed. Blue: increases; vermillion: decreases. {SEED_KEY} "
        f"Panels have their own scales. {measured(*studies)}",
    )


def by_alpha(study: StudyResult) -> dict[float, Cell]:
    """The change from alpha = 1, by alpha."""
    return {
        needed(study, row, "alpha").mean: found
        for row in study.rows
        if (found := cell(study, row, "change")) is not None
    }


def _panel(studies: Sequence[StudyResult], alpha: float) -> Panel:
    bars = [[("marginal", by_alpha(study).get(alpha))] for study in studies]
    return Panel(f"alpha = {alpha:g}", bars)
