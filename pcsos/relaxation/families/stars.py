"""Stars, with pairs and triangles among them (Mathematics 2; |S| = 1 and 2 are Paper (8) and (9)).

    Z_cc + sum over pairs {j, l} of S of Z_jl - sum over j in S of Z_cj  >=  0

for a centre c and a set S of other super-points. How violated ones are found: :mod:`.star_search`.
"""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pcsos.control.threads import in_shares
from pcsos.numerics.kernels import kernel
from pcsos.proofs.multipliers import Cuts
from pcsos.relaxation.families.family import Family, Point, put
from pcsos.relaxation.families.star_search import BLOCK, LARGEST_STAR, Found, in_neighbourhoods, stars_about
from pcsos.typing import Floats, Indices

#: One of so many blocks of centres tells how many violated stars there are, and where that is more than so many times
#: what is wanted, which of them need not be written down.
SAMPLE, ENOUGH = 8, 2.0


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
    """Return violated pairs, triangles and greedy stars, spread over the centres; of too many the most violated."""
    z, order = point.z, in_neighbourhoods(point.z)
    rough = z.astype(np.float32)
    blocks = [order[first : first + BLOCK] for first in range(0, len(z), BLOCK)]
    sample, rest = blocks[::SAMPLE], [block for at, block in enumerate(blocks) if at % SAMPLE]
    found = _of_blocks(z, rough, sample, point.least)
    least = _raised(point, np.concatenate([violation for *_, violation in found]), len(sample) / len(blocks))
    found += _of_blocks(z, rough, rest, least)
    centre, sizes, members, violation = (np.concatenate(part) for part in zip(*found, strict=True))
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Cuts(centre, indptr, members[np.arange(LARGEST_STAR) < sizes[:, None]]), violation


def _of_blocks(z: Floats, rough: NDArray[np.float32], blocks: list[Indices], least: float) -> list[Found]:
    shares = in_shares(lambda share: [stars_about(z, rough, block, least) for block in blocks[share]], len(blocks), 4)
    return list(chain(*shares))


def _raised(point: Point, violation: Floats, share: float) -> float:
    """Return the violation to ask for where a sample holds far more than its share of the stars that are wanted."""
    wanted = int(ENOUGH * share * point.most)
    if violation.size <= wanted:
        return point.least
    return max(point.least, float(-np.partition(-violation, wanted)[wanted]))


STARS = Family("star", 0, _num_entries, _fill, _separate)
