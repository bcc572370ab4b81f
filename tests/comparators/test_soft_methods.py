"""S-HG-MEANS and LCVQE: they lower what they minimise, and find what is plain to see."""

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.comparators import lcvqe as lcvqe_module
from benchmarks.comparators import pair_likelihood
from benchmarks.comparators.clustering import Clustering
from benchmarks.comparators.lcvqe import assign, lcvqe, updated_centres, violations_of
from benchmarks.comparators.pair_descent import descend, shift
from benchmarks.comparators.pair_likelihood import ERROR, Fit, Model, criterion, fit_of, model_of
from benchmarks.comparators.s_hg_means import Member, s_hg_means, survivors
from pcsos.base.control.stop import Stop
from pcsos.problem.instance import Instance
from tests import oracle
from tests.heuristics.problems import blobs

METHODS = (s_hg_means, lcvqe)


def literal_criterion(instance: Instance, labels: NDArray[np.intp]) -> float:
    """The criterion of S-HG-MEANS as its formulas are written, cluster by cluster."""
    k, d = instance.n_clusters, instance.n_features
    floor = pair_likelihood.FLOOR * float(instance.points.var(axis=0).mean())
    total, sizes = 0.0, np.bincount(labels, minlength=k)
    for h in range(k):
        own = instance.points[labels == h]
        scatter = float(((own - own.mean(axis=0)) ** 2).sum())
        variance = max(scatter / (sizes[h] * d), floor)
        total += sizes[h] * d / 2 * np.log(variance) + scatter / (2 * variance)
    inside = sum(n * n / 2 for n in sizes)
    across = sum(sizes[r] * sizes[s] for r in range(k) for s in range(r))
    for links, right, wrong in ((instance.must_link, inside, across), (instance.cannot_link, across, inside)):
        if not len(links):
            continue
        rate = len(links) / ((1 - ERROR) * right + ERROR * wrong)
        for r in range(k):
            for s in range(r, k):
                m = sum({labels[i], labels[j]} == {r, s} for i, j in links)
                exposure = sizes[r] * sizes[s] / (2 if r == s else 1)
                is_right = (r == s) == (links is instance.must_link)
                b = 1 / (rate * ((1 - ERROR) if is_right else ERROR))
                total -= np.log(b)
                if m:
                    total += m - m * np.log(m / (exposure + b))
    return float(total)


def covering_labels(rng: np.random.Generator, n: int, k: int) -> NDArray[np.intp]:
    """Random labels with a point in every cluster."""
    return rng.permutation(np.concatenate([np.arange(k), rng.integers(k, size=n - k)]))


def fitted(instance: Instance, labels: NDArray[np.intp]) -> tuple[Model, Fit]:
    model = model_of(instance)
    return model, fit_of(model, labels.copy(), instance.n_clusters)


@pytest.mark.parametrize("seed", range(12))
def test_the_criterion_is_that_of_the_formulas(seed: int) -> None:
    instance = blobs(15, 3, constraints=(0, 10, 25)[seed % 3], seed=seed)
    labels = covering_labels(np.random.default_rng(seed), 15, 3)
    model, fit = fitted(instance, labels)
    assert criterion(model, fit) == pytest.approx(literal_criterion(instance, labels), rel=1e-10)


@pytest.mark.parametrize("seed", range(12))
def test_moved_points_keep_the_fit_up_to_date(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = blobs(14, 3, constraints=12, seed=seed)
    model, fit = fitted(instance, covering_labels(rng, 14, 3))
    for _ in range(30):
        i, h = int(rng.integers(14)), int(rng.integers(3))
        if h != fit.labels[i] and fit.sizes[fit.labels[i]] > 1:
            shift(model, fit, i, h)
    fresh = fit_of(model, fit.labels.copy(), 3)
    for mine, anew in zip(fit, fresh, strict=True):
        np.testing.assert_allclose(mine, anew, atol=1e-9)


@pytest.mark.slow
def test_s_hg_means_finds_the_likeliest_of_all_partitions() -> None:
    num_found = 0
    for seed in range(20):
        instance = blobs(7, 2 + seed % 2, constraints=6, seed=seed, d=2)
        partitions = oracle.all_partitions(7, instance.n_clusters)
        least = min(literal_criterion(instance, labels) for labels in partitions)
        found = s_hg_means(instance, seed=seed, rounds=10)
        assert found.criterion >= least - 1e-9 * abs(least)
        assert found.criterion == pytest.approx(literal_criterion(instance, found.labels), rel=1e-10)
        num_found += found.criterion <= least + 1e-3
    assert num_found >= 19


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_the_local_search_of_s_hg_means_ends_lower_where_no_relocation_gains(seed: int) -> None:
    instance = blobs(20, 3, constraints=12, seed=seed)
    labels = covering_labels(np.random.default_rng(seed), 20, 3)
    model, fit = fitted(instance, labels)
    annotated = np.flatnonzero(np.diff(model.indptr))
    others = np.setdiff1d(np.arange(20), annotated)
    before, after = criterion(model, fit), descend(model, fit, annotated, others)
    assert after < before
    assert after == pytest.approx(literal_criterion(instance, fit.labels), rel=1e-10)
    for i in annotated:
        for h in set(range(3)) - {int(fit.labels[i])}:
            moved = fit.labels.copy()
            moved[i] = h
            if np.unique(moved).size == 3:
                assert literal_criterion(instance, moved) >= after - 2e-4


def descended(instance: Instance, seed: int) -> tuple[NDArray[np.intp], list[float]]:
    start = instance.points[np.random.default_rng(seed).choice(40, 4, replace=False)]
    labels, criteria, _ = lcvqe_module.descend(instance.points, instance, start.copy())
    assert np.unique(labels).size == 4
    return labels, criteria


def test_lcvqe_lowers_its_criterion_and_keeps_its_best_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    num_lowered = num_raised = 0
    for seed in range(20):
        instance = blobs(40, 4, constraints=60, seed=seed)
        labels, criteria = descended(instance, seed)
        assert len(criteria) < lcvqe_module.MAX_ITERATIONS
        num_lowered += min(criteria) < criteria[0]
        num_raised += criteria[-1] > min(criteria)
        with monkeypatch.context() as patch:
            patch.setattr(lcvqe_module, "MAX_ITERATIONS", 1 + int(np.argmin(criteria)))
            assert descended(instance, seed)[0].tolist() == labels.tolist()
    assert num_lowered >= 15
    assert num_raised >= 1


def test_without_pairs_lcvqe_is_k_means() -> None:
    for seed in range(5):
        instance = blobs(40, 4, seed=seed)
        labels, criteria = descended(instance, seed)
        assert (np.diff(criteria[:-1]) < 0.0).all()
        assert criteria[-1] == criteria[-2]
        centres = np.array([instance.points[labels == h].mean(axis=0) for h in range(4)])
        squares = ((instance.points[:, None] - centres) ** 2).sum(axis=2)
        assert squares.argmin(axis=1).tolist() == labels.tolist()
        assert criteria[-1] == pytest.approx(squares.min(axis=1).sum() / 2)


@pytest.mark.parametrize("seed", range(10))
def test_the_centres_of_lcvqe_are_the_best_for_its_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = blobs(30, 3, constraints=80, seed=seed)
    points, labels = instance.points, covering_labels(rng, 30, 3)
    squares = ((points[:, None] - rng.standard_normal((3, 3))) ** 2).sum(axis=2)
    violations = violations_of(instance, labels, squares)
    assert violations.apart.size
    assert violations.further.size

    def value(centres: NDArray[np.float64]) -> float:
        total = sum(((points[i] - centres[labels[i]]) ** 2).sum() / 2 for i in range(30))
        for i, j in violations.apart:
            total += ((points[i] - centres[labels[j]]) ** 2).sum() / 4
            total += ((points[j] - centres[labels[i]]) ** 2).sum() / 4
        for i, h in zip(violations.further, violations.refuge, strict=True):
            total += ((points[i] - centres[h]) ** 2).sum() / 2
        return float(total)

    best = updated_centres(points, labels, violations, 3)
    for _ in range(20):
        assert value(best + 1e-3 * rng.standard_normal(best.shape)) > value(best)


def test_lcvqe_settles_single_pairs_as_one_does_by_hand() -> None:
    centres = np.array([[0.0], [10.0]])
    points = np.array([[0.0], [4.0], [6.0], [10.0]])
    together = Instance(points, 2, must_link=[(1, 2)])
    assert assign(points, together, centres.copy())[0].tolist() == [0, 0, 0, 1]
    tied = Instance(points, 2, must_link=[(0, 3)])  # 50 apart as well as together
    assert assign(points, tied, centres.copy())[0].tolist() == [0, 0, 1, 1]
    apart = Instance(points, 2, cannot_link=[(0, 1)])
    assert assign(points, apart, centres.copy())[0].tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("method", METHODS)
def test_what_is_far_apart_is_found(method: type) -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1, 2, 3], 5)
    points = 40.0 * np.eye(4)[truth] + rng.standard_normal((20, 4))
    instance = Instance(points, 4, [(0, 1), (2, 4), (6, 7)], [(0, 5), (5, 10), (12, 17)])
    found = method(instance, seed=3)
    assert found.labels.tolist() == truth.tolist()
    assert found.is_feasible


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_labels(method: type) -> None:
    instance = blobs(40, 4, constraints=30, seed=7)
    first, second = method(instance, seed=5), method(instance, seed=5)
    assert first.labels.tolist() == second.labels.tolist()
    assert (first.criterion, first.local_searches) == (second.criterion, second.local_searches)


@pytest.mark.parametrize("method", METHODS)
def test_pairs_that_contradict_each_other_are_violated_and_counted(method: type) -> None:
    instance = Instance([[0.0], [1.0], [9.0], [10.0]], 2, [(0, 1), (1, 2)], [(0, 2)])
    found: Clustering = method(instance, seed=0)
    assert found.violated_must_links + found.violated_cannot_links >= 1
    assert found.num_empty == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("points", "k"), [(np.zeros((4, 2)), 3), ([[1.0], [2.0]], 2), ([[1.0], [2.0], [5.0]], 1)])
def test_degenerate_points_use_every_cluster(method: type, points: list[list[float]], k: int) -> None:
    found = method(Instance(points, k, cannot_link=[(0, 1)]), seed=0)
    assert found.num_empty == 0
    assert np.isfinite(found.criterion)


@pytest.mark.parametrize("method", METHODS)
def test_a_run_without_time_ends_after_one_local_search(method: type) -> None:
    found = method(blobs(30, 3, constraints=10), seed=0, stop=Stop(time_limit=0.0))
    assert found.local_searches == 1


def test_clones_survive_only_where_nothing_else_is_left() -> None:
    def member(cost: float, *sizes: float) -> Member:
        return Member(np.zeros(1, np.intp), np.zeros((1, 1)), np.array(sizes), cost)

    found = survivors([member(2.0, 1, 2), member(1.0, 1, 2), member(1.0 + 5e-8, 1, 2), member(1.0, 2, 1)])
    assert [one.cost for one in found] == [1.0, 1.0, 2.0, 1.0 + 5e-8]
    many = survivors([*(member(1.0, 1, 2) for _ in range(15)), member(9.0, 1, 2)])
    assert [one.cost for one in many] == [1.0, 9.0] + 8 * [1.0]
