"""Centres, costs and starts, also from the relaxation (Paper, Algorithm 2)."""

import numpy as np
import pytest

from pcsos.heuristics.centres import Costs, centres_of, kmeans_pp_centres, objective_of, random_centres
from pcsos.heuristics.sdp_start import centres_from_projection, kmeans_centres
from pcsos.problem.instance import Instance
from tests.heuristics.problems import Problem, blobs, cost, feasible_problems, tolerance
from tests.oracle import y_matrices


@pytest.mark.parametrize("d", [1, 2, 12, 13, 40])
def test_costs_are_weighted_squared_distances(d: int) -> None:
    rng = np.random.default_rng(d)
    points, weights, centres = rng.normal(size=(60, d)), rng.uniform(0.5, 3.0, 60), rng.normal(size=(4, d))
    reduced = Problem.of(Instance(points, 4, weights=weights)).reduced
    expected = [[e * sum((x - c) ** 2) for c in centres] for e, x in zip(weights, reduced.coordinates, strict=True)]
    np.testing.assert_allclose(Costs.of(reduced)(centres), expected, rtol=1e-10)


def test_objective_is_that_of_the_original_points() -> None:
    for problem, truth in feasible_problems(60):
        labels = problem.reduced.project(truth.labels[-1])
        assert objective_of(problem.reduced, labels) == pytest.approx(
            cost(problem, labels), rel=1e-9, abs=tolerance(problem.instance)
        )


def test_centres_are_weighted_means() -> None:
    reduced = Problem.of(Instance([[0.0], [2.0], [10.0]], 2, weights=[1.0, 3.0, 1.0])).reduced
    centres = centres_of(reduced, np.array([0, 0, 1]))
    assert centres[1, 0] - centres[0, 0] == pytest.approx(10.0 - 1.5)


@pytest.mark.parametrize("draw", [random_centres, kmeans_pp_centres])
def test_starts_are_distinct_super_points_even_where_points_coincide(draw) -> None:  # type: ignore[no-untyped-def]
    reduced = Problem.of(Instance([[0.0], [0.0], [0.0], [1.0], [1.0]], 5)).reduced
    centres = np.sort(draw(reduced, np.random.default_rng(0))[:, 0])
    np.testing.assert_array_equal(centres, np.sort(reduced.coordinates[:, 0]))


def test_k_means_pp_prefers_far_points() -> None:
    reduced = Problem.of(Instance([[0.0], [0.001], [0.002], [100.0]], 2)).reduced
    rng = np.random.default_rng(0)
    spans = [np.ptp(kmeans_pp_centres(reduced, rng)) for _ in range(50)]
    assert min(spans) > 99.0


def test_starts_depend_on_the_generator_only() -> None:
    reduced = Problem.of(blobs(40, 4)).reduced
    first, again, other = (kmeans_pp_centres(reduced, np.random.default_rng(seed)) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


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
