"""The compiled core; see crates/python. Use `linkgram.LinkPredictor` instead."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__version__: str

def convert_negatives(
    path: str | PathLike[str],
    sources: NDArray[np.int64],
    destinations: NDArray[np.int64],
    times: NDArray[np.int64],
    first: int,
    size: int,
    directory: str | PathLike[str],
    progress: Callable[[int], object] | None = None,
) -> dict[str, int]: ...

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
