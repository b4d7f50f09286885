"""The protocol that a command evaluates under: by its options, or by the data set's benchmark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from linkgram.cli.opening import columns_of, open_stream, was_given
from linkgram.cli.progress import Bars
from linkgram.datasets import home
from linkgram.datasets.protocol import protocol_of, rule_of, split_of
from linkgram.errors import SettingError
from linkgram.evaluation.candidate_rule import CandidateRule
from linkgram.evaluation.own import protocol_for
from linkgram.evaluation.protocol import Protocol
from linkgram.evaluation.split import Split, by_fraction, by_quantile, by_time
from linkgram.events import EventStream
from linkgram.events.arrays import series
from linkgram.events.times import judged_times

# Larger candidates are mapped from a file.
MAPPED_BYTES = 256 << 20


def open_protocol(data: str, settings: dict[str, Any], threads: int, progress: Bars) -> Protocol:
    """The protocol of a file by the options, or of a data set by its benchmark."""
    stream, name, data_set = open_stream(data, settings, progress)
    text, seed = settings["candidate_rule"], settings["candidate_seed"]
    asked = None if text is None else CandidateRule.parse(text, seed=seed)
    split = open_split(stream, settings) if data_set is None else split_of(data_set)
    queries = split.events - split.training_end
    common: dict[str, Any] = {
        "threads": threads,
        "progress": lambda done: progress("candidates", done, queries),
    }
    if data_set is not None:
        if asked is None and was_given("candidate_seed"):
            raise SettingError(
                f"--candidate-seed goes with --candidates; those of the data set {name} have "
                f"its benchmark's seed",
                setting="candidate_seed",
                value=seed,
            )
        whole = asked is None and len(data_set.shipped) == 2
        place = None if whole else _place_of_candidates(asked or rule_of(data_set), stream, queries)
        return protocol_of(data_set, candidates=asked, directory=place, **common)
    rule = asked or replace(CandidateRule.default(len(stream.destination_ids)), seed=seed)
    provenance = {
        "file": Path(data).name,
        "columns": list(columns_of(settings).values()),
        "sorted": settings["sort"],
    }
    return protocol_for(
        stream,
        name=name,
        split=split,
        candidates=rule,
        directory=_place_of_candidates(rule, stream, queries),
        provenance=provenance,
        **common,
    )


def _place_of_candidates(rule: CandidateRule, stream: EventStream, queries: int) -> Path | None:
    """A folder to map large candidates from while the command runs; None keeps them in memory."""
    if rule.bytes(queries, len(stream.destination_ids)) < MAPPED_BYTES:
        return None
    try:
        home().mkdir(parents=True, exist_ok=True)
        folder = TemporaryDirectory(prefix=".candidates-", dir=home())
    except OSError:
        return None
    return Path(click.get_current_context().with_resource(folder))


def open_split(stream: EventStream, settings: dict[str, Any]) -> Split:
    """The split that the options describe."""
    kind, _, bounds = settings["split"].partition(":")
    shares = {"validation": settings["validation_share"], "test": settings["test_share"]}
    if kind == "quantiles":
        return by_quantile(stream, **shares)
    if kind == "fractions":
        return by_fraction(stream, **shares)
    try:
        times, _ = judged_times(series(bounds.split(","), "split"), "split")
        validation_start, test_start = times.tolist()
    except ValueError:
        kind = "unknown"
    if kind != "times":
        raise SettingError(
            f"split {settings['split']!r} is unknown",
            setting="split",
            value=settings["split"],
            hint="accepted: quantiles, fractions, times:VALIDATION_START,TEST_START; both are "
            "numbers as in the file, or dates such as 2024-05-01",
        )
    return by_time(stream, validation_start=validation_start, test_start=test_start)
