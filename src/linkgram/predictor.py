"""LinkPredictor: what the history says about a source's next destination.

Two verbs change a predictor, and they are kept apart: `observe` adds events to the history by a
fixed rule, and setting (or fitting) the weights decides how the evidence is combined. Everything
else only asks.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from linkgram import _core
from linkgram.configuration import Configuration
from linkgram.errors import SettingError, StateFileError
from linkgram.events import EventStream
from linkgram.whole_file import written_whole

Id = int | str
# `float()` would take these, but nobody means them.
NO_NUMBERS = (str, bytes, bytearray, bool, np.bool_)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a candidate has its score: every feature's value and contribution.

    `contributions` (weight times value) and `bias` add up to `score`.
    """

    candidate: Id
    score: float
    bias: float
    values: dict[str, float]
    contributions: dict[str, float]

    def __str__(self) -> str:
        lines = [f"{self.candidate}: score {self.score:.4f}"]
        ordered = sorted(self.contributions.items(), key=lambda item: -abs(item[1]))
        lines += [
            f"  {name:<20} {part:+9.4f}  (value {self.values[name]:.4f})" for name, part in ordered
        ]
        return "\n".join(lines)


class LinkPredictor:
    """Predicts a source's next destination from the smoothed counts of what it has observed.

    Args:
        configuration: the settings; `decay` and `recency` must be set (a fit sets them otherwise).
        weights: one number a feature, by name or in order; may be set later.
        destinations: a fixed vocabulary; without it, the vocabulary is what was observed so far.

    >>> import math
    >>> settings = Configuration(depth=2, decay=math.inf, recency=2.0)
    >>> predictor = LinkPredictor(settings, weights=[0.1, 0.3, 1.0, 0.5, 1.0])
    >>> for time, film in enumerate(["Alien", "Brazil", "Casablanca", "Brazil", "Casablanca"]):
    ...     predictor.observe("ann", film, time)
    >>> [film for film, score in predictor.top_k("ann", time=5, k=2)]
    ['Brazil', 'Casablanca']

    """

    __slots__ = ("_configuration", "_core")

    def __init__(
        self,
        configuration: Configuration | None = None,
        *,
        weights: Mapping[str, float] | Sequence[float] | None = None,
        destinations: Iterable[Id] | None = None,
    ) -> None:
        if configuration is None:
            configuration = Configuration()
        if not isinstance(configuration, Configuration):
            raise TypeError(f"configuration is a Configuration, not {type(configuration).__name__}")
        for name in ("decay", "recency"):
            if getattr(configuration, name) is None:
                raise SettingError(
                    f"setting `{name}` is open; a predictor that observes needs a time scale in "
                    f"the stream's unit: Configuration({name}=...), or fit one on data",
                    setting=name,
                )
        self._configuration = configuration
        self._core = _core.Predictor(configuration.to_dict(), destinations)
        if weights is not None:
            self._set_weights(weights, 0.0)

    @property
    def configuration(self) -> Configuration:
        """The settings it was made with."""
        return self._configuration

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in the order of their weights."""
        return self._configuration.feature_names

    @property
    def weights(self) -> dict[str, float] | None:
        """The weights by feature name, or `None`; set them by name or in order.

        >>> import math
        >>> predictor = LinkPredictor(Configuration(depth=1, decay=math.inf, recency=1.0))
        >>> predictor.weights = [0.1, 0.3, 1.0, 0.5]
        >>> predictor.weights["transition_1"]
        1.0
        """
        known = self._core.weights()
        return None if known is None else dict(zip(self.feature_names, known[0], strict=True))

    @weights.setter
    def weights(self, weights: Mapping[str, float] | Sequence[float]) -> None:
        self._set_weights(weights, self.bias)

    @property
    def bias(self) -> float:
        """The constant of the score; it cannot move a ranking."""
        known = self._core.weights()
        return 0.0 if known is None else known[1]

    def _set_weights(self, weights: Mapping[str, float] | Sequence[float], bias: float) -> None:
        if isinstance(weights, Mapping):
            wrong = set(weights).symmetric_difference(self.feature_names)
            if wrong:
                raise SettingError(
                    f"weights are missing or unknown for: {', '.join(sorted(map(str, wrong)))}; "
                    f"the features are {', '.join(self.feature_names)}",
                    setting="weights",
                )
            weights = [weights[name] for name in self.feature_names]
        if isinstance(weights, (str, bytes, bytearray)):
            raise TypeError(
                f"weights are a mapping or a list of numbers, not {type(weights).__name__}"
            )
        names = (*self.feature_names, *("surplus",) * len(weights))
        values = [_as_weight(weight, name) for name, weight in zip(names, weights, strict=False)]
        self._core.set_weights(values, bias)

    @overload
    def observe(self, source: EventStream, /) -> None: ...
    @overload
    def observe(self, source: Id, destination: Id, time: float) -> None: ...
    def observe(
        self,
        source: EventStream | Id,
        destination: Id | None = None,
        time: float | None = None,
    ) -> None:
        """Adds one event, or a stream of them, to the history.

        Events must not be earlier than what was observed before. A stream that cannot be observed
        whole is refused whole.

        >>> import math
        >>> predictor = LinkPredictor(Configuration(decay=math.inf, recency=1.0))
        >>> predictor.observe("ann", "Alien", 3.0)
        >>> predictor.observe("ann", "Brazil", 2.0)
        Traceback (most recent call last):
        linkgram.errors.EventError: time 2.0 is before the previous event's 3.0; events must be in
        time order (pass sort=True to sort while reading)
        """
        if isinstance(source, EventStream):
            if destination is not None or time is not None:
                raise TypeError("observe takes a stream alone, or source, destination and time")
            self._core.observe(
                source.sources,
                source.destinations,
                source.times,
                source.source_ids,
                source.destination_ids,
            )
            return
        if destination is None or time is None:
            raise TypeError("observe takes a stream alone, or source, destination and time")
        self._core.observe_one(source, destination, time)

    def features(self, source: Id, candidates: Iterable[Id], time: float) -> NDArray[np.float64]:
        """The features of every candidate: one row a candidate, one column a feature name."""
        return self._core.features(source, candidates, time)

    def score(self, source: Id, candidates: Iterable[Id], time: float) -> NDArray[np.float64]:
        """The score of every candidate; higher is likelier. Changes nothing."""
        return self._core.score(source, candidates, time)

    def rank(self, source: Id, destination: Id, candidates: Iterable[Id], time: float) -> float:
        """Midrank of `destination` among itself and the negative `candidates`.

        One plus the number of candidates with a higher score, plus half of those with an equal one.
        """
        return self._core.rank(source, destination, candidates, time)

    def top_k(self, source: Id, time: float, k: int = 10) -> list[tuple[Id, float]]:
        """The `k` best destinations of the whole vocabulary with their scores, best first.

        Equal scores stand in the order in which the destinations were first seen.
        """
        if isinstance(k, bool) or not hasattr(k, "__index__"):
            raise TypeError(f"k is a whole number, not {type(k).__name__}")
        count = operator.index(k)
        if count < 0:
            raise SettingError("k is below 0; accepted: 0 or larger", setting="k", value=k)
        return self._core.top_k(source, time, min(count, 2**32))

    def explain(self, source: Id, candidate: Id, time: float) -> Explanation:
        """What each feature contributes to the candidate's score.

        >>> import math
        >>> predictor = LinkPredictor(
        ...     Configuration(depth=1, decay=math.inf, recency=1.0), weights=[1, 1, 1, 1]
        ... )
        >>> predictor.observe("ann", "Alien", 1.0)
        >>> parts = predictor.explain("ann", "Alien", 1.0).contributions
        >>> round(sum(parts.values()), 9), predictor.score("ann", ["Alien"], 1.0).round(9)
        (1.0, array([1.]))
        """
        rows = self._core.explain(source, candidate, time)
        contributions = {name: value * weight for name, value, weight in rows}
        return Explanation(
            candidate=candidate,
            score=sum(contributions.values()) + self.bias,
            bias=self.bias,
            values={name: value for name, value, _ in rows},
            contributions=contributions,
        )

    def describe(self) -> dict[str, Any]:
        """Sizes: events, vocabulary, and for each table its rows, cells and bytes."""
        sizes = self._core.describe()
        sizes["tables"] = {
            name: dict(zip(("rows", "cells", "bytes"), counts, strict=True))
            for name, counts in sizes["tables"].items()
        }
        return sizes

    def digest(self) -> str:
        """32 hexadecimal digits that change with everything that could change an answer."""
        return self._core.digest()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes settings, weights, vocabularies and counts to one file, whole or not at all."""
        note = json.dumps({"recency_share": self._configuration.recency_share})
        with written_whole(path) as place:
            self._core.save(place, note)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """A predictor that continues where the saved one stopped, bit for bit.

        The file is checked before it is believed; it cannot run code.
        """
        try:
            core, note = _core.Predictor.load(path)
        except StateFileError as error:
            raise StateFileError(f"{os.fspath(path)!r}: {error.message}", hint=error.hint) from None
        except OSError as error:
            # An error of the system that comes from Rust does not say which file it was.
            raise type(error)(f"{os.fspath(path)!r}: {error}") from None
        settings = core.configuration()
        share = _recency_share(note)
        if share is not None:
            settings["recency_share"] = share
        predictor = cls.__new__(cls)
        predictor._configuration = Configuration.from_dict(settings)
        predictor._core = core
        return predictor

    def __repr__(self) -> str:
        sizes = self._core.describe()
        fitted = "with weights" if self._core.weights() else "without weights"
        return (
            f"<LinkPredictor {fitted}: {sizes['events']} events, {sizes['sources']} sources, "
            f"{sizes['destinations']} destinations>"
        )


def _recency_share(note: str) -> float | None:
    """The share kept in a saved state's note, which is as untrusted as the file."""
    try:
        share = json.loads(note)["recency_share"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    usable = isinstance(share, float) and 0 < share < float("inf")
    return share if usable else None


def _as_weight(weight: object, name: str) -> float:
    if isinstance(weight, NO_NUMBERS):
        raise TypeError(f"weight `{name}` is a number, not {type(weight).__name__}")
    try:
        return float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise SettingError(
            f"weight `{name}` is not usable; weights must be numbers between -1e100 and 1e100",
            setting="weights",
            value=weight,
        ) from None
