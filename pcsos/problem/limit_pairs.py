"""What limits of clusters force: pairs that would exceed them are apart, and some problems have no partition at all."""

from itertools import compress

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.conditions.role import Capacity
from pcsos.problem.reduction import Reduced

#: What sums of weights must exceed a limit by, so that exact arithmetic agrees.
BEYOND = 1.0 + 1e-12


def cluster_weights(reduced: Reduced) -> tuple[Floats, Floats]:
    """Return L_i and M_i: a cluster that holds super-point i weighs no less, and no more; each of the shape (s,).

    Outside of that cluster lie all cannot-link neighbours of i, and at least k - 1 super-points. Limits of clusters may
    allow less, and bounds of the weights of clusters: of k super-points that are all apart, every cluster holds one,
    and together these clusters weigh as much as all points. All is rounded outwards.
    """
    s, k, e = reduced.size, reduced.n_clusters, reduced.weights
    linked = reduced.graph.adjacency()
    outside = linked @ e
    missing = np.maximum(k - 1 - linked.sum(axis=1), 0)
    for i in np.flatnonzero(missing):
        free = ~linked[i]
        free[i] = False
        count = int(missing[i])
        outside[i] += np.partition(e[free], count - 1)[:count].sum()
    largest = (e.sum() - outside) * (1.0 + 4.0 * s * EPS) + 4.0 * s * EPS * e.sum()
    least, most = np.full(s, reduced.weight_range[0]), np.minimum(largest, reduced.weight_range[1])
    for bound in reduced.bounds:
        at = reduced.component[bound.point]
        if bound.kind == "lighter":
            most[at] = min(most[at], bound.weight)
        else:
            least[at] = max(least[at], bound.weight)
    anchors = _anchors(reduced, linked)
    if len(anchors) == k:
        _share(reduced, ~linked[anchors], anchors, least, most)
    return least, most


def _anchors(reduced: Reduced, linked: Flags) -> list[int]:
    """Return super-points that are all apart: those with bounds of their weights first; none without such bounds."""
    own, found = bounded(reduced).tolist(), list[int]()
    for at in [*own, *range(reduced.size)] if own else ():
        if len(found) < reduced.n_clusters and linked[at, found].all():
            found.append(at)
    return found


def _share(reduced: Reduced, near: Flags, anchors: list[int], least: Floats, most: Floats) -> None:
    """Narrow all ranges by those of k anchors, each of which is in a cluster of its own; ``near`` are not apart."""
    total, slack = reduced.weights.sum(), 8.0 * reduced.size * EPS * reduced.weights.sum()
    lows, highs = np.maximum(least[anchors], reduced.weights[anchors]), most[anchors]
    own_least = np.maximum(lows, total - highs.sum() + highs - slack)
    own_most = np.minimum(highs, total - lows.sum() + lows + slack)
    has_any = near.any(axis=0)
    of_near = np.where(near, own_least[:, None], np.inf).min(axis=0), np.where(near, own_most[:, None], 0.0).max(axis=0)
    np.maximum(least, of_near[0], out=least, where=has_any)
    np.minimum(most, of_near[1], out=most, where=has_any)


def bounded(reduced: Reduced) -> Indices:
    """Return the super-points with a bound of the weight of their cluster."""
    return np.unique(reduced.component[[bound.point for bound in reduced.bounds]]).astype(np.intp)


def pairs_beyond_limits(reduced: Reduced) -> Indices:
    """Return the pairs of super-points, not known to be apart, that no cluster may hold together, shape (m, 2)."""
    if reduced.limits is None:
        return np.empty((0, 2), np.intp)
    bounds = [(own.amounts, own.most) for own in _counted(reduced)]
    bounds.append((reduced.weights, reduced.weight_range[1] * BEYOND))
    heavy = np.flatnonzero(np.any([amounts + amounts.max() > most for amounts, most in bounds], axis=0))
    apart = np.any([amounts[heavy, None] + amounts[heavy] > most for amounts, most in bounds], axis=0)
    place = np.full(reduced.size, -1)
    place[heavy] = np.arange(heavy.size)
    known = place[reduced.cannot_link]
    i, j = known[(known >= 0).all(axis=1)].T
    apart[i, j] = apart[j, i] = False
    return heavy[np.argwhere(np.triu(apart, 1))].astype(np.intp)


def _counted(reduced: Reduced) -> list[Capacity]:
    """Return what clusters hold of all but the weight, whose range says more than its limits."""
    others = (own for own in reduced.capacities if own.amounts is not reduced.weights)
    return [own.left_by_others(reduced.n_clusters) for own in others]


def refuse_broken_limits(reduced: Reduced) -> None:
    """Raise InfeasibleError where no partition satisfies limits and bounds of weights, for one of the simplest reasons.

    A super-point is beyond a limit by itself; the largest cluster that it can be in falls short of one; or a single
    partition is left, which breaks a limit.
    """
    if reduced.bounds:
        least, most = cluster_weights(reduced)
        if (most * BEYOND < np.maximum(least, reduced.weights)).any():
            raise InfeasibleError("no clusters have weights within their bounds", {"kind": "limits"})
    if reduced.limits is None:
        return
    _refuse_large(reduced)
    _refuse_small(reduced)
    single = single_labels(reduced)
    if single is not None and not satisfies(reduced, single, 1.0 / BEYOND):
        raise InfeasibleError("the one partition that is left breaks the limits of clusters", {"kind": "limits"})


def _refuse_large(reduced: Reduced) -> None:
    """Raise InfeasibleError where a super-point is beyond a limit by itself."""
    counted = _counted(reduced)
    is_broken = np.array([own.amounts > own.most for own in counted])
    beyond = is_broken.any(axis=0) | (reduced.weights > reduced.weight_range[1] * BEYOND)
    if beyond.any():
        i = int(np.argmax(beyond))
        held = _in_words(counted, [own.amounts[i] for own in counted], reduced.weights[i], is_broken[:, i])
        raise _broken(reduced, i, f"point {{}} and those that it must be linked to are {held}, more than {{}} allows")


def _refuse_small(reduced: Reduced) -> None:
    """Raise InfeasibleError where the largest cluster with some super-point falls short of a limit."""
    graph, e, (low, high) = reduced.graph, reduced.weights, reduced.weight_range
    owners = np.repeat(np.arange(reduced.size), np.diff(graph.indptr))

    def in_reach(amounts: Floats) -> Floats:
        """Return what is not apart from each super-point."""
        return np.asarray(amounts.sum() - np.bincount(owners, amounts[graph.indices], reduced.size))

    counted = _counted(reduced)
    reached = [in_reach(own.amounts) for own in counted]
    is_broken = np.array([most < own.least for own, most in zip(counted, reached, strict=True)])
    short = is_broken.any(axis=0)
    least_weight = np.maximum(e, low)
    if short.any() or (np.minimum(in_reach(e) - (reduced.n_clusters - 1) * e.max(), high) < least_weight).any():
        reach_weight = cluster_weights(reduced)[1]  # tighter, but it takes time quadratic in s
        short |= reach_weight * BEYOND < least_weight
    if short.any():
        i = int(np.argmax(short))
        held = _in_words(counted, [own[i] for own in reached], reach_weight[i], is_broken[:, i])
        needed = _in_words(counted, [own.least for own in counted], least_weight[i], is_broken[:, i])
        sentence = f"a cluster with point {{}} has at most {held}, but each needs {needed} if all are to keep {{}}"
        raise _broken(reduced, i, sentence)


def _in_words(counted: list[Capacity], amounts: list[float], weight: float, is_broken: Flags) -> str:
    """Return in words a number of points, their weight, and of what else is limited the amounts that break a limit."""
    points, *others = (f"{amount:.10g} {own.unit}" for own, amount in zip(counted, amounts, strict=True))
    return ", ".join([f"{points} of weight {weight:.10g}", *compress(others, is_broken[1:])])


def _broken(reduced: Reduced, i: int, sentence: str) -> InfeasibleError:
    """Return the error with a sentence that has places for a point and for the limits."""
    assert reduced.limits is not None
    point = int(reduced.representative[i])
    shown = " and ".join(f"{name} = {value}" for name, value in reduced.limits.shown().items())
    return InfeasibleError(sentence.format(point, shown), {"kind": "limits", "points": [point]})


def single_labels(reduced: Reduced) -> Indices | None:
    """Return the labels of the super-points where a problem has one partition, None elsewhere."""
    if reduced.n_clusters == 1:
        return np.zeros(reduced.size, np.intp)
    return np.arange(reduced.size) if reduced.size == reduced.n_clusters else None


def satisfies(reduced: Reduced, labels: Indices, strictness: float = 1.0) -> bool:
    """Return whether labels of super-points, all clusters used, satisfy the limits; of weights up to rounding."""
    if reduced.limits is None:
        return True
    counts = np.bincount(labels, reduced.counts, reduced.n_clusters)
    if reduced.sizes is not None and not np.array_equal(np.sort(counts), reduced.sizes):
        return False
    return all(_holds(reduced, labels, own, strictness if own.is_rounded else 1.0) for own in reduced.capacities)


def _holds(reduced: Reduced, labels: Indices, own: Capacity, strictness: float) -> bool:
    held = np.bincount(labels, own.amounts, reduced.n_clusters)
    return bool((held >= own.least * strictness).all() and (held <= own.most / strictness).all())
