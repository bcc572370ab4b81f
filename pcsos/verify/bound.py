"""The lower bound of a state from any multipliers, in ball arithmetic (docs/certificate.md, sections 5 and 6)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpz_mat
from numpy.typing import NDArray

from pcsos.verify.reader import Integers, Multipliers, require
from pcsos.verify.state import State

#: What the spectral part may lose before it is evaluated more closely, relative to the sum of squares.
TOLERABLE_LOSS = 2.0**-44

Groups = Sequence[Sequence[int]]


class Data:
    """Points and weights as balls, and the weights as integers in units of 1 / ``unit``.

    Neither the cost of a partition nor the bound of a state depends on the centre; one near the mean keeps the balls
    small. ``total`` is the cost of all points about it, ``moments`` are w_p (p - centre).
    """

    def __init__(self, points: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        ratios = [w.as_integer_ratio() for w in weights.tolist()]
        self.unit = max(denominator for _, denominator in ratios)
        self.weights = [numerator * (self.unit // denominator) for numerator, denominator in ratios]
        self.points = [[arb(x) for x in row] for row in points.tolist()]
        centre = [arb(c) for c in points.mean(axis=0).tolist()]
        rows = [[x - c for x, c in zip(row, centre, strict=True)] for row in self.points]
        self.moments = [[self.ball(w) * x for x in row] for w, row in zip(self.weights, rows, strict=True)]
        self.total: arb = sum((_dot(a, b) for a, b in zip(self.moments, rows, strict=True)), arb(0))
        self.gram = _gram(self.moments) if points.shape[1] > points.shape[0] else None

    def ball(self, weight: int) -> arb:
        """Return a weight in the units of the instance."""
        return arb(weight) / self.unit

    def products(self, groups: Groups) -> list[list[arb]]:
        """Return the inner products of the groups' moments."""
        if self.gram is None:
            return _gram([_sum_rows(self.moments, group) for group in groups])
        sums = [_sum_rows(self.gram, group) for group in groups]
        return [[sum((row[p] for p in group), arb(0)) for group in groups] for row in sums]

    def cost(self, groups: Groups) -> arb:
        """Return the cost of the partition into these groups; exactly 0 if their points do not differ."""
        cost = arb(0)
        for group in groups:
            origin = self.points[group[0]]
            moments = [[arb(0)] * len(origin)]
            for p in group[1:]:
                difference = [x - y for x, y in zip(self.points[p], origin, strict=True)]
                moments.append([self.ball(self.weights[p]) * x for x in difference])
                cost += _dot(moments[-1], difference)
            moment = _sum_rows(moments, range(len(moments)))
            cost -= _dot(moment, moment) / self.ball(sum(self.weights[p] for p in group))
        return cost


def _dot(a: list[arb], b: list[arb]) -> arb:
    return sum((x * y for x, y in zip(a, b, strict=True)), arb(0))


def _gram(rows: list[list[arb]]) -> list[list[arb]]:
    matrix = arb_mat(rows)
    return list((matrix * matrix.transpose()).tolist())


def _sum_rows(rows: list[list[arb]], group: Sequence[int]) -> list[arb]:
    return [sum(column, arb(0)) for column in zip(*(rows[p] for p in group), strict=True)]


class Bound:
    """What multipliers prove in a state: every partition of it costs at least ``value`` (section 5)."""

    def __init__(self, data: Data, state: State, multipliers: Multipliers, k: int) -> None:
        groups = state.groups()
        s, size = len(groups), len(multipliers.box)
        require(s == size, f"multipliers for {size} super-points, where there are {s}")
        require(s >= k and not state.broken, "multipliers where there is no partition at all")
        self.multipliers, self.index = multipliers, {p: i for i, group in enumerate(groups) for p in group}
        self.enemies = [{self.index[e] for e in state.enemies[group[0]]} for group in groups]
        exact = [sum(data.weights[p] for p in group) for group in groups]
        largest = largest_clusters(exact, self.enemies, k)
        self.weight, self.largest = [data.ball(e) for e in exact], [data.ball(m) for m in largest]
        self.root = [e.sqrt() for e in self.weight]
        u = arb_mat(s, 1, [(e / data.ball(sum(exact))).sqrt() for e in self.weight])
        coefficients, clique_weight = cut_matrix(multipliers, s, k)
        g = self._matrix(data.products(groups), coefficients)
        right = clique_weight * multipliers.cut_unit / data.ball(max(largest))
        along = (u.transpose() * g * u)[0, 0]
        spectral = spectral_minimum(g, u, k - 1, data.total * TOLERABLE_LOSS)
        self.value: arb = data.total + right + self._box_terms() + along + spectral

    def _matrix(self, products: list[list[arb]], coefficients: Integers) -> arb_mat:
        """Return G = -C - N - sum mu_t A_t, given the inner products and 2 sum mu_t A_t on Z."""
        s, half = len(self.root), self.multipliers.cut_unit / 2
        inverse = [1 / r for r in self.root]
        scaled: list[list[Any]] = [[0] * s for _ in range(s)]
        for i, row in enumerate(coefficients.tolist()):
            for j in range(i, s):
                entry = products[i][j] + row[j] * half if row[j] else products[i][j]
                scaled[i][j] = scaled[j][i] = -(entry * inverse[i] * inverse[j])
        box = arb_mat(fmpz_mat(s, s, self.multipliers.box.ravel().tolist()))
        return arb_mat(scaled) - box * self.multipliers.box_unit

    def _box_terms(self) -> arb:
        """Return the least value of <N, X> over the box lo <= X <= hi."""
        total, box = arb(0), self.multipliers.box
        for i, n in enumerate(box.diagonal().tolist()):
            total += n * self.weight[i] / self.largest[i] if n > 0 else n
        for i, j in np.argwhere(np.triu(box < 0, 1)).tolist():
            total += 2 * int(box[i, j]) * self._highest(i, j)
        return total * self.multipliers.box_unit

    def _highest(self, i: int, j: int) -> arb:
        """Return hi_ij for i != j."""
        joint = self.weight[i] + self.weight[j]
        return arb(0) if j in self.enemies[i] else self.root[i] * self.root[j] / joint

    def with_pair(self, kind: str, p: int, q: int) -> arb:
        """Return a bound on the partitions of the state with p and q together (``ML``) or apart (``CL``)."""
        i, j = self.index[p], self.index[q]
        require(i != j, f"points {p} and {q} are fixed, but are linked already")
        n, unit = int(self.multipliers.box[i, j]), self.multipliers.box_unit
        if kind == "ML":
            least = self.root[i] * self.root[j] / self.largest[i].min(self.largest[j])
            return self.value + 2 * max(n, 0) * unit * least
        gain = 2 * max(-n, 0) * unit * self._highest(i, j)
        for centre, members, weights in self.multipliers.cuts:
            for c, other in ((i, j), (j, i)) if members.shape[1] == 1 else ():
                units = sum(weights[(centre == c) & (members[:, 0] == other)].tolist())
                gain += units * self.multipliers.cut_unit / self.largest[c]
        return self.value + gain


def largest_clusters(weights: Sequence[int], enemies: Sequence[set[int]], k: int) -> list[int]:
    """Return M_i: a cluster with i weighs no more, as outside lie its enemies and at least k - 1 super-points."""
    order = sorted(range(len(weights)), key=weights.__getitem__)
    result = []
    for i, hostile in enumerate(enemies):
        others = [j for j in order[: k + len(hostile)] if j != i and j not in hostile]
        outside = [*hostile, *others[: max(0, k - 1 - len(hostile))]]
        result.append(sum(weights) - sum(weights[j] for j in outside))
    return result


def cut_matrix(multipliers: Multipliers, s: int, k: int) -> tuple[Integers, int]:
    """Return 2 sum mu_t A_t on Z, and the sum of mu_t over the cliques, exactly, after checking the cuts."""
    matrix, cliques = np.zeros((s, s), np.int64), 0
    for centre, members, weights in multipliers.cuts:
        size, ordered, star = members.shape[1], np.sort(members, axis=1), centre >= 0
        known = (centre >= -1) & (centre < s) & (ordered[:, 0] >= 0) & (ordered[:, -1] < s)
        require(known.all(), "a cut names a super-point that does not exist")
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

    Nothing that NumPy computes is trusted: it only proposes a shift t, signs S = diag(+-1) and a factor F, and
    :func:`_certify` proves what they are worth. F is corrected once if more than ``tolerable`` may be lost.
    """
    if rank == 0:
        return arb(0)
    mantissa, exponent = max(x.abs_upper() for x in g.entries()).man_exp()
    scale = arb(2) ** (int(exponent) + int(mantissa).bit_length())  # floats neither overflow nor underflow
    g = g / scale
    product = g * u
    w = u * (((u.transpose() * product)[0, 0] + g.nrows()) / 2) - product
    side = arb_mat(w.nrows(), 1, [x.mid() for x in w.entries()]) * u.transpose()
    b = g + side + side.transpose()
    values, vectors = np.linalg.eigh(_floats(b))
    shift = float(values[rank - 1] + values[rank]) / 2
    signs = np.where(values < shift, -1, 1)
    sizes = np.maximum(np.abs(values - shift), 1e-12)
    factor = _integers(np.sqrt(sizes)[:, None] * vectors.T, 60)
    value, loss, residual = _certify(b, shift, factor, 60, signs, rank)
    if not loss * scale <= tolerable:
        correction = (signs / np.sqrt(sizes) / 2)[:, None] * (vectors.T @ _floats(residual))
        factor = factor * 2**60 + _integers(correction, 120)
        value, loss, _ = _certify(b, shift, factor, 120, signs, rank)
    return (value - loss) * scale


def _certify(
    b: arb_mat, shift: float, factor: NDArray[Any], bits: int, signs: NDArray[Any], rank: int
) -> tuple[arb, arb, arb_mat]:
    """Return t r - sum of ||f_i||^2 over the negative signs, sqrt(r) ||E||, and E = B - t I - F' S F.

    The rows f_i of F are the integers of ``factor`` in units of 2^-bits; F' S F is formed exactly.
    """
    s, square = b.nrows(), arb(2) ** (-2 * bits)
    left = fmpz_mat(s, s, (factor * signs[:, None]).ravel().tolist())
    form = arb_mat(left.transpose() * fmpz_mat(s, s, factor.ravel().tolist()))
    residual = b - arb_mat(s, s, (shift * np.eye(s)).ravel().tolist()) - form * square
    norm = sum((x * x for x in residual.entries()), arb(0)).sqrt()
    paid = sum(f * f for row in factor[signs < 0].tolist() for f in row) * square
    return arb(shift) * rank - paid, arb(rank).sqrt() * norm, residual


def _integers(values: NDArray[np.float64], bits: int) -> NDArray[Any]:
    """Return the values in units of 2^-bits; how they are rounded does not matter."""
    require(np.isfinite(values).all(), "the multipliers are too large")
    return np.array([int(x) for x in np.ldexp(values, bits).ravel().tolist()], object).reshape(values.shape)


def _floats(matrix: arb_mat) -> NDArray[np.float64]:
    return np.array([float(x) for x in matrix.entries()]).reshape(matrix.nrows(), matrix.ncols())
