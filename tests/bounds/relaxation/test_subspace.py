"""Following eigenpairs: what is returned meets the tolerance, and what does not meet it is not returned."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.bounds.relaxation.capped_simplex import simplex_threshold
from pcsos.bounds.relaxation.spectral import ANEW_EVERY, FOLLOWED_SIZE, SpectralProjection
from pcsos.bounds.relaxation.subspace import Subspace
from tests.bounds.relaxation.samples import random_symmetric
from tests.bounds.relaxation.test_spectral import reference, unit

SIZE = FOLLOWED_SIZE + 20


def drifting(rng: np.random.Generator, steps: int, drift: float) -> list[NDArray[np.float64]]:
    """Matrices with a dozen leading eigenvalues, each a little different from the one before."""
    frame = np.linalg.qr(rng.standard_normal((SIZE, 12)))[0]
    m = (frame * rng.uniform(0.5, 1.0, 12)) @ frame.T + 1e-3 * random_symmetric(rng, SIZE)
    found = []
    for _ in range(steps):
        found.append(m)
        m = m + drift * random_symmetric(rng, SIZE) / SIZE
    return found


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-3])
def test_projections_are_as_close_as_they_are_asked_for(tolerance: float) -> None:
    rng = np.random.default_rng(0)
    u, k = unit(rng, SIZE), 4
    project = SpectralProjection(u, k)
    for m in drifting(rng, 12, 1e-2):
        assert np.linalg.norm(project(m, tolerance) - reference(m, u, k)) <= tolerance


def test_pairs_are_followed_and_not_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    project = SpectralProjection(unit(rng, SIZE), 4)
    anew: list[int] = []
    exact = SpectralProjection._decomposed
    monkeypatch.setattr(SpectralProjection, "_decomposed", lambda self, m: anew.append(1) or exact(self, m))
    for m in drifting(rng, ANEW_EVERY + 1, 1e-4):
        project(m, 1e-2)
    assert 2 <= len(anew) <= 6  # the first, the one after so many, and few that were not met


def leading(m: NDArray[np.float64], u: NDArray[np.float64], number: int) -> Subspace:
    """Pairs to follow, the exact ones of a matrix."""
    values, vectors = np.linalg.eigh(m - np.outer(u, u @ m) - np.outer(m @ u, u) + u @ m @ u * np.outer(u, u))
    subspace = Subspace(u)
    subspace.restart(values[::-1][:number], vectors[:, ::-1][:, :number])
    return subspace


def projection(found: tuple[NDArray[np.float64], NDArray[np.float64]], u: NDArray[np.float64]) -> NDArray[np.float64]:
    values, vectors = found
    weights = np.clip(values - simplex_threshold(values, 3.0), 0.0, 1.0)
    return np.outer(u, u) + (vectors * weights) @ vectors.T


@pytest.mark.parametrize("tolerance", [1e-2, 1e-5, 1e-8])
def test_a_matrix_that_is_quite_another_is_followed_as_closely(tolerance: float) -> None:
    rng = np.random.default_rng(2)
    u = unit(rng, SIZE)
    assert Subspace(u).pairs(drifting(rng, 1, 0.0)[0], 3.0, 1.0) is None  # nothing to begin with
    first, other = drifting(rng, 1, 0.0)[0], drifting(rng, 1, 0.0)[0]
    found = leading(first, u, 36).pairs(other, 3.0, tolerance)
    assert found is not None
    assert np.linalg.norm(projection(found, u) - reference(other, u, 4)) <= tolerance


def test_pairs_that_cannot_be_parted_from_others_are_not_followed() -> None:
    """All values of the other matrix are nearly the same, and far more of them are wanted than are followed."""
    rng = np.random.default_rng(2)
    u = unit(rng, SIZE)
    other = np.eye(SIZE) + 1e-3 * random_symmetric(rng, SIZE) / SIZE
    assert leading(drifting(rng, 1, 0.0)[0], u, 36).pairs(other, 3.0, 1e-3) is None
