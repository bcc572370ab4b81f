"""Master: against a linear program solved by a library, and what it is charged."""

import numpy as np
import pytest
from scipy.optimize import linprog

from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.clusters import Clusters
from pcsos.bounds.prices.master import Rows, best_change


def pool(seed: int, num_cells: int) -> tuple[Rows, int]:
    """Some clusters of some points, all points among them."""
    rng = np.random.default_rng(seed)
    means, weights, k = rng.normal(size=(30, 2)), rng.uniform(0.5, 2.0, 30), int(rng.integers(2, 5))
    clusters = Clusters(means, weights, rng)
    for _ in range(8):
        labels = rng.integers(0, k, 30)
        for cluster in range(k):
            clusters.add(np.flatnonzero(labels == cluster))
    cell, number = cells(means, weights, num_cells, rng)
    return Rows.of(clusters, rng.normal(size=30), cell, number), k


def dense(rows: Rows) -> np.ndarray:
    matrix = np.zeros((rows.slack.size, rows.cell_weights.size))
    for j in range(rows.slack.size):
        matrix[j, rows.cell[rows.ends[j] : rows.ends[j + 1]]] = rows.weight[rows.ends[j] : rows.ends[j + 1]]
    return matrix


@pytest.mark.parametrize("seed", range(20))
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


@pytest.mark.parametrize("number", [1, 2, 7, 30, 99])
def test_cells_share_out_the_points(number: int) -> None:
    rng = np.random.default_rng(0)
    means = rng.normal(size=(30, 3))
    cell, found = cells(means, np.ones(30), number, rng)
    assert sorted(set(cell.tolist())) == list(range(found))
    assert found == min(number, 30)


def test_points_at_one_place_are_one_cell() -> None:
    means = np.repeat([[0.1, 0.2], [0.3, 0.4]], 5, axis=0)
    assert cells(means, np.ones(10), 6, np.random.default_rng(0))[1] == 2


def test_a_far_point_gets_a_cell_early() -> None:
    means = np.concatenate([np.random.default_rng(1).normal(size=(500, 2)), [[1e4, 2.0]]])
    cell, _ = cells(means, np.ones(501), 4, np.random.default_rng(0))
    assert (cell == cell[-1]).sum() == 1
