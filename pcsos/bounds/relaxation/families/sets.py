"""Sets that limits of sizes do not let stay whole (Mathematics 10).

    sum over j in S, l outside of e_j e_l Z_jl  >=  least crossing of a set of as many points

Let a cluster of w points hold s of the q points of a set. It adds ``s (w - s) / w`` to the *crossing* of the set, the
sum of Z over the pairs of a point in the set and one outside. For clusters of given sizes the crossing is concave in
the s, so it is least where all but one are full or empty, and zero only where q is a sum of sizes.

Violated ones are found by local search: sets grow from single super-points, and from sets that are known they are
changed at random; super-points are moved and exchanged as long as the violation grows.
"""

import math
from collections import Counter
from functools import lru_cache

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.bounds.relaxation.cuts import listed
from pcsos.bounds.relaxation.families.family import Family, Point, put
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.reduction import Reduced

CODE = -2
#: Points beyond which set cuts are not looked for, and are refused by the checker.
MOST_DIVIDED = 2**14
#: Super-points from which sets grow, and sets that local search begins with, at most.
SEEDS, STARTS = 60, 100
#: A set that grows is worth a local search where it is not satisfied by more than this, in points.
SLACK = 0.3
#: Shares of the super-points that change sides before known sets are improved again.
CHANGED = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
#: Least violation, relative to the mean size of a cluster.
LEAST = 1e-4
#: What local search counts as a gain, in points.
LEAST_GAIN = 1e-9


def crossing_of(reduced: Reduced) -> Floats | None:
    """Return the least crossing of sets of so many points, shape (n + 1,).

    None where sets need not be divided, points have weights, or there are very many.
    """
    if reduced.limits is None or not reduced.counts_points:
        return None
    low, high = reduced.weight_range
    n, k = reduced.component.size, reduced.n_clusters
    if n > MOST_DIVIDED:
        return None
    crossing = least_crossing(n, k, max(math.ceil(low), 1), min(math.floor(high), n), reduced.sizes)
    return crossing if crossing.any() else None


@lru_cache(maxsize=8)
def least_crossing(n: int, k: int, fewest: int, most: int, sizes: tuple[int, ...] | None = None) -> Floats:
    """Return a lower bound on the crossing of sets of q points, for q = 0 .. n, shape (n + 1,).

    Parameters
    ----------
    n, k : int
        Numbers of points and of clusters.
    fewest, most : int
        Least and greatest number of points of a cluster.
    sizes : tuple of int, optional
        The numbers of points of the clusters, which say more.

    Examples
    --------
    >>> from pcsos.bounds.relaxation.families.sets import least_crossing
    >>> least_crossing(6, 2, 3, 3).round(3).tolist()
    [0.0, 0.667, 0.667, 0.0, 0.667, 0.667, 0.0]
    """
    least = np.full(n + 1, np.inf)
    if sizes is None:
        _divide_any(least, k, fewest, most)
    else:
        for size in set(sizes):
            _divide_one(least, size, _sums(list((Counter(sizes) - Counter([size])).elements()), n))
    least[np.isinf(least)] = 0.0
    least.flags.writeable = False
    return least


def _sums(sizes: list[int], n: int) -> Flags:
    """Return which numbers are sums of some of the sizes, shape (n + 1,)."""
    found = np.zeros(n + 1, dtype=bool)
    found[0] = True
    for size in sizes:
        found[size:] |= found[:-size].copy()
    return found


def _divide_one(least: Floats, size: int, full: Flags) -> None:
    """Lower ``least`` to what it costs to divide a cluster of this size while others hold so many points in all."""
    n = least.size - 1
    for inside in range(size + 1):
        q = inside + np.flatnonzero(full[: n + 1 - inside])
        least[q] = np.minimum(least[q], inside * (size - inside) / size)


def _divide_any(least: Floats, k: int, fewest: int, most: int) -> None:
    """Lower ``least`` to what it costs to divide one cluster of any size while t others are full and the rest empty.

    The full ones hold ``t fewest`` to ``t most`` points, the empty ones likewise. What a cluster with s points inside
    and u outside adds grows with both, so both are least; where they are too few, the cluster has the fewest points
    that it may have, what it adds is concave in s then, and s is as small or as great as it can be.
    """
    n = least.size - 1
    q = np.arange(n + 1)
    for t in range(k):
        low, high = np.maximum(q - t * most, 0), q - t * fewest
        start, end = np.maximum(n - q - (k - 1 - t) * most, 0), n - q - (k - 1 - t) * fewest
        for extreme in (fewest - end, np.minimum(high, fewest - start)):
            s = np.maximum(low, extreme)
            u = np.maximum(start, fewest - s)
            fits = (s <= high) & (u <= end) & (s + u <= most)
            least[fits] = np.minimum(least, s * u / np.maximum(s + u, 1))[fits]


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    roots = masses.roots
    s = roots.size
    inside = np.zeros(s, np.bool_)
    for t in which:
        at = indptr[t]
        own = members[starts[t] : starts[t + 1]]
        inside[:] = False
        inside[own] = True
        norm = 0.0
        for i in own:
            for j in range(s):
                if not inside[j]:
                    norm += put(at, i, j, s, roots[i] * roots[j], entries, coefficients, steps)
                    at += 1
        norms[t] = norm


def _right(cuts: Cuts, relaxation: PengWei) -> Floats:
    crossing, right = crossing_of(relaxation.reduced), np.zeros(len(cuts))
    if crossing is not None:
        for t in range(len(cuts)):
            points = (relaxation.masses.roots[cuts.members[cuts.indptr[t] : cuts.indptr[t + 1]]] ** 2).sum()
            right[t] = (1.0 - 8.0 * EPS) * crossing[int(np.rint(points))]
    return right


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Return violated set cuts, the most violated first."""
    relaxation, crossing = point.relaxation, crossing_of(point.relaxation.reduced)
    if crossing is None:
        return Cuts.none(), np.empty(0)
    counts = np.rint(relaxation.weights).astype(np.intp)
    together = point.y * np.outer(relaxation.masses.roots, relaxation.masses.roots)
    to_all = together.sum(axis=1)
    found: dict[bytes, tuple[float, Flags]] = {}
    for inside in _starts(together, to_all, counts, crossing, point.known, point.rng):
        violation = improve(together, to_all, counts, crossing, inside)
        if violation > LEAST / relaxation.entry_size:
            smaller = _smaller(inside, counts)
            found[smaller.tobytes()] = violation, smaller
    best = sorted(found.values(), key=lambda item: -item[0])
    return listed(np.full(len(best), CODE), [np.flatnonzero(inside) for _, inside in best]), np.array(
        [violation for violation, _ in best]
    )


def _starts(
    together: Floats, to_all: Floats, counts: Indices, crossing: Floats, known: Cuts, rng: np.random.Generator
) -> list[Flags]:
    """Return the sets that local search begins with: known ones, changed, and the best that grow from a super-point."""
    s = counts.size
    changed = []
    for t in np.flatnonzero(known.centre == CODE)[: STARTS // len(CHANGED) // 2]:
        own = np.zeros(s, dtype=bool)
        own[known.members[known.indptr[t] : known.indptr[t + 1]]] = True
        changed += [own ^ (rng.random(s) < share) for share in CHANGED]
    grown: dict[bytes, tuple[float, Flags]] = {}
    for seed in range(0, s, -(-s // SEEDS)):
        order, violations = np.empty(s, np.intp), np.empty(s)
        _grow(together, to_all, counts, crossing, seed, order, violations)
        rises = np.diff(violations, prepend=-np.inf, append=-np.inf)
        for last in np.flatnonzero((rises[:-1] > 0.0) & (rises[1:] <= 0.0) & (violations > -SLACK)):
            inside = np.zeros(s, dtype=bool)
            inside[order[: last + 1]] = True
            inside = _smaller(inside, counts)
            grown[inside.tobytes()] = violations[last], inside
    best = sorted(grown.values(), key=lambda item: -item[0])
    return changed + [inside for _, inside in best[: STARTS - len(changed)]]


def _smaller(inside: Flags, counts: Indices) -> Flags:
    """Return the smaller side of a set, which says the same."""
    twice = 2 * int(counts[inside].sum())
    return ~inside if twice > counts.sum() or (twice == counts.sum() and inside[0]) else inside


@kernel
def _grow(together, to_all, counts, crossing, seed, order, violations):  # type: ignore[no-untyped-def]
    """Add the super-point most together with the set, again and again; write the order and the violations."""
    s = counts.size
    to_set = np.zeros(s)
    inside = np.zeros(s, np.bool_)
    size = 0
    crossed = 0.0
    pick = seed
    for place in range(s):
        crossed += to_all[pick] - 2.0 * to_set[pick] - together[pick, pick]
        inside[pick] = True
        size += counts[pick]
        to_set += together[pick]
        order[place] = pick
        violations[place] = crossing[size] - crossed
        top = -1.0
        for i in range(s):
            if not inside[i] and to_set[i] > top * counts[i]:
                top = to_set[i] / counts[i]
                pick = i


@kernel
def improve(together, to_all, counts, crossing, inside):  # type: ignore[no-untyped-def]
    """Move super-points, or exchange two where no move helps, while the violation grows; return it."""
    s = counts.size
    to_set = together[inside].sum(axis=0)
    size = counts[inside].sum()
    crossed = (to_all[inside] - to_set[inside]).sum()
    change = np.empty(s)
    for _ in range(4 * s):
        for i in range(s):  # by how much the crossing changes when i changes sides
            side = -1.0 if inside[i] else 1.0
            change[i] = side * (to_all[i] - 2.0 * to_set[i]) - together[i, i]
        mover = _best_move(counts, crossing, inside, size, change)
        partner = -1
        if mover < 0:
            mover, partner = _best_exchange(together, counts, crossing, inside, size, change)
            if mover < 0:
                break
            crossed += 2.0 * together[mover, partner]
        for i in (mover, partner):
            if i >= 0:
                crossed += change[i]
                size += -counts[i] if inside[i] else counts[i]
                to_set += -together[i] if inside[i] else together[i]
                inside[i] = not inside[i]
    return crossing[size] - crossed


@inner_kernel
def _best_move(counts, crossing, inside, size, change):  # type: ignore[no-untyped-def]
    """Return the super-point that should change sides, -1 if none should."""
    top = LEAST_GAIN
    mover = -1
    for i in range(counts.size):
        after = size - counts[i] if inside[i] else size + counts[i]
        if 0 < after < crossing.size - 1:
            gain = crossing[after] - crossing[size] - change[i]
            if gain > top:
                top = gain
                mover = i
    return mover


@inner_kernel
def _best_exchange(together, counts, crossing, inside, size, change):  # type: ignore[no-untyped-def]
    """Return the super-points, one inside and one outside, that should change sides together; -1 if none should."""
    top = LEAST_GAIN
    mover = partner = -1
    for i in range(counts.size):
        if inside[i]:
            for j in range(counts.size):
                if not inside[j]:
                    after = size - counts[i] + counts[j]
                    gain = crossing[after] - crossing[size] - change[i] - change[j] - 2.0 * together[i, j]
                    if gain > top:
                        top = gain
                        mover = i
                        partner = j
    return mover, partner


SETS = Family(
    "set",
    CODE,
    lambda sizes, s: sizes * (s - sizes),
    _fill,
    _separate,
    _right,
    most=lambda params: params.sets,
    contracts=True,
    is_plain=False,
)
