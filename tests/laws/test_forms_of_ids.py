"""Ids and times mean the same in whatever form they come; in every form the same one is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from tests.support.predictors import fed_predictor, settings_of

from linkgram import CandidateError, EventError, LinkPredictor

FORMS = {
    "a list": list,
    "a tuple": tuple,
    "a generator": iter,
    "a list of numpy integers": lambda ids: [np.int16(id_) for id_ in ids],
    "int64": np.array,
    "int8": lambda ids: np.array(ids, dtype=np.int8),
    "uint8": lambda ids: np.array(ids, dtype=np.uint8),
    "int16": lambda ids: np.array(ids, dtype=np.int16),
    "uint16": lambda ids: np.array(ids, dtype=np.uint16),
    "int32": lambda ids: np.array(ids, dtype=np.int32),
    "uint32": lambda ids: np.array(ids, dtype=np.uint32),
    "uint64": lambda ids: np.array(ids, dtype=np.uint64),
    "longlong": lambda ids: np.array(ids, dtype=np.longlong),
    "another byte order": lambda ids: np.array(ids, dtype=">i8"),
    "every other": lambda ids: np.repeat(np.array(ids), 2)[::2],
    "backwards": lambda ids: np.array(ids[::-1])[::-1],
    "out of line": lambda ids: np.array(
        [(0, id_) for id_ in ids], dtype=[("byte", "i1"), ("id", "i8")]
    )["id"],
    "masked": np.ma.array,
    "objects": lambda ids: np.array(ids, dtype=object),
}
# Close ids, and ids too far apart for a table: the largest that every form can hold, and beyond.
EVENTS = [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 5.0), (0, 7, 6.0), (1, 2, 6.5)]
FAR = [(u, v * 2**40, t) for u, v, t in EVENTS]
TEXTS = [(f"u{u}", f"v{v}", t) for u, v, t in EVENTS]
ASKED = [2, 1, 99, 2, 7]


def fed(events, destinations=None) -> LinkPredictor:
    return fed_predictor(settings_of(), events, destinations=destinations)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fixed", [False, True])
def test_candidates_get_the_same_answers_in_every_form(form, fixed) -> None:
    predictor = fed(EVENTS, [7, 99, 2, 1] if fixed else None)
    made = FORMS[form]
    for source in (0, 1, 2):
        alone = [predictor.score(source, [z], 9.0)[0] for z in ASKED]
        assert predictor.score(source, made(ASKED), 9.0).tolist() == alone
        midrank = 1.0 + sum((z > alone[1]) + 0.5 * (z == alone[1]) for z in alone)
        assert predictor.rank(source, ASKED[1], made(ASKED), 9.0) == midrank
        features = [predictor.features(source, [z], 9.0)[0].tolist() for z in ASKED]
        assert predictor.features(source, made(ASKED), 9.0).tolist() == features


@pytest.mark.parametrize("form", ["a list", "int64", "uint64", "every other", "out of line"])
def test_ids_far_apart_and_texts_rank_as_close_ones(form) -> None:
    close, far, texts = fed(EVENTS), fed(FAR), fed(TEXTS)
    for source in (0, 1, 2):
        rank = close.rank(source, 2, ASKED, 9.0)
        assert far.rank(source, 2 * 2**40, FORMS[form]([z * 2**40 for z in ASKED]), 9.0) == rank
        assert texts.rank(f"u{source}", "v2", [f"v{z}" for z in ASKED], 9.0) == rank


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ask", ["features", "score", "rank"])
def test_the_candidate_outside_a_fixed_vocabulary_is_named_in_every_form(form, ask) -> None:
    predictor = fed(EVENTS, [1, 2, 7])
    arguments = (0, 1) if ask == "rank" else (0,)
    with pytest.raises(CandidateError, match="99") as refused:
        getattr(predictor, ask)(*arguments, FORMS[form](ASKED), 9.0)
    assert (refused.value.row, refused.value.value) == (2, "99")


@pytest.mark.parametrize("form", [form for form in FORMS if not form.startswith("uint")])
def test_a_negative_candidate_is_named_in_every_form(form) -> None:
    with pytest.raises(CandidateError) as refused:
        fed(EVENTS).rank(0, 1, FORMS[form]([2, 1, -5, 7]), 9.0)
    assert (refused.value.row, refused.value.value) == (2, -5)


@pytest.mark.parametrize("form", [list, lambda ids: np.array(ids, dtype=np.uint64)])
def test_a_candidate_beyond_all_ids_is_named(form) -> None:
    with pytest.raises(CandidateError, match=r"2\*\*63") as refused:
        fed(EVENTS).rank(0, 1, form([2, 2**63 + 5]), 9.0)
    assert refused.value.value == 2**63 + 5


@pytest.mark.parametrize("ids", [["v1", 2], [2, "v1"], np.array([1, 2]), np.array([1], np.int32)])
def test_integers_are_no_candidates_among_texts(ids) -> None:
    with pytest.raises(CandidateError):
        fed(TEXTS).rank("u0", "v1", ids, 9.0)


def test_an_iterable_that_lies_about_its_length_is_believed_only_as_to_its_ids() -> None:
    class Endless(list):
        def __iter__(self):
            return iter((2, 1))

        def __length_hint__(self) -> int:
            return 2**62

    predictor = fed(EVENTS)
    expected = predictor.score(0, [2, 1], 9.0).tolist()
    assert predictor.score(0, Endless([7, 7, 7]), 9.0).tolist() == expected


def test_candidates_that_change_while_they_are_read_do_no_harm() -> None:
    class Clearing:
        def __index__(self) -> int:
            ids.clear()
            return 2

    predictor = fed(EVENTS)
    ids = [1, Clearing(), 7, 7]
    expected = predictor.score(0, [1, 2], 9.0).tolist()
    assert predictor.score(0, ids, 9.0).tolist() == expected


@pytest.mark.parametrize(
    "time", [9, np.float32(9), np.int64(9), Fraction(9), Decimal(9), np.array(9.0)], ids=repr
)
def test_a_time_means_the_same_as_any_number(time) -> None:
    predictor, other = fed(EVENTS), fed(EVENTS)
    assert predictor.rank(0, 1, ASKED, time) == other.rank(0, 1, ASKED, 9.0)
    predictor.observe(0, 1, time)
    other.observe(0, 1, 9.0)
    assert predictor.digest() == other.digest()


@pytest.mark.parametrize("time", ["9", b"9", bytearray(b"9"), True, np.True_, None, [9.0], 9j])
def test_what_is_no_number_is_no_time(time) -> None:
    kind = type(time).__name__
    with pytest.raises(TypeError, match=f"^a time is a number, not {kind}$"):
        fed(EVENTS).rank(0, 1, ASKED, time)


def test_an_integer_beyond_all_floats_is_too_large_a_time() -> None:
    with pytest.raises(EventError, match="a time is too large") as refused:
        fed(EVENTS).observe(0, 1, 10**400)
    assert (refused.value.column, refused.value.value) == ("time", 10**400)
