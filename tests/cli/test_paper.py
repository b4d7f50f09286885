"""`linkgram paper`: from a file to results and tables, once."""

from __future__ import annotations

import json

import pytest

from linkgram.evaluation.study_result import studies_in
from linkgram.studies import STUDIES

QUICK = ("--seeds", "1", "--no-figures", "--threads", "1")
SOME = ("--only", "coverage", "--only", "backoff")


def files_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_every_study_of_a_file_from_one_command_and_a_second_run_does_nothing(linkgram, folder):
    found = linkgram("paper", "events.csv", *QUICK)
    assert (found.code, found.err) == (0, "")
    assert "\x1b" not in found.out
    assert [
        one.study for one in studies_in(folder / "paper" / "results") if one.name == "events.csv"
    ] == sorted(STUDIES)
    for line in (f"events.csv  {study}  " for study in STUDIES):
        assert line in found.out
    assert "wrote paper/tables/main.md (and .tex, .csv)" in found.out
    assert "schedule: event-wise" in (folder / "paper" / "tables" / "main.md").read_text()
    before = files_of(folder)
    again = linkgram("paper", "events.csv", *QUICK)
    assert (again.code, again.err) == (0, "")
    lines = again.out.splitlines()
    assert len(lines) == len(STUDIES) + 1
    assert all(line.endswith("found") for line in lines)
    assert files_of(folder) == before


def test_only_some_studies_of_two_files_elsewhere(linkgram, folder):
    (folder / "other.csv").write_text((folder / "events.csv").read_text().replace("u1", "u2"))
    found = linkgram("paper", "events.csv", "other.csv", *QUICK, *SOME, "--out", "there")
    assert (found.code, found.err) == (0, "")
    kept = [(one.name, one.study) for one in studies_in(folder / "there" / "results")]
    assert kept == [
        (name, study) for name in ("events.csv", "other.csv") for study in ("backoff", "coverage")
    ]
    table = (folder / "there" / "tables" / "coverage.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in table] == ["data set", "events.csv", "other.csv"]


def test_the_columns_and_candidates_of_a_file_may_be_named(linkgram, folder):
    text = (folder / "events.csv").read_text().replace("source,destination,time", "who,what,when")
    (folder / "named.csv").write_text(text)
    found = linkgram(
        "paper", "named.csv", "--source", "who", "--destination", "what", "--time", "when",
        "--candidates", "uniform(7)", *QUICK, "--only", "backoff",
    )  # fmt: skip
    assert (found.code, found.err) == (0, "")
    (result,) = studies_in(folder / "paper" / "results")
    assert result.measured["candidates"]["rule"] == "uniform"
    assert result.measured["candidates"]["k"] == 7


def test_one_bad_data_set_does_not_cost_the_others(linkgram, folder):
    found = linkgram("paper", "absent.csv", "events.csv", *QUICK, "--only", "coverage")
    assert found.code == 1
    assert found.err.splitlines()[0].startswith("error: absent.csv: there is no file 'absent.csv'")
    assert "could not be studied: absent.csv" in found.err
    assert [one.name for one in studies_in(folder / "paper" / "results")] == ["events.csv"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("absent.csv",), 1, "there is no file 'absent.csv'"),
        (("events.csv", "--only", "depht"), 2, "'depht' is not one of"),
        (("events.csv", "--seeds", "0"), 2, "0 is not in the range"),
        (("events.csv", "--out", "events.csv/there"), 1, "cannot write to events.csv/there"),
        (("wkii",), 2, "there is no data set named 'wkii'"),
    ],
)
def test_refusals_are_one_line_and_leave_nothing(linkgram, folder, words, code, said):
    found = linkgram("paper", *words)
    assert found.code == code
    assert said in found.err
    assert "Traceback" not in found.err
    assert [path.name for path in folder.iterdir() if path.name != "paper"] == ["events.csv"]


def test_without_data_the_absent_sets_are_named_with_the_way_to_get_them(linkgram, folder):
    found = linkgram("paper", "--no-figures", env={"LINKGRAM_DATA": str(folder / "empty")})
    assert found.code == 1
    assert "absent: tgbl-wiki" in found.out
    assert "`linkgram datasets fetch tgbl-wiki` gets it" in found.out
    assert found.err.startswith("error: no benchmark set is on this machine\nhint: fetch one")


def test_the_worked_example_alone_needs_no_data_set(linkgram, folder):
    found = linkgram("paper", "--only", "worked-example", "--no-figures")
    assert (found.code, found.err) == (0, "")
    (path,) = (folder / "paper" / "results").iterdir()
    assert json.loads(path.read_text())["study"] == "worked-example"
    assert (folder / "paper" / "tables" / "worked-example.tex").exists()
