"""Departures: of a super-point and some others, one at least is in another cluster.

    (|S| - 1) Z_cc  -  sum over j in S of Z_cj  >=  0

for a centre c and a set S of other super-points: Z_cj is Z_cc where j is in the cluster of c, and 0 elsewhere. It holds
where S departs from c only, so nothing separates it: it asks what that costs at least. One relaxation bounds all these
partitions, which are those of |S| cannot-links otherwise, each with a relaxation of its own.
"""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation.cuts import listed
from pcsos.bounds.relaxation.families.family import Family, put
from pcsos.evidence.multipliers import Cuts

CODE = -3  # in no run file: readers refuse it


def departure(centre: int, others: Indices) -> Cuts:
    """Return the inequality of a centre and a set of other super-points, |S| >= 1."""
    return listed(np.array([CODE]), [np.concatenate([[centre], others])])


@kernel
def _fill(which, centre, starts, members, masses, indptr, entries, coefficients, steps, norms):  # type: ignore[no-untyped-def]
    roots = masses.roots
    s = roots.size
    for t in which:
        begin, end, at = starts[t], starts[t + 1], indptr[t]
        c = members[begin]
        norm = put(at, c, c, s, (end - begin - 2) / (roots[c] * roots[c]), entries, coefficients, steps)
        for a in range(begin + 1, end):
            at += 1
            j = members[a]
            norm += put(at, c, j, s, -1.0 / (roots[c] * roots[j]), entries, coefficients, steps)
        norms[t] = norm


DEPARTURES = Family("departure", CODE, lambda sizes, s: sizes, _fill, lambda point: (Cuts.none(), np.empty(0)))
