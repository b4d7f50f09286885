"""Coverage: how often a source's own transition was seen before, against the margin over neural."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import shortened
from linkgram.report.figures.style import BLUE, GREEN, MUTED, VERMILLION, head, sheet, signed_axis
from linkgram.report.groups import BENCHMARKS, benchmark, grouped
from linkgram.report.shelf import Shelf, needed
from linkgram.report.words import measured, number

MARKS = dict(zip(BENCHMARKS, (("o", BLUE), ("s", VERMILLION), ("^", GREEN)), strict=True))


def draw(shelf: Shelf) -> Figure | None:
    """One point a data set that has a published score to compare with."""
    main = {study.name: study for study in shelf.all("main")}
    points = []
    for study in shelf.all("coverage"):
        score = main.get(study.name)
        if score is None or not study.rows:
            continue
        ours, published = findings.chosen(score), findings.reference(score)
        if ours is not None and published is not None:
            share = needed(study, study.rows[0], "pair_coverage").mean
            points.append((share, ours.mean - published[1].mean, study, published[0]))
    if not points:
        return None
    figure = sheet(2.7, 4.6)
    axes = figure.subplots()
    signed_axis(axes, "margin over the best published\nneural score, MRR points", along="y")
    for share, margin, study, _ in points:
        mark, colour = MARKS[benchmark(study)]
        axes.plot(share, margin, mark, color=colour, markersize=5)
    axes.set_xlim(-4, 104)
    axes.margins(y=0.18)
    _name(axes, [(share, margin, _label(study, method, len(points)))
                 for share, margin, study, method in points])  # fmt: skip
    axes.set_xlabel("test queries whose source-specific transition was seen, %")
    axes.tick_params(length=0)
    axes.text(0.99, 0.01, "below: neural ahead", transform=axes.transAxes, ha="right", va="bottom",
              fontsize=6.5, color=MUTED)  # fmt: skip
    ahead = sum(margin > 0 for _, margin, *_ in points)
    title = (
        f"linkgram is ahead of the neural reference on {findings.of_sets(ahead, len(points))}"
        if len(points) > 1
        else f"{number(points[0][1], signed=True)} points against {points[0][3]} at "
        f"{number(points[0][0], 0)} % pair coverage"
    )
    signs = {
        "o": "\N{BLACK CIRCLE}",
        "s": "\N{BLACK SQUARE}",
        "^": "\N{BLACK UP-POINTING TRIANGLE}",
    }
    here = [name for name, _ in grouped(study for _, _, study, _ in points)]
    key = "; ".join(f"{signs[MARKS[name][0]]} {name}" for name in here)
    return head(
        figure,
        title,
        f"{key}. Ours: the backoff that validation chose. Published scores keep their own "
        f"schedules and protocols. {measured(*(main[study.name] for _, _, study, _ in points))}",
    )


def _label(study: StudyResult, method: str, points: int) -> str:
    name = shortened(study.name)
    return name if points > 4 else f"{name} ({method[:20]})"


def _name(axes: Axes, points: list[tuple[float, float, str]]) -> None:
    """Write each name beside its point, at the first place where it hides no other."""
    bottom, top = axes.get_ylim()
    # In shares of the axes: about the size of a character and of a mark at this figure's size.
    wide, high, mark = 0.0155, 0.042, 0.02
    at = [((x + 4) / 108, (y - bottom) / (top - bottom)) for x, y, _ in points]
    taken = [(x - mark / 2, y - mark / 2, x + mark / 2, y + mark / 2) for x, y in at]
    for (x, y), (share, margin, name) in zip(at, points, strict=True):
        width = wide * len(name)
        places = [
            (x + side * mark - (width if side < 0 else 0), y + step * high * 0.9, side)
            for step in (0, 1, -1, 2, -2, 3, -3)
            for side in (1, -1)
        ]
        boxes = [(left, y0 - high / 2, left + width, y0 + high / 2) for left, y0, _ in places]
        free = next((place for place, box in enumerate(boxes) if _is_free(box, taken)), 0)
        taken.append(boxes[free])
        left, height, side = places[free]
        axes.annotate(
            name, (share, margin), (left if side > 0 else left + width, height),
            textcoords="axes fraction", fontsize=7, va="center", ha="left" if side > 0 else "right",
            arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.3, "shrinkB": 3},
        )  # fmt: skip


def _is_free(box: tuple[float, ...], taken: Sequence[tuple[float, ...]]) -> bool:
    inside = box[0] >= 0 and box[2] <= 1.02 and box[1] >= 0 and box[3] <= 1
    return inside and not any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
        for other in taken
    )
