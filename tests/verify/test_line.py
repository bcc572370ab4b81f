"""What a penalty proves on a line, and files that claim more by it."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from pcsos.bounds.line.intervals import Line, best_intervals
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.line import line_bound
from pcsos.verify.reader import VerificationError
from pcsos.verify.state import State
from tests.bounds.line.test_intervals import DATA, drawn
from tests.exact_oracle import ExactTruth
from tests.slow import first_few


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_no_penalty_proves_more_than_is_true(first: int) -> None:
    judged = 0
    for seed in range(first, first + 50):
        instance = drawn(seed)
        if instance is None:
            continue
        rng, truth, k = np.random.default_rng(seed), ExactTruth.of(instance), instance.n_clusters
        data = Data(Doubles(instance.points), Doubles(instance.weights))
        state = State(instance.n_points)
        for i, j in instance.must_link.tolist():
            state.add("ML", i, j)
        best = best_intervals(instance)
        drawn_ones = [float(truth.optimum) * 10.0 ** rng.uniform(-3, 3) * rng.choice([-1, 1]) for _ in range(6)]
        for penalty in [best.penalty, 0.0, *drawn_ones, float(10.0 ** rng.uniform(-300, 300))]:
            found = line_bound(data, state, fmpq(*penalty.as_integer_ratio()), Conditions(data.weights, k))
            assert Fraction(int(found.p), int(found.q)) <= truth.optimum, (seed, penalty)
            if penalty == best.penalty:
                assert Fraction(int(found.p), int(found.q)) >= Fraction(best.lower_bound)
        judged += 1
    assert judged > 30


@pytest.mark.parametrize("kind", DATA)
def test_it_finds_to_the_last_unit_what_the_plain_recursion_finds(kind: str) -> None:
    rng = np.random.default_rng(6)
    points, weights, state = DATA[kind](rng), rng.choice([1.0, 0.5, 3.0], 60), State(60)
    for i, j in ((0, 1), (2, 3), (3, 4)):
        state.add("ML", i, j)
    own = Line.of(points, weights, np.array([0, 0, 1, 1, 1, *range(2, 57)]))[0]
    w, m, q = own.weights, own.moments, own.squares
    data = Data(Doubles(points[:, None]), Doubles(weights))
    for penalty in (0.0, *(float(own.cost([0, own.size]) / own.unit) * 10.0 ** rng.uniform(-6, 0, 8))):
        price, values = int(Fraction(penalty) * own.unit // 1), [0]
        for j in range(1, own.size + 1):
            pays = [values[i] + price + q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i]) for i in range(j)]
            values.append(min(pays))
        found = line_bound(data, state, fmpq(*penalty.as_integer_ratio()), Conditions(data.weights, 7))
        assert Fraction(int(found.p), int(found.q)) == Fraction(values[-1] - 7 * price, own.unit)


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_with_limits_it_finds_what_the_plain_recursion_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fewest, k = int(rng.integers(1, 7)), int(rng.integers(1, 9))
    most, own = int(rng.integers(max(fewest, -(-60 // k)), 61)), list(DATA)[seed % len(DATA)]
    points, weights = DATA[own](rng), np.full(60, rng.choice([1.0, 0.1]))
    data, limits = Data(Doubles(points[:, None]), Doubles(weights)), {"size_min": fewest, "size_max": most}
    conditions = Conditions(data.weights, k, {"limits": limits})
    line = Line.of(points, weights, np.arange(60))[0]
    w, m, q = line.weights, line.moments, line.squares
    narrowed = range(max(fewest, 60 - (k - 1) * most), min(most, 60 - (k - 1) * fewest) + 1)
    for penalty in (0.0, *(float(line.cost([0, 60]) / line.unit) * rng.uniform(-1, 1, 4) ** 5)):
        price, values = int(Fraction(penalty) * line.unit // 1), {0: 0}
        for j in range(1, 61):
            pays = [
                value + price + q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i])
                for i, value in values.items()
                if j - i in narrowed
            ]
            values |= {j: min(pays)} if pays else {}
        given = data, State(60), fmpq(*penalty.as_integer_ratio()), conditions
        if 60 not in values:
            with pytest.raises(VerificationError, match="no intervals weigh what clusters may"):
                line_bound(*given)
            continue
        found = line_bound(*given)
        assert Fraction(int(found.p), int(found.q)) == Fraction(values[60] - k * price, line.unit)


def test_limits_count_pieces_of_one_weight_where_these_are_no_more_than_points() -> None:
    points, limits = Doubles(np.arange(6.0)[:, None]), {"limits": {"size_min": 3}}
    for weights, pairs, counts in (
        ([1.0] * 6, [], True),
        ([1.0] * 6, [(0, 1)], True),
        ([0.5, 0.5, 1.0, 1.0, 0.5, 0.5], [(0, 1), (4, 5)], True),
        ([1.0] * 5 + [2.0], [], False),
    ):
        data, state = Data(points, Doubles(np.array(weights))), State(6)
        for i, j in pairs:
            state.add("ML", i, j)
        plain, limited = (Conditions(data.weights, 2, given) for given in ({}, limits))
        more = line_bound(data, state, fmpq(1), limited) - line_bound(data, state, fmpq(1), plain)
        assert (more > 0) == counts
        assert more >= 0


def test_pieces_of_a_super_point_share_its_place() -> None:
    """By hand: {0, 3} and {1, 2} share their mean, so four points are there, and the others at 7.5; three a cluster."""
    data, state = Data(Doubles(np.array([[0.0], [1.0], [2.0], [3.0], [7.5], [7.5]])), Doubles(np.ones(6))), State(6)
    state.add("ML", 0, 3)
    state.add("ML", 1, 2)
    conditions = Conditions(data.weights, 2, {"limits": {"size_min": 3}})
    inside, apart = fmpq(9, 2) + fmpq(1, 2), fmpq(2, 3) * 6**2
    assert line_bound(data, state, fmpq(0), conditions) == inside + apart
