"""The lower bound of a state from any multipliers, in ball arithmetic (docs/certificate.md, sections 5, 6 and 13)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz_mat
from numpy.typing import NDArray

from pcsos.verify.conditions import Conditions
from pcsos.verify.cuts import CutSums
from pcsos.verify.data import Data, Groups
from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, charged, spend
from pcsos.verify.reader import read_multipliers, require
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.database import ABOUT_PAIRS
from pcsos.verify.reading.memory import Memory
from pcsos.verify.soft_pairs import entries
from pcsos.verify.spectral import WIDTH, panels, spectral_minimum
from pcsos.verify.state import State
from pcsos.verify.weight_bounds import cluster_weights

Integers = NDArray[np.int64]
OF_AN_ENTRY, OF_PAIR_SUMS = 72, 40  # bytes that a bound takes, for each pair of super-points; with cuts about pairs
OF_A_PRODUCT = 20  # work that a product of two balls is worth
LOW = (1 << 32) - 1  # of an integer that is added up in two halves


class Bound:
    """What multipliers prove in a state: every partition of it costs at least ``value`` (section 5)."""

    def __init__(
        self,
        data: Data,
        state: State,
        arrays: Arrays,
        k: int,
        conditions: Conditions | None = None,
        memory: Memory | None = None,
        *,
        has_open_pairs: bool = True,
    ) -> None:
        groups = state.groups()
        s = len(groups)
        require(s >= k and not state.broken, f"multipliers for a state of {s} super-points, which holds no partition")
        memory = memory or Memory.without_limit()
        memory.need(s * s * OF_AN_ENTRY, "multipliers")
        self.box, self.box_unit, cuts, self.cut_unit = read_multipliers(arrays, s, memory)
        if any((centre <= ABOUT_PAIRS).any() for centre, *_ in cuts):
            memory.need(s * s * (OF_AN_ENTRY + OF_PAIR_SUMS), "multipliers")
        self.cuts = CutSums(cuts, [len(group) for group in groups], k)
        del cuts
        self.index = np.zeros(len(data.points), np.int64)
        for i, group in enumerate(groups):
            self.index[list(group)] = i
        self.apart = self._apart(state, groups)
        exact = [data.weight(group) for group in groups]
        conditions = Conditions(data.weights, k) if conditions is None else conditions
        around = (set(np.flatnonzero(row).tolist()) for row in self.apart)  # one at a time
        least, largest = cluster_weights(state, exact, around, k, conditions.ends)
        self.least = [arb(low) for low in least]
        self.largest = [most if most > 0 else e for most, e in zip(largest, exact, strict=True)]
        self.weight = [arb(e) for e in exact]
        self.kind = _kinds(exact, least)
        self.root = [e.sqrt() for e in self.weight]
        total = sum(exact, fmpq(0))
        u = [arb(e / total).sqrt() for e in exact]
        frame = data.frame(state.moved)
        matrix = Objective(self, frame, groups)
        open_pairs = conditions.soft.open(state, self.index.tolist()) if has_open_pairs else {}
        matrix.pay(entries(open_pairs, self.weight, self.least))
        overdrawn = self.cuts.of_pairs.overdrawn(open_pairs, self.cut_unit)
        right = self.cuts.right(max(self.largest), conditions) * self.cut_unit
        spectral = spectral_minimum(matrix, u, k - 1, frame.tolerable)
        self.value: arb = frame.total + conditions.soft.paid(state) + overdrawn + right + self._box_terms() + spectral

    def _apart(self, state: State, groups: Groups) -> NDArray[np.bool_]:
        """Return which super-points are apart."""
        apart = np.zeros((len(groups), len(groups)), np.bool_)
        for i, group in enumerate(groups):
            apart[i, self.index[list(state.around(state.name[group[0]]))]] = True
        return apart

    def _box_terms(self) -> arb:
        """Return the least value of <N, X> over the box lo <= X <= hi."""
        total = arb(0)
        for i, n in enumerate(self.box.diagonal().tolist()):
            total += n * self.weight[i] / (self.largest[i] if n > 0 else max(self.weight[i], self.least[i]))
        for own in panels(len(self.box)):
            rows, columns = np.nonzero(np.triu((self.box[own] < 0) & ~self.apart[own], own.start + 1))
            for (i, j), units in charged(self._by_kind(rows + own.start, columns), OF_A_STEP):
                total += 2 * units * self._highest(i, j)
        return total * self.box_unit

    def _by_kind(self, rows: Integers, columns: Integers) -> list[tuple[tuple[int, int], int]]:
        """Return the sums of N over pairs of super-points of the same two weights, and one pair of each."""
        key = self.kind[rows] * len(self.box) + self.kind[columns]
        order = np.argsort(key, kind="stable")
        first = np.flatnonzero(np.diff(key[order], prepend=-1))
        values, starts = self.box[rows[order], columns[order]], order[first]
        if not first.size:
            return []
        high, low = (np.add.reduceat(half, first) for half in (values >> 32, values & LOW))
        sums = ((a << 32) + b for a, b in zip(high.tolist(), low.tolist(), strict=True))
        return list(zip(zip(rows[starts].tolist(), columns[starts].tolist(), strict=True), sums, strict=True))

    def _highest(self, i: int, j: int) -> arb:
        """Return hi_ij for i != j."""
        if self.apart[i, j]:
            return arb(0)
        return self.root[i] * self.root[j] / max(self.weight[i] + self.weight[j], self.least[i], self.least[j])

    def with_pair(self, kind: str, p: int, q: int) -> arb:
        """Return a bound on the partitions of the state with p and q together (``ML``) or apart (``CL``)."""
        spend(2 * OF_A_STEP)
        i, j = int(self.index[p]), int(self.index[q])
        require(i != j, f"points {p} and {q} are fixed, but are linked already")
        n = 2 * int(self.box[i, j])
        if kind == "ML":
            least = self.root[i] * self.root[j] / min(self.largest[i], self.largest[j])
            return self.value + max(n, 0) * self.box_unit * least
        gain = max(-n, 0) * self.box_unit * self._highest(i, j)
        for c, other in ((i, j), (j, i)):
            gain += self.cuts.pair(c, other) * self.cut_unit / self.largest[c]
        return self.value + gain


class Objective:
    """The matrix G = -C - N - sum mu_t A_t of section 5, in blocks."""

    def __init__(self, bound: Bound, frame: Any, groups: Groups) -> None:
        self.bound, self.size = bound, len(groups)
        self.even: set[int] = set()  # panels in which all weights are equal
        self.root, self.inverse, self.moments = dict[int, arb_mat](), dict[int, arb_mat](), dict[int, arb_mat]()
        for own in panels(self.size):
            roots = bound.root[own]
            if len(set(bound.kind[own].tolist())) == 1:
                self.even.add(own.start)
            inverse = [1 / r for r in roots]
            self.root[own.start] = arb_mat(len(roots), 1, roots)
            self.inverse[own.start] = arb_mat(len(roots), 1, inverse)
            rows = ([x * a for x in frame.moment(group)] for group, a in zip(groups[own], inverse, strict=True))
            self.moments[own.start] = arb_mat(list(rows))
        self.penalties: dict[tuple[int, int], list[tuple[int, int, arb]]] = {}

    def pay(self, penalties: list[tuple[int, int, arb]]) -> None:
        """Add penalties to entries."""
        for i, j, penalty in penalties:
            block = i - i % WIDTH, j - j % WIDTH
            self.penalties.setdefault(block, []).append((i % WIDTH, j % WIDTH, penalty))

    def block(self, rows: slice, columns: slice) -> arb_mat:
        """Return a block whose rows are not below its columns, or the same."""
        own, cuts, half = self.bound, self.bound.cuts, self.bound.cut_unit / 2
        first, second = rows.start, columns.start
        spend(own.box[rows, columns].size * (OF_A_NUMBER + OF_A_PRODUCT * self.moments[first].ncols()))
        block = self.moments[first] * self.moments[second].transpose()
        if own.box[rows, columns].any():
            block += _matrix(own.box[rows, columns]) * own.box_unit
        for sums, sides in ((cuts.on_z(rows, columns), self.inverse), (cuts.between(rows, columns), self.root)):
            if sums is not None and sums.any():
                whole = np.triu(sums) + np.triu(sums, 1).T if rows == columns else sums
                factors = sides[first] * half * sides[second].transpose()
                is_even = first in self.even and second in self.even
                block += _matrix(whole) * factors[0, 0] if is_even else _products(whole, factors)
        block -= self._variation(rows, columns) * half
        for i, j, units in own.cuts.of_pairs.entries(rows, columns, own.weight, own.largest, own.least):
            block[i, j] += units * own.cut_unit
        for i, j, penalty in self.penalties.get((first, second), ()):
            block[i, j] -= penalty
        return -block

    def _variation(self, rows: slice, columns: slice) -> arb_mat:
        """Return what variation cuts take of ``e_l (Z_il - Z_jl)``, twice."""
        first, second, sums = rows.start, columns.start, self.bound.cuts.of_pairs
        there, back = sums.varying(rows, columns), sums.varying(columns, rows)
        if there is None or back is None:
            return arb_mat(rows.stop - rows.start, columns.stop - columns.start)
        return _products(there, self.inverse[first] * self.root[second].transpose()) + _products(
            back.T, self.root[first] * self.inverse[second].transpose()
        )


def _matrix(values: Integers) -> arb_mat:
    return arb_mat(fmpz_mat(values.tolist()))


def _products(values: Integers, factors: arb_mat) -> arb_mat:
    """Return the products of all entries of a block."""
    spend(OF_A_NUMBER * values.size)
    both = zip(_matrix(values).entries(), factors.entries(), strict=True)
    return arb_mat(len(values), values.shape[1], [x * y for x, y in both])


def _kinds(*weights: Sequence[fmpq]) -> Integers:
    """Return the same number where all of several weights are equal."""
    number: dict[tuple[tuple[int, int], ...], int] = {}
    own = [tuple((int(e.p), int(e.q)) for e in some) for some in zip(*weights, strict=True)]
    return np.array([number.setdefault(some, len(number)) for some in own], np.int64)
