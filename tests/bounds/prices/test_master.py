"""Master: against a linear program solved by a library, and what it is charged; slopes of its prices."""

import numpy as np
import pytest
from scipy.optimize import linprog

from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.clusters import Clusters, stretches_of
from pcsos.bounds.prices.master import Rows, best_change
from pcsos.bounds.prices.terms import Terms
from pcsos.bounds.prices.tree import PointTree
from tests.slow import first_few


def pool(seed: int, num_cells: int, most: float = np.inf) -> tuple[Rows, int]:
    """Some clusters of some points, all points among them; these pay so much at most."""
    rng = np.random.default_rng(seed)
    means, weights, k = rng.normal(size=(30, 2)), rng.uniform(0.5, 2.0, 30), int(rng.integers(2, 5))
    tree = PointTree.of(means, weights, np.arange(30) % k)
    clusters = Clusters(tree, rng)
    for _ in range(8):
        labels = rng.integers(0, k, 30)
        for cluster in range(k):
            clusters.add(stretches_of(np.flatnonzero(labels == cluster)))
    prices = np.minimum(rng.normal(size=30), most)
    return Rows.of(clusters, prices, Terms.of(tree, cells(tree, num_cells, rng))), k


def dense(rows: Rows) -> np.ndarray:
    matrix = np.zeros((rows.slack.size, rows.cell_weights.size))
    for j in range(rows.slack.size):
        matrix[j, rows.cell[rows.ends[j] : rows.ends[j + 1]]] = rows.weight[rows.ends[j] : rows.ends[j + 1]]
    return matrix


@pytest.mark.parametrize("seed", first_few(10, range(20)))
@pytest.mark.parametrize("num_cells", [4, 30])
def test_without_a_charge_it_is_the_linear_program(seed: int, num_cells: int) -> None:
    rows, k = pool(seed, num_cells)
    matrix, b = dense(rows), rows.cell_weights
    exact = linprog(
        -np.append(b, -k), A_ub=np.column_stack([matrix, -np.ones(len(matrix))]), b_ub=rows.slack, bounds=(None, None)
    )
    found = best_change(rows, k, 1e-7, 1e-7)
    assert found.gain == pytest.approx(-exact.fun, abs=1e-4)
    assert (matrix @ found.rates - found.profit <= rows.slack + 1e-6).all()
    assert found.shares.sum() == pytest.approx(k, abs=1e-6)
    np.testing.assert_allclose(matrix.T @ found.shares, b, atol=1e-3)


def test_a_charge_keeps_the_change_small() -> None:
    rows, k = pool(5, 10)
    sizes = [float(np.abs(best_change(rows, k, charge, 1e-8).rates).max()) for charge in (1.0, 30.0, 1e3)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 0.1 * sizes[0]


def test_prices_that_are_all_negative_are_charged_alike() -> None:
    rows, k = pool(5, 10, -0.1)
    assert rows.inertia.min() > 0.0
    assert np.isfinite(best_change(rows, k, 1.0, 1e-8).rates).all()


@pytest.mark.parametrize("number", [1, 2, 7, 30, 99])
def test_cells_share_out_the_points(number: int) -> None:
    rng = np.random.default_rng(0)
    tree = PointTree.of(rng.normal(size=(30, 3)), np.ones(30), np.arange(30) % 2)
    begins = cells(tree, number, rng)
    assert begins[0] == 0
    assert (np.diff(begins) > 0).all()
    assert len(begins) == min(number, 30)


def test_points_at_one_place_are_one_cell() -> None:
    means = np.repeat([[0.1, 0.2], [0.3, 0.4]], 5, axis=0)
    tree = PointTree.of(means, np.ones(10), np.zeros(10, np.intp))
    assert cells(tree, 6, np.random.default_rng(0)).tolist() == [0, 5]


def test_a_far_point_gets_a_cell_early() -> None:
    means = np.concatenate([np.random.default_rng(1).normal(size=(500, 2)), [[1e4, 2.0]]])
    tree = PointTree.of(means, np.ones(501), np.zeros(501, np.intp))
    begins = np.append(cells(tree, 10, np.random.default_rng(0)), 501)
    assert np.diff(begins)[np.searchsorted(begins, tree.order.tolist().index(500), side="right") - 1] == 1


def test_cells_are_small_where_points_are_missed() -> None:
    rng = np.random.default_rng(2)
    tree = PointTree.of(rng.normal(size=(400, 2)), np.ones(400), np.zeros(400, np.intp))
    missed = np.where(np.arange(400) < 40, 1.0, 0.0)
    begins = cells(tree, 40, rng, missed)
    assert (begins < 40).sum() > 20


@pytest.mark.parametrize("seed", range(10))
def test_terms_change_prices_as_clusters_count_them(seed: int) -> None:
    """What a change of prices adds to a cluster is what its row says."""
    rng = np.random.default_rng(seed)
    n, k = 300, 3
    tree = PointTree.of(rng.normal(size=(n, 2)) + 5.0, rng.uniform(0.5, 2.0, n), rng.integers(0, k, n))
    clusters = Clusters(tree, rng)
    members = [np.flatnonzero(rng.random(n) < 0.5) for _ in range(6)] + [np.arange(n)]
    for own in members:
        assert clusters.add(stretches_of(own))
    terms, prices = Terms.of(tree, cells(tree, 12, rng)), rng.normal(size=n)
    rows, values = Rows.of(clusters, prices, terms), rng.normal(size=len(terms.cell))
    assert len(terms.cell) > len(terms.ends) - 1  # some have slopes
    rates, slopes = terms.spread(tree, values)
    change = rates * tree.weights
    np.testing.assert_allclose(rows.sums(values), [change[own].sum() for own in members], atol=1e-9)
    costs = np.array(clusters.costs) - [prices[own].sum() for own in members]
    np.testing.assert_allclose(rows.slack, costs, atol=1e-9)
    np.testing.assert_allclose(change.sum(), terms.weights @ values, atol=1e-9)
    for begin, end in zip(terms.ends[:-1], terms.ends[1:], strict=True):  # slopes are those of the rates
        away, rise = tree.means[begin:end] - tree.means[begin], rates[begin:end] - rates[begin]
        np.testing.assert_allclose(rise, (slopes[begin:end] * away).sum(axis=1), atol=1e-9)
