"""Cuts: what the multipliers of many cuts add up to, exactly (docs/certificate.md, section 5).

A file may name millions of cuts in a few bytes. So equal ones are joined before anything is done for each of their
pairs of members, a piece of the table at a time, and what is left of them has a price.
"""

from collections.abc import Iterator

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.conditions import Conditions
from pcsos.verify.effort import spend
from pcsos.verify.pairs import PairSums
from pcsos.verify.reader import Cuts, require
from pcsos.verify.reading.database import ABOUT_PAIRS

CLIQUE, SET = -1, -2  # instead of the centre of a star
AT_ONCE = 1 << 16  # numbers of a table that are looked at together
#: Pairs of members, beyond twice the cube of the super-points, that different cuts may have.
SPARE_WORK = 1 << 25
#: Work that it takes to begin with some cuts, to sort a member of one, and to add up a pair of them.
OF_A_PIECE, OF_A_MEMBER, OF_A_PAIR = 200_000, 200, 20

Integers = NDArray[np.int64]


class CutSums:
    """Sums of multipliers mu over cuts, as integers in the unit of mu.

    Parameters
    ----------
    cuts : list of Cuts
        Centres, members and multipliers, by the number of members.
    counts : list of int
        Points of each super-point.
    k : int
        Number of clusters.

    Attributes
    ----------
    cliques : int
        Over all clique cuts.
    sets : dict
        Over the set cuts with so many points.
    of_pairs : PairSums
        Over the cuts about soft pairs.
    """

    def __init__(self, cuts: list[Cuts], counts: list[int], k: int) -> None:
        self.s, self.k, self.cliques, self.sets = len(counts), k, 0, dict[int, int]()
        self.of_pairs = PairSums(self.s)
        self._counts = np.array(counts, np.int64)
        # Sums over pairs i <= j, at s i + j, once there are any.
        self._on_z: Integers | None = None
        self._pairs: Integers | None = None
        self._inside: Integers | None = None
        self._holding: Integers = np.zeros(self.s, np.int64)
        for centre, members, mu in self._pieces(cuts):
            about = centre <= ABOUT_PAIRS
            self.of_pairs.add(centre[about], members[about], mu[about])
            self._add(centre[~about], members[~about], mu[~about])
        self.of_pairs.finish()

    def _pieces(self, cuts: list[Cuts]) -> Iterator[Cuts]:
        """Yield the cuts in pieces, checked, with increasing members and each only once in a piece."""
        different = 0  # pairs of members of different cuts
        for centre, members, weights in cuts:
            step = max(1, AT_ONCE // (1 + members.shape[1]))
            for start in range(0, len(centre), step):
                piece = slice(start, start + step)
                spend(OF_A_PIECE + OF_A_MEMBER * weights[piece].size * (1 + members.shape[1]))
                table = np.column_stack([centre[piece], np.sort(members[piece], axis=1)])
                self._check(table)
                table, mu = merged(*merged(table, weights[piece], is_sorted=True))
                about = int(np.count_nonzero(table[:, 0] <= ABOUT_PAIRS))
                pairs = (len(table) - about) * members.shape[1] ** 2 + about * members.shape[1]
                different += pairs
                require(
                    different <= 2 * self.s**3 + SPARE_WORK, f"multipliers: too many cuts for {self.s} super-points"
                )
                spend(OF_A_PAIR * pairs)
                yield table[:, 0], table[:, 1:], mu

    def _check(self, table: Integers) -> None:
        centre, members, size = table[:, 0], table[:, 1:], table.shape[1] - 1
        about = centre <= ABOUT_PAIRS
        inside = (about | (centre >= SET)) & (centre < self.s) & (members[:, 0] >= 0) & (members[:, -1] < self.s)
        require(inside.all(), "a cut names a super-point that does not exist")
        self.of_pairs.check(centre[about], members[about])
        twice = (members[:, 1:] == members[:, :-1]).any() or (members == centre[:, None]).any()
        require(not twice, "a cut names the same super-point twice")
        fits = size == self.k + 1 or not (centre == CLIQUE).any()
        require(fits, f"a clique cut has {size} members instead of k + 1 = {self.k + 1}")

    def _add(self, centre: Integers, members: Integers, mu: Integers) -> None:
        star, is_set = centre >= 0, centre == SET
        self.cliques += sum(mu[centre == CLIQUE].tolist())
        if not is_set.all():  # of none, too, all are
            if self._on_z is None:
                self._on_z = np.zeros(self.s * self.s, np.int64)
            add_pairs(self._on_z, self.s, members[~is_set], mu[~is_set])
            self._add_stars(centre[star], members[star], mu[star])
        if is_set.any():
            self._add_sets(members[is_set], mu[is_set])

    def _add_stars(self, centre: Integers, members: Integers, mu: Integers) -> None:
        """Add what stars have at their centre, and between centre and members."""
        assert self._on_z is not None
        np.add.at(self._on_z, (self.s + 1) * centre, 2 * mu)
        for member in members.T:
            np.add.at(self._on_z, self.s * np.minimum(centre, member) + np.maximum(centre, member), -mu)
        if members.shape[1] == 1 and mu.size:
            if self._pairs is None:
                self._pairs = np.zeros(self.s * self.s, np.int64)
            np.add.at(self._pairs, self.s * centre + members[:, 0], mu)

    def _add_sets(self, members: Integers, mu: Integers) -> None:
        if self._inside is None:
            self._inside = np.zeros(self.s * self.s, np.int64)
        add_pairs(self._inside, self.s, members, mu)
        np.add.at(self._holding, members.ravel(), np.repeat(mu, members.shape[1]))
        points, sums = merged(self._counts[members].sum(axis=1)[:, None], mu)
        for q, total in zip(points[:, 0].tolist(), sums.tolist(), strict=True):
            self.sets[q] = self.sets.get(q, 0) + total

    def right(self, largest: fmpq, conditions: Conditions) -> arb:
        """Return the sum of mu_t b_t in the unit of mu; ``largest`` is the most that a cluster weighs."""
        crossing = sum((arb(conditions.crossing.least(q)) * mu for q, mu in self.sets.items()), arb(0))
        return self.cliques / largest + crossing + self.of_pairs.right

    def on_z(self, rows: slice, columns: slice) -> Integers | None:
        """Return 2 sum mu_t A_t on Z over stars and cliques, where rows are not above columns; None if it is 0."""
        return None if self._on_z is None else self._on_z.reshape(self.s, self.s)[rows, columns]

    def between(self, rows: slice, columns: slice) -> Integers | None:
        """Return the sum over the sets that hold i or j, but not both, for rows i < columns j; None if it is 0."""
        if self._inside is None:
            return None
        inside = self._inside.reshape(self.s, self.s)[rows, columns]
        between: Integers = self._holding[rows, None] + self._holding[columns] - 2 * inside
        if rows == columns:
            np.fill_diagonal(between, 0)
        return between

    def pair(self, centre: int, other: int) -> int:
        """Return the sum over the stars with this centre and this one member."""
        return 0 if self._pairs is None else int(self._pairs[self.s * centre + other])


def merged(table: Integers, mu: Integers, *, is_sorted: bool = False) -> tuple[Integers, Integers]:
    """Return the different rows of a table, and the sums of mu over equal ones: if it is sorted, over neighbours."""
    if not is_sorted:
        order = np.lexsort(table.T[::-1])
        table, mu = table[order], mu[order]
    first = np.flatnonzero(np.concatenate([[True], (table[1:] != table[:-1]).any(axis=1)]))
    return table[first], np.add.reduceat(mu, first)


def add_pairs(matrix: Integers, s: int, members: Integers, mu: Integers) -> None:
    """Add mu at s i + j for all members i < j of each cut; they increase."""
    size = members.shape[1]
    if 2 * len(members) > size:
        for b in range(size):
            for a in range(b):
                np.add.at(matrix, s * members[:, a] + members[:, b], mu)
        return
    for own, units in zip(members, mu, strict=True):
        for a in range(size - 1):
            matrix[s * own[a] + own[a + 1 :]] += units
