"""Variation: rows of Z are equal or share no super-point (Mathematics 11).

    [i and j apart]  >=  sum over l in S of e_l (Z_il - Z_jl)

for a set S that holds i and not j; the other way round if it holds j. A row of Z with the weights is a distribution:
the best S makes the right-hand side the distance of two of them in total variation.
"""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import listed
from pcsos.bounds.relaxation.families.family import VARIATION, Family, Point, number_of, pair_of, put
from pcsos.evidence.multipliers import Cuts
from pcsos.verify.reading.database import MOST_IN_PAIRS


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    roots, s = masses.roots, masses.roots.size
    for t in which:
        at = indptr[t]
        own = members[starts[t] : starts[t + 1]]
        i, j = pair_of(centre[t], s)
        if not (own == i).any():
            i, j = j, i
        own_weight, other_weight = roots[i] * roots[i], roots[j] * roots[j]
        first, second = max(own_weight, masses.least[i]), max(other_weight, masses.least[j])
        norm = put(at, i, i, s, 0.5 * first / own_weight - 1.0, entries, coefficients, steps)
        norm += put(at + 1, j, j, s, 0.5 * second / other_weight, entries, coefficients, steps)
        both = (own_weight - 0.5 * (first + second)) / (roots[i] * roots[j])
        norm += put(at + 2, i, j, s, both, entries, coefficients, steps)
        at += 3
        for m in own:
            if m != i:
                norm += put(at, i, m, s, -roots[m] / roots[i], entries, coefficients, steps)
                norm += put(at + 1, j, m, s, roots[m] / roots[j], entries, coefficients, steps)
                at += 2
        norms[t] = norm


def _separate(point: Point) -> tuple[Cuts, Floats]:
    """Return for each soft must-link the set that holds it to the most."""
    soft, s = point.relaxation.reduced.soft, point.relaxation.size
    if s > MOST_IN_PAIRS:
        return Cuts.none(), np.empty(0)
    charged = point.charges[:, 0] + point.excess[:, 0]
    members, violations, numbers = [], [], []
    for m in np.flatnonzero(soft.apart > 0.0):
        i, j = soft.pairs[m]
        difference = point.z[i] - point.z[j]
        difference[i], difference[j] = max(difference[i], 0.0), min(difference[j], 0.0)
        for sign in (1.0, -1.0):
            inside = sign * difference > 0.0
            inside[i if sign > 0.0 else j] = True
            if 2 * np.count_nonzero(inside) <= s or sign < 0.0:
                break
        violation = sign * float(point.relaxation.weights[inside] @ difference[inside]) - charged[m]
        if violation * point.relaxation.entry_size > point.least:
            members.append(np.flatnonzero(inside))
            violations.append(violation * point.relaxation.entry_size)
            numbers.append(m)
    i, j = soft.pairs[numbers].T
    return listed(number_of(VARIATION, i, j, s), members), np.array(violations)


VARIATIONS = Family(
    "variation", VARIATION, lambda sizes, s: 2 * sizes + 1, _fill, _separate, contracts=True, is_plain=False
)
