"""The lower bound of a state from any multipliers, in ball arithmetic (docs/certificate.md, sections 5 and 6)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz_mat
from numpy.typing import NDArray

from pcsos.verify.reader import Cuts, read_multipliers, require
from pcsos.verify.state import State


class Data:
    """Points and weights, exactly, and as balls the moments w_p (p - centre) and the cost ``total`` about the centre.

    No cost and no bound depends on the centre.
    """

    def __init__(self, points: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        self.weights = [fmpq(*w.as_integer_ratio()) for w in weights.tolist()]
        self.points = [[fmpq(*x.as_integer_ratio()) for x in row] for row in points.tolist()]
        centre = [fmpq(*c.as_integer_ratio()) for c in np.average(points, 0, weights).tolist()]
        rows = [[arb(x - c) for x, c in zip(row, centre, strict=True)] for row in self.points]
        self.moments = [[x * w for x in row] for row, w in zip(rows, self.weights, strict=True)]
        self.total: arb = sum((w * x * x for row, w in zip(rows, self.weights, strict=True) for x in row), arb(0))
        self.tolerable = self.total * len(rows) / 2**50  # what may be lost in a bound before it is evaluated again

    def products(self, groups: Sequence[Sequence[int]]) -> list[list[arb]]:
        """Return the inner products of the groups' summed moments."""
        columns = (zip(*(self.moments[p] for p in group), strict=True) for group in groups)
        matrix = arb_mat([[sum(column, arb(0)) for column in group] for group in columns])
        return list((matrix * matrix.transpose()).tolist())

    def cost(self, groups: Sequence[Sequence[int]]) -> fmpq:
        """Return the cost of the partition into these groups."""
        cost = fmpq(0)
        for group in groups:
            weights = [self.weights[p] for p in group]
            for column in zip(*(self.points[p] for p in group), strict=True):
                products = [w * x for w, x in zip(weights, column, strict=True)]
                cost += sum(a * x for a, x in zip(products, column, strict=True)) - sum(products) ** 2 / sum(weights)
        return cost


class Bound:
    """What multipliers prove in a state: every partition of it costs at least ``value`` (section 5)."""

    def __init__(self, data: Data, state: State, blob: object, k: int) -> None:
        self.box, self.box_unit, self.cuts, self.cut_unit = read_multipliers(blob)
        groups = state.groups()
        s, size = len(groups), len(self.box)
        require(s == size >= k and not state.broken, f"multipliers for {size} super-points, where there are {s}")
        self.index = {p: i for i, group in enumerate(groups) for p in group}
        self.enemies = [{self.index[e] for e in state.enemies[group[0]]} for group in groups]
        exact = [sum((data.weights[p] for p in group), fmpq(0)) for group in groups]
        self.largest = largest_clusters(exact, self.enemies, k)
        self.weight = [arb(e) for e in exact]
        self.root = [e.sqrt() for e in self.weight]
        u = arb_mat(s, 1, [arb(e / sum(exact)).sqrt() for e in exact])
        coefficients, clique_weight = cut_matrix(self.cuts, s, k)
        g = self._matrix(data.products(groups), coefficients)
        right = clique_weight * self.cut_unit / max(self.largest)
        spectral = (u.transpose() * g * u)[0, 0] + spectral_minimum(g, u, k - 1, data.tolerable)
        self.value: arb = data.total + right + self._box_terms() + spectral

    def _matrix(self, products: list[list[arb]], coefficients: NDArray[np.int64]) -> arb_mat:
        """Return G = -C - N - sum mu_t A_t, given the inner products and 2 sum mu_t A_t on Z."""
        s, half = len(self.root), self.cut_unit / 2
        inverse = [1 / r for r in self.root]
        scaled: list[list[Any]] = [[0] * s for _ in range(s)]
        for i, row in enumerate(coefficients.tolist()):
            for j in range(i, s):
                entry = products[i][j] + row[j] * half if row[j] else products[i][j]
                scaled[i][j] = scaled[j][i] = -(entry * inverse[i] * inverse[j])
        box = arb_mat(fmpz_mat(s, s, self.box.ravel().tolist()))
        return arb_mat(scaled) - box * self.box_unit

    def _box_terms(self) -> arb:
        """Return the least value of <N, X> over the box lo <= X <= hi."""
        total = arb(0)
        for i, n in enumerate(self.box.diagonal().tolist()):
            total += n * self.weight[i] / self.largest[i] if n > 0 else n
        for i, j in np.argwhere(np.triu(self.box < 0, 1)).tolist():
            total += 2 * int(self.box[i, j]) * self._highest(i, j)
        return total * self.box_unit

    def _highest(self, i: int, j: int) -> arb:
        """Return hi_ij for i != j."""
        return arb(0) if j in self.enemies[i] else self.root[i] * self.root[j] / (self.weight[i] + self.weight[j])

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


def largest_clusters(weights: Sequence[fmpq], enemies: Sequence[set[int]], k: int) -> list[fmpq]:
    """Return M_i: a cluster with i weighs no more, as outside lie its enemies and at least k - 1 super-points."""
    order, everything = sorted(range(len(weights)), key=weights.__getitem__), sum(weights)
    result = []
    for i, hostile in enumerate(enemies):
        others = [j for j in order[: k + len(hostile)] if j != i and j not in hostile]
        outside = [*hostile, *others[: max(0, k - 1 - len(hostile))]]
        result.append(everything - sum((weights[j] for j in outside), fmpq(0)))
    return result


def cut_matrix(cuts: list[Cuts], s: int, k: int) -> tuple[NDArray[np.int64], int]:
    """Return 2 sum mu_t A_t on Z, and the sum of mu_t over the cliques, exactly, after checking the cuts."""
    matrix, cliques = np.zeros((s, s), np.int64), 0
    for centre, members, weights in cuts:
        size, ordered, star = members.shape[1], np.sort(members, axis=1), centre >= 0
        inside = (centre >= -1) & (centre < s) & (ordered[:, 0] >= 0) & (ordered[:, -1] < s)
        require(inside.all(), "a cut names a super-point that does not exist")
        twice = (ordered[:, 1:] == ordered[:, :-1]).any() or (members == centre[:, None]).any()
        require(not twice, "a cut names the same super-point twice")
        require(size == k + 1 or star.all(), f"a clique cut has {size} members instead of k + 1 = {k + 1}")
        cliques += sum(weights[~star].tolist())
        np.add.at(matrix, (centre[star], centre[star]), weights[star])
        for a in range(size):
            np.add.at(matrix, (centre[star], members[star, a]), -weights[star])
            for b in range(a):
                np.add.at(matrix, (members[:, b], members[:, a]), weights)
    return matrix + matrix.T, cliques


def spectral_minimum(g: arb_mat, u: arb_mat, rank: int, tolerable: arb) -> arb:
    """Return a lower bound on <G, R> over all 0 <= R <= I with R u = 0 and tr R = rank (section 6).

    NumPy only proposes a shift t, signs S = diag(+-1) and a factor F. Whatever they are, they prove t r - sum of
    ||f_i||^2 over the negative signs - sqrt(r) ||E||, where E = B - t I - F' S F is formed in balls.
    """
    if rank == 0:
        return arb(0)
    mantissa, exponent = max(x.abs_upper() for x in g.entries()).man_exp()
    scale = arb(2) ** (int(exponent) + int(mantissa).bit_length())  # floats neither overflow nor underflow
    g = g / scale
    product, s = g * u, g.nrows()
    w = u * (((u.transpose() * product)[0, 0] + s) / 2) - product
    side = arb_mat(s, 1, [x.mid() for x in w.entries()]) * u.transpose()
    b = g + side + side.transpose()
    values, vectors = np.linalg.eigh(np.array(b.entries(), float).reshape(s, s))
    shift = float(values[rank - 1] + values[rank]) / 2
    signs, sizes = np.where(values < shift, -1, 1), np.abs(values - shift)
    change, factor = np.sqrt(sizes)[:, None] * vectors.T, np.zeros((s, s), object)
    for bits in (60, 120):  # of F, whose rows are integers in units of 2^-bits
        scaled = np.ldexp(change, bits).ravel().tolist()
        factor = factor * 2**60 + np.array([int(x) for x in scaled], object).reshape(s, s)
        left, unit = fmpz_mat(s, s, (factor * signs[:, None]).ravel().tolist()), arb(2) ** (-2 * bits)
        form = arb_mat(left.transpose() * fmpz_mat(s, s, factor.ravel().tolist()))
        residual = b - arb_mat(s, s, (shift * np.eye(s)).ravel().tolist()) - form * unit
        loss = arb(rank).sqrt() * sum((x * x for x in residual.entries()), arb(0)).sqrt()
        paid = sum(f * f for row in factor[signs < 0].tolist() for f in row) * unit
        if loss * scale <= tolerable:
            break
        change = signs[:, None] * vectors.T @ np.array(residual.entries(), float).reshape(s, s)
        change /= 2 * np.sqrt(np.maximum(sizes, 1e-12))[:, None]
    return arb((shift * rank - paid - loss) * scale)
