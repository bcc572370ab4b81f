"""Cuts about soft pairs: what their multipliers add up to, exactly (docs/certificate.md, section 13)."""

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.reading.database import ABOUT_PAIRS
from pcsos.verify.reader import require

VARIATION, WEIGHT = 0, 1

Integers = NDArray[np.int64]


class PairSums:
    """Sums of multipliers mu over cuts about pairs of s super-points, as integers in the unit of mu.

    ``given`` has those of all cuts about i < j being apart at s i + j, together at s j + i; ``heavy`` those of weight
    cuts alone, together by the end first and then the other, in two rows; and ``varying`` what rows of Z are taken.
    """

    def __init__(self, s: int) -> None:
        self.s, self.right = s, 0
        self.given: Integers | None = None
        self._heavy, self._varying = np.zeros((2, 0), np.int64), np.zeros(0, np.int64)

    def check(self, centre: Integers, members: Integers) -> None:
        """Refuse what is no cut about a pair."""
        kind, i, j = self._parts(centre)
        require((i < j).all() and (i < self.s).all(), "a cut is about a pair of super-points that does not exist")
        has_i, has_j = ((members == end[:, None]).any(axis=1) for end in (i, j))
        fits = np.where(kind == VARIATION, has_i != has_j, has_i | has_j)
        if members.shape[1] != 1:
            fits &= (kind == VARIATION) | (has_i & has_j & (members.shape[1] == 2))
        require(fits.all(), "a cut about a pair of super-points has members that do not fit")

    def _parts(self, centre: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the kinds, and the pairs i, j."""
        number = ABOUT_PAIRS - centre
        return number % 2, number // 2 // self.s, number // 2 % self.s

    def add(self, centre: Integers, members: Integers, mu: Integers) -> None:
        """Add cuts that were checked."""
        if not mu.size:
            return
        s = self.s
        if self.given is None:
            self.given, self._heavy, self._varying = (np.zeros(size, np.int64) for size in (s * s, (2, s * s), s * s))
        kind, i, j = self._parts(centre)
        is_apart = (kind == VARIATION) | (members.shape[1] == 2)
        np.add.at(self.given, np.where(is_apart, s * i + j, s * j + i), mu)
        weight = kind == WEIGHT
        self.right += sum(mu[weight].tolist())
        end = members[:, 0]
        heavy = s * end + np.where(end == i, j, i)
        np.add.at(self._heavy, (np.where(is_apart, 0, 1)[weight], heavy[weight]), mu[weight])
        signs = np.where((members == i[:, None]).any(axis=1), mu, -mu)[~weight]
        for member in members[~weight].T:
            np.add.at(self._varying, s * i[~weight] + member, signs)
            np.add.at(self._varying, s * j[~weight] + member, -signs)

    def shares(self, unit: arb) -> dict[tuple[int, int], tuple[arb, arb]]:
        """Return what cuts take of the penalties of pairs i < j, apart and together."""
        if self.given is None:
            return {}
        given = self.given.reshape(self.s, self.s)
        pairs = np.argwhere(np.triu((given != 0) | (given.T != 0), 1)).tolist()
        return {(i, j): (int(given[i, j]) * unit, int(given[j, i]) * unit) for i, j in pairs}

    def entries(self, weights: list[arb], largest: list[fmpq], unit: arb) -> list[tuple[int, int, arb]]:
        """Return the entries of the weight cuts in sum mu_t A_t."""
        result = []
        for row, units in enumerate(self._heavy):
            for at in np.flatnonzero(units).tolist():
                i, j = divmod(at, self.s)
                size = min(largest[i], largest[j]) if row == 0 else largest[i]
                value = int(units[at]) * unit * size
                both = value / (weights[i] * weights[j]).sqrt() / (2 if row == 0 else -2)
                result += [(i, j, both), (j, i, both)]
                if row == 1:
                    result.append((i, i, value / weights[i]))
        return result

    def varying(self, rows: slice, columns: slice) -> Integers | None:
        """Return what variation cuts take of ``e_l Z_il`` for rows i and columns l; None if it is 0."""
        return self._varying.reshape(self.s, self.s)[rows, columns] if self._varying.any() else None
