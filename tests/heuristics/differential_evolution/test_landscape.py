"""The landscape: criteria, empty clusters, k-means, and when a population agrees."""

import numpy as np
import pytest

from pcsos.heuristics.differential_evolution.landscape import (
    CRITERIA,
    Criterion,
    criterion_value,
    evaluate,
    k_means,
    landscape_of,
    polished,
    relative_spread,
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


@pytest.mark.parametrize("criterion", CRITERIA)
def test_k_means_ends_at_a_small_change_and_never_gets_worse(criterion: Criterion) -> None:
    reduced = reduce_instance(blobs(200, 6, seed=3))
    landscape, labels = landscape_of(reduced, criterion), np.empty(200, np.intp)
    rng = np.random.default_rng(1)
    for _ in range(20):
        value, means, _ = evaluate(landscape, reduced.means[rng.integers(200, size=6)], labels)
        values = [value]
        while True:
            value, means, iterations, _ = k_means(landscape, means, value, labels, 0.0, 1)
            assert iterations == 1
            values.append(value)
            if abs(values[-1] - values[-2]) <= 1e-4 * abs(values[-2]):
                break
        assert values == sorted(values, reverse=True)
        start, means, _ = evaluate(landscape, reduced.means[rng.integers(200, size=6)], labels)
        end, _, iterations, _ = k_means(landscape, means, start, labels, 1e-4, 500)
        assert end <= start
        assert iterations >= 1


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
