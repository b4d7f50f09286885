"""Choices: which feature set the paper used for which data set and backoff, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from linkgram.configuration import Addition, Backoff
from linkgram.errors import SettingError, shown


@cache
def _table() -> dict[str, Any]:
    text = resources.files("linkgram.evaluation").joinpath("configurations.toml").read_text("utf-8")
    return tomllib.loads(text)


def feature_sets() -> dict[str, tuple[Addition, ...]]:
    """Additions of every named feature set.

    >>> feature_sets()["reference"]
    ()
    """
    return {name: tuple(additions) for name, additions in _table()["feature_sets"].items()}


def feature_set_of(name: str, backoff: Backoff) -> str:
    """The paper's feature set for a data set, or the default for one it does not have.

    >>> feature_set_of("tgbl-comment", "marginal"), feature_set_of("mine", "marginal")
    ('multi-scale', 'all-three')
    """
    data_sets = _table()["data_sets"]
    return str(data_sets.get(name, data_sets["default"])[backoff])


def additions_of(feature_set: str) -> tuple[Addition, ...]:
    """The additions of a named feature set.

    >>> additions_of("all-three")
    ('co-occurrence', 'global-recency', 'multi-scale')
    """
    known = feature_sets()
    if feature_set not in known:
        raise SettingError(
            f"feature set {shown(feature_set)} is unknown; accepted: {', '.join(known)}",
            setting="features",
            value=feature_set,
        )
    return known[feature_set]


def name_of(additions: tuple[Addition, ...]) -> str:
    """The name of a feature set, or its additions joined if it has none.

    >>> name_of(()), name_of(("co-occurrence", "multi-scale"))
    ('reference', 'co-occurrence+multi-scale')
    """
    for name, members in feature_sets().items():
        if members == additions:
            return name
    return "+".join(additions)
