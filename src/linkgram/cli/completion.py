"""What a shell offers when somebody presses Tab."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_data(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Files, and names of data sets that begin so."""
    # Files first: bash forgets what it was told before them.
    names = complete_names(context, parameter, incomplete)
    return [CompletionItem(incomplete, type="file"), *names]


def complete_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of data sets that begin so."""
    from linkgram.datasets.registry import registry

    return [CompletionItem(name) for name in registry() if name.startswith(incomplete)]


def completed_from(words: Iterable[str]) -> Completion:
    """Complete an option from these words."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]

    return complete
