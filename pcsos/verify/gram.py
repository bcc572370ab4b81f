"""Gram matrices: costs from inner products, and what a factor of them can be wrong by (docs/certificate.md, 14)."""

from collections.abc import Iterator

from flint import arb, arb_mat, fmpq

from pcsos.verify.data import Data, Fraction, Groups, sum_of
from pcsos.verify.doubles import Doubles, read_doubles
from pcsos.verify.effort import OF_A_NUMBER, spend
from pcsos.verify.reader import require
from pcsos.verify.reading.memory import Memory
from pcsos.verify.spectral import panels


class Gram:
    """A matrix of inner products, exactly."""

    def __init__(self, data: object, n: int, memory: Memory) -> None:
        self.inner = read_doubles(data, "the Gram matrix", memory, ndim=2, size=n * n)
        memory.keep(8 * n * n, "the Gram matrix")
        self.image = self.inner.image()
        require(len(self.inner) == n, f"the Gram matrix: {len(self.inner)} rows for {n} points")
        require(self.inner.is_symmetric(), "the Gram matrix: not symmetric")

    def cost(self, weights: Doubles, groups: Groups) -> fmpq:
        """Return the cost of the partition into these groups."""
        return sum_of(self._costs(weights, groups)) * weights.unit * self.inner.unit

    def _costs(self, weights: Doubles, groups: Groups) -> Iterator[Fraction]:
        for group in groups:
            masses = weights.integers(list(group))
            between = within = 0
            for at, (p, mass) in enumerate(zip(group, masses, strict=True)):
                row = self.inner.integers((p, list(group)))
                between += mass * sum(other * x for other, x in zip(masses, row, strict=True))
                within += mass * row[at]
            yield within * sum(masses) - between, sum(masses)

    def error(self, data: Data, k: int) -> arb:
        """Return at least what the cost of a partition into k clusters differs by from that of the points.

        With residuals ``R = K - X X' - a 1' - 1 a'`` it is ``sqrt((n - k) sum_ij w_i w_j R_ij^2)``, whatever a is.
        """
        total, n = arb(0), len(self.inner)
        masses = [data.weights.balls(p) for p in range(n)]
        for rows, columns, block in self._residuals(data, masses):
            width, entries = block.ncols(), block.entries()
            for at, mass in enumerate(masses[rows]):
                row = entries[at * width : (at + 1) * width]
                squares = sum((w * x * x for w, x in zip(masses[columns], row, strict=True)), arb(0))
                total += (1 if rows == columns else 2) * mass * squares
        return (total.abs_upper() * (n - k)).sqrt().upper()

    def _residuals(self, data: Data, masses: list[arb]) -> Iterator[tuple[slice, slice, arb_mat]]:
        """Yield the blocks of R on the diagonal and above; a makes the weighted sums of its rows vanish."""
        parts, d = panels(len(masses)), data.points.shape[1]
        every, weight = slice(0, d), sum(masses, arb(0))
        heavy = {own.start: arb_mat(own.stop - own.start, 1, masses[own]) for own in parts}
        moment = arb_mat(d, 1)
        for own in parts:
            moment += data.points.block(own, every).transpose() * heavy[own.start]
        means: list[arb] = []
        for rows in parts:
            product = arb_mat(rows.stop - rows.start, 1)
            for columns in parts:
                product += self.inner.block(rows, columns) * heavy[columns.start]
            means += ((product - data.points.block(rows, every) * moment) * (1 / weight)).entries()
        middle = sum((w * mean for w, mean in zip(masses, means, strict=True)), arb(0)) / weight / 2
        shift = [(mean - middle).mid() for mean in means]
        for number, rows in enumerate(parts):
            left = data.points.block(rows, every)
            for columns in parts[number:]:
                spend(OF_A_NUMBER * len(shift[rows]) * len(shift[columns]) * (2 + d // 40))
                moved = arb_mat([[a + b for b in shift[columns]] for a in shift[rows]])
                inner = left * data.points.block(columns, every).transpose()
                yield rows, columns, self.inner.block(rows, columns) - inner - moved
