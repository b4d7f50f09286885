"""A study's file: what is written is read back; what is not one is refused; none is left half."""

from __future__ import annotations

import json

import pytest

from linkgram.errors import LinkgramError
from linkgram.evaluation.study_result import (
    Column,
    StudyResult,
    over_seeds,
    studies_in,
    study_path,
)


def example(**changes) -> StudyResult:
    facts = {
        "study": "depth",
        "key": "0123456789abcdef",
        "data": {"name": "my data", "events": 3},
        "measured": {"schedule": "event-wise"},
        "columns": (Column("depth", "K"), Column("mrr", "mean reciprocal rank", "%")),
        "rows": ({"depth": 1, "mrr": over_seeds([1.0, 3.0])}, {"depth": 2, "mrr": None}),
        "series": {"x": {"from": [0, 1]}},
        "notes": ("depth 2 is undefined",),
        "paper": ({"what": "MRR", "ours": 1.0, "paper": 2.0, "difference": -1.0, "source": "t"},),
    }
    return StudyResult(**facts | changes)


def test_what_is_saved_is_loaded_and_listed(tmp_path):
    path = example().save(tmp_path)
    assert path == study_path(tmp_path, "my data", "depth", "0123456789abcdef")
    assert StudyResult.load(path) == example()
    (tmp_path / "other.json").write_text('{"format": "linkgram-result-1"}')
    assert list(studies_in(tmp_path)) == [example()]


def test_a_number_that_json_lacks_is_refused_and_leaves_no_file(tmp_path):
    with pytest.raises(ValueError, match="JSON compliant"):
        example(rows=({"depth": 1, "mrr": float("nan")},)).save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_row_with_other_columns_is_refused():
    with pytest.raises(LinkgramError, match="has columns"):
        example(rows=({"depth": 1},))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda facts: facts.pop("notes"), "missing or unknown parts: notes"),
        (lambda facts: facts.update(surplus=1), "missing or unknown parts: surplus"),
        (lambda facts: facts.update(format="linkgram-study-0"), "of this version"),
        (lambda facts: facts.update(rows={}), "`rows` is a dict"),
        (lambda facts: facts.update(rows=[1]), "no mapping"),
        (lambda facts: facts.update(data={}), "no name"),
        (lambda facts: facts["columns"][0].update(unit="miles"), "unit 'miles'"),
        (lambda facts: facts["columns"][0].pop("meaning"), "a column is"),
        (lambda facts: facts["rows"].append({"other": 1}), "has columns"),
    ],
)
def test_a_file_that_is_not_as_written_is_refused_with_its_name(tmp_path, change, words):
    facts = json.loads(example().to_json())
    change(facts)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(facts))
    with pytest.raises(LinkgramError, match=r"changed\.json.*" + words):
        StudyResult.load(path)


@pytest.mark.parametrize("text", ["", "[", "[]", "NaN", '{"format": NaN}', "[" * 100_000, "\udcff"])
def test_any_other_text_is_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LinkgramError, match=r"other\.json"):
        StudyResult.load(path)
