"""`linkgram demo`: the model at work in a made-up world, in a few seconds and offline."""

from __future__ import annotations

import click
from rich.table import Table

from linkgram.cli.show import console_for_output
from linkgram.configuration import ADDITIONS, Configuration
from linkgram.datasets.film_world import film_world
from linkgram.evaluation import fit
from linkgram.evaluation.own import protocol_for

PLAIN = {
    "popularity": "popular overall",
    "source_history": "watched before",
    "co_occurrence": "often watched near the last ones",
    "source_recency": "watched recently",
    "global_recency": "watched recently by anyone",
    "source_recency_fast": "watched just now",
    "source_recency_slow": "watched some time ago",
}


@click.command(epilog="Example: linkgram demo --viewer Ben --seed 2")
@click.option("--viewer", default="Ann", show_default=True, help="Whose next film to predict.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Of the world.")
def command(viewer: str, seed: int) -> None:
    """Stream a made-up film-viewing world, fit, and show what the model sees for one viewer."""
    console = console_for_output()
    world = film_world(seed=seed)
    protocol = protocol_for(world, name="film world")
    fitted = fit(
        protocol.before_test,
        protocol.split.training_end,
        protocol.validation,
        Configuration(additions=ADDITIONS),
        seeds=[1],
    )
    predictor = fitted.predictor(world)
    now = float(world.times[-1])
    rows = [k for k in range(len(world)) if world.external(k)[0] == viewer]
    if not rows:
        raise click.ClickException(f"nobody is called {viewer!r} here; try Ann, Ben or Cleo")
    recent = [str(world.external(k)[1]) for k in rows[-5:]]
    console.print(
        f"{len(world):,} viewings observed. [bold]{viewer}[/bold] has watched {len(rows)} films, "
        f"last: {', '.join(reversed(recent))}.",
        markup=True,
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("next film?")
    table.add_column("score", justify="right")
    table.add_column("why (contributions above an unknown film's)")
    stranger = predictor.explain(viewer, "a film nobody has seen", now).contributions
    for film, score in predictor.top_k(viewer, now, k=6):
        parts = predictor.explain(viewer, film, now).contributions
        lifts = sorted(
            ((parts[name] - stranger[name], name) for name in parts), key=lambda lift: -abs(lift[0])
        )
        why = ", ".join(f"{_plain(name, recent)} {lift:+.2f}" for lift, name in lifts[:3])
        table.add_row(str(film), f"{score:.2f}", why)
    console.print(table)
    console.print(
        f"weights fitted on {protocol.split.training_end:,} viewings; validation MRR "
        f"{100 * fitted.validation_mrr:.1f} % (event-wise, all {protocol.vocabulary_size} films as "
        f"candidates)",
        style="dim",
    )


def _plain(name: str, recent: list[str]) -> str:
    if name.startswith("transition_"):
        k = int(name.removeprefix("transition_"))
        return f"follows {recent[-k]}" if k <= len(recent) else name
    return PLAIN[name]
