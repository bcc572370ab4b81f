"""Finding violated cuts: stars grown greedily, triangles by an exact scan, cliques greedily; spread over the points."""

from functools import reduce

import numpy as np

from pcsos.control.threads import in_shares
from pcsos.kernels import kernel
from pcsos.multipliers import Cuts
from pcsos.relaxation import cuts as cut_lists
from pcsos.relaxation.peng_wei import PengWei
from pcsos.typing import Floats

#: Largest set S of a star; greedy growth rarely goes further.
LARGEST_STAR = 8
#: Most violated triangles kept for each ordered pair (centre, member), so that they spread over the points.
TRIANGLES_PER_PAIR = 3
#: Centres that a thread takes at least.
CENTRES = 100


def separate(relaxation: PengWei, y: Floats, known: Cuts, threshold: float, limit: int) -> tuple[Cuts, Floats]:
    """Return violated cuts that are not in ``known``, the most violated first, and their violations.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        The point to cut off.
    threshold : float
        Least violation in units of Z, divided by k / E (the size of its entries).
    limit : int
        Most cuts to return.
    """
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    least = threshold * relaxation.entry_size
    found, violation = _collect(z, relaxation, least)
    key = cut_lists.keys(found)
    _, first = np.unique(key, return_index=True)
    new = first[~np.isin(key[first], cut_lists.keys(known))]
    order = new[np.argsort(-violation[new], kind="stable")][:limit]
    return cut_lists.select(found, order), violation[order]


def _collect(z: Floats, relaxation: PengWei, least: float) -> tuple[Cuts, Floats]:
    found = in_shares(lambda share: _stars_about(z, share.start, share.stop, least), len(z), CENTRES)
    found.append(_cliques(z, relaxation.n_clusters, 1.0 / relaxation.largest.max(), least))
    cuts = reduce(cut_lists.join, (cuts for cuts, _ in found))
    return cuts, np.concatenate([violation for _, violation in found])


def _stars_about(z: Floats, first: int, last: int, least: float) -> tuple[Cuts, Floats]:
    """Return violated pairs, triangles and greedy stars whose centre is from ``first`` to before ``last``."""
    capacity = 4 * len(z) * (last - first)
    while True:
        centre = np.empty(capacity, np.int32)
        sizes = np.empty(capacity, np.int64)
        members = np.empty((capacity, LARGEST_STAR), np.int32)
        violation = np.empty(capacity)
        count = _stars(z, first, last, least, centre, sizes, members, violation)
        if count <= capacity:
            break
        capacity = count
    indptr = np.concatenate([[0], np.cumsum(sizes[:count])]).astype(np.int64)
    flat = members[:count][np.arange(LARGEST_STAR) < sizes[:count, None]]
    return Cuts(centre[:count], indptr, flat), violation[:count]


@kernel
def _stars(z, first, last, least, centre, sizes, members, violation):  # type: ignore[no-untyped-def]
    """Write violated pairs, triangles and greedy stars; return their number (which may exceed the capacity)."""
    s = z.shape[0]
    near = np.empty(s, np.int64)
    gain = np.empty(s)
    chosen = np.empty(LARGEST_STAR, np.int64)
    best = np.empty(TRIANGLES_PER_PAIR)
    partner = np.empty(TRIANGLES_PER_PAIR, np.int64)
    count = 0
    for c in range(first, last):
        m = 0
        for j in range(s):
            if j != c and z[c, j] > least:
                near[m] = j
                m += 1
        for a in range(m):
            _best_triangles(z, c, near[a], near[:m], least, best, partner)
            for r in range(TRIANGLES_PER_PAIR):
                if partner[r] >= 0:
                    if count < centre.size:
                        centre[count] = c
                        sizes[count] = 2
                        members[count, 0] = near[a]
                        members[count, 1] = partner[r]
                        violation[count] = best[r]
                    count += 1
            size, total = _grow_star(z, c, a, near[:m], gain, chosen)
            if total > least and size != 2:
                if count < centre.size:
                    centre[count] = c
                    sizes[count] = size
                    for b in range(size):
                        members[count, b] = chosen[b]
                    violation[count] = total
                count += 1
    return count


@kernel
def _best_triangles(z, c, first, near, least, best, partner):  # type: ignore[no-untyped-def]
    """Keep the most violated triangles with centre c and member ``first``, in descending order."""
    best[:] = least
    partner[:] = -1
    base = z[c, first] - z[c, c]
    for j in near:
        value = base + z[c, j] - z[first, j]
        if j != first and value > best[-1]:
            r = best.size - 1
            while r > 0 and best[r - 1] < value:
                best[r] = best[r - 1]
                partner[r] = partner[r - 1]
                r -= 1
            best[r] = value
            partner[r] = j


@kernel
def _grow_star(z, c, start, near, gain, chosen):  # type: ignore[no-untyped-def]
    """Grow a star from one member by the largest gain while there is any; return its size and violation."""
    for b in range(near.size):
        gain[b] = z[c, near[b]]
    total = -z[c, c]
    size = 0
    pick = start
    while pick >= 0 and size < chosen.size:
        chosen[size] = near[pick]
        size += 1
        total += gain[pick]
        gain[pick] = -1.0
        top = 0.0
        pick = -1
        for b in range(near.size):
            if gain[b] >= 0.0:
                gain[b] -= z[chosen[size - 1], near[b]]
                if gain[b] > top:
                    top = gain[b]
                    pick = b
    return size, total


def _cliques(z: Floats, k: int, right: float, least: float) -> tuple[Cuts, Floats]:
    """Grow a set of k + 1 points with a small sum of Z from every point (Paper 4.1)."""
    s = z.shape[0]
    if k + 1 > s:
        return Cuts.none(), np.empty(0)
    sets = np.arange(s)[:, None]
    sums = z + np.where(np.eye(s, dtype=bool), np.inf, 0.0)
    totals = np.zeros(s)
    for _ in range(k):
        nearest = np.argmin(sums, axis=1)
        totals += sums[np.arange(s), nearest]
        sets = np.hstack([sets, nearest[:, None]])
        sums = sums + z[nearest]
        sums[np.arange(s), nearest] = np.inf
    shortfall = right - totals
    bad = np.flatnonzero(shortfall > least)
    members = np.sort(sets[bad], axis=1).astype(np.int32).ravel()
    indptr = np.arange(bad.size + 1, dtype=np.int64) * (k + 1)
    return Cuts(np.full(bad.size, -1, np.int32), indptr, members), shortfall[bad]
