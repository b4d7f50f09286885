"""Results as tables a person reads. Every score stands beside its schedule and candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from linkgram.evaluation.candidate_rule import rule_text
from linkgram.evaluation.result import Result, best


def show_results(results: Sequence[Result], *, reading: float | None = None) -> None:
    """One table: a row a configuration and schedule, the one that validation chooses marked."""
    console = console_for_output()
    facts = results[0].facts
    console.print(_heading(facts), markup=True)
    chosen = best(results)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "backoff", "features", "schedule"):
        table.add_column(name)
    for name in ("val MRR %", "test MRR %", "95 % of queries", "hits@1", "hits@10", "ndcg@10"):
        table.add_column(name, justify="right")
    for result in results:
        for schedule in result.schedules:
            table.add_row(*_row(result, schedule, result is chosen and len(results) > 1))
    console.print(table)
    seeds = facts["seeds"]
    spread = f"mean ± sample sd over {len(seeds)} seeds" if len(seeds) > 1 else "one seed"
    console.print(
        f"{spread}; candidates of test: {rule_text(facts['candidates']['test']['rule'])}; "
        f"ties: midrank" + ("; * chosen by validation" if len(results) > 1 else ""),
        style="dim",
    )
    console.print(_cost(results, reading), style="dim")


class _Output(Console):
    """A console that never squeezes a table: half a number is worse than a line that wraps."""

    def print(self, *objects: Any, **settings: Any) -> None:
        tables = [one for one in objects if isinstance(one, Table)]
        boundless = self.options.update(width=10_000)
        widths = [self.measure(one, options=boundless).maximum for one in tables]
        usual = self.width
        self.width = max(usual, *widths, 0)
        super().print(*objects, **({"crop": False} | settings))
        self.width = usual


def console_for_output() -> Console:
    """Standard output: as wide as the terminal, or wide enough for any row in a pipe.

    Names are the user's: what looks like markup or an emoji in them is only text.
    """
    width = None if Console().is_terminal else 200
    return _Output(width=width, markup=False, emoji=False)


def percent(value: Mapping[str, Any]) -> str:
    """Mean ± sd in percent."""
    mean = f"{100 * value['mean']:.2f}"
    return mean if value["sd"] is None else f"{mean} ± {100 * value['sd']:.2f}"


def _heading(facts: Mapping[str, Any]) -> str:
    data, split = facts["data"], facts["split"]
    return (
        f"[bold]{escape(data['name'])}[/bold]: {data['events']:,} events, "
        f"{data['sources']:,} sources, {data['vocabulary_size']:,} destinations; "
        f"{split['training']:,} train, {split['validation']:,} validation, {split['test']:,} test "
        f"({split['rule']['rule']})"
    )


def _row(result: Result, schedule: str, is_chosen: bool) -> list[str]:
    measured = result.facts["metrics"][schedule]
    low, high = measured["mrr"]["interval"]
    return [
        "*" if is_chosen else "",
        result.backoff,
        result.facts["feature_set"],
        schedule,
        percent(result.facts["validation_mrr"]),
        percent(measured["mrr"]),
        f"{100 * low:.2f} to {100 * high:.2f}",
        *(f"{100 * measured[name]['mean']:.2f}" for name in ("hits@1", "hits@10", "ndcg@10")),
    ]


def _cost(results: Sequence[Result], reading: float | None) -> str:
    seconds: dict[str, float] = {} if reading is None else {"read": reading}
    for result in results:
        for phase, spent in result.facts["seconds"].items():
            seconds[phase] = seconds.get(phase, 0.0) + spent["wall"]
    parts = [f"{phase} {spent:.2f} s" for phase, spent in seconds.items() if spent >= 0.005]
    peak = max(result.facts["peak_memory_bytes"] for result in results)
    return f"{', '.join(parts)}; peak memory {peak / 2**20:.0f} MiB"
