"""What to branch on: a pair (Paper 3.1) for which both children promise a better bound, or the weight of a cluster.

Soft pairs are charged little where clusters may weigh anything (Mathematics, section 11).
"""

import math

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.families.sets import crossing_of
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import charges_of
from pcsos.evidence.multipliers import Cuts
from pcsos.evidence.node import Change, Decision
from pcsos.problem.limit_pairs import bounded
from pcsos.problem.reduction import WeightBound

#: A soft pair is branched on where the relaxation leaves so much of the greatest penalty unpaid.
UNPAID = 1e-3
#: Super-points go together where Z_ij is at least this share of the smaller of Z_ii and Z_jj.
GOES_WITH = 0.9

#: Weights are branched on where so many times the greatest penalty is missing.
WORTH = 2.0
#: A weight is known well enough within this factor; a bound is beyond the estimate by a root of what is not known, or
#: by this at most.
FINE, STEP = 1.15, 1.35
#: What super-points share at most of their clusters, to be anchors of different ones.
SHARED = 0.2


def branching(relaxation: PengWei, y: Floats, cuts: Cuts, missing: float) -> Change:
    """Return what to branch on: the weight of a cluster, where soft pairs are not paid in full, or a pair.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        A (nearly) optimal point of the relaxation.
    cuts : Cuts
        Those of the relaxation.
    missing : float
        How far the bound is from the cutoff.
    """
    soft = soft_branching_pair(relaxation, y, cuts)
    by_weight = None if soft is None else _change_of_weights(relaxation, y, missing)
    if by_weight is not None:
        return by_weight
    return _on_pair(relaxation, *(branching_pair(relaxation, y) if soft is None else soft))


def _on_pair(relaxation: PengWei, i: int, j: int) -> Decision:
    first, second = np.sort(relaxation.reduced.representative[[i, j]]).tolist()
    return Decision("ML", first, second)


def branching_pair(relaxation: PengWei, y: Floats) -> tuple[int, int]:
    """Return the pair of super-points with the largest of the :func:`branching_scores`.

    Where limits of sizes divide groups of points, scores are multiplied by the company of the pair: the weight of the
    super-points with which one of them, the one that has less, shares a cluster all but for certain.
    """
    score = branching_scores(relaxation, y)
    if crossing_of(relaxation.reduced) is not None:
        z = _nonnegative_z(relaxation, y)
        company = (z >= GOES_WITH * np.minimum.outer(z.diagonal(), z.diagonal())) @ relaxation.weights
        score *= np.minimum.outer(company, company)
    i, j = np.unravel_index(int(np.argmax(score)), score.shape)
    return int(i), int(j)


def soft_branching_pair(relaxation: PengWei, y: Floats, cuts: Cuts) -> tuple[int, int] | None:
    """Return the soft pair for which the relaxation pays least of what partitions near it do, None where it pays all.

    With r the share of togetherness, ``Z_ij / min(Z_ii, Z_jj)``, such a partition pays ``(1 - r) a + r t``. Each child
    pays in full, and the relaxation of neither can pay less than that of the parent.
    """
    soft = relaxation.reduced.soft
    if len(soft) == 0:
        return None
    i, j = soft.pairs.T
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    own = np.maximum(np.minimum(z[i, i], z[j, j]), 1.0 / relaxation.masses.largest.max())
    together = np.clip(z[i, j] / own, 0.0, 1.0)
    charges, excess = charges_of(relaxation, y, cuts)
    unpaid = (1.0 - together - charges[:, 0] - excess[:, 0]) * soft.apart
    unpaid += (together - charges[:, 1] - excess[:, 1]) * soft.together
    best = int(np.argmax(unpaid))
    is_worth_it = unpaid[best] > UNPAID * float(np.maximum(soft.apart, soft.together).max())
    return (int(i[best]), int(j[best])) if is_worth_it else None


def branching_scores(relaxation: PengWei, y: Floats) -> Floats:
    """Return ``min(Z_ij, ||Z_i. - Z_j.||^2)`` for i < j, and -inf elsewhere and for cannot-links, shape (s, s).

    Norms are over the original points: column l of Z counts e_l times.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        A (nearly) optimal point of the relaxation.
    """
    z = _nonnegative_z(relaxation, y)
    weighted = z * relaxation.weights
    products = weighted @ z.T
    squares = products.diagonal()
    distance = np.maximum(squares[:, None] + squares[None, :] - 2.0 * products, 0.0)
    score = np.minimum(z, distance)
    score[relaxation.upper <= 0.0] = -np.inf
    score[np.tril_indices(relaxation.size)] = -np.inf
    return score


def _nonnegative_z(relaxation: PengWei, y: Floats) -> Floats:
    return np.asarray(np.maximum(y, 0.0) * np.outer(relaxation.inverse_roots, relaxation.inverse_roots))


def _change_of_weights(relaxation: PengWei, y: Floats, missing: float) -> Change | None:
    """Return what to branch on so that the weights of all clusters are known better; None where pairs promise more.

    Of k anchors that are all apart every cluster holds one. First two of them are put apart; then the weights of their
    clusters are bounded, from above and then from below, all by the same weight, so that it bounds every cluster.
    """
    soft = relaxation.reduced.soft
    if missing < WORTH * float(np.maximum(soft.apart, soft.together).max()):
        return None
    z = _nonnegative_z(relaxation, y)
    own = np.maximum(z.diagonal(), 1.0 / relaxation.masses.largest)
    found = _anchors(relaxation, z, own)
    if found is None:
        return None
    near = np.argwhere(np.triu(relaxation.upper[np.ix_(found, found)] > 0.0, 1))
    if near.size:
        return _on_pair(relaxation, *found[near[0]].tolist())
    return _bound(relaxation, found, 1.0 / own[found])


def _anchors(relaxation: PengWei, z: Floats, own: Floats) -> Indices | None:
    """Return k super-points in different clusters: bounded ones, those with most cannot-links, those in one cluster.

    So those that have been put apart already are found again.
    """
    found, degrees = bounded(relaxation.reduced), relaxation.reduced.graph.degrees
    pure = ((z * z) @ relaxation.weights) / own
    while found.size < relaxation.n_clusters:
        shared = (z[:, found] / np.minimum.outer(own, own[found])).max(axis=1, initial=0.0)
        shared[found] = np.inf
        best = np.lexsort((pure, degrees, shared < SHARED))[-1]
        if shared[best] >= SHARED:
            return None
        found = np.append(found, best)
    return found


def _bound(relaxation: PengWei, found: Indices, weight: Floats) -> WeightBound | None:
    """Return a bound of the weight of the cluster of an anchor: of the one that is most likely to keep it."""
    low, high = relaxation.masses.least[found], relaxation.masses.largest[found]
    points = relaxation.reduced.representative[found]
    ratio = float(high.max() / weight.max())
    most = _between(relaxation, float(weight.max()) * min(math.sqrt(ratio), STEP))
    is_open = (high > most) & (weight < most)
    if ratio > FINE and is_open.any():
        return WeightBound("lighter", int(points[np.argmin(np.where(is_open, weight, np.inf))]), most)
    ratio = float(weight.min() / max(low.min(), relaxation.weights.min()))
    least = _between(relaxation, float(weight.min()) / min(math.sqrt(ratio), STEP))
    is_open = (low < least) & (weight > least)
    if ratio > FINE and is_open.any():
        return WeightBound("lighter", int(points[np.argmax(np.where(is_open, weight, 0.0))]), least)
    return None


def _between(relaxation: PengWei, weight: float) -> float:
    """Return a weight near to one that no cluster has, if all weights are whole."""
    is_whole = bool((relaxation.weights == np.floor(relaxation.weights)).all())
    return math.floor(weight) + 0.5 if is_whole else weight
