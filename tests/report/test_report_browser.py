"""The page in a real browser: it draws, sorts, follows dark mode, fits a phone, loads nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tests.report.conftest import HOSTILE
from tests.support.study_files import StudyFiles

from linkgram.report.page import write_page

DRAWN = """return [...document.querySelectorAll('figure .chart')].map(chart =>
    chart.querySelectorAll('svg path[d]:not([d=""]), svg text').length)"""
# What must be a mark and not an axis: bars, lines, points and areas.
MARKS = """return [...document.querySelectorAll('figure .chart')].map(chart =>
    chart.querySelectorAll('svg .role-mark path, svg .role-mark line').length)"""
WIDTH = "return document.documentElement.scrollWidth"
INK = """return getComputedStyle(document.querySelector('.role-axis-label text')).fill"""
PAPER = "return getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def page(one_result, tmp_path_factory) -> Path:
    return write_page(one_result, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="module")
def pages(results, tmp_path_factory) -> Path:
    return write_page(results, tmp_path_factory.mktemp("pages") / "report.html")


@pytest.mark.parametrize("which", ["page", "pages"])
def test_every_chart_is_drawn_and_the_console_stays_empty(which, request, chromium):
    chromium.load(request.getfixturevalue(which))
    assert chromium.console() == []
    marks = chromium.run(MARKS)
    assert len(marks) >= (16 if which == "page" else 49)
    assert min(marks) > 0, marks
    assert min(chromium.run(DRAWN)) > 2


def test_every_axis_of_numbers_says_what_it_is(page, chromium):
    chromium.load(page)
    untitled = chromium.run("""return [...document.querySelectorAll('figure')].filter(figure =>
        figure.querySelector('.role-axis') &&
        ![...figure.querySelectorAll('.role-axis-title text')].some(one => one.textContent.trim())
    ).map(figure => figure.querySelector('figcaption').textContent)""")
    assert untitled == []


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_of_a_chart_is_cut_at_its_edge(width, page, chromium):
    chromium.load(page, width=width)
    cut = chromium.run("""return [...document.querySelectorAll('.chart svg')].flatMap(svg => {
        const edge = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')].filter(text => {
            const box = text.getBoundingClientRect();
            return box.left < edge.left - 1 || box.right > edge.right + 1;
        }).map(text => text.textContent);
    })""")
    assert cut == []


def test_the_page_asks_the_network_for_nothing(page, chromium):
    chromium.load(page)
    assert chromium.requests() == [page.as_uri()]
    # Nor could it: the policy refuses even what a script of the page tried.
    chromium.run("fetch('https://example.org/').catch(() => { document.title = 'refused'; })")
    assert all(url == page.as_uri() for url in chromium.requests())


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
@pytest.mark.parametrize("which", ["page", "pages"])
def test_no_width_needs_sideways_scrolling(which, width, request, chromium):
    chromium.load(request.getfixturevalue(which), width=width)
    assert chromium.run(WIDTH) <= width
    chromium.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert chromium.run(WIDTH) <= width


def test_dark_mode_turns_page_and_charts(page, chromium):
    chromium.load(page)
    light = chromium.run(PAPER), chromium.run(INK)
    chromium.load(page, dark=True)
    dark = chromium.run(PAPER), chromium.run(INK)
    for one, other in zip(light, dark, strict=True):
        assert one != other
    assert _brightness(light[0]) > 240
    assert _brightness(dark[0]) < 40
    assert _brightness(dark[1]) > 120 > _brightness(light[1])


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(page, chromium, dark):
    chromium.load(page, dark=dark)
    for selector in ("p", "h2", ".note", "summary", "nav a", "th button", "caption", "dt", ".size"):
        ink = chromium.run(f"return getComputedStyle(document.querySelector('{selector}')).color")
        contrast = _contrast(ink, chromium.run(PAPER))
        assert contrast >= 4.5, (selector, contrast)


def test_a_click_on_a_head_sorts_and_a_second_one_turns_it_round(page, chromium):
    chromium.load(page)
    column = """return [...document.querySelectorAll('#d0-comparison ~ .scroll tbody tr')]
        .map(row => row.cells[2].dataset.key)"""
    click = """document.querySelectorAll('#d0-comparison ~ .scroll thead button')[2].click()"""
    chromium.run(click)
    falling = [float(value) for value in chromium.run(column)]
    chromium.run(click)
    rising = [float(value) for value in chromium.run(column)]
    assert len(falling) > 3
    assert falling == sorted(falling, reverse=True)
    assert rising == sorted(falling)
    assert chromium.run(
        "return document.querySelectorAll('#d0-comparison ~ .scroll thead th')[2].ariaSort"
    ) == "ascending"  # fmt: skip


def test_what_is_undefined_stays_last_whichever_way_a_column_is_sorted(page, chromium):
    chromium.load(page)
    column = """return [...document.querySelectorAll('#d0-comparison ~ .scroll tbody tr')]
        .map(row => row.cells[3].dataset.key)"""
    click = """document.querySelectorAll('#d0-comparison ~ .scroll thead button')[3].click()"""
    for _ in range(2):
        chromium.run(click)
        values = chromium.run(column)
        assert values.count("") == 1
        assert values[-1] == ""


def test_hovering_shows_the_values(page, chromium):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    chromium.load(page)
    bar = chromium.driver.find_elements(By.CSS_SELECTOR, "#chart-0 .role-mark path")[3]
    chromium.run("document.querySelector('#chart-0').scrollIntoView({block: 'center'})")
    ActionChains(chromium.driver).move_to_element(bar).perform()
    shown = chromium.run("return document.querySelector('#vg-tooltip-element').textContent")
    assert "events" in shown
    assert any(digit in shown for digit in "0123456789")


def test_markup_in_the_data_is_shown_and_never_run(tmp_path, chromium):
    files = StudyFiles(HOSTILE)
    for study in files.all():
        facts = study.to_json()
        for name in ("s0", "d00", "EdgeBank", "batch(200)", "all-three", "transition_2"):
            facts = facts.replace(f'"{name}"', json.dumps(f"{name}{HOSTILE}"))
        study.from_json(facts).save(tmp_path)
    page = write_page(tmp_path, tmp_path / "report.html")
    chromium.load(page)
    assert chromium.console() == []
    assert "run" not in chromium.run("return document.title").split(" · ")
    assert chromium.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert chromium.run("return document.querySelectorAll('script').length") == 4
    assert HOSTILE[:20] in chromium.run("return document.body.innerText")
    assert min(chromium.run(MARKS)) > 0


def test_headings_go_down_one_level_at_a_time_and_ids_are_unique(pages, chromium):
    chromium.load(pages)
    levels = [int(name[1]) for name in chromium.run(
        "return [...document.querySelectorAll('h1,h2,h3,h4,h5')].map(one => one.tagName)"
    )]  # fmt: skip
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = chromium.run("return [...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    dead = """return [...document.querySelectorAll('a[href^="#"]')]
        .filter(one => !document.getElementById(one.hash.slice(1))).length"""
    assert chromium.run(dead) == 0


def test_every_chart_has_words_and_every_table_scopes(pages, chromium):
    chromium.load(pages)
    charts = chromium.run("return [...document.querySelectorAll('.chart')].map(c => c.ariaLabel)")
    assert min(map(len, charts)) > 20
    unscoped = (
        "return document.querySelectorAll('th:not([scope]), table:not(:has(caption))').length"
    )
    assert chromium.run(unscoped) == 0


def _channels(colour: str) -> list[float]:
    inside = colour[colour.index("(") + 1 : colour.index(")")].replace(",", " ")
    return [float(part) for part in inside.split()[:3]]


def _brightness(colour: str) -> float:
    return sum(_channels(colour)) / 3


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as the accessibility guidelines count it."""

    def luminance(colour: str) -> float:
        shares = [channel / 255 for channel in _channels(colour)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
