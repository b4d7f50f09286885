"""Tables: every value of the studies, the paper's beside it, in three forms."""

from __future__ import annotations

import csv
import io
import json
import statistics
from dataclasses import replace

import pytest
from tests.studies.conftest import BENCHMARK
from tests.support.protocols import busy

from linkgram.errors import LinkgramError
from linkgram.evaluation.reference import paper, statement
from linkgram.evaluation.study_result import StudyResult, over_seeds
from linkgram.evaluation.table import Score
from linkgram.studies import Subject
from linkgram.studies.paper import run_studies, worked, write_all_tables
from linkgram.studies.statements import MEASURES, statement_rows
from linkgram.studies.tables import MAKERS, tables_of, to_csv, write_tables

ENRON = {"name": "tgbl-enron", "provenance": BENCHMARK}


@pytest.fixture(scope="module")
def results(finished, tmp_path_factory):
    other = replace(busy(12, 500), name="mine.csv")
    mine = Subject(other, finished.directory, 2, finished.settings)
    return [
        *worked(finished.directory), *run_studies(finished), *run_studies(mine),
    ]  # fmt: skip


def body(table):
    return [[getattr(cell, "value", cell) for cell in row] for row in table.rows]


def test_every_study_but_the_examples_has_a_table(results):
    tables = tables_of(results)
    assert list(tables) == [*MAKERS, "statements", "beside-the-paper"]
    assert {study for study, _ in MAKERS.values()} | {"examples"} == {one.study for one in results}


def test_the_main_table_has_the_paper_s_values_and_differences_where_it_prints_any(results):
    rows = body(tables_of(results)["main"])
    assert [row[:2] for row in rows] == [
        ["tgbl-uci", "here"], ["tgbl-uci", "paper"], ["tgbl-uci", "difference"],
        ["mine.csv", "here"],
    ]  # fmt: skip
    here, printed, difference, mine = (row[2:7] for row in rows)
    figures = paper("tgbl-uci")
    names = ("EdgeBank", "heuristic", "Base3", "marginal", "continuation")
    assert printed == [figures.main[name].value for name in names]
    assert difference == pytest.approx([a - b for a, b in zip(here, printed, strict=True)])
    assert rows[0][7:] == [figures.neural.value, figures.neural.method]
    assert rows[3][7:] == ["-", "-"]
    (main,) = (one for one in results if (one.study, one.name) == ("main", "mine.csv"))
    by_method = {row["backoff"] or row["method"]: row["mrr"] for row in main.rows}
    measured = [by_method[name] for name in names]
    assert mine == [one["mean"] if isinstance(one, dict) else one for one in measured]


def test_the_highest_score_of_a_measured_row_is_bold_and_no_other(results):
    for name in ("main", "timing"):
        for row in tables_of(results)[name].rows:
            bold = [cell.value for cell in row if isinstance(cell, Score) and cell.bold]
            values = [cell.value for cell in row if isinstance(cell, Score)]
            assert (bold[:1] == [max(values)]) if "here" in row else not bold


def test_timing_and_strict_stand_beside_the_paper_s(results):
    figures = paper("tgbl-uci")
    rows = body(tables_of(results)["timing"])
    batch = next(row for row in rows if row[:3] == ["tgbl-uci", "batch(200)", "paper"])
    assert batch[3:7] == [
        figures.timing["batch(200)"][name].value
        for name in ("EdgeBank", "heuristic", "Base3", "ours")
    ]
    strict = next(row for row in rows if row[:3] == ["tgbl-uci", "strict-timestamp", "paper"])
    assert strict[3:7] == ["-", "-", "-", figures.strict.value]
    own = next(row for row in body(tables_of(results)["strict-timestamp"]) if row[1] == "paper")
    event_wise = figures.timing["event-wise"]["ours"].value
    assert own[2:] == [event_wise, figures.strict.value, figures.strict_change.value]


def test_the_worked_stream_is_told_event_by_event(results):
    rows = body(tables_of(results)["worked-example-events"])
    assert rows[0] == ["1", "u visits a", "a", "-", "-"]
    assert rows[-1] == [
        "6", "w visits d", "c, b", "a: b 1; b: c 2; c: b 1",
        "a: b 1, c 1; b: b 1, c 2; c: b 1, c 1",
    ]  # fmt: skip


def test_medians_are_over_the_data_sets(results):
    rows = body(tables_of(results)["features"])
    for backoff in ("marginal", "continuation"):
        some = [row[3:] for row in rows if row[1] == backoff and not row[0].startswith("median")]
        (median,) = (row[3:] for row in rows if row[:2] == ["median of 2", backoff])
        assert median == pytest.approx([statistics.median(one) for one in zip(*some, strict=True)])
    *ranges, median = [row[-1] for row in body(tables_of(results)["smoothing"])]
    assert median == pytest.approx(statistics.median(ranges))


def test_the_files_are_markdown_booktabs_and_csv_with_every_digit(results, tmp_path):
    tables = tables_of(results)
    written = write_tables(tables, tmp_path)
    assert len(written) == 3 * len(tables)
    for name, table in tables.items():
        assert (tmp_path / f"{name}.md").read_text().count("\n|") == len(table.rows) + 2
        latex = (tmp_path / f"{name}.tex").read_text()
        assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1
        assert latex.count(r"\\") >= len(table.rows) + 1
        rows = list(csv.reader(io.StringIO((tmp_path / f"{name}.csv").read_text())))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) == len(table.rows) + 1
    depth = list(csv.DictReader(io.StringIO(to_csv(tables["depth"]))))
    (result,) = (one for one in results if (one.study, one.name) == ("depth", "mine.csv"))
    assert float(depth[0]["mine.csv"]) == result.rows[0]["mrr"]["mean"]
    assert float(depth[0]["mine.csv sd"]) == result.rows[0]["mrr"]["sd"]
    assert write_tables(tables, tmp_path) == []


def test_results_not_as_written_are_refused_with_their_study(results):
    (depth,) = (one for one in results if (one.study, one.name) == ("depth", "mine.csv"))
    broken = replace(depth, rows=(dict(depth.rows[0]) | {"mrr": {"mean": "many"}},))
    with pytest.raises(LinkgramError, match="results of study depth are not as this version"):
        tables_of([broken])


def test_the_current_results_are_shown_of_a_study_that_is_there_twice(finished, results, tmp_path):
    results_folder = tmp_path / "results"
    (five,) = (one for one in results if (one.study, one.name) == ("backoff", "mine.csv"))
    one_seed = Subject(busy(12, 500), results_folder, 1, finished.settings)
    one_seed.protocol = replace(one_seed.protocol, name="mine.csv")
    five.save(results_folder)
    (later,) = run_studies(one_seed, ["backoff"])
    write_all_tables(tmp_path, [])
    text = (tmp_path / "tables" / "backoff.csv").read_text()
    assert f"{later.rows[0]['marginal']['mean']}" in text
    write_all_tables(tmp_path, [five])
    text = (tmp_path / "tables" / "backoff.csv").read_text()
    assert f"{five.rows[0]['marginal']['mean']}" in text


def made(study, rows, data=ENRON, **rest):
    names = list(rows[0])
    from linkgram.evaluation.study_result import Column

    columns = tuple(Column(name, "") for name in names)
    return StudyResult(study, "0" * 16, data, columns=columns, rows=tuple(rows), **rest)


def test_statements_are_counted_over_the_paper_s_data_sets_alone():
    uci = {"name": "tgbl-uci", "provenance": BENCHMARK}
    own = {"name": "tgbl-uci", "provenance": {"file": "tgbl-uci"}}
    flickr = {"name": "Flickr", "provenance": {**BENCHMARK, "benchmark": "TGB-Seq"}}

    def depth(data, gain, beyond):
        rows = [
            {"depth": k, "change": over_seeds([v])}
            for k, v in ((1, 0.0), (5, gain - beyond), (20, gain))
        ]
        return made("depth", rows, data)

    results = {"depth": [depth(ENRON, -0.5, 0.1), depth(uci, 0.7, 0.2), depth(own, 9.0, 9.0),
                         depth(flickr, 3.0, 0.3)]}  # fmt: skip
    rows = {row[1].split(" [")[0]: row[2:] for row in statement_rows(results)}
    gains = statement("NDepthImproveTGB").says
    assert rows[gains] == [5, 1, 2]
    assert rows[statement("DepthSeqGainMax").says] == [3.19, 3.0, 1]
    assert rows[f"{statement('DepthSeqBeyondFiveMax').says}, at most"][1] == pytest.approx(0.3)


def test_every_measure_is_of_a_statement_that_the_paper_makes():
    for name in MEASURES:
        assert statement(name).name == name


def test_stored_results_make_the_same_tables(results):
    loaded = [StudyResult.from_json(one.to_json()) for one in results]
    assert tables_of(loaded) == tables_of(results)
    assert json.loads(results[0].to_json())["format"] == "linkgram-study-1"
