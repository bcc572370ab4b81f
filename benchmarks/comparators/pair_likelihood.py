"""The model of SSC-IPA: Gaussian clusters, and must-links and cannot-links drawn from block models.

Gribel, Gendreau and Vidal, *Semi-supervised clustering with inaccurate pairwise annotations* (2022). With n_r points
and the scatter W_r in cluster r, what is minimised is

    sum over r of n_r d/2 ln v_r + W_r / (2 v_r),    v_r = max(W_r / (n_r d), floor),

plus, for each of the two kinds of pairs and all clusters r <= s with m_rs pairs between them,

    m_rs - m_rs ln w_rs - ln b_rs,    w_rs = m_rs / (N_rs + b_rs),    N_rr = n_r^2 / 2,  N_rs = n_r n_s,

the posterior of Poisson rates w_rs whose prior is exponential with mean 1 / b_rs. Where an expert is right with
probability p, must-links are inside clusters at the rate p c and across them at (1 - p) c, cannot-links the other way
round, and c is such that as many pairs are expected as there are.

Readings: accuracy p = 1 has no finite criterion, so it is taken as 1 - 1e-6. The floor, a thousandth of the variance
of all points, keeps a cluster of equal points from a likelihood without bound.
"""

from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance

#: Probability that a pair is wrong, where all are held to be right.
ERROR = 1e-6
#: Least variance of a cluster, as a share of the variance of all points.
FLOOR = 1e-3


class Model(NamedTuple):
    """Points and annotated pairs.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The points, moved to their mean.
    indptr, indices, kinds : ndarray of int
        The pairs of each point: the other point, and 0 for a must-link or 1 for a cannot-link.
    totals : ndarray of int, shape (2,)
        Numbers of must-links and cannot-links.
    floor : float
        Least variance of a cluster.
    """

    points: Floats
    indptr: Indices
    indices: Indices
    kinds: Indices
    totals: Indices
    floor: float


class Fit(NamedTuple):
    """Labels and what the criterion needs of them; the arrays are changed in place.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Cluster of each point.
    sizes, scatter : ndarray, shape (k,)
        Number of points of each cluster, and their sum of squares about its centre.
    centres : ndarray, shape (k, d)
        The means.
    pairs : ndarray, shape (2, k, k)
        Must-links and cannot-links between clusters, symmetric, those inside a cluster counted once.
    """

    labels: Indices
    sizes: Floats
    scatter: Floats
    centres: Floats
    pairs: Floats


def model_of(instance: Instance) -> Model:
    """Return the model of the points and pairs of an instance."""
    points = instance.points - instance.points.mean(axis=0)
    pairs = np.vstack([instance.must_link, instance.cannot_link])
    kinds = np.repeat([0, 1], [len(instance.must_link), len(instance.cannot_link)])
    ends = np.concatenate([pairs[:, 0], pairs[:, 1]])
    order = np.argsort(ends, kind="stable")
    indptr = np.zeros(instance.n_points + 1, np.intp)
    np.cumsum(np.bincount(ends, minlength=instance.n_points), out=indptr[1:])
    others = np.concatenate([pairs[:, 1], pairs[:, 0]])[order]
    variance = float((points**2).mean())
    floor = FLOOR * variance if variance > 0.0 else 1.0
    return Model(points, indptr, others, np.tile(kinds, 2)[order], np.bincount(kinds, minlength=2), floor)


def fit_of(model: Model, labels: Indices, n_clusters: int) -> Fit:
    """Return the fit of these labels, which it takes over."""
    k = n_clusters
    centres = np.zeros((k, model.points.shape[1]))
    fit = Fit(labels, np.zeros(k), np.zeros(k), centres, np.zeros((2, k, k)))
    refit(model, fit)
    return fit


@kernel
def refit(model: Model, fit: Fit) -> None:
    """Compute from the labels what follows from them."""
    points, labels, sizes, scatter, centres = model.points, fit.labels, fit.sizes, fit.scatter, fit.centres
    sizes[:], scatter[:] = 0.0, 0.0
    centres[:], fit.pairs[:] = 0.0, 0.0
    for i in range(labels.size):
        sizes[labels[i]] += 1.0
        for c in range(points.shape[1]):
            centres[labels[i], c] += points[i, c]
    for h in range(sizes.size):
        for c in range(points.shape[1]):
            centres[h, c] /= sizes[h]
    for i in range(labels.size):
        a = labels[i]
        for c in range(points.shape[1]):
            scatter[a] += (points[i, c] - centres[a, c]) ** 2
        for t in range(model.indptr[i], model.indptr[i + 1]):
            h = labels[model.indices[t]]
            fit.pairs[model.kinds[t], a, h] += 0.5 if a == h else 1.0


@kernel
def gaussian_cost(size: float, scatter: float, dimension: int, floor: float) -> float:
    """Return the part of the criterion of one cluster's points."""
    variance = max(scatter / (size * dimension), floor)
    return float(0.5 * size * dimension * np.log(variance) + 0.5 * scatter / variance)


@kernel
def pair_cost(sizes: Floats, pairs: Floats, kind: int, total: float) -> float:
    """Return the part of the criterion of the must-links (kind 0) or cannot-links (kind 1)."""
    if total == 0:
        return 0.0
    inside, everything = 0.0, 0.0
    for size in sizes:
        inside += 0.5 * size * size
        everything += size
    across = 0.5 * everything * everything - inside
    right, wrong = (inside, across) if kind == 0 else (across, inside)
    prior = ((1.0 - ERROR) * right + ERROR * wrong) / total
    mean_right, mean_wrong = prior / (1.0 - ERROR), prior / ERROR
    mean_inside, mean_across = (mean_right, mean_wrong) if kind == 0 else (mean_wrong, mean_right)
    k = sizes.size
    cost = -k * np.log(mean_inside) - 0.5 * k * (k - 1) * np.log(mean_across)
    for r in range(k):
        for s in range(r, k):
            count = pairs[kind, r, s]
            if count > 0.0:
                size = 0.5 * sizes[r] * sizes[r] + mean_inside if r == s else sizes[r] * sizes[s] + mean_across
                cost += count - count * np.log(count / size)
    return cost


@kernel
def criterion(model: Model, fit: Fit) -> float:
    """Return the criterion; every cluster must have a point."""
    total = 0.0
    for h in range(fit.sizes.size):
        total += gaussian_cost(fit.sizes[h], fit.scatter[h], model.points.shape[1], model.floor)
    for kind in range(2):
        total += pair_cost(fit.sizes, fit.pairs, kind, model.totals[kind])
    return total
