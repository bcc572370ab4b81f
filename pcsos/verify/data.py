"""Points and weights, exactly, and what they cost in clusters (docs/certificate.md, sections 5 and 7)."""

from collections.abc import Iterable, Iterator, Sequence

from flint import arb, fmpq, fmpz

from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, spend
from pcsos.verify.reader import require

Groups = Sequence[Sequence[int]]
SuperPoint = tuple[fmpq, list[fmpq]]  # weight and mean
Fraction = tuple[int, int]
AT_ONCE = 1 << 12  # numbers that are looked at together, as integers
#: Words of 64 digits that different denominators may have together where fractions are added up exactly; and digits
#: from which on a little less will do, by less than the squares of the least doubles.
MOST_WORDS, LONG = 1 << 17, 4300


class Data:
    """Points, an array of shape (n, d), and their weights, of shape (n,)."""

    def __init__(self, points: Doubles, weights: Doubles) -> None:
        self.points, self.weights = points, weights
        self._blocks: Groups = []
        self._frame: Frame | None = None

    def centre(self, group: Sequence[int]) -> list[arb]:
        """Return the middle, exactly known, of a ball that holds the mean of some points: any origin would do."""
        weight, sums = arb(0), [arb(0)] * self.points.shape[1]
        for p in group:
            mass = self.weights.balls(p)
            weight += mass
            sums = [total + x * mass for total, x in zip(sums, self.points.balls(p), strict=True)]
        return [(total / weight).mid() for total in sums]

    def super_point(self, group: Sequence[int]) -> SuperPoint:
        """Return the weight of some points and their mean."""
        if len(group) == 1:
            return self.weights[group[0]], self.points[group[0]]
        weight, sums, _ = self.moments(group)
        heavy = fmpq(weight) * self.weights.unit
        return heavy, [fmpq(total, weight) * self.points.unit for total in sums]

    def weight(self, group: Sequence[int]) -> fmpq:
        """Return the weight of some points."""
        return sum((self.weights[p] for p in group), fmpq(0))

    def frame(self, blocks: Groups) -> "Frame":
        """Return the points about the centres of these blocks; the last ones asked for are kept."""
        if self._frame is None or blocks != self._blocks:
            self._blocks, self._frame = blocks, Frame(self, blocks)
        return self._frame

    def forget(self) -> None:
        """Keep no points about centres any longer."""
        self._blocks, self._frame = [], None

    def moments(self, group: Sequence[int]) -> tuple[int, list[int], int]:
        """Return the sums of w, w x and w ``||x||^2`` over some points, for w and x as integers in their units."""
        d = self.points.shape[1]
        weight, sums, squares, step = 0, [0] * d, 0, max(1, AT_ONCE // max(d, 1))
        for start in range(0, len(group), step):
            own = list(group[start : start + step])
            for mass, row in zip(self.weights.integers(own), self.points.integers(own), strict=True):
                weight += mass
                products = [mass * x for x in row]
                sums = [total + product for total, product in zip(sums, products, strict=True)]
                squares += sum(product * x for product, x in zip(products, row, strict=True))
        return weight, sums, squares

    def pair_cost(self, first: SuperPoint, second: SuperPoint) -> fmpq:
        """Return by how much the cost of two super-points grows when they become one."""
        (a, x), (b, y) = first, second
        spend(OF_A_STEP // 2 * (self.points.words + self.weights.words) * len(x))
        return sum(((p - q) ** 2 for p, q in zip(x, y, strict=True)), fmpq(0)) * a * b / (a + b)

    def cost(self, groups: Groups) -> fmpq:
        """Return the cost of the partition into these groups."""
        return sum_of(self._costs(groups)) * self.weights.unit * self.points.unit**2

    def cost_below(self, groups: Groups) -> fmpq:
        """Return the same or, where there are many different weights, next to nothing less."""
        return sum_below(self._costs(groups)) * self.weights.unit * self.points.unit**2

    def _costs(self, groups: Groups) -> Iterator[Fraction]:
        """Yield the costs of groups, in units."""
        for group in groups:
            if len(group) > 1:
                weight, sums, squares = self.moments(group)
                yield squares * weight - sum(total * total for total in sums), weight


def sum_of(fractions: Iterable[Fraction]) -> fmpq:
    """Return the sum of fractions; terms that are added have as many digits as one another."""
    sums, words = dict[int, int](), 0
    for above, below in fractions:
        words += 0 if below in sums else 1 + below.bit_length() // 64
        require(words <= MOST_WORDS, "costs: the weights of clusters are too different to be added up exactly")
        sums[below] = sums.get(below, 0) + above
    spend(OF_A_STEP * words * words.bit_length())
    found = [(fmpz(above), fmpz(below)) for below, above in sums.items()]
    while len(found) > 1:
        pairs, last = zip(found[::2], found[1::2], strict=False), found[len(found) // 2 * 2 :]
        found = [(a * q + b * p, p * q) for (a, p), (b, q) in pairs] + last
    return fmpq(*found[0]) if found else fmpq(0)


def sum_below(fractions: Iterable[Fraction]) -> fmpq:
    """Return the sum of fractions that are not negative, or next to nothing less where they have many digits."""
    exact, digits, rest = dict[int, int](), 0, 0
    for above, below in fractions:
        digits += 0 if below in exact else below.bit_length()
        if below in exact or digits <= LONG:
            exact[below] = exact.get(below, 0) + above
        else:
            rest += (above << LONG) // below
    return sum_of((above, below) for below, above in exact.items()) + fmpq(rest, 1 << LONG)


class Frame:
    """Points about the centres of blocks: moments ``w_p (p - centre)``, and the cost ``total`` about them.

    Where no cluster meets two blocks, each block may have an origin of its own: no cost depends on it.
    """

    def __init__(self, data: Data, blocks: Groups) -> None:
        self.data, self.total = data, arb(0)
        self.centres = [data.centre(block) for block in blocks]
        self.block_of = [0] * len(data.points)
        self._kept: dict[int, list[arb]] = {}
        for number, block in enumerate(blocks):
            for p in block:
                self.block_of[p] = number
                row, mass = self._row(p), data.weights.balls(p)
                self.total += mass * sum((x * x for x in row), arb(0))
                if data.points.is_small:
                    self._kept[p] = [mass * x for x in row]
        # What may be lost before a bound is evaluated again (section 6).
        self.tolerable = self.total * min(len(data.points), 1000) / 2**50

    def _row(self, p: int) -> list[arb]:
        return [x - c for x, c in zip(self.data.points.balls(p), self.centres[self.block_of[p]], strict=True)]

    def moment(self, group: Sequence[int]) -> list[arb]:
        """Return the sum of ``w_p (p - centre)`` over some points."""
        spend(OF_A_NUMBER * len(group) * self.data.points.shape[1])
        if len(group) == 1:
            return self._moment(group[0])
        total = [arb(0)] * self.data.points.shape[1]
        for p in group:
            total = [own + x for own, x in zip(total, self._moment(p), strict=True)]
        return total

    def _moment(self, p: int) -> list[arb]:
        if p in self._kept:
            return self._kept[p]
        mass = self.data.weights.balls(p)
        return [mass * x for x in self._row(p)]
