"""Far apart: pairs of super-points that no good partition puts together, and what moving them close is worth.

An outlier, or groups that are very far from one another, make the sum of squares about the mean of all points so large
that its rounding hides what the clusters cost. But two super-points in one cluster cost at least
``e_i e_j / (e_i + e_j) ||m_i - m_j||^2``, and where that is more than a known partition, they are apart in every better
one. Blocks of super-points between which all pairs are apart share no cluster, so each block can be moved to the origin
without a change of any cost (Mathematics 1).
"""

import math
from dataclasses import replace

import numpy as np

from pcsos.base import tolerances
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.bounds.relaxation.peng_wei import formation_error, refuse_too_large
from pcsos.evidence.kinds import Far
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.presolve.presolve import Presolved
from pcsos.problem.conditions.pairs import connected_components, unique_pairs
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.geometry import SMALLEST_COST
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, contract_points


def move_blocks(problem: Presolved, objective: float, gap: float) -> Presolved:
    """Return the problem with its blocks moved where the rounding of their distances would hide what clusters cost.

    The objective is what a partition of it costs, infinity without one, and the gap is the one asked for.
    """
    reduced = problem.reduced
    hidden = formation_error(reduced, reduced.total) > tolerances.ROUNDING_SHARE * gap * objective
    if not hidden or not reduced.is_plain or objective <= 0.0 or math.isinf(objective):
        return problem
    return separate_blocks(problem, tolerances.cutoff(objective, gap)) or problem


def separate_blocks(problem: Presolved, cutoff: float) -> Presolved | None:
    """Return the problem with its far pairs apart and its blocks moved; the cutoff is the least cost of no interest.

    None where no far pair lies between two blocks, or the blocks are too small for double precision (as an instance
    would be).
    """
    instance, reduced = problem.instance, problem.reduced
    least = least_pair_costs(instance, reduced)
    far = least >= cutoff
    block = _blocks(far | reduced.graph.adjacency())
    i, j = np.nonzero(np.triu((block[:, None] != block[None, :]) & far, 1))
    if not i.size:
        return None
    bound = float(least[i, j].min())
    first = reduced.representative
    points = np.sort(np.column_stack([first[i], first[j]]), axis=1)
    step = Far(tuple(Decision("CL", int(a), int(b)) for a, b in points.tolist()), bound)
    moved = _moved(instance, reduced, np.column_stack([i, j]), block)
    nothing_left = moved.total == 0.0 and not moved.means.any()
    if not nothing_left and moved.total < SMALLEST_COST:
        return None
    return replace(problem, reduced=moved, steps=(step,), is_moved=True)


def moved_as_before(problem: Presolved, root: NodeRecord) -> Presolved:
    """Return the problem with its blocks moved if those of the root were that an earlier part of the run has left."""
    far = root.evidence[0]
    if not isinstance(far, Far):
        return problem
    refuse_too_large(problem.reduced.size)  # before tables of all pairs
    instance, reduced = problem.instance, problem.reduced
    pairs = reduced.component[np.array([(d.i, d.j) for d in far.decisions], np.intp).reshape(-1, 2)]
    apart = ConflictGraph.build(reduced.size, np.vstack([pairs, reduced.cannot_link])).adjacency()
    return replace(problem, reduced=_moved(instance, reduced, pairs, _blocks(apart)), steps=(far,), is_moved=True)


def least_pair_costs(instance: Instance, reduced: Reduced) -> Floats:
    """Return what two super-points cost at least in one cluster, despite rounding, shape (s, s).

    Differences are taken between original points, where they lose nothing but digits, and lowered by what the means of
    super-points about their first points can be wrong by.
    """
    first = reduced.representative
    within = instance.points - instance.points[first][reduced.component]
    sums = np.zeros((reduced.size, instance.n_features))
    np.add.at(sums, reduced.component, within * instance.weights[:, None])
    offsets = sums / reduced.weights[:, None]
    largest = np.zeros_like(offsets)
    np.maximum.at(largest, reduced.component, np.abs(within))
    unit = (instance.n_points + 8.0) * EPS
    squares = np.zeros((reduced.size, reduced.size))
    for feature in range(instance.n_features):
        column, inner, error = instance.points[first, feature], offsets[:, feature], unit * largest[:, feature]
        apart = column[:, None] - column[None, :]
        doubt = unit * np.abs(apart) + error[:, None] + error[None, :]
        squares += np.maximum(np.abs(apart + (inner[:, None] - inner[None, :])) - 2.0 * doubt, 0.0) ** 2
    squares[squares < tolerances.UNDERFLOW] = 0.0
    e = reduced.weights
    mass = 1.0 / (1.0 / e[:, None] + 1.0 / e[None, :])
    costs: Floats = squares * mass * (1.0 - (instance.n_points + instance.n_features + 16.0) * EPS)
    costs[costs < tolerances.UNDERFLOW] = 0.0
    return costs


def _blocks(apart: Flags) -> Indices:
    """Return the connected components of the pairs that are not apart, numbered by their first super-point."""
    return connected_components(len(apart), np.argwhere(np.triu(~apart, 1)))


def _moved(instance: Instance, reduced: Reduced, pairs: Indices, block: Indices) -> Reduced:
    """Return the problem with further cannot-links and the mean of every block at the origin."""
    points = np.empty_like(instance.points)
    of_point = block[reduced.component]
    for number in range(int(block.max()) + 1):
        members = of_point == number
        weights, rows = instance.weights[members], instance.points[members]
        heaviest = rows[np.argmax(weights)]
        shifted = rows - heaviest
        points[members] = shifted - weights @ shifted / weights.sum()
    cannot_link = unique_pairs(np.vstack([reduced.cannot_link, pairs]))
    return contract_points(points, instance.weights, instance.n_clusters, cannot_link, reduced.component)
