"""Far apart: pairs of super-points that no good partition puts together, and what moving them close is worth.

An outlier, or groups that are very far from one another, make the sum of squares about the mean of all points so large
that its rounding hides what the clusters cost. But two super-points in one cluster cost at least
``e_i e_j / (e_i + e_j) ||m_i - m_j||^2``, and where that is more than a known partition, they are apart in every better
one. Blocks of super-points between which all pairs are apart share no cluster, so each block can be moved to the origin
without a change of any cost (Mathematics 1).
"""

from dataclasses import dataclass

import numpy as np

from pcsos import tolerances
from pcsos.constraints import unique_pairs
from pcsos.instance import SMALLEST_COST, Instance
from pcsos.proof import Decision, FarStep
from pcsos.reduction import Reduced, contract_points
from pcsos.tolerances import EPS
from pcsos.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class Separated:
    """A problem whose blocks have been moved, and the step that allows it."""

    problem: Reduced
    step: FarStep


def separate_blocks(instance: Instance, reduced: Reduced, cutoff: float) -> Separated | None:
    """Return the problem with its far pairs apart and its blocks moved.

    None where there is a single block, or the blocks are too small for double precision (as an instance would be).

    Parameters
    ----------
    reduced : Reduced
        The reduced instance.
    cutoff : float
        Partitions that cost this or more are of no interest.
    """
    least = least_pair_costs(instance, reduced)
    known = _between(reduced.size, reduced.cannot_link)
    apart = known | (least >= cutoff)
    block = _blocks(apart)
    if block.max() == 0:
        return None
    i, j = np.nonzero(np.triu((block[:, None] != block[None, :]) & ~known, 1))
    bound = float(least[i, j].min(initial=np.inf)) if i.size else cutoff
    first = reduced.representative
    points = np.sort(np.column_stack([first[i], first[j]]), axis=1)
    step = FarStep(tuple(Decision("CL", int(a), int(b)) for a, b in points.tolist()), bound)
    problem = _moved(instance, reduced, np.column_stack([i, j]), block)
    nothing_left = problem.total == 0.0 and not problem.means.any()
    return Separated(problem, step) if nothing_left or problem.total >= SMALLEST_COST else None


def separate_again(instance: Instance, reduced: Reduced, step: FarStep) -> Reduced:
    """Return the problem that :func:`separate_blocks` returned together with this step."""
    pairs = reduced.component[np.array([(d.i, d.j) for d in step.decisions], np.intp).reshape(-1, 2)]
    apart = _between(reduced.size, np.vstack([pairs, reduced.cannot_link]))
    return _moved(instance, reduced, pairs, _blocks(apart))


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


def _between(size: int, pairs: Indices) -> Flags:
    """Return a symmetric table, shape (size, size), in which these pairs are marked."""
    table = np.zeros((size, size), np.bool_)
    table[pairs[:, 0], pairs[:, 1]] = table[pairs[:, 1], pairs[:, 0]] = True
    return table


def _blocks(apart: Flags) -> Indices:
    """Return the connected components of the pairs that are not apart, numbered by their first super-point."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    together = ~apart
    np.fill_diagonal(together, True)
    return np.asarray(connected_components(csr_matrix(together), directed=False)[1], np.intp)


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
