"""What comparators return: violated pairs and empty clusters are counted as one does by hand."""

import doctest
import importlib

import numpy as np
import pytest

from benchmarks.comparators.clustering import Clustering, refuse_weights
from benchmarks.comparators.empty_clusters import nearest_centres
from benchmarks.comparators.mdeclust import mdeclust
from benchmarks.comparators.programs import PROGRAMS, installed, run_program
from benchmarks.comparators.soft_clusterers import OWN, run_own
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance
from tests import oracle
from tests.heuristics.problems import blobs
from tests.slow import slow_where


def test_violations_are_counted() -> None:
    instance = Instance([0.0, 1.0, 2.0, 10.0], 3, [(0, 1), (1, 3), (2, 3)], [(0, 2), (0, 3)])
    found = Clustering.of(instance, [7, 7, 7, 4], local_searches=3, num_repairs=2)
    assert found.labels.tolist() == [0, 0, 0, 1]
    assert (found.objective, found.criterion) == (2.0, 2.0)
    assert (found.violated_must_links, found.violated_cannot_links, found.num_empty) == (2, 1, 1)
    assert (found.local_searches, found.num_repairs) == (3, 2)
    assert not found.is_feasible


def test_only_labels_that_violate_nothing_and_use_all_clusters_are_feasible(line: Instance) -> None:
    assert Clustering.of(line, [0, 0, 1, 1, 1]).is_feasible
    assert not Clustering.of(line, [0, 1, 1, 1, 1]).is_feasible
    assert not Clustering.of(line, [0, 0, 0, 1, 1]).is_feasible
    assert not Clustering.of(Instance([0.0, 1.0], 2), [0, 0]).is_feasible


def test_unequal_weights_are_refused_in_one_sentence() -> None:
    refuse_weights(Instance([0.0, 1.0, 2.0], 2, weights=[2.0, 2.0, 2.0]), "LCVQE")
    with pytest.raises(InputError, match=r"weights\[2\] is 3 beside 2; LCVQE knows no weights"):
        refuse_weights(Instance([0.0, 1.0, 2.0], 2, weights=[2.0, 2.0, 3.0]), "LCVQE")


def test_empty_clusters_restart_at_the_furthest_points() -> None:
    points = np.array([[0.0], [1.0], [9.0], [5.0]])
    centres = np.array([[0.0], [50.0], [60.0]])
    labels, repairs = nearest_centres(points, centres)
    assert (labels.tolist(), repairs) == ([0, 0, 1, 2], 2)
    assert centres.ravel().tolist() == [0.0, 9.0, 5.0]
    equal = np.zeros((3, 2))
    labels, repairs = nearest_centres(equal, np.zeros((3, 2)))
    assert (sorted(labels.tolist()), repairs) == ([0, 1, 2], 2)


def test_mdeclust_is_optimal_without_the_pairs_and_counts_those_it_violates() -> None:
    violated = 0
    for seed in range(20):
        instance = blobs(8, 3, constraints=8, seed=seed, d=2)
        free = oracle.enumerate_feasible(Instance(instance.points, 3))
        found = mdeclust(instance, seed=seed, mutation=bool(seed % 2))
        assert found.objective == pytest.approx(free.optimum)
        counted = Clustering.of(instance, free.best_labels)
        assert found.violated_must_links == counted.violated_must_links
        assert found.violated_cannot_links == counted.violated_cannot_links
        violated += found.violated_must_links + found.violated_cannot_links
    assert violated > 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_by_their_seed_and_those_without_pairs_separate_what_is_far_apart(name: str) -> None:
    if name not in installed():
        with pytest.raises(InputError, match="not here"):
            run_program(name, Instance([0.0, 1.0], 2), seed=0)
        return
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 8)
    points = 50.0 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[truth] + rng.standard_normal((24, 2))
    instance = Instance(points, 3, [(0, 1), (8, 9)], [(0, 8), (8, 16)])
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    found = run_program(name, instance, seed=1)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert run_program(name, instance, seed=1).labels.tolist() == found.labels.tolist()
    assert found.labels.shape == (24,)
    if name not in ("PCKMeans", "MPCKMeans", "COPKMeans"):  # which have a single start
        assert found.labels.tolist() == truth.tolist()


@pytest.mark.parametrize("name", OWN)
def test_our_soft_clusterers_run_by_their_seed_and_separate_what_is_far_apart(name: str) -> None:
    truth = np.repeat([0, 1, 2], 8)
    points = 50.0 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[truth]
    points += np.random.default_rng(0).standard_normal((24, 2))
    instance = Instance(points, 3, [(0, 1), (8, 9)], [(0, 8), (8, 16)])
    found = run_own(name, instance, seed=1)
    assert found.labels.tolist() == truth.tolist()
    assert found.is_feasible
    with pytest.raises(InputError, match="knows no weights"):
        run_own(name, Instance([0.0, 1.0], 2, weights=[1.0, 2.0]), seed=0)


@pytest.mark.parametrize(
    "name",
    slow_where(
        "s_hg_means".__eq__, ["clustering", "cprbba", "lcvqe", "mdeclust", "programs", "s_hg_means", "soft_clusterers"]
    ),
)
def test_examples_are_right(name: str) -> None:
    if name in {"programs", "soft_clusterers"}:
        pytest.importorskip("sklearn")
    found = doctest.testmod(importlib.import_module(f"benchmarks.comparators.{name}"))
    assert found.failed == 0
    assert found.attempted >= 2
