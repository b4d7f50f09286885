"""Candidate rules: a text that says how to draw, and draws that are the named function's."""

from __future__ import annotations

import pytest
from tests.support.protocols import busy

from linkgram.errors import SettingError
from linkgram.evaluation import candidates
from linkgram.evaluation.candidate_rule import RULES, CandidateRule

K, SEED = 7, 5


@pytest.fixture(scope="module")
def protocol():
    return busy(11, count=400)


@pytest.mark.parametrize("name", [name for name in RULES if name != "all"])
@pytest.mark.parametrize("form", ["{}(20)", "{}:20", "{}-20", " {}(20) "])
def test_rules_are_read_as_written(name, form):
    rule = CandidateRule.parse(form.format(name), seed=3)
    assert rule == CandidateRule(name, 20, 3)
    assert str(rule) == f"{name}(20)"
    assert CandidateRule.parse(str(rule), seed=3) == rule


def test_all_has_no_number():
    assert CandidateRule.parse("all") == CandidateRule("all")
    assert str(CandidateRule.parse("all")) == "all"


@pytest.mark.parametrize(
    "text",
    ["", "all(3)", "uniform", "uniform()", "uniform(-1)", "uniform(1.5)", "Uniform(3)", "random(3)",
     "uniform(3)(4)", "historical(20)", "uniform(9999999999)", "tgb-seq"],
)  # fmt: skip
def test_anything_else_is_refused_and_the_rules_named(text):
    with pytest.raises(SettingError) as caught:
        CandidateRule.parse(text)
    assert caught.value.setting == "candidates"
    assert all(name in str(caught.value) for name in RULES)


def test_the_default_depends_on_the_size_of_the_vocabulary():
    assert CandidateRule.default(1000) == CandidateRule("all")
    assert CandidateRule.default(1001) == CandidateRule("uniform", 100)


def by_hand(protocol, name):
    """What each rule means, through the functions that draw."""
    stream, (a, b, n) = protocol.stream, (120 * 2, 160 * 2, 400)
    if name == "historical-random":
        return candidates.historical_random(
            stream, training_end=a, validation_end=b, k=K, seed=SEED
        )
    draw = {
        "all": lambda first, end, seed: candidates.all_destinations(stream, first, end),
        "uniform": lambda *at, seed: candidates.uniform(stream, *at, k=K, seed=seed),
        "distinct": lambda *at, seed: candidates.uniform(
            stream, *at, k=K, seed=seed, distinct=True
        ),
        "popularity": lambda *at, seed: candidates.popularity(
            stream, *at, training_end=a, k=K, seed=seed
        ),
        "tgb-seq": lambda *at, seed: candidates.tgb_seq(stream, *at, k=K, seed=seed),
    }[name]
    return draw(a, b, seed=SEED), draw(b, n, seed=SEED + 1)


@pytest.mark.parametrize("name", RULES)
def test_draws_are_those_of_the_named_function(protocol, name, tmp_path):
    rule = CandidateRule(name, None if name == "all" else K, SEED)
    expected = by_hand(protocol, name)
    heard = []
    for options in ({}, {"threads": 2, "progress": heard.append}, {"directory": tmp_path / "sets"}):
        drawn = rule.draw(protocol.stream, protocol.split, **options)
        assert [len(rows) for rows in drawn] == [80, 80]
        assert [rows.digest() for rows in drawn] == [rows.digest() for rows in expected]
        assert [dict(rows.rule) for rows in drawn] == [dict(rows.rule) for rows in expected]
        for part, rows in zip(("validation", "test"), expected, strict=True):
            alone = rule.draw_part(part, protocol.stream, protocol.split, **options)
            assert (alone.digest(), dict(alone.rule)) == (rows.digest(), dict(rows.rule))
    told = []
    rule.draw(protocol.stream, protocol.split, progress=told.append)
    assert told == sorted(told)
    assert name == "all" or told[-1] == 160
    other = CandidateRule(name, rule.k, SEED + 5).draw(protocol.stream, protocol.split)
    assert (other[1].digest() != expected[1].digest()) == (name != "all")


def test_validation_and_test_share_no_draws(protocol):
    """With one seed for both, equal queries of the two would get equal candidates."""
    rule = CandidateRule("uniform", 30, SEED)
    validation, test = rule.draw(protocol.stream, protocol.split)
    assert validation.rule["seed"] != test.rule["seed"]
    pairs = zip(validation, test, strict=True)
    assert not any(one.tolist() == other.tolist() for one, other in pairs)


@pytest.mark.parametrize("k", [0, 40])
def test_numbers_that_cannot_be_drawn_are_refused(protocol, k):
    with pytest.raises(SettingError):
        CandidateRule("distinct", k).draw(protocol.stream, protocol.split)
    with pytest.raises(SettingError):
        CandidateRule("uniform").draw(protocol.stream, protocol.split)
