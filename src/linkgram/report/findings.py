"""Findings: what a study shows, in one line, by rules from its numbers.

Titles of figures and of the page say the finding where these rules know one, else the measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from linkgram.evaluation.study_result import StudyResult
from linkgram.report.shelf import Cell, cell, needed, text
from linkgram.report.words import count, feature_set, number


def sure(found: Cell) -> bool:
    """Whether all seeds agree on the sign.

    >>> sure(Cell(1.0, 0.1, (0.9, 1.1))), sure(Cell(1.0, 2.0, (-0.5, 2.5)))
    (True, False)
    """
    values = found.values or (found.mean,)
    return all(value > 0 for value in values) or all(value < 0 for value in values)


def of_sets(some: int, all_: int) -> str:
    """How many of the data sets.

    >>> of_sets(3, 5), of_sets(5, 5), of_sets(2, 2), of_sets(0, 5)
    ('3 of 5 data sets', 'all 5 data sets', 'both data sets', 'no data set')
    """
    if some == 0:
        return "no data set"
    if some == all_:
        return "both data sets" if all_ == 2 else f"all {all_} data sets"
    return f"{some} of {all_} data sets"


def backoff(changes: Sequence[tuple[str, Cell]]) -> str:
    """What changing marginal to continuation backoff does.

    >>> backoff([("mine", Cell(1.2, 0.1, (1.1, 1.3)))])
    'Continuation backoff raises MRR by 1.20 points'
    >>> backoff([("mine", Cell(0.1, 0.3, (-0.2, 0.4)))])
    'The backoff makes little difference: +0.10 points, and seeds disagree on the sign'
    """
    if len(changes) == 1:
        found = changes[0][1]
        if not sure(found):
            return (
                f"The backoff makes little difference: {number(found.mean, signed=True)} points, "
                "and seeds disagree on the sign"
            )
        better = "Continuation" if found.mean > 0 else "Marginal"
        return f"{better} backoff raises MRR by {number(abs(found.mean))} points"
    gains = sum(found.mean > 0 for _, found in changes)
    name, largest = max(changes, key=lambda one: abs(one[1].mean))
    return (
        f"Continuation backoff is ahead on {of_sets(gains, len(changes))}; "
        f"the largest change is {number(largest.mean, signed=True)} points on {name}"
    )


def depth(study: StudyResult) -> str:
    """What a longer history does on one data set."""
    steps = sorted((needed(study, row, "depth").mean, row) for row in _plain(study))
    if len(steps) < 2:
        return "MRR by depth of the history"
    changes = [(k, needed(study, row, "change")) for k, row in steps]
    last, change = changes[-1]
    word = "raises" if change.mean > 0 else "lowers"
    line = (
        f"Reading {count(last)} past destinations instead of 1 {word} MRR "
        f"by {number(abs(change.mean))} points"
    )
    if not sure(change):
        moved = number(change.mean, signed=True)
        return f"Depth hardly matters: {moved} points from 1 to {count(last)}"
    at_five = next((found.mean for k, found in changes if k == 5), None)
    if at_five is not None and last > 5 and change.mean > 0 and at_five > 0:
        share = at_five / change.mean
        return f"{line}; " + (
            f"{number(100 * share, 0)} % of it comes with the first 5"
            if share < 1
            else f"5 alone give {number(at_five)}"
        )
    return line


def _plain(study: StudyResult) -> list[dict[str, object]]:
    return [dict(row) for row in study.rows]


def depths(studies: Sequence[StudyResult]) -> str:
    """What a longer history does, over data sets."""
    if len(studies) == 1:
        return depth(studies[0])
    ends = [max(_plain(one), key=lambda row: needed(one, row, "depth").mean) for one in studies]
    gains = sum(needed(one, row, "change").mean > 0 for one, row in zip(studies, ends, strict=True))
    deepest = max(needed(one, row, "depth").mean for one, row in zip(studies, ends, strict=True))
    word, some = ("raises", gains) if gains else ("lowers", len(studies))
    history = f"A history of {count(deepest)} past destinations instead of 1"
    return f"{history} {word} MRR on {of_sets(some, len(studies))}"


def addition(changes: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Which addition to the reference configuration gains most, at the median over data sets.

    >>> addition([("co-occurrence", [0.5, 1.5]), ("multi-scale", [0.1])])
    'Co-occurrence adds most: +1.00 points at the median'
    >>> addition([("co-occurrence", [-0.5])])
    'No addition raises MRR'
    """
    medians = [(median(values), name) for name, values in changes if values]
    if not medians:
        return "Change in MRR by added feature"
    gain, name = max(medians)
    if gain <= 0:
        return "No addition raises MRR"
    label = "Taking all three" if name == "all-three" else feature_set(name).capitalize()
    middle = " at the median" if max(len(values) for _, values in changes) > 1 else ""
    return f"{label} adds most: {number(gain, signed=True)} points{middle}"


def smoothing(changes: Sequence[float]) -> str:
    """How much the smoothing constant matters.

    >>> smoothing([-0.8, 0.2])
    'Changing alpha tenfold moves MRR by at most 0.80 points'
    """
    if not changes:
        return "Change in MRR by smoothing constant"
    most = number(max(abs(change) for change in changes))
    return f"Changing alpha tenfold moves MRR by at most {most} points"


def timing(ours: Sequence[tuple[str, str, Cell]]) -> str:
    """Under which schedule most is lost: (data set, schedule, change from event-wise).

    >>> changes = [("mine", "batch(200)", Cell(-13.0)), ("mine", "strict-timestamp", Cell(-0.1))]
    >>> timing(changes)
    'Withheld history costs up to 13.00 points: batch(200) on mine'
    """
    losses = [(found.mean, schedule, name) for name, schedule, found in ours]
    if not losses or min(losses)[0] > -0.05:
        return "The update schedule hardly matters: less than 0.05 points"
    loss, schedule, name = min(losses)
    where = f"{schedule} on {name}" if name else schedule
    return f"Withheld history costs up to {number(-loss)} points: {where}"


def weights(study_rows: Sequence[tuple[str, Sequence[tuple[int, float]]]]) -> str:
    """Whether the latest destination has the largest transition weight: (data set, by position)."""
    first = [
        name
        for name, places in study_rows
        if places and max(places, key=lambda one: one[1])[0] == 1
    ]
    if not study_rows:
        return "Fitted weights"
    if len(study_rows) == 1:
        return (
            "The most recent destination has the largest transition weight"
            if first
            else "The most recent destination does not have the largest transition weight"
        )
    return (
        "The most recent destination has the largest transition weight on "
        f"{of_sets(len(first), len(study_rows))}"
    )


def comparison(study: StudyResult) -> str:
    """Who ranks highest on one data set, among those measured here under one schedule."""
    ours = chosen(study)
    others = [
        (found.mean, text(row, "method"))
        for row in study.rows
        if text(row, "kind") == "baseline" and (found := cell(study, row, "mrr"))
    ]
    if ours is None or not others:
        return "Mean reciprocal rank by method"
    best, method = max(others, key=lambda one: one[0])
    gap = ours.mean - best
    word = "above" if gap >= 0 else "below"
    return f"linkgram is {number(abs(gap))} points {word} the best counting baseline, {method}"


def chosen(study: StudyResult) -> Cell | None:
    """The score of the backoff that validation chose; of the first, where none is marked."""
    rows = [row for row in study.rows if text(row, "kind") == "ours"]
    marked = [row for row in rows if row.get("chosen") is True] or rows
    return cell(study, marked[0], "mrr") if marked else None


def reference(study: StudyResult) -> tuple[str, Cell] | None:
    """The best published score of a data set, and whose it is."""
    found = [
        (text(row, "method"), score)
        for row in study.rows
        if text(row, "kind") == "published" and (score := cell(study, row, "mrr"))
    ]
    return max(found, key=lambda one: one[1].mean) if found else None
