"""Cuts: what the multipliers of many cuts add up to, exactly (docs/certificate.md, section 5).

A file may name millions of cuts in a few bytes. So equal ones are joined before anything is done for each of their
pairs of members, a piece of the table at a time, and what is left of them has a price.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.conditions import Conditions
from pcsos.verify.effort import OF_A_STEP, charged, spend
from pcsos.verify.reader import Cuts, require
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
        self, rows: slice, columns: slice, weights: list[arb], largest: list[fmpq], least: list[arb]
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
            value = own_together * max(weights[i] + weights[j], least[i], least[j])
            value -= own_apart * (max(weights[i], least[i]) + max(weights[j], least[j])) / 2
            value += both * min(largest[i], largest[j]) - first * largest[i] - second * largest[j]
            value /= 2 * (weights[i] * weights[j]).sqrt()
            yield p, q, value
            if is_diagonal:
                yield q, p, value
        for i in range(rows.start, rows.stop) if is_diagonal else ():
            value = int(self._of_apart[i]) * max(weights[i], least[i]) / 2 + int(self._of_heavy[i]) * largest[i]
            yield i - rows.start, i - rows.start, value / weights[i]

    def varying(self, rows: slice, columns: slice) -> Integers | None:
        """Return what variation cuts take of ``e_l Z_il`` for rows i and columns l; None if it is 0."""
        return self._varying.reshape(self.s, self.s)[rows, columns] if self._varying.any() else None


CLIQUE, SET = -1, -2  # instead of the centre of a star
AT_ONCE = 1 << 16  # numbers of a table that are looked at together
#: Pairs of members, beyond twice the cube of the super-points, that different cuts may have.
SPARE_WORK = 1 << 25
#: Work that it takes to begin with some cuts, to sort a member of one, and to add up a pair of them.
OF_A_PIECE, OF_A_MEMBER, OF_A_PAIR = 200_000, 200, 20


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
