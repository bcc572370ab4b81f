"""Master: the change of prices that the known clusters allow, by an interior-point method.

Prices change by a rate for each cell, times weight. With the profit t, a cluster S that would still earn ``t`` at most
allows ``sum of a_g w_g(S) - t <= c_S - p(S)``; wanted is the most of ``sum a_g w_g - k t``, less a charge for going
far: ``rho / 2 sum i_g a_g^2`` (a proximal bundle method; Lemarechal, Nemirovskii and Nesterov 1995).

One factorisation a step, for cells or for clusters: those that share nothing keep far from each other in a band.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.linalg import LinAlgError
from scipy.sparse import csr_array

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.numerics.banded import Band, Factor
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.clusters import Clusters
from pcsos.bounds.prices.terms import Terms, gathered

STEPS = 50
#: Share of the way to the boundary that a step goes.
NEARLY = 0.99
#: Clusters for each cell below which their equations are tried.
FEWER = 0.9
#: What may be left there of a right side, and how often it is solved for at most.
LEAST_EXACT, PASSES = 1e-6, 2
#: Added to the diagonal, relative to its greatest entry.
RIDGE = 1e-13


Solve = Callable[[Floats, float], tuple[Floats, float]]


@dataclass(frozen=True, eq=False)
class Rows:
    """Clusters as weights of cells, by rows."""

    #: cells of row j, increasing, and the weights in them: from ``ends[j]`` to ``ends[j + 1]``
    ends: Indices
    cell: Indices
    weight: Floats
    slack: Floats  #: shape (m,): cost less prices of each
    #: shape (g,): weights of all cells, and how slow they are to move: the less, the more they pay for their weight
    cell_weights: Floats
    inertia: Floats

    @classmethod
    def of(cls, clusters: Clusters, prices: Floats, terms: "Terms") -> "Rows":
        """Return the rows of a pool at these prices."""
        sizes = np.cumsum([0, *map(len, clusters.stretches)])
        stretches = np.concatenate(clusters.stretches)
        paid_until = np.concatenate([[0.0], np.cumsum(prices)])
        shares = clusters.shares
        paid = np.add.reduceat(shares * (paid_until[stretches[:, 1]] - paid_until[stretches[:, 0]]), sizes[:-1])
        ends, term, weight = gathered(
            sizes, stretches, shares, terms.until, terms.ends, terms.mean, terms.unit, terms.number
        )
        own_paid = np.add.reduceat(np.maximum(prices, 0.0), terms.ends[:-1]) / terms.weights[terms.number[:, 0]]
        usual = np.maximum(prices, 0.0).sum() / terms.until[-1, 0] + np.finfo(float).tiny  # with tolls nobody may pay
        slow = np.minimum(usual / np.maximum(own_paid, np.finfo(float).tiny), 1.0) ** 2
        inertia = terms.inertia * slow[terms.cell]
        return cls(ends, term, weight, np.array(clusters.costs) - paid, terms.weights, inertia)

    def matrix(self) -> csr_array:
        """Return them as a matrix."""
        return csr_array((self.weight, self.cell, self.ends), (self.slack.size, self.cell_weights.size))

    def sums(self, rates: Floats) -> Floats:
        """Return what the prices of each cluster change by."""
        return _sums(self.ends, self.cell, self.weight, rates)

    def spread(self, shares: Floats) -> Floats:
        """Return the weight of each cell in so much of each cluster."""
        return _spread(self.ends, self.cell, self.weight, shares, self.cell_weights.size)


@dataclass(frozen=True, eq=False)
class Change:
    """What the master proposes."""

    rates: Floats  #: shape (g,): by how much prices change for each unit of weight
    profit: float  #: the most that a known cluster then earns
    #: what the bound would gain if no other cluster earned more, relative to all prices as they are, at no profit
    gain: float
    charged: float  #: what going so far is charged
    shares: Floats  #: shape (m,): how much of each cluster a fractional partition takes


def best_change(rows: Rows, k: int, charge: float, tolerance: float, stop: Stop = NEVER) -> Change:
    """Return the best change, to ``tolerance``, by predictor and corrector steps (Mehrotra 1992).

    Parameters
    ----------
    rows : Rows
        The clusters.
    k : int
        Number of clusters of a partition.
    charge : float
        The charge rho.
    tolerance : float
        By how much the gain may be missed.
    stop : Stop
        Whether to end with any change, asked before every step.
    """
    num_clusters, b, inertia = rows.slack.size, rows.cell_weights, rows.inertia
    scale = np.abs(rows.slack).max() + np.finfo(float).tiny
    slack, rho = rows.slack / scale, charge * scale
    rates, profit = np.zeros(b.size), max(0.0, -slack.min()) + 0.1
    gap = np.maximum(slack + profit, 0.01)
    shares = np.full(num_clusters, k / num_clusters)
    system = _system(rows, rho)
    for _ in range(STEPS):
        if stop.asked():
            break
        primal = slack - rows.sums(rates) + profit - gap
        dual = b - rows.spread(shares) - rho * inertia * rates
        count = shares.sum() - k
        centre = shares @ gap / num_clusters
        if np.abs(primal).max() < 1e-9 and np.abs(dual).max() < 1e-6 * b.max() and shares @ gap * scale < tolerance:
            break
        ratio = shares / gap
        solve = system.factored(ratio)

        def direction(
            complement: Floats,
            gap: Floats = gap, shares: Floats = shares, primal: Floats = primal, dual: Floats = dual,
            count: float = count, ratio: Floats = ratio, solve: Solve = solve,
        ) -> tuple[Floats, float, Floats, Floats]:  # fmt: skip
            fixed = (complement - shares * primal) / gap
            turn, rise = solve(dual - rows.spread(fixed), float(count + fixed.sum()))
            moved = rows.sums(turn) - rise
            return turn, rise, fixed + ratio * moved, primal - moved

        _, _, own, other = direction(-shares * gap)
        step = min(_room(shares, own), _room(gap, other))
        ahead = (shares + step * own) @ (gap + step * other) / num_clusters
        aim = min(1.0, (ahead / centre) ** 3) * centre
        turn, rise, own, other = direction(aim - shares * gap - own * other)
        step = min(1.0, NEARLY * min(_room(shares, own), _room(gap, other)))
        rates, profit = rates + step * turn, profit + step * rise
        shares, gap = shares + step * own, gap + step * other
    gain, charged = float(b @ rates - k * profit), 0.5 * rho * float(inertia @ (rates * rates))
    return Change(rates * scale, profit * scale, gain * scale, charged * scale, shares)


class _Squares:
    """Weighted squares of the rows of a matrix, added up in a band of its columns."""

    def __init__(self, matrix: csr_array) -> None:
        self.ends, self.band = matrix.indptr.astype(np.intp), Band.of(matrix)
        place = self.band.place[matrix.indices]
        order = np.lexsort((place, np.repeat(np.arange(matrix.shape[0]), np.diff(self.ends))))
        self.place, self.weight = place[order], matrix.data[order]

    def sum(self, weights: Floats) -> Floats:
        """Return the lower triangle with these weights of the rows, whose row j begins on the diagonal."""
        lower = np.zeros((self.band.order.size, self.band.width + 1))
        _weigh(self.ends, self.place, self.weight, weights, lower)
        return lower


class _OfCells:
    """The equations of a step: ``R + A D A'`` for rates, with A the rows, and a border of -1 for the profit."""

    def __init__(self, rows: Rows, rho: float, squares: _Squares) -> None:
        self.rows, self.charges, self.squares = rows, rho * rows.inertia, squares

    def factored(self, ratio: Floats) -> Solve:
        """Return what solves them with these D."""
        lower, band = self.squares.sum(ratio), self.squares.band
        lower[:, 0] += self.charges[band.order] + RIDGE * lower[:, 0].max()
        factor, border = Factor(band, lower), -self.rows.spread(ratio)
        turned, pivot = factor.solve(border), ratio.sum() - factor.inverse_square(border)
        if not pivot > 0.0:
            raise LinAlgError("not positive definite")

        def solve(right: Floats, count: float) -> tuple[Floats, float]:
            solved = factor.solve(right)
            rise = (count - float(border @ solved)) / pivot
            return solved - rise * turned, rise

        return solve


class _OfClusters:
    """The same for shares: ``1 / D + A' A / R``, of which only the diagonal changes, where that is less work.

    Where R is too small for that, or clusters depend on one another, rounding takes over; then cells are solved for.
    """

    def __init__(self, cells: _OfCells, squares: _Squares) -> None:
        self.rows, self.charges, self.cells, self.band = cells.rows, cells.charges, cells, squares.band
        self.products, self.is_exact = squares.sum(1.0 / self.charges), True

    @np.errstate(over="ignore", invalid="ignore")
    def factored(self, ratio: Floats) -> Solve:
        """Return what solves them with these D; what rounding leaves is solved for again."""
        rows, lower = self.rows, self.products.copy()
        lower[:, 0] += 1.0 / ratio[self.band.order]
        try:
            factor = Factor(self.band, lower)
        except LinAlgError:
            self.is_exact = False
        if not self.is_exact:
            return self.cells.factored(ratio)
        ones = factor.solve(np.ones(ratio.size))
        of_ones, total = rows.spread(ones), ones.sum()

        def once(right: Floats, count: float) -> tuple[Floats, float]:
            scaled = right / self.charges
            fixed = factor.solve(rows.sums(scaled))
            rise = float((fixed.sum() + count) / total)
            return scaled - (rows.spread(fixed) - rise * of_ones) / self.charges, rise

        @np.errstate(over="ignore", invalid="ignore")
        def solve(right: Floats, count: float) -> tuple[Floats, float]:
            turn, rise, left, lacking = np.zeros(right.size), 0.0, right, count
            for _ in range(PASSES):
                more, further = once(left, lacking)
                turn, rise = turn + more, rise + further
                own = ratio * (rows.sums(turn) - rise)
                left, lacking = right - self.charges * turn - rows.spread(own), count + float(own.sum())
                if np.abs(left).max() <= LEAST_EXACT * np.abs(right).max():
                    return turn, rise
            self.is_exact = False
            return self.cells.factored(ratio)(right, count)

        return solve


def _system(rows: Rows, rho: float) -> _OfCells | _OfClusters:
    """Return the equations that take less work."""
    matrix = rows.matrix()
    cells = _OfCells(rows, rho, _Squares(matrix))
    if rows.slack.size >= FEWER * rows.cell_weights.size:
        return cells
    squares = _Squares(csr_array(matrix.T))
    return _OfClusters(cells, squares) if squares.band.work < cells.squares.band.work else cells


def _room(value: Floats, change: Floats) -> float:
    """Return how much of a change leaves everything positive, 1 at most."""
    falling = change < 0.0
    return min(1.0, float((-value[falling] / change[falling]).min())) if falling.any() else 1.0


@kernel
def _sums(ends: Indices, cell: Indices, weight: Floats, rates: Floats) -> Floats:
    """Return the sums of the rows times the rates."""
    result = np.empty(ends.size - 1)
    for j in range(result.size):
        total = 0.0
        for at in range(ends[j], ends[j + 1]):
            total += weight[at] * rates[cell[at]]
        result[j] = total
    return result


@kernel
def _spread(ends: Indices, cell: Indices, weight: Floats, shares: Floats, num_cells: int) -> Floats:
    """Return the sum of the rows times their shares."""
    result = np.zeros(num_cells)
    for j in range(shares.size):
        for at in range(ends[j], ends[j + 1]):
            result[cell[at]] += weight[at] * shares[j]
    return result


@kernel
def _weigh(ends: Indices, cell: Indices, weight: Floats, ratio: Floats, lower: Floats) -> None:
    """Add the squares of the rows times their ratios to a lower triangle, whose row j begins on the diagonal."""
    for j in range(ratio.size):
        for at in range(ends[j], ends[j + 1]):
            first, value = cell[at], ratio[j] * weight[at]
            for other in range(at, ends[j + 1]):
                lower[first, cell[other] - first] += value * weight[other]
