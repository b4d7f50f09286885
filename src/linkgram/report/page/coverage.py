"""Coverage: how many queries have anything to count, and what a learned memory could add."""

from __future__ import annotations

from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.page.chart import Chart, Charts, axis, colour, hover, names, room_for_label
from linkgram.report.page.html import Html, joined, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import cell
from linkgram.report.words import number

SHARES = {
    "pooled_coverage": ("pooled coverage", "queries whose last destination was left before, by any "
                        "source"),
    "pair_coverage": ("pair coverage", "queries whose source itself has moved on from its "
                      "last destination before"),
    "without_history": ("without history", "queries whose source has no earlier event"),
    "surprise_index": ("surprise index", "distinct test pairs that never occur in training"),
    "novelty_index": ("novelty index", "new pairs among those of a time, mean over all times"),
}  # fmt: skip


def section(study: StudyResult, main: StudyResult | None, charts: Charts) -> Html:
    """The shares as bars, and what follows from them in words."""
    shares = {
        name: found.mean
        for name in SHARES
        for row in study.rows[:1]
        if (found := cell(study, row, name)) is not None
    }
    values: list[dict[str, Any]] = [
        {"share": SHARES[name][0], "value": value, "label": f"{number(value, 1)} %",
         "meaning": SHARES[name][1]}
        for name, value in shares.items()
    ]  # fmt: skip
    spec = {
        "data": {"values": values},
        "encoding": {"y": names("share", [str(value["share"]) for value in values]),
                     "x": axis("value", "share, %",
                               scale={"domain": [0, 100]} | room_for_label(48))},
        "layer": [
            {"mark": {"type": "bar", "color": colour("blue"), "opacity": 0.9},
             "encoding": {"tooltip": hover(("meaning", "share of"), ("label", "value"))}},
            {"mark": {"type": "text", "align": "left", "dx": 5},
             "encoding": {"text": {"field": "label"}}},
        ],
    }  # fmt: skip
    shown = [[str(v["share"]), str(v["meaning"]), Entry(number(v["value"]), v["value"])]
             for v in values]  # fmt: skip
    chart = Chart(
        _title(shares),
        "Bars: coverage of the test queries and novelty of the test pairs, in percent.", spec,
        "Pooled: any source has moved on from the last destination before; pair: this source has. "
        "Everything before the query in the stream counts, validation and test events too. "
        "Surprise and novelty are of pairs, not of queries; the numbers say of which.",
        table("Coverage", ["share", "of", "%"], shown, numeric=[2]), 26 * len(values),
    )  # fmt: skip
    lines = [tag("li", line) for line in in_words(shares, main)]
    return joined([charts.place(chart), tag("ul", *lines, class_="words")])


def _title(shares: dict[str, float]) -> str:
    pooled = shares.get("pooled_coverage")
    if pooled is None:
        return "How often a query's context was seen before"
    return f"For {number(pooled, 1)} % of test queries the last destination's successors are known"


def in_words(shares: dict[str, float], main: StudyResult | None) -> list[str]:
    """What the shares mean for a learned memory, as far as numbers can say it.

    >>> in_words({"pooled_coverage": 99.0, "pair_coverage": 10.0}, None)[0]
    'Pooling pays: for 89.0 % of the queries others have been where this source has not.'
    """
    lines = []
    pooled, pair = shares.get("pooled_coverage"), shares.get("pair_coverage")
    if pooled is not None and pair is not None:
        gap = number(pooled - pair, 1)
        lines.append(
            f"Pooling pays: for {gap} % of the queries others have been where this source has not."
            if pooled - pair > 10
            else "Sources mostly repeat their own transitions: pooling over sources opens only "
            f"{gap} % more queries."
        )
    if pooled is not None:
        rest = 100 - pooled
        lines.append(
            f"Without any counted transition remain {number(rest, 1)} % of the queries: there the "
            "transition estimate is its backoff, and only popularity, the source's own history and "
            "recency tell candidates apart. "
            + ("A learned memory has little room in what counts cannot see at all."
               if rest < 5
               else "A learned memory that generalises over destinations has its room there.")
        )  # fmt: skip
    lines.append(_against_reference(main))
    return [line for line in lines if line]


def _against_reference(main: StudyResult | None) -> str:
    ours = findings.chosen(main) if main is not None else None
    published = findings.reference(main) if main is not None else None
    if ours is None or published is None:
        return (
            "No published score of a learned model stands beside these; whether counts that exist "
            "can be used better, only such a comparison can say."
        )
    method, score = published
    margin = ours.mean - score.mean
    return (
        f"The best published neural score ({method}, {number(score.mean)} %, under its own "
        f"protocol) is {number(abs(margin))} points {'below' if margin > 0 else 'above'} ours: "
        + ("no sign here that a learned memory would pay." if margin > 0
           else "a learned model finds something that these counts do not.")
    )  # fmt: skip
