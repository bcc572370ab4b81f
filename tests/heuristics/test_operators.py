"""Crossover and mutation."""

from typing import Any

import numpy as np
import pytest

from pcsos.heuristics.centres import Costs
from pcsos.heuristics.s_mdeclust import crossover, drawing_probabilities, match_centres, mutate
from pcsos.problem.instance import Instance
from tests.heuristics.problems import Problem, blobs


class Watched:
    """A generator that remembers the probabilities it was given."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.probabilities: list[np.ndarray] = []

    def integers(self, *args: Any) -> Any:
        return self.rng.integers(*args)

    def choice(self, size: int, *, p: np.ndarray) -> Any:
        self.probabilities.append(p)
        return self.rng.choice(size, p=p)


@pytest.mark.parametrize("k", [1, 2, 7, 30])
def test_matching_aligns_a_permuted_copy_exactly(k: int) -> None:
    rng = np.random.default_rng(k)
    centres = rng.normal(size=(k, 3))
    np.testing.assert_array_equal(match_centres(centres[rng.permutation(k)], centres), centres)


def test_matching_minimises_the_sum_of_squares() -> None:
    from itertools import permutations

    rng = np.random.default_rng(0)
    for _ in range(20):
        centres, reference = rng.normal(size=(2, 5, 2))
        least = min(((centres[list(p)] - reference) ** 2).sum() for p in permutations(range(5)))
        assert ((match_centres(centres, reference) - reference) ** 2).sum() == pytest.approx(least)


def test_crossover_of_equal_parents_in_any_order_is_the_first_parent() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 6, 2))
    offspring = crossover(first, second[rng.permutation(6)], second, (0.5, 0.8), rng)
    order = np.lexsort(offspring.T)
    np.testing.assert_allclose(offspring[order], first[np.lexsort(first.T)], atol=1e-12)


def test_crossover_steps_by_a_factor_from_its_range() -> None:
    rng = np.random.default_rng(2)
    first, second, third = np.zeros((1, 1)), np.ones((1, 1)), np.zeros((1, 1))
    factors = [crossover(first, second, third, (0.5, 0.8), rng)[0, 0] for _ in range(200)]
    assert 0.5 <= min(factors) < 0.52
    assert 0.78 < max(factors) <= 0.8


def test_probabilities_follow_the_formula_of_the_paper() -> None:
    weights, distances = np.array([1.0, 2.0, 1.0]), np.array([0.0, 1.0, 2.0])
    shares = drawing_probabilities(weights, weights * distances**2, 0.5)
    np.testing.assert_allclose(shares, 0.5 * weights / 4.0 + 0.5 * weights * distances / 4.0)


@pytest.mark.parametrize("assignment", ["exact", "greedy", "nearest"])
def test_mutation_moves_one_centre_onto_a_super_point(assignment: Any) -> None:
    problem = Problem.of(blobs(40, 5, constraints=20, seed=3))
    centres = np.random.default_rng(0).normal(size=(5, 3))
    for seed in range(20):
        mutated, work = mutate(
            problem.reduced,
            centres,
            Costs.of(problem.reduced),
            np.random.default_rng(seed),
            assignment=assignment,
        )
        changed = (mutated != centres).any(axis=1)
        assert changed.sum() == 1
        assert (problem.reduced.coordinates == mutated[changed]).all(axis=1).any()
        assert work.exact_assignments == (assignment == "exact")


def test_a_failed_exact_assignment_draws_all_points_alike() -> None:
    clique = [(0, 1), (0, 2), (1, 2)]
    problem = Problem.of(Instance([0.0, 5.0, 9.0, 20.0], 3, cannot_link=clique))
    costs, centres = Costs.of(problem.reduced), problem.reduced.coordinates[:3]
    probabilities = {}
    for assignment in ("exact", "greedy"):
        rng: Any = Watched(0)
        mutate(problem.reduced, centres, costs, rng, assignment=assignment)  # type: ignore[arg-type]
        probabilities[assignment] = rng.probabilities[0]
    np.testing.assert_allclose(probabilities["exact"], 0.25)
    assert np.ptp(probabilities["greedy"]) > 0.1


def test_the_only_centre_can_be_relocated() -> None:
    problem = Problem.of(Instance([0.0, 5.0, 9.0], 1))
    for assignment in ("exact", "greedy", "nearest"):
        rng: Any = Watched(1)
        mutate(
            problem.reduced,
            np.zeros((1, 1)),
            Costs.of(problem.reduced),
            rng,
            assignment=assignment,  # type: ignore[arg-type]
        )
        np.testing.assert_allclose(rng.probabilities[0], 1.0 / 3.0)
