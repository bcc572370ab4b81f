"""A picture of a result, drawn by Matplotlib."""

from typing import TYPE_CHECKING

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.evidence.result import Result
from pcsos.report.plane import STYLES, SYMBOLS, Scene, colour, symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Area of a mark, in square points, for a point of mean weight among up to ``FEW``; of more, marks are smaller.
AREA, FEW = 30.0, 500
#: Points from which on they are drawn as an image, also in a vector format.
MANY = 5_000
#: The least and the greatest weight that the area of a mark shows, in mean weights.
LIGHTEST, HEAVIEST = 0.1, 20.0
#: Pairs of a kind that are drawn clearly at most; lines of more are fainter, down to this opacity.
CLEAR, FAINTEST = 100, 0.15
#: Clusters that the legend names at most.
MOST_NAMED = 12


def draw(result: Result, ax: "Axes | None" = None) -> "Axes":
    """Draw points, clusters and pairs of a result; see :meth:`pcsos.evidence.result.Result.plot`."""
    axes = axes_or_new(ax)
    scene = Scene(result.instance, result.labels, result.violated or (), result.conflict)
    places, (across, up) = scene.plane
    for line in scene.lines():
        ends = scene.ends(line)
        axes.plot(
            ends[:, 0], ends[:, 1], STYLES[line.style], color=colour(1) if line.is_coloured else "0.6",
            linewidth=line.width, zorder=1, label=line.name,
            alpha=max(FAINTEST, min(1.0, CLEAR / len(line.pairs))),
        )  # fmt: skip
    areas = _areas(scene)
    is_alike = np.ptp(areas) == 0.0  # then a vector format draws one mark many times
    is_short = scene.instance.n_clusters <= MOST_NAMED
    for cluster, name, members in scene.groups():
        axes.scatter(
            places[members, 0], places[members, 1], color=colour(cluster), marker=SYMBOLS[symbol(cluster)],
            s=areas[0] if is_alike else areas[members], linewidths=0.0, zorder=2, label=name if is_short else None,
            rasterized=scene.drawn.size > MANY, snap=False,  # snapped to pixels, small crosses vanish
        )  # fmt: skip
    badge = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "0.4", "alpha": 0.85}
    for point in scene.contradicting():
        axes.annotate(
            str(scene.instance.names[point]), places[point], (0.0, 8.0), textcoords="offset points", ha="center",
            fontsize="small", color="0.1", bbox=badge, zorder=3, parse_math=False,
        )  # fmt: skip
    axes.set_xlabel(across, parse_math=False)
    axes.set_ylabel(up, parse_math=False)
    axes.set_title(_title(result))
    if axes.get_legend_handles_labels()[0]:
        _draw_legend(axes)
    return axes


def axes_or_new(ax: "Axes | None") -> "Axes":
    """Return the axes that are given, or else new ones; raises InputError where Matplotlib is missing."""
    if ax is not None:
        if not hasattr(ax, "scatter"):
            raise InputError(f"ax is {type(ax).__name__}; give the axes of Matplotlib to draw on, or leave it out")
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise InputError("a plot needs Matplotlib, which is not installed; pip install matplotlib") from error
    return pyplot.subplots(layout="constrained")[1]


def _draw_legend(axes: "Axes") -> None:
    """Name lines and clusters, with marks of one size."""
    from matplotlib.collections import PathCollection

    for handle in axes.legend(fontsize="small").legend_handles:
        if isinstance(handle, PathCollection):
            handle.set_sizes([AREA])


def _areas(scene: Scene) -> Floats:
    """Return the area of the mark of each point, in proportion to its weight."""
    weights = scene.instance.weights
    shares = np.clip(weights / weights.mean(), LIGHTEST, HEAVIEST)
    areas: Floats = AREA * np.sqrt(min(1.0, FEW / len(scene.drawn))) * shares
    return areas


def _title(result: Result) -> str:
    if result.objective is None:
        return str(result.status)
    gap = "" if result.gap is None else f", gap {_percent(result.gap)}"
    what = "cost" if result.penalty else "sum of squares"
    return f"{result.status}: {what} {result.objective:.6g}{gap}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %" if share >= 5e-6 else "below 0.001 %"
