"""`linkgram compare`: formats read back, refusals are one line, an interruption loses little."""

from __future__ import annotations

import csv
import importlib
import json
import re
from io import StringIO

import numpy as np
import polars
import pytest

from linkgram.cli import main
from linkgram.cli.compare import FORMATS
from linkgram.evaluation.comparison import Comparison
from linkgram.evaluation.comparison_records import FIELDS

QUICK = ("--seeds", "2", "--epochs", "3", "--threads", "2")


def events(count=400):
    rng = np.random.default_rng(31)
    follower = rng.permutation(20)
    last, rows = {}, []
    for time in range(count):
        user = int(rng.integers(0, 8))
        item = int(rng.integers(0, 20) * rng.random())
        if user in last and rng.random() < 0.6:
            item = int(follower[last[user]])
        last[user] = item
        rows.append((f"u{user}", f"i{item}", time // 2))
    return rows


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    directory = tmp_path_factory.mktemp("own data")
    lines = ["source,destination,time", *(f"{u},{i},{t}" for u, i, t in events())]
    (directory / "odd_name & 50%.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    users, items, times = zip(*events(), strict=True)
    polars.DataFrame({"user": users, "item": items, "ts": times}).write_parquet(
        directory / "mine.parquet"
    )
    return directory


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


def called(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


@pytest.fixture
def compare(capsys, place, results):
    def run(*arguments, name="odd_name & 50%.csv"):
        code, out, err = called(
            capsys, "compare", place / name, *QUICK, "--results", results, *arguments
        )
        assert (code, err) == (0, "")
        return out

    return run


def test_the_terminal_shows_all_methods_under_both_schedules(compare):
    out = compare()
    for schedule in ("event-wise", "batch(200)"):
        assert f"all methods, test MRR in %, {schedule}" in out
        assert f"schedule: {schedule}; test candidates: all" in out
    for method in ("EdgeBank window", "heuristic (64 orders)", "PopTrack", "Base3 tuned", "t-CoMem",
                   "ours (marginal)", "ours (continuation)"):  # fmt: skip
        assert len(re.findall(rf"^{re.escape(method)}( \*)? ", out, flags=re.MULTILINE)) == 2
    assert "ties: midrank" in out
    assert "no published figures: odd_name & 50%.csv is in none of the paper's tables" in out
    assert "\x1b" not in out


def test_json_is_strict_and_whole(compare, results):
    found = json.loads(compare("--format", "json"), parse_constant=pytest.fail)
    assert set(found) == {"comparison", "published", "note"}
    (path,) = results.glob("*.comparison.*.json")
    assert found["comparison"] == Comparison.load(path).facts


def test_csv_reads_back_as_the_json_has_it(compare):
    rows = list(csv.DictReader(StringIO(compare("--format", "csv"))))
    facts = json.loads(compare("--format", "json"))["comparison"]
    assert tuple(rows[0]) == FIELDS
    assert len(rows) == 2 * len(facts["methods"])
    for row in rows:
        method = next(one for one in facts["methods"] if one["name"] == row["method"])
        measured = method["metrics"][row["schedule"]]
        assert float(row["mrr"]) == 100 * measured["mrr"]["mean"]
        assert float(row["hits@10"]) == 100 * measured["hits@10"]["mean"]
        assert row["data_set"] == "odd_name & 50%.csv"
        assert row["candidates"] == "all-destinations"
        assert (row["behind"] == "") == method["chosen"]
        assert (row["mrr_sd"] == "") == (method["kind"] == "baseline")


def test_markdown_rows_have_the_columns_of_their_heading(compare):
    tables = 0
    width = 0
    for line in compare("--format", "markdown").splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1
        if line.startswith("| :--"):
            tables, width = tables + 1, cells
        elif line.startswith("|") and width:
            assert cells == width, line
        elif not line:
            width = width if line else 0
    assert tables == 4


def test_latex_is_balanced_and_escaped(compare):
    out = compare("--format", "latex")
    assert out.count("\\begin{table}") == out.count("\\end{table}") == 4
    assert out.count("\\toprule") == out.count("\\midrule") == out.count("\\bottomrule") == 4
    assert r"odd\_name \& 50\%.csv" in out
    assert "odd_name" not in out
    for body in re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", out, flags=re.DOTALL):
        sides = re.match(r"\\begin\{tabular\}\{([lr]+)\}", body)[1]
        rows = [line for line in body.splitlines() if line.endswith("\\\\")]
        for row in rows:
            spanned = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row))
            assert len(re.findall(r"(?<!\\)&", row)) + 1 + spanned == len(sides), row
    bare = re.sub(r"\\[{}]", "", out)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"(?<!\\)[%#]", out.removeprefix("% needs booktabs"))


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_gets_what_the_terminal_would(compare, tmp_path, form):
    target = tmp_path / "out"
    assert compare("--format", form, "-o", target) == ""
    expected = compare("--format", "markdown" if form == "table" else form)
    assert target.read_text(encoding="utf-8") == expected
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_parquet_with_other_columns_and_one_backoff(compare):
    out = compare(
        "--source", "user", "--destination", "item", "--time", "ts", "--backoff", "marginal",
        "--schedule", "strict-timestamp", "--format", "json", name="mine.parquet",
    )  # fmt: skip
    facts = json.loads(out)["comparison"]
    assert facts["schedules"] == ["strict-timestamp"]
    assert [one["name"] for one in facts["methods"] if one["kind"] == "ours"] == ["ours (marginal)"]


def test_the_second_run_does_nothing(compare, monkeypatch):
    first = compare("--format", "json")
    module = importlib.import_module("linkgram.evaluation.compare")
    for name in ("evaluate", "evaluate_baselines"):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("begun again"))
    assert compare("--format", "json") == first


def test_an_interruption_is_one_line_and_keeps_the_fits(capsys, place, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    module = importlib.import_module("linkgram.evaluation.compare")
    monkeypatch.setattr(module, "evaluate_baselines", interrupted)
    target = tmp_path / "out.csv"
    code, out, err = called(
        capsys, "compare", place / "odd_name & 50%.csv", *QUICK, "--results", tmp_path / "kept",
        "-o", target,
    )  # fmt: skip
    assert (code, out, err.strip()) == (130, "", "error: interrupted")
    assert not target.exists()
    assert len(list((tmp_path / "kept").iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing.csv"], 1, "there is no file"),
        (["{own}", "--schedule", "sometimes"], 2, "schedule 'sometimes' is unknown"),
        (["{own}", "--format", "pdf"], 2, "'pdf' is not one of"),
        (["{own}", "--features", "everything"], 2, "feature set 'everything' is unknown"),
        (["{own}", "-o", "/nowhere/at/all.tex"], 1, "cannot write to /nowhere/at"),
        (["{own}", "--time", "when"], 1, "no column is named 'when'"),
        ([], 2, "Missing argument"),
    ],
)
def test_refusals_are_one_line(capsys, place, arguments, code, message):
    own = str(place / "odd_name & 50%.csv")
    found, out, err = called(capsys, "compare", *(a.replace("{own}", own) for a in arguments))
    assert found == code, err
    assert out == ""
    first, *rest = err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert all(line.startswith("hint: ") for line in rest)
    assert len(rest) <= 1


def test_help_shows_examples(capsys):
    code, out, _ = called(capsys, "compare", "--help")
    assert code == 0
    assert "linkgram compare tgbl-uci --format latex -o uci.tex" in out
    assert "batch(200)" in out


def test_a_narrow_terminal_leaves_out_optional_columns_and_says_so(place, results, monkeypatch):
    show = importlib.import_module("linkgram.cli.show_tables")
    from rich.console import Console

    texts = {}
    for width in (400, 100):
        written = StringIO()
        monkeypatch.setattr(
            show, "console_for_output",
            lambda written=written, width=width: Console(
                file=written, width=width, markup=False, emoji=False
            ),
        )  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            main(["compare", str(place / "odd_name & 50%.csv"), *QUICK, "--results", str(results)])
        assert ended.value.code == 0
        texts[width] = written.getvalue()
    assert "settings" in texts[400]
    assert "not shown" not in texts[400]
    assert "not shown for want of width: settings" in texts[100]
    assert max(map(len, texts[100].splitlines())) <= 100
