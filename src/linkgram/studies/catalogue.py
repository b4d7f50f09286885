"""The catalogue of studies, and how one is run: found if it was stored, else made and stored."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from linkgram.errors import SettingError, shown
from linkgram.evaluation.measure import Phases
from linkgram.evaluation.result import key_of
from linkgram.evaluation.study_result import STUDY_FORMAT, StudyResult, study_path
from linkgram.studies import worked_example
from linkgram.studies.findings import Findings
from linkgram.studies.subject import Subject

# In the order in which they are run: what the first fit, the others find.
STUDIES: Mapping[str, str] = {
    "profile": "what is in the stream: time, popularity, repeats, ties, novelty",
    "coverage": "how often the context of a test query was observed before",
    "main": "ours under both backoffs, the baselines, the best neural score",
    "features": "what each addition gains, under both backoffs",
    "backoff": "continuation against marginal backoff",
    "weights": "the learned weights and their signs",
    "depth": "how many recent destinations are worth looking at, 1 to 20",
    "smoothing": "pseudocounts 0.1, 1 and 10",
    "timing": "event-wise, batch(200) and strict-timestamp with the same weights",
    "examples": "five test queries explained",
}


def run_study(name: str, subject: Subject) -> tuple[StudyResult, bool]:
    """The result of a study, and whether it had to be made.

    Finished studies are stored in the subject's directory under a key of all inputs.
    """
    module = _module(name)
    settings = module.settings(subject)
    inputs = {"format": STUDY_FORMAT, "study": name, "settings": settings, **subject.facts}
    key = key_of(inputs)
    path = study_path(subject.directory, subject.protocol.name, name, key)
    if path.exists():
        return StudyResult.load(path), False
    phases = Phases()
    with phases("study"):
        found: Findings = module.findings(subject)
    result = study_result(name, key, subject.facts["data"], settings, found, phases.seconds)
    result.save(subject.directory)
    return result, True


def worked_study(directory: Path) -> tuple[StudyResult, bool]:
    """The worked example, which needs no data set, and whether it had to be made."""
    key, data, settings = worked_example.key()
    path = study_path(directory, str(data["name"]), worked_example.NAME, key)
    if path.exists():
        return StudyResult.load(path), False
    found = worked_example.findings()
    result = study_result(worked_example.NAME, key, data, settings, found, {})
    result.save(directory)
    return result, True


def study_result(
    name: str,
    key: str,
    data: Mapping[str, Any],
    settings: Mapping[str, Any],
    found: Findings,
    seconds: Mapping[str, Any],
) -> StudyResult:
    """Put together what is stored."""
    return StudyResult(
        study=name,
        key=key,
        data=data,
        measured=found.measured,
        settings=settings,
        columns=found.columns,
        rows=tuple(found.rows),
        series=found.series,
        notes=tuple(found.notes),
        paper=tuple(found.paper),
        seconds=seconds,
    )


def _module(name: str) -> ModuleType:
    if name not in STUDIES:
        raise SettingError(
            f"study {shown(name)} is unknown; accepted: {', '.join(STUDIES)}",
            setting="only",
            value=name,
        )
    return importlib.import_module(f"linkgram.studies.{name}")
