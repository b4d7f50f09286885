"""Writes the reference pages of this folder from the code itself: `just docs`.

A test compares the pages with what this module would write, so they cannot drift apart.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import click

from linkgram import Configuration, cli
from linkgram.evaluation import FitSettings, evaluate
from linkgram.evaluation.own import protocol_for

FOLDER = Path(__file__).parent
PACKAGES = ("linkgram", "linkgram.evaluation", "linkgram.datasets")

RESULT_FIELDS = {
    "format": "version of this layout",
    "key": "16 digits over every input; by them a finished run is found again",
    "data": "name, SHA-256 of ids and times, sizes, time unit, and where the events came from",
    "split": "its rule and the number of events of each part",
    "candidates": "of validation and test: rule, SHA-256, number of queries; also the tie rule",
    "configuration": "all settings of the model, time scales as they were used",
    "feature_set": "name of the configuration's additions",
    "fit": "all settings of the fit",
    "seeds": "the seeds, one run each",
    "schedules": "the schedules the test queries were ranked under",
    "core": "version of the compiled core",
    "validation_mrr": "mean and sample standard deviation over the seeds, of the kept epochs",
    "validation_evidence": "whether it was kept between epochs, and its bytes",
    "metrics": "by schedule: MRR, hits@k and NDCG@k, mean and sample standard deviation over the "
    "seeds; for the MRR also the 95 % interval of a block bootstrap over the queries",
    "runs": "by seed: weights, kept epoch, validation MRR of every epoch, metrics by schedule",
    "versions": "of linkgram, Python, NumPy, and the platform",
    "seconds": "wall and processor time of each phase",
    "threads": "threads used; they change no number above",
    "peak_memory_bytes": "most memory the process has held",
}  # fmt: skip


def command_line() -> str:
    """Every command with its options, defaults and examples."""
    lines = ["# The command line", "", _origin()]
    for path, command in _commands(cli.group, "linkgram"):
        context = click.Context(command, info_name=path)
        lines += ["", f"## {path}", "", _paragraphs(command.help)]
        rows = [_option(one, context) for one in command.params if isinstance(one, click.Option)]
        if rows:
            lines += ["", "| option | default | meaning |", "| --- | --- | --- |", *rows]
        examples = re.findall(r"(?:^  |Example: )(linkgram .*)", command.epilog or "", re.MULTILINE)
        if examples and not isinstance(command, click.Group):
            lines += ["", "```console", *examples, "```"]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str | None) -> str:
    parts = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts)


def _option(option: click.Option, context: click.Context) -> str:
    default = option.get_default(context)
    told = (
        option.show_default and not option.is_flag and isinstance(default, (str, int, float, tuple))
    )
    value = ", ".join(map(str, default)) if isinstance(default, tuple) else str(default)
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    meaning = [option.help or "", f"One of {', '.join(map(str, choices))}." if choices else ""]
    names = ", ".join(f"`{name}`" for name in option.opts)
    return f"| {names} | {f'`{value}`' if told else ''} | {' '.join(filter(None, meaning))} |"


def _commands(group: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, group
    if isinstance(group, click.Group):
        context = click.Context(group, info_name=path)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None:
                yield from _commands(command, f"{path} {name}")


def settings() -> str:
    """Every setting of the model and of the fit, with default and meaning."""
    lines = [
        "# Settings",
        "",
        _origin(),
        "",
        "One spelling everywhere: Python, TOML and result files.",
    ]
    titles = {
        Configuration: "Of the model: `Configuration`",
        FitSettings: "Of the fit: `FitSettings`",
    }
    for kind, title in titles.items():
        lines += ["", f"## {title}", "", "| setting | default | meaning |", "| --- | --- | --- |"]
        meanings = _attributes(kind)
        for one in fields(kind):
            default = "" if one.default is MISSING else f"`{one.default!r}`"
            lines.append(f"| `{one.name}` | {default} | {meanings[one.name]} |")
    lines += ["", "`Configuration.to_toml()` and `from_toml()` write and read them:", ""]
    lines += ["```toml", Configuration(depth=3).to_toml(), "```"]
    return "\n".join(lines) + "\n"


def _attributes(kind: type) -> dict[str, str]:
    """The section "Attributes:" of a docstring, by name."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2].split("\n\n")[0]
    found = re.findall(r"^    (\w+): (.*(?:\n        .*)*)", text, re.MULTILINE)
    return {
        name: " ".join(meaning.replace('`"', "`").replace('"`', "`").split())
        for name, meaning in found
    }


def python() -> str:
    """Every public name with the first sentence about it."""
    lines = [
        "# Python",
        "",
        _origin(),
        "",
        "`help(...)` on any of these shows the whole, with examples that run.",
    ]
    for package in PACKAGES:
        lines += ["", f"## {package}", "", "| name | what it is |", "| --- | --- |"]
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            lines.append(f"| `{name}` | {_first(value) if callable(value) else 'the version'} |")
    lines += ["", "## Methods"]
    for name in ("LinkPredictor", "EventStream", "Configuration"):
        kind = getattr(importlib.import_module("linkgram"), name)
        lines += ["", f"### {name}", "", "| member | what it does |", "| --- | --- |"]
        lines += [
            f"| `{member}` | {_first(getattr(kind, member))} |"
            for member in sorted(dir(kind))
            if member[0] != "_" and _is_told(getattr(kind, member))
        ]
    return "\n".join(lines) + "\n"


def _is_told(member: Any) -> bool:
    return callable(member) or isinstance(member, property)


def _first(value: Any) -> str:
    text = " ".join(inspect.cleandoc(value.__doc__ or "").split("\n\n")[0].split())
    return text.replace("|", "\\|")


def result_file() -> str:
    """Every field of a result file, from a result made for the purpose."""
    from linkgram.datasets.film_world import film_world

    result = evaluate(protocol_for(film_world(events=300)), seeds=[1])
    lines = ["# The result file", "", _origin(), ""]
    lines += [
        "One JSON file a configuration and data set: `linkgram evaluate DATA --results DIR`, or "
        "`Result.save`.",
        "", "| field | what it says |", "| --- | --- |",
    ]  # fmt: skip
    lines += [f"| `{name}` | {RESULT_FIELDS[name]} |" for name in result.facts]
    return "\n".join(lines) + "\n"


def _origin() -> str:
    return "Written by `just docs` from the code."


PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "settings.md": settings,
    "python.md": python,
    "result-file.md": result_file,
}


def main() -> None:
    """Write all pages."""
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
