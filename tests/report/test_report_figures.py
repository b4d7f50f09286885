"""Figures: drawn from results alone, the same bytes each time, titles that say the finding."""

from __future__ import annotations

import dataclasses
import re
import warnings

import pytest
from tests.report.conftest import HOSTILE
from tests.support.study_files import StudyFiles

from linkgram.errors import LinkgramError
from linkgram.evaluation.study_result import over_seeds
from linkgram.report.figures import FIGURES, draw_all, style
from linkgram.report.shelf import Shelf


@pytest.fixture(scope="module")
def drawn(one_result, tmp_path_factory):
    directory = tmp_path_factory.mktemp("figures")
    return directory, draw_all(one_result, directory)


def texts(figure) -> str:
    """Everything that is written in a figure."""
    found = [text.get_text() for text in figure.findobj(lambda one: hasattr(one, "get_text"))]
    return "\n".join(found)


def draw(name: str, *studies):
    with style.quiet():
        figure = FIGURES[name](Shelf(studies))
        if figure is not None:
            figure.draw_without_rendering()
        return figure


def test_every_figure_is_written_as_vector_and_as_picture(drawn):
    directory, paths = drawn
    assert {path.name for path in paths} == {
        f"{name}.{kind}" for name in FIGURES for kind in ("svg", "pdf", "png")
    }
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for path in paths:
        assert path.read_bytes().startswith(starts[path.suffix[1:]])
        assert path.stat().st_size > 5_000
    assert sorted(directory.iterdir()) == sorted(paths)


@pytest.mark.parametrize("name", ["backoff", "features", "depth"])
def test_the_same_results_give_the_same_bytes(name, one_result, drawn, tmp_path):
    with style.quiet():
        again = style.save(FIGURES[name](Shelf.read(one_result)), tmp_path, name)
    for path in again:
        assert path.read_bytes() == (drawn[0] / path.name).read_bytes()


def test_a_vector_figure_knows_no_date_and_no_machine(drawn):
    for path in drawn[1]:
        if path.suffix == ".svg":
            text = path.read_text()
            assert "<dc:date>" not in text
            assert set(re.findall(r"(?:href|src)=\"(.)", text)) <= {"#"}
        elif path.suffix == ".pdf":
            assert b"/CreationDate" not in path.read_bytes()


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_says_its_schedule_and_candidates(name, results):
    with style.quiet():
        figure = FIGURES[name](Shelf.read(results))
    written = " ".join(texts(figure).split())
    assert "Schedule: " in written
    assert "Candidates: all-destinations" in written


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_without_its_studies_is_left_out(name):
    assert draw(name) is None
    assert draw(name, StudyFiles("mine").profile()) is None


@pytest.mark.parametrize("name", FIGURES)
def test_any_name_of_a_data_set_can_be_drawn(name):
    names = [HOSTILE, "$\\frac{1", "数据", "a" * 300, "_^{}%&#~\\"]
    studies = [study for data in names for study in StudyFiles(data).all()]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert draw(name, *studies) is not None


def test_all_sixteen_sets_fit_and_the_large_backoff_effects_stand_apart():
    studies = [StudyFiles(f"set-{place}").backoff() for place in range(16)]
    for place, study in enumerate(studies):
        change = over_seeds([9.0, 9.1] if place < 3 else [0.1, 0.2])
        row = dict(study.rows[0]) | {"difference": change}
        studies[place] = dataclasses.replace(study, rows=(row,))
    figure = draw("backoff", *studies)
    assert len(figure.axes) == 2
    large, rest = figure.axes
    assert (len(large.patches), len(rest.patches)) == (3, 13)
    assert large.get_ylim()[1] > 9
    assert rest.get_ylim()[1] < 1
    assert "all 16 data sets" in texts(figure)


def test_marks_of_the_coverage_figure_are_named(results):
    with style.quiet():
        written = " ".join(texts(FIGURES["coverage"](Shelf.read(results))).split())
    assert "\N{BLACK CIRCLE} TGB; \N{BLACK SQUARE} TGB-Seq" in written


def test_one_scale_serves_where_nothing_would_be_flattened():
    assert len(draw("backoff", StudyFiles("mine").backoff()).axes) == 1


def test_a_clipped_weight_is_printed():
    study = StudyFiles("mine").weights()
    rows = [
        {**row, "weight": over_seeds([40.0, 42.0])} if row["feature"] == "source_recency" else row
        for row in study.rows
    ]  # fmt: skip
    figure = draw("weights", dataclasses.replace(study, rows=tuple(rows)))
    assert "41.0" in texts(figure)
    assert max(axes.get_xlim()[1] for axes in figure.axes[:3]) < 12


def test_bars_and_whiskers_are_the_numbers_of_the_study():
    study = StudyFiles("mine").backoff()
    figure = draw("backoff", study)
    change = study.rows[0]["difference"]
    (bar,) = figure.axes[0].patches
    assert bar.get_height() == pytest.approx(change["mean"])
    dots = [line.get_ydata() for line in figure.axes[0].lines if len(line.get_ydata()) == 3]
    assert sorted(dots[0]) == pytest.approx(sorted(change["values"]))


def test_a_place_that_holds_no_results_is_refused(tmp_path):
    with pytest.raises(LinkgramError, match="no directory of results"):
        draw_all(tmp_path / "absent", tmp_path)
