"""Following eigenpairs: what is returned meets the tolerance, and what does not meet it is not returned."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.relaxation.spectral import ANEW_EVERY, FOLLOWED_SIZE, SpectralProjection
from pcsos.relaxation.subspace import Subspace
from tests.relaxation.samples import random_symmetric
from tests.relaxation.test_spectral import reference, unit

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


def test_a_matrix_that_is_quite_another_is_not_followed() -> None:
    rng = np.random.default_rng(2)
    u = unit(rng, SIZE)
    first, other = drifting(rng, 1, 0.0)[0], drifting(rng, 1, 0.0)[0]
    values, vectors = np.linalg.eigh(
        first - np.outer(u, u @ first) - np.outer(first @ u, u) + u @ first @ u * np.outer(u, u)
    )
    subspace = Subspace(u)
    assert subspace.pairs(first, 12, 1.0) is None  # nothing to begin with
    subspace.restart(values[::-1][:36], vectors[:, ::-1][:, :36])
    assert subspace.pairs(first, 12, 1e-3) is not None
    found = subspace.pairs(other, 12, 1e-8)
    assert found is None
