"""Multipliers of a relaxation: the values that a bound is made of, their units, and their quantisation.

Outside of :mod:`pcsos.bounds.relaxation` they are in the units of the original sum of squares.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Flags, Floats, Indices

#: Bits that a multiplier may have; what lies below is rounded away whatever tolerance is asked for.
LARGEST_BITS = 50


@dataclass(frozen=True, eq=False)
class Cuts:
    """A list of valid inequalities on Z over the super-points of a state.

    Cut t has a centre ``c = centre[t]`` and members ``S = members[indptr[t]:indptr[t + 1]]``. With ``c >= 0`` it is a
    star; a negative number is the code of another family of :mod:`pcsos.bounds.relaxation.families`, where each is
    defined.
    """

    centre: NDArray[np.int32]
    indptr: NDArray[np.int64]
    members: NDArray[np.int32]

    @classmethod
    def none(cls) -> Self:
        """Return an empty list."""
        return cls(np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.int32))

    def __len__(self) -> int:
        return int(self.centre.size)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Multipliers of the relaxation of a state with s super-points; any values prove a bound (Mathematics 3)."""

    box: Floats  #: shape (s, s): symmetric N, the multipliers of the entrywise bounds on Y
    cuts: Cuts  #: the inequalities used
    weights: Floats  #: shape (t,): their multipliers mu >= 0

    @classmethod
    def none(cls, size: int) -> Self:
        """Return those of a relaxation of this size that nothing has been learnt about."""
        return cls(np.zeros((size, size)), Cuts.none(), np.empty(0))

    def scaled_by(self, factor: float) -> "Multipliers":
        """Return the same in other units; exact for a power of two, as the scale of a relaxation is."""
        return Multipliers(self.box * factor, self.cuts, self.weights * factor)


def quantise(multipliers: Multipliers, *, tolerance: float, smallest_weight: float = 1.0) -> Multipliers:
    """Round multipliers to what a run file stores; any multipliers prove a bound, so round before bounding.

    Parameters
    ----------
    multipliers : Multipliers
        In the units of the original sum of squares; N is made symmetric, cuts without a multiplier are dropped and
        the others sorted.
    tolerance : float
        What each of the k - 1 eigenvalues in the bound may lose to rounding, in the same units. A leaf whose bound
        is far above the cutoff can afford much, and is stored in few bytes.
    smallest_weight : float
        The least weight e_i of a super-point.

    Returns
    -------
    Multipliers
        Integers times a power of two each; rounding them again with the same arguments changes nothing.

    Notes
    -----
    Rounding errors are independent and uniform on [-step / 2, step / 2]; the spectral norm of such a symmetric
    matrix is about step sqrt(s / 3), and the step is the largest power of two for which this is at most the
    tolerance. In the bound itself, the errors of N are weighed with Y minus the nearest point of the box, which
    is small for good multipliers. A cut acts on Y through 1 / sqrt(e_i e_j).
    """
    box = 0.5 * (multipliers.box + multipliers.box.T)
    step = max(tolerance, 0.0) / math.sqrt(max(len(box), 1) / 3.0)
    box = _rounded(box, step)
    weights = _rounded(np.maximum(multipliers.weights, 0.0), step * smallest_weight)
    cuts, order = _sorted_cuts(multipliers.cuts, weights > 0.0)
    return Multipliers(box, cuts, weights[order])


def _rounded(values: Floats, step: float) -> Floats:
    """Return the values rounded to multiples of a power of two not above ``step``, of at most LARGEST_BITS bits."""
    largest = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    finest = max(largest - LARGEST_BITS, -1000)
    exponent = max(math.frexp(step)[1] - 1, finest) if step > 0.0 else finest
    limit = 2.0**LARGEST_BITS - 1.0
    rounded: Floats = np.ldexp(np.clip(np.rint(np.ldexp(values, -exponent)), -limit, limit), exponent)
    return rounded + 0.0


def _sorted_cuts(cuts: Cuts, used: Flags) -> tuple[Cuts, Indices]:
    """Return the used cuts with sorted members, sorted by size, centre and members, and their old indices."""
    index = np.flatnonzero(used)
    sizes = np.diff(cuts.indptr)[index]
    table = np.full((index.size, int(sizes.max(initial=0))), -1, np.int32)
    for p in range(table.shape[1]):
        table[sizes > p, p] = cuts.members[cuts.indptr[index[sizes > p]] + p]
    table = np.where(table < 0, np.iinfo(np.int32).max, table)
    table.sort(axis=1)
    order = np.lexsort([*table.T[::-1], cuts.centre[index], sizes])
    sizes, table, index = sizes[order], table[order], index[order]
    members = table[np.arange(table.shape[1]) < sizes[:, None]]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Cuts(cuts.centre[index].astype(np.int32), indptr, members.astype(np.int32)), index
