"""Dense ids: each role's external ids numbered from 0 in order of first appearance in the stream.

Sources and destinations are numbered apart, even when their external ids look alike: they are two
vocabularies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl

Scalar = TypeVar("Scalar", bound=np.generic)
ExternalIds = npt.NDArray[np.int64] | tuple[str, ...]


def frozen(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Make a read-only copy: nobody else's array can change a stream.

    >>> frozen(np.arange(4)[::2]).flags.writeable
    False
    """
    result = np.array(array, order="C")
    result.flags.writeable = False
    return result


def encode(values: pl.Series) -> tuple[npt.NDArray[np.uint32], ExternalIds]:
    """Dense ids of judged external ids, and the external id of each dense id.

    >>> import polars as pl
    >>> encode(pl.Series(["b", "a", "b"]))
    (array([0, 1, 0], dtype=uint32), ('b', 'a'))
    """
    import polars as pl

    table = values.rename("id").unique(maintain_order=True)
    numbered = pl.DataFrame([table, pl.Series("dense", np.arange(len(table), dtype=np.uint32))])
    joined = (
        values.rename("id").to_frame().join(numbered, on="id", how="left", maintain_order="left")
    )
    dense = frozen(joined["dense"].to_numpy())
    external: ExternalIds
    external = tuple(table.to_list()) if table.dtype == pl.String else frozen(table.to_numpy())
    return dense, external


def renumber(
    dense: npt.NDArray[np.uint32], external: ExternalIds
) -> tuple[npt.NDArray[np.uint32], ExternalIds]:
    """Renumber ids by first appearance in these events alone, leaving unused ids out.

    >>> renumber(np.array([2, 0, 2], dtype=np.uint32), ("a", "b", "c"))
    (array([0, 1, 0], dtype=uint32), ('c', 'a'))
    """
    count = len(dense)
    first = np.full(len(external), count)
    # Of repeated positions the last assignment stays: reversed, that is the first appearance.
    first[dense[::-1]] = np.arange(count)[::-1]
    used = np.flatnonzero(first < count)
    order = used[np.argsort(first[used])]
    number = np.zeros(len(external), dtype=np.uint32)
    number[order] = np.arange(len(order), dtype=np.uint32)
    if isinstance(external, tuple):
        return number[dense], tuple(external[i] for i in order)
    return number[dense], external[order]
