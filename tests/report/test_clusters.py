import numpy as np
import pytest
from sklearn.metrics import silhouette_samples

from pcsos.problem.instance import Instance
from pcsos.report import clusters
from pcsos.report.clusters import clusters_of, silhouettes
from pcsos.report.plane import MOST_POINTS, Plane, drawn_points


def test_silhouettes_are_those_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(70, 3)), rng.integers(0, 4, 70)
    labels[labels == 3] = 2
    labels[0] = 3  # alone
    monkeypatch.setattr(clusters, "ROWS", 16)
    np.testing.assert_allclose(silhouettes(points, labels, 4), silhouette_samples(points, labels), atol=1e-12)


def test_figures_of_clusters_by_hand(line: Instance) -> None:
    first, second = clusters_of(line, np.array([0, 0, 1, 1, 1]))
    assert (first.size, first.centre.tolist(), first.within) == (2, [1.0], 2.0)
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
