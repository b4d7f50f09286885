"""The pages are true: links lead somewhere, commands parse, reference pages are what code says."""

from __future__ import annotations

import re
import runpy
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from linkgram import __version__, cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
REFERENCE = runpy.run_path(str(ROOT / "docs" / "reference" / "make.py"))["PAGES"]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_to_a_file_leads_to_one(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_in_a_page_is_one_that_linkgram_takes(page):
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    commands = [found for line in lines for found in re.findall(r"\blinkgram (.*)", line)]
    for words in commands:
        parses(shlex.split(words, comments=True))


def parses(words: list[str]) -> None:
    """Parse as the command would, without running it; unknown names and options raise."""
    command: click.Command = cli.group
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, words = found, words[1:]
    # `>> ~/.bashrc` and `| head` are the shell's.
    words = words[: next((i for i, word in enumerate(words) if word in (">", ">>", "|")), None)]
    parser = command.make_parser(click.Context(command))
    _, rest, _ = parser.parse_args(words)
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    assert len(rest) <= len(arguments) or isinstance(command, click.Group), words


@pytest.mark.parametrize("name", REFERENCE)
def test_a_reference_page_is_what_the_code_says(name):
    page = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert page == REFERENCE[name](), "run `just docs` to write the reference pages anew"


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached:
            continue
        reached.add(page)
        text = page.read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)#]+\.md)(?:#[^)]*)?\)", text)
        waiting += [page.parent / link for link in links if "://" not in link]
    decisions = set((ROOT / "docs" / "decisions").glob("*.md"))
    assert {page.resolve() for page in PAGES} - decisions <= reached


def test_the_version_is_the_same_everywhere():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert cargo["workspace"]["package"]["version"] == __version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation
    assert __version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
