"""Slopes: how what nodes of the tree pay changes from one to the next, so that super-points within them pay alike."""

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.cells import SAME_PLACE

#: Neighbours of the same cluster that a slope is fitted to, at least, and for each feature.
NEIGHBOURS, FOR_EACH_FEATURE = 12, 2
#: Share of their moments that is added along all features: where neighbours do not spread, nothing changes.
RIDGE = 1e-3


def slopes_of(rates: Floats, means: Floats, weights: Floats, labels: Indices) -> Floats:
    """Return by how much rates change along each feature, by least squares over neighbours of the same cluster.

    Parameters
    ----------
    rates, weights : ndarray, shape (g,)
        What each node pays for its weight, and the weight.
    means : ndarray, shape (g, d)
        Mean of each node.
    labels : ndarray of int, shape (g,)
        Cluster of each: where two meet there may be a kink.

    Returns
    -------
    ndarray, shape (g, d)
    """
    from scipy.spatial import KDTree  # slow to load

    slopes, d = np.zeros_like(means), means.shape[1]
    for cluster in np.unique(labels):
        own = np.flatnonzero(labels == cluster)
        number = 1 + max(NEIGHBOURS, FOR_EACH_FEATURE * d)
        if own.size >= number:
            _, found = KDTree(means[own]).query(means[own], k=number)
            slopes[own] = _fitted(means[own[found]], rates[own[found]], weights[own[found]])
    return slopes


def _fitted(means: Floats, rates: Floats, weights: Floats) -> Floats:
    """Return the slopes of as many planes, each through some points with weights."""
    shares = (weights / weights.sum(axis=1, keepdims=True))[..., None]
    away = means - (shares * means).sum(axis=1, keepdims=True)
    higher = rates[..., None] - (shares * rates[..., None]).sum(axis=1, keepdims=True)
    moments = np.swapaxes(shares * away, 1, 2) @ away
    spread = np.trace(moments, axis1=1, axis2=2)
    is_spread = spread > SAME_PLACE * (means**2).sum(axis=2).max(axis=1)
    moments += np.where(is_spread, RIDGE * spread, 1.0)[:, None, None] * np.eye(means.shape[2])
    products = np.swapaxes(shares * away, 1, 2) @ higher
    return np.where(is_spread[:, None], np.linalg.solve(moments, products)[..., 0], 0.0)
