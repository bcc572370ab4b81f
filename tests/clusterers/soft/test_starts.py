"""Where centres begin: recipes on points whose answer can be seen, and on those that spoil them."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from pcsos.base.exceptions import InputError
from pcsos.clusterers.graph.mcssdbs import spanning_tree
from pcsos.clusterers.soft.starts import STARTS, crowding, outlier_factors, starting_centres
from pcsos.problem.conditions.pairs import Constraints

RNG = np.random.default_rng(0)


def start(recipe: Any, points: Any, k: int, groups: Any = None) -> list[list[float]]:
    """Return the centres that a recipe gives."""
    points = np.asarray(points, float)
    names = list(range(len(points)) if groups is None else groups)
    chains = [(names.index(name), i) for i, name in enumerate(names)]
    return starting_centres(recipe, points, k, Constraints(len(points), chains), np.random.default_rng(1)).tolist()


def column(values: Any) -> np.ndarray:
    return np.asarray(values, float)[:, None]


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("k", [1, 3, 12])
def test_every_recipe_gives_k_of_all_numbers(name: str, k: int) -> None:
    points = RNG.normal(size=(12, 2))
    assert np.shape(start(name, points, k)) == (k, 2)


@pytest.mark.parametrize("name", STARTS)
def test_every_recipe_bears_duplicates_constants_and_a_single_point(name: str) -> None:
    copies = np.repeat([[0.0, 3.0], [1.0, 3.0]], 8, axis=0)
    equal = np.full((5, 2), 7.0)
    for points, k in ((copies, 4), (equal, 3), (equal[:1], 1), (equal[:2], 2)):
        assert np.isfinite(start(name, points, k)).all()
    if name != "k-means++":
        assert sorted(start(name, copies, 2)) == [[0.0, 3.0], [1.0, 3.0]] or name == "seeding"


class TestMaximin:
    def test_it_begins_with_the_largest_norm_and_goes_on_with_the_farthest(self) -> None:
        assert start("maximin", column([1, -9, 4, 8, -1]), 3) == [[-9.0], [8.0], [-1.0]]

    def test_it_depends_on_the_origin(self) -> None:
        assert start("maximin", column([1, -9, 4, 8, -1]) + 100, 1) == [[108.0]]


class TestDensity:
    def test_the_tree_is_that_of_scipy_where_no_points_are_equal(self) -> None:
        points = np.random.default_rng(3).normal(size=(40, 3))
        expected = minimum_spanning_tree(cdist(points, points)).data
        _, squares = spanning_tree(points, np.arange(40), np.arange(40))
        np.testing.assert_allclose(np.sort(np.sqrt(squares[1:])), np.sort(expected), rtol=1e-12)

    def test_crowding_sums_what_is_near(self) -> None:
        sums = crowding(column([0, 1, 3]), 2.0)
        near, far = np.exp(-0.5), np.exp(-1.0)
        np.testing.assert_allclose(sums, [near, near + far, far], rtol=1e-15)

    def test_the_densest_point_is_first_and_the_next_is_dense_and_far(self) -> None:
        """The radius is 2.5 (quartiles 0.5 and 1 of the edges), so that the outlier at 60 is not dense at all."""
        centres = start("dkm++", column([0, 1, 2, 20, 20.5, 21, 21.5, 22, 22.5, 23, 60]), 2)
        assert centres == [[21.5], [1.0]]

    def test_scaling_and_moving_change_nothing(self) -> None:
        points = np.random.default_rng(4).normal(size=(30, 2))
        for name in ("dkm++", "robin"):
            np.testing.assert_allclose(start(name, 4.0 * points + 8.0, 3), 4.0 * np.array(start(name, points, 3)) + 8.0)


class TestRobin:
    def test_factors_are_about_one_inside_and_more_outside(self) -> None:
        points = np.vstack([np.random.default_rng(5).uniform(size=(200, 2)), [[6.0, 6.0]]])
        factors = outlier_factors(points)
        assert np.median(factors) == pytest.approx(1.0, abs=0.05)
        assert np.argmax(factors) == 200
        assert factors[200] > 5.0

    def test_factors_are_those_of_the_definition(self) -> None:
        points = np.random.default_rng(6).normal(size=(25, 2))
        distances = cdist(points, points)
        near = [np.argsort(row)[1:11] for row in distances]
        density = np.array([10.0 / distances[i, near[i]].sum() for i in range(25)])
        expected = [density[near[i]].mean() / density[i] for i in range(25)]
        np.testing.assert_allclose(outlier_factors(points), expected, rtol=1e-12)

    def test_ties_for_the_last_neighbour_are_all_neighbours(self) -> None:
        """Unit vectors and their opposites: 12 around the origin, each of which has it and 10 at the root of 2."""
        points = np.vstack([np.zeros((1, 6)), np.eye(6), -np.eye(6)])
        own = 11.0 / (1.0 + 10.0 * np.sqrt(2.0))
        expected = [own / 1.0, *[(1.0 + 10.0 * own) / 11.0 / own] * 12]
        np.testing.assert_allclose(outlier_factors(points), expected, rtol=1e-12)

    def test_an_outlier_is_passed_over(self) -> None:
        grid = np.array([[x, y] for x in range(6) for y in range(6)], float)
        points = np.vstack([grid, grid + np.array([40.0, 0.0]), [[20.0, 500.0]]])
        centres = np.array(start("robin", points, 2))
        assert [500.0] not in centres[:, 1:].tolist()
        assert sorted(centres[:, 0] > 20.0) == [False, True]


class TestSeeding:
    def test_the_largest_group_is_first_then_large_and_far_ones(self) -> None:
        """Groups of 3 at 0, of 2 at 10 and of 2 at 4: the distance counts times the root of both sizes."""
        points = column([0, 0, 0, 9, 11, 3, 5, 70])
        assert start("seeding", points, 2, [0, 0, 0, 1, 1, 2, 2, 3]) == [[0.0], [10.0]]

    def test_a_large_group_near_by_goes_before_a_small_one_farther_away(self) -> None:
        points = column([0, 0, 0, 0, *[4] * 9, 5, 5])
        groups = [0] * 4 + [1] * 9 + [2] * 2
        assert start("seeding", points, 2, groups) == [[4.0], [0.0]]

    def test_too_few_groups_are_all_taken_and_other_points_drawn(self) -> None:
        points = column([0, 2, 10, 20, 30])
        centres = start("seeding", points, 3, [0, 0, 1, 2, 3])
        assert centres[0] == [1.0]
        assert len({c for (c,) in centres} & {10.0, 20.0, 30.0}) == 2

    def test_where_all_points_are_in_groups_any_of_them_is_drawn(self) -> None:
        centres = start("seeding", column([0, 2]), 2, [0, 0])
        assert centres[0] == [1.0]
        assert centres[1][0] in (0.0, 2.0)


class TestCustom:
    def test_a_function_gets_points_k_and_a_generator(self) -> None:
        def last(points: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
            assert isinstance(rng, np.random.Generator)
            return points[-k:]

        assert start(last, column([1, 2, 3]), 2) == [[2.0], [3.0]]

    @pytest.mark.parametrize("result", [[[1.0]], [[1.0], [np.nan]], [1.0, 2.0]])
    def test_what_it_returns_has_to_be_k_finite_centres(self, result: Any) -> None:
        with pytest.raises(InputError, match="it has to return 2 finite centres with 1 features"):
            start(lambda points, k, rng: result, column([1, 2, 3]), 2)

    @pytest.mark.parametrize("name", ["random", None, 3])
    def test_other_names_are_refused(self, name: Any) -> None:
        with pytest.raises(InputError, match=r"init is .*; give one of 'dkm\+\+', 'robin', 'maximin', 'seeding'"):
            start(name, column([1, 2, 3]), 2)
