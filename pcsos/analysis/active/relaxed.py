"""The strategies ``sdp-branch`` and ``sdp-entropy``: pairs that the relaxation leaves open."""

import numpy as np

from pcsos.analysis.active.state import SessionState
from pcsos.analysis.certainty.relaxed import glimpsed, representatives, restricted
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.problem.reduction import Reduced
from pcsos.search.relaxation.branching import branching_scores

#: Pairs whose answers are looked at beforehand, and iterations of the relaxation for each answer: on points without
#: clusters, where all is in doubt, 20 order the pairs nearly as 60 do (rank correlation 0.95), 5 do not (0.8).
CANDIDATES, ITERATIONS = 24, 15
#: Least branching score, relative to the entries of Z, and least entropy of a pair that the relaxation leaves open.
LEAST_SCORE, LEAST_ENTROPY = 1e-2, 1e-2


class LargestScore:
    """The pair that the solver would branch on: an answer picks the child that survives."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the open pair with the largest branching score, None where the relaxation leaves none open."""
        problem, plane = state.knowledge.problem, loop_of(state)
        if plane is None:
            return None
        scores = branching_scores(plane.relaxation, plane.engine.y)
        least = LEAST_SCORE * plane.relaxation.entry_size
        return next(iter(_open_pairs(state, problem, scores, least, most=1)), None)


class LargestDrop:
    """The pair whose answer is expected to leave least entropy.

    The relaxation says how likely it is that super-points share a cluster, ``p_ij = Z_ij / sqrt(Z_ii Z_jj)``. The open
    pairs of largest entropy, no two with a super-point in common, are looked at: the relaxation with the pair together,
    and with the pair apart, for a few iterations from where it stands, and the entropies of all pairs that are left,
    with the weights p and 1 - p. Where time runs out, those that were looked at count.
    """

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the pair with the least expected entropy, None where the relaxation leaves none open."""
        problem, plane = state.knowledge.problem, loop_of(state)
        if plane is None:
            return None
        together = probabilities(plane)
        scores = np.triu(entropy(together), 1)
        pairs = _open_pairs(state, problem, scores, LEAST_ENTROPY, most=CANDIDATES)
        if not pairs:
            return None
        left = []
        for pair in pairs:
            i, j = problem.component[list(pair)].tolist()
            left.append(_expected(state, plane, (i, j), float(together[i, j])))
            if state.stop.asked():
                break
        return pairs[int(np.argmin(left))]


def loop_of(state: SessionState) -> CuttingPlane | None:
    """Return the cutting-plane loop after a few rounds, None where one partition is left or there is no time."""
    problem = state.knowledge.problem
    if problem.is_trivial:
        return None
    partition = state.shared.partition(state.stop)
    if partition is None or state.stop.asked():
        return None
    return state.shared.relaxation(partition, state.stop)


def probabilities(plane: CuttingPlane) -> Floats:
    """Return ``Z_ij / sqrt(Z_ii Z_jj)`` within 0 and 1, shape (s, s): 0 or 1 at a partition."""
    y = plane.engine.y
    roots = np.sqrt(np.maximum(y.diagonal(), np.finfo(float).tiny))
    values = np.clip(y / np.outer(roots, roots), 0.0, 1.0)
    values[plane.relaxation.upper <= 0.0] = 0.0
    return np.asarray(values)


def entropy(probability: Floats) -> Floats:
    """Return the binary entropy of probabilities, in bits."""
    p = np.clip(probability, 1e-12, 1.0 - 1e-12)
    return np.asarray(-p * np.log2(p) - (1.0 - p) * np.log2(1.0 - p))


def _expected(state: SessionState, plane: CuttingPlane, pair: tuple[int, int], p: float) -> float:
    """Return the entropy that is left after the answer about a pair of super-points, on average."""
    total, problem = 0.0, state.knowledge.problem
    for together, weight in ((True, p), (False, 1.0 - p)):
        child = restricted(problem, pair, together)
        if child is not None and not child.is_trivial:
            total += weight * _total_entropy(glimpsed(plane, problem, child, ITERATIONS, state.stop))
    return total


def _total_entropy(plane: CuttingPlane) -> float:
    """Return the sum of the entropies of all pairs of points."""
    e = plane.relaxation.weights
    return float((np.triu(entropy(probabilities(plane)), 1) * np.outer(e, e)).sum())


def _open_pairs(
    state: SessionState, problem: Reduced, scores: Floats, least: float, *, most: int
) -> list[tuple[int, int]]:
    """Return the open pairs of points with the largest scores, at most one for each super-point."""
    found: list[tuple[int, int]] = []
    used: set[int] = set()
    rows, columns = np.nonzero(scores > least)
    for at in np.argsort(-scores[rows, columns], kind="stable").tolist():
        pair = int(rows[at]), int(columns[at])
        points = representatives(problem, pair)
        if used.isdisjoint(pair) and state.is_open(*points):
            found.append(points)
            used.update(pair)
            if len(found) == most:
                break
    return found
