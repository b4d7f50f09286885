"""The list of data sets: what there is, and what is on this machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from linkgram.datasets.places import find
from linkgram.datasets.registry import registry
from linkgram.errors import DataSetMissingError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataSetRecord:
    """One line of the list: `where` is the folder when the data set is present, else None."""

    name: str
    benchmark: str
    version: int
    size: str
    source: str
    licence: str
    present: bool
    where: Path | None
    candidate_rule: Mapping[str, Any] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)


def list_data_sets(directory: str | os.PathLike[str] | None = None) -> list[DataSetRecord]:
    """List the data sets known by name, in the order of the registry.

    >>> [record.name for record in list_data_sets() if record.benchmark == "TGB-Seq"][:2]
    ['ML-20M', 'Taobao']
    """
    records = []
    for registration in registry().values():
        try:
            where = find(registration.name, directory).directory
        except DataSetMissingError:
            where = None
        records.append(
            DataSetRecord(
                name=registration.name,
                benchmark=registration.benchmark,
                version=registration.version,
                size=registration.size,
                source=registration.url,
                licence=registration.licence,
                present=where is not None,
                where=where,
                candidate_rule=dict(registration.candidates),
                notes=registration.notes,
            )
        )
    return records
