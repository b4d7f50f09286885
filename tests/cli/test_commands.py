"""Each command does what its help says, quietly in a pipe."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import environment

from linkgram import LinkPredictor, cli
from linkgram.cli import COMMANDS
from linkgram.evaluation.candidate_rule import CandidateRule

QUICK = ("--seeds", "2", "--epochs", "3")


def files_of(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name, linkgram):
    found = linkgram(name, "--help")
    assert (found.code, found.err) == (0, "")
    assert f"linkgram {name}" in found.out.partition("Example")[2]


def test_without_arguments_the_commands_are_listed(linkgram):
    found = linkgram()
    assert (found.code, found.out) == (2, "")
    assert all(f"  {name} " in found.err for name in COMMANDS)


def test_evaluate_prints_scores_with_schedule_and_candidates_and_nothing_else(linkgram, folder):
    found = linkgram("evaluate", "events.csv", *QUICK, "--schedule", "batch(50)")
    assert (found.code, found.err) == (0, "")
    assert "\x1b" not in found.out, "no colours in a pipe"
    assert "batch(50)" in found.out
    assert "candidates of test: all-destinations; ties: midrank" in found.out
    assert "mean ± sample sd over 2 seeds" in found.out
    assert files_of(folder) == ["events.csv"]


def test_evaluate_as_json_is_strict_and_says_all_there_is(linkgram):
    found = linkgram("evaluate", "events.csv", *QUICK, "--decay", "inf", "--json")
    assert found.err == ""
    told = json.loads(found.out, parse_constant=lambda name: pytest.fail(name))
    assert {r["configuration"]["backoff"] for r in told["results"]} == {"marginal", "continuation"}
    for result in told["results"]:
        assert result["configuration"]["decay"] == "inf"
        assert set(result["metrics"]["event-wise"]) >= {"mrr", "hits@1", "hits@10", "ndcg@10"}
        assert len(result["data"]["digest"]) == 64
        assert len(result["candidates"]["test"]["digest"]) == 64
        assert all({"wall", "cpu"} <= set(spent) for spent in result["seconds"].values())
        assert result["peak_memory_bytes"] > 1e6
        assert [run["seed"] for run in result["runs"]] == [1, 2]


def test_a_finished_run_is_not_repeated(linkgram, folder):
    words = ("evaluate", "events.csv", *QUICK, "--results", "kept")
    assert linkgram(*words).code == 0
    kept = {path: path.stat().st_mtime_ns for path in (folder / "kept").iterdir()}
    assert len(kept) == 2
    for path in kept:
        facts = json.loads(path.read_text())
        path.write_text(json.dumps(facts | {"validation_mrr": {"mean": 0.12345, "sd": None}}))
    again = linkgram(*words)
    assert "12.35" in again.out, "the stored result is what is shown"
    assert set((folder / "kept").iterdir()) == set(kept)
    assert (
        linkgram("evaluate", "events.csv", "--seeds", "1", *QUICK[2:], "--results", "kept").code
        == 0
    )
    assert len(list((folder / "kept").iterdir())) == 4, "another number of seeds is another run"


def test_large_candidates_are_mapped_from_a_folder_that_does_not_stay(folder, monkeypatch, capsys):
    monkeypatch.setenv("LINKGRAM_DATA", str(folder / "home"))
    monkeypatch.chdir(folder)
    seen = []

    def told():
        with pytest.raises(SystemExit) as ended:
            cli.main(["evaluate", "events.csv", *QUICK, "--candidates", "uniform(20)", "--json"])
        assert ended.value.code == 0
        results = json.loads(capsys.readouterr().out)["results"]
        return [(one["key"], one["metrics"]) for one in results]

    in_memory = told()
    assert not (folder / "home").exists()
    draw = CandidateRule.draw

    def watched(self, *words, directory, **options):
        seen.append(directory.parent)
        return draw(self, *words, directory=directory, **options)

    monkeypatch.setattr("linkgram.cli.protocol.MAPPED_BYTES", 1)
    monkeypatch.setattr(CandidateRule, "draw", watched)
    assert told() == in_memory
    assert seen == [folder / "home"]
    assert files_of(folder / "home") == []


def test_select_tries_every_feature_set_under_both_backoffs(linkgram):
    found = linkgram(
        "evaluate", "events.csv", "--seeds", "1", "--epochs", "1", "--select", "--json"
    )
    told = json.loads(found.out)
    assert len(told["results"]) == 10
    best = max(told["results"], key=lambda result: result["validation_mrr"]["mean"])
    chosen = told["chosen_by_validation"]
    assert (chosen["backoff"], chosen["feature_set"]) == (
        best["configuration"]["backoff"], best["feature_set"],
    )  # fmt: skip


def test_fit_saves_a_predictor_that_answers(linkgram, folder):
    found = linkgram("fit", "events.csv", *QUICK, "-o", "mine.linkgram")
    assert (found.code, found.err) == (0, "")
    assert "source_recency" in found.out
    assert "validation: event-wise, candidates: all-destinations, ties: midrank" in found.out
    assert files_of(folder) == ["events.csv", "mine.linkgram"]
    predictor = LinkPredictor.load(folder / "mine.linkgram")
    assert predictor.describe()["events"] == 400
    assert len(predictor.top_k("u1", 400, k=3)) == 3


def test_describe_tells_sizes_ties_repeats_surprise_and_novelty(linkgram, folder):
    (folder / "small.csv").write_text(
        "a,b,t\n" + "".join(f"1,{k % 3},{k // 2}\n" for k in range(40))
    )
    found = linkgram(
        "describe", "small.csv", "--source", "a", "--destination", "b", "--time", "t", "--json"
    )
    told = json.loads(found.out)
    assert (told["events"], told["sources"], told["destinations"]) == (40, 1, 3)
    assert (told["tied_events"], told["distinct_times"], told["distinct_pairs"]) == (40, 20, 3)
    assert told["repeated_pairs"] == pytest.approx(37 / 40)
    assert told["surprise_index"] == 0, "every test pair was in training"
    assert {"novelty_index", "split", "digest", "time_unit"} <= set(told)


def test_a_file_without_names_is_read_by_position(linkgram, folder):
    (folder / "bare.txt").write_text("".join(f"{k}\tv{k % 5}\tu{k % 2}\tx\n" for k in range(90)))
    words = ("--no-header", "--time", "0", "--source", "2", "--json")
    told = json.loads(linkgram("describe", "bare.txt", *words).out)
    assert (told["events"], told["sources"], told["destinations"]) == (90, 2, 5)
    told = json.loads(linkgram("evaluate", "bare.txt", *words, *QUICK).out)
    assert told["results"][0]["data"]["provenance"]["columns"] == [2, 1, 0]


def test_a_split_at_dates_is_that_at_their_seconds(linkgram, folder):
    days = [f"1970-01-{1 + k // 3:02d} 00:00" for k in range(90)]
    lines = [f"u{k % 4},v{k % 7},{day}" for k, day in enumerate(days)]
    (folder / "dated.csv").write_text("source,destination,time\n" + "\n".join(lines))

    def split(text):
        told = json.loads(linkgram("describe", "dated.csv", "--split", text, "--json").out)
        return told["split"], told["split_rule"]

    at = {"rule": "times", "validation_start": 20 * 86_400.0, "test_start": 25 * 86_400.0}
    assert split("times:1970-01-21,1970-01-26") == ([60, 15, 15], at)
    assert split("times:1728000,2160000") == ([60, 15, 15], at)


def test_fields_beyond_the_first_line_s_are_dropped_on_request(linkgram, folder):
    lines = [f"u,v{k % 5},{k}" + ",0.5" * (k % 3) for k in range(90)]
    (folder / "ragged.csv").write_text("source,destination,time\n" + "\n".join(lines))
    refused = linkgram("describe", "ragged.csv")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        "error: event 1: found 4 fields where the first line has 3\n"
        "hint: pass --ragged to drop fields beyond the first line's\n"
    )
    assert linkgram("describe", "ragged.csv", "--ragged").code == 0


def test_datasets_lists_all_and_what_is_here(linkgram):
    told = json.loads(linkgram("datasets", "--json").out)
    names = {one["name"] for one in told}
    assert {
        f"tgbl-{name}"
        for name in ["wiki", "uci", "enron", "subreddit", "lastfm", "coin", "comment"]
    } <= names
    assert {"tgbl-review", "tgbl-review-v3", "tgbl-flight", "ML-20M", "WikiLink", "Patent"} <= names
    for one in told:
        assert set(one) >= {"size", "source", "licence", "present", "version", "notes"}
    table = linkgram("datasets").out
    assert re.search(r"^tgbl-review +TGB +2 +4,873,540 events", table, re.MULTILINE)
    assert re.search(r"^tgbl-review-v3 +TGB +3 ", table, re.MULTILINE)
    assert linkgram("datasets", "list", "--json").out == json.dumps(told) + "\n"


def test_the_place_of_data_sets_is_the_user_s_choice(linkgram, folder):
    told = linkgram("doctor", env={"LINKGRAM_DATA": str(folder / "mine")})
    assert told.code == 0
    assert str(folder / "mine") in told.out
    assert not (folder / "mine").exists(), "looking makes nothing"


def test_doctor_tries_the_compiled_core(linkgram):
    told = linkgram("doctor")
    assert told.code == 0
    assert "P(b|u) = 0.383333" in told.out
    assert "PROBLEM" not in told.out


def test_doctor_finds_a_place_for_data_sets_that_is_none(linkgram, folder):
    told = linkgram("doctor", env={"LINKGRAM_DATA": str(folder / "events.csv" / "below")})
    assert told.code == 1
    assert "PROBLEM  data sets in" in told.out
    assert "not a writable directory" in told.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell, linkgram):
    line = linkgram("doctor", "--completion", shell).out
    assert f"_LINKGRAM_COMPLETE={shell}_source" in line


def test_names_of_commands_options_and_data_sets_are_completed(monkeypatch, capsys):
    def completed(words: str) -> str:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        with pytest.raises(SystemExit):
            cli.main([])
        return capsys.readouterr().out

    monkeypatch.setenv("_LINKGRAM_COMPLETE", "bash_complete")
    assert completed("linkgram eva") == "plain,evaluate\n"
    assert completed("linkgram evaluate --sched") == "plain,--schedule\n"
    assert completed("linkgram evaluate tgbl-e") == "file,tgbl-e\nplain,tgbl-enron\n"
    assert completed("linkgram datasets fetch tgbl-w") == "plain,tgbl-wiki\n"
    assert completed("linkgram evaluate mine.csv --features m") == "plain,multi-scale\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not on this machine")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("evaluate tgbl-w", ["tgbl-wiki"]),
        ("evaluate tgbl-review", ["tgbl-review", "tgbl-review-v3"]),
        ("datasets fetch Tao", ["Taobao"]),
        ("evaluate mine.csv --backoff c", ["continuation"]),
        ("evaluate events", []),  # bash itself completes names of files
    ],
)
def test_bash_offers_what_it_was_told(words, offered, folder):
    program = folder / "bin" / "linkgram"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m linkgram \"$@\"\n")
    program.chmod(0o755)
    script = f"""
        eval "$(_LINKGRAM_COMPLETE=bash_source linkgram)"
        compopt() {{ :; }}  # speaks only to a bash that waits for keys
        COMP_WORDS=(linkgram {words})
        COMP_CWORD={len(words.split())}
        _linkgram_completion linkgram
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    found = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder, capture_output=True, text=True, check=True,
        env=environment({"PATH": f"{program.parent}:{os.environ['PATH']}"}),
    )  # fmt: skip
    assert found.stdout.split() == offered, found.stderr


def test_demo_shows_candidates_with_reasons(linkgram, folder):
    told = linkgram("demo", "--viewer", "Ben")
    assert (told.code, told.err) == (0, "")
    assert "Ben has watched" in told.out
    assert "follows " in told.out
    assert files_of(folder) == ["events.csv"]


def test_the_same_command_prints_the_same_scores_with_any_number_of_threads(linkgram):
    def scores(threads: str) -> list[dict]:
        found = linkgram("evaluate", "events.csv", *QUICK, "--threads", threads, "--json")
        return [(r["key"], r["metrics"], r["runs"]) for r in json.loads(found.out)["results"]]

    assert scores("1") == scores("2") == scores("5")


def test_a_data_set_is_adopted_from_files_the_user_has(linkgram, folder):
    theirs = folder / "theirs" / "tgbl_enron"
    theirs.mkdir(parents=True)
    rows = "".join(f"{k % 4},{k % 7},{k}.0,0,{k}\n" for k in range(200))
    (theirs / "tgbl-enron_edgelist.csv").write_text("u,i,ts,label,idx\n" + rows)
    found = linkgram("datasets", "fetch", "tgbl-enron", "--from", "theirs", "--data-dir", "kept")
    assert found.code == 0, found.err
    told = json.loads(linkgram("describe", "tgbl-enron", "--data-dir", "kept", "--json").out)
    assert (told["events"], told["sources"], told["destinations"]) == (200, 4, 7)
    assert Path(folder, "kept", "tgbl_enron").is_dir()
