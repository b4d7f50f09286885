"""The compiled core; see crates/python. Use `linkgram.LinkPredictor` instead."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__version__: str

@final
class Predictor:
    def __new__(
        cls,
        *,
        depth: int,
        backoff: str,
        co_occurrence: bool,
        global_recency: bool,
        multi_scale: bool,
        alpha: float,
        decay: float,
        recency: float,
        cells: str,
        destinations: Iterable[int | str] | NDArray[np.int64] | None = None,
    ) -> Predictor: ...
    def observe_one(self, source: int | str, destination: int | str, time: float) -> None: ...
    def observe(
        self,
        sources: NDArray[np.uint32],
        destinations: NDArray[np.uint32],
        times: NDArray[np.float64],
        source_ids: NDArray[np.int64] | Sequence[str],
        destination_ids: NDArray[np.int64] | Sequence[str],
    ) -> None: ...
    def features(
        self, source: int | str, candidates: Iterable[int | str], time: float
    ) -> NDArray[np.float64]: ...
    def score(
        self, source: int | str, candidates: Iterable[int | str], time: float
    ) -> NDArray[np.float64]: ...
    def rank(
        self,
        source: int | str,
        destination: int | str,
        candidates: Iterable[int | str],
        time: float,
    ) -> float: ...
    def top_k(self, source: int | str, time: float, k: int) -> list[tuple[int | str, float]]: ...
    def explain(
        self, source: int | str, candidate: int | str, time: float
    ) -> list[tuple[str, float, float]]: ...
    def set_weights(self, values: Sequence[float], bias: float) -> None: ...
    def weights(self) -> tuple[list[float], float] | None: ...
    def feature_names(self) -> list[str]: ...
    def configuration(self) -> dict[str, Any]: ...
    def describe(self) -> dict[str, Any]: ...
    def digest(self) -> str: ...
    def save(self, path: str | PathLike[str], note: str) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> tuple[Predictor, str]: ...

_Drawn = tuple[NDArray[np.int64], NDArray[np.int32]]

def historical_random(
    sources: NDArray[np.uint32],
    destinations: NDArray[np.uint32],
    times: NDArray[np.float64],
    *,
    source_count: int,
    vocabulary_size: int,
    training_end: int,
    validation_end: int,
    k: int,
    seed: int,
    allocate: Callable[[int, int], NDArray[np.int32]],
    progress: Callable[[int], object] | None,
) -> tuple[_Drawn, _Drawn]: ...
def seeded_candidates(
    rule: str,
    positives: NDArray[np.uint32],
    *,
    first: int,
    vocabulary_size: int,
    k: int,
    seed: int,
    out: NDArray[np.int32],
    counts: NDArray[np.uint64] | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> None: ...
