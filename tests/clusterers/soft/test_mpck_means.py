import numpy as np
import pytest

from pcsos.clusterers.soft.descent import Passes
from pcsos.clusterers.soft.mpck_means import improved, metric_search
from pcsos.clusterers.soft.pairs import by_feature, without_costs
from tests.clusterers.soft.literal import broken_costs, literal_assignment, random_case, within
from tests.slow import first_few

PASSES = Passes(50)


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_the_cost_never_rises_and_is_equation_10(seed: int) -> None:
    case = random_case(seed, n=40, n_pairs=30)
    found = metric_search(case.points, by_feature(case.points, case.pairs), case.points[:3], PASSES)
    paid = within(case.points, found.labels) + broken_costs(case, found.labels)
    np.testing.assert_allclose(found.weights, 40.0 / paid, rtol=1e-10)
    assert found.objectives[-1] == pytest.approx(found.weights @ paid - 40.0 * np.log(found.weights).sum(), rel=1e-10)
    if not found.num_refilled:
        assert all(b <= a + 1e-9 * abs(a) for a, b in zip(found.objectives, found.objectives[1:], strict=False))


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_algorithm_as_printed(seed: int) -> None:
    case = random_case(seed, n=12, n_pairs=8)
    found = metric_search(case.points, by_feature(case.points, case.pairs), case.points[:3], PASSES)
    metric, centres, labels = np.ones(3), case.points[:3], np.full(12, -1)
    for _ in range(50):
        before = labels
        labels = literal_assignment(case, centres, metric, range(12), labels)
        centres = np.array([case.points[labels == h].mean(axis=0) for h in range(3)])
        metric = 12.0 / (within(case.points, labels) + broken_costs(case, labels))
        if np.array_equal(before, labels):
            break
    assert found.num_refilled == 0
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_allclose(found.weights, metric, rtol=1e-10)


def test_no_other_metric_costs_less() -> None:
    rng = np.random.default_rng(0)
    paid = rng.random(4)
    best, cost = improved(np.ones(4), paid, np.ones(4), 10)
    for factor in rng.uniform(0.8, 1.25, (50, 4)):
        assert (best * factor) @ paid - 10 * np.log(best * factor).sum() >= cost


def test_a_feature_that_pays_nothing_keeps_its_weight() -> None:
    metric, cost = improved(np.array([3.0, 1.0]), np.array([0.0, 5.0]), np.array([0.0, 50.0]), 10)
    assert metric.tolist() == [3.0, 2.0]
    assert cost == pytest.approx(10.0 - 10.0 * np.log(6.0))


def test_features_that_rounding_leaves_almost_nothing_keep_theirs_too() -> None:
    assert improved(np.ones(1), np.array([1e-20]), np.array([50.0]), 10)[0].tolist() == [1.0]


def test_a_multiple_of_the_metric_changes_no_label() -> None:
    """All that the assignment compares is multiplied alike."""
    case = random_case(7, n=40, n_pairs=30)
    one = metric_search(case.points, by_feature(case.points, case.pairs), case.points[:3], PASSES)
    scaled = 8.0 * case.points
    other = metric_search(scaled, by_feature(scaled, case.pairs), scaled[:3], PASSES)
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_allclose(one.weights, 64.0 * other.weights, rtol=1e-12)


def test_a_constant_feature_does_not_disturb() -> None:
    case = random_case(8, n=40)
    alone = metric_search(case.points, without_costs(40, 3), case.points[:3], PASSES)
    beside = np.column_stack([case.points, np.zeros(40)])
    found = metric_search(beside, without_costs(40, 4), beside[:3], PASSES)
    np.testing.assert_array_equal(found.labels, alone.labels)
    assert found.weights[3] == 1.0
