"""The plane: points in two dimensions, on their own axes or on their principal components, and marks of clusters."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance

#: Points drawn at most; of more, that many are drawn at random.
MOST_POINTS = 20_000
#: Pairs of each kind drawn at most.
MOST_PAIRS = 2_000


class Plane(NamedTuple):
    """Points in two dimensions.

    Parameters
    ----------
    coordinates : ndarray, shape (n, 2)
        Where the points are.
    names : tuple of str
        What the axes are.
    """

    coordinates: Floats
    names: tuple[str, str]

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
        _, values, axes = np.linalg.svd(centred, full_matrices=False) if n * d < 1e6 else _axes_of(centred)
        shares = values**2 / max(float((values**2).sum()), np.finfo(float).tiny)
        coordinates = scale * centred @ axes[:2].T
        if coordinates.shape[1] < 2:  # a single point
            coordinates = np.column_stack([coordinates, np.zeros(n)])
        shares = np.append(shares, 0.0)
        names = tuple(f"principal component {i + 1} ({100.0 * shares[i]:.0f} % of the variance)" for i in range(2))
        return cls(coordinates, names)  # type: ignore[arg-type]


def _axes_of(centred: Floats) -> tuple[None, Floats, Floats]:
    """Return singular values and right singular vectors by way of the scatter matrix, which is small where d is."""
    values, vectors = np.linalg.eigh(centred.T @ centred)
    return None, np.sqrt(np.maximum(values[::-1], 0.0)), vectors[:, ::-1].T


def drawn_points(n: int) -> Indices:
    """Return the points that are drawn."""
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, MOST_POINTS, replace=False))


def ends_by_kind(broken: Sequence[BrokenPair]) -> tuple[Indices, Indices]:
    """Return the points of broken soft must-links, and of broken soft cannot-links, each of shape (m, 2)."""
    must, cannot = ([(i, j) for i, j, own, _ in broken if own == kind] for kind in ("must_link", "cannot_link"))
    return np.array(must, np.intp).reshape(-1, 2), np.array(cannot, np.intp).reshape(-1, 2)


def drawn_pairs(pairs: Indices) -> Indices:
    """Return the pairs that are drawn."""
    if len(pairs) <= MOST_PAIRS:
        return pairs
    return pairs[np.sort(np.random.default_rng(0).choice(len(pairs), MOST_PAIRS, replace=False))]


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
