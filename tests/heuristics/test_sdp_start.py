"""Centres from the relaxation (Paper, Algorithm 2)."""

import numpy as np

from pcsos.heuristics.centres import centres_of
from pcsos.heuristics.sdp_start import centres_from_projection, kmeans_centres
from tests.heuristics.problems import Problem, blobs
from tests.oracle import y_matrices


def by_first_coordinate(centres: np.ndarray) -> np.ndarray:
    return centres[np.argsort(centres[:, 0])]


def test_a_tight_relaxation_gives_the_centres_of_its_partition() -> None:
    problem = Problem.of(blobs(40, 4, constraints=30, seed=1))
    reduced = problem.reduced
    labels = np.concatenate([np.arange(4), np.random.default_rng(2).integers(4, size=reduced.size - 4)])
    expected = by_first_coordinate(centres_of(reduced, labels))
    assert np.unique(reduced.weights).size > 1
    Y = y_matrices(labels[None], reduced.weights)[0]
    centres = centres_from_projection(Y, reduced, np.random.default_rng(0))
    np.testing.assert_allclose(by_first_coordinate(centres), expected, atol=1e-9)


def test_noise_is_cut_off_by_the_rank() -> None:
    problem = Problem.of(blobs(60, 3, seed=1))
    reduced = problem.reduced
    labels = np.arange(60) % 3
    noise = 1e-4 * np.random.default_rng(0).standard_normal((60, 60))
    Y = y_matrices(labels[None], reduced.weights)[0] + noise + noise.T
    centres = centres_from_projection(Y, reduced, np.random.default_rng(0))
    np.testing.assert_allclose(
        by_first_coordinate(centres), by_first_coordinate(centres_of(reduced, labels)), atol=1e-2
    )


def test_k_means_centres_ignore_cannot_links() -> None:
    free, bound = (Problem.of(blobs(40, 3, constraints=c, seed=1)).reduced for c in (0, 0))
    linked = Problem.of(blobs(40, 3, constraints=25, seed=1)).reduced
    assert linked.cannot_link.size
    first, again = (kmeans_centres(r, np.random.default_rng(5)) for r in (free, bound))
    np.testing.assert_array_equal(first, again)
    assert kmeans_centres(linked, np.random.default_rng(5)).shape == (3, linked.coordinates.shape[1])
