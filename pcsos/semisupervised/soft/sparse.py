"""Sparse clustering: clusters and weights of features in turn (Vouros and Vasilaki 2021, sections 2.2 and 2.4)."""

import warnings

import numpy as np

from pcsos.semisupervised.soft.descent import Clustering, Found, Passes, descend, means_and_scatter
from pcsos.semisupervised.soft.feature_weights import sparse_weights
from pcsos.semisupervised.soft.penalties import Penalties
from pcsos.tolerances import EPS
from pcsos.typing import Floats, Indices

#: Relative change of the weights, in sums of absolute values, below which they stand still (equation 7).
STANDSTILL = 1e-4


def sparse_search(
    points: Floats, penalties: Penalties, s: float, centres: Floats, passes: Passes, *, penalise_weights: bool = True
) -> Found:
    """Alternate clusters for given weights and weights for given clusters until the weights stand still.

    The weights that are found are at least 0, their squares sum to 1 at most and they to s; the objective is the
    weighted gain (equation 13) after each new weighting, which is to be large.

    Each round starts from the clusters of the one before, so that the weighted gain never falls, unless a cluster had
    to be given a point or the weights are not penalised.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    penalties : Penalties
        With a column a feature.
    s : float
        Bound on the sum of the weights, ``1 <= s <= sqrt(p)``.
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
    least = total * (1.0 - len(points) * EPS)  # what lies above is told apart from no gain by rounding only
    labels: Indices | None = None
    objectives: list[float] = []
    num_refilled = 0
    for _ in range(passes.most):
        found = _clusters(points, penalties, weights, centres, passes, labels)
        labels = found.labels
        num_refilled += found.num_refilled
        centres, scatter = means_and_scatter(points, labels, len(centres))
        gains = np.where(scatter < least, total - scatter, 0.0)
        paid = penalties.of(labels)
        basis = gains - paid if penalise_weights else gains
        if basis.max() <= 0.0:
            objectives.append(float(weights @ (gains - paid)))
            if paid.any():
                _warn_of_no_gain()
            break
        previous, weights = weights, sparse_weights(basis, s)
        objectives.append(float(weights @ (gains - paid)))
        if np.abs(weights - previous).sum() < STANDSTILL * previous.sum():
            break
    assert labels is not None
    return Found(labels, weights, tuple(objectives), num_refilled)


def _clusters(
    points: Floats, penalties: Penalties, weights: Floats, centres: Floats, passes: Passes, labels: Indices | None
) -> Clustering:
    """Return the clusters that a descent with these weights ends in."""
    roots = np.sqrt(weights)
    return descend(points * roots, penalties, weights, centres * roots, passes, labels=labels)


def _warn_of_no_gain() -> None:
    warnings.warn(
        "no feature gains more than the broken pairs cost, so the weights stay as they are; give other pairs, smaller "
        "weights of pairs, or penalise_weights=False",
        stacklevel=6,
    )
