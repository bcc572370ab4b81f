"""What limits of clusters force: pairs that would exceed them are apart, and some problems have no partition at all."""

import numpy as np

from pcsos.exceptions import InfeasibleError
from pcsos.reduction import Reduced
from pcsos.tolerances import EPS
from pcsos.typing import Floats, Indices

#: What sums of weights must exceed a limit by, so that exact arithmetic agrees.
BEYOND = 1.0 + 1e-12


def largest_cluster_weights(reduced: Reduced) -> Floats:
    """Return M_i, an upper bound on the weight of a cluster that holds super-point i, shape (s,).

    Outside of that cluster lie all cannot-link neighbours of i, and at least k - 1 super-points. Limits of clusters may
    allow less.
    """
    s, k, e = reduced.size, reduced.n_clusters, reduced.weights
    linked = np.zeros((s, s), dtype=bool)
    linked[reduced.cannot_link[:, 0], reduced.cannot_link[:, 1]] = True
    linked |= linked.T
    outside = linked @ e
    missing = np.maximum(k - 1 - linked.sum(axis=1), 0)
    for i in np.flatnonzero(missing):
        free = ~linked[i]
        free[i] = False
        count = int(missing[i])
        outside[i] += np.partition(e[free], count - 1)[:count].sum()
    largest = (e.sum() - outside) * (1.0 + 4.0 * s * EPS) + 4.0 * s * EPS * e.sum()
    return np.asarray(np.minimum(largest, reduced.weight_range[1]))


def pairs_beyond_limits(reduced: Reduced) -> Indices:
    """Return the pairs of super-points, not known to be apart, that no cluster may hold together, shape (m, 2)."""
    limits = reduced.limits
    if limits is None:
        return np.empty((0, 2), np.intp)
    bounds = ((reduced.counts, limits.most), (reduced.weights, reduced.weight_range[1] * BEYOND))
    heavy = np.flatnonzero(np.any([amounts + amounts.max() > most for amounts, most in bounds], axis=0))
    apart = np.any([amounts[heavy, None] + amounts[heavy] > most for amounts, most in bounds], axis=0)
    place = np.full(reduced.size, -1)
    place[heavy] = np.arange(heavy.size)
    known = place[reduced.cannot_link]
    i, j = known[(known >= 0).all(axis=1)].T
    apart[i, j] = apart[j, i] = False
    return heavy[np.argwhere(np.triu(apart, 1))].astype(np.intp)


def refuse_broken_limits(reduced: Reduced) -> None:
    """Raise InfeasibleError where no partition of a problem satisfies the limits, for one of the simplest reasons.

    A super-point is beyond a limit by itself; the largest cluster that it can be in falls short of one; or a single
    partition is left, which breaks a limit.
    """
    limits = reduced.limits
    if limits is None:
        return
    e, count = reduced.weights, reduced.counts
    beyond = (count > limits.most) | (e > reduced.weight_range[1] * BEYOND)
    if beyond.any():
        i = int(np.argmax(beyond))
        what = f"and those that it must be linked to are {count[i]} points of weight {e[i]:.10g}, more than"
        raise _broken(reduced, i, f"point {{}} {what} {{}} allows")
    graph = reduced.graph
    owners = np.repeat(np.arange(reduced.size), np.diff(graph.indptr))
    reach_count = count.sum() - np.bincount(owners, count[graph.indices], reduced.size)
    least_weight = np.maximum(e, reduced.weight_range[0])
    reachable = e.sum() - np.bincount(owners, e[graph.indices], reduced.size) - (reduced.n_clusters - 1) * e.max()
    short = reach_count < limits.fewest
    if short.any() or (np.minimum(reachable, reduced.weight_range[1]) < least_weight).any():
        reach_weight = largest_cluster_weights(reduced)  # tighter, but it takes time quadratic in s
        short |= reach_weight * BEYOND < least_weight
    if short.any():
        i = int(np.argmax(short))
        least = f"{limits.fewest} points of weight {least_weight[i]:.10g}"
        what = f"has at most {reach_count[i]:.0f} points of weight {reach_weight[i]:.10g}, but each needs {least}"
        raise _broken(reduced, i, f"a cluster with point {{}} {what} if all are to keep {{}}")
    single = single_labels(reduced)
    if single is not None and not satisfies(reduced, single, 1.0 / BEYOND):
        raise InfeasibleError("the one partition that is left breaks the limits of clusters", {"kind": "limits"})


def _broken(reduced: Reduced, i: int, sentence: str) -> InfeasibleError:
    """Return the error with a sentence that has places for a point and for the limits."""
    assert reduced.limits is not None
    point = int(reduced.representative[i])
    shown = " and ".join(f"{name} = {value}" for name, value in reduced.limits.to_dict().items())
    return InfeasibleError(sentence.format(point, shown), {"kind": "limits", "points": [point]})


def single_labels(reduced: Reduced) -> Indices | None:
    """Return the labels of the super-points where a problem has one partition, None elsewhere."""
    if reduced.n_clusters == 1:
        return np.zeros(reduced.size, np.intp)
    return np.arange(reduced.size) if reduced.size == reduced.n_clusters else None


def satisfies(reduced: Reduced, labels: Indices, strictness: float = 1.0) -> bool:
    """Tell whether labels of super-points, all clusters used, satisfy the limits; of weights up to rounding."""
    limits = reduced.limits
    if limits is None:
        return True
    counts = np.bincount(labels, reduced.counts, reduced.n_clusters)
    weights = np.bincount(labels, reduced.weights, reduced.n_clusters)
    if limits.sizes is not None and not np.array_equal(np.sort(counts), limits.sizes):
        return False
    light, heavy = limits.lightest * strictness, limits.heaviest / strictness
    return bool(
        (counts >= limits.fewest).all() and (counts <= limits.most).all()
        and (weights >= light).all() and (weights <= heavy).all()
    )  # fmt: skip
