"""Intervals in a picture, drawn by Matplotlib."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
