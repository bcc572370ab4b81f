"""Rearrangement: the example of the paper, the greedy rule and the best one."""

from itertools import permutations

import numpy as np
import pytest

from pcsos.heuristics.differential_evolution.rearrangement import (
    MATCHINGS,
    Matching,
    classification_matrix,
    dissimilarity,
    greedy_rule,
    hungarian_rule,
    reorder,
)

#: The two classifications of 24 objects in section 6 of the paper.
FIRST = np.array([int(c) - 1 for c in "111111222222223333333333"], np.intp)
SECOND = np.array([int(c) - 1 for c in "333333111111112222222222"], np.intp)


@pytest.mark.parametrize("rule_of", [greedy_rule, hungarian_rule])
def test_the_example_of_the_paper(rule_of: object) -> None:
    matrix = classification_matrix(FIRST, SECOND, np.ones(24), 3)
    np.testing.assert_array_equal(matrix, [[0, 0, 6], [8, 0, 0], [0, 10, 0]])
    assert dissimilarity(matrix) == 1.0
    rule = rule_of(matrix)  # type: ignore[operator]
    assert (rule + 1).tolist() == [3, 1, 2]
    np.testing.assert_array_equal(rule[FIRST], SECOND)
    after = classification_matrix(rule[FIRST], SECOND, np.ones(24), 3)
    np.testing.assert_array_equal(after, np.diag([8, 10, 6]))
    assert dissimilarity(after) == 0.0


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
    matrix = classification_matrix(np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([2.0, 0.5, 3.0]), 2)
    np.testing.assert_array_equal(matrix, [[0.5, 2.0], [0.0, 3.0]])
