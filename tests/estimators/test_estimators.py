import builtins
import importlib
import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import pcsos
from pcsos import CertifiedKMeans, InfeasibleError, InputError, MemeticKMeans, PcsosError, Reason, Status
from pcsos.estimators.base import lexicographic_order
from pcsos.verify import verify
from tests.clocks import Ticking
from tests.conftest import LINE_OPTIMUM
from tests.estimators.test_conditions import KINDS, quiet

LINE = np.array([[0.0], [2.0], [3.0], [9.0], [11.0]])


def blobs() -> np.ndarray:
    """Thirty points in three groups of ten."""
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(centre, 1.0, (10, 2)) for centre in ([0.0, 0.0], [6.0, 0.0], [3.0, 5.0])])


@pytest.mark.parametrize("kind", KINDS)
class TestFit:
    @pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_matrix])
    def test_sparse_samples_are_clustered_as_dense_ones(self, kind: Any, form: Any) -> None:
        dense, thin = quiet(kind, 2).fit(LINE), quiet(kind, 2).fit(form(LINE))
        np.testing.assert_array_equal(thin.labels_, dense.labels_)
        np.testing.assert_array_equal(thin.predict(form(LINE)), dense.predict(LINE))
        np.testing.assert_array_equal(thin.transform(form(LINE)), dense.transform(LINE))

    def test_finds_the_best_clusters_under_the_constraints(self, kind: Any) -> None:
        model = quiet(kind, 2).fit(LINE, must_link=[(0, 1)], cannot_link=[(1, 2)])
        assert model.labels_.tolist() == [0, 0, 1, 1, 1]
        assert model.inertia_ == pytest.approx(LINE_OPTIMUM, rel=1e-12)
        np.testing.assert_allclose(model.cluster_centers_, [[1.0], [23.0 / 3.0]], rtol=1e-12)
        assert model.result_.objective == model.inertia_
        assert (model.n_features_in_, model.n_iter_ > 0) == (1, True)

    def test_clusters_are_numbered_by_their_centres_whatever_the_order_of_the_samples(self, kind: Any) -> None:
        points, order = blobs(), np.random.default_rng(2).permutation(30)
        one, other = quiet(kind, 3).fit(points), quiet(kind, 3).fit(points[order])
        assert one.labels_.tolist() == [0] * 10 + [2] * 10 + [1] * 10
        np.testing.assert_array_equal(one.labels_[order], other.labels_)
        np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, rtol=1e-12)

    def test_partial_labels_hold_classes_together_and_apart(self, kind: Any) -> None:
        partial = np.full(30, -1)
        partial[[0, 15]], partial[[1, 16]] = 5, 8
        labels = quiet(kind, 3).fit_predict(blobs(), partial_labels=partial)
        assert labels[0] == labels[15]
        assert labels[1] == labels[16]
        assert labels[0] != labels[1]

    def test_y_is_ignored(self, kind: Any) -> None:
        labels = quiet(kind, 3).fit(blobs(), np.arange(30)).labels_
        np.testing.assert_array_equal(labels, quiet(kind, 3).fit(blobs()).labels_)

    @pytest.mark.slow
    def test_a_limit_that_leaves_no_time_ends_with_any_feasible_labels_or_an_error(self, kind: Any) -> None:
        rng = np.random.default_rng(0)
        pairs = [pair for pair in rng.integers(0, 600, (3600, 2)).tolist() if pair[0] != pair[1]]
        model, said = quiet(kind, 5, time_limit=0.0), ""
        try:
            model.fit(rng.normal(size=(600, 2)), cannot_link=pairs)
        except PcsosError as error:
            said = str(error)
        if said:
            assert re.search(r"no partition was found .*TIME_LIMIT\); give it more time", said)
        else:  # presolve was in time to find one
            assert all(model.labels_[i] != model.labels_[j] for i, j in pairs)

    def test_verbose_shows_the_progress_on_standard_error(self, kind: Any, capsys: pytest.CaptureFixture[str]) -> None:
        quiet(kind, 3).fit(blobs())
        assert capsys.readouterr() == ("", "")
        quiet(kind, 3, verbose=True).fit(blobs())
        out, err = capsys.readouterr()
        assert out == ""
        assert "incumbent" in err
        assert "43.08741387" in err

    def test_random_states_are_whole_numbers_generators_or_none(self, kind: Any) -> None:
        assert quiet(kind, 2).set_params(random_state=7).fit(LINE).result_.seed == 7
        seeds = [
            quiet(kind, 2).set_params(random_state=np.random.RandomState(s)).fit(LINE).result_.seed for s in (3, 3, 4)
        ]
        assert seeds[0] == seeds[1] != seeds[2]
        np.random.seed(3)  # noqa: NPY002 - where scikit-learn's None looks
        assert quiet(kind, 2).set_params(random_state=None).fit(LINE).result_.seed == seeds[0]
        with pytest.raises(ValueError, match="random_state is 'seven'; give a whole number"):
            quiet(kind, 2).set_params(random_state="seven").fit(LINE)


@pytest.mark.parametrize("kind", KINDS)
class TestWeights:
    def test_weights_are_copies(self, kind: Any) -> None:
        weights = np.random.default_rng(3).integers(1, 4, 30)
        weighted = quiet(kind, 3).fit(blobs(), sample_weight=weights)
        copied = quiet(kind, 3).fit(blobs().repeat(weights, axis=0))
        np.testing.assert_allclose(weighted.cluster_centers_, copied.cluster_centers_, rtol=1e-9)
        assert weighted.inertia_ == pytest.approx(copied.inertia_, rel=1e-9)

    def test_weights_of_one_are_none(self, kind: Any) -> None:
        one, none = quiet(kind, 3).fit(blobs(), sample_weight=np.ones(30)), quiet(kind, 3).fit(blobs())
        np.testing.assert_array_equal(one.cluster_centers_, none.cluster_centers_)

    def test_samples_without_weight_are_left_out_with_their_pairs_and_labelled_by_the_nearest_centre(
        self, kind: Any
    ) -> None:
        points = np.vstack([[[100.0]], LINE, [[12.0]]])
        weights = [0, 1, 1, 1, 1, 1, 0]
        pairs = {"must_link": [(1, 2), (0, 1), (1, 6)], "cannot_link": [(2, 3), (5, 6)]}
        model = quiet(kind, 2).fit(points, sample_weight=weights, **pairs, partial_labels=[9, 3, -1, 4, -1, -1, 3])
        assert model.labels_.tolist() == [1, 0, 0, 1, 1, 1, 1]
        assert model.inertia_ == pytest.approx(LINE_OPTIMUM, rel=1e-12)
        assert model.result_.n_points == 5

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ([1, 1, -2, 1, 1], r"sample_weight\[2\] is -2.0; give one number of at least 0 a sample"),
            ([1, 1, np.nan, 1, 1], r"sample_weight\[2\] is nan"),
            ([1, 2], r"shape \(2,\) but there are 5 samples"),
            ([0] * 5, "zero for all samples"),
            (["a"] * 5, "sample_weight must be numbers"),
        ],
    )
    def test_weights_that_cannot_be_used_are_refused(self, kind: Any, weights: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            quiet(kind, 2).fit(LINE, sample_weight=weights)
        with pytest.raises(InputError, match=message):
            quiet(kind, 2).fit(LINE).score(LINE, sample_weight=weights)


@pytest.mark.parametrize("kind", KINDS)
class TestRefusals:
    def test_names_of_other_libraries_are_answered_with_those_that_are_meant(self, kind: Any) -> None:
        for given, meant in (
            ({"k": 3}, "'n_clusters' here"),
            ({"seed": 3}, "'random_state' here"),
            ({"init": "random"}, "'start' in fit"),
        ):
            with pytest.raises(TypeError, match=f"there is no argument '{next(iter(given))}'; it is called {meant}"):
                kind(**given)
        assert kind(3, random_state=1).get_params()["random_state"] == 1

    @pytest.mark.parametrize("n_clusters", [0, 6, 2.0, True, "2"])
    def test_a_number_of_clusters_that_makes_no_sense(self, kind: Any, n_clusters: Any) -> None:
        with pytest.raises(InputError, match=r"n_clusters is .*; give a whole number from 1 .*\(n_samples=5\)"):
            quiet(kind, n_clusters).fit(LINE)

    def test_contradictory_pairs_are_named_as_the_user_names_them(self, kind: Any) -> None:
        table = pd.DataFrame(LINE, index=["ash", "beech", "cedar", "dogwood", "elm"])
        pairs = {"must_link": [("beech", "cedar"), ("cedar", "elm")], "cannot_link": [("elm", "beech")]}
        with pytest.raises(InfeasibleError) as caught:
            quiet(kind, 3).fit(table, **pairs)
        assert str(caught.value) == (
            "points beech and elm cannot be linked, but must-links connect them: beech - cedar - elm; "
            "one of these has to go: ML beech cedar, ML cedar elm, CL beech elm"
        )
        assert caught.value.conflict.must_link == ((1, 2), (2, 4))  # type: ignore[union-attr]

    def test_contradictions_among_weighted_samples_name_rows_of_x(self, kind: Any) -> None:
        with pytest.raises(InfeasibleError, match=r"ML 1 3, CL 1 3$") as caught:
            quiet(kind, 2).fit(LINE, sample_weight=[0, 1, 1, 1, 1], must_link=[(1, 3)], cannot_link=[(3, 1)])
        assert caught.value.conflict.cannot_link == ((1, 3),)  # type: ignore[union-attr]

    def test_more_classes_than_clusters(self, kind: Any) -> None:
        message = "partial_labels have 3 classes, which cannot be apart in 2 clusters"
        with pytest.raises(InfeasibleError, match=message) as caught:
            quiet(kind, 2).fit(LINE, sample_weight=[0, 1, 1, 1, 1], partial_labels=[3, 1, 2, -1, 0])
        assert sorted(caught.value.witness["points"]) == [1, 2, 4]

    @pytest.mark.parametrize("classes", [[2**53, -1, 2**53 + 1, -1, -1], [1e300, -1, 1e200, -1, -1], [-(2**60)] * 5])
    def test_classes_that_doubles_do_not_tell_apart_are_refused(self, kind: Any, classes: list[float]) -> None:
        with pytest.raises(
            InputError, match=r"^partial_labels\[\d\] is -?\d.*, too large to be told from others; number"
        ):
            quiet(kind, 2).fit(LINE, partial_labels=classes)

    @pytest.mark.parametrize("name", ["partial_labels", "sample_weight"])
    def test_what_is_known_of_rows_in_another_order_is_refused(self, kind: Any, name: str) -> None:
        frame = pd.DataFrame(LINE, index=list("abcde"))
        values = pd.Series([1, 1, 2, 2, 2], index=list("edcba"))
        with pytest.raises(InputError, match=f"^{name} have another index than the points; give them as {name}.loc"):
            quiet(kind, 2).fit(frame, **{name: values})
        quiet(kind, 2).fit(frame, **{name: values.loc[frame.index]})

    def test_a_contradiction_with_partial_labels_says_where_the_pairs_come_from(self, kind: Any) -> None:
        with pytest.raises(
            InfeasibleError, match=r"points 0 and 2 cannot be linked.*; partial_labels link samples of one"
        ):
            quiet(kind, 2).fit(LINE, must_link=[(0, 2)], partial_labels=[0, -1, 1, -1, -1])

    def test_a_failed_fit_leaves_no_model(self, kind: Any) -> None:
        model = quiet(kind, 2)
        with pytest.raises(InfeasibleError):
            model.fit(LINE, must_link=[(0, 2)], cannot_link=[(2, 0)])
        with pytest.raises(sklearn.exceptions.NotFittedError):
            model.predict(LINE)


@pytest.mark.parametrize("kind", KINDS)
class TestNewSamples:
    def test_predict_score_and_transform_go_by_distances_alone(self, kind: Any) -> None:
        model = quiet(kind, 2).fit(LINE, must_link=[(0, 1)], cannot_link=[(1, 2)])
        near, far = 1.0, 23.0 / 3.0
        assert model.predict([[-9.0], [3.0], [99.0]]).tolist() == [0, 0, 1]  # 3 is in cluster 1 by its constraint
        np.testing.assert_allclose(model.transform([[2.0]]), [[1.0, far - 2.0]], rtol=1e-12)
        assert model.score([[3.0], [8.0]]) == pytest.approx(-((3.0 - near) ** 2 + (8.0 - far) ** 2))
        assert model.score([[3.0], [8.0]], sample_weight=[0.0, 2.0]) == pytest.approx(-2.0 * (8.0 - far) ** 2)
        assert model.score(LINE) >= -model.inertia_

    def test_new_samples_are_assigned_within_limits_at_least_cost(self, kind: Any) -> None:
        model, new = quiet(kind, 3).fit(blobs()), np.random.default_rng(3).normal(2.0, 2.0, (7, 2))
        squares = model.transform(new) ** 2
        for least, most in ((2, 3), (None, 3), (1, None), (0, 7)):
            labels = model.predict(new, size_min=least, size_max=most)
            every = np.array(list(itertools.product(range(3), repeat=7)))
            sizes = (every[:, :, None] == np.arange(3)).sum(axis=1)
            fits = (sizes.min(axis=1) >= (least or 0)) & (sizes.max(axis=1) <= (7 if most is None else most))
            assert fits[(every == labels).all(axis=1)].all()
            assert squares[np.arange(7), labels].sum() == pytest.approx(
                squares[np.arange(7), every].sum(axis=1)[fits].min()
            )
        with pytest.raises(InputError, match="7 samples cannot be in 3 clusters of 3 to 7; give other limits"):
            model.predict(new, size_min=3)
        with pytest.raises(InputError, match=r"size_max is 1\.5; give a whole number"):
            model.predict(new, size_max=1.5)

    def test_far_origins_cost_no_digits(self, kind: Any) -> None:
        model = quiet(kind, 2).fit(LINE + 1e9)
        assert model.predict(LINE + 1e9).tolist() == quiet(kind, 2).fit(LINE).labels_.tolist()

    def test_many_samples_are_predicted_in_batches(self, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        model = quiet(kind, 3).fit(blobs())
        at_once = model.predict(blobs())
        monkeypatch.setattr("pcsos.problem.partition.BATCH", 21)
        np.testing.assert_array_equal(model.predict(blobs()), at_once)

    def test_distances_keep_single_precision(self, kind: Any) -> None:
        single = blobs().astype(np.float32)
        single.setflags(write=False)
        model = quiet(kind, 3).fit(single)
        assert model.transform(single).dtype == np.float32
        assert model.cluster_centers_.dtype == np.float64
        np.testing.assert_array_equal(model.labels_, quiet(kind, 3).fit(blobs()).labels_)


@pytest.mark.parametrize("kind", KINDS)
class TestTables:
    def test_pairs_name_labels_of_the_index(self, kind: Any) -> None:
        table = pd.DataFrame({"height": LINE[:, 0]}, index=["e", "d", "c", "b", "a"])
        model = quiet(kind, 2).fit(table, must_link=[("e", "d")], cannot_link=[("c", "d")])
        assert model.labels_.tolist() == [0, 0, 1, 1, 1]
        assert model.feature_names_in_.tolist() == ["height"]

    def test_transform_gives_tables_where_asked_to(self, kind: Any) -> None:
        table = pd.DataFrame({"height": LINE[:, 0]}, index=list("abcde"))
        model = quiet(kind, 2).set_output(transform="pandas").fit(table)
        distances = model.transform(table)
        assert distances.index.tolist() == list("abcde")
        names = [f"{kind.__name__.lower()}{cluster}" for cluster in range(2)]
        assert distances.columns.tolist() == model.get_feature_names_out().tolist() == names

    def test_tables_of_polars(self, kind: Any) -> None:
        polars = pytest.importorskip("polars", reason="polars is not installed")
        table = polars.DataFrame({"height": LINE[:, 0], "width": np.zeros(5)})
        model = quiet(kind, 2).fit(table, must_link=[(0, 1)], cannot_link=[(1, 2)])
        assert model.labels_.tolist() == [0, 0, 1, 1, 1]
        assert model.feature_names_in_.tolist() == ["height", "width"]
        distances = clone(model).set_output(transform="polars").fit(table).transform(table)
        assert isinstance(distances, polars.DataFrame)


@pytest.mark.parametrize("kind", KINDS)
class TestRouting:
    def test_a_pipeline_hands_the_pairs_on(self, kind: Any) -> None:
        with sklearn.config_context(enable_metadata_routing=True):
            model = quiet(kind, 2).set_fit_request(must_link=True, cannot_link=True)
            pipeline = make_pipeline(StandardScaler(), model)
            labels = pipeline.fit(LINE, must_link=[(0, 1)], cannot_link=[(1, 2)])[-1].labels_
        assert labels.tolist() == [0, 0, 1, 1, 1]

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:the feature number 1 has")
    def test_a_grid_search_divides_partial_labels_and_labels_of_rows(self, kind: Any) -> None:
        points = pd.DataFrame(blobs(), index=[f"r{row}" for row in range(30)])
        partial = np.full(30, -1)
        partial[::5] = np.arange(30)[::5] // 10
        with sklearn.config_context(enable_metadata_routing=True):
            model = quiet(kind, 3).set_fit_request(partial_labels=True, must_link=True)
            search = GridSearchCV(model, {"n_clusters": [3, 4]}, cv=3, error_score="raise")
            with pytest.warns(UserWarning, match="not in the index of X"):
                search.fit(points, partial_labels=partial, must_link=[("r1", "r29")])
        labels = search.best_estimator_.labels_
        assert labels[1] == labels[29]
        assert len({labels[0], labels[10], labels[20]}) == 3

    def test_nothing_is_handed_on_that_was_not_asked_for(self, kind: Any) -> None:
        with sklearn.config_context(enable_metadata_routing=True):
            pipeline = make_pipeline(StandardScaler(), quiet(kind, 2))
            with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="must_link"):
                pipeline.fit(LINE, must_link=[(0, 1)])


class TestProof:
    def test_a_certified_clustering_has_its_bound(self) -> None:
        model = quiet(CertifiedKMeans, 3, gap=1e-5).fit(blobs())
        assert (model.status_, model.reason_) == (Status.OPTIMAL, Reason.GAP_REACHED)
        assert 0.0 <= model.gap_ <= 1e-5
        assert model.inertia_ * (1 - 1e-5) <= model.lower_bound_ <= model.inertia_

    def test_it_can_be_written_down_and_checked(self, tmp_path: Any) -> None:
        model = quiet(CertifiedKMeans, 3, run_file=tmp_path / "blobs.run").fit(blobs())
        verdict = verify(tmp_path / "blobs.run")
        assert verdict.lower_bound == pytest.approx(model.lower_bound_, rel=1e-6)

    def test_a_limit_of_nodes_leaves_a_partition_without_proof(self) -> None:
        model = quiet(CertifiedKMeans, 3, node_limit=0).fit(blobs())
        assert (model.status_, model.reason_) == (Status.FEASIBLE, Reason.NODE_LIMIT)
        assert model.labels_.shape == (30,)

    def test_a_memetic_clustering_proves_nothing(self) -> None:
        model = quiet(MemeticKMeans, 3).fit(blobs())
        assert (model.status_, model.reason_) == (Status.FEASIBLE, Reason.HEURISTIC_FINISHED)
        assert (model.lower_bound_, model.gap_) == (None, None)


def failing(real: Callable[..., object], error: Exception) -> Callable[..., object]:
    """Return an import that fails for scikit-learn."""

    def import_(name: str, *arguments: Any, **keywords: Any) -> object:
        if name.startswith("sklearn"):
            raise error
        return real(name, *arguments, **keywords)

    return import_


class TestImport:
    @pytest.mark.slow
    def test_scikit_learn_is_loaded_only_when_an_estimator_is_asked_for(self) -> None:
        program = (
            "import sys, pcsos; assert 'sklearn' not in sys.modules; assert 'MemeticKMeans' in dir(pcsos); "
            "assert 'sklearn' not in sys.modules; pcsos.CertifiedKMeans; assert 'sklearn' in sys.modules; print('done')"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout == "done\n"

    @pytest.fixture
    def _not_loaded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.startswith("pcsos.estimators")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.delattr(pcsos, "estimators")

    @pytest.mark.usefixtures("_not_loaded")
    @pytest.mark.parametrize("version", [None, "1.5"])
    def test_one_sentence_says_what_is_missing(self, monkeypatch: pytest.MonkeyPatch, version: str | None) -> None:
        if version is None:
            missing = ModuleNotFoundError("No module named 'sklearn'", name="sklearn")
            monkeypatch.setattr("builtins.__import__", failing(builtins.__import__, missing))
        else:
            monkeypatch.delattr("sklearn.utils.validation.validate_data")
        with pytest.raises(ImportError, match=r'need scikit-learn 1.6 or newer; pip install "pcsos\[sklearn\]"'):
            pcsos.CertifiedKMeans  # noqa: B018

    @pytest.mark.usefixtures("_not_loaded")
    @pytest.mark.parametrize("error", [ImportError("no room"), OSError("no room"), MemoryError("no room")])
    def test_what_cannot_be_loaded_is_not_missing(self, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
        monkeypatch.setattr("builtins.__import__", failing(builtins.__import__, error))
        with pytest.raises(ImportError, match=f"installed but cannot be loaded.*{type(error).__name__}.*no room"):
            pcsos.CertifiedKMeans  # noqa: B018

    def test_other_names_are_still_unknown(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'KMeans'"):
            pcsos.KMeans  # type: ignore[attr-defined]  # noqa: B018
        assert importlib.import_module("pcsos.estimators").__all__ == ["CertifiedKMeans", "MemeticKMeans"]


@pytest.mark.slow
def test_a_time_limit_is_a_maximum_unless_all_of_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    points = blobs()
    Ticking(monkeypatch, tick=0.01)
    usual = MemeticKMeans(3, random_state=0).fit(points)
    limited = MemeticKMeans(3, random_state=0, time_limit=600.0).fit(points)
    assert limited.result_.seconds < 60.0
    assert limited.n_iter_ == usual.n_iter_
    all_of_it = MemeticKMeans(3, random_state=0, time_limit=60.0, use_all_time=True).fit(points)
    assert all_of_it.result_.seconds >= 60.0
    assert all_of_it.n_iter_ > usual.n_iter_
    assert str(all_of_it.reason_) == "HEURISTIC_FINISHED"


def test_centres_have_the_same_order_whatever_that_of_the_samples() -> None:
    for points in ([[1.0], [2.0], [1e10]], [[2.0], [1.0], [1e10]]):
        centres = np.array(points)
        assert centres[lexicographic_order(centres)].ravel().tolist() == [1.0, 2.0, 1e10]


def test_centres_of_an_earlier_fit_are_gone_with_a_kernel() -> None:
    model = quiet(MemeticKMeans, 2).fit(LINE)
    assert model.cluster_centers_.shape == (2, 1)
    model.set_params(kernel="rbf").fit(LINE)
    assert not hasattr(model, "cluster_centers_")


@pytest.mark.filterwarnings("ignore:there are only")
@parametrize_with_checks([MemeticKMeans()])
def test_scikit_learn_accepts_the_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:there are only")
@parametrize_with_checks([CertifiedKMeans(workers=1)])
def test_scikit_learn_accepts_the_estimator_that_proves(estimator: Any, check: Any) -> None:
    check(estimator)
