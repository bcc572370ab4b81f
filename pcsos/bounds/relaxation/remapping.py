"""Cuts of contracted super-points."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Indices
from pcsos.bounds.relaxation.cuts import select
from pcsos.bounds.relaxation.families import by_family
from pcsos.bounds.relaxation.families.pairs import codes_of, is_about_pair, number_of, pairs_of
from pcsos.evidence.multipliers import Cuts


def remap(cuts: Cuts, group: Indices) -> tuple[Cuts, Flags]:
    """Translate cuts to contracted super-points; return those that say the same of them, and which they were.

    Most families need distinct points; of a contracted super-point, a cut of the others holds all or nothing.

    Parameters
    ----------
    group : ndarray of int, shape (s,)
        New index of each super-point.
    """
    if len(cuts) == 0:
        return cuts, np.zeros(0, dtype=bool)
    centre = np.where(cuts.centre >= 0, group[np.maximum(cuts.centre, 0)], cuts.centre).astype(np.int32)
    valid = np.ones(len(cuts), dtype=bool)
    about = np.flatnonzero(is_about_pair(cuts))
    if about.size:
        i, j = group[pairs_of(cuts.centre[about], group.size)].T
        centre[about] = number_of(codes_of(cuts)[about], i, j, int(group.max()) + 1)
        valid[about] = i != j
    members = group[cuts.members].astype(np.int32)
    first = np.ones(members.size, dtype=bool)
    _mark_repeated(centre, cuts.indptr, members, np.bincount(group), _contract(cuts), valid, first)
    kept_before = np.concatenate([[0], np.cumsum(first)])
    carried = Cuts(centre, kept_before[cuts.indptr].astype(np.int64), members[first])
    return select(carried, valid), valid


def _contract(cuts: Cuts) -> Flags:
    """Tell which cuts may hold super-points that are contracted."""
    contract = np.zeros(len(cuts), dtype=bool)
    for family, which in by_family(cuts):
        contract[which] = family.contracts
    return contract


@kernel
def _mark_repeated(centre, indptr, members, sizes, contract, valid, first):  # type: ignore[no-untyped-def]
    """Mark cuts that name a super-point twice, or hold a part of one where they contract, and repeated members."""
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
        if contract[t]:
            valid[t] &= total == end - begin
        else:
            valid[t] &= first[begin:end].all()
        seen[members[begin:end]] = False
