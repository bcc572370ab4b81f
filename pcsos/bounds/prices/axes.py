"""Axes: directions in which super-points differ most, along which boxes are few (Mathematics 9)."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.problem.reduction import Reduced
from pcsos.verify.reading.payloads import AXIS_BITS, MOST_AXES

#: With so many features there are few boxes in any case; with more of them it depends on how points spread.
FEW = 4
#: Points that tell how all of them spread, features or points up to which that is looked at, and the most axes of equal
#: length that spread as they do: with more, not even a probe is worth its time.
SAMPLE, MOST_SPREAD, MOST_EQUAL = 20_000, 1_000, 4.5
#: Shares of what a bound may lack that axes may cost which are left out.
LEFT_OUT, MOST_LEFT_OUT = 0.05, 0.8
#: Sides shorter than this share of the longest one are as good as that: they are hardly ever halved.
SHORT = 0.125
#: Axes are used where the product of the sides falls below this share of what it is along the features.
WORTHWHILE = 0.5


@dataclass(frozen=True, eq=False)
class Axes:
    """Rows of a matrix U that lengthens no distance, in whole numbers."""

    units: NDArray[np.int64]  #: shape (r, d): U in units of ``2^-30``

    @property
    def matrix(self) -> Floats:
        """U, of which every entry is a double."""
        return np.ldexp(self.units.astype(np.float64), -AXIS_BITS)

    def turned(self, reduced: Reduced) -> Reduced:
        """Return the super-points at U times their means."""
        return replace(reduced, means=np.ascontiguousarray(reduced.means @ self.matrix.T))

    def turned_back(self, places: Floats) -> Floats:
        """Return places among the means whose images these are, nearly."""
        return places @ self.matrix if len(places) else np.empty((0, self.units.shape[1]))

    def error(self, reduced: Reduced) -> float:
        """Return at least the sum of the weighted squares of what turning rounds the places by.

        A coordinate is a sum of d products, off by at most d roundings of ``|u| |m|``, and a row u is no longer than 1.
        """
        r, d = self.units.shape
        share: float = math.sqrt(r) * (d + 2.0) * EPS
        return share * share * float(reduced.weights @ (reduced.means**2).sum(axis=1))


def spreads_along_few(points: Floats) -> bool:
    """Tell whether points spread, by the entropy of their variances along principal axes, as along few equal ones."""
    points = points[:: -(-len(points) // SAMPLE)]
    if min(points.shape) > MOST_SPREAD:
        return False
    away = points - points.mean(axis=0)
    largest = np.abs(away).max()
    away = away / largest if largest > 0.0 else away
    values = np.maximum(np.linalg.eigvalsh(away.T @ away if len(away) > len(away.T) else away @ away.T), 0.0)
    shares = values[values > 0.0] / values.sum()
    return float(-(shares * np.log(shares)).sum()) <= math.log(MOST_EQUAL)


def principal_axes(reduced: Reduced, room: float) -> Axes | None:
    """Return the axes along which super-points differ, longest first, or None where features do as well.

    Parameters
    ----------
    reduced : Reduced
        The super-points.
    room : float
        What a bound may lack: axes are left out along which all super-points together cost a small share of that, and
        a large one where there would be too many.
    """
    means, weights = reduced.means, reduced.weights
    if means.shape[1] <= 2:
        return None
    weighted, is_long = np.sqrt(weights)[:, None] * means, len(means) < means.shape[1]
    values, vectors = np.linalg.eigh(weighted @ weighted.T if is_long else weighted.T @ weighted)
    left_out = np.cumsum(np.maximum(values, 0.0))
    number = int(np.count_nonzero(left_out > LEFT_OUT * room))
    if number > MOST_AXES:
        number = MOST_AXES if left_out[-MOST_AXES - 1] <= MOST_LEFT_OUT * room else 0
    if number == 0:
        return None
    rows = vectors[:, ::-1].T[:number]
    if is_long:
        rows = np.linalg.qr((rows @ weighted).T)[0].T
    if _log_volume(means @ rows.T) > _log_volume(means) + math.log2(WORTHWHILE):
        return None
    return Axes(_in_units(rows))


def _log_volume(means: Floats) -> float:
    """Return the logarithm of the product of the sides, the short ones counted as ever so long, by the longest one."""
    sides = np.ptp(means, axis=0)
    return float(np.log2(np.maximum(sides / sides.max(), SHORT) / SHORT).sum())


def _in_units(rows: Floats) -> NDArray[np.int64]:
    """Return rows of unit length that are orthogonal but for rounding, shrunk to a matrix that lengthens no distance.

    Entries are rounded by h, at most half a unit, so each entry of ``U U'`` is off by ``2 h sqrt(d) + h^2 d``, and row
    sums by r times that, which is less than what shrinking takes away: the exact check of the run file passes.
    """
    r, d = rows.shape
    shrunk = 1.0 - r * math.sqrt(d) * 2.0**-AXIS_BITS
    return np.asarray(np.rint(np.ldexp(shrunk * rows, AXIS_BITS)), np.int64)
