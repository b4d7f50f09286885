"""The report that the README links: complete, of a sensible size, and of this version's making."""

from __future__ import annotations

import re

from tests.support.report_page import PAGE, PICTURE, ROOT, SAMPLE

from linkgram.report.page import CHAPTERS

AGAIN = "run `just report-page` to make it anew"
# Five example queries with at most five steps and seven candidates each; nothing else is of events.
MOST_STEPS = 5 * 6


def test_the_readme_links_page_and_picture():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in (PAGE, PICTURE):
        assert f"({path.relative_to(ROOT)})" in text


def test_page_and_picture_are_small_enough_to_be_kept():
    assert PAGE.stat().st_size < 3_000_000
    assert PICTURE.stat().st_size < 300_000
    assert PICTURE.read_bytes().startswith(b"\x89PNG")


def test_the_page_has_the_chapters_and_styles_of_this_version():
    text = PAGE.read_text(encoding="utf-8")
    assert f"<h1>What {SAMPLE} is made of</h1>" in text
    for _, title, _ in CHAPTERS:
        assert f">{title}</h2>" in text, AGAIN
    styles = ROOT / "src" / "linkgram" / "report" / "page" / "page.css"
    assert styles.read_text(encoding="utf-8") in text, AGAIN


def test_the_page_carries_licences_and_no_stream():
    text = PAGE.read_text(encoding="utf-8")
    assert "University of Washington Interactive Data Lab" in text
    trails = re.findall(r'<ol class="trail">(.*?)</ol>', text)
    assert len(trails) == 5
    assert sum(trail.count("<li") for trail in trails) <= MOST_STEPS
