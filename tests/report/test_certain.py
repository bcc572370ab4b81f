"""Points in doubt: near borders, or elsewhere in other good divisions."""

import numpy as np
import pytest

import pcsos
from pcsos.problem.instance import Instance
from pcsos.report import certain
from pcsos.report.certain import BORDER, MOVES, NEAR, doubts_of, neighbouring_clusters


def test_a_point_between_two_centres_is_near_a_border() -> None:
    points, labels = np.array([0.0, 2.0, 5.0, 9.0, 11.0]), np.array([0, 0, 0, 1, 1])  # centres 7/3 and 10
    points[2] = 6.0  # centres 8/3 and 10: 10/3 and 4 away
    assert neighbouring_clusters(Instance(points, 2), labels).tolist() == [-1, -1, -1, -1, -1]
    points[2] = 6.3  # centres 83/30 and 10: 3.53 and 3.7 away
    assert neighbouring_clusters(Instance(points, 2), labels).tolist() == [-1, -1, 1, -1, -1]


def test_neighbours_against_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certain, "ROWS", 7)
    rng = np.random.default_rng(1)
    points, labels = rng.normal(size=(50, 3)), np.append([0, 1, 2, 3], rng.integers(0, 4, 46))
    found = neighbouring_clusters(Instance(points, 4), labels)
    centres = np.array([points[labels == cluster].mean(axis=0) for cluster in range(4)])
    for point, own, other in zip(points, labels, found, strict=True):
        away = np.linalg.norm(centres - point, axis=1)
        rival = min((c for c in range(4) if c != own), key=lambda c: away[c])
        assert other == (rival if away[rival] <= NEAR * away[own] else -1)
    assert {-1} < set(found)


def test_one_cluster_has_no_border() -> None:
    assert doubts_of(Instance([0.0, 1.0], 1), np.zeros(2, int)) == ()


def test_points_that_another_good_division_moves() -> None:
    result = pcsos.solve([0.0, 1.0, 5.0, 9.0, 10.0], 2, workers=1)
    certain = result.certain_pairs(0.1)
    assert result.instance is not None
    assert result.labels is not None
    found = {one.name: one.points.tolist() for one in doubts_of(result.instance, result.labels, certain)}
    assert found == {MOVES: [False, False, True, False, False]}


def test_what_is_in_doubt_for_no_reason_is_left_out() -> None:
    instance = Instance([0.0, 0.0, 2.05, 4.0, 4.0], 2, weights=[99.0, 99.0, 1.0, 99.0, 99.0])
    (only,) = doubts_of(instance, np.array([0, 0, 1, 1, 1]))
    assert (only.name, only.points.tolist()) == (BORDER, [False, False, True, False, False])
