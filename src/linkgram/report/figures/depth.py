"""Depth: how the score changes as more of a source's past destinations are read."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import shortened
from linkgram.report.figures.style import CYCLE, MUTED, head, sheet, signed_axis
from linkgram.report.groups import grouped
from linkgram.report.shelf import Cell, Shelf, cell, needed
from linkgram.report.words import measured


def draw(shelf: Shelf) -> Figure | None:
    """A panel a benchmark, a line a data set, named at its end."""
    studies = [study for study in shelf.all("depth") if len(study.rows) > 1]
    if not studies:
        return None
    groups = grouped(studies)
    figure = sheet(2.3, max(4.6, 2.2 + 2.1 * len(groups)))
    axes = figure.subplots(1, len(groups), squeeze=False)[0]
    for (name, group), one in zip(groups, axes, strict=True):
        _panel(one, group)
        one.set_title(name if len(groups) > 1 else "")
    axes[0].set_ylabel("change in test MRR\nfrom K = 1, points")
    return head(
        figure,
        findings.depths(studies),
        "Marginal backoff, reference configuration fitted at each depth K, paired by seed; bands: "
        f"one sample standard deviation; dotted: K = 5. {measured(*studies)}",
    )


def _panel(axes: Axes, group: Sequence[StudyResult]) -> None:
    signed_axis(axes, "", along="y")
    axes.axvline(5, color=MUTED, linewidth=0.8, linestyle=":")
    ends = []
    for place, study in enumerate(group):
        colour = CYCLE[place % len(CYCLE)]
        points = line_of(study)
        depths = [k for k, _ in points]
        means = [found.mean for _, found in points]
        sds = [found.sd or 0.0 for _, found in points]
        axes.plot(depths, means, color=colour, linestyle="-" if place < len(CYCLE) else "--")
        axes.fill_between(
            depths,
            [mean - sd for mean, sd in zip(means, sds, strict=True)],
            [mean + sd for mean, sd in zip(means, sds, strict=True)],
            color=colour, alpha=0.15, linewidth=0,
        )  # fmt: skip
        ends.append((means[-1], depths[-1], shortened(study.name), colour))
    axes.set_xlabel("depth K")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.tick_params(length=0)
    _name_ends(axes, ends)


def line_of(study: StudyResult) -> list[tuple[float, Cell]]:
    """Depths and changes of one data set, in the order of depth."""
    points = [
        (needed(study, row, "depth").mean, found)
        for row in study.rows
        if (found := cell(study, row, "change")) is not None
    ]
    return sorted(points, key=lambda point: point[0])


def _name_ends(axes: Axes, ends: list[tuple[float, float, str, str]]) -> None:
    """Name each line at its end; names that would overlap are moved apart."""
    bottom, top = axes.get_ylim()
    room = (top - bottom) * 0.062
    ends.sort()
    places: list[float] = []
    for end, *_ in ends:
        places.append(max(end, places[-1] + room) if places else end)
    surplus = max(0.0, places[-1] - (top - room / 2))
    for place, (end, depth, name, colour) in zip(places, ends, strict=True):
        axes.annotate(
            name, (depth, end), (depth * 1.04 + 0.4, place - surplus), color=colour, fontsize=7.5,
            va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.4, "alpha": 0.5},
        )  # fmt: skip
