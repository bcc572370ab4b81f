"""Labels to begin with: both estimators take them over, check them, and never end with anything worse."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.cluster import KMeans

from pcsos import Instance, heuristics
from pcsos.base.exceptions import InputError
from pcsos.estimators import CertifiedKMeans, MemeticKMeans
from pcsos.heuristics.centres import centres_of_points
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.problem.params import MemeticParams
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import reduce_instance

KINDS: list[Any] = [CertifiedKMeans(6, node_limit=0, workers=1, random_state=0), MemeticKMeans(6, random_state=0)]
POINTS = np.random.default_rng(4).standard_normal((60, 3))
ANY = np.arange(60) % 6


@pytest.fixture(scope="module")
def best() -> NDArray[np.intp]:
    labels: NDArray[np.intp] = MemeticKMeans(6, max_stall=3000, random_state=1).fit(POINTS).labels_
    return labels


@pytest.mark.parametrize("kind", KINDS)
class TestFit:
    def test_the_best_ones_are_kept(self, kind: Any, best: NDArray[np.intp]) -> None:
        model = clone(kind).fit(POINTS, start=np.array(list("abcdef"))[best])
        assert model.inertia_ == pytest.approx(Partition.of(Instance(POINTS, 6), best).objective, rel=1e-12)
        np.testing.assert_array_equal(model.labels_, best)

    def test_poor_ones_are_left_behind(self, kind: Any) -> None:
        model = clone(kind).fit(POINTS, start=ANY)
        assert model.inertia_ < 0.7 * Partition.of(Instance(POINTS, 6), ANY).objective

    def test_those_of_k_means_of_scikit_learn_will_do(self, kind: Any) -> None:
        other = KMeans(6, n_init=1, random_state=3).fit(POINTS)
        assert clone(kind).fit(POINTS, start=other.labels_).inertia_ <= other.inertia_ * (1.0 + 1e-12)

    def test_samples_without_weight_need_none_that_fits(self, kind: Any, best: NDArray[np.intp]) -> None:
        points, labels = np.vstack([POINTS, [[50.0] * 3]]), np.append(best, 17)
        model = clone(kind).fit(points, sample_weight=np.append(np.ones(60), 0.0), start=labels)
        np.testing.assert_array_equal(model.labels_[:60], best)

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ([0, 0, 1], "there are 3 labels for 4 points"),
            ([0, 0, 0, 0], "a run cannot start from these labels: the labels use 1 cluster instead of 2"),
            ([0, 1, 1, 0], "points cedar and elm must be linked but are apart; give labels that satisfy"),
            (["a", None, "b", "b"], r"start\[1\] is None"),
            (pd.Series([0, 0, 1, 1], index=list("abcd")), "start have another index than the points"),
        ],
    )
    def test_others_are_refused(self, kind: Any, labels: Any, message: str) -> None:
        table = pd.DataFrame({"x": [0.0, 1.0, 8.0, 9.0]}, index=["ash", "beech", "cedar", "elm"])
        with pytest.raises(InputError, match=message):
            clone(kind).set_params(n_clusters=2).fit(table, must_link=[("elm", "cedar")], start=labels)


def test_a_heuristic_that_has_no_time_ends_with_them() -> None:
    found = heuristics.run(Instance(POINTS, 6), start=ANY, time_limit=0.0)
    assert found.record.feasible
    assert found.record.objective == pytest.approx(found.partition.objective, rel=1e-12)
    assert found.partition.objective <= Partition.of(Instance(POINTS, 6), ANY).objective


def test_the_first_local_search_begins_at_their_centres(best: NDArray[np.intp]) -> None:
    reduced = reduce_instance(Instance(POINTS, 6))
    params = MemeticParams(population=4, max_generations=0)
    least = Partition.of(Instance(POINTS, 6), best).objective
    firsts = []
    for centres in (centres_of_points(reduced, best, np.ones(60)), None):
        told: list[Solution] = []
        s_mdeclust(reduced, seed=2, params=params, centres=centres, on_improvement=told.append)
        firsts.append(told[0].objective)
    assert firsts[0] == pytest.approx(least, rel=1e-12)
    assert firsts[1] > 1.001 * least


def test_only_what_is_better_is_told(best: NDArray[np.intp]) -> None:
    told: list[Partition] = []
    options: dict[str, Any] = {"seed": 2, "max_stall": 20, "on_improvement": told.append}
    heuristics.run(Instance(POINTS, 6), start=best, **options)
    assert [partition.objective for partition in told] == [Partition.of(Instance(POINTS, 6), best).objective]


def test_they_may_divide_equal_points() -> None:
    points = np.repeat(POINTS[:10], 2, axis=0)
    labels = np.arange(20) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = heuristics.run(Instance(points, 2), start=labels, max_stall=20)
    assert found.partition.objective < Partition.of(Instance(points, 2), labels).objective


def test_other_methods_take_none() -> None:
    with pytest.raises(InputError, match="start is not an option of ipc-kmeans; it takes"):
        heuristics.run(Instance(POINTS, 6), "ipc-kmeans", start=ANY)
