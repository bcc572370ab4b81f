"""Local search where cannot-links are dense: assignments by regret and moves in turn, while they improve the best.

An assignment that is good costs many times as much there as one by regret, and the moves make up for the difference.
They are single super-points and Kempe chains, into and out of clusters of a queue, which holds what has changed, until
it is empty. Chains are tried only if they begin with a super-point that is nearer to its new centre, and given up where
the others lose more than it gains: few of the rest gain where cannot-links are dense, and they take most of the time.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base import tolerances
from pcsos.base.numerics.kernels import inner_kernel, kernel, reassociating_kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.centres import Costs, centres_of, objective_of
from pcsos.heuristics.moves import (
    LIGHT,
    RELATIVE_GAIN,
    Nodes,
    clusters_of,
    collect_chain,
    exchange,
    exchange_gains,
    squared_distance,
)
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.presolve.colouring.local_search import colour_by_regret
from pcsos.problem.options import Budget
from pcsos.problem.reduction import Reduced

#: Moves that a super-point may make on the average before a descent ends in any case: a guard.
MOVES_EACH = 100


@kernel
def settle(given: Nodes, columns: Floats, labels: Indices, dirty: Flags) -> None:  # noqa: PLR0912, PLR0915  (fast)
    """Change ``labels``, all clusters used, until no move into or out of a cluster that has changed gains.

    The points stand once more in ``columns`` (d, s), a coordinate a row; ``dirty`` (k,) says which clusters have
    changed, and is all false afterwards.
    """
    s, k = labels.size, dirty.size
    points, weights, indptr, indices = given
    state = clusters_of(given, labels, k)
    centres, mass, sizes = state.centres, state.mass, state.sizes
    centre_columns = centres.T.copy()
    queue, head, waiting = np.empty(k, np.intp), 0, 0
    for h in range(k):
        if dirty[h]:
            queue[waiting], waiting = h, waiting + 1
    worth, far, squares = np.empty(s), np.empty(s), np.empty(k)
    for i in range(s):
        worth[i] = _worth(squared_distance(points, i, centres, labels[i]), mass[labels[i]], weights[i])
    concerned, members, moves = np.empty(s, np.intp), np.empty(s, np.intp), 0
    closed, marks, mark = np.full(k, -1, np.intp), np.full(s, -1, np.intp), 0
    while waiting > 0 and moves < MOVES_EACH * s:
        h = queue[head]
        head, waiting = (head + 1) % k, waiting - 1
        dirty[h] = False
        _squares(columns, centres, h, far)
        lightest = mass.min()
        for at in range(_concerned(far, worth, weights, labels, h, mass[h], concerned)):
            i = concerned[at]
            a, e = labels[i], weights[i]
            if a == h:
                _squares(centre_columns, points, i, squares)
                first, last, near, squares[h] = 0, k, squares[h], np.inf
                worth[i] = _worth(near, mass[h], e)
                if _number_below(squares, max(near, worth[i] * (1.0 + e / lightest))) == 0:
                    continue
            else:
                first, last, near = h, h + 1, squared_distance(points, i, centres, a)
                squares[h] = squared_distance(points, i, centres, h)
            mark += 1
            for t in range(indptr[i], indptr[i + 1]):
                closed[labels[indices[t]]] = mark
            members[0], size, target = i, 1, -1
            if sizes[a] > 1 and mass[a] - e > LIGHT * mass[a]:
                least = mass[a] / (mass[a] - e) * near * (1.0 - RELATIVE_GAIN)
                target = _free_target(squares, closed, mark, mass, first, last, least, e)
            here = mark
            for g in range(first, last if target < 0 else first):
                if squares[g] < near and closed[g] == here:
                    mark += 1
                    gain = e * (near - squares[g])
                    size = collect_chain(state, i, g, gain, members, marks, mark)
                    if size > 0 and exchange_gains(state, a, g, members[:size]):
                        target = g
                        break
            if target < 0:
                continue
            moves += 1
            exchange(state, a, target, members[:size], moves)
            for c in (a, target):
                for coordinate in range(columns.shape[0]):
                    centre_columns[coordinate, c] = centres[c, coordinate]
                if not dirty[c]:
                    dirty[c] = True
                    queue[(head + waiting) % k] = c
                    waiting += 1
    dirty[:] = False


@reassociating_kernel
def _squares(columns: Floats, others: Floats, j: int, squares: Floats) -> None:
    """Write the squared distances of all points, a coordinate a row, to row j of others."""
    for c in range(columns.shape[0]):
        coordinate = others[j, c]
        if c == 0:
            for i in range(squares.size):
                squares[i] = (columns[c, i] - coordinate) * (columns[c, i] - coordinate)
        else:
            for i in range(squares.size):
                squares[i] += (columns[c, i] - coordinate) * (columns[c, i] - coordinate)


@inner_kernel
def _concerned(
    far: Floats, worth: Floats, weights: Floats, labels: Indices, h: int, mass: float, concerned: Indices
) -> int:
    """List the members of cluster h and super-points that could gain by entering it; return how many they are."""
    number = 0
    for i in range(labels.size):
        if labels[i] == h or far[i] * mass < worth[i] * (mass + weights[i]):
            concerned[number] = i
            number += 1
    return number


@inner_kernel
def _number_below(values: Floats, limit: float) -> int:
    """Return how many values are less than a limit."""
    number = 0
    for at in range(values.size):  # over indices it is done with several at a time
        number += 1 if values[at] < limit else 0
    return number


@inner_kernel
def _worth(near: float, mass: float, weight: float) -> float:
    """Return below which squared distance, but for the mass of the other cluster, another centre is worth a look."""
    left = mass - weight
    return near if left <= LIGHT * mass else near * mass / left


@inner_kernel
def _free_target(
    squares: Floats, closed: Indices, mark: int, mass: Floats, first: int, last: int, least: float, weight: float
) -> int:
    """Return the cluster that costs least, and less than this, where no cannot-link stands in the way; -1 if none."""
    target = -1
    for h in range(first, last):
        if squares[h] * mass[h] < least * (mass[h] + weight) and closed[h] != mark:
            least, target = squares[h] * mass[h] / (mass[h] + weight), h
    return target


#: Cannot-links of a super-point, on the average, beyond which they are dense.
DENSE = 10


def is_dense(reduced: Reduced) -> bool:
    """Return whether the cannot-links are so many that exact assignments may take long."""
    return reduced.graph.indices.size > DENSE * reduced.size


def search_dense(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs,
    max_iterations: int,
    budget: Budget,
    on_way: Callable[[Solution], object],
) -> LocalOptimum:
    """Search from these centres; parameters and result are those of :func:`pcsos.heuristics.local_search.search_from`.

    Only where regret finds no first assignment the slower ways to find one are tried.
    """
    best: Solution | None = None
    iterations, assignments, failure = 0, 0, ""
    while iterations < max_iterations and not (best is not None and budget.stop.asked()):
        matrix = costs(centres)
        labels = _assigned(matrix, reduced)
        iterations += 1
        if labels is None:
            if best is not None:
                break
            assignment = assign(matrix, reduced.graph, exact=False, budget=budget)
            assignments += 1
            if isinstance(assignment, Unassigned):
                failure = assignment.reason
                break
            labels = assignment.labels
        if best is None:
            on_way(Solution(labels, objective_of(reduced, labels)))
        found = settled(reduced, labels)
        iterations += 1
        if best is not None and not tolerances.is_improvement(found.objective, best.objective):
            break
        best = found
        on_way(best)
        centres = centres_of(reduced, best.labels)
    return LocalOptimum(best, Work(1, iterations, assignments, 0), failure)


def settled(reduced: Reduced, labels: Indices) -> Solution:
    """Return what moves and the likeliest chains make of feasible labels."""
    changed, dirty = labels.astype(np.intp), np.ones(reduced.n_clusters, np.bool_)
    settle(Nodes.of(reduced), np.ascontiguousarray(reduced.coordinates.T), changed, dirty)
    return Solution(changed, objective_of(reduced, changed))


def _assigned(matrix: Floats, reduced: Reduced) -> Indices | None:
    """Return labels by regret with every cluster used, or None if some super-point finds no cluster.

    An empty cluster takes the super-point that costs most where it is, which can break no cannot-link.
    """
    labels = colour_by_regret(matrix, reduced.graph)
    if labels is None or reduced.size < reduced.n_clusters:
        return None
    sizes = np.bincount(labels, minlength=reduced.n_clusters)
    taken = matrix[np.arange(labels.size), labels]
    for empty in np.flatnonzero(sizes == 0):
        moved = np.where(sizes[labels] > 1, taken, -1.0).argmax()
        sizes[labels[moved]] -= 1
        sizes[empty], labels[moved], taken[moved] = 1, empty, 0.0
    return labels
