"""Paper: every study of every data set, then the tables over all of them.

Results are kept as they are made, so whatever was finished before an interruption is found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from linkgram.evaluation.reference import data_sets
from linkgram.evaluation.study_result import StudyResult, studies_in
from linkgram.studies.catalogue import STUDIES, run_study, worked_study
from linkgram.studies.subject import Subject
from linkgram.studies.tables import tables_of, write_tables
from linkgram.studies.worked_example import NAME as WORKED

RESULTS, TABLES, FIGURES = "results", "tables", "figures"
ALL_STUDIES = (WORKED, *STUDIES)
# Told after each study: its result, and whether it had to be made.
Told = Callable[[StudyResult, bool], object]


def run_studies(
    subject: Subject, only: Sequence[str] = (), told: Told | None = None
) -> list[StudyResult]:
    """The studies of one data set, or some of them, in the order of the catalogue."""
    results = []
    for name in STUDIES:
        if only and name not in only:
            continue
        result, made = run_study(name, subject)
        results.append(result)
        if told is not None:
            told(result, made)
    return results


def worked(
    directory: Path, only: Sequence[str] = (), told: Told | None = None
) -> list[StudyResult]:
    """The worked example, which needs no data set."""
    if only and WORKED not in only:
        return []
    result, made = worked_study(directory)
    if told is not None:
        told(result, made)
    return [result]


def write_all_tables(out: Path, current: Iterable[StudyResult]) -> list[Path]:
    """Tables over everything in the folder of results; the files that changed.

    Of a study that is there with several settings, the `current` one is shown, else the latest.
    """
    shown: dict[tuple[str, str], StudyResult] = {}
    folder = out / RESULTS
    stored = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for result in (*studies_in(folder, stored), *current):
        shown[result.name, result.study] = result
    order = {name: at for at, name in enumerate(data_sets())}
    results = sorted(shown.values(), key=lambda one: (order.get(one.name, len(order)), one.name))
    return write_tables(tables_of(results), out / TABLES)
