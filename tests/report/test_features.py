"""What clusters are like and what distinguishes them, by hand; where their points are drawn."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from pcsos.problem.instance import Instance
from pcsos.report import clusters
from pcsos.report.clusters import clusters_of, silhouettes
from pcsos.report.features import Features, signed
from pcsos.report.plane import MOST_POINTS, Plane, drawn_points

#: The first column tells the clusters apart, the second hardly, the third is constant.
POINTS = np.array([[0.0, 1.0, 7.0], [0.0, 3.0, 7.0], [4.0, 1.0, 7.0], [4.0, 4.0, 7.0]])
LABELS = np.array([0, 0, 1, 1])


@pytest.fixture
def features() -> Features:
    return Features.of(Instance(POINTS, 2), LABELS)


def test_differences_are_in_standard_deviations(features: Features) -> None:
    np.testing.assert_array_equal(features.means, [[0.0, 2.0, 7.0], [4.0, 2.5, 7.0]])
    np.testing.assert_array_equal(features.overall, [2.0, 2.25, 7.0])
    spread = np.std(POINTS[:, 1])
    np.testing.assert_allclose(features.differences, [[-1.0, -0.25 / spread, 0.0], [1.0, 0.25 / spread, 0.0]])


def test_what_tells_clusters_apart_best_comes_first_and_constants_last() -> None:
    features = Features.of(Instance(POINTS[:, ::-1], 2), LABELS)
    assert features.order.tolist() == [2, 1, 0]
    assert features.order[: features.num_varying].tolist() == [2, 1]


def test_weights_count() -> None:
    features = Features.of(Instance(POINTS, 2, weights=[1.0, 1.0, 3.0, 3.0]), LABELS)
    assert features.overall[0] == 3.0
    np.testing.assert_allclose(features.differences[:, 0], [-3.0 / np.sqrt(3.0), 1.0 / np.sqrt(3.0)])


def test_sentences_name_what_is_worth_it(features: Features) -> None:
    titles = ("length", "width", "height")
    assert features.sentence(0, titles) == "length low (\N{MINUS SIGN}1.0)"
    assert features.sentence(1, titles) == "length high (+1.0)"
    alike = Features.of(Instance(POINTS, 2), np.array([0, 1, 0, 1]))
    assert alike.sentence(0, titles) == "width low (\N{MINUS SIGN}1.0)"
    same = Features.of(Instance([[0.0], [1.0], [0.0], [1.0]], 2), LABELS)
    assert same.sentence(0, ("length",)) == "close to the average in every feature"


def test_a_sentence_names_three_features_at_most_the_clearest_first() -> None:
    points = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0], [9.0, 9.0, 9.0, 9.0], [9.0, 10.0, 11.0, 12.0]])
    sentence = Features.of(Instance(points, 2), LABELS).sentence(1, ("a", "b", "c", "d"))
    assert [words.split()[0] for words in sentence.split(", ")] == ["a", "b", "c"]


def test_numbers_of_any_size_have_differences() -> None:
    for scale in (1e-130, 1e130):
        differences = Features.of(Instance(scale * POINTS, 2), LABELS).differences
        np.testing.assert_allclose(differences[:, 0], [-1.0, 1.0])


@pytest.mark.parametrize(
    ("value", "text"), [(1.24, "+1.2"), (-0.96, "\N{MINUS SIGN}1.0"), (0.04, "0.0"), (-0.04, "0.0"), (-0.0, "0.0")]
)
def test_signed(value: float, text: str) -> None:
    assert signed(value) == text


def test_silhouettes_are_those_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(70, 3)), rng.integers(0, 4, 70)
    labels[labels == 3] = 2
    labels[0] = 3  # alone
    monkeypatch.setattr(clusters, "ROWS", 16)
    np.testing.assert_allclose(silhouettes(points, labels, 4), silhouette_samples(points, labels), atol=1e-12)


def test_figures_of_clusters_by_hand(line: Instance) -> None:
    first, second = clusters_of(line, np.array([0, 0, 1, 1, 1]))
    assert (first.size, first.within) == (2, 2.0)
    assert (second.size, second.weight) == (3, 3.0)
    assert first.within + second.within == pytest.approx(110 / 3)
    # 0 is 2 from the other and 23/3 from the others; 2 is 2 from it and 17/3 from the others
    assert first.silhouette == pytest.approx(((23 / 3 - 2) / (23 / 3) + (17 / 3 - 2) / (17 / 3)) / 2)


def test_one_cluster_has_no_silhouette() -> None:
    (only,) = clusters_of(Instance([0.0, 1.0], 1), np.zeros(2, int))
    assert only.silhouette is None


class TestPlane:
    def test_two_features_are_drawn_as_they_are(self) -> None:
        points = np.array([[1.0, 2.0], [3.0, 5.0]])
        np.testing.assert_array_equal(Plane.of(Instance(points, 1)).coordinates, points)

    @pytest.mark.parametrize("n", [50, 400_000])
    def test_more_features_are_drawn_where_they_vary_most(self, n: int) -> None:
        rng = np.random.default_rng(0)
        points = rng.normal(size=(n, 3)) * [1.0, 100.0, 10.0] + 1e4
        plane = Plane.of(Instance(points, 1))
        for axis, feature in ((0, 1), (1, 2)):
            correlation = np.corrcoef(plane.coordinates[:, axis], points[:, feature])[0, 1]
            assert abs(correlation) > 0.99
        assert "99 %" in plane.names[0]

    def test_a_single_point_and_equal_points_have_a_place(self) -> None:
        for points in (np.ones((1, 5)), np.ones((4, 5)), np.full((3, 4), 1e140)):
            assert np.isfinite(Plane.of(Instance(points, 1)).coordinates).all()
            assert Plane.of(Instance(points, 1)).coordinates.shape == (len(points), 2)

    def test_many_points_are_drawn_at_random(self) -> None:
        assert drawn_points(7).tolist() == list(range(7))
        drawn = drawn_points(MOST_POINTS + 5)
        assert np.unique(drawn).size == drawn.size == MOST_POINTS
