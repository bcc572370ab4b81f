"""Line: best intervals and their bounds against enumeration and a plain dynamic program, both without rounding."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

import pcsos
from pcsos.base.control.stop import Interrupted, Stop
from pcsos.base.exceptions import InputError
from pcsos.bounds.line import intervals as line
from pcsos.bounds.line.intervals import Line, best_intervals, least_path
from pcsos.problem.partition import Partition
from tests.exact_oracle import ExactCosts, ExactTruth
from tests.hard_instances import POINTS, WEIGHTS, some_pairs
from tests.slow import first_few

#: Kinds of coordinates beyond those of all hard instances.
MORE = {
    "offset 1e15": lambda rng, n, d: 1e15 + rng.integers(0, 30, (n, d)) * 0.125,
    "300 decades": lambda rng, n, d: rng.choice([-1.0, 1.0], (n, d)) * 10.0 ** rng.uniform(-150, 139, (n, d)),
    "steps": lambda rng, n, d: rng.permutation(n).astype(float)[:, None],
}
#: A cost below the normal doubles, with a margin, cannot be bounded relatively.
TINY = Fraction(1, 10**300)


def drawn(seed: int) -> pcsos.Instance | None:
    """An instance on a line of at most nine points; None where it is refused or has too few super-points."""
    rng = np.random.default_rng([seed, 77])
    kinds = POINTS | MORE
    n = int(rng.integers(1, 10))
    points = kinds[list(kinds)[seed % len(kinds)]](rng, n, 1)
    weights = WEIGHTS[str(rng.choice(list(WEIGHTS)))](rng, n)
    pairs = some_pairs(rng, n, int(rng.integers(0, 4))) if n > 1 and rng.random() < 0.6 else []
    try:
        instance = pcsos.Instance(points, int(rng.integers(1, n + 1)), pairs, weights=weights)
    except InputError:
        return None
    return instance if instance.constraints.groups.max() + 1 >= instance.n_clusters else None


@pytest.mark.parametrize("first", first_few(4, range(0, 1600, 100)))
def test_small_instances_are_solved_exactly(first: int) -> None:
    judged = 0
    for seed in range(first, first + 100):
        instance = drawn(seed)
        if instance is None:
            continue
        judged += 1
        truth, found = ExactTruth.of(instance), best_intervals(instance)
        assert truth.admits(found.labels), seed
        assert truth.cost(found.labels) <= truth.optimum * (1 + Fraction(1, 2**50)), seed
        bound = Fraction(found.lower_bound)
        assert bound <= truth.optimum, seed
        assert truth.optimum < TINY or truth.optimum - bound <= truth.optimum / 10**12, seed
    assert judged > 60


def least_costs(line: Line) -> list[int]:
    """Least cost of k intervals, in units and each rounded down, for k = 0 .. s, by the plain dynamic program."""
    w, m, q, s = line.weights, line.moments, line.squares, line.size
    pairs = [(i, j) for j in range(s + 1) for i in range(j)]
    table = {(i, j): q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i]) for i, j in pairs}
    far = 1 << 20_000
    before = [0] + [far] * s
    least = [far]
    for _ in range(s):
        before = [far] + [min(before[i] + table[i, j] for i in range(j)) for j in range(1, s + 1)]
        least.append(before[s])
    return least


@pytest.mark.parametrize("first", first_few(2, range(0, 800, 100)))
def test_limits_of_numbers_are_kept_at_the_least_cost(first: int) -> None:
    judged = 0
    for seed in range(first, first + 100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 10))
        k = int(rng.integers(1, n + 1))
        limits = {"size_min": int(rng.integers(1, n // k + 1)), "size_max": int(rng.integers(-(-n // k), n + 1))}
        points = (POINTS | MORE)[list(POINTS | MORE)[seed % len(POINTS | MORE)]](rng, n, 1)
        try:
            instance = pcsos.Instance(points, k, weights=np.full(n, rng.choice([1.0, 0.1])), **limits)
        except InputError:  # numbers are too near to one another
            continue
        judged += 1
        assert instance.is_line
        truth, found = ExactTruth.of(instance), best_intervals(instance)
        assert found is not None
        assert truth.admits(found.labels), seed
        assert truth.cost(found.labels) <= truth.optimum * (1 + Fraction(1, 2**50)), seed
        assert Fraction(found.lower_bound) <= truth.optimum, seed
        assert truth.optimum < TINY or truth.optimum - Fraction(found.lower_bound) <= truth.optimum / 10**12, seed
    assert judged > 60


def least_of_pieces(instance: pcsos.Instance, sizes: range) -> Fraction | None:
    """Least cost of k intervals of points at the means of their super-points, by the plain program in fractions."""
    group, points = instance.constraints.groups, [Fraction(x) for x in instance.points[:, 0].tolist()]
    means = {
        g: sum(x for x, own in zip(points, group, strict=True) if own == g) / np.sum(group == g) for g in set(group)
    }
    places = sorted(means[g] for g in group)
    inside = sum((x - means[g]) ** 2 for x, g in zip(points, group, strict=True))
    costs = {0: inside}
    for _ in range(instance.n_clusters):
        after: dict[int, Fraction] = {}
        for i, cost in costs.items():
            for j in (i + size for size in sizes if i + size <= len(places)):
                own = places[i:j]
                own_cost = sum(x * x for x in own) - sum(own) ** 2 / len(own)
                after[j] = min(after.get(j, cost + own_cost), cost + own_cost)
        costs = after
    return costs.get(len(places), None) and costs[len(places)] * Fraction(instance.weights[0])


@pytest.mark.parametrize("first", first_few(4, range(0, 2000, 100)))
def test_with_limits_and_pairs_the_bound_is_that_of_points_at_means(first: int) -> None:
    judged = closed = 0
    for seed in range(first, first + 100):
        rng = np.random.default_rng([seed, 58])
        n = int(rng.integers(2, 10))
        k = int(rng.integers(1, n + 1))
        sizes = range(int(rng.integers(1, n // k + 1)), int(rng.integers(-(-n // k), n + 1)) + 1)
        kind = list(POINTS | MORE)[seed % len(POINTS | MORE)]
        try:
            instance = pcsos.Instance(
                (POINTS | MORE)[kind](rng, n, 1), k, some_pairs(rng, n, int(rng.integers(1, 4))),
                some_pairs(rng, n, int(rng.integers(0, 3))), np.full(n, rng.choice([1.0, 0.1])),
                size_min=sizes[0], size_max=sizes[-1],
            )  # fmt: skip
        except InputError:
            continue
        if instance.constraints.groups.max() + 1 < k:
            continue
        judged += 1
        free, truth = instance.with_(cannot_link=()), ExactTruth.of(instance)
        found, optimum = best_intervals(free), truth.least()
        narrowed = range(max(sizes[0], n - (k - 1) * sizes[-1]), min(sizes[-1], n - (k - 1) * sizes[0]) + 1)
        is_even = np.ptp(np.bincount(instance.constraints.groups)) == 0
        assert found is not None or optimum is None, seed
        if found is None:
            continue
        bound, least = Fraction(found.lower_bound), least_of_pieces(instance, narrowed)
        assert optimum is None or bound <= optimum, seed
        assert is_even or least < TINY or abs(bound - least) <= least / 10**8, seed  # moments are rounded
        closed += optimum is not None and bound >= optimum - optimum / 10**8
    assert judged > 40
    assert closed > 10


DATA: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "Gaussian": lambda rng: rng.normal(size=60),
    "steps": lambda rng: np.arange(60.0),
    "few places": lambda rng: rng.integers(0, 12, 60).astype(float),
    "heavy tails": lambda rng: rng.standard_cauchy(60) ** 3,
    "powers": lambda rng: 2.0 ** rng.integers(-300, 300, 60),
    "far groups": lambda rng: rng.choice([-1e12, 0.0, 1e9], 60) + rng.normal(size=60),
}


@pytest.mark.parametrize("kind", first_few(3, DATA))
def test_every_number_of_clusters_is_solved(kind: str) -> None:
    rng = np.random.default_rng(5)
    points, weights = DATA[kind](rng), rng.choice([1.0, 0.5, 3.0], 60)
    pairs = [(0, 1), (2, 3), (3, 4)]
    groups = pcsos.Instance(points, 1, pairs).constraints.groups
    least = least_costs(Line.of(points, weights, groups)[0])
    unit = Line.of(points, weights, groups)[0].unit
    costs = ExactCosts(points[:, None], weights)
    for k in range(1, groups.max() + 2):
        instance = pcsos.Instance(points, k, pairs, weights=weights)
        found = best_intervals(instance)
        assert np.unique(found.labels).size == k
        assert instance.constraints.violation(found.labels) is None
        optimum = Fraction(least[k] + k, unit)  # at least, as each interval was rounded down
        assert costs.cost(found.labels) <= optimum * (1 + Fraction(1, 2**50))
        assert Fraction(found.lower_bound) <= optimum
        assert optimum - Fraction(found.lower_bound) <= max(optimum / 10**12, Fraction(2 * k, unit))


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_the_least_path_is_that_of_the_plain_recursion(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.choice([rng.normal(size=30), rng.integers(0, 8, 30), np.arange(30.0)]).astype(float)
    own = Line.of(points, rng.uniform(0.5, 2.0, 30), np.arange(30))[0]
    w, m, q = own.weights, own.moments, own.squares
    for penalty in (0, -(own.unit // 10), own.unit // 7, 3 * own.unit, own.unit << 200):
        values = [0]
        for j in range(1, 31):
            pays = [values[i] + penalty + q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i]) for i in range(j)]
            values.append(min(pays))
        ends, value = least_path(own, penalty)
        assert value == values[30]
        assert own.cost(ends) + penalty * (len(ends) - 1) - value in range(len(ends))


def test_means_that_differ_by_the_last_digit_are_in_order() -> None:
    points = np.array([0.1, 0.3, np.nextafter(0.2, 1.0), 0.2, np.nextafter(0.2, 0.0)])
    weights, group = np.array([1.0, 1.0, 3.0, 1.0, 7.0]), np.array([0, 0, 1, 2, 3])  # the first is between two doubles
    own, position = Line.of(points, weights, group)
    moments, masses = np.diff(np.array(own.moments, object)), np.diff(np.array(own.weights, object))
    means = [Fraction(moment, mass) for moment, mass in zip(moments, masses, strict=True)]
    assert means == sorted(means)
    assert len(set(means)) == 4
    assert position[3] < position[2] < position[1]


def test_what_is_a_line() -> None:
    column = np.array([3.0, 1.0, 2.0])
    assert pcsos.Instance(column, 2).line.tolist() == [3.0, 1.0, 2.0]
    table = np.column_stack([np.full(3, 0.1), column, np.zeros(3)])
    assert pcsos.Instance(table, 2).line.tolist() == [3.0, 1.0, 2.0]
    assert pcsos.Instance(np.ones((3, 4)), 2).is_line
    assert not pcsos.Instance(column, 2, cannot_link=[(0, 1)]).is_line
    table[0, 2] = 1.0
    assert not pcsos.Instance(table, 2).is_line
    with pytest.raises(ValueError, match="more than one feature"):
        best_intervals(pcsos.Instance(table, 2))


def test_it_is_asked_whether_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "ASK_EVERY", 16)
    instance, met = pcsos.Instance(np.random.default_rng(0).normal(size=400), 3), list[np.ndarray]()
    with pytest.raises(Interrupted):
        best_intervals(instance, Stop(lambda: bool(met)), met.append)
    assert len(met) == 1
    best = Partition.of(instance, best_intervals(instance).labels)
    assert best.objective <= Partition.of(instance, met[0]).objective <= 1.1 * best.objective


def test_more_digits_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = pcsos.Instance(np.random.default_rng(3).integers(0, 40, 300) * 0.1, 6)
    before = best_intervals(instance)
    monkeypatch.setattr(line, "MORE_BITS", 300)
    after = best_intervals(instance)
    assert after.lower_bound == pytest.approx(before.lower_bound, rel=1e-15)
    assert after.labels.tolist() == before.labels.tolist()
