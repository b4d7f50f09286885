"""The overview of a page over several streams: one row each."""

from __future__ import annotations

from typing import Any, TypeGuard

from linkgram.report import findings
from linkgram.report.page.chart import Chart, Charts, axis, colour, hover, names
from linkgram.report.page.html import Html, tag
from linkgram.report.page.table import Entry, table
from linkgram.report.shelf import Cell, Shelf, cell, text
from linkgram.report.words import count, measured, number, spread


def overview(shelf: Shelf, charts: Charts) -> Html:
    """Ours beside the best counting baseline and the published reference, a row a stream."""
    values: list[dict[str, Any]] = []
    rows: list[list[object]] = []
    for name in shelf.names:
        studies = shelf.of(name)
        main, covered = studies.get("main"), studies.get("coverage")
        ours = findings.chosen(main) if main else None
        baselines = [
            (found.mean, text(row, "method"))
            for row in (main.rows if main else ())
            if main and text(row, "kind") == "baseline" and (found := cell(main, row, "mrr"))
        ]
        best = max(baselines, default=None)
        published = findings.reference(main) if main else None
        pair = cell(covered, covered.rows[0], "pair_coverage") if covered and covered.rows else None
        events = next(iter(studies.values())).data.get("events")
        rows.append([
            name,
            Entry(count(events), events) if _is_count(events) else Entry("\N{EN DASH}", ""),
            Entry(spread(ours), _key(ours)),
            Entry(f"{number(best[0])} {best[1]}", best[0]) if best else Entry("\N{EN DASH}", ""),
            Entry(f"{number(published[1].mean)} {published[0]}", published[1].mean)
            if published else Entry("\N{EN DASH}", ""),
            Entry(number(pair.mean if pair else None, 1), _key(pair)),
        ])  # fmt: skip
        if ours is not None and best is not None:
            values.append({"name": name[:40], "ours": ours.mean, "best": best[0],
                           "method": best[1], "shown": spread(ours)})  # fmt: skip
    heads = ["stream", "events", "linkgram, MRR %", "best counting baseline",
             "published reference", "pair coverage, %"]  # fmt: skip
    shown = table("All streams", heads, rows, numeric=[1, 2, 3, 4, 5])
    note = next((measured(shelf.of(name)["main"]) for name in shelf.names
                 if "main" in shelf.of(name)), "")  # fmt: skip
    parts: list[Html] = []
    if values:
        ahead = sum(value["ours"] > value["best"] for value in values)
        sets = findings.of_sets(ahead, len(values))
        title = f"linkgram is above the best counting baseline on {sets}"
        across = "test MRR, %"
        spec = {
            "data": {"values": values},
            "encoding": {"y": names("name", [str(value["name"]) for value in values])},
            "layer": [
                {"mark": {"type": "rule", "color": colour("line"), "strokeWidth": 2},
                 "encoding": {"x": axis("ours", across, scale={"zero": True}),
                              "x2": {"field": "best"}}},
                {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1,
                          "color": colour("grey")},
                 "encoding": {"x": axis("best", across), "tooltip": hover(
                     ("method", "baseline"), ("best", "MRR, %"))}},
                {"mark": {"type": "point", "filled": True, "size": 100, "opacity": 1,
                          "color": colour("blue")},
                 "encoding": {"x": axis("ours", across), "tooltip": hover(
                     ("name", "linkgram on"), ("shown", "MRR, %"))}},
            ],
        }  # fmt: skip
        parts.append(charts.place(Chart(
            title, "Dots: test MRR of linkgram (blue) and of the best counting baseline (grey).",
            spec, f"Blue: linkgram, the backoff that validation chose; grey: the best counting "
            f"baseline. {note}", height=24 * len(values),
        )))  # fmt: skip
    return tag(
        "section",
        tag("h2", "All streams", id="overview"),
        *parts,
        shown,
        tag("p", f"{note} Published scores keep their own schedules and candidates; each stream's "
            "chapter names them.", class_="note"),
        class_="data",
    )  # fmt: skip


def _key(found: Cell | None) -> float | str:
    return "" if found is None else found.mean


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63
