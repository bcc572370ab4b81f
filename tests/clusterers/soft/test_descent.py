import numpy as np
import pytest
from sklearn.datasets import load_wine

from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.descent import NOWHERE, Passes, assign, descend, means_and_scatter, refill
from pcsos.clusterers.soft.pairs import Penalties, WeightedPairs, alike, by_feature, in_total, without_costs
from pcsos.problem.conditions.spread import largest_square
from pcsos.problem.generate import constraints_from_labels
from tests.clusterers.soft.literal import (
    Case,
    best_pckm_cost,
    broken_costs,
    literal_assignment,
    pckm_cost,
    random_case,
    within,
)
from tests.slow import first_few

SEEDS = first_few(12, range(40))


def assigned(case: Case, penalties: Penalties, centres: Floats, weights: Floats, order: Indices, labels: Indices):
    start, partner, pair = penalties.incidence
    roots, found = np.sqrt(weights), labels.copy()
    assign(case.points * roots, centres * roots, start, partner, penalties.changes(weights)[pair], order, found)
    return found


class TestAssignment:
    @pytest.mark.parametrize("seed", first_few(40, range(100)))
    def test_the_kernel_assigns_as_the_formula_does(self, seed: int) -> None:
        case = random_case(seed, n=12, n_pairs=20)
        rng = np.random.default_rng(seed)
        penalties, centres, weights = by_feature(case.points, case.pairs), rng.normal(size=(3, 3)), rng.random(3)
        order = rng.permutation(12) if seed % 2 else np.arange(12)
        labels = rng.integers(-1, 3, 12)
        expected = literal_assignment(case, centres, weights, order, labels)
        np.testing.assert_array_equal(assigned(case, penalties, centres, weights, order, labels), expected)

    def test_the_order_matters(self) -> None:
        """Two points between two centres, each nearer to another one, who had rather be together."""
        case = Case(np.array([[0.0], [10.0], [4.9], [5.1]]), 2, [(2, 3)], [], [100.0], [])
        penalties, centres = alike(4, case.pairs, np.ones(1)), np.array([[0.0], [10.0]])
        nowhere, ones = np.full(4, NOWHERE), np.ones(1)
        forwards = assigned(case, penalties, centres, ones, np.arange(4), nowhere)
        backwards = assigned(case, penalties, centres, ones, np.arange(4)[::-1].copy(), nowhere)
        assert (forwards.tolist(), backwards.tolist()) == ([0, 1, 0, 0], [0, 1, 1, 1])

    def test_partners_without_a_cluster_cost_nothing(self) -> None:
        case = Case(np.array([[0.0], [1.0], [9.0]]), 2, [], [(0, 1)], [], [1e6])
        found = assigned(
            case, by_feature(case.points, case.pairs), np.array([[0.0], [9.0]]), np.ones(1), np.array([0]),
            np.full(3, NOWHERE),
        )  # fmt: skip
        assert found.tolist() == [0, NOWHERE, NOWHERE]


class TestPenalties:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_penalties_are_those_of_the_formulas(self, seed: int) -> None:
        case, labels = random_case(seed), np.random.default_rng(seed).integers(3, size=9)
        np.testing.assert_allclose(
            by_feature(case.points, case.pairs).of(labels), broken_costs(case, labels), rtol=1e-12
        )
        total = in_total(case.points, case.pairs).of(labels)
        np.testing.assert_allclose(total, [broken_costs(case, labels).sum()], rtol=1e-12)

    def test_the_diameter_is_the_largest_distance_and_no_cost_is_negative(self) -> None:
        points = np.random.default_rng(0).normal(size=(30, 3))
        squares = ((points[:, None] - points) ** 2).sum(axis=2)
        assert largest_square(points) == pytest.approx(squares.max(), rel=1e-14)
        i, j = np.unravel_index(np.argmax(squares), squares.shape)
        pairs = WeightedPairs(np.empty((0, 2), np.intp), np.array([[i, j], [0, 1]]), np.empty(0), np.array([1.0, 2.0]))
        cannot = in_total(points, pairs, "diameter").cannot
        np.testing.assert_allclose(cannot, [[0.0], [2.0 * (squares.max() - squares[0, 1])]], atol=1e-12)
        box = in_total(points, pairs).cannot
        assert (box > cannot).all()

    def test_unit_costs_are_the_weights(self) -> None:
        case = random_case(3)
        unit = alike(9, case.pairs, np.ones(1))
        assert unit.must.ravel().tolist() == list(case.must_weight)
        assert unit.cannot.ravel().tolist() == list(case.cannot_weight)

    def test_the_incidence_lists_each_pair_at_both_ends(self) -> None:
        case = random_case(5)
        start, partner, pair = by_feature(case.points, case.pairs).incidence
        seen = [{i, int(partner[e]), int(pair[e]) + 100} for i in range(9) for e in range(start[i], start[i + 1])]
        pairs = [*case.must_link, *case.cannot_link]
        assert sorted(map(sorted, seen)) == sorted(
            sorted((*ends, 100 + t)) for t, ends in enumerate(pairs) for _ in "ab"
        )


class TestDescent:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_cost_never_rises_and_is_that_of_the_labels(self, seed: int) -> None:
        case = random_case(seed, n=40, n_pairs=60)
        found = descend(case.points, by_feature(case.points, case.pairs), np.ones(3), case.points[:3], Passes(25))
        assert found.objectives[-1] == pytest.approx(pckm_cost(case, found.labels), rel=1e-12)
        if not found.num_refilled:
            assert all(b <= a * (1 + 1e-12) for a, b in zip(found.objectives, found.objectives[1:], strict=False))

    @pytest.mark.parametrize("seed", SEEDS)
    def test_it_is_never_better_than_the_best_partition(self, seed: int) -> None:
        case = random_case(seed)
        penalties = in_total(case.points, case.pairs)
        found = descend(case.points, penalties, np.ones(1), case.points[:3], Passes(25))
        assert found.objectives[-1] >= best_pckm_cost(case) * (1 - 1e-12)
        assert set(found.labels) == {0, 1, 2}

    def test_without_pairs_it_is_the_algorithm_of_lloyd(self) -> None:
        points = np.random.default_rng(2).normal(size=(60, 3))
        centres = points[:4]
        found = descend(points, without_costs(60), np.ones(1), centres, Passes(100))
        while True:
            labels = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
            means = np.array([points[labels == h].mean(axis=0) for h in range(4)])
            if np.allclose(means, centres, rtol=0, atol=1e-15):
                break
            centres = means
        np.testing.assert_array_equal(found.labels, labels)
        np.testing.assert_allclose(found.centres, centres, rtol=1e-12)

    def test_passes_that_forget_free_points_that_their_partners_hold(self) -> None:
        points, classes = load_wine(return_X_y=True)
        points = (points - points.mean(axis=0)) / points.std(axis=0)
        must, cannot = constraints_from_labels(classes, n_must_link=50, n_cannot_link=100, seed=0)
        penalties = in_total(points, WeightedPairs(must, cannot, np.ones(50), np.ones(100)))
        centres = points[[0, 70, 150]]
        kept, forgotten = (
            [
                descend(
                    points, penalties, np.ones(1), centres, Passes(100, np.random.default_rng(seed), forget)
                ).objectives[-1]
                for seed in range(10)
            ]
            for forget in (False, True)
        )
        assert np.median(forgotten) < 0.97 * np.median(kept)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_passes_that_forget_only_ever_lower_the_cost_and_end_where_no_pass_changes_anything(
        self, seed: int
    ) -> None:
        case = random_case(seed, n=40, n_pairs=60)
        penalties, rng = by_feature(case.points, case.pairs), np.random.default_rng(seed)
        found = descend(case.points, penalties, np.ones(3), case.points[:3], Passes(100, rng, forget=True))
        assert found.objectives[-1] == pytest.approx(pckm_cost(case, found.labels), rel=1e-12)
        if not found.num_refilled:
            assert all(b <= a * (1 + 1e-12) for a, b in zip(found.objectives, found.objectives[1:], strict=False))
        still = assigned(case, penalties, found.centres, np.ones(3), np.arange(40), found.labels)
        np.testing.assert_array_equal(still, found.labels)

    def test_passes_are_limited(self) -> None:
        case = random_case(1, n=60, n_pairs=100)
        assert len(descend(case.points, without_costs(60), np.ones(1), case.points[:3], Passes(2)).objectives) == 2

    def test_a_drawn_order_is_another_one_each_pass(self) -> None:
        passes = Passes(5, np.random.default_rng(0))
        first, second = passes.order(20), passes.order(20)
        assert sorted(first) == sorted(second) == list(range(20))
        assert first.tolist() != second.tolist()
        assert Passes(5).order(3).tolist() == [0, 1, 2]


class TestEmptyClusters:
    def test_an_empty_cluster_gets_the_farthest_point_and_single_ones_stay(self) -> None:
        points = np.array([[0.0], [1.0], [5.0], [100.0]])
        labels = np.array([0, 0, 0, 1])
        assert refill(points, np.array([[0.0], [50.0], [7.0]]), labels) == 1
        assert labels.tolist() == [0, 0, 2, 1]

    def test_several_are_filled_by_different_points(self) -> None:
        labels = np.zeros(5, np.intp)
        assert refill(np.zeros((5, 2)), np.zeros((5, 2)), labels) == 4
        assert sorted(labels) == [0, 1, 2, 3, 4]

    def test_nothing_happens_without_any(self) -> None:
        labels = np.array([1, 0])
        assert refill(np.zeros((2, 1)), np.zeros((2, 1)), labels) == 0
        assert labels.tolist() == [1, 0]

    def test_a_descent_counts_them(self) -> None:
        points = np.array([[0.0], [1.0], [2.0]])
        found = descend(points, without_costs(3), np.ones(1), np.array([[1.0], [50.0]]), Passes(25))
        assert (found.num_refilled, set(found.labels)) == (1, {0, 1})


def test_means_and_scatter_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(4)
    points, labels = rng.normal(size=(30, 4)), rng.permutation(np.arange(30) % 3)
    means, scatter = means_and_scatter(points, labels, 3)
    np.testing.assert_allclose(means[1], points[labels == 1].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(scatter, within(points, labels), rtol=1e-12)
