"""The plane: points in two dimensions, on their own axes or on their principal components, and what is drawn there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.evidence.status import Conflict
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance

#: Points drawn at most; of more, that many are drawn at random.
MOST_POINTS = 20_000
#: Pairs of each kind drawn at most.
MOST_PAIRS = 2_000


class Plane(NamedTuple):
    """Points in two dimensions."""

    coordinates: Floats  #: shape (n, 2): where the points are
    names: tuple[str, str]  #: what the axes are

    @classmethod
    def of(cls, instance: Instance) -> "Plane":
        """Return the own axes of points with one or two features, otherwise the first two principal components."""
        points, titles = instance.points, instance.feature_titles
        n, d = points.shape
        if d == 1:
            return cls(np.column_stack([points[:, 0], np.zeros(n)]), (titles[0], ""))
        if d == 2:
            return cls(points, (titles[0], titles[1]))
        scale = np.abs(points).max() or 1.0
        centred = (points - points.mean(axis=0)) / scale
        _, values, axes = np.linalg.svd(np.linalg.qr(centred, mode="r"), full_matrices=False)
        shares = values**2 / max(float((values**2).sum()), np.finfo(float).tiny)
        coordinates = scale * centred @ axes[:2].T
        if coordinates.shape[1] < 2:  # a single point
            coordinates = np.column_stack([coordinates, np.zeros(n)])
        shares = np.append(shares, 0.0)
        names = tuple(f"principal component {i + 1} ({100.0 * shares[i]:.0f} % of the variance)" for i in range(2))
        return cls(coordinates, names)  # type: ignore[arg-type]


def drawn_points(n: int, most: int = MOST_POINTS) -> Indices:
    """Return which of n points, or of n pairs, are drawn."""
    return np.arange(n) if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))


#: Colours that people with impaired colour vision tell apart (Okabe and Ito 2008), dark and light alike.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31")
#: Symbols, in the names of Plotly and of Matplotlib.
SYMBOLS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "star": "*",
    "pentagon": "p",
    "triangle-left": "<",
    "triangle-right": ">",
}


def colour(cluster: int) -> str:
    """Return the colour of a cluster; after all of them they begin anew."""
    return COLOURS[cluster % len(COLOURS)]


def symbol(cluster: int) -> str:
    """Return the symbol of a cluster; as there are another number of them, pairs with colours come again late."""
    return list(SYMBOLS)[cluster % len(SYMBOLS)]


#: Styles of lines, in the names of Plotly and of Matplotlib.
STYLES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}


class Line(NamedTuple):
    """Pairs of one kind, drawn alike: in grey, or in a colour that stands out."""

    name: str
    pairs: Indices  #: shape (m, 2), those that are drawn
    style: str  #: a key of :data:`STYLES`
    width: float
    is_coloured: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn of an instance."""

    instance: Instance  #: the points and the pairs that must hold
    labels: Indices | None  #: shape (n,): their clusters; -1 for points that are left out
    broken: Sequence[BrokenPair] = ()  #: soft pairs that are broken
    conflict: Conflict | None = None  #: what cannot hold together

    @cached_property
    def plane(self) -> Plane:
        """The points in two dimensions; a single feature has the clusters beside it."""
        plane = Plane.of(self.instance)
        if self.instance.n_features > 1:
            return plane
        return Plane(np.column_stack([plane.coordinates[:, 0], self._clusters]), (plane.names[0], "cluster"))

    @cached_property
    def drawn(self) -> Indices:
        """The points that are drawn."""
        return drawn_points(self.instance.n_points)

    @property
    def _clusters(self) -> Indices:
        return np.zeros(self.instance.n_points, np.intp) if self.labels is None else self.labels

    def groups(self) -> Iterator[tuple[int, str, Indices]]:
        """Yield the clusters, what they are called, and those of their points that are drawn."""
        own = self._clusters[self.drawn]
        for cluster in np.unique(own).tolist():
            name = "points" if self.labels is None else f"cluster {cluster}" if cluster >= 0 else "left out"
            yield cluster, name, self.drawn[own == cluster]

    def lines(self) -> Iterator[Line]:
        """Yield the pairs that must hold, the soft ones that are broken, and those that cannot hold together."""
        broken = {
            kind: [(i, j) for i, j, own, _ in self.broken if own == kind] for kind in ("must_link", "cannot_link")
        }
        conflict = self.conflict or Conflict((), ())
        for name, ends, style, width, is_coloured in (
            ("must-link", self.instance.must_link, "solid", 1.2, False),
            ("cannot-link", self.instance.cannot_link, "dash", 1.2, False),
            ("broken soft must-link", broken["must_link"], "dot", 2.0, True),
            ("broken soft cannot-link", broken["cannot_link"], "dashdot", 2.0, True),
            ("must-link of the contradiction", conflict.must_link, "solid", 3.0, True),
            ("cannot-link of the contradiction", conflict.cannot_link, "dash", 3.0, True),
        ):
            if len(ends):
                pairs = np.asarray(ends, np.intp)[drawn_points(len(ends), MOST_PAIRS)]
                yield Line(name, pairs, style, width, is_coloured)

    def ends(self, line: Line) -> Floats:
        """Return the places of its pairs one after the other, shape (3 m, 2), with a break behind each of them."""
        return np.insert(self.plane.coordinates[line.pairs], 2, np.nan, axis=1).reshape(-1, 2)

    def contradicting(self) -> list[int]:
        """Return the points that constraints contradict each other about."""
        conflict = self.conflict
        return [] if conflict is None else sorted({*np.ravel([*conflict.must_link, *conflict.cannot_link]).tolist()})
