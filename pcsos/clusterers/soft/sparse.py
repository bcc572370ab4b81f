"""Sparse clustering: clusters and weights of features in turn (Vouros and Vasilaki 2021, sections 2.2 and 2.4)."""

import numpy as np

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.clusterers.soft.descent import Passes, SoftClustering, descend, means_and_scatter
from pcsos.clusterers.soft.feature_weights import sparse_weights
from pcsos.clusterers.soft.penalties import Penalties

#: Relative change of the weights, in sums of absolute values, below which they stand still (equation 7).
STANDSTILL = 1e-4
NO_GAIN = (
    "no feature gains more than the broken pairs cost, so the weights stay as they are; give other pairs, smaller "
    "weights of pairs, or penalise_weights=False"
)


def sparse_search(
    points: Floats,
    penalties: Penalties,
    s: float | None,
    centres: Floats,
    passes: Passes,
    *,
    penalise_weights: bool = True,
) -> SoftClustering:
    """Alternate clusters for given weights and weights for given clusters until the weights stand still.

    The weights that are found are at least 0, their squares sum to 1 at most and they to s; the objective is the
    weighted gain (equation 13) after each new weighting, which is to be large.

    Each round starts from the means of the one before and from no labels (step 2 of the paper), so that a point that
    its pairs held in a wrong cluster is free again; the weighted gain may fall on the way.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    penalties : Penalties
        With a column a feature.
    s : float or None
        Bound on the sum of the weights, ``1 <= s <= sqrt(p)``; with None all features weigh the same.
    centres : ndarray, shape (k, p)
        Where to start.
    passes : Passes
        How many a round, and in which order; there are at most as many rounds.
    penalise_weights : bool
        Whether broken pairs lower the gains that the weights are made of (equation 15).
    """
    n_features = points.shape[1]
    weights = np.full(n_features, 1.0 / np.sqrt(n_features))
    total = ((points - points.mean(axis=0)) ** 2).sum(axis=0)
    least = total * (1.0 - len(points) * EPS)  # what lies above is distinguished from no gain by rounding only
    objectives: list[float] = []
    num_refilled, remark = 0, ""
    for _ in range(passes.most):
        roots = np.sqrt(weights)
        found = descend(points * roots, penalties, weights, centres * roots, passes)
        num_refilled += found.num_refilled
        centres, scatter = means_and_scatter(points, found.labels, len(centres))
        gains = np.where(scatter < least, total - scatter, 0.0)
        paid = penalties.of(found.labels)
        counted = gains - paid if penalise_weights else gains
        has_gain = counted.max() > 0.0
        previous = weights
        if s is not None and has_gain:
            weights = sparse_weights(counted, s)
        objectives.append(float(weights @ (gains - paid)))
        if np.abs(weights - previous).sum() < STANDSTILL * previous.sum():
            remark = "" if has_gain or not paid.any() else NO_GAIN
            break
    return SoftClustering(found.labels, centres, weights, tuple(objectives), num_refilled, remark)
