"""Configuration: which features, plus depth, backoff, alpha and the two time scales.

A configuration is fixed before the first event. What depends on the data, the two time scales, may
be left open (`None`) until a fit sets it from the training and validation splits.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, NoReturn, Self

import numpy as np

from linkgram.errors import SettingError, shown

Backoff = Literal["marginal", "continuation"]
Addition = Literal["co-occurrence", "global-recency", "multi-scale"]
Cells = Literal["float32", "float64"]

BACKOFFS: tuple[Backoff, ...] = ("marginal", "continuation")
ADDITIONS: tuple[Addition, ...] = ("co-occurrence", "global-recency", "multi-scale")
CELLS: tuple[Cells, ...] = ("float32", "float64")
MAX_DEPTH = 64
# Beyond these, quotients of counts and of times leave the range of a float.
ALPHA_RANGE = (1e-30, 1e30)
SCALE_RANGE = (1e-290, 1e300)


@dataclass(frozen=True, slots=True)
class Configuration:
    """All settings of a model; the defaults are the paper's reference configuration.

    Attributes:
        depth: K, how many recent destinations of a source are contexts; 1 to 64.
        backoff: what sparse estimates fall back on: `"marginal"` (destination frequency) or
            `"continuation"` (Kneser-Ney: how many distinct destinations came before).
        additions: any of `"co-occurrence"`, `"global-recency"`, `"multi-scale"`, each adding
            features to the reference.
        alpha: pseudocount of the smoothing, above 0.
        decay: tau, the time constant with which all counts fade, in the stream's time unit;
            `math.inf` keeps counts undecayed; `None` is set when fitting (the duration of the
            validation split).
        recency: time scale of the recency features, in the stream's time unit; `None` is set when
            fitting (`recency_share` times the duration of the training split).
        recency_share: tau_r, the share of the training duration that `recency` becomes.
        cells: precision of the stored counts; `"float32"` halves the memory, `"float64"` rules out
            rounding.

    >>> Configuration(depth=1, additions=["co-occurrence"]).feature_names
    ('popularity', 'source_history', 'transition_1', 'source_recency', 'co_occurrence')
    >>> Configuration(depth=0)
    Traceback (most recent call last):
    linkgram.errors.SettingError: setting `depth` is 0; accepted: a whole number from 1 to 64

    """

    depth: int = 5
    backoff: Backoff = "marginal"
    additions: tuple[Addition, ...] = ()
    alpha: float = 1.0
    decay: float | None = None
    recency: float | None = None
    recency_share: float = 0.01
    cells: Cells = "float32"

    def __post_init__(self) -> None:
        depth = self.depth
        if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
            _refuse("depth", depth, f"a whole number from 1 to {MAX_DEPTH}")
        _one_of("backoff", self.backoff, BACKOFFS)
        _one_of("cells", self.cells, CELLS)
        given = self.additions
        listed = isinstance(given, (tuple, list, set, frozenset))
        if not listed or not all(isinstance(a, str) and a in ADDITIONS for a in given):
            _refuse("additions", given, f"any of {', '.join(ADDITIONS)}, as a list")
        # One order and no repeats: equal settings must compare, store and hash alike.
        object.__setattr__(self, "additions", tuple(a for a in ADDITIONS if a in given))
        self._take("alpha", ALPHA_RANGE, "a number from 1e-30 to 1e30")
        self._take("recency_share", SCALE_RANGE, "a finite number above 0")
        self._take("decay", SCALE_RANGE, "a time above 0, inf for undecayed, or None")
        self._take("recency", SCALE_RANGE, "a time above 0, or None")

    def _take(self, name: str, limits: tuple[float, float], accepted: str) -> None:
        """Keep a number as a float, if it lies within the limits; time scales may be open."""
        found = getattr(self, name)
        if found is None and name in ("decay", "recency"):
            return
        if isinstance(found, (np.integer, np.floating)):
            found = found.item()
        if isinstance(found, bool) or not isinstance(found, (int, float)):
            _refuse(name, found, accepted)
        # Compared before it is converted: Python's integers may be larger than any float.
        if not limits[0] <= found <= limits[1] and not (name == "decay" and found == math.inf):
            _refuse(name, found, accepted)
        object.__setattr__(self, name, float(found))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in the order of their weights.

        >>> len(Configuration(additions=ADDITIONS).feature_names)
        12
        """
        names = ["popularity", "source_history"]
        names += [f"transition_{k}" for k in range(1, self.depth + 1)]
        names += ["source_recency"]
        names += ["co_occurrence"] * ("co-occurrence" in self.additions)
        names += ["global_recency"] * ("global-recency" in self.additions)
        if "multi-scale" in self.additions:
            names += ["source_recency_fast", "source_recency_slow"]
        return tuple(names)

    @property
    def is_resolved(self) -> bool:
        """Whether both time scales are set, so that events can be observed.

        >>> Configuration().is_resolved, Configuration(decay=math.inf, recency=1.0).is_resolved
        (False, True)
        """
        return self.decay is not None and self.recency is not None

    def resolved(self, *, training_duration: float, validation_duration: float) -> Configuration:
        """The same configuration with open time scales set as the paper sets them.

        A duration of zero (all events at one time) gives no scale; it is replaced by one unit.

        >>> Configuration().resolved(training_duration=500.0, validation_duration=100.0).recency
        5.0
        """
        decay, recency = self.decay, self.recency
        if decay is None:
            decay = validation_duration if validation_duration > 0 else 1.0
        if recency is None:
            recency = self.recency_share * training_duration if training_duration > 0 else 1.0
        return replace(self, decay=decay, recency=recency)

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as plain values.

        >>> Configuration(decay=math.inf).to_dict()["decay"]
        inf
        """
        settings = asdict(self)
        settings["additions"] = list(self.additions)
        return settings

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Self:
        """A configuration from settings by name; unknown names are refused.

        >>> Configuration.from_dict({"depht": 3})
        Traceback (most recent call last):
        linkgram.errors.SettingError: unknown setting `depht`; known: depth, backoff, additions,
        alpha, decay, recency, recency_share, cells
        """
        if not isinstance(settings, Mapping):
            raise TypeError(f"settings are a mapping, not {type(settings).__name__}")
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                raise SettingError(
                    f"unknown setting `{name}`; known: {', '.join(known)}",
                    setting=str(name),
                    value=settings[name],
                )
        return cls(**settings)

    def to_toml(self) -> str:
        """The settings as TOML; open ones are left out.

        >>> print(Configuration(depth=3, decay=math.inf).to_toml())
        depth = 3
        backoff = "marginal"
        additions = []
        alpha = 1.0
        decay = inf
        recency_share = 0.01
        cells = "float32"
        """
        lines = []
        for name, value in self.to_dict().items():
            if isinstance(value, str):
                lines.append(f'{name} = "{value}"')
            elif isinstance(value, list):
                items = ", ".join(f'"{item}"' for item in value)
                lines.append(f"{name} = [{items}]")
            elif value is not None:
                lines.append(f"{name} = {value!r}")
        return "\n".join(lines)

    @classmethod
    def from_toml(cls, text: str | Path) -> Self:
        """A configuration from TOML text, or from the file at a `Path`.

        >>> Configuration.from_toml("depth = 3").depth
        3
        """
        if isinstance(text, Path):
            text = text.read_text(encoding="utf-8")
        if not isinstance(text, str):
            raise TypeError(f"TOML is a text or a Path, not {type(text).__name__}")
        try:
            settings = tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise SettingError(f"the settings are not readable TOML: {problem}") from None
        return cls.from_dict(settings)


def _refuse(name: str, found: object, accepted: str) -> NoReturn:
    raise SettingError(
        f"setting `{name}` is {shown(found)}; accepted: {accepted}", setting=name, value=found
    )


def _one_of(name: str, found: object, accepted: tuple[str, ...]) -> None:
    if not isinstance(found, str) or found not in accepted:
        _refuse(name, found, " or ".join(f'"{value}"' for value in accepted))
