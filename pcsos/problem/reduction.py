"""Must-link contraction: an instance becomes fewer, weighted super-points, and labels are lifted back.

Every partition that satisfies the must-links costs ``offset + sum_i e_i ||m_i - centre||^2`` over the
super-points (weights e_i, means m_i), so nothing is lost (Paper 3.1, equation (7)).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.tolerances import EPS, UNDERFLOW
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.pairs import Constraints, broken_pairs, connected_components, unique_pairs
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conditions.role import Capacity
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.cost import mean_of
from pcsos.problem.instance import Instance
from pcsos.problem.validation.arrays import is_whole_number

#: What tables of pairs say about one.
TOGETHER, APART, OPEN = 1, -1, 0


@dataclass(frozen=True)
class WeightBound:
    """The cluster of a point weighs at most (``lighter``) or at least (``heavier``) so much."""

    kind: Literal["lighter", "heavier"]
    point: int
    weight: float

    @property
    def opposite(self) -> "WeightBound":
        """The bound of the sibling; a cluster of just this weight keeps both."""
        return WeightBound("heavier" if self.kind == "lighter" else "lighter", self.point, self.weight)


@dataclass(frozen=True, eq=False)
class Reduced:
    """A clustering problem over super-points."""

    means: Floats  #: shape (s, d): means m_i of the super-points, centred at the weighted mean of all points
    weights: Floats  #: shape (s,): weights e_i: the summed weights of a super-point's points
    offset: float  #: cost c_0 inside the super-points and of decided soft pairs, paid by every partition
    n_clusters: int  #: number of clusters k
    cannot_link: Indices  #: shape (c, 2): pairs of super-points, sorted, without duplicates
    component: Indices  #: shape (n,): super-point of each original point
    limits: Limits | None = None  #: what every cluster must hold
    #: bounds on the weight of every cluster that follow from the limits
    weight_range: tuple[float, float] = (0.0, math.inf)
    #: pairs of super-points with penalties; those that are decided are paid in the offset
    soft: PenalisedPairs = field(default_factory=PenalisedPairs.none)
    #: what rounding can change of penalties in the cost of a partition, or in a bound on it, relative to their sum
    penalty_units: float = 0.0
    penalties_paid: float = 0.0  #: what decided soft pairs cost
    #: whether there are limits and every point weighs 1, so that weights are numbers of points
    counts_points: bool = False
    bounds: tuple[WeightBound, ...] = ()  #: of the clusters of original points, as branchings have set them

    @cached_property
    def counts(self) -> Indices:
        """Number of original points of each super-point, shape (s,)."""
        return np.bincount(self.component, minlength=self.size).astype(np.intp)

    @cached_property
    def capacities(self) -> tuple[Capacity, ...]:
        """What every cluster holds at least and at most: numbers of points first, even where nothing limits them."""
        return tuple((self.limits or Limits()).capacities(self.component, self.weights))

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The numbers of points of the clusters, whichever has which, where they are listed."""
        return None if self.limits is None else self.limits.sizes

    @property
    def outliers(self) -> int:
        """How many points may be left out of all clusters."""
        return 0 if self.limits is None else self.limits.outliers

    @property
    def penalty_error(self) -> float:
        """Bound on what the rounding of penalties can change in the cost of a partition, or in a bound on it."""
        return self.penalty_units * (self.penalties_paid + self.soft.total)

    @property
    def is_plain(self) -> bool:
        """Whether there are neither limits of clusters nor soft pairs."""
        return self.limits is None and len(self.soft) == 0

    @property
    def is_free(self) -> bool:
        """Whether there are no cannot-links, limits of clusters or soft pairs."""
        return self.is_plain and not len(self.cannot_link)

    @property
    def size(self) -> int:
        """Number of super-points s."""
        return int(self.weights.size)

    @property
    def total(self) -> float:
        """The sum of squares of all points about the origin."""
        return self.offset + sum_of_weighted_squares(self.means, self.weights)

    @cached_property
    def most(self) -> float:
        """More than any partition costs: a single cluster and all penalties; infinity without limits of clusters."""
        if self.limits is None:
            return math.inf
        return 1.001 * (self.total + self.soft.total) + UNDERFLOW

    @cached_property
    def graph(self) -> ConflictGraph:
        """The cannot-links as a graph over the super-points."""
        return ConflictGraph.build(self.size, self.cannot_link)

    @cached_property
    def coordinates(self) -> Floats:
        """The means, rotated isometrically into at most s dimensions where d > s (for heuristics only).

        Bounds never use them: they are formed from :attr:`means`, whose rounding is accounted for.
        """
        if self.means.shape[1] <= self.size:
            return self.means
        _, triangle = np.linalg.qr(self.means.T)
        return np.ascontiguousarray(triangle.T)

    def located(self, places: Floats) -> Floats:
        """Return rows in the space of the means as :attr:`coordinates`, less what is off the span of the means."""
        if self.means.shape[1] <= self.size:
            return places
        located: Floats = places @ np.linalg.qr(self.means.T)[0]
        return located

    @cached_property
    def representative(self) -> Indices:
        """The first original point of each super-point, shape (s,)."""
        return np.unique(self.component, return_index=True)[1].astype(np.intp)

    @property
    def is_whole(self) -> bool:
        """Whether one partition is left: as many super-points as clusters."""
        return self.size == self.n_clusters

    @property
    def is_trivial(self) -> bool:
        """Whether there is one partition: as many super-points as clusters, or a single cluster."""
        return self.n_clusters in {1, self.size}

    def refuse_unknown(self, *points: Any) -> None:
        """Refuse what is no index of a point."""
        n = self.component.size
        for point in points:
            if not is_whole_number(point) or not 0 <= point < n:
                raise InputError(f"point {point!r} does not exist; give indices from 0 to {n - 1}")

    def relation(self, i: int, j: int) -> bool | None:
        """Return whether points i and j are together (True), apart (False) or neither for certain (None)."""
        self.refuse_unknown(i, j)
        a, b = self.component[[i, j]].tolist()
        if a == b or self.n_clusters == 1:
            return True
        return False if self.is_whole or b in self.graph.neighbours(a) else None

    def lift(self, labels: Indices) -> Indices:
        """Return the labels of the original points, given those of the super-points."""
        return labels[self.component]

    def project(self, labels: Indices) -> Indices:
        """Return the labels of the super-points, given labels of the points that satisfy the must-links."""
        return labels[self.representative]


def reduce_instance(instance: Instance) -> Reduced:
    """Contract the must-links of an instance and lift its cannot-links to super-points.

    Where points may be left out, only must-links are looked at. Otherwise, for k = 2, the cannot-link graph must be
    bipartite, and each of its components determines all its points up to a swap: the points of one side are contracted
    too (the inference of Paper 3.1, closed transitively). Infeasible are a cannot-link that contradicts a path of
    must-links, for k = 2 an odd cycle of cannot-links, one cluster with cannot-links, and fewer than k super-points.
    """
    component = instance.constraints.groups
    refuse_contradictions(instance.constraints, instance.names.word)
    if not instance.outliers:
        _refuse_a_single_cluster(instance)
    centred = instance.points - centre_of_points(instance)
    pairs = unique_pairs(component[instance.cannot_link])
    reduced = contract_points(centred, instance.weights, instance.n_clusters, pairs, component)
    if instance.n_clusters == 2 and not instance.outliers:
        _refuse_odd_cycles(instance, reduced)
    _refuse_too_few(reduced)
    if instance.is_plain:
        return reduced
    soft, paid = instance.soft.contracted(component, pairs)
    limits = instance.limits
    span = (0.0, math.inf) if limits is None else limits.weight_range(instance.weights, instance.n_clusters)
    units = EPS * (16.0 * len(instance.soft) + 40.0 * instance.n_points + 400.0)  # of sums over pairs, and their terms
    return replace(
        reduced, offset=reduced.offset + paid, limits=limits, weight_range=span, soft=soft,
        penalty_units=units, penalties_paid=paid,
        counts_points=limits is not None and bool((instance.weights == 1.0).all()),
    )  # fmt: skip


def contract(reduced: Reduced, must_link: ArrayLike, cannot_link: ArrayLike) -> Reduced:
    """Return the problem with further must-links and cannot-links between super-points (a node of the tree).

    Infeasible are a cannot-link that now lies inside a super-point, and fewer than k super-points.
    """
    together, apart = (np.asarray(pairs, np.intp).reshape(-1, 2) for pairs in (must_link, cannot_link))
    group = connected_components(reduced.size, together)
    pairs = group[np.vstack([reduced.cannot_link, apart])]
    inside = pairs[:, 0] == pairs[:, 1]
    if inside.any():
        raise InfeasibleError("the branching decisions contradict a cannot-link", {"kind": "contradiction"})
    edges = unique_pairs(pairs)
    soft, paid = reduced.soft.contracted(group, edges) if len(reduced.soft) else (reduced.soft, 0.0)
    left = replace(reduced, cannot_link=edges, soft=soft, penalties_paid=reduced.penalties_paid + paid)
    if int(group.max()) + 1 == group.size:  # nothing to merge, nothing to round
        return replace(left, offset=reduced.offset + paid)
    merged = contract_points(reduced.means, reduced.weights, reduced.n_clusters, edges, group)
    _refuse_too_few(merged)
    offset, component = reduced.offset + merged.offset + paid, group[reduced.component]
    return replace(left, means=merged.means, weights=merged.weights, offset=offset, component=component)


def sum_of_weighted_squares(rows: Floats, weights: Floats) -> float:
    """Return ``sum_i e_i ||x_i||^2``, weighed before squared: no large weight may meet a square that underflows."""
    heavy = rows * np.sqrt(weights)[:, None]
    return float(np.einsum("ij,ij->", heavy, heavy))


def contract_points(
    points: Floats, weights: Floats, n_clusters: int, cannot_link: Indices, component: Indices
) -> Reduced:
    """Return the problem over the super-points that points (n, d) have in ``component`` (n,).

    The points have been moved near the origin, where rounding is small; ``cannot_link`` (c, 2) is of super-points.
    """
    size = int(component.max()) + 1
    masses = np.asarray(np.bincount(component, weights=weights, minlength=size), np.float64)
    means = np.zeros((size, points.shape[1]))
    np.add.at(means, component, points * weights[:, None])
    means /= masses[:, None]
    offset = sum_of_weighted_squares(points - means[component], weights)
    return Reduced(means, masses, offset, n_clusters, cannot_link, component)


def centre_of_points(instance: Instance) -> Floats:
    """Return the origin of reduced problems: the mean of all points."""
    return mean_of(instance.points, instance.weights)


def refuse_contradictions(constraints: Constraints, name: Callable[[int], str] = str) -> None:
    """Raise InfeasibleError if must-links connect the ends of a cannot-link; the message names the chain of points."""
    _, inside = broken_pairs(constraints.must_link, constraints.cannot_link, constraints.groups)
    if inside.any():
        i, j = (int(v) for v in constraints.cannot_link[np.argmax(inside)])
        path = must_link_path(constraints, i, j)
        raise InfeasibleError(
            f"points {name(i)} and {name(j)} cannot be linked, but must-links connect them: "
            f"{' - '.join(map(name, path))}",
            {"kind": "contradiction", "cannot_link": [i, j], "must_link_path": path},
        )


def _refuse_a_single_cluster(instance: Instance) -> None:
    if instance.n_clusters == 1 and instance.cannot_link.size:
        i, j = (int(v) for v in instance.cannot_link[0])
        one, other = instance.names.word(i), instance.names.word(j)
        raise InfeasibleError(
            f"points {one} and {other} cannot be linked, but there is only one cluster",
            {"kind": "clique", "points": [i, j]},
            search=[i, j],
        )


def _refuse_too_few(reduced: Reduced) -> None:
    if reduced.size < reduced.n_clusters:
        raise InfeasibleError(
            f"the must-links leave {reduced.size} groups of points, "
            f"too few for {reduced.n_clusters} non-empty clusters",
            {"kind": "too_few_points"},
        )


def must_link_path(constraints: Constraints, start: int, end: int) -> list[int]:
    """Return a shortest path of must-links between two points that they connect."""
    previous = _met_from(_adjacency(constraints.n_points, constraints.must_link), start)
    path = [end]
    while path[-1] != start:
        path.append(previous[path[-1]])
    return path[::-1]


def odd_cycle(n: int, edges: Indices) -> list[int] | None:
    """Return the nodes of an odd cycle of a graph with n nodes; None where it has none, and so needs two colours only.

    It is the first that breadth-first searches from the first nodes of the components come across.
    """
    neighbours, depth = _adjacency(n, edges), dict[int, int]()
    for start in range(n):
        previous = {} if start in depth else _met_from(neighbours, start)
        for node, before in previous.items():
            depth[node] = depth.get(before, -1) + 1
        for one, other in ((node, other) for node in previous for other in neighbours[node]):
            if depth[one] == depth[other]:
                left, right = [one], [other]
                while left[-1] != right[-1]:
                    left.append(previous[left[-1]])
                    right.append(previous[right[-1]])
                return left + right[-2::-1]
    return None


def _adjacency(n: int, edges: Indices) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for i, j in edges.tolist():
        neighbours[i].append(j)
        neighbours[j].append(i)
    return neighbours


def _met_from(neighbours: list[list[int]], start: int) -> dict[int, int]:
    """Return, in the order of a breadth-first search, each node with the one it is met from; the start has itself."""
    previous, met = {start: start}, [start]
    for node in met:  # which grows meanwhile
        fresh = [other for other in neighbours[node] if other not in previous]
        previous |= dict.fromkeys(fresh, node)
        met += fresh
    return previous


def _refuse_odd_cycles(instance: Instance, reduced: Reduced) -> None:
    """For k = 2: raise InfeasibleError with an odd cycle of cannot-links if there is one."""
    nodes = odd_cycle(reduced.size, reduced.cannot_link)
    if nodes is not None:
        cycle = reduced.representative[nodes].tolist()
        raise InfeasibleError(
            "two clusters are too few: these points (and those they must be linked to) form an odd cycle "
            f"of cannot-links: {' - '.join(map(instance.names.word, cycle))}",
            {"kind": "odd_cycle", "points": cycle},
            search=cycle,
        )
