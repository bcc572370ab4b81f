"""Cuts about soft pairs: what their multipliers add up to, exactly (docs/certificate.md, section 13)."""

from collections.abc import Iterator, Mapping

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.effort import OF_A_STEP, charged, spend
from pcsos.verify.reader import require
from pcsos.verify.reading.database import ABOUT_PAIRS, OF_PAIRS

VARIATION, WEIGHT = 0, 1

Integers = NDArray[np.int64]


class PairSums:
    """Sums of multipliers mu over cuts about pairs of s super-points, as integers in the unit of mu.

    ``given`` has those of all cuts about i < j being apart at s i + j, together at s j + i.
    """

    def __init__(self, s: int) -> None:
        self.s, self.right = s, 0
        self.given: Integers | None = None
        self._of_apart = self._of_heavy = np.zeros(0, np.int64)
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
        return number % OF_PAIRS, number // OF_PAIRS // self.s, number // OF_PAIRS % self.s

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

    def finish(self) -> None:
        """Add up, when all cuts are added, what each super-point has of it."""
        if self.given is None:
            return
        given = np.triu(self.given.reshape(self.s, self.s), 1)
        self._of_apart = given.sum(axis=0) + given.sum(axis=1)
        self._of_heavy = self._heavy[1].reshape(given.shape).sum(axis=1)

    def overdrawn(self, penalties: Mapping[tuple[int, int], tuple[fmpq, fmpq]], unit: arb) -> arb:
        """Return the sum of what cuts take beyond the penalties of pairs i < j, apart and together, at most 0."""
        if self.given is None:
            return arb(0)
        total, others = arb(0), int(self.given.sum())
        spend(OF_A_STEP * len(penalties))
        for (i, j), both in penalties.items():
            for penalty, at in zip(both, (self.s * i + j, self.s * j + i), strict=True):
                taken = int(self.given[at])
                left = penalty - taken * unit
                others -= taken
                total += 0 if left >= 0 else left
        return arb(total - others * unit)

    def entries(
        self, rows: slice, columns: slice, weights: list[arb], largest: list[fmpq], least: arb
    ) -> Iterator[tuple[int, int, arb]]:
        """Yield places in a block, and what sum mu_t A_t has there of charges and weight cuts, in the unit of mu."""
        if self.given is None:
            return
        given, apart, heavy = (own.reshape(self.s, self.s) for own in (self.given, *self._heavy))
        there, back = (rows, columns), (columns, rows)
        pieces = [given[there], given[back].T, apart[there], heavy[there], heavy[back].T]
        used = (pieces[0] != 0) | (pieces[1] != 0)
        is_diagonal = rows.start == columns.start
        for p, q in charged(np.argwhere(np.triu(used, 1) if is_diagonal else used).tolist(), 2 * OF_A_STEP):
            i, j = rows.start + p, columns.start + q
            own_apart, own_together, both, first, second = (int(own[p, q]) for own in pieces)
            value = own_together * max(weights[i] + weights[j], least)
            value -= own_apart * (max(weights[i], least) + max(weights[j], least)) / 2
            value += both * min(largest[i], largest[j]) - first * largest[i] - second * largest[j]
            value /= 2 * (weights[i] * weights[j]).sqrt()
            yield p, q, value
            if is_diagonal:
                yield q, p, value
        for i in range(rows.start, rows.stop) if is_diagonal else ():
            value = int(self._of_apart[i]) * max(weights[i], least) / 2 + int(self._of_heavy[i]) * largest[i]
            yield i - rows.start, i - rows.start, value / weights[i]

    def varying(self, rows: slice, columns: slice) -> Integers | None:
        """Return what variation cuts take of ``e_l Z_il`` for rows i and columns l; None if it is 0."""
        return self._varying.reshape(self.s, self.s)[rows, columns] if self._varying.any() else None
