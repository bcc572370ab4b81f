"""What prices prove, and files that claim more by them. The most that a cluster earns is known from all subsets."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_floats, encode_integers, listed
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, boxes, effort, verify
from pcsos.verify.boxes import FAR, Earners, peaks
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.exact import exact
from pcsos.verify.prices import check_prices
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.state import State
from tests.blobs import arrays
from tests.exact_oracle import ExactTruth
from tests.slow import first_few
from tests.verify.certificates import write
from tests.verify.work import Account

#: Three pairs, which cost 1/2 each. With prices of 1 a pair earns 3/2, and nothing earns more: 6 - 3 * 3/2 = 3/2.
PAIRS = Instance([0.0, 1.0, 5.0, 6.0, 20.0, 21.0], 3)
LABELS, OPTIMUM, ONES = [0, 0, 1, 1, 2, 2], 1.5, [1.0] * 6
JUST_BELOW = OPTIMUM * (1 - 1e-6)
#: By this share of all prices less than what is true must be accepted.
LOSS = Fraction(1, 10**6)
TOO_MUCH = "a cluster earns more than is left"


class Case:
    """Prices in a state, and exactly what they prove."""

    def __init__(
        self, points: Any, prices: Sequence[float], weights: Any = None, together: Sequence[tuple[int, int]] = (),
        knots: Sequence[Sequence[int]] = (), apart: Sequence[tuple[int, int]] = (), capacity: float | None = None,
    ) -> None:  # fmt: skip
        self.points = np.atleast_2d(np.asarray(points, float).T).T
        n = len(self.points)
        self.weights = np.ones(n) if weights is None else np.asarray(weights, float)
        self.data, self.state = Data(Doubles(self.points), Doubles(self.weights)), State(n)
        for pair in together:
            self.state.add("ML", *pair)
        self.prices, self.groups = np.asarray(prices, float), self.state.groups()
        self.knots, self.apart = knots, apart
        self.capacity = None if capacity is None else exact(capacity)
        for i, j in apart:
            self.state.add("CL", self.groups[i][0], self.groups[j][0])
        self.inside = fraction(self.data.cost(self.groups))
        self.total = sum((Fraction(p) for p in self.prices.tolist()), Fraction(0))
        self.paid = sum((max(Fraction(p), Fraction(0)) for p in self.prices.tolist()), Fraction(0))

    def most(self) -> Fraction:
        """The most that a cluster earns: at its best place it is the mean of those that earn something there."""
        merged = [self.data.super_point(group) for group in self.groups]
        best = Fraction(0)
        for size in range(1, len(merged) + 1):
            for members in itertools.combinations(range(len(merged)), size):
                counting = [{*pair} for pair in self.apart if any({*pair} <= {*knot} for knot in self.knots)]
                if any(pair <= {*members} for pair in counting):
                    continue
                weight = sum((merged[i][0] for i in members), fmpq(0))
                if self.capacity is not None and weight > self.capacity:
                    continue
                cost = fmpq(0)
                for column in zip(*([*merged[i][1]] for i in members), strict=True):
                    products = [merged[i][0] * x for i, x in zip(members, column, strict=True)]
                    cost += sum((a * x for a, x in zip(products, column, strict=True)), fmpq(0))
                    cost -= sum(products, fmpq(0)) ** 2 / weight
                best = max(best, sum((Fraction(self.prices[i]) for i in members), Fraction(0)) - fraction(cost))
        return best

    def payload(self, knots: Sequence[int] | None = None, axes: Any = None) -> Arrays:
        """Prices with their own knots or with others, one after the other, and with axes or without."""
        return arrays(priced(self.prices, listed(self.knots) if knots is None else knots, axes))

    def proves(self, bound: Fraction, k: int) -> bool:
        claimed = fmpq(bound.numerator, bound.denominator)
        try:
            check_prices(self.data, self.state, self.payload(), claimed, k, capacity=self.capacity)
        except VerificationError:
            return False
        return True

    def agrees(self, k: int) -> bool:
        """Whether what is true is accepted, but for a little, and nothing else."""
        truth = self.inside + self.total - k * self.most()
        return self.proves(truth - LOSS * self.paid, k) and self.is_sound(k)

    def is_sound(self, k: int) -> bool:
        """Whether nothing beyond what is true is accepted."""
        truth = self.inside + self.total - k * self.most()
        beyond = (Fraction(1, 2**90), Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 10), Fraction(10**9))
        return not any(self.proves(truth + share * max(self.paid, Fraction(1, 10**300)), k) for share in beyond)


def priced(prices: Any, knots: Sequence[int] = (), axes: Any = None) -> bytes:
    """What a run file holds of prices; without axes by default."""
    own = np.empty((0, 0), np.int64) if axes is None else axes
    return encode_floats(prices) + encode_integers(np.array(knots, np.int64)) + encode_integers(own)


def fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def root(prices: Sequence[float] = ONES, bound: float = JUST_BELOW) -> NodeRecord:
    return NodeRecord(0, None, None, (kinds.Prices(np.array(prices, float), bound),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "prices.run"


# What prices prove


def random_case(rng: np.random.Generator) -> tuple[Case, Instance]:
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 4))
    points = rng.normal(size=(n, d)) if rng.random() < 0.5 else rng.integers(0, 4, (n, d)).astype(float)
    scale = 10.0 ** float(rng.choice([0, 0, -120, 120]))
    weights = np.ones(n) if rng.random() < 0.4 else 10.0 ** rng.uniform(-1, 1, n) ** int(rng.choice([1, 5]))
    pairs = [
        tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(int(rng.integers(0, 3)) if n > 1 else 0)
    ]
    k = int(rng.integers(1, n + 1))
    state = Case(points, [0.0], None, pairs)
    s = len(state.groups)
    k = min(k, s)
    masses = np.array([weights[group].sum() for group in state.groups])
    prices = masses * rng.uniform(-0.2, 1.5, s) * 10.0 ** rng.uniform(-2, 1) * scale**2
    instance = Instance(points * scale, k, pairs, [], weights)
    return Case(points * scale, prices, weights, pairs), instance


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-3, 0.05])
def test_a_knot_in_the_middle_of_a_box_is_not_looked_at_too_finely(off: float) -> None:
    """Nobody on the rim differs from the others along two of three features, but choices differ there by their weights.

    Halved along the first one alone, boxes are many and of no use.
    """
    points = np.full((5, 3), 2.0)
    points[:3, 0], points[3:], points[0, 1] = [1.0, 1.2, 1.5], [[0.0], [4.0]], 2.0 + off
    weights, prices = [10.0, 0.1, 10.0, 1.0, 1.0], [10.0, 15.0, 10.0, 1e-6, 1e-6]
    case = Case(points, prices, weights, knots=[[0, 1, 2]], apart=[(0, 1), (1, 2)])
    truth = case.total - 2 * case.most()
    assert case.proves(truth - LOSS * case.paid, 2)
    assert not case.proves(truth + LOSS * case.paid, 2)


@pytest.mark.parametrize("seed", first_few(6, range(120)))
def test_what_is_proved_is_true(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case, instance = random_case(rng)
    k = instance.n_clusters
    assert case.agrees(k)
    optimum = ExactTruth.of(instance).optimum
    assert case.inside + case.total - k * case.most() <= optimum
    for share in (Fraction(1, 10**12), Fraction(1, 100)):
        assert not case.proves(optimum + share * max(optimum, case.paid), k)


def random_knots(rng: np.random.Generator, size: int) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Some super-points in knots of two to seven, and pairs of them that are apart."""
    left, knots = rng.permutation(size).tolist(), []
    while len(left) > 1 and rng.random() < 0.8:
        number = int(rng.integers(2, 8))
        knots.append(left[:number])
        left = left[number:]
    share = rng.choice([0.2, 0.5, 1.0])
    pairs = [pair for pair in itertools.combinations(range(size), 2) if rng.random() < share]
    return [knot for knot in knots if len(knot) > 1], pairs


@pytest.mark.parametrize("seed", first_few(12, range(120)))
def test_what_is_proved_with_knots_is_true(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    case, instance = random_case(rng)
    own = Case(
        case.points, case.prices, case.weights, instance.must_link.tolist(), *random_knots(rng, len(case.groups))
    )
    assert own.agrees(instance.n_clusters)
    assert own.most() <= case.most()


@pytest.mark.slow
def test_of_a_knot_the_better_choice_counts() -> None:
    # In one place all three are worth their prices: 5 against 2 + 2, then 4 + 2.
    star, line = ([[0, 1, 2]], [(0, 1), (0, 2)]), ([[0, 1, 2, 3]], [(0, 1), (1, 2), (2, 3)])
    places = [0.0, 0.0, 0.0, 9.0]
    assert Case(places, [5.0, 2.0, 2.0, 1.0], None, (), *star).most() == 5
    assert Case(places, [5.0, 4.0, 2.0, 1.0], None, (), *star).most() == 6
    assert Case(places, [5.0, 9.0, 5.0, 1.0], None, (), *line).most() == 10
    for knots in (star, line, ([[3, 2, 1, 0]], line[1]), ([[2, 0], [3, 1]], [(0, 2), (1, 3)])):
        for prices in ([5.0, 2.0, 2.0, 1.0], [5.0, 4.0, 2.0, 1.0], [4.0, 2.0, 2.0, 1.0], [-1.0, 2.0, 2.0, 1.0]):
            assert Case(places, prices, None, (), *knots).agrees(2)
            assert Case([0.0, 0.1, -0.1, 9.0], prices, None, (), *knots).agrees(2)


def test_a_knot_without_cannot_links_is_nothing() -> None:
    assert Case([0.0, 1.0, 5.0, 6.0], [1.0] * 4, None, (), [[0, 1, 3]], []).agrees(2)
    assert Case(np.arange(16.0), [1.0] * 16, None, (), [[*range(16)]], []).proves(Fraction(-20), 2)


def test_all_searches_of_a_file_share_its_effort(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    children = [(Decision(kind, 0, 1), [1.0] * size) for kind, size in (("ML", 5), ("CL", 6))]
    records = [NodeRecord(0, None, None, (kinds.Branching(Decision("ML", 0, 1)),))]
    for node, (decision, prices) in enumerate(children, 1):
        records.append(NodeRecord(node, 0, decision, (kinds.Prices(np.array(prices), 0.9999),)))
    write(path, PAIRS, records, LABELS, 0.9999, status=Status.FEASIBLE)
    own, searches = Account(), list[int]()
    with monkeypatch.context() as patch:
        patch.setattr(effort, "begin", lambda _: effort._left.set(own))
        patch.setattr(boxes, "spend", lambda work: effort.spend(work) or searches.append(work))
        assert verify(path).lower_bound == 0.9999
    assert len(searches) > 2
    monkeypatch.setattr(effort, "SHARE", 0)
    monkeypatch.setattr(effort, "FIXED", own.charged - searches[-1])
    with pytest.raises(VerificationError, match=r"problem \d: more work than a file of this size may ask for"):
        verify(path)


# Places that are hard to find


@pytest.mark.slow
def test_a_narrow_peak_is_found() -> None:
    rng = np.random.default_rng(0)
    for place in ([1 / 3, np.sqrt(0.5)], [0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.25, 0.0], [0.5, 1 / 3], [1.0, 0.0]):
        corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        points = np.vstack([corners, rng.random((2, 2)), place, np.add(place, [1e-7, 0.0])])
        prices = [0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 2.0, 2.0]
        weights = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e12, 1e12]
        assert Case(points, prices, weights).agrees(2)


def test_peaks_everywhere() -> None:
    """Many places where a cluster earns the same, on the edges of boxes and at their centres."""
    for d in (1, 2, 3):
        points = np.array(list(itertools.product([0.0, 1.0], repeat=d)))
        for reach in (0.4, 0.5, 0.7, 1.1):
            assert Case(points, [reach**2] * len(points)).agrees(2)
    assert Case([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0.3] * 8).agrees(3)


def test_one_heavy_price() -> None:
    points = [[0.0, 0.0], [1.0, 0.3], [0.2, 0.9], [0.7, 0.7]]
    for heavy in (3e300, 1e18, 1e-300, 5e-324, -3e300, 0.0, -0.0):
        assert Case(points, [heavy, 0.3, 0.2, 0.1]).agrees(2)
    for scale in (1e-300, 1e-160, 1e150):
        assert Case(np.array(points) * scale, [0.4, 0.3, 0.2, 0.1]).agrees(2)


def test_weights_of_all_sizes() -> None:
    points = np.random.default_rng(1).random((6, 3))
    weights = [1e-300, 1e300, 1.0, 1e-6, 1e6, 1e12]
    case = Case(points, [1.0, 1.0, 0.5, 0.2, 3.0, 0.1], weights)
    truth = case.total - 2 * case.most()
    assert case.proves(truth - LOSS * case.paid, 2)
    assert not case.proves(truth + Fraction(1, 10**12), 2)


def test_one_place_for_all() -> None:
    assert Case([[1.0, 2.0]] * 4, [1.0, 2.0, -1.0, 0.5]).agrees(2)
    assert Case([[1.0, 2.0]] * 4, [-1.0, -2.0, -1.0, 0.0]).agrees(2)
    assert Case([3.0], [7.0]).agrees(1)
    for prices in ([5.0, 2.0, 2.0, 1.0], [3.0, 2.0, 2.0, 1.0], [1.0, 1.0, -3.0, 1.0], [-1.0, 2.0, 2.0, 1.0]):
        assert Case([[1.0, 2.0]] * 4, prices, None, (), [[0, 1, 2]], [(0, 1), (0, 2)]).agrees(2)
        assert Case([[1.0, 2.0]] * 4, prices, None, (), [[0, 1], [2, 3]], [(0, 1), (2, 3)]).agrees(3)


def test_many_features() -> None:
    rng = np.random.default_rng(3)
    points = np.hstack([rng.random((5, 16)), np.ones((5, 30))])
    assert Case(points, [0.1] * 5).proves(Fraction(-1, 10**6), 5)
    case = Case(rng.random((5, 17)), [1.0] * 5)
    with pytest.raises(VerificationError, match="more than 16 features vary"):
        check_prices(case.data, case.state, case.payload(), fmpq(1, 2), 2)


@pytest.mark.slow
def test_an_endless_search_is_given_up() -> None:
    points = np.random.default_rng(0).random((60, 12))
    case, place = Case(points, [1.2] * 60), points.mean(axis=0)
    for _ in range(100):
        earned = 1.2 - ((points - place) ** 2).sum(axis=1)
        place = points[earned > 0].mean(axis=0)
    bound = exact(72.0 - 2.0 * 1.0001 * float(np.maximum(earned, 0.0).sum()))
    with pytest.raises(VerificationError, match="too long a search"):
        check_prices(case.data, case.state, case.payload(), bound, 2)


# Integers


def test_costs_are_those_of_exact_integers() -> None:
    rng = np.random.default_rng(0)
    mantissa = np.array([0, 1, 2**27, 2**28 - 1])
    for exponent in (1, 20, 62):
        earners = Earners(np.zeros((1, 4), np.int64), mantissa, mantissa, np.full(4, exponent), np.zeros(4, np.int64))
        for square in (0, 1, -1, 2**62, -(2**62), 16 * FAR**2, *rng.integers(-(2**62), 2**62, 50).tolist()):
            found = earners.cost(np.full(4, square), np.arange(4)).tolist()
            assert found == [(m * square) >> (31 + exponent) for m in mantissa.tolist()]


def test_peaks_are_no_less_than_exact_ones() -> None:
    rng = np.random.default_rng(0)
    for bits in (3, 20, 33, 50, 59):
        slope = rng.integers(-(2**bits), 2**bits, 200) >> rng.integers(0, bits, 200)
        curve = rng.integers(0, 2**bits, 200) >> rng.integers(0, bits, 200)
        found = peaks(slope, curve).tolist()
        scale = int(np.abs(slope).max())
        for b, c, top in zip(np.abs(slope).tolist(), curve.tolist(), found, strict=True):
            truth = Fraction(b * b, 4 * c) if b < 2 * c else Fraction(b - c)
            assert truth <= top <= truth + Fraction(scale, 2**28) + 2


def test_a_place_is_that_of_a_double() -> None:
    case = Case([0.1, 0.1 + 2.0**-50, 1.0], [1e-32, 1e-32, 0.1])
    assert not case.proves(case.total - 2 * case.most() + Fraction(1, 10**40), 2)
    assert exact(0.1) == fmpq(*(0.1).as_integer_ratio())
