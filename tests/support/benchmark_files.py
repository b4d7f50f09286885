"""Small files in the layouts of the benchmarks, and a slow, plain reading of them.

The negatives are written with Python's own pickle and NumPy, as the benchmarks write them. What a
data set must look like is worked out with lists and dictionaries, one event at a time.
"""

from __future__ import annotations

import pickle
import random
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

EVENTS = 200


@dataclass
class Plain:
    """Events as the benchmark numbers them: (source, destination, time), and its splits."""

    rows: list[tuple[int, int, int]]

    def split(self, which: str) -> list[tuple[int, int, int]]:
        times = [row[2] for row in self.rows]
        first, second = np.quantile(times, [1 - 0.15 - 0.15, 1 - 0.15])
        low, high = {
            "training": (-np.inf, first),
            "validation": (first, second),
            "test": (second, np.inf),
        }[which]
        return [row for row in self.rows if low < row[2] <= high]

    def vocabulary(self) -> range:
        destinations = [row[1] for row in self.rows]
        return range(min(destinations), max(destinations) + 1)

    def negatives(self, which: str, seed: int = 0) -> dict[Any, Any]:
        """A dictionary as TGB pickles it: NumPy keys, float arrays for some sources, ragged."""
        draw = random.Random(seed)
        vocabulary = list(self.vocabulary())
        result = {}
        for source, destination, time in self.split(which):
            others = [other for other in vocabulary if other != destination]
            row = draw.sample(others, min(len(others), draw.randint(1, 20)))
            kind = np.float64 if source % 3 == 0 else np.int64
            key = (np.int64(source), np.int64(destination), np.int64(time))
            result[key] = np.array(row, dtype=kind)
        return result


def tgb_text(layout: str, seed: int = 0) -> str:
    """An edge list; `layout` is wiki, uci, coin, review, comment, flight or days."""
    draw = random.Random(seed)
    names = [f"0x{draw.getrandbits(64):016x}" for _ in range(30)]
    time, lines = 1_000, []
    for index in range(EVENTS):
        time += draw.choice([0, 0, 1, 7, 86_400])
        user, item = draw.randrange(20), draw.randrange(12)
        name, other = draw.choice(names), draw.choice(names)
        day = f"2019-{1 + index // 28:02d}-{1 + index % 28:02d}"
        lines.append(
            {
                "wiki": f"{user},{item},{time}.0,0,0.1,-0.25,3",
                "uci": f"{user},{item},{time}.0,1.0,{index + 1}",
                "coin": f"{time},{name},{other},800.0",
                "review": f"{time},{user},{item + 5},4.0",
                "comment": f"{time},{name},{other},12,-3",
                "flight": f"{time},K{user},E{item},ABC123,A320",
                "days": f"{day},K{user},K{item},ABC123,A320",
            }[layout]
        )
    header = {
        "wiki": "user_id,item_id,timestamp,state_label,comma_separated_list_of_features",
        "uci": "u,i,ts,label,idx",
        "coin": "time,src,dst,weight",
        "review": "ts,src,dst,weight",
        "comment": "ts,src,dst,num_words,score",
        "flight": "day,src,dst,callsign,typecode",
        "days": "day,src,dst,callsign,typecode",
    }[layout]
    return "\n".join([header, *lines]) + "\n"


def plain_tgb(text: str, two_roles: bool) -> Plain:
    """The edge list as the benchmark reads it, one event at a time."""
    fields = [line.split(",") for line in text.splitlines()[1:]]
    if two_roles:
        shift = max(int(row[0]) for row in fields) + 1
        return Plain([(int(r[0]), int(r[1]) + shift, int(float(r[2]))) for r in fields])
    known: dict[str, int] = {}
    rows = []
    for time, source, destination, *_ in fields:
        for name in (source, destination):
            known.setdefault(name, len(known))
        rows.append((known[source], known[destination], int(time)))
    return Plain(rows)


def tgb_files(name: str, layout: str, version: int = 1, protocol: int = 5) -> dict[str, bytes]:
    """All files of one TGB set."""
    text = tgb_text(layout)
    plain = plain_tgb(text, two_roles=layout in ("wiki", "uci"))
    end = f"_v{version}" if version > 1 else ""
    files = {f"{name}_edgelist{end}.csv": text.encode()}
    for split, short in (("validation", "val"), ("test", "test")):
        negatives = pickle.dumps(plain.negatives(split), protocol=protocol)
        files[f"{name}_{short}_ns{end}.pkl"] = negatives
    return files


def zipped(path: Path, files: dict[str, bytes]) -> bytes:
    """The files as one zip archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path.read_bytes()


def seq_text(extra: int = 0, seed: int = 0) -> str:
    """A TGB-Seq file: destinations 1 to 30, sources above, 100 + 20 + 20 events and extra ones."""
    draw = random.Random(seed)
    lines, time = [], 1_000.0
    for index in range(140):
        time += draw.choice([0.0, 0.5, 2.0]) + (5.0 if index in (100, 120) else 0.0)
        destination = index % 30 + 1 if index < 30 else draw.randint(1, 30)
        split = 0 if index < 100 else 1 if index < 120 else 2
        lines.append(f"{draw.randint(31, 40)},{destination},{time},{split}")
    for index in range(extra):
        lines.insert(100 + 2 * index, f"{draw.randint(31, 40)},{draw.randint(1, 30)},1010.0,-1")
    return "\n".join(["src,dst,time,split", *lines]) + "\n"


def seq_negatives(tests: int = 20, seed: int = 0) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.random.default_rng(seed).integers(1, 30, size=(tests, 100))
