"""The error tree: each class is the built-in a caller expects, and carries its facts."""

import pickle

import pytest

from linkgram import errors

TREE = {
    errors.EventError: ValueError,
    errors.SettingError: ValueError,
    errors.CandidateError: ValueError,
    errors.NotFittedError: RuntimeError,
    errors.StateFileError: ValueError,
    errors.DataSetMissingError: FileNotFoundError,
    errors.DownloadError: OSError,
}


@pytest.mark.parametrize(("error", "builtin"), TREE.items())
def test_each_error_is_the_root_and_a_builtin(error, builtin):
    raised = error("refused", row=4, column="u", value=-1, setting="s", hint="do this")
    assert isinstance(raised, errors.LinkgramError)
    assert isinstance(raised, builtin)
    assert str(raised) == "refused (do this)"
    assert raised.message == "refused"
    facts = (raised.row, raised.column, raised.value, raised.setting, raised.hint)
    assert facts == (4, "u", -1, "s", "do this")


@pytest.mark.parametrize("error", TREE)
def test_attributes_default_to_none(error):
    raised = error("refused")
    assert str(raised) == "refused"
    facts = (raised.row, raised.column, raised.value, raised.setting, raised.hint)
    assert facts == (None,) * 5


@pytest.mark.parametrize("error", TREE)
def test_errors_survive_pickling(error):
    copy = pickle.loads(pickle.dumps(error("refused", row=4, value="x", hint="do this")))
    assert type(copy) is error
    assert (str(copy), copy.row, copy.value) == ("refused (do this)", 4, "x")
