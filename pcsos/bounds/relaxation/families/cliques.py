"""Cliques (Paper (10)): of k + 1 super-points, two are in one cluster.

sum over pairs {j, l} of S of Z_jl  >=  1 / M,   |S| = k + 1
"""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import listed
from pcsos.bounds.relaxation.families.family import Family, Point, put
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Cuts

CODE = -1


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    s = masses.roots.size
    inverse_roots = 1.0 / masses.roots
    for t in which:
        at = indptr[t]
        norm = 0.0
        for a in range(starts[t], starts[t + 1]):
            j = members[a]
            for b in range(starts[t], a):
                i = members[b]
                norm += put(at, i, j, s, inverse_roots[i] * inverse_roots[j], entries, coefficients, steps)
                at += 1
        norms[t] = norm


def _right(cuts: Cuts, relaxation: PengWei) -> Floats:
    return np.full(len(cuts), (1.0 - 8.0 * EPS) / relaxation.masses.largest.max())


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Grow a set of k + 1 points with a small sum of Z from every point (Paper 4.1)."""
    z, k = point.z, point.relaxation.n_clusters
    s = len(z)
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
    shortfall = 1.0 / point.relaxation.masses.largest.max() - totals
    bad = np.flatnonzero(shortfall > point.least)
    return listed(np.full(bad.size, CODE), np.sort(sets[bad], axis=1)), shortfall[bad]


CLIQUES = Family("clique", CODE, lambda sizes, s: sizes * (sizes - 1) // 2, _fill, _separate, _right)
