"""What is certain on a page, and what is in doubt: the figure of all pairs, and the sections about pairs and points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Flags, Floats, Indices
from pcsos.evidence.result import CertainPairs
from pcsos.evidence.result.words import whole_percent
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means
from pcsos.problem.validation.names import PointNames
from pcsos.report.markup import (
    Figure,
    Figures,
    Markup,
    Section,
    counted,
    cut_table,
    drawing,
    element,
    folded,
    join,
    listed,
    table,
)
from pcsos.report.plane import colour
from pcsos.report.plot import plain_text, plot

#: How many times as far as its own centre that of another cluster may be from a point near a border.
NEAR = 1.1
#: Rows of the table of distances that are held at a time.
ROWS = 4_096

#: Reasons, as the legend of the picture has them.
MOVES = "may belong elsewhere"
BORDER = "near a border"


@dataclass(frozen=True, eq=False)
class Doubt:
    """Points in doubt for one reason."""

    name: str  #: the reason in a few words: :data:`BORDER` or :data:`MOVES`
    note: str  #: the reason in the rest of a sentence
    points: Flags  #: shape (n,): which they are


def doubts_of(instance: Instance, labels: Indices, certain: CertainPairs | None = None) -> tuple[Doubt, ...]:
    """Return what is in doubt: points near borders, and those that other good divisions put elsewhere."""
    share = 100.0 * (NEAR - 1.0)
    near = f"the centre of another cluster is at most {share:.0f} % farther away than the centre of the own one."
    found = [Doubt(BORDER, near, neighbouring_clusters(instance, labels) >= 0)]
    if certain is not None:
        moves = f"in some division that costs at most {whole_percent(certain.epsilon)} more than the best one."
        movable: Flags = np.asarray(certain.doubts.differs.any(axis=1))
        found.append(Doubt(MOVES, moves, movable[certain.doubts.component]))
    return tuple(doubt for doubt in found if doubt.points.any())


def neighbouring_clusters(instance: Instance, labels: Indices) -> Indices:
    """Return for each point the other cluster that it almost belongs to, shape (n,); -1 for one far from all borders.

    A point is near a border if the nearest centre of another cluster is at most :data:`NEAR` times as far from it as
    its own.
    """
    centres = cluster_means(instance, labels)
    found = [
        _neighbours(instance.points[start : start + ROWS], centres, labels[start : start + ROWS])
        for start in range(0, instance.n_points, ROWS)
    ]
    return np.where(labels < 0, -1, np.concatenate(found))


def _neighbours(points: Floats, centres: Floats, labels: Indices) -> Indices:
    from scipy.spatial.distance import cdist

    distances, rows = cdist(points, centres), np.arange(len(points))
    own = distances[rows, labels]
    distances[rows, labels] = np.inf
    nearest = distances.argmin(axis=1)
    return np.where(distances[rows, nearest] <= NEAR * own, nearest, -1)


def doubts_section(instance: Instance, labels: Indices, doubts: Sequence[Doubt]) -> Section:
    """Return which points are in doubt, and why."""
    parts = []
    for doubt in doubts:
        number = int(doubt.points.sum())
        parts.append(element("p", element("b", f"{counted(number, 'point')} {doubt.name}:"), f" {doubt.note}"))
        by_cluster = [
            element("li", f"cluster {cluster}: {listed(members, instance.names)}")
            for cluster in range(instance.n_clusters)
            if (members := np.flatnonzero(doubt.points & (labels == cluster))).size
        ]
        parts.append(folded("Which they are", element("ul", *by_cluster)))
    return Section("doubt", "Points in doubt", join(parts))


#: What a pair may be in the square of certain pairs, in the order of their shades.
PAIRS = ("apart", "undecided", "uncertain", "together")


def certain_figure(matrix: NDArray[np.int8], doubts: Flags, names: Sequence[str]) -> Figure:
    """Return the pairs of points in a square: certainly together, certainly apart, uncertain or undecided.

    The matrix has 1, -1 or 0 for each pair, and ``doubts`` which of those with a 0 are uncertain, shape (m, m) each.
    """
    kinds = np.where(matrix == 0, 1 + doubts, np.where(matrix > 0, 3, 0))
    shades = [colour(1), "#f2f2f2", "#b5b5b5", colour(0)]
    called = [plain_text(name) for name in names]
    square = {
        "type": "heatmap",
        "z": kinds,
        "zmin": -0.5,
        "zmax": 3.5,
        "colorscale": [[at / 4, shade] for kind, shade in enumerate(shades) for at in (kind, kind + 1)],
        "colorbar": {
            "tickvals": list(range(4)), "ticktext": list(PAIRS), "orientation": "h", "y": 1.02, "yanchor": "bottom",
            "thickness": 16, "len": 0.9,
        },
        "text": np.array(PAIRS)[kinds],
        "customdata": np.array([[f"{one} and {other}" for other in called] for one in called]),
        "hovertemplate": "%{customdata}: %{text}<extra></extra>",
    }  # fmt: skip
    figure = plot([square], "points, by cluster", "points, by cluster", 560)
    bare = {"showticklabels": False, "showgrid": False, "ticks": "", "constrain": "domain"}
    return figure.update_xaxes(bare).update_yaxes(bare, autorange="reversed", scaleanchor="x")


#: Points of which pairs are drawn in a square.
MOST_IN_SQUARE = 300


def certain_section(certain: CertainPairs, labels: Indices, names: PointNames, figures: Figures) -> Section:
    """Return what is certain in figures, as a square of the points by cluster and group, and the groups."""
    share = whole_percent(certain.epsilon)
    least, most, why = ("at least ", "at most ", f": {certain.why}") if certain.num_undecided else ("", "", "")
    rows = [
        ("divisions compared", f"all that cost at most {share} more than the best one"),
        ("pairs that are certain", f"{least}{certain.num_certain:,} of {certain.num_pairs:,}"),
        ("pairs on which two of these divisions differ", f"{least}{certain.num_uncertain:,}"),
        ("pairs that are undecided", f"{most}{certain.num_undecided:,}{why}"),
        ("groups that are never parted", f"{most}{np.unique(certain.groups).size:,}"),
    ]
    order = np.lexsort((np.arange(labels.size), certain.groups, labels))
    note = _draw(certain, order, names, figures)
    content = [
        table("Pairs of points", (), rows),
        drawing("certain-figure", "What each pair is in every division compared", note),
        folded("Groups that are never parted", _groups(certain, labels, names)),
    ]
    return Section("certain", "What is certain", join(content))


def _draw(certain: CertainPairs, order: Indices, names: PointNames, figures: Figures) -> str:
    """Put the square of the points in this order into the figures, and return a note about it."""
    n = order.size
    drawn = order if n <= MOST_IN_SQUARE else order[np.linspace(0, n - 1, MOST_IN_SQUARE).astype(np.intp)]
    square = np.ix_(drawn, drawn)
    called = [names[point] for point in drawn.tolist()]
    figures["certain-figure"] = certain_figure(certain.matrix()[square], certain.doubts.matrix()[square], called)
    note = "Uncertain pairs are together in one of these divisions and apart in another; undecided ones may be either."
    return note if drawn.size == n else f"{note} {drawn.size:,} of the {n:,} points are drawn."


def _groups(certain: CertainPairs, labels: Indices, names: PointNames) -> Markup:
    """Return the groups, the largest first."""
    groups = [np.flatnonzero(certain.groups == group) for group in np.unique(certain.groups).tolist()]
    groups.sort(key=lambda group: -group.size)
    rows = [
        (str(number), str(labels[group[0]]), f"{group.size:,}", listed(group, names))
        for number, group in enumerate(groups, 1)
    ]
    return cut_table("Groups, the largest first", ("group", "cluster", "points", "which"), rows)
