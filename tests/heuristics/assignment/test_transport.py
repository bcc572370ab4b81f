"""Transport: as cheap as a linear program says, within the bounds, from any prices, and fast."""

import time

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment, linprog

from pcsos.heuristics.assignment.transport import transport


def random_bounds(rng: np.random.Generator, s: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Bounds that some labels satisfy, tight in a third of the cases."""
    counts = np.bincount(rng.integers(k, size=s), minlength=k)
    slack = 0 if rng.random() < 0.34 else 3
    return np.maximum(counts - rng.integers(0, slack + 1, k), 0), counts + rng.integers(0, slack + 1, k)


def random_costs(rng: np.random.Generator, s: int, k: int) -> np.ndarray:
    """Costs of all kinds: full of ties, all equal, of many magnitudes, squared distances."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.integers(0, 3, (s, k)).astype(float)
    if kind == 1:
        return np.ones((s, k)) * rng.random()
    if kind == 2:
        return rng.random((s, k)) * 10.0 ** rng.integers(-6, 7, (s, 1))
    return ((rng.standard_normal((s, 1, 2)) - rng.standard_normal((1, k, 2))) ** 2).sum(axis=2)


def cheapest(costs: np.ndarray, least: np.ndarray, most: np.ndarray) -> float:
    """The least cost, as a linear program: its matrix is totally unimodular."""
    s, k = costs.shape
    once, of_cluster = np.kron(np.eye(s), np.ones(k)), np.kron(np.ones(s), np.eye(k))
    found = linprog(
        costs.ravel(),
        A_ub=np.vstack([of_cluster, -of_cluster]),
        b_ub=np.concatenate([most, -least]),
        A_eq=once,
        b_eq=np.ones(s),
    )
    assert found.status == 0
    return float(found.fun)


def check(costs: np.ndarray, least: np.ndarray, most: np.ndarray, prices: np.ndarray | None = None) -> np.ndarray:
    found = transport(costs, least, most, prices=prices)
    s, k = costs.shape
    counts = np.bincount(found.labels, minlength=k)
    assert (least <= counts).all()
    assert (counts <= most).all()
    cost = costs[np.arange(s), found.labels].sum()
    assert cost == pytest.approx(cheapest(costs, least, most), rel=1e-7, abs=1e-9)
    taken = (costs + found.prices)[np.arange(s), found.labels]
    scale = 1e-9 * (1.0 + np.abs(costs).max())
    assert (taken <= (costs + found.prices).min(axis=1) + scale).all()
    assert (counts[found.prices > scale] == most[found.prices > scale]).all()
    assert (counts[found.prices < -scale] == least[found.prices < -scale]).all()
    return found.prices


@pytest.mark.slow
def test_the_cost_is_that_of_a_linear_program() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        s, k = int(rng.integers(1, 30)), int(rng.integers(1, 7))
        check(random_costs(rng, s, k), *random_bounds(rng, s, k))


@pytest.mark.slow
def test_prices_of_other_costs_and_bounds_do_no_harm() -> None:
    rng = np.random.default_rng(1)
    for _ in range(150):
        s, k = int(rng.integers(2, 30)), int(rng.integers(1, 7))
        costs = random_costs(rng, s, k)
        prices = check(costs, *random_bounds(rng, s, k))
        check(costs + 0.1 * rng.random((s, k)), *random_bounds(rng, s, k), prices)
        check(random_costs(rng, s, k), *random_bounds(rng, s, k), rng.standard_normal(k))


@pytest.mark.parametrize(("s", "k"), [(30, 5), (200, 10), (300, 4)])
def test_exact_sizes_cost_what_copies_of_clusters_cost(s: int, k: int) -> None:
    rng = np.random.default_rng(s)
    costs = ((rng.standard_normal((s, 1, 3)) - rng.standard_normal((1, k, 3))) ** 2).sum(axis=2)
    sizes = np.full(k, s // k)
    found = transport(costs, sizes, sizes)
    rows, columns = linear_sum_assignment(np.repeat(costs, s // k, axis=1))
    assert costs[np.arange(s), found.labels].sum() == pytest.approx(costs[rows, columns // (s // k)].sum(), rel=1e-12)


@pytest.mark.parametrize(("least", "most"), [([3, 3], [4, 4]), ([0, 0], [2, 2]), ([2, 0], [1, 9])])
def test_bounds_that_no_labels_satisfy_give_nothing(least: list[int], most: list[int]) -> None:
    assert transport(np.ones((5, 2)), np.array(least), np.array(most)) is None


def test_ten_thousand_nodes_take_a_fraction_of_a_second() -> None:
    rng = np.random.default_rng(0)
    points, centres = rng.standard_normal((10_000, 5)), rng.standard_normal((50, 5))
    costs, sizes = ((points[:, None] - centres) ** 2).sum(axis=2), np.full(50, 200)
    transport(costs[:100], sizes // 100, sizes // 100)  # compiled
    begun = time.process_time()
    first = transport(costs, sizes, sizes)
    seconds = time.process_time() - begun
    begun = time.process_time()
    again = transport(costs, sizes, sizes, prices=first.prices)
    seconds_again = time.process_time() - begun
    assert again is not None
    taken = [costs[np.arange(10_000), found.labels].sum() for found in (first, again)]
    assert taken[1] == pytest.approx(taken[0], rel=1e-12)
    assert seconds_again < seconds < 2.0  # they take 2 and 60 ms
