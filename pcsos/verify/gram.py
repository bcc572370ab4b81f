"""Gram matrices: costs from inner products, and what a factor of them can be wrong by (docs/certificate.md, 14)."""

from collections.abc import Iterator, Sequence

from flint import arb, arb_mat, fmpq

from pcsos.reading.arrays import doubles
from pcsos.reading.memory import Memory
from pcsos.verify.bound import Data, Groups
from pcsos.verify.exact import exact_rows, image
from pcsos.verify.reader import require

#: Rows that are looked at together.
ROWS = 64


class Gram:
    """A matrix of inner products, exactly."""

    def __init__(self, data: object, n: int, memory: Memory) -> None:
        values = doubles(data, "the Gram matrix", memory, ndim=2, size=n * n)
        self.rows: list[list[fmpq]] = exact_rows(values)
        self.image = image(values)
        require(len(self.rows) == n, f"the Gram matrix: {len(self.rows)} rows for {n} points")
        both = all(row[j] == self.rows[j][i] for i, row in enumerate(self.rows) for j in range(i))
        require(both, "the Gram matrix: not symmetric")

    def cost(self, weights: Sequence[fmpq], groups: Groups) -> fmpq:
        """Return the cost of the partition into these groups."""
        cost = fmpq(0)
        for group in groups:
            own = [(p, weights[p]) for p in group]
            cost += sum((w * self.rows[p][p] for p, w in own), fmpq(0))
            between = sum((w * sum((v * self.rows[p][q] for q, v in own), fmpq(0)) for p, w in own), fmpq(0))
            cost -= between / sum((w for _, w in own), fmpq(0))
        return cost

    def error(self, data: Data, k: int) -> arb:
        """Return at least what the cost of a partition into k clusters differs by from that of the points.

        With residuals ``R = K - X X' - a 1' - 1 a'`` it is ``sqrt((n - k) sum_ij w_i w_j R_ij^2)``, whatever a is.
        """
        total = arb(0)
        for i, row in enumerate(self._residuals(data)):
            total += data.masses[i] * sum((w * x * x for w, x in zip(data.masses, row, strict=True)), arb(0))
        return (total.abs_upper() * (len(self.rows) - k)).sqrt().upper()

    def _residuals(self, data: Data) -> Iterator[list[arb]]:
        """Yield R row by row; a makes its weighted sums vanish."""
        n, weight = len(self.rows), sum(data.masses, arb(0))
        rows, inner = data.balls, [[arb(x) for x in row] for row in self.rows]
        moment = [_product(data.masses, column) for column in zip(*rows, strict=True)]
        means = [
            (_product(data.masses, own) - _product(moment, row)) / weight for own, row in zip(inner, rows, strict=True)
        ]
        middle = _product(data.masses, means) / weight / 2
        shift = [(mean - middle).mid() for mean in means]
        right = arb_mat([[*row, arb(1), a] for row, a in zip(rows, shift, strict=True)]).transpose()
        left = [[*row, a, arb(1)] for row, a in zip(rows, shift, strict=True)]
        for start in range(0, n, ROWS):
            block = arb_mat(inner[start : start + ROWS]) - arb_mat(left[start : start + ROWS]) * right
            entries = block.entries()
            yield from (entries[at : at + n] for at in range(0, len(entries), n))


def _product(first: Sequence[arb], second: Sequence[arb]) -> arb:
    return sum((x * y for x, y in zip(first, second, strict=True)), arb(0))
