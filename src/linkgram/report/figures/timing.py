"""Timing: the same weights under every update schedule, beside the counting baselines."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import shortened
from linkgram.report.figures.style import BLUE, INK, LINE, MUTED, WIDTH, head, sheet
from linkgram.report.groups import flat
from linkgram.report.shelf import Cell, Shelf, cell, text
from linkgram.report.words import measured

MARKS = {"event-wise": "o", "strict-timestamp": "D"}
OTHER = "s"


def draw(shelf: Shelf) -> Figure | None:
    """A panel a data set, a row a method, a mark a schedule."""
    studies = flat(study for study in shelf.all("timing") if study.rows)
    if not studies:
        return None
    across = min(3, len(studies))
    down = -(-len(studies) // across)
    most = max(len(methods(study)) for study in studies)
    figure = sheet(0.3 + down * (0.5 + 0.21 * most), 4.6 if across == 1 else WIDTH)
    grid = figure.subplots(down, across, squeeze=False, sharex=True)
    for one, study in zip(grid.flat, studies, strict=False):
        _panel(one, study)
    for one in list(grid.flat)[len(studies) :]:
        one.set_axis_off()
    for one in grid[-1]:
        one.set_xlabel("test MRR, %")
    schedules = list(dict.fromkeys(name for study in studies for _, name, _ in scores(study)))
    key = "; ".join(f"{_sign(name)} {name}" for name in schedules)
    return head(
        figure,
        findings.timing(losses(studies)),
        f"{key}. Weights, settings and candidates are the same under all schedules; linkgram in "
        f"blue. {measured(*studies)}",
    )


def scores(study: StudyResult) -> list[tuple[str, str, Cell]]:
    """(method, schedule, score) of every row that has a score."""
    return [
        (text(row, "method"), text(row, "schedule"), found)
        for row in study.rows
        if (found := cell(study, row, "mrr")) is not None
    ]


def methods(study: StudyResult) -> list[str]:
    """The methods, in the order of the table."""
    return list(dict.fromkeys(method for method, _, _ in scores(study)))


def losses(studies: Sequence[StudyResult]) -> list[tuple[str, str, Cell]]:
    """(data set, schedule, change from event-wise) of our rows."""
    return [
        (study.name, text(row, "schedule"), found)
        for study in studies
        for row in study.rows
        if text(row, "kind") == "ours" and (found := cell(study, row, "change")) is not None
    ]


def _sign(schedule: str) -> str:
    return {"o": "\N{BLACK CIRCLE}", "D": "\N{BLACK DIAMOND}"}.get(
        MARKS.get(schedule, OTHER), "\N{BLACK SQUARE}"
    )


def _panel(axes: Axes, study: StudyResult) -> None:
    names = methods(study)
    ours = {text(row, "method") for row in study.rows if text(row, "kind") == "ours"}
    for row, name in enumerate(names):
        found = [(schedule, score) for method, schedule, score in scores(study) if method == name]
        means = [score.mean for _, score in found]
        colour = BLUE if name in ours else MUTED
        axes.plot([min(means), max(means)], [row, row], color=colour, linewidth=1, alpha=0.5)
        for schedule, score in found:
            axes.plot(score.mean, row, MARKS.get(schedule, OTHER), color=colour, markersize=4.2,
                      markeredgecolor="white", markeredgewidth=0.5)  # fmt: skip
    axes.set_yticks(range(len(names)), [shortened(name) for name in names])
    for label, name in zip(axes.get_yticklabels(), names, strict=True):
        label.set_color(BLUE if name in ours else INK)
        label.set_fontweight("bold" if name in ours else "normal")
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.margins(x=0.05)
    axes.grid(visible=True, axis="x", color=LINE, linewidth=0.5)
    axes.set_title(shortened(study.name))
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
