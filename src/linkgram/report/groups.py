"""Groups: data sets as the paper orders them: TGB, TGB-Seq, then everything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from linkgram.evaluation.study_result import StudyResult

BENCHMARKS = ("TGB", "TGB-Seq", "other streams")


def benchmark(study: StudyResult) -> str:
    """The benchmark a data set belongs to.

    >>> benchmark(StudyResult("depth", "0", {"name": "a", "provenance": {"benchmark": "TGB"}}))
    'TGB'
    >>> benchmark(StudyResult("depth", "0", {"name": "a"}))
    'other streams'
    """
    provenance = study.data.get("provenance")
    name = provenance.get("benchmark") if isinstance(provenance, Mapping) else None
    return str(name) if name in BENCHMARKS else BENCHMARKS[-1]


def grouped(studies: Iterable[StudyResult]) -> list[tuple[str, list[StudyResult]]]:
    """The studies by benchmark, in the paper's order; benchmarks without any are left out."""
    listed = list(studies)
    groups = [(name, [one for one in listed if benchmark(one) == name]) for name in BENCHMARKS]
    return [(name, group) for name, group in groups if group]


def flat(studies: Iterable[StudyResult]) -> list[StudyResult]:
    """The studies in the paper's order."""
    return [study for _, group in grouped(studies) for study in group]


def dividers(studies: Sequence[StudyResult]) -> list[int]:
    """Places in an ordered list of studies where the next benchmark begins."""
    return [
        place
        for place in range(1, len(studies))
        if benchmark(studies[place]) != benchmark(studies[place - 1])
    ]
