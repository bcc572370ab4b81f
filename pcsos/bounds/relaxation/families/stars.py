"""Stars, with pairs and triangles among them (Mathematics 2; |S| = 1 and 2 are Paper (8) and (9)).

    Z_cc + sum over pairs {j, l} of S of Z_jl - sum over j in S of Z_cj  >=  0

for a centre c and a set S of other super-points. How violated ones are found: :mod:`.star_search`.
"""

import math
from itertools import chain

import numpy as np

from pcsos.base.control.threads import in_shares
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.families.family import Family, Point, put
from pcsos.bounds.relaxation.families.star_search import BLOCK, LARGEST_STAR, Found, in_neighbourhoods, stars_about
from pcsos.evidence.multipliers import Cuts

#: One of so many blocks of centres, where there are twice as many, tells how many violated stars there are; where that
#: is more than so many times what is wanted, the least violated ones of the other blocks are left out.
SAMPLE, ENOUGH = 8, 1.3
#: Blocks that a thread takes at least.
BLOCKS = 4


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


STARS = Family("star", 0, _num_entries, _fill, _separate)
