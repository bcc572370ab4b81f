import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from pcsos.analysis.active import LabelOracle
from pcsos.base.exceptions import InputError
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture, sparse_groups

LABELS = np.array([2, 0, 2, 1, 0, 2])
EQUAL = {(0, 2), (0, 5), (1, 4), (2, 5)}
DIFFERENT = set(itertools.combinations(range(6), 2)) - EQUAL


def test_a_mixture_has_the_shape_asked_for_and_no_empty_component() -> None:
    points, labels = gaussian_mixture(20, 3, 19, seed=4)
    assert points.shape == (20, 3)
    np.testing.assert_array_equal(np.unique(labels), np.arange(19))


def test_the_same_seed_gives_the_same_mixture_and_another_seed_another() -> None:
    first, again, other = (gaussian_mixture(10, 2, 3, seed=seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_components_have_unit_variance_and_centres_the_separation_asked_for() -> None:
    points, labels = gaussian_mixture(40_000, 2, 200, separation=6.0, seed=0)
    centres = np.array([points[labels == h].mean(axis=0) for h in range(200)])
    spread = (points - centres[labels]).std()
    i, j = np.triu_indices(200, 1)
    distance = np.sqrt((np.linalg.norm(centres[i] - centres[j], axis=1) ** 2).mean())
    assert spread == pytest.approx(1.0, abs=0.02)
    assert distance == pytest.approx(6.0, rel=0.1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3, 2, 4), "cannot draw 3 points from 4 components"),
        ((3, 0, 1), "n_features is 0"),
        ((3, 2, 0), "n_clusters is 0"),
        ((3.5, 2, 1), r"n_points is 3\.5; give a whole number"),
        ((3, "2", 1), "n_features is '2'; give a whole number"),
        ((3, 2, None), "n_clusters is None"),
    ],
)
def test_impossible_mixtures_are_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gaussian_mixture(*given)


@pytest.mark.parametrize("separation", ["4", None, np.nan, -1.0, True])
def test_a_separation_is_a_number(separation: Any) -> None:
    with pytest.raises(InputError, match=r"separation is .*; give a number from 0 to"):
        gaussian_mixture(5, 2, 2, separation=separation)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, r"labels are of type NoneType|labels have shape \(\)"),
        ([None, "a"], "labels cannot be put in an order"),
        ([0, "0", 1], "labels are text and other things"),
        ([0.0, np.nan, np.nan], r"labels\[1\] is not finite"),
        ([[0, 1], [1]], "labels have shape of a table or of ragged rows"),
    ],
)
def test_labels_that_are_no_classes(labels: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        constraints_from_labels(labels, n_must_link=1)
    with pytest.raises(InputError, match=message):
        LabelOracle(labels)


@pytest.mark.parametrize("number", [-1, 1.5, "2", None])
def test_numbers_of_pairs_are_whole(number: Any) -> None:
    with pytest.raises(InputError, match=r"n_cannot_link is .*; give a whole number of at least 0"):
        constraints_from_labels(LABELS, n_cannot_link=number)


@pytest.mark.parametrize(("n_must_link", "n_cannot_link"), [(0, 0), (2, 3), (4, 0), (0, 11), (4, 11)])
def test_constraints_agree_with_the_labels_and_do_not_repeat(n_must_link: int, n_cannot_link: int) -> None:
    pairs = constraints_from_labels(LABELS, n_must_link=n_must_link, n_cannot_link=n_cannot_link, seed=3)
    must, cannot = ({tuple(pair) for pair in kind.tolist()} for kind in pairs)
    assert (len(must), len(cannot)) == (n_must_link, n_cannot_link)
    assert must <= EQUAL
    assert cannot <= DIFFERENT


def test_every_pair_is_equally_likely() -> None:
    rng = np.random.default_rng(0)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(2000):
        must_link, cannot_link = constraints_from_labels(LABELS, n_must_link=2, n_cannot_link=3, seed=rng)
        counts.update(tuple(pair) for pair in [*must_link.tolist(), *cannot_link.tolist()])
    assert all(abs(counts[pair] - 1000) < 110 for pair in EQUAL)
    assert all(abs(counts[pair] - 545) < 110 for pair in DIFFERENT)


def test_labels_may_be_anything_that_can_be_compared() -> None:
    must_link, cannot_link = constraints_from_labels(["b", "a", "b"], n_must_link=1, n_cannot_link=2)
    np.testing.assert_array_equal(must_link, [[0, 2]])
    np.testing.assert_array_equal(cannot_link, [[0, 1], [1, 2]])


@pytest.mark.parametrize(("counts", "message"), [((5, 0), "5 pairs: there are 4.*equal"), ((0, 12), "11.*different")])
def test_more_pairs_than_there_are_is_refused(counts: tuple[int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        constraints_from_labels(LABELS, n_must_link=counts[0], n_cannot_link=counts[1])


def test_many_points_take_little_time_and_memory() -> None:
    labels = np.arange(20_000) % 100
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=5_000, n_cannot_link=5_000)
    assert (labels[must_link[:, 0]] == labels[must_link[:, 1]]).all()
    assert (labels[cannot_link[:, 0]] != labels[cannot_link[:, 1]]).all()
    assert len(must_link) == len(cannot_link) == 5_000


def test_informative_features_tell_groups_apart_and_noise_does_not() -> None:
    points, labels = sparse_groups(6, 4, group_size=2000, seed=3)
    assert points.shape == (6000, 10)
    means = np.array([points[labels == group].mean(axis=0) for group in range(3)])
    mean = means[0, 0]
    assert 3.0 < abs(mean) < 6.0
    expected = np.zeros((3, 10))
    for j in range(6):
        expected[j % 3, j] = mean
    np.testing.assert_allclose(means, expected, atol=0.12)
    for group in range(3):
        covariance = np.cov(points[labels == group].T)
        assert np.trace(covariance[:6, :6]) == pytest.approx(6.0, rel=0.1)
        np.testing.assert_allclose(covariance[6:, :6], 0.0, atol=0.12)
        largest = np.linalg.eigvalsh(covariance[:6, :6])[-1]
        assert 1.4 < largest < 5.8  # 1 + 5 rho


def test_drawn_groups_need_informative_features_and_points() -> None:
    with pytest.raises(InputError, match="n_informative is 0; give a whole number of at least 1"):
        sparse_groups(0, 5)
    first, second = sparse_groups(2, 0, seed=1)[0], sparse_groups(2, 0, seed=1)[0]
    np.testing.assert_array_equal(first, second)
