"""The local search of S-HG-MEANS: relocations of points with pairs, and passes like those of k-means over the others.

Reading: a relocation is judged by the exact change of the criterion, centres, variances and rates included. A pass
assigns by the present centres and variances; it is undone where the criterion does not fall.
"""

import numpy as np

from benchmarks.comparators.pair_likelihood import Fit, Model, criterion, refit
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices
from pcsos.heuristics.moves import pull, squared_distance

#: What a step must gain.
TOLERANCE = 1e-4
#: Far more rounds than a search needs.
MAX_ROUNDS = 200


@kernel
def shift(model: Model, fit: Fit, i: int, h: int) -> None:
    """Move point i to cluster h and keep everything of the fit up to date; its own cluster must have another point."""
    a = fit.labels[i]
    n, m = fit.sizes[a], fit.sizes[h]
    fit.scatter[a] -= n / (n - 1.0) * squared_distance(model.points, i, fit.centres, a)
    fit.scatter[h] += m / (m + 1.0) * squared_distance(model.points, i, fit.centres, h)
    fit.scatter[a] = max(fit.scatter[a], 0.0)
    pull(model.points, i, fit.centres, a, -1.0 / (n - 1.0))
    pull(model.points, i, fit.centres, h, 1.0 / (m + 1.0))
    fit.sizes[a], fit.sizes[h], fit.labels[i] = n - 1.0, m + 1.0, h
    for t in range(model.indptr[i], model.indptr[i + 1]):
        other, pairs = fit.labels[model.indices[t]], fit.pairs[model.kinds[t]]
        pairs[a, other] -= 1.0
        pairs[h, other] += 1.0
        if other != a:
            pairs[other, a] -= 1.0
        if other != h:
            pairs[other, h] += 1.0


@kernel
def relocate(model: Model, fit: Fit, order: Indices, cost: float) -> float:
    """Move points of ``order`` to the first cluster that gains, until none does; return the criterion."""
    for _ in range(MAX_ROUNDS):
        before = cost
        for i in order:
            for h in range(fit.sizes.size):
                a = fit.labels[i]
                if h == a or fit.sizes[a] < 2.0:
                    continue
                shift(model, fit, i, h)
                after = criterion(model, fit)
                if after < cost - TOLERANCE:
                    cost = after
                else:
                    shift(model, fit, i, a)
        if cost == before:
            break
    refit(model, fit)
    return criterion(model, fit)


@kernel
def reassign(model: Model, fit: Fit, order: Indices, cost: float) -> float:
    """Pass over the points of ``order`` as k-means does as long as the criterion falls, and return it."""
    dimension = model.points.shape[1]
    variances = np.empty(fit.sizes.size)
    for _ in range(MAX_ROUNDS):
        labels = fit.labels.copy()
        for h in range(variances.size):
            variances[h] = max(fit.scatter[h] / (fit.sizes[h] * dimension), model.floor)
        for i in order:
            least, a = np.inf, fit.labels[i]
            for h in range(variances.size):
                distance = squared_distance(model.points, i, fit.centres, h) / variances[h]
                surprise = 0.5 * (distance + dimension * np.log(variances[h]))
                if surprise < least and (h == a or fit.sizes[a] > 1.0):
                    least, fit.labels[i] = surprise, h
            fit.sizes[a] -= 1.0
            fit.sizes[fit.labels[i]] += 1.0
        refit(model, fit)
        after = criterion(model, fit)
        if after >= cost - TOLERANCE:
            fit.labels[:] = labels
            refit(model, fit)
            break
        cost = after
    return cost


@kernel
def descend(model: Model, fit: Fit, annotated: Indices, others: Indices) -> float:
    """Alternate both until neither gains, and return the criterion."""
    cost = criterion(model, fit)
    for _ in range(MAX_ROUNDS):
        before = cost
        cost = reassign(model, fit, others, relocate(model, fit, annotated, cost))
        if cost >= before - TOLERANCE:
            break
    return cost
