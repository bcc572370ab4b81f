"""The five clusterers from outside: what pairs, starts, orders and options change, and what is refused."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine

from pcsos import SoftPairs
from pcsos.base.exceptions import InputError
from pcsos.base.rand_index import adjusted_rand_index
from pcsos.clusterers import KMeans, MPCKMeans, PCKMeans, PCSKMeans, SparseKMeans
from pcsos.clusterers.soft.pairs import WeightedPairs, most_agreeable
from pcsos.clusterers.soft.starts import STARTS
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture, sparse_groups
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition

KINDS: list[Any] = [KMeans, SparseKMeans, PCKMeans, MPCKMeans, PCSKMeans]
PAIRWISE: list[Any] = [PCKMeans, MPCKMeans, PCSKMeans]
IRIS, CLASSES = load_iris(return_X_y=True)
MUST, CANNOT = constraints_from_labels(CLASSES, n_must_link=60, n_cannot_link=120, seed=0)


@pytest.mark.parametrize("kind", KINDS)
class TestEach:
    @pytest.mark.parametrize("init", STARTS)
    def test_attributes_agree_with_one_another(self, kind: Any, init: str) -> None:
        model = kind(3, init=init, random_state=0).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
        assert np.bincount(model.labels_, minlength=3).min() > 0
        means = [IRIS[model.labels_ == h].mean(axis=0) for h in range(3)]
        np.testing.assert_allclose(model.cluster_centers_, means, rtol=1e-10)
        broken = (model.labels_[MUST[:, 0]] != model.labels_[MUST[:, 1]]).sum()
        broken += (model.labels_[CANNOT[:, 0]] == model.labels_[CANNOT[:, 1]]).sum()
        assert model.violations_ == broken
        assert model.feature_weights_.shape == (4,)
        assert 1 <= model.n_iter_ <= 100
        assert model.n_empty_ >= 0
        assert np.isfinite(model.objective_)

    @pytest.mark.parametrize("order", ["index", "random"])
    def test_the_same_seed_gives_the_same_clusters(self, kind: Any, order: str) -> None:
        one, other = (
            kind(3, init="k-means++", order=order, random_state=5).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
            for _ in range(2)
        )
        np.testing.assert_array_equal(one.labels_, other.labels_)
        assert one.objective_ == other.objective_

    def test_scale_and_origin_change_no_label(self, kind: Any) -> None:
        fits = [
            kind(3, init="robin", random_state=0).fit(points, must_link=MUST, cannot_link=CANNOT).labels_
            for points in (IRIS, 1024.0 * IRIS, IRIS - 64.0)
        ]
        np.testing.assert_array_equal(fits[0], fits[1])
        np.testing.assert_array_equal(fits[0], fits[2])

    def test_a_constant_feature_changes_no_label(self, kind: Any) -> None:
        beside = np.column_stack([IRIS, np.full(150, 0.1)])
        options = {"s": 1.6} if "s" in kind().get_params() else {}
        one, other = (
            kind(3, random_state=0, **options).fit(points, must_link=MUST, cannot_link=CANNOT)
            for points in (IRIS, beside)
        )
        np.testing.assert_array_equal(one.labels_, other.labels_)

    def test_duplicates_leave_no_cluster_empty_and_are_counted(self, kind: Any) -> None:
        copies = np.repeat([[0.0, 1.0], [5.0, 2.0]], 6, axis=0)
        model = kind(4).fit(copies)
        assert set(model.labels_) == {0, 1, 2, 3}
        assert model.n_empty_ > 0

    def test_new_samples_go_to_the_nearest_centre_by_the_weights(self, kind: Any) -> None:
        model = kind(3).fit(IRIS)
        far = (model.feature_weights_ * (IRIS[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
        np.testing.assert_array_equal(model.predict(IRIS), far.argmin(axis=1))

    @pytest.mark.slow
    def test_rows_of_tables_are_called_by_their_labels(self, kind: Any) -> None:
        table = pd.DataFrame({"x": [0.0, 1.0, 8.0, 9.0]}, index=["ash", "beech", "cedar", "elm"])
        model = kind(2).fit(table, cannot_link=[("ash", "beech")])
        assert model.violations_ == int(model.labels_[0] == model.labels_[1])

    @pytest.mark.parametrize(
        ("params", "fit", "message"),
        [
            ({"n_clusters": 9}, {}, r"n_clusters is 9; give a whole number from 1 to .*n_samples=4"),
            ({"n_clusters": 0}, {}, "n_clusters is 0"),
            ({"init": "best"}, {}, "init is 'best'"),
            ({"init": np.eye(2)}, {}, "init is array"),
            ({"order": "sorted"}, {}, "order is 'sorted'; give 'index' or 'random'"),
            ({"max_iter": 0}, {}, "max_iter is 0; give a whole number of at least 1"),
            ({"max_iter": 2.5}, {}, "max_iter is 2.5"),
            ({}, {"must_link": [(0, 4)]}, r"must_link\[0\] is \(0, 4\), but point indices go from 0 to 3"),
            ({}, {"cannot_link": [(1, 1)]}, "links point 1 to itself"),
            ({}, {"must_link": [(0, 1, 2)]}, r"must_link has shape \(1, 3\)"),
            ({}, {"must_link": 5}, "must_link"),
        ],
    )
    def test_bad_input_is_refused_in_one_sentence(self, kind: Any, params: Any, fit: Any, message: str) -> None:
        model = kind(**({"n_clusters": 2} | params))
        with pytest.raises(InputError, match=message):
            model.fit([[0.0], [1.0], [5.0], [6.0]], **fit)


@pytest.mark.parametrize("kind", [SparseKMeans, PCSKMeans])
@pytest.mark.parametrize("s", [0.5, 2.1, "much", np.nan, True])
def test_a_sparsity_out_of_its_range_is_refused(kind: Any, s: Any) -> None:
    with pytest.raises(
        InputError, match=r"s is .*; give a number from 1 to the root of the number of features, 2 for 4"
    ):
        kind(3, s=s).fit(IRIS)


@pytest.mark.parametrize("init", STARTS)
def test_without_pairs_the_constrained_ones_are_the_others(init: str) -> None:
    plain, sparse = KMeans(3, init=init, random_state=1).fit(IRIS), SparseKMeans(3, init=init, random_state=1).fit(IRIS)
    constrained = PCKMeans(3, init=init, random_state=1).fit(IRIS)
    both = PCSKMeans(3, init=init, random_state=1).fit(IRIS)
    np.testing.assert_array_equal(plain.labels_, constrained.labels_)
    assert plain.objective_ == constrained.objective_
    np.testing.assert_array_equal(sparse.labels_, both.labels_)
    np.testing.assert_array_equal(sparse.feature_weights_, both.feature_weights_)


@pytest.mark.parametrize("kind", [KMeans, SparseKMeans])
def test_those_without_penalties_pay_no_heed_to_pairs(kind: Any) -> None:
    one, other = (
        kind(3, random_state=0).fit(IRIS),
        kind(3, random_state=0).fit(IRIS, must_link=MUST, cannot_link=CANNOT),
    )
    np.testing.assert_array_equal(one.labels_, other.labels_)
    assert (one.violations_, other.violations_ > 0) == (0, True)


@pytest.mark.parametrize("kind", PAIRWISE)
class TestPairs:
    def test_heavier_pairs_are_broken_less(self, kind: Any) -> None:
        free = kind(3, random_state=0).fit(
            IRIS, must_link=MUST, cannot_link=CANNOT, must_link_weight=0.0, cannot_link_weight=0.0
        )
        usual = kind(3, random_state=0).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
        assert usual.violations_ < free.violations_
        np.testing.assert_array_equal(free.labels_, kind(3, random_state=0).fit(IRIS).labels_)

    def test_one_weight_for_all_is_that_weight_for_each(self, kind: Any) -> None:
        one = kind(3, random_state=0).fit(IRIS, must_link=MUST, must_link_weight=0.5)
        each = kind(3, random_state=0).fit(IRIS, must_link=MUST[::-1, ::-1], must_link_weight=np.full(60, 0.5))
        assert one.objective_ == pytest.approx(each.objective_, rel=1e-12)

    def test_weights_follow_their_pairs(self, kind: Any) -> None:
        weights = np.arange(60) / 30.0
        one = kind(3, random_state=0).fit(IRIS, must_link=MUST, must_link_weight=weights)
        kept = weights > 0.0
        other = kind(3, random_state=0).fit(IRIS, must_link=MUST[kept][::-1], must_link_weight=weights[kept][::-1])
        assert one.objective_ == pytest.approx(other.objective_, rel=1e-12)

    def test_of_a_pair_given_twice_the_larger_weight_counts(self, kind: Any) -> None:
        twice = kind(3, random_state=0).fit(
            IRIS, cannot_link=[(0, 1), (1, 0), (4, 90)], cannot_link_weight=[0.3, 2.0, 1.0]
        )
        once = kind(3, random_state=0).fit(IRIS, cannot_link=[(0, 1), (4, 90)], cannot_link_weight=[2.0, 1.0])
        assert twice.objective_ == once.objective_

    def test_weights_of_labelled_pairs_that_are_not_there_are_left_out_with_them(self, kind: Any) -> None:
        table = pd.DataFrame({"x": [0.0, 1.0, 8.0, 9.0]}, index=list("abcd"))
        pairs = [("a", "z"), ("a", "c")]
        with pytest.warns(UserWarning, match="must_link has 1 of 2 pairs with a label that is not in the index"):
            one = kind(2, random_state=0).fit(table, must_link=pairs, must_link_weight=[9.0, 0.1])
        other = kind(2, random_state=0).fit(table, must_link=pairs[1:], must_link_weight=0.1)
        assert one.objective_ == other.objective_

    @pytest.mark.parametrize(
        ("weight", "message"),
        [
            (
                [1.0, 2.0],
                r"must_link_weight has shape \(2,\) but there are 1 pairs in must_link; give one number",
            ),
            (-1.0, "must_link_weight holds -1.0; give one finite number of at least 0, or one per pair"),
            (np.inf, "must_link_weight holds inf; .*pairs that must hold are those of pcsos.solve"),
            ("heavy", "must_link_weight"),
        ],
    )
    def test_other_weights_are_refused(self, kind: Any, weight: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            kind(3, random_state=0).fit(IRIS, must_link=[(0, 1)], must_link_weight=weight)

    def test_pairs_that_contradict_each_other_are_a_warning_that_names_the_chain(self, kind: Any) -> None:
        with pytest.warns(UserWarning, match="some pairs are broken whatever the clusters are: .* 0 - 1 - 2"):
            model = kind(3, random_state=0).fit(IRIS, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])
        assert model.violations_ >= 1


def test_warnings_call_samples_as_the_table_does() -> None:
    table = pd.DataFrame({"x": [0.0, 1.0, 8.0, 9.0]}, index=["ash", "beech", "cedar", "elm"])
    with pytest.warns(UserWarning, match="must-links connect them: ash - beech - elm"):
        PCKMeans(2).fit(table, must_link=[("ash", "beech"), ("elm", "beech")], cannot_link=[("ash", "elm")])
    with pytest.warns(UserWarning, match="odd cycle of cannot-links: beech - ash - cedar"):
        PCKMeans(2).fit(table, cannot_link=[("ash", "cedar"), ("ash", "beech"), ("beech", "cedar")])


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_are_looked_through_once(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = Constraints.__init__

    def counted(self: Constraints, *arguments: Any) -> None:
        made.append(1)
        make(self, *arguments)

    monkeypatch.setattr(Constraints, "__init__", counted)
    kind(3).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
    assert len(made) == 1


def test_the_options_of_pckm_change_the_costs() -> None:
    pairs: dict[str, Any] = {"must_link": MUST, "cannot_link": CANNOT}
    distance, unit, diameter, confidence, sure = (
        PCKMeans(3, init="dkm++", n_init=1, order="index", reset_labels=False, **options).fit(IRIS, **pairs)
        for options in (
            {"violation_cost": "distance"},
            {"violation_cost": "unit"},
            {"violation_cost": "distance", "separation": "diameter"},
            {},
            {"confidence": 0.999},
        )
    )
    squares = KMeans(3, init=lambda *_: unit.cluster_centers_, max_iter=1).fit(IRIS)
    assert len({model.objective_ for model in (distance, unit, diameter, confidence, sure)}) == 5
    assert sure.violations_ < confidence.violations_
    within = sum(((IRIS[unit.labels_ == h] - unit.cluster_centers_[h]) ** 2).sum() for h in range(3))
    assert unit.objective_ == pytest.approx(within + unit.violations_, rel=1e-12)
    assert squares.objective_ <= within
    for option in ("violation_cost", "separation"):
        with pytest.raises(InputError, match=f"{option} is 'other'; give "):
            PCKMeans(3, **{option: "other"}).fit(IRIS)


@pytest.mark.parametrize("confidence", [0.5, 1.0, 0.2, np.nan, "sure", True, None])
@pytest.mark.parametrize("kind", PAIRWISE)
def test_a_confidence_that_is_none_is_refused(kind: Any, confidence: Any) -> None:
    with pytest.raises(InputError, match=r"confidence is .*; give a number above 0.5 and below 1, such as 0.95"):
        kind(3, confidence=confidence).fit(IRIS)


def test_the_cost_by_confidence_is_that_of_solve() -> None:
    model = PCKMeans(3, confidence=0.9, random_state=0).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
    rows = ([(*pair, 0.9) for pair in pairs] for pairs in (MUST, CANNOT))
    partition = Partition.of(Instance(IRIS, 3, conditions=[SoftPairs(*rows, penalty="confidence")]), model.labels_)
    assert model.objective_ == pytest.approx(partition.objective, rel=1e-10)


def test_a_round_metric_is_the_likelihood_of_round_clusters() -> None:
    """With v the variance within, the cost is n p (1 + log v) and twice the log odds of each broken pair."""
    model = MPCKMeans(3, metric="round", random_state=0).fit(IRIS, must_link=MUST, cannot_link=CANNOT)
    variance = ((IRIS - model.cluster_centers_[model.labels_]) ** 2).sum() / IRIS.size
    np.testing.assert_allclose(model.feature_weights_, 1.0 / variance, rtol=1e-10)
    expected = IRIS.size * (1.0 + np.log(variance)) + 2.0 * np.log(19.0) * model.violations_
    assert model.objective_ == pytest.approx(expected, rel=1e-10)


class TestPairsChooseFeatures:
    def test_where_features_mislead_without_weights_pairs_say_so(self) -> None:
        points = (IRIS - IRIS.mean(axis=0)) / IRIS.std(axis=0)
        pairs: dict[str, Any] = {"must_link": MUST, "cannot_link": CANNOT}
        assert np.ptp(MPCKMeans(3, random_state=0).fit(points, **pairs).feature_weights_) > 0.0
        sparse = PCSKMeans(3, random_state=0).fit(points, **pairs)
        assert sparse.s_ is not None
        assert sparse.feature_weights_.sum() <= sparse.s_ * (1 + 1e-12)

    def test_where_weights_do_not_help_all_features_weigh_the_same(self) -> None:
        points, classes = load_wine(return_X_y=True)
        points = (points - points.mean(axis=0)) / points.std(axis=0)
        must, cannot = constraints_from_labels(classes, n_must_link=50, n_cannot_link=100, seed=0)
        for kind in (MPCKMeans, PCSKMeans):
            model = kind(3, random_state=0).fit(points, must_link=must, cannot_link=cannot)
            assert np.ptp(model.feature_weights_) == 0.0

    @pytest.mark.parametrize("seed", [0, 2])
    def test_noise_is_left_out_where_that_breaks_no_more_pairs(self, seed: int) -> None:
        points, classes = sparse_groups(5, 50, seed=3)
        must, cannot = constraints_from_labels(classes, n_must_link=30, n_cannot_link=70, seed=seed)
        model = PCSKMeans(3, random_state=0).fit(points, must_link=must, cannot_link=cannot)
        assert np.count_nonzero(model.feature_weights_[5:]) <= 10
        assert adjusted_rand_index(model.labels_, classes) > 0.95

    def test_columns_of_noise_beside_wine_weigh_little(self) -> None:
        wine, classes = load_wine(return_X_y=True)
        noise = np.random.default_rng(0).normal(size=(len(wine), 40))
        points = np.hstack([(wine - wine.mean(axis=0)) / wine.std(axis=0), noise])
        pairs = np.column_stack(np.triu_indices(len(wine), 1))
        pairs = np.random.default_rng(0).choice(pairs, 150, replace=False)
        alike = classes[pairs[:, 0]] == classes[pairs[:, 1]]
        model = PCSKMeans(3, random_state=0).fit(points, must_link=pairs[alike], cannot_link=pairs[~alike])
        assert model.s_ is not None
        assert model.feature_weights_[13:].sum() < 0.1 * model.feature_weights_.sum()

    def test_a_difference_within_the_standard_error_is_none(self) -> None:
        pairs = WeightedPairs(np.array([(0, 1), (1, 2), (0, 2)]), np.empty((0, 2), np.intp), np.ones(3), np.empty(0))
        apart, one, together = np.array([0, 1, 2]), np.array([0, 0, 1]), np.zeros(3, np.intp)
        assert most_agreeable([apart, one], pairs) == 0
        assert most_agreeable([apart, one, together], pairs) == 2
        assert most_agreeable([together, apart], pairs) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_several_starts_counts(kind: Any) -> None:
    pairs: dict[str, Any] = {"must_link": MUST, "cannot_link": CANNOT}
    if "s" in kind().get_params():
        pairs["s"] = 1.5
    params = {key: pairs.pop(key) for key in ("s",) if key in pairs}
    starts = iter([IRIS[[0, 1, 2]], IRIS[[0, 70, 120]], IRIS[[100, 101, 102]]])
    many = kind(3, init=lambda *_: next(starts), n_init=3, order="index", **params).fit(IRIS, **pairs)
    alone = [
        kind(3, init=lambda *_, rows=rows: IRIS[rows], n_init=1, order="index", **params).fit(IRIS, **pairs).objective_
        for rows in ([0, 1, 2], [0, 70, 120], [100, 101, 102])
    ]
    best = max if kind in (SparseKMeans, PCSKMeans) else min
    if kind is not MPCKMeans:  # whose pairs choose the metric by several starts
        assert many.objective_ == best(alone)
    with pytest.raises(InputError, match="n_init is 0; give a whole number of at least 1"):
        kind(3, n_init=0).fit(IRIS)


@pytest.mark.filterwarnings("ignore:some pairs are broken")
def test_pairs_that_cost_more_than_all_gains_are_one_warning() -> None:
    points, both = np.random.default_rng(0).normal(size=(12, 2)), [(0, 1)]
    model = PCSKMeans(2, s=1.2, violation_cost="distance", random_state=0)
    with pytest.warns(UserWarning, match="no feature gains more than the broken pairs cost") as said:
        model.fit(points, must_link=both, cannot_link=both, must_link_weight=1e6, cannot_link_weight=1e6)
    assert [Path(one.filename).name for one in said if "no feature" in str(one.message)] == [Path(__file__).name]


def test_noise_gets_no_weight() -> None:
    points = np.hstack([gaussian_mixture(90, 4, 3, separation=7.0, seed=1)[0], gaussian_mixture(90, 6, 1, seed=2)[0]])
    weights = SparseKMeans(3, s=1.4, random_state=0).fit(points).feature_weights_
    assert weights[4:].max() < 0.01
    assert weights[:4].sum() > 0.95 * weights.sum()


def test_parameters_survive_cloning_and_the_names_are_those_of_the_package() -> None:
    model = PCSKMeans(4, s=1.5, penalise_weights=False, init="maximin", order="random", max_iter=7, random_state=3)
    assert clone(model).get_params() == model.get_params()


def test_importing_the_package_imports_none_of_them() -> None:
    code = "import sys, pcsos; print([m for m in sys.modules if m.startswith(('sklearn', 'pcsos.clusterers'))])"
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
