"""Backoff: what changing marginal to continuation does, on a split scale."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from linkgram.report import findings
from linkgram.report.figures.bars import SEED_KEY, shortened
from linkgram.report.figures.style import INK, WIDTH, colour_of_sign, head, sheet, signed_axis
from linkgram.report.shelf import Cell, Shelf, cell
from linkgram.report.words import measured, number

LARGE = 3


def draw(shelf: Shelf) -> Figure | None:
    """Bars of paired differences; the three largest apart where they would flatten the rest."""
    changes = [
        (study.name, found)
        for study in shelf.all("backoff")
        for row in study.rows
        if (found := cell(study, row, "difference")) is not None
    ]
    if not changes:
        return None
    changes.sort(key=lambda one: -abs(one[1].mean))
    panels = [changes[:LARGE], changes[LARGE:]] if _splits(changes) else [changes]
    for panel in panels:
        panel.sort(key=lambda one: -one[1].mean)
    width = max(4.6, min(WIDTH, 1.6 + 0.5 * len(changes)))
    figure = sheet(2.4, width)
    axes = figure.subplots(
        1, len(panels), squeeze=False, width_ratios=[max(len(panel), 2) for panel in panels]
    )[0]
    for letter, panel, one in zip("ab", panels, axes, strict=False):
        _panel(one, panel)
        if len(panels) > 1:
            one.set_title(f"({letter}) " + ("largest changes" if letter == "a" else "expanded"))
    axes[0].set_ylabel("change in test MRR, points")
    return head(
        figure,
        findings.backoff(changes),
        "Continuation minus marginal backoff, reference configuration, paired by seed. "
        f"{SEED_KEY} {measured(*shelf.all('backoff'))}",
    )


def _splits(changes: list[tuple[str, Cell]]) -> bool:
    """Whether the largest changes would flatten the others on one scale."""
    if len(changes) <= LARGE + 1:
        return False
    return abs(changes[0][1].mean) > 2 * abs(changes[LARGE][1].mean)


def _panel(axes: Axes, panel: list[tuple[str, Cell]]) -> None:
    signed_axis(axes, "", along="y")
    for place, (_, found) in enumerate(panel):
        axes.bar(place, found.mean, 0.6, color=colour_of_sign(found.mean), alpha=0.85)
        ends = [found.mean, *found.values]
        if found.sd is not None:
            ends += [found.mean - found.sd, found.mean + found.sd]
            axes.errorbar(place, found.mean, yerr=found.sd, color=INK, linewidth=0.9, capsize=2.5)
        axes.plot([place] * len(found.values), found.values, "o", markersize=2.6, color=INK,
                  markeredgecolor="white", markeredgewidth=0.4)  # fmt: skip
        up = found.mean >= 0
        axes.annotate(
            number(found.mean, signed=True), (place, max(ends) if up else min(ends)),
            (0, 3 if up else -3), textcoords="offset points", ha="center",
            va="bottom" if up else "top", fontsize=7,
        )  # fmt: skip
    slant = len(panel) > 2
    axes.set_xticks(
        range(len(panel)), [shortened(name) for name, _ in panel],
        rotation=35 if slant else 0, ha="right" if slant else "center", rotation_mode="anchor",
    )  # fmt: skip
    axes.set_xlim(-0.7, max(len(panel), 2) - 0.3)
    axes.margins(y=0.16)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelcolor=INK, labelsize=8)
