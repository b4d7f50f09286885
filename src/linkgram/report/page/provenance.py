"""Provenance: which events, split, candidates, seeds and versions stand behind the numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import text
from linkgram.report.words import count, fact, number


def section(studies: Mapping[str, StudyResult]) -> Html:
    """What all studies share, then a row for each study."""
    listed = list(studies.values())
    return joined([_shared(listed), _by_study(listed), _notes(listed)])


def _shared(studies: list[StudyResult]) -> Html:
    data = studies[0].data
    facts: list[list[object]] = []
    for name in ("name", "digest", "events", "sources", "vocabulary_size", "time_unit"):
        if data.get(name) is not None:
            value = data[name]
            shown = count(value) if isinstance(value, int) and abs(value) < 2**63 else fact(value)
            facts.append([name.replace("_", " "), Entry(tag("code", shown) if name == "digest"
                                                        else shown)])  # fmt: skip
    if isinstance(data.get("provenance"), Mapping):
        facts.append(["origin", fact(data["provenance"])])
    measured = next((one.measured for one in studies if one.measured.get("candidates")), {})
    facts += [
        [name, fact(measured[name])]
        for name in ("split", "candidates", "ties")
        if measured.get(name)
    ]
    facts += [
        [name, _system(fact(value)) if name == "platform" else fact(value)]
        for name, value in list(studies[0].versions.items())[:12]
    ]
    return table("Data, protocol and versions", ["what", "value"], facts)


def _system(platform: str) -> str:
    """System and processor of a platform. A page is passed on; the kernel is nobody's business.

    >>> _system("Linux-6.1.0-x86_64-with-glibc2.36"), _system("unknown")
    ('Linux x86_64', 'unknown')
    """
    found = re.match(r"(\w+)-.*?(x86_64|aarch64|arm64|AMD64|i386)", platform)
    return " ".join(found.groups()) if found else platform.partition("-")[0]


def _by_study(studies: list[StudyResult]) -> Html:
    rows = [
        [
            text({"study": one.study}, "study"),
            fact(one.measured.get("schedule") or "\N{EN DASH}"),
            _seeds(one.settings.get("seeds")),
            Entry(number(seconds, 1), seconds),
            tag("code", one.key[:16]),
        ]
        for one in studies
        for seconds in [_seconds(one)]
    ]  # fmt: skip
    heads = ["study", "schedule", "seeds", "seconds", "key"]
    return table("Studies", heads, [list(row) for row in rows], numeric=[3])


def _seeds(seeds: object) -> str:
    """Seeds as a list, or as a range where they are one.

    >>> _seeds([1, 2, 3, 4]), _seeds([3, 7]), _seeds(None)
    ('1 to 4', '3 / 7', '–')
    """
    if not isinstance(seeds, list) or not seeds:
        return "\N{EN DASH}"
    if len(seeds) > 2 and seeds == list(range(1, len(seeds) + 1)):
        return f"1 to {len(seeds)}"
    return fact(seeds)


def _seconds(study: StudyResult) -> float:
    walls = [phase.get("wall") for phase in study.seconds.values() if isinstance(phase, Mapping)]
    return float(sum(wall for wall in walls if isinstance(wall, (int, float))))


def _notes(studies: list[StudyResult]) -> Html | None:
    notes = {str(note)[:600]: one.study for one in studies for note in one.notes[:20]}
    if not notes:
        return None
    items = [tag("li", f"{study}: {note}") for note, study in notes.items()]
    return joined([tag("h4", "Notes"), tag("ul", *items, class_="notes")])
