"""The spectral projection against one that bisects on the full spectrum in an explicit basis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pcsos.bounds.relaxation.spectral import (
    ANEW_EVERY,
    FOLLOWED_SIZE,
    FULL_SHARE,
    GUARD,
    SpectralProjection,
    Subspace,
    deflate,
    simplex_threshold,
)
from tests.bounds.relaxation.samples import random_symmetric

seeds = st.integers(0, 2**32 - 1)


def reference(m: NDArray[np.float64], u: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    basis = np.linalg.svd(u[None, :])[2][1:].T
    values, vectors = np.linalg.eigh(basis.T @ m @ basis)
    low, high = values.min() - 1.0, values.max()
    for _ in range(200):
        middle = 0.5 * (low + high)
        if np.clip(values - middle, 0.0, 1.0).sum() > k - 1:
            low = middle
        else:
            high = middle
    vectors = basis @ vectors
    return np.outer(u, u) + (vectors * np.clip(values - high, 0.0, 1.0)) @ vectors.T


def unit(rng: np.random.Generator, s: int) -> NDArray[np.float64]:
    u = np.sqrt(rng.uniform(0.1, 5.0, s))
    return u / np.linalg.norm(u)


@settings(max_examples=60)
@given(seeds)
def test_the_projection_equals_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = int(rng.integers(2, 25))
    k = int(rng.integers(1, s + 1))
    u = unit(rng, s)
    project = SpectralProjection(u, k)
    for _ in range(3):
        m = random_symmetric(rng, s) * 10.0 ** rng.integers(-3, 3)
        np.testing.assert_allclose(project(m), reference(m, u, k), atol=1e-10 * max(1.0, np.linalg.norm(m)))


def test_a_partial_decomposition_gives_the_same() -> None:
    rng = np.random.default_rng(0)
    s, k = 200, 4
    u = unit(rng, s)
    project = SpectralProjection(u, k)
    for rank in (3, 5, 30, 3):  # 30 leading eigenvalues after few: the first guess is too small
        frame = np.linalg.qr(rng.standard_normal((s, rank)))[0]
        m = 3.0 * (frame * rng.uniform(0.9, 1.0, rank)) @ frame.T + 1e-3 * random_symmetric(rng, s)
        before = project.rank
        np.testing.assert_allclose(project(m), reference(m, u, k), atol=1e-10)
        assert before == s or before + GUARD < FULL_SHARE * s
    assert project.rank < 10


def test_pairs_that_are_not_found_are_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    u = unit(rng, 200)
    project = SpectralProjection(u, 4)
    frame = np.linalg.qr(rng.standard_normal((200, 3)))[0]
    expected = project(m := 3.0 * frame @ frame.T)
    monkeypatch.setattr("pcsos.bounds.relaxation.spectral.eigh", lambda b, **_: (np.zeros(0), np.zeros((len(b), 0))))
    np.testing.assert_allclose(project(m), expected, atol=1e-10)


def test_one_cluster_leaves_a_single_point() -> None:
    u = unit(np.random.default_rng(0), 6)
    np.testing.assert_array_equal(SpectralProjection(u, 1)(np.eye(6)), np.outer(u, u))


@settings(max_examples=100)
@given(seeds)
def test_the_threshold_meets_the_sum_exactly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 20))
    values = np.sort(rng.standard_normal(size) * 10.0 ** rng.integers(-2, 3))[::-1]
    if rng.random() < 0.3:
        values = np.sort(np.round(values))[::-1]  # ties
    total = float(rng.integers(1, size + 1))
    threshold = simplex_threshold(values, total)
    assert np.clip(values - threshold, 0.0, 1.0).sum() == pytest.approx(total, abs=1e-9)


def test_too_few_values_put_the_threshold_below_all_of_them() -> None:
    assert simplex_threshold(np.array([3.0, 2.0]), 5.0) <= 2.0


def test_deflation_moves_one_eigenvalue_and_keeps_the_complement() -> None:
    rng = np.random.default_rng(0)
    m, u = random_symmetric(rng, 9), unit(rng, 9)
    b = deflate(m, u, 123.0)
    np.testing.assert_allclose(b @ u, 123.0 * u, atol=1e-11)
    basis = np.linalg.svd(u[None, :])[2][1:]
    np.testing.assert_allclose(basis @ b @ basis.T, basis @ m @ basis.T, atol=1e-12)


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


def test_sharpened_pairs_are_free_of_what_is_set_aside() -> None:
    """With a part of u that single precision leaves in vectors, values would be wrong to first order."""
    rng = np.random.default_rng(4)
    u, w = unit(rng, SIZE), unit(rng, SIZE)
    first, other = drifting(rng, 2, 1e-3)
    other = other + np.outer(u, w) + np.outer(w, u)
    basis = leading(first, u, 36).basis
    assert basis is not None
    values, vectors, error = Subspace(u).pairs_near(other, basis, 3, 1e-6)
    assert error <= 1e-6
    np.testing.assert_allclose(u @ vectors, 0.0, atol=1e-14)
    expected = np.linalg.eigvalsh(deflate(other, u, -100.0))[::-1][:3]
    np.testing.assert_allclose(values, expected, rtol=0.0, atol=1e-11)
