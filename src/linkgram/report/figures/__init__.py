"""The paper's figures from stored studies: one file a figure, one style, the same bytes each time.

Needs matplotlib, which the extra `report` brings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from linkgram.report.figures import (
    backoff,
    coverage,
    depth,
    features,
    smoothing,
    style,
    timing,
    weights,
)
from linkgram.report.shelf import Shelf

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Mapping[str, Callable[[Shelf], Figure | None]] = {
    "backoff": backoff.draw,
    "features": features.draw,
    "weights": weights.draw,
    "weights-added": weights.draw_added,
    "depth": depth.draw,
    "coverage": coverage.draw,
    "smoothing": smoothing.draw,
    "timing": timing.draw,
}


def draw_all(
    results_dir: str | os.PathLike[str], figures_dir: str | os.PathLike[str]
) -> list[Path]:
    """Draw every figure whose studies are in `results_dir`, as SVG, PDF and PNG.

    A figure without studies to draw is left out; the paths that were written are returned.
    """
    shelf = Shelf.read(results_dir)
    written = []
    for name, draw in FIGURES.items():
        with style.quiet():
            figure = draw(shelf)
            if figure is not None:
                written += style.save(figure, Path(figures_dir), name)
    return written
