"""Estimators with bounds of sizes, soft pairs and groups of samples."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import pcsos
from pcsos import CertifiedKMeans, Groups, InputError, MemeticKMeans
from pcsos.estimators.base import ConstrainedKMeans

KINDS: list[Any] = [pytest.param(CertifiedKMeans, id="certified"), pytest.param(MemeticKMeans, id="memetic")]
LINE = np.array([[0.0], [1.0], [2.0], [9.0], [11.0]])


def quiet(kind: type[ConstrainedKMeans], n_clusters: int, **params: Any) -> Any:
    """Return an estimator that uses one process."""
    workers = {"workers": 1} if kind is CertifiedKMeans else {}
    return kind(n_clusters, random_state=0, **workers, **params)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", KINDS)
class TestSizes:
    def test_clusters_keep_to_the_sizes(self, kind: Any) -> None:
        points = np.random.default_rng(0).normal(size=(24, 2))
        labels = quiet(kind, 4, size_min=6, size_max=6).fit_predict(points)
        assert np.bincount(labels).tolist() == [6, 6, 6, 6]
        assert set(np.bincount(quiet(kind, 4).fit_predict(points)).tolist()) != {6}

    def test_samples_without_weight_do_not_count(self, kind: Any) -> None:
        weights = [1, 1, 0, 1, 1]
        model = quiet(kind, 2, size_max=2).fit(LINE, sample_weight=weights)
        assert model.labels_.tolist() == [0, 0, 0, 1, 1]
        with pytest.raises(InputError, match="2 clusters of size_max = 2 hold 4 points, but there are 5"):
            quiet(kind, 2, size_max=2).fit(LINE)

    def test_clusters_have_the_sizes_of_a_list(self, kind: Any) -> None:
        assert sorted(np.bincount(quiet(kind, 2).fit_predict(LINE)).tolist()) == [2, 3]
        assert sorted(
            np.bincount(quiet(kind, 2, conditions=[pcsos.Sizes(exactly=[4, 1])]).fit_predict(LINE)).tolist()
        ) == [1, 4]
        with pytest.raises(InputError, match="sizes add up to 6, but there are 5 points"):
            quiet(kind, 2, conditions=[pcsos.Sizes(exactly=[4, 2])]).fit(LINE)

    def test_weights_of_clusters_are_those_of_their_samples(self, kind: Any) -> None:
        weights = np.array([1.0, 1.0, 5.0, 1.0, 1.0])
        model = quiet(kind, 2, conditions=[pcsos.Weights(at_most=6.0)]).fit(LINE, sample_weight=weights)
        assert np.bincount(model.labels_, weights=weights).max() <= 6.0
        free = quiet(kind, 2).fit(LINE, sample_weight=weights)
        assert np.bincount(free.labels_, weights=weights).max() == 7.0
        heavy = quiet(kind, 2, conditions=[pcsos.Weights(at_least=3.0)]).fit(LINE, sample_weight=weights)
        assert np.bincount(heavy.labels_, weights=weights).min() >= 3.0

    def test_a_size_that_is_none_is_refused(self, kind: Any) -> None:
        with pytest.raises(InputError, match=r"size_min is 1\.5; give a whole number"):
            quiet(kind, 2, size_min=1.5).fit(LINE)


@pytest.mark.parametrize("kind", KINDS)
class TestSoftPairs:
    def test_a_cheap_pair_is_broken_and_a_dear_one_is_kept(self, kind: Any) -> None:
        cheap = quiet(kind, 2).fit(LINE, conditions=[pcsos.SoftPairs(must_link=[(2, 3, 1.0)])])
        assert cheap.labels_.tolist() == [0, 0, 0, 1, 1]
        assert (cheap.inertia_, cheap.penalty_) == (pytest.approx(4.0), 1.0)
        assert [tuple(pair) for pair in cheap.violated_] == [(2, 3, "must_link", 1.0)]
        assert cheap.result_.objective == pytest.approx(5.0)
        huge = quiet(kind, 2).fit(LINE, cannot_link=[(2, 3)], conditions=[pcsos.SoftPairs(must_link=[(2, 3, 1e17)])])
        assert (huge.inertia_, huge.penalty_) == (pytest.approx(4.0), 1e17)  # their sum has no digits for both

        dear = quiet(kind, 2).fit(LINE, conditions=[pcsos.SoftPairs(must_link=[(2, 3)], penalty=1e3)])
        assert dear.labels_[2] == dear.labels_[3]
        assert (dear.penalty_, dear.violated_) == (0.0, [])

    def test_pairs_name_labels_and_lose_those_that_are_not_there(self, kind: Any) -> None:
        table = pd.DataFrame(LINE, index=list("abcde"))
        soft = pcsos.SoftPairs([("c", "d")], [("x", "a", 2.0), ("a", "b", 0.01)], penalty="distance")
        with pytest.warns(UserWarning, match="soft_cannot_link has 1 of 2 pairs with a label that is not in the index"):
            model = quiet(kind, 2).fit(table, conditions=[soft])
        assert model.result_.instance.asked.to_dict() == {"soft": [[0, 1, 0.0, 1.2], [2, 3, 49.0, 0.0]]}

    def test_broken_pairs_are_told_in_rows_and_those_without_weight_are_left_out(self, kind: Any) -> None:
        rows = [(2, 3, 1.0), (0, 1, 5.0)]
        model = quiet(kind, 2).fit(LINE, sample_weight=[0, 1, 1, 1, 1], conditions=[pcsos.SoftPairs(must_link=rows)])
        assert [(pair.i, pair.j) for pair in model.violated_] == [(2, 3)]
        assert len(model.result_.instance.soft) == 1

    @pytest.mark.parametrize(
        ("rows", "penalty", "sentence"),
        [
            ([(0, 1)], None, r"soft_must_link\[0\] has no penalty"),
            ([(0, 5, 1.0)], None, r"soft_must_link\[0\] is \(0, 5\), but point indices go from 0 to 4"),
            ([(0, 1, 1.0), (1, 1, 1.0)], None, r"links point 1 to itself"),
            ([(0, 1, 0.2)], "confidence", r"soft_must_link\[0\] has the confidence 0.2"),
            ([], "x", "penalty is 'x'"),
        ],
    )
    def test_what_is_no_soft_pair_is_refused(self, kind: Any, rows: Any, penalty: Any, sentence: str) -> None:
        with pytest.raises(InputError, match=sentence):
            quiet(kind, 2).fit(LINE, conditions=[pcsos.SoftPairs(must_link=rows, penalty=penalty)])


@pytest.mark.slow
def test_the_bound_counts_penalties() -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(20, 2))
    rows = [(*rng.choice(20, 2, replace=False).tolist(), float(rng.uniform(0.0, 2.0))) for _ in range(8)]
    model = quiet(CertifiedKMeans, 3).fit(
        points, conditions=[pcsos.SoftPairs(must_link=rows[:4], cannot_link=rows[4:])]
    )
    cost = model.inertia_ + model.penalty_
    assert model.status_ is pcsos.Status.OPTIMAL
    assert model.lower_bound_ <= cost * (1.0 + 1e-12)
    assert model.gap_ == pytest.approx(max(1.0 - model.lower_bound_ / cost, 0.0), abs=1e-9)
    assert math.isclose(math.fsum(pair.penalty for pair in model.violated_), model.penalty_, abs_tol=1e-12)


GROUPS = [*"aaabb"]


@pytest.mark.parametrize("kind", KINDS)
class TestGroups:
    def test_clusters_hold_points_of_each_group(self, kind: Any) -> None:
        own = [Groups(GROUPS, at_least=1, at_most={"a": 2})]
        labels = quiet(kind, 2).fit(LINE, conditions=own).labels_
        assert set(labels[:3]) == set(labels[3:]) == {0, 1}
        assert clone(quiet(kind, 2, conditions=own)).fit_predict(LINE).tolist() == labels.tolist()
        assert quiet(kind, 2).fit(LINE, conditions=[Groups(GROUPS)]).labels_.tolist() == [0, 0, 0, 1, 1]

    def test_samples_without_weight_do_not_count(self, kind: Any) -> None:
        weights = [1, 1, 1, 1, 0]
        with pytest.raises(InputError, match="2 clusters of group_min = 1 for group 'b' need 2 points of it"):
            quiet(kind, 2).fit(LINE, sample_weight=weights, conditions=[Groups(GROUPS, at_least=1)])
        model = quiet(kind, 2).fit(LINE, sample_weight=weights, conditions=[Groups(GROUPS, at_most={"a": 2})])
        assert np.bincount(model.labels_[:3]).max() == 2

    def test_groups_go_with_the_rows_of_a_table(self, kind: Any) -> None:
        table = pd.DataFrame({"x": LINE[:, 0]}, index=[*"vwxyz"])
        with pytest.raises(InputError, match="groups have another index than the points"):
            quiet(kind, 2).fit(table, conditions=[Groups(pd.Series(GROUPS), at_least=1)])
        model = quiet(kind, 2).fit(table, conditions=[Groups(pd.Series(GROUPS, index=table.index), at_least=1)])
        assert set(model.labels_[3:]) == {0, 1}

    def test_what_is_no_group_is_refused(self, kind: Any) -> None:
        with pytest.raises(InputError, match="groups are 2 labels for 5 points; give one label per point"):
            quiet(kind, 2).fit(LINE, conditions=[Groups([1, 2], at_least=1)])
        with pytest.raises(InputError, match=r"groups\[1\] is None; give every point the number or name of a group"):
            quiet(kind, 2).fit(LINE, conditions=[Groups([1, None, 1, 1, 1])])
        with pytest.raises(InputError, match="group_min is given without groups"):
            quiet(kind, 2, conditions=[Groups(at_least=1)])


@pytest.mark.parametrize("kind", KINDS)
def test_loads_go_with_the_rows_of_a_table_and_those_without_weight_bring_nothing(kind: Any) -> None:
    table, brought = pd.DataFrame({"x": LINE[:, 0]}, index=[*"vwxyz"]), pd.DataFrame({"kg": [2, 2, 2, 1, 9]})
    with pytest.raises(InputError, match="loads have another index than the points"):
        quiet(kind, 2).fit(table, conditions=[pcsos.Loads(brought, at_most=9)])
    brought.index = table.index
    own = [pcsos.Loads(brought.iloc[::-1], at_most=4)]
    labels = quiet(kind, 2).fit(table, sample_weight=[1, 1, 1, 1, 0], conditions=own).labels_
    assert np.bincount(labels[:4], [2, 2, 2, 1]).max() <= 4
