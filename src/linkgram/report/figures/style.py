"""The one quiet style of all figures: few lines, direct labels, colours anybody can tell apart.

The files are deterministic: no dates, fixed ids, the fonts that come with matplotlib.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from linkgram.report.words import MINUS

# Okabe and Ito's palette, told apart with every common colour blindness. Yellow, too pale for a
# line, is left out.
BLUE = "#0072B2"
VERMILLION = "#D55E00"
GREEN = "#009E73"
PURPLE = "#AA4499"
SKY = "#56B4E9"
ORANGE = "#E69F00"
INK = "#22282d"
MUTED = "#667078"
LINE = "#d5dade"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, SKY, ORANGE)
WIDTH = 7.2
# Points between a panel and its title.
TITLE_PAD = 6.0
# Inches that a line of text takes, by its size in points.
LINES = {10: 0.175, 6.5: 0.11}

_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": TITLE_PAD,
    "axes.labelsize": 8,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": LINE,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "text.color": INK,
    "xtick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.color": LINE,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 7,
    "ytick.labelsize": 8,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "linkgram",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    # Names of data sets are text, never formulas.
    "text.parse_math": False,
    "text.usetex": False,
}
_METADATA = {
    "svg": {"Date": None, "Creator": "linkgram"},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": "linkgram", "Producer": None},
    "png": {"Software": "linkgram"},
}


@contextmanager
def quiet() -> Iterator[None]:
    """Draw and save in the one style, whatever the user's own settings are."""
    with mpl.rc_context(), warnings.catch_warnings():
        # A name in a script that the font lacks shows boxes; it must not stop the figure.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def sheet(height: float, width: float = WIDTH) -> Figure:
    """An empty figure, `width` and `height` in inches; `head` adds what its texts need."""
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.05)
    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def head(figure: Figure, title: str, caption: str) -> Figure:
    """Give a figure its title (the finding) above and its caption (how it was measured) below."""
    wide, high = figure.get_size_inches()
    above, below = _wrapped(title, wide * 11.4), _wrapped(caption, wide * 20)
    figure.suptitle(above, x=0.01, ha="left", fontsize=10, fontweight="bold")
    figure.supxlabel(below, x=0.01, ha="left", fontsize=6.5, color=MUTED)
    figure.set_figheight(high + 0.1 + LINES[10] * _lines(above) + LINES[6.5] * _lines(below))
    return figure


def _lines(text: str) -> int:
    return text.count("\n") + 1


def _wrapped(text: str, width: float) -> str:
    return "\n".join(textwrap.wrap(text, int(width), break_on_hyphens=False))


def signed_axis(axes: Axes, label: str, *, along: str = "x") -> None:
    """An axis of differences: a line at zero, signs on the ticks, a faint grid."""
    axis = axes.xaxis if along == "x" else axes.yaxis
    axis.set_major_formatter(_signed)
    axis.set_label_text(label)
    axis.grid(visible=True)
    line: Callable[..., object] = axes.axvline if along == "x" else axes.axhline
    line(0, color=MUTED, linewidth=0.8, zorder=1.5)


def _signed(value: float, _: object = None) -> str:
    return f"{value:+.10g}".replace("-", MINUS) if value else "0"


def colour_of_sign(value: float) -> str:
    """Blue for a gain, vermillion for a loss."""
    return BLUE if value >= 0 else VERMILLION


def save(figure: Figure, directory: Path, name: str) -> list[Path]:
    """Write a figure as SVG, PDF and PNG; the same figure gives the same bytes."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for kind, metadata in _METADATA.items():
        path = directory / f"{name}.{kind}"
        figure.savefig(path, metadata=metadata, dpi=200)
        paths.append(path)
    return paths
