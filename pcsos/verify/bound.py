"""The lower bound of a state from any multipliers, in ball arithmetic (docs/certificate.md, sections 5, 6 and 13)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz_mat
from numpy.typing import NDArray

from pcsos.reading.memory import Memory
from pcsos.verify.conditions import Conditions
from pcsos.verify.exact import exact_rows
from pcsos.verify.proposal import SHIFT_BITS, STEP_BITS, Proposal
from pcsos.verify.reader import Cuts, read_multipliers, require
from pcsos.verify.state import State, largest_clusters

Groups = Sequence[Sequence[int]]
CLIQUE, SET = -1, -2  # instead of the centre of a star
SETS_AT_ONCE = 1 << 20  # pairs of members of sets that are looked at together


class Frame:
    """Points as balls about the centres of blocks: moments ``w_p (p - centre)``, and the cost ``total`` about them.

    Where no cluster meets two blocks, each block may have an origin of its own: no cost depends on it.
    """

    def __init__(self, data: "Data", blocks: Groups) -> None:
        self.moments: list[list[arb]] = [[] for _ in data.points]
        self.total: arb = arb(0)
        for block in blocks:
            centre = data.centre(block)
            for p in block:
                weight, row = data.masses[p], [x - c for x, c in zip(data.balls[p], centre, strict=True)]
                self.moments[p] = [x * weight for x in row]
                self.total += sum((m * x for m, x in zip(self.moments[p], row, strict=True)), arb(0))
        self.tolerable = self.total * len(data.points) / 2**50  # what may be lost before a bound is evaluated again


class Data:
    """Points and weights, exactly."""

    def __init__(self, rows: Any, masses: Any) -> None:
        if isinstance(rows, list):
            rows = np.array([[int(x.p) / int(x.q) for x in row] for row in rows])
            masses = np.array([int(x.p) / int(x.q) for x in masses])
        self.points, self.weights = rows, masses
        points, weights = exact_rows(rows), exact_rows(masses)
        self.exact_points, self.exact_weights = points, weights
        self.balls, self.masses = [[arb(x) for x in row] for row in points], [arb(w) for w in weights]
        self._blocks: Groups = []
        self._frame: Frame

    def centre(self, group: Sequence[int]) -> list[arb]:
        """Return the middle, exactly known, of a ball that holds the mean of some points: any origin would do."""
        weight = sum((self.masses[p] for p in group), arb(0))
        rows = ([x * self.masses[p] for x in self.balls[p]] for p in group)
        return [(sum(column, arb(0)) / weight).mid() for column in zip(*rows, strict=True)]

    def super_point(self, group: Sequence[int]) -> tuple[fmpq, list[fmpq]]:
        """Return the weight of some points and their mean."""
        weight = sum((self.exact_weights[p] for p in group), fmpq(0))
        rows = ([self.exact_weights[p] * x for x in self.exact_points[p]] for p in group)
        return weight, [sum(column, fmpq(0)) / weight for column in zip(*rows, strict=True)]

    def frame(self, blocks: Groups) -> Frame:
        """Return the points about the centres of these blocks; the last ones asked for are kept."""
        if blocks != self._blocks:
            self._blocks, self._frame = blocks, Frame(self, blocks)
        return self._frame

    def cost(self, groups: Groups) -> fmpq:
        """Return the cost of the partition into these groups."""
        cost = fmpq(0)
        for group in groups:
            weights = [self.exact_weights[p] for p in group]
            total = sum(weights, fmpq(0))
            for column in zip(*(self.exact_points[p] for p in group), strict=True):
                products = [w * x for w, x in zip(weights, column, strict=True)]
                cost += sum((a * x for a, x in zip(products, column, strict=True)), fmpq(0))
                cost -= sum(products, fmpq(0)) ** 2 / total
        return cost


def pair_cost(first: tuple[fmpq, list[fmpq]], second: tuple[fmpq, list[fmpq]]) -> fmpq:
    """Return by how much the cost of two super-points grows when they become one."""
    (a, x), (b, y) = first, second
    return sum(((p - q) ** 2 for p, q in zip(x, y, strict=True)), fmpq(0)) * a * b / (a + b)


class Bound:
    """What multipliers prove in a state: every partition of it costs at least ``value`` (section 5)."""

    def __init__(
        self,
        data: Data,
        state: State,
        blob: object,
        k: int,
        conditions: Conditions | None = None,
        memory: Memory | None = None,
        *,
        has_open_pairs: bool = True,
    ) -> None:
        groups = state.groups()
        s = len(groups)
        require(s >= k and not state.broken, f"multipliers for a state of {s} super-points, which holds no partition")
        self.box, self.box_unit, self.cuts, self.cut_unit = read_multipliers(blob, s, memory or Memory(1 << 40))
        self.index = {p: i for i, group in enumerate(groups) for p in group}
        self.neighbours = [{self.index[e] for e in state.around(state.name[group[0]])} for group in groups]
        exact = [sum((data.exact_weights[p] for p in group), fmpq(0)) for group in groups]
        conditions = Conditions(data.exact_weights, k) if conditions is None else conditions
        self.least = arb(conditions.low)
        self.largest = [min(weight, conditions.high) for weight in largest_clusters(exact, self.neighbours, k)]
        self.weight = [arb(e) for e in exact]
        self.root = [e.sqrt() for e in self.weight]
        u = arb_mat(s, 1, [arb(e / sum(exact, fmpq(0))).sqrt() for e in exact])
        coefficients, clique_weight = cut_matrix(self.cuts, s, k)
        between, set_weights = set_matrix(self.cuts, [len(group) for group in groups])
        frame = data.frame(state.moved)
        g = self._matrix(frame, groups, coefficients, between)
        open_pairs = conditions.entries(state, self.index, self.weight) if has_open_pairs else {}
        for (i, j), penalty in open_pairs.items():
            g[i, j] += penalty
        crossing = sum((arb(conditions.least_crossing(q)) * mu for q, mu in set_weights.items()), arb(0))
        right = (clique_weight / max(self.largest) + crossing) * self.cut_unit
        spectral = (u.transpose() * g * u)[0, 0] + spectral_minimum(g, u, k - 1, frame.tolerable)
        self.value: arb = frame.total + conditions.paid(state) + right + self._box_terms() + spectral

    def _matrix(
        self, frame: Frame, groups: Groups, coefficients: NDArray[np.int64], between: NDArray[np.int64]
    ) -> arb_mat:
        """Return G = -C - N - sum mu_t A_t, given 2 sum mu_t A_t on Z, of sets over the products of weights."""
        s, half = len(groups), self.cut_unit / 2
        inverse = [1 / r for r in self.root]
        columns = (zip(*(frame.moments[p] for p in group), strict=True) for group in groups)
        q = arb_mat([[sum(c, arb(0)) * inverse[i] for c in group] for i, group in enumerate(columns)])
        sums: list[list[Any]] = [[0] * s for _ in range(s)]
        for i, j in np.argwhere(np.triu(coefficients)).tolist():
            sums[i][j] = sums[j][i] = int(coefficients[i, j]) * half * inverse[i] * inverse[j]
        for i, j in np.argwhere(np.triu(between)).tolist():
            sums[i][j] = sums[j][i] = sums[i][j] + int(between[i, j]) * half * self.root[i] * self.root[j]
        box = arb_mat(fmpz_mat(s, s, self.box.ravel().tolist()))
        return -(q * q.transpose() + arb_mat(sums) + box * self.box_unit)

    def _box_terms(self) -> arb:
        """Return the least value of <N, X> over the box lo <= X <= hi."""
        total = arb(0)
        for i, n in enumerate(self.box.diagonal().tolist()):
            total += n * self.weight[i] / (self.largest[i] if n > 0 else max(self.weight[i], self.least))
        for i, j in np.argwhere(np.triu(self.box < 0, 1)).tolist():
            total += 2 * int(self.box[i, j]) * self._highest(i, j)
        return total * self.box_unit

    def _highest(self, i: int, j: int) -> arb:
        """Return hi_ij for i != j."""
        if j in self.neighbours[i]:
            return arb(0)
        return self.root[i] * self.root[j] / max(self.weight[i] + self.weight[j], self.least)

    def with_pair(self, kind: str, p: int, q: int) -> arb:
        """Return a bound on the partitions of the state with p and q together (``ML``) or apart (``CL``)."""
        i, j = self.index[p], self.index[q]
        require(i != j, f"points {p} and {q} are fixed, but are linked already")
        n = 2 * int(self.box[i, j])
        if kind == "ML":
            least = self.root[i] * self.root[j] / min(self.largest[i], self.largest[j])
            return self.value + max(n, 0) * self.box_unit * least
        gain = max(-n, 0) * self.box_unit * self._highest(i, j)
        for centre, members, weights in self.cuts:
            for c, other in ((i, j), (j, i)) if members.shape[1] == 1 else ():
                units = sum(weights[(centre == c) & (members[:, 0] == other)].tolist())
                gain += units * self.cut_unit / self.largest[c]
        return self.value + gain


def cut_matrix(cuts: list[Cuts], s: int, k: int) -> tuple[NDArray[np.int64], int]:
    """Return 2 sum mu_t A_t on Z, and the sum of mu_t over the cliques, exactly, after checking the cuts."""
    matrix, cliques = np.zeros((s, s), np.int64), 0
    for centre, members, weights in cuts:
        size, ordered, star, clique = members.shape[1], np.sort(members, axis=1), centre >= 0, centre == CLIQUE
        inside = (centre >= SET) & (centre < s) & (ordered[:, 0] >= 0) & (ordered[:, -1] < s)
        require(inside.all(), "a cut names a super-point that does not exist")
        twice = (ordered[:, 1:] == ordered[:, :-1]).any() or (members == centre[:, None]).any()
        require(not twice, "a cut names the same super-point twice")
        require(size == k + 1 or not clique.any(), f"a clique cut has {size} members instead of k + 1 = {k + 1}")
        cliques += sum(weights[clique].tolist())
        np.add.at(matrix, (centre[star], centre[star]), weights[star])
        paired, own = members[star | clique], weights[star | clique]
        for a in range(size if own.size else 0):  # sets have many members, and are added up elsewhere
            np.add.at(matrix, (centre[star], members[star, a]), -weights[star])
            for b in range(a):
                np.add.at(matrix, (paired[:, b], paired[:, a]), own)
    return matrix + matrix.T, cliques


def set_matrix(cuts: list[Cuts], counts: list[int]) -> tuple[NDArray[np.int64], dict[int, int]]:
    """Return the sum of mu_t over the set cuts that separate i and j, and over those with so many points, exactly.

    A set separates i and j if it holds i, or j, but not both. A file may name millions of sets in a few bytes, so that
    many are taken at once.
    """
    s, size_of = len(counts), np.array(counts, np.int64)
    both = np.zeros(s * s, np.int64)
    points: dict[int, int] = {}
    for centre, members, weights in cuts:
        chosen = np.flatnonzero(centre == SET)
        step = max(1, SETS_AT_ONCE // members.shape[1] ** 2)
        for start in range(0, chosen.size, step):
            own, mu = members[chosen[start : start + step]], weights[chosen[start : start + step]]
            pairs = s * own[:, :, None] + own[:, None, :]
            np.add.at(both, pairs.ravel(), np.repeat(mu, members.shape[1] ** 2))
            sizes, place = np.unique(size_of[own].sum(axis=1), return_inverse=True)
            sums = np.zeros(sizes.size, np.int64)
            np.add.at(sums, place, mu)
            for q, total in zip(sizes.tolist(), sums.tolist(), strict=True):
                points[q] = points.get(q, 0) + total
    holding = both[:: s + 1]
    return holding[:, None] + holding - 2 * both.reshape(s, s), points


def spectral_minimum(g: arb_mat, u: arb_mat, rank: int, tolerable: arb) -> arb:
    """Return a lower bound on <G, R> over all 0 <= R <= I with R u = 0 and tr R = rank (section 6).

    A :class:`~pcsos.verify.proposal.Proposal` names integers for a shift t, signs S and a factor F. Whatever they are,
    they prove t r - sum of ||f_i||^2 over the negative signs - sqrt(r) ||E||, where E = B - t I - F' S F is formed in
    balls.
    """
    largest = max(x.abs_upper() for x in g.entries())
    if rank == 0 or largest == 0:
        return arb(0)
    mantissa, exponent = largest.man_exp()
    scale = arb(2) ** (int(exponent) + int(mantissa).bit_length())  # what is proposed neither over- nor underflows
    g = g / scale
    product, s = g * u, g.nrows()
    w = u * (((u.transpose() * product)[0, 0] + s) / 2) - product
    side = arb_mat(s, 1, [x.mid() for x in w.entries()]) * u.transpose()
    b = g + side + side.transpose()
    proposal = Proposal(b, rank)
    shift = arb(proposal.shift) / arb(2) ** SHIFT_BITS
    diagonal: list[Any] = [0] * (s * s)
    diagonal[:: s + 1] = [shift] * s
    shifted = b - arb_mat(s, s, diagonal)
    while True:
        unit = 1 / arb(2) ** (2 * proposal.bits)
        above, below = (fmpz_mat(rows) if rows else fmpz_mat(1, s) for rows in proposal.rows())
        form = above.transpose() * above - below.transpose() * below
        residual = shifted - arb_mat(form) * unit
        # Squares of balls about 0 reach below 0, where there are no roots: the upper end is what counts.
        loss = (rank * sum((x * x for x in residual.entries()), arb(0)).abs_upper()).sqrt()
        if loss * scale <= tolerable or proposal.bits > STEP_BITS:
            break
        proposal.improve(residual)
    paid = sum(int(f * f) for f in below.entries())
    return (shift * rank - paid * unit - loss) * scale
