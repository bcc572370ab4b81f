"""Search: connected clusters from several starts, each of them improved by moves, and by cutting and merging."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcsos.base.tolerances import is_improvement
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.connected.adjacency import Adjacency
from pcsos.clusterers.connected.cutting import best_cut
from pcsos.clusterers.connected.merging import costs_of_merging, crossings, merged
from pcsos.clusterers.connected.moving import descend
from pcsos.heuristics.centres import summarise


@dataclass(frozen=True, eq=False)
class Map:
    """Samples and their neighbours, which are to be divided.

    Parameters
    ----------
    graph : Adjacency
        The neighbours.
    points, weights : ndarray, shapes (n, p) and (n,)
        The samples, moved so that their mean is about 0, and their weights, at least 0.
    n_clusters : int
        Number of clusters, at least that of the components of the graph.
    """

    graph: Adjacency
    points: Floats
    weights: Floats
    n_clusters: int

    @cached_property
    def squares(self) -> Floats:
        """The squared distance of each sample to each of its neighbours, shape (2m,)."""
        origins = np.repeat(np.arange(self.graph.n_nodes), np.diff(self.graph.starts))
        return np.asarray(((self.points[origins] - self.points[self.graph.targets]) ** 2).sum(axis=1))

    def random_lengths(self, rng: np.random.Generator) -> Floats:
        """Return the squared distances of neighbours, each times a random factor, shape (2m,)."""
        return self.squares * rng.random(self.squares.size)

    def cost(self, labels: Indices) -> float:
        """Return the sum of squares."""
        return float(summarise(self.points, self.weights, labels, self.n_clusters)[1])

    def cut(self, labels: Indices, cluster: int, lengths: Floats) -> tuple[float, Indices]:
        """Return what the best cut of a cluster gains, and what it cuts off."""
        graph = self.graph
        return best_cut(cluster, labels, self.points, self.weights, graph.starts, graph.targets, lengths)

    def descended(self, labels: Indices, rng: np.random.Generator, before: Indices | None = None) -> Indices:
        """Return what moves of single samples lead to, from clusters some of which may be as good as before."""
        is_new = np.full(self.n_clusters, before is None)
        if before is not None:
            has_moved = labels != before
            is_new[labels[has_moved]], is_new[before[has_moved]] = True, True
        found, order = labels.copy(), rng.permutation(labels.size)
        graph = self.graph
        descend(found, self.points, self.weights, graph.starts, graph.targets, self.n_clusters, order, is_new)
        return found


def by_merging(map_: Map, labels: Indices) -> Indices:
    """Return a start: neighbouring parts, merged until there are as many as clusters (Ward)."""
    return merged(map_.graph, map_.points, map_.weights, labels, map_.n_clusters)


def by_cutting(map_: Map, lengths: Floats) -> Indices:
    """Return a start: the shortest spanning trees of the components, cut where that gains most (SKATER)."""
    labels = map_.graph.component.copy()
    cuts = [map_.cut(labels, cluster, lengths) for cluster in range(map_.graph.n_components)]
    while len(cuts) < map_.n_clusters:
        cluster = max((at for at, (_, off) in enumerate(cuts) if off.size), key=lambda at: cuts[at][0])
        labels[cuts[cluster][1]] = len(cuts)
        cuts.append(map_.cut(labels, len(cuts), lengths))
        cuts[cluster] = map_.cut(labels, cluster, lengths)
    return labels


def starts_of(map_: Map, free: Indices | None, n_init: int, rng: np.random.Generator) -> Iterator[Indices]:
    """Go through the starts: one by merging, one by cutting, then by cutting random spanning trees.

    Before them, the pieces of the clusters that were found without the graph are merged, where there are some.
    """
    if free is not None:
        yield by_merging(map_, map_.graph.pieces(free))
    for number in range(n_init):
        if number == 0:
            yield by_merging(map_, np.arange(map_.graph.n_nodes))
        else:
            yield by_cutting(map_, map_.squares if number == 1 else map_.random_lengths(rng))


def search(
    map_: Map, starts: Iterable[Indices], max_stall: int, is_enough: Callable[[float], bool], rng: np.random.Generator
) -> tuple[Indices, int]:
    """Return the best clusters that are found from any of the starts, and how many perturbations were tried.

    Parameters
    ----------
    starts : iterable of ndarray of int, shape (n,)
        Connected clusters, start by start.
    max_stall : int
        A start is left after so many perturbations in a row that find nothing better.
    is_enough : callable
        Tells of a cost whether the search may end with it.
    rng : numpy.random.Generator
        Source of all random choices.
    """
    best, least, count = np.empty(0, np.intp), np.inf, 0
    for start in starts:
        labels = map_.descended(start, rng)
        cost, stall = map_.cost(labels), 0
        while stall < max_stall and not is_enough(min(cost, least)):
            count, stall = count + 1, stall + 1
            found = map_.descended(_perturbed(map_, labels, rng), rng, labels)
            found_cost = map_.cost(found)
            if is_improvement(found_cost, cost):
                labels, cost, stall = found, found_cost, 0
        if cost < least:
            best, least = labels, cost
        if is_enough(least):
            break
    return best, count


def _perturbed(map_: Map, labels: Indices, rng: np.random.Generator) -> Indices:
    """Return the clusters with one cut in two and two neighbours merged, where there are such.

    The cluster is drawn in proportion to its cost and cut at a spanning tree of random lengths; the neighbours are
    drawn by how little merging them costs.
    """
    k = map_.n_clusters
    means, _ = summarise(map_.points, map_.weights, labels, k)
    squares = map_.weights * ((map_.points - means[labels]) ** 2).sum(axis=1)
    cluster = int(np.argmax(np.bincount(labels, squares, k) * rng.exponential(size=k)))
    _, off = map_.cut(labels, cluster, map_.random_lengths(rng))
    changed = labels.copy()
    changed[off] = k
    pairs = crossings(map_.graph.edges, changed)
    pairs = pairs[(pairs != [cluster, k]).any(axis=1)]
    if not off.size or not len(pairs):
        return labels
    mass = np.bincount(changed, map_.weights, k + 1).astype(np.float64)
    costs = costs_of_merging(mass, summarise(map_.points, map_.weights, changed, k + 1)[0], pairs)
    one, other = pairs[np.argmin(costs * rng.exponential(size=len(pairs)))]
    changed[changed == other] = one
    changed[changed == k] = other
    return changed
