"""Figures of a comparison, as PNG and SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from taec.analysis.labels import GAP, Rectangle, place_labels
from taec.analysis.statistics import Interval, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#555555")
"""Okabe and Ito's palette, which colour-blind readers can tell apart, with yellow and black exchanged for legible ones."""

MARKERS = ("o", "s", "D", "^", "v", "P", "X", "h")
WIDE = 8.0
"""Ratio of the largest to the smallest cost from which the axis is logarithmic."""

CLOSE = 0.6
"""Ratio of the smallest to the largest cost from which the axis need not begin at zero."""


@dataclass(frozen=True, slots=True)
class Point:
    """A run in the figure: MB a question, accuracy and its interval in percent."""

    cost: float
    share: float
    low: float
    high: float


def accuracy_figure(runs: Sequence[tuple[str, Summary]], stem: Path, title: str = "Accuracy against context") -> list[Path]:
    """Accuracy (with its interval) against context bytes a question, one labelled point a run; runs without a verdict are left out.

    Writes `<stem>.png` and `<stem>.svg` and returns their paths; [] where no run has a verdict.
    """
    names = [name for name, summary in runs if summary.accuracy]
    points = [_point(summary, summary.accuracy) for _, summary in runs if summary.accuracy]
    if not points:
        return []
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.6), dpi=160, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for at, point in enumerate(points):
        colour = COLOURS[at % len(COLOURS)]
        axes.vlines(point.cost, point.low, point.high, color=colour, alpha=0.45, linewidth=1.6, zorder=2)
        axes.plot(point.cost, point.share, MARKERS[at % len(MARKERS)], color=colour, markersize=8, markeredgecolor="white", zorder=3)
    _dress(axes, points, title)
    _label(canvas, axes, names, points)
    written = [stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg")]
    for path in written:
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return written


def _point(summary: Summary, interval: Interval) -> Point:
    return Point(summary.context_bytes / 1e6, 100 * interval.value, 100 * interval.low, 100 * interval.high)


def _dress(axes: "Axes", points: Sequence[Point], title: str) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel("context, MB of images a question (base64)")
    axes.set_ylabel("accuracy, % (95 % interval)")
    low, high = min(point.low for point in points), max(point.high for point in points)
    margin = max(2.0, 0.08 * (high - low))
    axes.set_ylim(max(-1.0, low - margin), min(101.0, high + margin))
    least, most = min(point.cost for point in points), max(point.cost for point in points)
    if least > 0 and most / least >= WIDE:
        axes.set_xscale("log")
        axes.set_xlim(least / 1.5, most * 1.9)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        margin = max(most - least, 0.1 * most)
        start = least - margin if CLOSE * most < least < most else 0.0
        axes.set_xlim(start, most + 0.6 * margin if start else 1.25 * most or 1.0)
    axes.yaxis.set_major_locator(MaxNLocator(8, steps=(1, 2, 5, 10)))
    axes.grid(True, color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _label(canvas: "FigureCanvasAgg", axes: "Axes", names: Sequence[str], points: Sequence[Point]) -> None:
    """Write each name beside its point, with a thin line to it where it had to move away."""
    canvas.draw()  # type: ignore[no-untyped-call]
    figure = canvas.figure
    figure.set_layout_engine("none")
    frame = axes.get_window_extent()
    centres = [tuple(axes.transData.transform((point.cost, point.share))) for point in points]
    whiskers = [[axes.transData.transform((point.cost, end))[1] for end in (point.low, point.high)] for point in points]
    obstacles = [Rectangle(x - 9, y - 9, x + 9, y + 9) for x, y in centres]
    obstacles += [Rectangle(x - 3, low, x + 3, high) for (x, _), (low, high) in zip(centres, whiskers, strict=True)]
    texts = [axes.text(0, 0, name, fontsize=9, transform=None) for name in names]
    sizes = [(box.width + 4, box.height + 2) for box in (text.get_window_extent() for text in texts)]
    places = place_labels(centres, sizes, obstacles, Rectangle(*frame.extents))
    for at, (text, (x, y), place) in enumerate(zip(texts, centres, places, strict=True)):
        colour = COLOURS[at % len(COLOURS)]
        middle = (place.bottom + place.top) / 2
        text.remove()
        near = place.left if place.left > x else place.right
        line = {
            "arrowstyle": "-",
            "color": colour,
            "alpha": 0.6,
            "linewidth": 0.8,
            "shrinkB": 4,
            "shrinkA": 1,
            "relpos": (0.0 if place.left > x else 1.0, 0.5),
        }
        axes.annotate(
            names[at],
            (points[at].cost, points[at].share),
            xytext=((near - x) * 72 / figure.dpi, (middle - y) * 72 / figure.dpi),
            textcoords="offset points",
            ha="left" if place.left > x else "right",
            va="center",
            fontsize=9,
            color=colour,
            zorder=4,
            arrowprops=line if max(abs(middle - y), abs(near - x)) > 1.5 * GAP else None,
        )
