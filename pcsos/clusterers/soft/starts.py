"""Starts: where centres begin, by the names that the paper gives to the recipes (section 3 and its references)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import kmeans_plusplus

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.graph.mcssdbs import spanning_tree
from pcsos.problem.conditions.pairs import Constraints


def crowding(points: Floats, radius: float) -> Floats:
    """Return the sum of ``exp(-d / radius)`` over the other points within the radius of each point, shape (n,)."""
    sums = np.empty(len(points))
    for i in range(len(points)):
        far = _distances(points, i)
        far[i] = np.inf
        sums[i] = np.exp(-far[far <= radius] / radius).sum()
    return sums


#: Neighbours that the local outlier factor of ROBIN looks at, and how far from 1 that of a centre may be.
NEIGHBOURS = 10
OUTLIER_WINDOW = 0.05

#: From points (n, p), k, the pairs and a generator to centres (k, p).
Start = Callable[[Floats, int, Constraints, np.random.Generator], Floats]


def starting_centres(
    init: Any, points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator
) -> Floats:
    """Return the centres that a named recipe, or a function of points, k and a generator, gives.

    Raises
    ------
    InputError
        If there is no such recipe, or the function returns something else than k finite centres.
    """
    if isinstance(init, str) and init in STARTS:
        return STARTS[init](points, n_clusters, constraints, rng)
    if not callable(init):
        names = ", ".join(map(repr, STARTS))
        raise InputError(f"init is {init!r}; give one of {names}, or a function of points, n_clusters and a generator")
    centres = np.asarray(init(points, n_clusters, rng), np.float64)
    if centres.shape != (n_clusters, points.shape[1]) or not np.isfinite(centres).all():
        raise InputError(
            f"init returns an array of shape {centres.shape}; it has to return {n_clusters} finite centres with "
            f"{points.shape[1]} features"
        )
    return centres


def all_starts(
    init: Any,
    n_init: int,
    points: Floats,
    n_clusters: int,
    constraints: Constraints,
    rng: np.random.Generator,
    *,
    order_is_drawn: bool,
) -> list[Floats]:
    """Return the centres of several starts.

    A recipe that draws nothing is followed once; where the order of the points is not drawn either, one such start is
    as good as many.
    """
    if callable(init) or (isinstance(init, str) and init in DRAWN):
        return [starting_centres(init, points, n_clusters, constraints, rng) for _ in range(n_init)]
    return [starting_centres(init, points, n_clusters, constraints, rng)] * (n_init if order_is_drawn else 1)


def dkm_plus_plus(points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator) -> Floats:
    """Density k-means++: the densest point, then those that are dense and far from the chosen ones.

    The density counts points within a radius that the edges of a minimum spanning tree tell (Nidheesh et al. 2017).
    """
    n = len(points)
    every = np.arange(n)
    _, squares = spanning_tree(points, every, every)
    radius = _radius(np.sqrt(squares[1:])) if n > 1 else 0.0
    density = crowding(points, radius) if radius > 0.0 else np.ones(n)
    spread = float(np.ptp(density))
    is_even = spread <= n * EPS * float(density.max())
    share = np.ones(n) if is_even else (density - density.min()) / spread
    return _scattered(points, n_clusters, int(np.argmax(share)), share)


def _scattered(points: Floats, n_clusters: int, first: int, share: Floats | float = 1.0) -> Floats:
    """Return a point and, again and again, the one whose distance from those before, times its share, is greatest."""
    chosen, nearest = [first], _distances(points, first)
    while len(chosen) < n_clusters:
        merit = share * nearest
        merit[chosen] = -1.0
        chosen.append(int(np.argmax(merit)))
        nearest = np.minimum(nearest, _distances(points, chosen[-1]))
    return points[chosen]


def _radius(edges: Floats) -> float:
    """Return the longest edge that is no outlier; the longest of all where most edges have no length."""
    low, high = np.quantile(edges, [0.25, 0.75], method="hazen")
    longest = float(edges.max())
    return min(longest, float(high + 3.0 * (high - low))) or longest


def robin(points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator) -> Floats:
    """ROBIN: points far from the mean, then from the chosen ones, that are no outliers (Al Hasan et al. 2009).

    Where each point that is left is an outlier, the one whose factor is nearest to 1 is taken.
    """
    factor = outlier_factors(points)
    chosen: list[int] = []
    far = np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1))
    while len(chosen) < n_clusters:
        order = np.argsort(-far, kind="stable")
        order = order[~np.isin(order, chosen)]
        chosen.append(_first_inlier(order, factor))
        own = _distances(points, chosen[-1])
        far = own if len(chosen) == 1 else np.minimum(far, own)
    return points[chosen]


def _first_inlier(order: Indices, factor: Floats) -> int:
    distance_to_one = np.abs(factor[order] - 1.0)
    for is_inlier in (distance_to_one < OUTLIER_WINDOW, factor[order] < 1.0 + OUTLIER_WINDOW):
        if is_inlier.any():
            return int(order[np.argmax(is_inlier)])
    return int(order[np.argmin(distance_to_one)])


def outlier_factors(points: Floats) -> Floats:
    """Return the mean density of the neighbours of each point, over its own: about 1 inside a group, more outside.

    The density of a point is the number of its neighbours over the sum of their distances; points as far as the tenth
    neighbour are neighbours, too. Where all of them lie at the same place, rounding stands for the distance.
    """
    n = len(points)
    if n == 1:
        return np.ones(1)
    own = [_neighbours(points, i) for i in range(n)]
    floor = EPS * max(float(far.max()) for _, far in own) or 1.0
    density = np.array([near.size / max(float(far.sum()), floor) for near, far in own])
    around = np.array([density[near].mean() for near, _ in own])
    factors: Floats = around / density
    return factors


def _neighbours(points: Floats, i: int) -> tuple[Indices, Floats]:
    """Return the neighbours of a point, as many as tie for the last place, and their distances."""
    far = _distances(points, i)
    far[i] = np.inf
    last = np.partition(far, min(NEIGHBOURS, len(points) - 1) - 1)[min(NEIGHBOURS, len(points) - 1) - 1]
    near = np.flatnonzero(far <= last)
    return near, far[near]


def maximin(points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator) -> Floats:
    """Maximin: the point farthest from the origin, then the farthest from those chosen (Katsavounidis et al. 1994)."""
    return _scattered(points, n_clusters, int(np.argmax((points**2).sum(axis=1))))


def seeding(points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator) -> Floats:
    """Seeding: means of what must-links connect, large groups and far apart (Basu et al. 2002, Bilenko et al. 2004).

    Where there are fewer such groups than clusters, random other points are added.
    """
    groups = constraints.groups
    sizes = np.bincount(groups)
    seeds = np.flatnonzero(sizes >= 2)
    means = np.array([points[groups == group].mean(axis=0) for group in seeds]).reshape(len(seeds), points.shape[1])
    if len(seeds) < n_clusters:
        free = np.flatnonzero(sizes[groups] == 1)
        pool = free if len(free) >= n_clusters - len(seeds) else np.arange(len(points))
        return np.vstack([means, points[rng.choice(pool, n_clusters - len(seeds), replace=False)]])
    mass = sizes[seeds]
    chosen = [_drawn_largest(mass.astype(np.float64), rng)]
    nearest = np.full(len(seeds), np.inf)
    while len(chosen) < n_clusters:
        last = chosen[-1]
        nearest = np.minimum(nearest, _distances(means, last) * np.sqrt(mass * mass[last]))
        merit = nearest.copy()
        merit[chosen] = -1.0
        chosen.append(_drawn_largest(merit, rng))
    return means[chosen]


def _drawn_largest(values: Floats, rng: np.random.Generator) -> int:
    """Return the index of the largest value, drawn where there are several."""
    return int(rng.choice(np.flatnonzero(values == values.max())))


def k_means_plus_plus(points: Floats, n_clusters: int, constraints: Constraints, rng: np.random.Generator) -> Floats:
    """k-means++: points drawn in proportion to their squared distance from those before, as scikit-learn does it."""
    centres: Floats = kmeans_plusplus(points, n_clusters, random_state=int(rng.integers(2**31)))[0]
    return centres


def _distances(points: Floats, i: int) -> Floats:
    """Return the distance of each row to row i, shape (n,)."""
    distances: Floats = cdist(points, points[i : i + 1])[:, 0]
    return distances


STARTS: dict[str, Start] = {
    "dkm++": dkm_plus_plus,
    "robin": robin,
    "maximin": maximin,
    "seeding": seeding,
    "k-means++": k_means_plus_plus,
}

#: Those of them that draw at random.
DRAWN = ("seeding", "k-means++")
