"""Pictures of choices, drawn by Matplotlib."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from pcsos.choice.corners import Front
from pcsos.choice.curve import Path
from pcsos.report.picture import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_path(path: Path, ax: "Axes | None" = None, *, index: bool = False) -> "Axes":
    """Draw the intervals of a path; see :meth:`pcsos.choice.curve.Path.plot`."""
    axes = axes_or_new(ax)
    ends = [(row.index_least, row.index_most) if index else (row.lower_bound, row.objective) for row in path.rows]
    numbers = [row.n_clusters for row in path.rows]
    known = [(k, low, high) for k, (low, high) in zip(numbers, ends, strict=True) if low is not None]
    draw_intervals(axes, known)
    axes.set_xlabel("number of clusters k")
    axes.set_ylabel("index of Calinski and Harabasz" if index else "sum of squares")
    axes.set_xticks(numbers)
    if index and path.verdict:
        axes.set_title(path.verdict, fontsize="medium")
    return axes


def draw_front(front: Front, ax: "Axes | None" = None) -> "Axes":
    """Draw the corners of a front; see :meth:`pcsos.choice.corners.Front.plot`."""
    axes = axes_or_new(ax)
    rising = sorted((corner.value, corner.objective) for corner in front.corners)
    draw_intervals(axes, [(one.value, one.lower_bound or 0.0, one.objective) for one in front.corners])
    where: Literal["pre", "post"] = "post" if front.criterion == "diameter" else "pre"  # what a limit in between costs
    axes.step(*np.array(rising).reshape(-1, 2).T, where=where, color="0.6", linewidth=1.0, zorder=1)
    axes.set_xlabel(front.criterion)
    axes.set_ylabel("sum of squares")
    return axes


def draw_intervals(axes: "Axes", intervals: Sequence[tuple[float, float | None, float | None]]) -> None:
    """Draw an interval from low to high over each place; an end that is not known, or infinite, is an arrow."""
    if not intervals:
        return
    places, low, high = np.array(intervals, np.float64).T
    is_open = ~np.isfinite(high)
    high = np.where(is_open, low, high)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    axes.errorbar(places, middle, half, fmt="o", markersize=3, capsize=5, zorder=2)
    axes.scatter(places[is_open], low[is_open], marker="^", zorder=3)
