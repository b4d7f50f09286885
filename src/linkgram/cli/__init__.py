"""The command `linkgram`: one module a command, no logic of its own.

Commands are imported when they are called, so `linkgram --help` is quick.
"""

from __future__ import annotations

import importlib
import re
import sys

import click

from linkgram._core import __version__
from linkgram.errors import LinkgramError

COMMANDS = {
    "evaluate": "Fit, rank the test queries, and print the scores.",
    "compare": "Put the model beside every count baseline, under the same rules.",
    "fit": "Learn weights and save a predictor.",
    "paper": "Run the paper's studies; tables and figures beside its own values.",
    "report": "Make one page, readable anywhere, of stored results.",
    "datasets": "List, fetch and adopt benchmark data sets.",
    "describe": "Say what is in a stream.",
    "doctor": "Check this installation and machine.",
    "demo": "Watch the model at work in a small made-up world.",
}


class _InterruptedError(Exception):
    """Ctrl-C while a command was at work."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"linkgram.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        # click would print an empty line for the ^C of a terminal, also where there is none.
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _InterruptedError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: linkgram evaluate mine.csv --source user --destination item --time ts. "
    "Shell completion: see `linkgram doctor --completion`.",
)
@click.version_option(__version__, prog_name="linkgram")
def group() -> None:
    """N-gram statistics for temporal links: predict a source's next destination."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; errors are one line `error: ...`, then `hint: ...`."""
    try:
        code = group.main(arguments, prog_name="linkgram", standalone_mode=False)
    except (_InterruptedError, click.exceptions.Abort, KeyboardInterrupt):
        if sys.stderr.isatty():
            # The terminal has written ^C into the line.
            click.echo(err=True)
        _fail("interrupted", None, 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        path = "linkgram" if error.ctx is None else error.ctx.command_path
        _fail(error.format_message(), f"see `{path} --help`", 2)
    except click.ClickException as error:
        _fail(error.format_message(), None, error.exit_code)
    except LinkgramError as error:
        _fail(error.message, _in_options(error.hint), 2 if error.setting else 1)
    except BrokenPipeError:
        # Whoever read our output has closed it (`| head`); there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        _fail(str(error), None, 1)
    sys.exit(code if isinstance(code, int) else 0)


def _in_options(hint: str | None) -> str | None:
    """A hint for callers from Python in the words of the command line."""
    if hint is None:
        return None
    hint = hint.replace("a time_format", "--time-format").replace("header=False", "--no-header")
    return re.sub(r"\b(source|destination|time|separator|sort|ragged)=(True)?", r"--\1", hint)


def _fail(message: str, hint: str | None, code: int) -> None:
    # What another library says of a damaged file may have several lines.
    click.echo(f"error: {' '.join(map(str.strip, message.splitlines()))}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    sys.exit(code)
