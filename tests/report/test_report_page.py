"""The page as text: complete, escaped, the same each time; and the words made from numbers."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re

import pytest
from click.testing import CliRunner
from tests.report.conftest import HOSTILE
from tests.support.study_files import StudyFiles

from linkgram.cli import group
from linkgram.report.page import page, write_page
from linkgram.report.page.coverage import in_words as coverage_in_words
from linkgram.report.page.examples import Candidate, reason
from linkgram.report.page.readings import MEANING, in_words, sentence
from linkgram.report.shelf import Cell, Shelf
from linkgram.report.words import MINUS, measured
from linkgram.studies.catalogue import worked_study

BLOCK = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)


@pytest.fixture(scope="module")
def text(results) -> str:
    return page(Shelf.read(results))


def test_the_same_results_give_the_same_page(results, text):
    assert page(Shelf.read(results)) == text


def test_nothing_outside_the_page_is_named_to_load(text):
    without_scripts = BLOCK.sub("", text)
    assert not re.search(r"(?:src|href)=\"(?!#)", without_scripts)
    assert "url(" not in without_scripts
    assert "@import" not in without_scripts


def test_the_policy_names_exactly_the_scripts_of_the_page(text):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    named = set(re.findall(r"sha256-([^&']+)&#x27;|sha256-([^']+)'", policy[1]))
    named = {one or other for one, other in named}
    running = [
        match[2] for match in re.finditer(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
        if "json" not in match[1]
    ]  # fmt: skip
    assert len(running) == 2
    hashes = {base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in running}
    assert named == hashes
    assert "default-src &#x27;none&#x27;" in policy[0]
    assert "unsafe-eval" not in policy[0]


def test_ids_that_hold_markup_stay_text():
    studies = []
    for one in StudyFiles(HOSTILE).all():
        facts = one.to_json()
        for name in ("s0", "d00", "EdgeBank", "event-wise"):
            facts = facts.replace(f'"{name}"', json.dumps(HOSTILE))
        studies.append(one.from_json(facts))
    hostile, tame = page(Shelf(studies)), page(Shelf(StudyFiles("mine").all()))
    for mark in ("<script", "<img", "</script", "<!--"):
        assert hostile.count(mark) == tame.count(mark), mark
    assert "\u2028" not in BLOCK.findall(hostile)[0]


def test_a_score_on_the_page_says_its_schedule_and_candidates(text):
    notes = re.findall(r'<p class="note">(.*?)</p>', text)
    scored = [note for note in notes if "Schedule: event-wise" in note]
    assert len(scored) >= 3 * 5
    assert all("Candidates: all-destinations." in note for note in scored)


def test_the_worked_example_is_a_chapter_and_no_stream(one_result, tmp_path):
    worked, _ = worked_study(tmp_path)
    alone = page(Shelf.read(one_result))
    both = page(Shelf([*StudyFiles("college-msg").all(), worked]))
    assert "<h1>What college-msg is made of</h1>" in alone
    assert "<h1>What college-msg is made of</h1>" in both
    assert "How the model counts, on six events" in both
    assert "b\u2192c 2" in both
    assert "0.767" in both
    assert "How the model counts" not in alone
    only = page(Shelf([worked]))
    assert "<h1>What the worked example is made of</h1>" in only
    assert 'class="chart"' not in only


def test_what_stands_first_is_said_where_the_answer_does_not():
    def candidate(name, positive, **parts):
        return Candidate(name, sum(parts.values()), positive, parts, True)

    best = candidate("a", False, source_recency=3.0, transition_1=1.0)
    second = candidate("b", True, source_recency=0.5, transition_1=1.2)
    assert reason([best, second]).endswith("a stands first: it is ahead by recency (+2.5).")
    assert "stands first" not in reason([candidate("b", True, source_recency=5.0), best])


def test_seeds_that_order_the_transitions_differently_give_no_order():
    weights = {"transition_1": Cell(0.2, 0.1, (0.1, 0.3)),
               "transition_2": Cell(0.18, 0.0, (0.18, 0.18))}  # fmt: skip
    assert "Seeds disagree" in in_words(weights)[1].says
    weights["transition_1"] = Cell(0.3, 0.1, (0.2, 0.4))
    assert "Older destinations add less" in in_words(weights)[1].says


def test_candidates_that_differ_are_named_with_their_data_sets():
    one, other = StudyFiles("one").depth(), StudyFiles("other").depth()
    assert measured(one, other) == measured(one)
    rule = {"rule": "uniform", "k": 100, "seed": 1, "validation_end": 7}
    other = dataclasses.replace(other, measured={**other.measured, "candidates": rule})
    assert "all-destinations on one; uniform (k 100, seed 1) on other." in measured(one, other)


def test_what_was_not_measured_is_left_out():
    only = page(Shelf([StudyFiles("mine").coverage()]))
    assert "What a learned memory could add" in only
    assert "What withheld history costs" not in only
    assert only.count('class="chart"') == 1


@pytest.mark.parametrize("name", MEANING)
def test_a_weight_and_its_opposite_are_read_as_opposites(name):
    up, down = (sentence(name, Cell(sign, 0.1, (sign,))) for sign in (0.5, -0.5))
    assert up.direction == "for"
    assert down.direction == "against"
    assert up.says != down.says


def test_seeds_that_disagree_give_no_reading():
    line = sentence("source_history", Cell(0.1, 0.3, (-0.2, 0.4)))
    assert "disagree" in line.says
    assert line.direction == ""
    assert f"from {MINUS}0.20 to 0.40" in line.size


def test_the_size_of_a_weight_is_what_it_does_to_the_odds():
    # Twice the estimate adds w log 2 to the score: a factor 2^w of exp(score).
    assert "odds by 8.00" in sentence("transition_1", Cell(3.0)).size
    assert "odds by 7.39" in sentence("source_recency", Cell(2.0)).size
    assert "more than any number" in sentence("source_recency", Cell(1e5)).size


def test_a_largest_weight_behind_the_first_position_is_said():
    weights = {"transition_1": Cell(0.1), "transition_2": Cell(0.4), "transition_3": Cell(0.0)}
    assert "not at position 1" in in_words(weights)[1].says


def test_a_tiny_weight_is_called_one():
    assert "hardly matters" in sentence("popularity", Cell(0.001, 0.0, (0.001, 0.001))).says


def test_no_published_score_no_verdict_on_learned_memories():
    assert "No published score" in coverage_in_words({"pooled_coverage": 99.0}, None)[-1]
    main = StudyFiles("mine").main()
    verdict = coverage_in_words({"pooled_coverage": 99.0}, main)[-1]
    assert "TNCN" in verdict
    assert "under its own protocol" in verdict


def test_the_command_writes_page_and_figures(one_result, tmp_path):
    out = tmp_path / "new" / "r.html"
    run = CliRunner().invoke(
        group, ["report", str(one_result), "-o", str(out), "--figures", str(tmp_path / "f")]
    )
    assert run.exit_code == 0, run.output
    assert "r.html" in run.output
    assert "8 figures" in run.output
    assert out.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert len(list((tmp_path / "f").iterdir())) == 24


def test_a_page_that_cannot_be_made_leaves_the_old_one(one_result, tmp_path):
    path = write_page(one_result, tmp_path / "report.html")
    before = path.read_bytes()
    broken = tmp_path / "results"
    broken.mkdir()
    (broken / "x.json").write_text('{"format": "linkgram-study-1"}')
    run = CliRunner().invoke(group, ["report", str(broken), "-o", str(path)])
    assert run.exit_code != 0
    assert path.read_bytes() == before
