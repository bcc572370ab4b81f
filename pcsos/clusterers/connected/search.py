"""Search: connected clusters from several starts, each of them improved by moves, and by cutting and merging.

A cluster is cut at the best edge of a spanning tree (Assuncao et al. 2006); parts are joined along edges of the graph,
those first that cost least (Ward).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.tolerances import is_improvement
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.connected.adjacency import Adjacency
from pcsos.clusterers.connected.moving import descend
from pcsos.heuristics.centres import summarise
from pcsos.heuristics.moves import Nodes
from pcsos.problem.conditions.pairs import unique_pairs


@kernel
def best_cut(
    cluster: int,
    labels: Indices,
    points: Floats,
    weights: Floats,
    starts: Indices,
    targets: Indices,
    lengths: Floats,
) -> tuple[float, Indices]:
    """Return by how much the best cut of a spanning tree lowers the sum of squares, and the samples that it cuts off.

    The cluster is connected; no sample is cut off where there is only one. The tree is the shortest one by the lengths
    of the edges that ``targets`` lists, shape (2m,).
    """
    order, parent = _shortest_tree(cluster, labels, starts, targets, lengths)
    size, dimension = order.size, points.shape[1]
    mass, sums = np.zeros(size), np.zeros((size, dimension))
    for at in range(size - 1, -1, -1):  # a parent stands before its children
        mass[at] += weights[order[at]]
        for c in range(dimension):
            sums[at, c] += weights[order[at]] * points[order[at], c]
        if at > 0:
            mass[parent[at]] += mass[at]
            for c in range(dimension):
                sums[parent[at], c] += sums[at, c]
    best, most = 1, 0.0
    for at in range(1, size):
        gain = _gain(mass[at], mass[0], sums[at], sums[0])
        if gain > most:
            best, most = at, gain
    is_off = np.zeros(size, np.bool_)
    for at in range(best, size):
        is_off[at] = at == best or is_off[parent[at]]
    return most, order[is_off]


@inner_kernel
def _gain(part: float, whole: float, part_sums: Floats, whole_sums: Floats) -> float:
    """Return by how much a part and the rest of a cluster cost less than the whole of it."""
    rest = whole - part
    if part <= 0.0 or rest <= 0.0:
        return 0.0
    total = 0.0
    for c in range(part_sums.size):
        difference = part_sums[c] / part - (whole_sums[c] - part_sums[c]) / rest
        total += difference * difference
    return part * rest / whole * total


@inner_kernel
def _shortest_tree(
    cluster: int, labels: Indices, starts: Indices, targets: Indices, lengths: Floats
) -> tuple[Indices, Indices]:
    """Return the samples of a cluster as the algorithm of Prim reaches them, and where the parent of each stands."""
    size, root = 0, -1
    for i in range(labels.size):
        if labels[i] == cluster:
            size, root = size + 1, i
    order, parent = np.empty(size, np.intp), np.empty(size, np.intp)
    is_reached = np.zeros(labels.size, np.bool_)
    heap = [(0.0, root, 0)]
    reached = 0
    while reached < size:
        _, node, above = heappop(heap)
        if is_reached[node]:
            continue
        is_reached[node] = True
        order[reached], parent[reached] = node, above
        for place in range(starts[node], starts[node + 1]):
            other = targets[place]
            if labels[other] == cluster and not is_reached[other]:
                heappush(heap, (lengths[place], other, reached))
        reached += 1
    return order, parent


def by_merging(map_: "Map", labels: Indices) -> Indices:
    """Return a start: neighbouring parts, merged until there are as many as clusters (Ward).

    It is always the two that add least to the sum of squares. The labels, shape (n,), are the part of each sample, from
    0; the cluster of each, from 0, is returned. Each part is connected, and there are at least as many as clusters.
    """
    n_parts = int(labels.max()) + 1
    n_ever = 2 * n_parts - map_.n_clusters  # each merger makes a new part
    mass, means = np.zeros(n_ever), np.zeros((n_ever, map_.points.shape[1]))
    mass[:n_parts] = np.bincount(labels, map_.weights, n_parts)
    means[:n_parts] = summarise(map_.points, map_.weights, labels, n_parts)[0]
    pairs = crossings(map_.graph.edges, labels)
    nearby: list[set[int]] = [set() for _ in range(n_parts)]
    for one, other in pairs.tolist():
        nearby[one].add(other)
        nearby[other].add(one)
    heap = _entries(mass, means, pairs)
    heapify(heap)
    parent = np.arange(n_ever)
    for new in range(n_parts, n_ever):
        one, other = _next(heap, nearby)
        around = (nearby[one] | nearby[other]) - {one, other}
        for part in around:
            nearby[part] -= {one, other}
            nearby[part].add(new)
        nearby[one], nearby[other] = set(), set()
        nearby.append(around)
        parent[[one, other]] = new
        mass[new] = mass[one] + mass[other]
        if mass[new] > 0.0:
            means[new] = (mass[one] * means[one] + mass[other] * means[other]) / mass[new]
        fresh = np.array([(part, new) for part in around], np.intp).reshape(-1, 2)
        for entry in _entries(mass, means, fresh):
            heappush(heap, entry)
    for part in range(n_ever - 1, -1, -1):
        parent[part] = parent[parent[part]]
    return np.unique(parent[labels], return_inverse=True)[1].astype(np.intp)


def crossings(edges: Indices, labels: Indices) -> Indices:
    """Return the pairs of parts that an edge joins, each once, shape (c, 2)."""
    ends = labels[edges]
    return unique_pairs(ends[ends[:, 0] != ends[:, 1]])


def costs_of_merging(mass: Floats, means: Floats, pairs: Indices) -> Floats:
    """Return what merging two parts adds to the sum of squares, for each pair."""
    one, other = pairs.T
    total = mass[one] + mass[other]
    shares = np.divide(mass[one] * mass[other], total, out=np.zeros(len(pairs)), where=total > 0.0)
    return np.asarray(shares * ((means[one] - means[other]) ** 2).sum(axis=1))


def _entries(mass: Floats, means: Floats, pairs: Indices) -> list[tuple[float, int, int]]:
    """Return what the heap holds of pairs of parts."""
    return list(zip(costs_of_merging(mass, means, pairs).tolist(), *pairs.T.tolist(), strict=True))


def _next(heap: list[tuple[float, int, int]], nearby: list[set[int]]) -> tuple[int, int]:
    """Return the cheapest pair of neighbouring parts; earlier ones may be parts no longer."""
    while True:
        _, one, other = heappop(heap)
        if other in nearby[one]:
            return one, other


@dataclass(frozen=True, eq=False)
class Map:
    """Samples and their neighbours, which are to be divided."""

    graph: Adjacency  #: the neighbours
    #: shapes (n, p) and (n,): the samples, moved so that their mean is about 0, and their weights, at least 0
    points: Floats
    weights: Floats
    n_clusters: int  #: number of clusters, at least that of the components of the graph

    @cached_property
    def nodes(self) -> Nodes:
        """What kernels know of it."""
        return Nodes(self.points, self.weights, self.graph.starts, self.graph.targets)

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
        return best_cut(cluster, labels, *self.nodes, lengths)

    def descended(self, labels: Indices, rng: np.random.Generator, before: Indices | None = None) -> Indices:
        """Return what moves of single samples lead to, from clusters some of which may be as good as before."""
        is_new = np.full(self.n_clusters, before is None)
        if before is not None:
            has_moved = labels != before
            is_new[labels[has_moved]], is_new[before[has_moved]] = True, True
        found, order = labels.copy(), rng.permutation(labels.size)
        descend(found, self.nodes, self.n_clusters, order, is_new)
        return found


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
    yield by_merging(map_, np.arange(map_.graph.n_nodes))
    for number in range(1, n_init):
        yield by_cutting(map_, map_.squares if number == 1 else map_.random_lengths(rng))


def search(
    map_: Map, starts: Iterable[Indices], max_stall: int, is_enough: Callable[[float], bool], rng: np.random.Generator
) -> tuple[Indices, int]:
    """Return the best clusters that are found from any of the starts, and how many perturbations were tried.

    The starts are connected clusters, shape (n,). Each is left after ``max_stall`` perturbations in a row that find
    nothing better; ``is_enough`` says of a cost whether the search may end with it.
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
