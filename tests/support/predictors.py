"""One way for all tests to build a predictor, to feed it, and to compare its answers by bits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from tests.support.naive import NaiveModel, Settings

from linkgram import Configuration, EventStream, LinkPredictor

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

DEFAULT_ADDITIONS = ("co-occurrence", "global-recency", "multi-scale")


def settings_of(**changes: Any) -> Settings:
    """The settings the laws use unless they say otherwise: small depth, everything switched on."""
    chosen: dict[str, Any] = {
        "depth": 3, "additions": DEFAULT_ADDITIONS, "decay": 10.0, "recency": 4.0
    }  # fmt: skip
    return Settings(**(chosen | changes))


def predictor_of(
    settings: Settings,
    *,
    cells: Literal["float32", "float64"] = "float64",
    weights: Sequence[float] | None = None,
    destinations: Iterable[Any] | None = None,
) -> LinkPredictor:
    """An empty predictor with the settings of the twin."""
    configuration = Configuration(**asdict(settings), cells=cells)
    chosen = None if destinations is None else tuple(destinations)
    return LinkPredictor(configuration, weights=weights, destinations=chosen)


def stream_of(events: Iterable[tuple[Any, Any, float]]) -> EventStream:
    """The stream of a list of events (at least one)."""
    sources, destinations, times = zip(*events, strict=True)
    return EventStream.from_arrays(list(sources), list(destinations), list(times))


def observe_all(
    model: LinkPredictor | NaiveModel, events: Iterable[tuple[Any, Any, float]]
) -> None:
    """Feed the events in order: as one stream to the predictor, one by one to the twin."""
    rest = list(events)
    if isinstance(model, LinkPredictor):
        if rest:
            model.observe(stream_of(rest))
        return
    for source, destination, time in rest:
        model.observe(source, destination, time)


def spread_weights(settings: Settings) -> list[float]:
    """One weight for each feature, all different, of both signs, none zero."""
    count = len(Configuration(**asdict(settings)).feature_names)
    return [(-1) ** k * (0.3 + 0.07 * k) for k in range(count)]


def bits(values: Any) -> list[int]:
    """The bit patterns of float64 values: equal lists mean equal to the last bit."""
    array: NDArray[np.float64] = np.ascontiguousarray(values, dtype=np.float64)
    return [int(pattern) for pattern in array.view(np.uint64).ravel()]


def fed_predictor(
    settings: Settings, events: Iterable[tuple[Any, Any, float]], **options: Any
) -> LinkPredictor:
    """A predictor with spread weights that has observed the events."""
    predictor = predictor_of(settings, weights=spread_weights(settings), **options)
    observe_all(predictor, events)
    return predictor
