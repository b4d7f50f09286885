"""The compiled core; see crates/python. Use `linkgram.LinkPredictor` instead."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

__version__: str

class Columns(Protocol):
    """Columns of a stream in dense ids, such as an `EventStream`."""

    @property
    def sources(self) -> NDArray[np.uint32]: ...
    @property
    def destinations(self) -> NDArray[np.uint32]: ...
    @property
    def times(self) -> NDArray[np.float64]: ...

Watch = Callable[[int], object] | None
Candidates = tuple[NDArray[np.int64], NDArray[np.int32]] | None

@final
class Model:
    def __new__(
        cls, settings: dict[str, Any], sources: int, destinations: int, memory: int = ...
    ) -> Model: ...
    def extract(
        self,
        columns: Columns,
        first: int,
        end: int,
        seeds: Sequence[int],
        negatives: int,
        threads: int,
        watch: Watch = None,
    ) -> list[NDArray[np.float32]]: ...
    def fit(
        self,
        columns: Columns,
        first: int,
        end: int,
        candidates: Candidates,
        matrices: Sequence[tuple[int, NDArray[np.float32]]],
        negatives: int,
        settings: tuple[float, int, float, int, int],
        budget: int,
        threads: int,
        watch: Watch = None,
        features: Sequence[Sequence[int]] | None = None,
    ) -> tuple[list[dict[str, Any]], bool, int]: ...
    def ranks(
        self,
        columns: Columns,
        first: int,
        end: int,
        schedule: str,
        size: int,
        candidates: Candidates,
        weights: Sequence[Sequence[float]],
        threads: int,
        watch: Watch = None,
    ) -> NDArray[np.float64]: ...

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
        settings: dict[str, Any],
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

_Lane = tuple[str] | tuple[str, str] | tuple[str, float, float]

@final
class Baseline:
    @staticmethod
    def recall(sources: int, destinations: int) -> Baseline: ...
    @staticmethod
    def pop_track(decays: Sequence[float], batch: int, destinations: int) -> Baseline: ...
    @staticmethod
    def base3(
        columns: Columns,
        end: int,
        sources: int,
        destinations: int,
        shared: tuple[NDArray[np.uint32], NDArray[np.uint32]],
        k: int,
        remembered_from: float,
        decay: float,
    ) -> Baseline: ...
    def observe(self, columns: Columns, first: int, end: int) -> None: ...
    def score(
        self, source: int, candidates: NDArray[np.uint32], time: float, lane: _Lane
    ) -> NDArray[np.float64]: ...
    def ranks(
        self,
        columns: Columns,
        observed: int,
        first: int,
        end: int,
        schedule: str,
        size: int,
        candidates: Candidates,
        lanes: Sequence[_Lane],
        threads: int,
        watch: Watch = None,
    ) -> NDArray[np.float64]: ...
    def copy(self) -> Baseline: ...

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
