"""Features: what each addition to the reference configuration does to the score."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.figures.bars import BACKOFF_KEY, BACKOFFS, SEED_KEY, Panel, bar_sheet
from linkgram.report.figures.style import head
from linkgram.report.groups import flat
from linkgram.report.shelf import Cell, Shelf, cell, text
from linkgram.report.words import FEATURE_SETS, measured

ADDITIONS = {name: title for name, title in FEATURE_SETS.items() if name != "reference"}


def draw(shelf: Shelf) -> Figure | None:
    """A panel an addition, a row a data set, a bar a backoff."""
    studies = flat(study for study in shelf.all("features") if study.rows)
    if not studies:
        return None
    panels = [
        Panel(
            title,
            [
                [(backoff, change(study, backoff, name)) for backoff in BACKOFFS]
                for study in studies
            ],
        )
        for name, title in ADDITIONS.items()
    ]
    return head(
        bar_sheet(studies, panels, "change in MRR, points"),
        f"{findings.addition(changes(studies, 'marginal'))} (marginal backoff)",
        f"Change in test MRR from the reference configuration, paired by seed. {BACKOFF_KEY} "
        f"{SEED_KEY} Panels have their own scales. {measured(*studies)}",
    )


def change(study: StudyResult, backoff: str, features: str) -> Cell | None:
    """The change from the reference configuration, if the study has it."""
    for row in study.rows:
        if (text(row, "backoff"), text(row, "features")) == (backoff, features):
            return cell(study, row, "change")
    return None


def changes(studies: Sequence[StudyResult], backoff: str) -> list[tuple[str, list[float]]]:
    """By addition, the mean changes over the data sets."""
    return [
        (name, [found.mean for study in studies if (found := change(study, backoff, name))])
        for name in ADDITIONS
    ]
