"""A picture of a result, drawn by Matplotlib."""

from typing import TYPE_CHECKING

import numpy as np

from pcsos.exceptions import InputError
from pcsos.report.contents import instance_of
from pcsos.report.plane import Plane, drawn_pairs, drawn_points, ends_by_kind
from pcsos.report.style import SYMBOLS, colour, symbol
from pcsos.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(result: Result, ax: "Axes | None" = None) -> "Axes":
    """Draw points, clusters and pairs of a result; see :meth:`pcsos.result.Result.plot`."""
    instance, axes = instance_of(result), axes_or_new(ax)
    plane = Plane.of(instance)
    own = np.zeros(instance.n_points, np.intp) if result.labels is None else result.labels
    places = plane.coordinates
    if instance.n_features == 1:
        places = np.column_stack([places[:, 0], own])
    must, cannot = ends_by_kind(result.violated or [])
    for name, pairs, dash, ink in (
        ("must-link", instance.must_link, "-", "0.6"),
        ("cannot-link", instance.cannot_link, "--", "0.6"),
        ("broken soft must-link", must, ":", colour(1)),
        ("broken soft cannot-link", cannot, "-.", colour(1)),
    ):
        for number, pair in enumerate(drawn_pairs(pairs)):
            label = name if number == 0 else None
            axes.plot(places[pair, 0], places[pair, 1], dash, color=ink, linewidth=1.0, zorder=1, label=label)
    drawn = drawn_points(instance.n_points)
    for cluster in np.unique(own[drawn]).tolist():
        members = drawn[own[drawn] == cluster]
        axes.scatter(
            places[members, 0], places[members, 1], color=colour(cluster), marker=SYMBOLS[symbol(cluster)], s=30,
            linewidths=0.0, zorder=2, label="points" if result.labels is None else f"cluster {cluster}",
        )  # fmt: skip
    axes.set_xlabel(plane.names[0])
    axes.set_ylabel(plane.names[1] or "cluster")
    axes.set_title(_title(result))
    axes.legend(fontsize="small")
    return axes


def axes_or_new(ax: "Axes | None") -> "Axes":
    """Return the axes that are given, or else new ones; raises InputError where Matplotlib is missing."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise InputError("a plot needs Matplotlib, which is not installed; pip install matplotlib") from error
    return pyplot.subplots(layout="constrained")[1]


def _title(result: Result) -> str:
    if result.objective is None:
        return str(result.status)
    gap = "" if result.gap is None else f", gap {100.0 * result.gap:.2g} %"
    what = "cost" if result.penalty else "sum of squares"
    return f"{result.status}: {what} {result.objective:.6g}{gap}"
