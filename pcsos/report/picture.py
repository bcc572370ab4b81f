"""A picture of a result, drawn by Matplotlib."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.result import Result
from pcsos.evidence.status import Conflict
from pcsos.problem.instance import Instance
from pcsos.report.contents import instance_of
from pcsos.report.plane import SYMBOLS, Plane, colour, drawn_pairs, drawn_points, ends_by_kind, symbol

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


class _Links(NamedTuple):
    """Pairs of one kind: what they are called, and the style, colour and width of their lines."""

    name: str
    pairs: Indices
    style: str
    colour: str
    width: float


def draw(result: Result, ax: "Axes | None" = None) -> "Axes":
    """Draw points, clusters and pairs of a result; see :meth:`pcsos.evidence.result.Result.plot`."""
    instance, axes = instance_of(result), axes_or_new(ax)
    plane = Plane.of(instance)
    own = np.zeros(instance.n_points, np.intp) if result.labels is None else result.labels
    places = plane.coordinates
    if instance.n_features == 1:
        places = np.column_stack([places[:, 0], own])
    for links in _links(result, instance):
        if len(links.pairs):
            _draw_links(axes, places, links)
    drawn, areas = drawn_points(instance.n_points), _areas(instance)
    is_alike = np.ptp(areas) == 0.0  # then a vector format draws one mark many times
    is_short = instance.n_clusters <= MOST_NAMED
    for cluster in np.unique(own[drawn]).tolist():
        members = drawn[own[drawn] == cluster]
        name = "points" if result.labels is None else f"cluster {cluster}"
        axes.scatter(
            places[members, 0], places[members, 1], color=colour(cluster), marker=SYMBOLS[symbol(cluster)],
            s=areas[0] if is_alike else areas[members], linewidths=0.0, zorder=2, label=name if is_short else None,
            rasterized=drawn.size > MANY, snap=False,  # snapped to pixels, small crosses vanish
        )  # fmt: skip
    if result.conflict is not None:
        _name_points(axes, instance, places, result.conflict)
    axes.set_xlabel(plane.names[0], parse_math=False)
    axes.set_ylabel(plane.names[1] or "cluster", parse_math=False)
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


def _links(result: Result, instance: Instance) -> Iterator[_Links]:
    """Return the pairs that must hold, the soft ones that are broken, and those that cannot hold together."""
    yield _Links("must-link", instance.must_link, "-", "0.6", 1.0)
    yield _Links("cannot-link", instance.cannot_link, "--", "0.6", 1.0)
    must, cannot = ends_by_kind(result.violated or [])
    yield _Links("broken soft must-link", must, ":", colour(1), 2.0)
    yield _Links("broken soft cannot-link", cannot, "-.", colour(1), 2.0)
    if result.conflict is not None:
        must, cannot = (
            np.array(pairs, np.intp).reshape(-1, 2)
            for pairs in (result.conflict.must_link, result.conflict.cannot_link)
        )
        yield _Links("must-link of the contradiction", must, "-", colour(1), 2.5)
        yield _Links("cannot-link of the contradiction", cannot, "--", colour(1), 2.5)


def _draw_links(axes: "Axes", places: Floats, links: _Links) -> None:
    """Draw pairs as one line that is broken after each of them."""
    ends = np.insert(places[drawn_pairs(links.pairs)], 2, np.nan, axis=1).reshape(-1, 2)
    axes.plot(
        ends[:, 0], ends[:, 1], links.style, color=links.colour, linewidth=links.width, zorder=1, label=links.name,
        alpha=max(FAINTEST, min(1.0, CLEAR / len(links.pairs))),
    )  # fmt: skip


def _draw_legend(axes: "Axes") -> None:
    """Name lines and clusters, with marks of one size."""
    from matplotlib.collections import PathCollection

    for handle in axes.legend(fontsize="small").legend_handles:
        if isinstance(handle, PathCollection):
            handle.set_sizes([AREA])


def _areas(instance: Instance) -> Floats:
    """Return the area of the mark of each point, in proportion to its weight."""
    shares = np.clip(instance.weights / instance.weights.mean(), LIGHTEST, HEAVIEST)
    area = AREA * np.sqrt(min(1.0, FEW / len(drawn_points(instance.n_points))))
    areas: Floats = area * shares
    return areas


def _name_points(axes: "Axes", instance: Instance, places: Floats, conflict: Conflict) -> None:
    """Write the names of the points that constraints contradict each other about."""
    badge = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "0.4", "alpha": 0.85}
    for point in sorted({point for pair in (*conflict.must_link, *conflict.cannot_link) for point in pair}):
        axes.annotate(
            str(instance.names[point]), places[point], (0.0, 8.0), textcoords="offset points", ha="center",
            fontsize="small", color="0.1", bbox=badge, zorder=3, parse_math=False,
        )  # fmt: skip


def _title(result: Result) -> str:
    if result.objective is None:
        return str(result.status)
    gap = "" if result.gap is None else f", gap {_percent(result.gap)}"
    what = "cost" if result.penalty else "sum of squares"
    return f"{result.status}: {what} {result.objective:.6g}{gap}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %" if share >= 5e-6 else "below 0.001 %"
