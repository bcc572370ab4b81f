"""A start from a partition: exact where clusters are far apart, near elsewhere, and harmless whatever it is told."""

import numpy as np
import pytest

from pcsos.base.typing import Indices
from pcsos.bounds.relaxation import engine, peng_wei
from pcsos.bounds.relaxation.engine import start_from
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance, sum_of_weighted_squares
from tests.bounds.relaxation.samples import plane_after


def mixture(seed: int, apart: float, k: int = 4, n: int = 60) -> tuple[Reduced, Indices]:
    """Return weighted points around k centres, some of them must-linked, and the cluster of each super-point."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(k, size=n)
    labels[:k] = np.arange(k)
    points = apart * rng.normal(size=(k, 3))[labels] + rng.normal(size=(n, 3))
    same = [(i, j) for i in range(8) for j in range(20, 30) if labels[i] == labels[j]][:6]
    instance = Instance(points, k, must_link=same, weights=rng.uniform(0.5, 3.0, n))
    reduced = reduce_instance(instance)
    return reduced, labels[reduced.representative]


def cost(reduced: Reduced, labels: Indices) -> float:
    total = reduced.offset
    for cluster in np.unique(labels):
        points, weights = reduced.means[labels == cluster], reduced.weights[labels == cluster]
        total += sum_of_weighted_squares(points - weights @ points / weights.sum(), weights)
    return total


def bound_after(reduced: Reduced, labels: Indices | None, rounds: int) -> float:
    warm = None if labels is None else start_from(reduced, labels, 0.02)
    return plane_after(rounds, peng_wei.build(reduced), warm=warm).bound


@pytest.mark.parametrize("seed", range(5))
def test_clusters_far_apart_are_proved_by_the_start_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ASKED_TOO_MUCH", 0.0)
    reduced, labels = mixture(seed, apart=30.0)
    assert bound_after(reduced, labels, 0) == pytest.approx(cost(reduced, labels), rel=1e-7)


def test_indicators_of_clusters_are_eigenvectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ASKED_TOO_MUCH", 0.0)
    reduced, labels = mixture(7, apart=8.0)
    relaxation, start = peng_wei.build(reduced), start_from(reduced, labels, 0.02)
    u, box = relaxation.direction, start.multipliers.box / relaxation.scale
    away = np.eye(u.size) - np.outer(u, u)
    g = away @ (-relaxation.gram - box) @ away
    plane = start.x - np.outer(u, u)  # spanned by the indicators on the complement of u
    image = g @ plane
    assert np.linalg.norm(image - plane @ image) <= 1e-9 * np.linalg.norm(image)
    values = np.sort(np.linalg.eigvalsh(plane @ g @ plane))
    assert values[:3] == pytest.approx([values[0]] * 3, rel=1e-6)  # the same for all k - 1 of them


@pytest.mark.parametrize("seed", range(3))
def test_it_is_far_ahead_of_a_start_from_nothing(seed: int) -> None:
    reduced, labels = mixture(seed, apart=6.0, k=12, n=120)
    for _ in range(20):
        means = np.array([np.average(reduced.means[labels == c], axis=0) for c in range(12)])
        labels = np.argmin(((reduced.means[:, None] - means) ** 2).sum(axis=2), axis=1)
    missing = [cost(reduced, labels) - bound_after(reduced, start, 2) for start in (labels, None)]
    assert missing[0] < 0.5 * missing[1]


@pytest.mark.parametrize("seed", range(5))
def test_any_labels_will_do(seed: int) -> None:
    reduced, labels = mixture(seed, apart=3.0)
    rng = np.random.default_rng(seed)
    for told in (rng.integers(4, size=labels.size), np.zeros(labels.size, np.intp), 7 * labels):
        assert bound_after(reduced, told, 1) <= cost(reduced, labels)


def test_equal_points_give_no_multipliers_and_no_penalty() -> None:
    reduced = reduce_instance(Instance(np.zeros((6, 2)), 2))
    start = start_from(reduced, np.array([0, 0, 0, 1, 1, 1]), 0.02)
    assert not start.multipliers.box.any()
    assert start.sigma == 0.0
