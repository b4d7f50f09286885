"""What each choice changes: depth, added features, backoff and smoothing, paired by seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkgram.evaluation.study_result import StudyResult
from linkgram.report import findings
from linkgram.report.page.chart import SIGNED, Chart, axis, colour, hover, names, paint, zero
from linkgram.report.page.table import Entry, table
from linkgram.report.page.weights import BACKOFF_COLOURS
from linkgram.report.shelf import Cell, cell, needed, text
from linkgram.report.words import count, feature_set, measured, spread

ADDITIONS = ("co-occurrence", "global-recency", "multi-scale", "all-three")
SIGNS = {"gain": "blue", "loss": "vermillion"}
Change = tuple[str, str, Cell]


def depth(study: StudyResult) -> Chart:
    """The change from depth 1 as a line, with a band of one standard deviation."""
    rows = sorted(
        ((needed(study, row, "depth").mean, row, found) for row in study.rows
         if (found := cell(study, row, "change")) is not None),
        key=lambda one: one[0],
    )  # fmt: skip
    values = [
        {"depth": k, "change": found.mean, "low": found.mean - (found.sd or 0),
         "high": found.mean + (found.sd or 0), "shown": spread(found, signed=True),
         "mrr": spread(cell(study, row, "mrr"))}
        for k, row, found in rows
    ]  # fmt: skip
    across = axis("depth", "depth K: how many past destinations are read",
                  scale={"nice": False, "zero": False},
                  axis={"tickCount": 6, "format": "d", "grid": False})  # fmt: skip
    up = "change in test MRR from K = 1, points"
    spec = {
        "data": {"values": values},
        "layer": [
            zero("y"),
            {"mark": {"type": "rule", "strokeDash": [2, 3], "color": colour("muted")},
             "encoding": {"x": {"datum": 5}}},
            {"mark": {"type": "area", "color": colour("blue"), "opacity": 0.18},
             "encoding": {"x": across, "y": axis("low", up), "y2": {"field": "high"}}},
            {"mark": {"type": "line", "color": colour("blue"),
                      "point": {"size": 26, "filled": True, "color": colour("blue")}},
             "encoding": {"x": across,
                          "y": axis("change", up, axis=SIGNED),
                          "tooltip": hover(("depth", "depth"), ("shown", "change, points"),
                                           ("mrr", "MRR, %"))}},
        ],
    }  # fmt: skip
    shown = [
        [Entry(count(k), k), Entry(spread(mrr), mrr.mean if mrr else ""),
         Entry(spread(found, signed=True), found.mean)]
        for k, row, found in rows
        for mrr in [cell(study, row, "mrr")]
    ]  # fmt: skip
    return Chart(
        findings.depth(study), "A line of the change in test MRR by depth.", spec,
        f"Reference configuration, marginal backoff, fitted at each depth. Band: one standard "
        f"deviation over seeds; dotted: K = 5. {measured(study)}",
        table("Depth", ["depth", "test MRR, %", "change, points"], shown, numeric=[0, 1, 2]),
    )  # fmt: skip


def features(study: StudyResult) -> Chart:
    """The change that each addition makes, under both backoffs."""
    changes = [
        (feature_set(text(row, "features")), text(row, "backoff"), found)
        for row in study.rows
        if text(row, "features") in ADDITIONS and (found := cell(study, row, "change")) is not None
    ]
    by_name = [
        (name, [found.mean for one, backoff, found in changes
                if one == feature_set(name) and backoff == "marginal"])
        for name in ADDITIONS
    ]  # fmt: skip
    return _changes(
        study, f"{findings.addition(by_name)} (marginal backoff)", changes,
        "Bars: the change in test MRR when a feature is added, under both backoffs.",
        "From the reference configuration under the same backoff.", ("addition", "backoff"),
    )  # fmt: skip


def settings(studies: Sequence[StudyResult]) -> Chart | None:
    """The changes that the backoff and the smoothing constant make."""
    changes: list[Change] = []
    title = []
    for study in studies:
        if study.study == "backoff":
            found = [(study.name, one) for row in study.rows
                     if (one := cell(study, row, "difference")) is not None]  # fmt: skip
            changes += [("continuation", "instead of marginal", one) for _, one in found]
            title += [findings.backoff(found)] if found else []
        else:
            alphas = [(needed(study, row, "alpha").mean, one) for row in study.rows
                      if (one := cell(study, row, "change")) is not None]  # fmt: skip
            alphas = [(alpha, one) for alpha, one in alphas if alpha != 1]
            changes += [(f"alpha {alpha:g}", "instead of 1", one) for alpha, one in alphas]
            title += [findings.smoothing([one.mean for _, one in alphas])] if alphas else []
    if not changes:
        return None
    return _changes(
        studies[0], ". ".join(title), changes,
        "Bars: the change in test MRR by backoff and by smoothing constant.",
        "From the reference configuration with marginal backoff and alpha 1.",
        ("setting", "change"),
    )  # fmt: skip


def _changes(
    study: StudyResult,
    title: str,
    changes: Sequence[Change],
    says: str,
    note: str,
    heads: tuple[str, str],
) -> Chart:
    """Bars of changes: a group a name, a row in it a variant, dots the seeds."""
    values: list[dict[str, Any]] = [
        {"name": name, "variant": variant, "change": found.mean,
         "sign": "gain" if found.mean >= 0 else "loss", "shown": spread(found, signed=True)}
        for name, variant, found in changes
    ]  # fmt: skip
    seeds = [
        {"name": name, "variant": variant, "change": value}
        for name, variant, found in changes
        for value in found.values
    ]
    variants = list(dict.fromkeys(variant for _, variant, _ in changes))
    row = {"y": names("name", list(dict.fromkeys(name for name, _, _ in changes)))}
    colour_of, key = paint("sign", SIGNS), None
    if set(variants) == set(BACKOFF_COLOURS):
        row["yOffset"] = names("variant", list(BACKOFF_COLOURS))
        colour_of, key = paint("variant", BACKOFF_COLOURS), dict(BACKOFF_COLOURS)
    across = axis("change", "change in test MRR, points", axis=SIGNED)
    spec = {
        "layer": [
            {"data": {"values": values},
             "mark": {"type": "bar", "opacity": 0.9, "height": {"band": 0.75}},
             "encoding": {**row, "x": across, "color": colour_of,
                          "tooltip": hover(("name", "choice"), ("variant", "variant"),
                                           ("shown", "change, points"))}},
            {"data": {"values": seeds},
             "mark": {"type": "point", "filled": True, "size": 14, "color": colour("ink"),
                      "opacity": 0.75},
             "encoding": {**row, "x": across}},
            zero(),
        ],
    }  # fmt: skip
    shown = [[str(v["name"]), str(v["variant"]), Entry(v["shown"], v["change"])] for v in values]
    return Chart(
        title, says, spec, f"{note} Dots are seeds, paired. {measured(study)}",
        table("Changes", [*heads, "change in test MRR, points"], shown, numeric=[2]),
        (20 if "yOffset" in row else 28) * len(values), key,
    )  # fmt: skip
