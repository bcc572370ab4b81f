"""Pentagons: two centres c and d, and a set S of other super-points (of three: Grötschel and Wakabayashi, 1990).

    Z_cc + Z_dd + Z_cd + sum over pairs {j, l} of S of Z_jl - sum over j in S of (Z_cj + Z_dj)  >=  0

*Why they hold:* a cluster of weight e that has p of the two centres and m members of S adds 1 / e times

    p + p (p - 1) / 2 + m (m - 1) / 2 - p m  =  (m - p) (m - p - 1) / 2,

a product of two neighbouring whole numbers, which is not negative. It is zero where m is p or p + 1. The sum of the
stars of c and of d has the pairs of S twice, in place of Z_cd: a pentagon says more where these exceed Z_cd.

The first two members are the centres. Pentagons grow greedily from each pair of centres.
"""

from functools import reduce

import numpy as np

from pcsos.control.threads import in_shares
from pcsos.numerics.kernels import kernel
from pcsos.proofs.multipliers import TWO_CENTRES, Cuts
from pcsos.relaxation.cuts import join
from pcsos.relaxation.families.family import Family, Point, put
from pcsos.typing import Floats, Indices

CODE = TWO_CENTRES
#: Largest set S; it grows from none.
LARGEST = 8
#: Most violated pentagons kept for a first centre, so that they spread over the points.
PER_CENTRE = 10
#: First centres that a thread takes at least.
CENTRES = 50


def _num_entries(sizes: Indices, s: int) -> Indices:
    return sizes * (sizes - 1) // 2 + 2


@kernel
def _fill(which, centre, starts, members, roots, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    s = roots.size
    inverse_roots = 1.0 / roots
    for t in which:
        at = indptr[t]
        begin = starts[t]
        norm = 0.0
        for a in range(begin, starts[t + 1]):
            j = members[a]
            if a < begin + 2:
                norm += put(at, j, j, s, inverse_roots[j] * inverse_roots[j], entries, coefficients, steps)
                at += 1
            for b in range(begin, a):
                i = members[b]
                sign = -1.0 if b < begin + 2 <= a else 1.0
                norm += put(at, i, j, s, sign * inverse_roots[i] * inverse_roots[j], entries, coefficients, steps)
                at += 1
        norms[t] = norm


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Return violated pentagons, spread over the first centres."""
    z, least = point.z, point.least
    found = in_shares(lambda share: _pentagons_of(z, share.start, share.stop, least), len(z), CENTRES)
    return reduce(join, (cuts for cuts, _ in found)), np.concatenate([violation for _, violation in found])


def _pentagons_of(z: Floats, first: int, last: int, least: float) -> tuple[Cuts, Floats]:
    """Return violated pentagons whose first centre is from ``first`` to before ``last``."""
    shape = (last - first) * PER_CENTRE
    sizes, members = np.zeros(shape, np.int64), np.empty((shape, LARGEST + 2), np.int32)
    violation = np.full(shape, least)
    _pentagons(z, first, last, sizes, members, violation)
    used = sizes > 0
    sizes, members = sizes[used], members[used]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    flat = members[np.arange(LARGEST + 2) < sizes[:, None]]
    return Cuts(np.full(sizes.size, CODE, np.int32), indptr, flat), violation[used]


@kernel
def _pentagons(z, first, last, sizes, members, violation):  # type: ignore[no-untyped-def]
    """Write the most violated pentagons of each first centre over those that are less violated."""
    s = z.shape[0]
    gain = np.empty(s)
    chosen = np.empty(LARGEST, np.int64)
    for c in range(first, last):
        begin = (c - first) * PER_CENTRE
        worst = begin
        for d in range(c):
            size, total = _grow(z, c, d, gain, chosen)
            if size > 2 and total > violation[worst]:
                sizes[worst] = size + 2
                members[worst, 0] = d
                members[worst, 1] = c
                for b in range(size):
                    members[worst, b + 2] = chosen[b]
                violation[worst] = total
                worst = begin + np.argmin(violation[begin : begin + PER_CENTRE])


@kernel
def _grow(z, c, d, gain, chosen):  # type: ignore[no-untyped-def]
    """Grow a set from nothing by the largest gain while there is any; return its size and the violation."""
    total = -z[c, c] - z[d, d] - z[c, d]
    pick = -1
    top = 0.0
    for j in range(gain.size):
        gain[j] = z[c, j] + z[d, j]
        if j in (c, d):
            gain[j] = -1.0
        elif gain[j] > top:
            top = gain[j]
            pick = j
    size = 0
    while pick >= 0 and size < chosen.size:
        chosen[size] = pick
        size += 1
        total += top
        gain[pick] = -1.0
        last = pick
        top = 0.0
        pick = -1
        for j in range(gain.size):
            if gain[j] >= 0.0:
                gain[j] -= z[last, j]
                if gain[j] > top:
                    top = gain[j]
                    pick = j
    return size, total


PENTAGONS = Family("pentagon", CODE, _num_entries, _fill, _separate)
