"""Separation: violated cuts of every family, those that are not in use yet."""

from functools import reduce

import numpy as np

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import join, keys, select
from pcsos.bounds.relaxation.families import FAMILIES
from pcsos.bounds.relaxation.families.family import Point
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import charges_of
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.params import CutParams


def separate(relaxation: PengWei, y: Floats, known: Cuts, threshold: float, limit: int) -> tuple[Cuts, Floats]:
    """Return violated cuts that are not in ``known``, the most violated first, and their violations.

    They are of the families that share a limit.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        The point to cut off.
    threshold : float
        Least violation in units of Z, divided by k / E (the size of its entries).
    limit : int
        Most cuts to return.
    """
    charges, excess = charges_of(relaxation, y, known)
    least = threshold * relaxation.entry_size
    point = Point(relaxation, y, known, least, limit, charges=charges, excess=excess)
    each = [family.separate(point) for family in FAMILIES if family.most is None]
    found, violation = reduce(join, (cuts for cuts, _ in each)), np.concatenate([own for _, own in each])
    key = keys(found)
    _, first = np.unique(key, return_index=True)
    new = first[~np.isin(key[first], keys(known), assume_unique=True)]
    order = new[np.argsort(-violation[new], kind="stable")][:limit]
    return select(found, order), violation[order]


def separate_limited(relaxation: PengWei, y: Floats, known: Cuts, params: CutParams, rng: np.random.Generator) -> Cuts:
    """Return violated cuts that are not in ``known``, of the families that have limits of their own."""
    point, found = Point(relaxation, y, known, rng=rng), [Cuts.none()]
    for family in FAMILIES:
        most = 0 if family.most is None else family.most(params)
        if most > 0:
            cuts, _ = family.separate(point)
            found.append(select(cuts, np.flatnonzero(~np.isin(keys(cuts), keys(known)))[:most]))
    return reduce(join, found)
