"""Finding violated set cuts: sets of points that the relaxation divides less than limits of sizes allow.

Sets grow from single super-points, and from sets that are known they are changed at random; local search moves and
exchanges super-points as long as the violation grows.
"""

import numpy as np

from pcsos.kernels import kernel
from pcsos.multipliers import Cuts
from pcsos.relaxation import cuts as cut_lists
from pcsos.relaxation.cuts import SET
from pcsos.relaxation.peng_wei import PengWei
from pcsos.typing import Flags, Floats, Indices

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


def separate_sets(relaxation: PengWei, y: Floats, known: Cuts, limit: int, rng: np.random.Generator) -> Cuts:
    """Return violated set cuts that are not in ``known``, the most violated first.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        The point to cut off.
    limit : int
        Most cuts to return.
    """
    if relaxation.crossing is None or limit == 0:
        return Cuts.none()
    counts = np.rint(relaxation.weights).astype(np.intp)
    together = y * np.outer(relaxation.roots, relaxation.roots)
    to_all = together.sum(axis=1)
    found: dict[bytes, tuple[float, Flags]] = {}
    for inside in _starts(together, to_all, counts, relaxation.crossing, known, rng):
        violation = improve(together, to_all, counts, relaxation.crossing, inside)
        if violation > LEAST / relaxation.entry_size:
            smaller = _smaller(inside, counts)
            found[smaller.tobytes()] = violation, smaller
    best = sorted(found.values(), key=lambda item: -item[0])
    cuts = _as_cuts([inside for _, inside in best])
    return cut_lists.select(cuts, np.flatnonzero(~np.isin(cut_lists.keys(cuts), cut_lists.keys(known)))[:limit])


def _starts(
    together: Floats, to_all: Floats, counts: Indices, crossing: Floats, known: Cuts, rng: np.random.Generator
) -> list[Flags]:
    """Return the sets that local search begins with: known ones, changed, and the best that grow from a super-point."""
    s = counts.size
    changed = []
    for t in np.flatnonzero(known.centre == SET)[: STARTS // len(CHANGED) // 2]:
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


def _as_cuts(sets: list[Flags]) -> Cuts:
    members = [np.flatnonzero(inside) for inside in sets]
    indptr = np.cumsum([0, *(own.size for own in members)]).astype(np.int64)
    return Cuts(np.full(len(sets), SET, np.int32), indptr, np.concatenate([np.empty(0), *members]).astype(np.int32))


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


@kernel
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


@kernel
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
