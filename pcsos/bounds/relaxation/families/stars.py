"""Stars, with pairs and triangles among them (Mathematics 2; |S| = 1 and 2 are Paper (8) and (9)).

    Z_cc + sum over pairs {j, l} of S of Z_jl - sum over j in S of Z_cj  >=  0

for a centre c and a set S of other super-points.

The scan reads every row of Z once for a block of centres that lie together, in single precision and many entries at a
time; what it finds is judged in double precision. With a centre c and a member a, a further member j adds

    gain_j = Z_cj - Z_aj                  to  Z_ca - Z_cc,

so the greatest gains are the most violated triangles, and the first step of the greedy growth as well. Gains only fall
while a star grows: where seven times the greatest one is not enough, nothing grows from that pair.
"""

import math
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.threads import in_shares
from pcsos.base.numerics.kernels import inlined_kernel, integer, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.families.family import Family, Point, put
from pcsos.evidence.multipliers import Cuts

#: Largest set S of a star; greedy growth rarely goes further.
LARGEST_STAR = 8
#: Most violated triangles kept for each ordered pair (centre, member), so that they spread over the points.
TRIANGLES_PER_PAIR = 3
#: Centres that share a copy of the rows that they need.
BLOCK = 32
#: Share of all columns up to which that copy leaves out the others.
WORTH_COPYING = 0.7
#: Entries of a row that are compared at a time, before one of them is looked at.
CHUNK = 64
#: Roundings of single precision, relative to the largest entry, that a violation of a triangle may suffer.
ROUNDING = 8.0 * 2.0**-23

Found = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], Floats]


@kernel
def in_neighbourhoods(z: Floats) -> Indices:
    """Return the super-points in an order in which those that are mostly together follow one another."""
    order, is_placed = np.empty(z.shape[0], np.int64), np.zeros(z.shape[0], np.bool_)
    count = 0
    for c in range(z.shape[0]):
        if is_placed[c]:
            continue
        for j in range(z.shape[0]):
            if j == c or (not is_placed[j] and z[c, j] > 0.5 * z[c, c]):
                is_placed[j] = True
                order[count] = j
                count += 1
    return order


def stars_about(z: Floats, rough: NDArray[np.float32], centres: Indices, nearby: float, least: float) -> Found:
    """Return pairs, triangles and greedy stars with these centres that are violated by more than ``least``.

    Parameters
    ----------
    z, rough : ndarray, shape (s, s)
        Z in double and in single precision.
    nearby : float
        Members of a star are together with its centre by more than that.

    Returns
    -------
    (centre, sizes, members, violation)
        Arrays of a row a star; ``members`` has room for the largest.
    """
    near = z[centres] > nearby
    near[np.arange(centres.size), centres] = False
    columns = np.flatnonzero(near.any(axis=0))
    if columns.size < WORTH_COPYING * len(z):
        near, ends, rows = near[:, columns], rough[np.ix_(centres, columns)], rough[np.ix_(columns, columns)]
    else:
        columns, ends, rows = np.arange(len(z)), rough[centres], rough
    ends[~near] = -np.inf
    slack = ROUNDING * float(np.abs(z[centres]).max(initial=0.0))
    capacity = 4 * int(np.count_nonzero(near))
    centre, sizes = np.empty(capacity, np.int32), np.empty(capacity, np.int64)
    members, violation = np.empty((capacity, LARGEST_STAR), np.int32), np.empty(capacity)
    count = _scan(z, centres, columns, rows, ends, least, slack, centre, sizes, members, violation)
    return centre[:count].copy(), sizes[:count].copy(), members[:count].copy(), violation[:count].copy()


@kernel
def _scan(z, centres, columns, rough, ends, least, slack, centre, sizes, members, violation):  # type: ignore[no-untyped-def]
    """Write the stars of a block of centres; return their number, at most four for each pair (centre, member)."""
    best, partner = np.empty(TRIANGLES_PER_PAIR, np.float32), np.empty(TRIANGLES_PER_PAIR, np.int64)
    gain, chosen = np.empty((2, columns.size), np.float32), np.empty(LARGEST_STAR, np.int64)
    count = 0
    for at in range(columns.size):
        a = columns[at]
        for row in range(centres.size):
            if ends[row, at] == -np.inf:
                continue
            c = centres[row]
            base = z[c, a] - z[c, c]
            wanted = max(least - base - slack, 0.0)
            _greatest_gains(ends[row], rough[at], at, wanted / (LARGEST_STAR - 1), wanted, best, partner)
            for r in range(TRIANGLES_PER_PAIR):
                if partner[r] < 0:
                    break
                j = columns[partner[r]]
                value = base + z[c, j] - z[a, j]
                if value > least:
                    centre[count], sizes[count], violation[count] = c, 2, value
                    members[count, 0], members[count, 1] = a, j
                    count += 1
            size = 1
            chosen[0] = at
            if partner[0] >= 0:
                chosen[1] = partner[0]
                size = _grow(ends[row], rough, gain, chosen, base + best[0], least - slack)
            if size == 2:
                continue
            value = _violation(z, c, columns, chosen, size)
            if value > least:
                centre[count], sizes[count], violation[count] = c, size, value
                for b in range(size):
                    members[count, b] = columns[chosen[b]]
                count += 1
    return count


@inlined_kernel
def _is_above(end, row, wanted):  # type: ignore[no-untyped-def]
    """Return whether any of the gains ``end - row`` is above what is wanted, many at a time, in any order."""
    found = False
    for j in range(end.size):
        found |= end[j] - row[j] > wanted
    return found


@inlined_kernel
def _greatest_gains(end, row, own, of_first, wanted, best, partner):  # type: ignore[no-untyped-def]
    """Keep the greatest gains above ``wanted``, the first of all if above ``of_first`` (no more than ``wanted``).

    They are in descending order, with -1 in the place of those that there are not; the member itself has none.
    """
    best[:] = wanted
    best[0] = of_first
    partner[:] = -1
    for first in range(0, end.size, CHUNK):
        last = min(first + CHUNK, end.size)
        if not _is_above(end[first:last], row[first:last], min(best[0], best[-1])):
            continue
        for j in range(first, last):
            value = end[j] - row[j]
            if j == own or value <= min(best[0], best[-1]):
                continue
            if value > best[0]:
                _push(best, partner, integer(0), wanted)
                best[0], partner[0] = value, j
            elif value > best[-1]:
                r = best.size - 1
                while best[r - 1] < value:
                    r -= 1
                _push(best, partner, r, wanted)
                best[r], partner[r] = value, j


@inlined_kernel
def _push(best, partner, first, wanted):  # type: ignore[no-untyped-def]
    """Move what is kept from here on by one place, if it is above ``wanted``."""
    for r in range(best.size - 1, first, -1):
        if best[r - 1] > wanted:
            best[r], partner[r] = best[r - 1], partner[r - 1]


@inlined_kernel
def _grow(end, rough, gain, chosen, violation, least):  # type: ignore[no-untyped-def]
    """Add to the first two members, each time the one with the greatest gain, while there is any; return their number.

    A star that is violated by no more than ``least`` is left as it is where all further gains together are too small.
    """
    size = 2
    first = rough[chosen[0]]
    while size < chosen.size:
        wanted = np.float32(max((least - violation) / (chosen.size - size), 0.0))
        before, after = gain[size % 2], gain[(size + 1) % 2]
        last = rough[chosen[size - 1]]
        is_any = _lower_twice(end, first, last, after, wanted) if size == 2 else _lower(before, last, after, wanted)
        if not is_any:
            break
        for b in range(size):
            after[chosen[b]] = -np.inf
        pick = _position_of_greatest(after, wanted)
        if pick < 0:
            break
        violation += after[pick]
        chosen[size] = pick
        size += 1
    return size


@inlined_kernel
def _lower(before, row, gain, wanted):  # type: ignore[no-untyped-def]
    """Write ``before - row``; return whether any of it is above what is wanted."""
    found = False
    for j in range(gain.size):
        gain[j] = before[j] - row[j]
        found |= gain[j] > wanted
    return found


@inlined_kernel
def _lower_twice(before, first, second, gain, wanted):  # type: ignore[no-untyped-def]
    """Write ``before - first - second``; return whether any of it is above what is wanted."""
    found = False
    for j in range(gain.size):
        gain[j] = before[j] - first[j] - second[j]
        found |= gain[j] > wanted
    return found


@inlined_kernel
def _position_of_greatest(gain, wanted):  # type: ignore[no-untyped-def]
    """Return where the greatest of the gains above ``wanted`` is, -1 where there is none."""
    pick = -1
    for first in range(0, gain.size, CHUNK):
        last = min(first + CHUNK, gain.size)
        found = False
        for j in range(first, last):
            found |= gain[j] > wanted
        if found:
            for j in range(first, last):
                if gain[j] > wanted:
                    wanted, pick = gain[j], j
    return pick


@inlined_kernel
def _violation(z, c, columns, chosen, size):  # type: ignore[no-untyped-def]
    total = -z[c, c]
    for b in range(size):
        j = columns[chosen[b]]
        total += z[c, j]
        for a in range(b):
            total -= z[columns[chosen[a]], j]
    return total


#: One of so many blocks of centres, where there are twice as many, tells how many violated stars there are; where that
#: is more than so many times what is wanted, the least violated ones of the other blocks are left out.
SAMPLE, ENOUGH = 8, 1.3
#: Blocks that a thread takes at least.
BLOCKS = 4


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
    """Return violated pairs, triangles and greedy stars, spread over the centres; of too many the most violated.

    They are looked for with entries that single precision holds.
    """
    top = float(point.z.max())
    scale = 2.0 ** math.floor(math.log2(top)) if top > 0.0 else 1.0
    z, nearby = point.z / scale, point.least / scale
    rough, order = z.astype(np.float32), in_neighbourhoods(z)
    blocks = [order[first : first + BLOCK] for first in range(0, order.size, BLOCK)]

    def search(blocks: list[Indices], least: float) -> list[Found]:
        shares = in_shares(
            lambda share: [stars_about(z, rough, block, nearby, least) for block in blocks[share]], len(blocks), BLOCKS
        )
        return list(chain(*shares))

    every = SAMPLE if len(blocks) >= 2 * SAMPLE else 1
    found = search(blocks[::every], nearby)
    if every > 1:
        least = _raised(nearby, found, ENOUGH * point.most / every)
        found += search([block for at, block in enumerate(blocks) if at % every], least)
    centre, sizes, members, violation = (np.concatenate(part) for part in zip(*found, strict=True))
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Cuts(centre, indptr, members[np.arange(LARGEST_STAR) < sizes[:, None]]), violation * scale


def _raised(least: float, found: list[Found], wanted: float) -> float:
    """Return the violation to ask for so that about so many of the stars that were found are left.

    A star is found from each of its members, or from some of them.
    """
    violation, sizes = np.concatenate([own for *_, own in found]), np.concatenate([own for _, own, *_ in found])
    order = np.argsort(-violation)
    last = int(np.searchsorted(np.cumsum(1.0 / sizes[order]), wanted))
    return least if last >= order.size else float(violation[order[last]])


STARS = Family("star", 0, lambda sizes, s: sizes * (sizes + 1) // 2 + 1, _fill, _separate)
