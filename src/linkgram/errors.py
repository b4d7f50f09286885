"""What linkgram refuses: one root, and a class for each kind of refusal.

    LinkgramError (Exception)
    |-- EventError (ValueError)                    a bad event or stream
    |-- SettingError (ValueError)                  a bad setting
    |-- CandidateError (ValueError)                candidates that cannot be scored
    |-- NotFittedError (RuntimeError)              asked before weights were fitted
    |-- StateFileError (ValueError)                a saved state that cannot be loaded
    |-- DataSetMissingError (FileNotFoundError)    a data set that is not on this machine
    `-- DownloadError (OSError)                    a data set that could not be fetched

Each class is also the built-in a caller expects, so `except ValueError` catches a bad event. A
message says what was refused, where, what was found, what is accepted and what to do; the same
facts ride on the error as attributes.
"""

from __future__ import annotations


def shown(value: object) -> str:
    """Show a value as messages do: its repr, cut when long, whatever the value is.

    >>> shown("a"), len(shown("a" * 1000))
    ("'a'", 80)
    """
    item = getattr(value, "item", None)
    try:
        # NumPy's scalars say their type in their repr; a message wants the number alone.
        text = repr(item() if item is not None and getattr(value, "shape", None) == () else value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else text[:77] + "..."


class LinkgramError(Exception):
    """The root of every error linkgram raises on purpose.

    `message` is the refusal and `hint` what to do about it; `str(error)` is both. `row` counts
    events from 0 (a header is not counted), `column` is the caller's name of the column, `value` is
    what was found, `setting` the refused setting.

    >>> error = EventError("event 3: id -1 is negative", row=3, value=-1, hint="add 1 to all ids")
    >>> str(error)
    'event 3: id -1 is negative (add 1 to all ids)'
    >>> error.row, error.column, error.value, isinstance(error, ValueError)
    (3, None, -1, True)
    """

    def __init__(
        self,
        message: str = "",
        *,
        row: int | None = None,
        column: str | None = None,
        value: object | None = None,
        setting: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
        self.value = value
        self.setting = setting
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class EventError(LinkgramError, ValueError):
    """A bad event or stream; `row`, `column` and `value` say which.

    >>> error = EventError("event 0: time nan is not finite", row=0, column="t", value=float("nan"))
    >>> error.row, error.column, error.value
    (0, 't', nan)
    """


class SettingError(LinkgramError, ValueError):
    """A bad setting; `setting` and `value` say which.

    >>> SettingError("depth must be 1 or larger, found 0", setting="depth", value=0).setting
    'depth'
    """


class CandidateError(LinkgramError, ValueError):
    """Candidates that cannot be scored, such as a destination outside a fixed vocabulary.

    >>> issubclass(CandidateError, ValueError)
    True
    """


class NotFittedError(LinkgramError, RuntimeError):
    """A question that needs weights, asked before there are any.

    >>> issubclass(NotFittedError, RuntimeError)
    True
    """


class StateFileError(LinkgramError, ValueError):
    """A saved state that cannot be loaded: damaged, cut short, or of an unknown version.

    >>> issubclass(StateFileError, ValueError)
    True
    """


class DataSetMissingError(LinkgramError, FileNotFoundError):
    """A data set that is not on this machine.

    >>> issubclass(DataSetMissingError, FileNotFoundError)
    True
    """


class DownloadError(LinkgramError, OSError):
    """A data set that could not be fetched, or whose content is not what was promised.

    >>> issubclass(DownloadError, OSError)
    True
    """
