"""Families about soft pairs: inequalities on what breaking one pays beyond the terms of its matrix (Mathematics 11).

With Z_ij = Y_ij / sqrt(e_i e_j), b_i = max(e_i, L) and b = max(e_i + e_j, L), the matrix of the penalties charges

    (b_i (Z_ii - Z_ij) + b_j (Z_jj - Z_ij)) / 2  where the pair is apart,    b Z_ij  where it is together,

times the penalty. A cut of these families is ``excess + <A, Y> >= right``, where the *excess* is 1 for a broken pair
and 0 for others, less that charge. The pair i < j stands in the place of a centre, as ``code - 2 (s i + j)``.
"""

import numpy as np
from numpy.typing import NDArray

from pcsos.base.numerics.kernels import inlined_kernel
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Cuts
from pcsos.verify.reading.database import ABOUT_PAIRS, OF_PAIRS

#: The codes of the families about pairs; each has every second number from its own downwards.
VARIATION, WEIGHT = ABOUT_PAIRS, ABOUT_PAIRS - 1


def number_of(code: int | NDArray[np.int32], i: Indices, j: Indices, s: int) -> NDArray[np.int32]:
    """Return what stands in the place of a centre for pairs of s super-points."""
    return np.asarray(code - OF_PAIRS * (s * np.minimum(i, j) + np.maximum(i, j)), np.int32)


def pairs_of(centre: NDArray[np.int32], s: int) -> Indices:
    """Return the pairs i < j of s super-points that cuts of these families are about, shape (t, 2)."""
    number = (ABOUT_PAIRS - centre.astype(np.intp)) // OF_PAIRS
    return np.column_stack([number // s, number % s])


def is_about_pair(cuts: Cuts) -> NDArray[np.bool_]:
    """Tell which cuts are of these families."""
    return np.asarray(cuts.centre <= ABOUT_PAIRS)


def codes_of(cuts: Cuts) -> NDArray[np.int32]:
    """Return the codes of the families that cuts are of; what stands in the place of a centre if it names no pair."""
    about = is_about_pair(cuts)
    if not about.any():
        return cuts.centre
    return np.where(about, ABOUT_PAIRS - (ABOUT_PAIRS - cuts.centre) % OF_PAIRS, cuts.centre)


def excess_of(cuts: Cuts, relaxation: PengWei) -> NDArray[np.int32]:
    """Return which of the penalties of a relaxation these cuts are about; the last one for pairs that are not soft."""
    s, pairs = relaxation.size, relaxation.reduced.soft.pairs
    wanted, known = pairs_of(cuts.centre, s) @ np.array([s, 1]), pairs @ np.array([s, 1])
    place = np.searchsorted(known, wanted)
    is_known = np.append(known, -1)[place] == wanted
    is_together = (codes_of(cuts) == WEIGHT) & (np.diff(cuts.indptr) == 1)
    return np.where(is_known, 2 * place + is_together, 2 * len(pairs)).astype(np.int32)


@inlined_kernel
def pair_of(centre, s):  # type: ignore[no-untyped-def]
    """Return the pair of one cut."""
    number = (ABOUT_PAIRS - centre) // OF_PAIRS
    return number // s, number % s
