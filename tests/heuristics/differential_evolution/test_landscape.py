"""Landscapes: values, partitions and k-means of vectors of centres, and the order of the centres."""

from itertools import permutations

import numpy as np
import pytest

from pcsos.heuristics.centres import overlap
from pcsos.heuristics.differential_evolution.landscape import (
    MATCHINGS,
    Criterion,
    Matching,
    criterion_value,
    evaluate,
    greedy_rule,
    hungarian_rule,
    k_means,
    landscape_of,
    polished,
    relative_spread,
    reorder,
)
from pcsos.heuristics.record import Solution
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests.heuristics.problems import blobs


def decoded(reduced: Reduced, centres: object, criterion: Criterion = "TRW") -> tuple[float, list[int], int]:
    labels = np.empty(reduced.size, np.intp)
    value, _, filled = evaluate(landscape_of(reduced, criterion), np.asarray(centres, np.float64), labels)
    return value, labels.tolist(), filled


def on_a_line(points: list[float], k: int, **options: object) -> Reduced:
    """The mean of the points must be 0, where the reduction moves it."""
    return reduce_instance(Instance(points, k, **options))  # type: ignore[arg-type]


def test_points_belong_to_the_nearest_centre_and_are_judged_around_the_means() -> None:
    reduced = on_a_line([-3.0, -1.0, 1.0, 3.0], 2)
    assert decoded(reduced, [[-100.0], [99.0]]) == (4.0, [0, 0, 1, 1], 0)
    assert decoded(reduced, [[9.0], [-4.0]]) == (8.0, [1, 1, 1, 0], 0)


def test_an_empty_cluster_gets_the_farthest_member_of_the_largest_one() -> None:
    reduced = on_a_line([-7.0, -5.0, 0.0, 2.0, 4.0, 6.0], 3)
    _, labels, filled = decoded(reduced, [[-5.5], [50.0], [2.8]])
    assert (labels, filled) == ([0, 0, 2, 2, 2, 1], 1)  # 6 is 3.2 away from the centre of the four, 0 only 2.8
    _, labels, filled = decoded(reduced, [[50.0], [0.0], [60.0]])
    assert (labels, filled) == ([0, 1, 1, 1, 1, 2], 2)  # -7, then 6


def test_the_largest_cluster_is_the_heaviest_that_can_spare_a_point() -> None:
    reduced = on_a_line([-30.0, 9.0, 10.0, 11.0], 3, weights=[10.0, 10.0, 10.0, 10.0])
    _, labels, filled = decoded(reduced, [[-30.0], [10.5], [99.0]])
    assert filled == 1
    assert labels[0] == 0
    heavy = reduce_instance(Instance([-30.0, 9.0, 10.0, 11.0], 3, weights=[100.0, 1.0, 1.0, 1.0]))
    _, labels, filled = decoded(heavy, [heavy.means[0], heavy.means[2], [99.0]])
    assert (labels, filled) == ([0, 2, 1, 1], 1)  # the first is the heaviest, but alone


def scatter(points: np.ndarray, weights: np.ndarray) -> float:
    return float(weights @ ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1))


def test_both_criteria_are_those_of_the_paper() -> None:
    rng = np.random.default_rng(2)
    points, must_link = rng.standard_normal((20, 3)), [(0, 5), (5, 9)]
    reduced = reduce_instance(Instance(points, 4, must_link))
    centres = rng.standard_normal((4, 3))
    value, labels, _ = decoded(reduced, centres)
    lifted = reduced.lift(np.array(labels))
    within = sum(scatter(points[lifted == h], np.ones((lifted == h).sum())) for h in range(4))
    total = scatter(points, np.ones(20))
    assert value == pytest.approx(within)
    ratio = ((total - within) / 3) / (within / 16)
    value, again, _ = decoded(reduced, centres, "VRC")
    assert again == labels
    assert 16 / 3 * value == pytest.approx(-ratio)


def test_a_partition_without_scatter_is_the_best_value() -> None:
    reduced = on_a_line([-1.0, -1.0, 2.0], 2)
    assert decoded(reduced, [[-1.0], [2.0]]) == (0.0, [0, 0, 1], 0)
    assert decoded(reduced, [[-1.0], [2.0]], "VRC")[0] == -np.inf
    assert criterion_value(landscape_of(reduced, "VRC"), reduced.total) == 0.0


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([2.0, 2.5, 3.0], 0.5),
        ([-4.0, -3.0], 0.25),  # literally (fmax - fmin) / fmin is -0.25, and the run would end
        ([-4.0, -4.0], 0.0),
        ([0.0, 3.0], 0.0),
        ([-np.inf, -3.0], 0.0),
        ([-1.0, 0.0], 1.0),
    ],
)
def test_the_spread_of_a_population(values: list[float], spread: float) -> None:
    assert relative_spread(np.array(values)) == spread


def test_k_means_takes_as_many_steps_as_single_ones_do() -> None:
    reduced = reduce_instance(blobs(150, 5, seed=4))
    landscape, labels = landscape_of(reduced, "TRW"), np.empty(150, np.intp)
    start, first_means, _ = evaluate(landscape, reduced.means[:5], labels)
    first_labels, means, values = labels.copy(), first_means, [start]
    while len(values) < 2 or values[-2] - values[-1] > 1e-4 * values[-2]:
        value, means, _ = evaluate(landscape, means, labels)
        values.append(value)
    end, end_means, iterations, _ = k_means(landscape, first_means, start, first_labels, 1e-4, 500)
    assert (end, iterations) == (values[-1], len(values) - 1)
    assert iterations > 2
    np.testing.assert_array_equal(first_labels, labels)
    np.testing.assert_array_equal(end_means, means)
    assert k_means(landscape, first_means, start, first_labels, 1e-4, 2)[2] == 2


def test_k_means_counts_the_clusters_that_it_fills() -> None:
    reduced = on_a_line([-6.0, -5.0, 0.0, 2.0, 4.0, 5.0], 3)
    labels, means = np.empty(6, np.intp), np.array([[50.0], [0.0], [60.0]])
    _, _, iterations, filled = k_means(landscape_of(reduced, "TRW"), means, np.inf, labels, 0.0, 1)
    assert (iterations, filled) == (1, 2)


def test_polished_labels_are_a_fixed_point_of_k_means() -> None:
    reduced = reduce_instance(blobs(200, 6, seed=3))
    rng = np.random.default_rng(1)
    labels = np.concatenate([np.arange(6), rng.integers(6, size=194)])
    solution, work = polished(reduced, Solution(labels, 1e9), 500)
    means = np.array([reduced.means[solution.labels == h].mean(axis=0) for h in range(6)])
    nearest = np.linalg.norm(reduced.means[:, None] - means, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(solution.labels, nearest)
    assert work.local_search_iterations > 3
    assert solution.objective == pytest.approx(((reduced.means - means[nearest]) ** 2).sum())


#: The two classifications of 24 objects in section 6 of the paper.
FIRST = np.array([int(c) - 1 for c in "111111222222223333333333"], np.intp)
SECOND = np.array([int(c) - 1 for c in "333333111111112222222222"], np.intp)


@pytest.mark.parametrize("rule_of", [greedy_rule, hungarian_rule])
def test_the_example_of_the_paper(rule_of: object) -> None:
    matrix = overlap(FIRST, SECOND, np.ones(24), 3)
    np.testing.assert_array_equal(matrix, [[0, 0, 6], [8, 0, 0], [0, 10, 0]])
    rule = rule_of(matrix)  # type: ignore[operator]
    assert (rule + 1).tolist() == [3, 1, 2]
    np.testing.assert_array_equal(rule[FIRST], SECOND)
    after = overlap(rule[FIRST], SECOND, np.ones(24), 3)
    np.testing.assert_array_equal(after, np.diag([8, 10, 6]))


def test_greedy_is_not_the_best() -> None:
    matrix = np.array([[10.0, 9.0], [9.0, 0.0]])
    assert greedy_rule(matrix).tolist() == [0, 1]
    assert hungarian_rule(matrix).tolist() == [1, 0]
    kept = [matrix[np.arange(2), rule_of(matrix)].sum() for rule_of in (greedy_rule, hungarian_rule)]
    assert kept == [10.0, 18.0]


def test_rows_and_columns_are_free_of_each_other() -> None:
    """As printed, both rows would ask for the first position."""
    assert greedy_rule(np.array([[5.0, 0.0], [4.0, 0.0]])).tolist() == [0, 1]
    assert greedy_rule(np.array([[4.0, 0.0, 0.0], [5.0, 0.0, 1.0], [0.0, 0.0, 0.0]])).tolist() == [1, 0, 2]
    assert greedy_rule(np.zeros((3, 3))).tolist() == [0, 1, 2]


def test_rules_are_permutations_and_the_hungarian_one_is_the_best() -> None:
    rng = np.random.default_rng(0)
    losses = 0
    for _ in range(200):
        k = int(rng.integers(1, 6))
        matrix = rng.integers(0, 6, (k, k)).astype(float)
        kept = {}
        for name, rule in (("greedy", greedy_rule(matrix)), ("hungarian", hungarian_rule(matrix))):
            assert sorted(rule.tolist()) == list(range(k))
            kept[name] = matrix[np.arange(k), rule].sum()
        best = max(sum(matrix[i, p[i]] for i in range(k)) for p in permutations(range(k)))
        assert kept["hungarian"] == best
        assert kept["greedy"] >= best / 2  # as of any greedy matching
        losses += kept["greedy"] < best
    assert losses > 10


@pytest.mark.parametrize("matching", MATCHINGS)
def test_a_population_agrees_with_its_best_individual_and_means_the_same_as_before(matching: Matching) -> None:
    rng = np.random.default_rng(4)
    points, weights = rng.standard_normal((30, 2)), rng.uniform(0.5, 2.0, 30)
    best = rng.standard_normal((4, 2))
    vectors = np.array([best[rng.permutation(4)].ravel() for _ in range(6)])
    vectors[2] = best.ravel()

    def labels_of(vector: np.ndarray) -> np.ndarray:
        return np.linalg.norm(points[:, None] - vector.reshape(4, 2), axis=2).argmin(axis=1)

    labels = np.array([labels_of(vector) for vector in vectors])
    reorder(vectors, labels, 2, weights, 4, matching)
    np.testing.assert_array_equal(vectors, np.tile(best.ravel(), (6, 1)))
    np.testing.assert_array_equal(labels, np.tile(labels_of(best), (6, 1)))


def test_objects_count_by_their_weights() -> None:
    matrix = overlap(np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([2.0, 0.5, 3.0]), 2)
    np.testing.assert_array_equal(matrix, [[0.5, 2.0], [0.0, 3.0]])
