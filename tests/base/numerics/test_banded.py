"""Banded: against dense factorisations."""

import numpy as np
import pytest
from numpy.linalg import LinAlgError
from scipy.sparse import csr_array

from pcsos.base.numerics.banded import Band, Factor
from tests.slow import first_few


def rows_of(seed: int, density: float) -> csr_array:
    """Rows of which each holds neighbours on a line, in an order that hides it, or anything."""
    rng = np.random.default_rng(seed)
    number, size = int(rng.integers(1, 60)), int(rng.integers(1, 40))
    rows = np.zeros((number, size))
    hidden = rng.permutation(size)
    for row in rows:
        first = int(rng.integers(size))
        row[hidden[first : first + 1 + int(density * size)]] = rng.uniform(0.5, 2.0)
    return csr_array(rows)


def lower_of(band: Band, matrix: np.ndarray) -> np.ndarray:
    """The lower triangle of a matrix in the order of a band."""
    size = len(matrix)
    ordered = matrix[np.ix_(band.order, band.order)]
    lower = np.zeros((size, band.width + 1))
    for j in range(size):
        own = ordered[j : j + band.width + 1, j]
        lower[j, : own.size] = own
    return lower


@pytest.mark.parametrize("seed", first_few(16, range(40)))
@pytest.mark.parametrize("density", [0.02, 0.1, 0.5])
def test_it_solves_what_a_dense_factor_solves(seed: int, density: float) -> None:
    rows = rows_of(seed, density)
    matrix = (rows.T @ rows).toarray() + np.eye(rows.shape[1])
    band = Band.of(rows)
    assert sorted(band.order.tolist()) == list(range(rows.shape[1]))
    i, j = np.nonzero(matrix)
    assert np.abs(band.place[i] - band.place[j]).max() <= band.width
    right = np.random.default_rng(seed).normal(size=len(matrix))
    factor, exact = Factor(band, lower_of(band, matrix)), np.linalg.solve(matrix, right)
    np.testing.assert_allclose(factor.solve(right), exact, rtol=1e-9, atol=1e-12)
    assert factor.inverse_square(right) == pytest.approx(right @ exact)


def test_neighbours_on_a_line_keep_a_narrow_band() -> None:
    size = 300
    rows, hidden = np.zeros((size - 2, size)), np.random.default_rng(0).permutation(size)
    for first, row in enumerate(rows):
        row[hidden[first : first + 3]] = 1.0
    band = Band.of(csr_array(rows))
    assert band.width <= 4
    assert band.work <= 16 * size


@pytest.mark.parametrize("value", [-1.0, np.nan])
def test_what_is_not_positive_definite_is_refused(value: float) -> None:
    band = Band.of(csr_array(np.eye(5)))
    lower = np.ones((5, band.width + 1))
    lower[3, 0] = value
    with pytest.raises(LinAlgError):
        Factor(band, lower)


def test_columns_that_no_row_holds_are_allowed() -> None:
    band = Band.of(csr_array((3, 4)))
    assert band.width == 0
    np.testing.assert_allclose(Factor(band, np.full((4, 1), 2.0)).solve(np.ones(4)), 0.5)
