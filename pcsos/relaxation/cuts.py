"""Pair, triangle, star, clique and set inequalities: their coefficients, and a pool of those in use.

With Z_ij = Y_ij / sqrt(e_i e_j), for a centre c and a set S of other super-points (Mathematics 2; |S| = 1 and 2 are
Paper (8) and (9); sets are of Mathematics 10):

    star     Z_cc + sum over pairs {j, l} of S of Z_jl - sum over j in S of Z_cj  >=  0
    clique   sum over pairs {j, l} of S of Z_jl  >=  1 / M,   |S| = k + 1         (Paper (10))
    set      sum over j in S, l outside of e_j e_l Z_jl  >=  least crossing of a set of as many points
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.kernels import kernel
from pcsos.multipliers import Cuts
from pcsos.tolerances import EPS
from pcsos.typing import Flags, Floats, Indices

#: In the place of a centre: a clique, a set.
CLIQUE, SET = -1, -2


@dataclass(frozen=True, eq=False)
class Rows:
    """The same cuts as sparse rows ``sum coefficients * Y[entries] >= right`` over the upper triangle of Y.

    Parameters
    ----------
    indptr : ndarray of int64, shape (t + 1,)
        Where each row begins.
    entries : ndarray of int32
        Flat indices ``i * s + j`` with i <= j.
    coefficients, steps : ndarray
        Coefficients on Y, and the change of the entry when the row's multiplier grows by 1 (half the coefficient off
        the diagonal, where the matrix holds the entry twice).
    right, norms : ndarray, shape (t,)
        Right-hand sides and squared Frobenius norms.
    """

    indptr: NDArray[np.int64]
    entries: NDArray[np.int32]
    coefficients: Floats
    steps: Floats
    right: Floats
    norms: Floats

    def __len__(self) -> int:
        return int(self.right.size)


def rows_of(cuts: Cuts, roots: Floats, largest: float = np.inf, crossing: Floats | None = None) -> Rows:
    """Return the coefficients of the cuts in normalised coordinates.

    Parameters
    ----------
    roots : ndarray, shape (s,)
        sqrt(e_i).
    largest : float
        M, the largest weight of a cluster, for the right-hand side of cliques.
    crossing : ndarray, shape (n + 1,), optional
        Least crossing of sets of so many points, for that of sets; 0 by default.
    """
    sizes = np.diff(cuts.indptr)
    star, is_set = cuts.centre >= 0, cuts.centre == SET
    counts = sizes * (sizes - 1) // 2 + np.where(star, sizes + 1, 0)
    counts[is_set] = (sizes * (roots.size - sizes))[is_set]
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    entries = np.empty(int(indptr[-1]), np.int32)
    coefficients = np.empty(int(indptr[-1]))
    steps = np.empty(int(indptr[-1]))
    norms = np.empty(len(cuts))
    _fill_rows(
        cuts.centre,
        cuts.indptr,
        cuts.members,
        roots,
        indptr,
        entries,
        coefficients,
        steps,
        norms,
    )
    right = np.where(star | is_set, 0.0, (1.0 - 8.0 * EPS) / largest)
    if crossing is not None:
        for t in np.flatnonzero(is_set):
            points = (roots[cuts.members[cuts.indptr[t] : cuts.indptr[t + 1]]] ** 2).sum()
            right[t] = (1.0 - 8.0 * EPS) * crossing[int(np.rint(points))]
    return Rows(indptr, entries, coefficients, steps, right, norms)


@kernel
def _fill_rows(centre, starts, members, roots, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    s = roots.size
    inverse_roots = 1.0 / roots
    inside = np.zeros(s, np.bool_)
    for t in range(centre.size):
        at = indptr[t]
        c = centre[t]
        begin, end = starts[t], starts[t + 1]
        if c == SET:
            inside[:] = False
            inside[members[begin:end]] = True
            norms[t] = 0.0
            for a in range(begin, end):
                i = members[a]
                for j in range(s):
                    if not inside[j]:
                        entries[at] = min(i, j) * s + max(i, j)
                        coefficients[at] = roots[i] * roots[j]
                        steps[at] = 0.5 * coefficients[at]
                        norms[t] += 0.5 * coefficients[at] ** 2
                        at += 1
            continue
        if c >= 0:
            entries[at] = c * s + c
            coefficients[at] = inverse_roots[c] * inverse_roots[c]
            steps[at] = coefficients[at]
            norm = coefficients[at] ** 2
            at += 1
        else:
            norm = 0.0
        for a in range(begin, end):
            j = members[a]
            if c >= 0:
                entries[at] = min(c, j) * s + max(c, j)
                coefficients[at] = -inverse_roots[c] * inverse_roots[j]
                steps[at] = 0.5 * coefficients[at]
                norm += 0.5 * coefficients[at] ** 2
                at += 1
            for b in range(begin, a):
                i = members[b]
                entries[at] = min(i, j) * s + max(i, j)
                coefficients[at] = inverse_roots[i] * inverse_roots[j]
                steps[at] = 0.5 * coefficients[at]
                norm += 0.5 * coefficients[at] ** 2
                at += 1
        norms[t] = norm


def combine(rows: Rows, weights: Floats, s: int) -> Floats:
    """Return the symmetric matrix ``sum_t weights_t A_t``, shape (s, s)."""
    if len(rows) == 0:
        return np.zeros((s, s))
    each = np.repeat(weights, np.diff(rows.indptr)) * rows.coefficients
    upper = np.bincount(rows.entries, weights=each, minlength=s * s).reshape(s, s)
    return np.asarray(0.5 * (upper + upper.T))


def select(cuts: Cuts, keep: Flags | NDArray[np.integer]) -> Cuts:
    """Return some of the cuts, by mask or by index."""
    index = np.flatnonzero(keep) if keep.dtype == np.bool_ else keep
    sizes = np.diff(cuts.indptr)[index]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    take = np.repeat(cuts.indptr[index] - indptr[:-1], sizes) + np.arange(indptr[-1])
    return Cuts(cuts.centre[index], indptr, cuts.members[take])


def join(first: Cuts, second: Cuts) -> Cuts:
    """Return the cuts of both, in order."""
    return Cuts(
        np.concatenate([first.centre, second.centre]),
        np.concatenate([first.indptr, first.indptr[-1] + second.indptr[1:]]),
        np.concatenate([first.members, second.members]),
    )


def keys(cuts: Cuts) -> NDArray[np.uint64]:
    """Return a hash of each cut that does not depend on the order of its members (for dropping duplicates)."""
    out = np.empty(len(cuts), np.uint64)
    _hash_rows(cuts.centre, cuts.indptr, cuts.members, out)
    return out


@kernel
def _mix(value):  # type: ignore[no-untyped-def]
    z = np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _hash_rows(centre, indptr, members, out):  # type: ignore[no-untyped-def]
    for t in range(centre.size):
        total = np.uint64(0)
        for a in range(indptr[t], indptr[t + 1]):
            total += _mix(np.uint64(members[a]))
        out[t] = _mix(total ^ _mix(np.uint64(centre[t] + 1000000007)))


def remap(cuts: Cuts, group: Indices) -> tuple[Cuts, Flags]:
    """Translate cuts to contracted super-points; return those that say the same of them, and which they were.

    Stars and cliques need distinct points; of a contracted super-point, a set holds all or nothing.

    Parameters
    ----------
    group : ndarray of int, shape (s,)
        New index of each super-point.
    """
    if len(cuts) == 0:
        return cuts, np.zeros(0, dtype=bool)
    centre = np.where(cuts.centre >= 0, group[np.maximum(cuts.centre, 0)], cuts.centre).astype(np.int32)
    members = group[cuts.members].astype(np.int32)
    valid, first = np.ones(len(cuts), dtype=bool), np.ones(members.size, dtype=bool)
    _mark_repeated(centre, cuts.indptr, members, np.bincount(group), valid, first)
    kept_before = np.concatenate([[0], np.cumsum(first)])
    carried = Cuts(centre, kept_before[cuts.indptr].astype(np.int64), members[first])
    return select(carried, valid), valid


@kernel
def _mark_repeated(centre, indptr, members, sizes, valid, first):  # type: ignore[no-untyped-def]
    """Mark stars and cliques that name a super-point twice, sets that hold a part of one, and repeated members."""
    seen = np.zeros(sizes.size, np.bool_)
    for t in range(centre.size):
        begin, end = indptr[t], indptr[t + 1]
        total = 0
        for a in range(begin, end):
            j = members[a]
            if seen[j] or j == centre[t]:
                first[a] = False
            else:
                total += sizes[j]
            seen[j] = True
        if centre[t] == SET:
            valid[t] = total == end - begin
        else:
            valid[t] = first[begin:end].all()
        seen[members[begin:end]] = False
