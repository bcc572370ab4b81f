"""Charges: what a relaxation makes soft pairs pay at a point (Mathematics 11)."""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import select
from pcsos.bounds.relaxation.families.pairs import is_about_pair
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import charged, rows_of
from pcsos.evidence.multipliers import Cuts


def charges_of(relaxation: PengWei, y: Floats, cuts: Cuts) -> tuple[Floats, Floats]:
    """Return what soft pairs are charged at a point, apart and together, as shares of their penalties.

    Returns
    -------
    by_matrix, excess : ndarray, shape (m, 2)
        What the matrix of the penalties charges, and what cuts about pairs charge beyond that.
    """
    number = len(relaxation.reduced.soft)
    if number == 0:
        return np.empty((0, 2)), np.empty((0, 2))
    i, j = relaxation.reduced.soft.pairs.T
    e, least = relaxation.weights, relaxation.masses.least
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    ends = sum(np.maximum(e[one], least) * (z[one, one] - z[i, j]) for one in (i, j))
    by_matrix = np.column_stack([0.5 * ends, np.maximum(e[i] + e[j], least) * z[i, j]])
    rows = rows_of(select(cuts, is_about_pair(cuts)), relaxation)
    return by_matrix, charged(rows, y, relaxation.penalties.size)[:-1].reshape(number, 2)
