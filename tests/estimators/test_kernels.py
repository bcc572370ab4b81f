"""Estimators with kernels: the same as points where the kernel is linear, new samples, inner products given."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

from pcsos import CertifiedKMeans, MemeticKMeans
from pcsos.base.exceptions import InputError
from pcsos.base.rand_index import adjusted_rand_index

POINTS = np.random.default_rng(0).normal(size=(24, 2)) + 6.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 8, axis=0)
KINDS = [(CertifiedKMeans, {"workers": 1}), (MemeticKMeans, {"max_stall": 20})]


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_the_linear_kernel_is_that_of_the_points(kind: Any, options: dict[str, Any]) -> None:
    weights = np.random.default_rng(1).integers(0, 4, 24).astype(float)
    plain = kind(3, random_state=0, **options).fit(POINTS, sample_weight=weights, must_link=[(0, 1)])
    model = kind(3, kernel="linear", random_state=0, **options).fit(POINTS, sample_weight=weights, must_link=[(0, 1)])
    assert adjusted_rand_index(plain.labels_, model.labels_) == 1.0
    assert model.inertia_ == pytest.approx(plain.inertia_, rel=1e-12)
    new = POINTS + 0.5
    np.testing.assert_allclose(np.sort(model.transform(new)), np.sort(plain.transform(new)), atol=1e-7)
    assert model.score(new) == pytest.approx(plain.score(new))
    assert not hasattr(model, "cluster_centers_")


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_what_is_set_after_fitting_counts_when_fitting_again(kind: Any, options: dict[str, Any]) -> None:
    new = POINTS + 0.5
    for first, then in (({}, {"kernel": "rbf", "gamma": 0.2}), ({"kernel": "rbf"}, {"kernel": None})):
        model = kind(3, random_state=0, **options, **first).fit(POINTS)
        labels, distances, score = model.predict(new), model.transform(new), model.score(new)
        names = model.get_feature_names_out()
        model.set_params(n_clusters=2, **then)
        np.testing.assert_array_equal(model.predict(new), labels)
        np.testing.assert_array_equal(model.transform(new), distances)
        assert (model.score(new), model.get_feature_names_out().tolist()) == (score, names.tolist())
        assert model.fit(POINTS).transform(new).shape == (24, 2)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_given_inner_products_are_those_of_the_kernel(kind: Any, options: dict[str, Any]) -> None:
    model = kind(3, kernel="rbf", gamma=0.2, random_state=0, **options).fit(POINTS)
    given = kind(3, kernel="precomputed", random_state=0, **options).fit(rbf_kernel(POINTS, gamma=0.2))
    assert given.labels_.tolist() == model.labels_.tolist()
    assert given.inertia_ == pytest.approx(model.inertia_)
    new = POINTS[::2] + 0.3
    assert given.predict(rbf_kernel(new, POINTS, gamma=0.2)).tolist() == model.predict(new).tolist()


def test_fitted_samples_are_predicted_into_their_clusters() -> None:
    for kernel in ("rbf", laplacian_kernel):
        model = CertifiedKMeans(3, kernel=kernel, random_state=0, workers=1).fit(POINTS)
        assert model.predict(POINTS).tolist() == model.labels_.tolist()
        assert -model.score(POINTS) == pytest.approx(model.inertia_, rel=1e-6)


def test_only_given_inner_products_are_pairwise() -> None:
    assert get_tags(CertifiedKMeans(kernel="precomputed")).input_tags.pairwise
    assert not get_tags(CertifiedKMeans(kernel="rbf")).input_tags.pairwise
    assert not get_tags(CertifiedKMeans()).input_tags.pairwise


def test_cross_validation_splits_kernels() -> None:
    scores = cross_val_score(MemeticKMeans(3, kernel="rbf", max_stall=5, random_state=0), POINTS, cv=3)
    assert (scores < 0.0).all()


def test_what_given_inner_products_do_not_tell_is_refused() -> None:
    matrix = POINTS @ POINTS.T
    model = MemeticKMeans(3, kernel="precomputed", max_stall=5, random_state=0).fit(matrix)
    with pytest.raises(InputError, match="does not tell the inner product of a sample with itself"):
        model.transform(matrix)
    with pytest.raises(InputError, match=r"X has the shape \(24, 2\); with kernel='precomputed', give a square matrix"):
        MemeticKMeans(3, kernel="precomputed").fit(POINTS)
    with pytest.raises(InputError, match="kernel is 'poly'; give 'linear', 'rbf' or a function"):
        MemeticKMeans(3, kernel="poly").fit(POINTS)
