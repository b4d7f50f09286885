"""The page: everything that was measured on one or more streams, in one file without a network.

The file carries its styles, its numbers and the drawing library (Vega-Lite, about 0.9 MB). Its
content security policy lets the browser run only the two scripts it came with and load nothing
else, so neither an id in the data nor a damaged result file can make it act.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

from linkgram.errors import LinkgramError
from linkgram.evaluation.result import write_whole
from linkgram.evaluation.study_result import StudyResult
from linkgram.report.page import (
    choices,
    comparison,
    coverage,
    examples,
    profile,
    provenance,
    timing,
    weights,
    worked,
)
from linkgram.report.page.chart import CONFIG, Charts
from linkgram.report.page.html import Html, data_block, joined, tag
from linkgram.report.page.overview import overview
from linkgram.report.page.times import Clock
from linkgram.report.shelf import Shelf

Studies = dict[str, StudyResult]


def write_page(results: str | os.PathLike[str], path: str | os.PathLike[str]) -> Path:
    """Write the page of all studies stored in `results` to `path`."""
    return write_whole(Path(path), page(Shelf.read(results)))


def page(shelf: Shelf) -> str:
    """The page of a shelf of studies."""
    if not shelf.names and shelf.worked is None:
        raise LinkgramError(
            "there are no studies to report on",
            hint="`linkgram paper DATA --out out` makes them: out/results",
        )
    charts = Charts()
    many = len(shelf.names) > 1
    sections = [
        _data_set(place, name, shelf.of(name), charts, many)
        for place, name in enumerate(shelf.names)
    ]
    if shelf.worked is not None:
        sections.append(worked.section(shelf.worked))
    title = f"{len(shelf.names)} streams" if many else "".join(shelf.names) or "the worked example"
    body = [
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", tag("h1", f"What {title} {'are' if many else 'is'} made of"),
            tag("p", "What repeats, what follows what, which evidence a smoothed-count model uses, "
                "and whether a learned memory could pay.", class_="lead")),
        _navigation(shelf, many),
        tag("main", overview(shelf, charts) if many else None, *sections, id="content"),
        tag("footer", tag("p", "Made by linkgram from stored results. This file is complete: it "
                          "loads nothing and sends nothing."),
            tag("details", tag("summary", "Licences of the drawing library in this file"),
                tag("pre", _own("licences.txt")))),
    ]  # fmt: skip
    scripts = [_library(), _own("page.js")]
    return joined([
        Html("<!doctype html>\n"),
        tag("html", _head(title, scripts), tag("body", *body, *_blocks(charts),
            *(tag("script", Html(script)) for script in scripts)), lang="en"),
    ])  # fmt: skip


def _data_set(place: int, name: str, studies: Studies, charts: Charts, many: bool) -> Html:
    """All chapters of one data set; what was not measured is left out."""
    inner = [
        tag("section", tag("h3" if many else "h2", title, id=f"d{place}-{anchor}"), content)
        for anchor, title, make in CHAPTERS
        if (content := make(studies, charts)) is not None
    ]
    heading = tag("h2", name, id=f"d{place}") if many else None
    return tag("section", heading, *inner, class_="data")


def _navigation(shelf: Shelf, many: bool) -> Html:
    if many:
        links = [("overview", "All streams")]
        links += [(f"d{place}", name[:40]) for place, name in enumerate(shelf.names)]
    else:
        links = [
            (f"d0-{anchor}", short)
            for name in shelf.names
            for anchor, short in _present(shelf.of(name))
        ]
    if shelf.worked is not None:
        links.append((worked.ANCHOR, "Worked example"))
    items = [tag("li", tag("a", label, href=f"#{anchor}")) for anchor, label in links]
    return tag("nav", tag("ul", *items), aria_label="Chapters")


def _stream(studies: Studies, charts: Charts) -> Html | None:
    return profile.section(studies["profile"], charts) if "profile" in studies else None


def _comparison(studies: Studies, charts: Charts) -> Html | None:
    return comparison.section(studies["main"], charts) if "main" in studies else None


def _weights(studies: Studies, charts: Charts) -> Html | None:
    if "weights" not in studies:
        return None
    return weights.section(studies["weights"], studies.get("main"), charts)


def _coverage(studies: Studies, charts: Charts) -> Html | None:
    if "coverage" not in studies:
        return None
    return coverage.section(studies["coverage"], studies.get("main"), charts)


def _timing(studies: Studies, charts: Charts) -> Html | None:
    if "timing" not in studies or not studies["timing"].rows:
        return None
    placed = charts.place(timing.chart(studies["timing"]))
    return joined([placed, comparison.beside_paper([studies["timing"]])])


def _choices(studies: Studies, charts: Charts) -> Html | None:
    of_settings = [studies[name] for name in ("backoff", "smoothing") if name in studies]
    found = [
        choices.depth(studies["depth"]) if "depth" in studies else None,
        choices.features(studies["features"]) if "features" in studies else None,
        choices.settings(of_settings) if of_settings else None,
    ]
    placed = [charts.place(chart) for chart in found if chart is not None]
    return tag("div", *placed, class_="pair") if placed else None


def _examples(studies: Studies, charts: Charts) -> Html | None:
    if "examples" not in studies:
        return None
    clock = Clock.of(studies.get("profile", studies["examples"]))
    return examples.section(studies["examples"], clock, charts)


def _provenance(studies: Studies, charts: Charts) -> Html | None:
    del charts
    return provenance.section(studies)


CHAPTERS: tuple[tuple[str, str, Callable[[Studies, Charts], Html | None]], ...] = (
    ("stream", "What this stream is", _stream),
    ("comparison", "How well it can be predicted", _comparison),
    ("weights", "What the model learned, in words", _weights),
    ("coverage", "What a learned memory could add", _coverage),
    ("timing", "What withheld history costs", _timing),
    ("choices", "What each choice changes", _choices),
    ("examples", "Five queries, explained", _examples),
    ("provenance", "Where the numbers come from", _provenance),
)
SHORT = {
    "stream": "The stream", "comparison": "Comparison", "weights": "Weights",
    "coverage": "Coverage", "timing": "Timing", "choices": "Choices", "examples": "Examples",
    "provenance": "Provenance",
}  # fmt: skip
NEEDS = {"stream": ("profile",), "comparison": ("main",),
         "choices": ("depth", "features", "backoff", "smoothing")}  # fmt: skip


def _present(studies: Studies) -> list[tuple[str, str]]:
    """The chapters a data set has, with their short names."""
    return [
        (anchor, short)
        for anchor, short in SHORT.items()
        if anchor == "provenance" or any(one in studies for one in NEEDS.get(anchor, (anchor,)))
    ]


def _head(title: str, scripts: list[str]) -> Html:
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{title} \N{MIDDLE DOT} linkgram"),
        tag("style", Html(_own("page.css"))),
    )


def _blocks(charts: Charts) -> list[Html]:
    """The numbers of the charts and their style, as data that no browser runs."""
    return [
        tag("script", data_block(charts.specs), type="application/json", id="charts"),
        tag("script", data_block(CONFIG), type="application/json", id="chart-style"),
    ]


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _own(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    try:
        import vl_convert
    except ImportError:
        raise LinkgramError(
            "the page needs the drawing library that vl-convert-python carries",
            hint="pip install 'linkgram[report]'",
        ) from None
    script = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    if "</script" in script.lower() or "<!--" in script:
        raise LinkgramError("this version of vl-convert-python cannot be put into a page")
    return script
