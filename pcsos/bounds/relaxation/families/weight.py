"""Weight: no cluster of i or j is heavier than U, so that what they share and what they do not is not little (11).

    [i and j apart]     >=  1 - min(M_i, M_j) Z_ij,
    [i and j together]  >=  1 - M_i (Z_ii - Z_ij),    and the same with j,

with M_i the largest weight of a cluster that holds i. The members are both of the pair for the first, and i for the
second.
"""

from functools import reduce

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import join, listed
from pcsos.bounds.relaxation.families.family import WEIGHT, Family, Point, number_of, pair_of, put
from pcsos.evidence.multipliers import Cuts
from pcsos.verify.reading.database import MOST_IN_PAIRS


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    roots, s = masses.roots, masses.roots.size
    for t in which:
        at, i = indptr[t], members[starts[t]]
        p, q = pair_of(centre[t], s)
        j = q if p == i else p
        first, second = roots[i] * roots[i], roots[j] * roots[j]
        if starts[t + 1] - starts[t] == 2:
            most = min(masses.largest[i], masses.largest[j])
            one, other = max(first, masses.least[i]), max(second, masses.least[j])
            norm = put(at, i, i, s, 0.5 * one / first, entries, coefficients, steps)
            norm += put(at + 1, j, j, s, 0.5 * other / second, entries, coefficients, steps)
            both = (most - 0.5 * (one + other)) / (roots[i] * roots[j])
            norm += put(at + 2, i, j, s, both, entries, coefficients, steps)
        else:
            most = masses.largest[i]
            both = (max(first + second, masses.least[i], masses.least[j]) - most) / (roots[i] * roots[j])
            norm = put(at, i, i, s, most / first, entries, coefficients, steps)
            norm += put(at + 1, i, j, s, both, entries, coefficients, steps)
        norms[t] = norm


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Return those that are violated."""
    relaxation, z = point.relaxation, point.z
    soft, s, largest = relaxation.reduced.soft, relaxation.size, relaxation.masses.largest
    if s > MOST_IN_PAIRS:
        return Cuts.none(), np.empty(0)
    i, j = soft.pairs.T
    shared = 1.0 - np.minimum(largest[i], largest[j]) * z[i, j]
    found, violations = [Cuts.none()], [np.empty(0)]
    for kind, penalties, members, paid in (
        (0, soft.apart, np.column_stack([i, j]), shared),
        (1, soft.together, i[:, None], 1.0 - largest[i] * (z[i, i] - z[i, j])),
        (1, soft.together, j[:, None], 1.0 - largest[j] * (z[j, j] - z[i, j])),
    ):
        violation = (paid - point.charges[:, kind] - point.excess[:, kind]) * relaxation.entry_size
        bad = np.flatnonzero((penalties > 0.0) & (violation > point.least))
        found.append(listed(number_of(WEIGHT, i[bad], j[bad], s), members[bad]))
        violations.append(violation[bad])
    return reduce(join, found), np.concatenate(violations)


WEIGHTS = Family(
    "weight", WEIGHT, lambda sizes, s: sizes + 1, _fill, _separate, lambda cuts, of: np.ones(len(cuts)), is_plain=False
)
