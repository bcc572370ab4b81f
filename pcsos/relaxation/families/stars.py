"""Stars, with pairs and triangles among them (Mathematics 2; |S| = 1 and 2 are Paper (8) and (9)).

    Z_cc + sum over pairs {j, l} of S of Z_jl - sum over j in S of Z_cj  >=  0

for a centre c and a set S of other super-points. Triangles are found by an exact scan, larger stars are grown greedily.
"""

from functools import reduce

import numpy as np

from pcsos.control.threads import in_shares
from pcsos.numerics.kernels import kernel
from pcsos.proofs.multipliers import Cuts
from pcsos.relaxation.cuts import join
from pcsos.relaxation.families.family import Family, Point, put
from pcsos.typing import Floats, Indices

#: Largest set S of a star; greedy growth rarely goes further.
LARGEST_STAR = 8
#: Most violated triangles kept for each ordered pair (centre, member), so that they spread over the points.
TRIANGLES_PER_PAIR = 3
#: Centres that a thread takes at least.
CENTRES = 100


def _num_entries(sizes: Indices, s: int) -> Indices:
    return sizes * (sizes - 1) // 2 + sizes + 1


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    s = masses.roots.size
    inverse_roots = 1.0 / masses.roots
    for t in which:
        at = indptr[t]
        c = centre[t]
        begin, end = starts[t], starts[t + 1]
        norm = put(at, c, c, s, inverse_roots[c] * inverse_roots[c], entries, coefficients, steps)
        at += 1
        for a in range(begin, end):
            j = members[a]
            norm += put(at, c, j, s, -inverse_roots[c] * inverse_roots[j], entries, coefficients, steps)
            at += 1
            for b in range(begin, a):
                i = members[b]
                norm += put(at, i, j, s, inverse_roots[i] * inverse_roots[j], entries, coefficients, steps)
                at += 1
        norms[t] = norm


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Return violated pairs, triangles and greedy stars, spread over the centres."""
    z, least = point.z, point.least
    found = in_shares(lambda share: _stars_about(z, share.start, share.stop, least), len(z), CENTRES)
    return reduce(join, (cuts for cuts, _ in found)), np.concatenate([violation for _, violation in found])


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


STARS = Family("star", 0, _num_entries, _fill, _separate)
