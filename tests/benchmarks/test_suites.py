"""What single suites draw and run: instances, soft pairs, heuristics and clusterers."""

from statistics import fmean
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from benchmarks.instances import build
from benchmarks.suites import clusterers, heuristics, large, soft
from pcsos.problem.partition import violation
from tests.clocks import Ticking

LIMITS = {"gap": 1e-4, "time_limit": 60.0, "workers": 1}


@pytest.mark.parametrize(("n", "percent", "size"), [(500, 5, 300), (500, 20, 4950), (1000, 15, 11175)])
def test_pairs_of_blobs_are_as_many_as_said_and_say_what_the_blobs_say(n: int, percent: int, size: int) -> None:
    instance = build(blobs=[n, 20, percent])
    pairs = np.vstack([instance.must_link, instance.cannot_link])
    assert pairs.shape == (size, 2)
    assert len(np.unique(np.sort(pairs), axis=0)) == size
    points = instance.points
    np.testing.assert_allclose([points.mean(axis=0), points.std(axis=0)], [[0.0, 0.0], [1.0, 1.0]], atol=1e-12)


def test_the_smallest_set_of_blobs_is_the_one_that_was_drawn_before() -> None:
    instance = build(blobs=[500, 20, 5])
    pairs = sorted(map(tuple, np.vstack([instance.must_link, instance.cannot_link]).tolist()))
    assert (pairs[0], pairs[-1], sum(map(sum, pairs))) == ((0, 35), (157, 266), 106720)
    assert len(instance.must_link) == 16


def test_clusters_of_equal_size_differ_by_one_point() -> None:
    limits = build(gaussians=[40, 2, 3, 4.0], equal=True).limits
    assert limits.to_dict() == {"size_min": 13, "size_max": 14}
    assert build(gaussians=[40, 2, 3, 4.0]).limits is None


@pytest.mark.slow
def test_a_certificate_has_a_row_with_its_search_and_its_run_file_checked() -> None:
    row = large.run(spread=[1000, 9], **LIMITS | {"gap": 0.05})
    assert (row["status"], row["verified"], row["n_points"]) == ("OPTIMAL", "OPTIMAL", 1000)
    assert row["search_seconds"] > 0.0
    assert set(row) - {"peak_mb"} == set(large.COLUMNS)


def seeds(objective: float | None, seconds: float) -> dict[str, Any]:
    found = {"objective": objective, "seconds": seconds, "cpu_seconds": seconds, "cpu_seconds_to_best": seconds / 2}
    counts = dict.fromkeys(heuristics.COUNTS, 20)
    return found | counts | {"overshoot_seconds": seconds, "message": None}


def test_seeds_are_combined_to_the_worst_objective_and_mean_times() -> None:
    both = heuristics.combined([seeds(10.0, 1.0), seeds(11.0, 4.0)])
    assert (both["objective"], both["best_objective"], both["seconds"]) == (11.0, 10.0, 2.5)
    assert (both["integer_programs"], both["overshoot_seconds"]) == (40, 4.0)
    none = heuristics.combined([seeds(None, 1.0), seeds(11.0, 4.0)])
    assert (none["objective"], none["best_objective"], none["cpu_seconds_to_best"]) == (None, 11.0, None)


@pytest.mark.slow
def test_a_dense_case_is_one_seed_that_uses_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch, tick=0.01)
    case = next(case for case in heuristics.cases(None) if case.name == "dense/n500-k20-p5/seed0")
    row = heuristics.run(**case.arguments, gap=1e-4, time_limit=2.0, workers=None)
    assert set(row) | set(case.columns) == set(heuristics.COLUMNS)
    assert row["objective"] == row["best_objective"] > 0.0


def test_draws_of_soft_pairs_are_the_same_again_and_mostly_right() -> None:
    classes = np.repeat([0, 1, 2], 50)
    must, cannot = soft.drawn_pairs(classes, 100, 1)
    assert len(np.unique(np.vstack([must, cannot]), axis=0)) == 100
    right = (classes[must[:, 0]] == classes[must[:, 1]]).sum() + (classes[cannot[:, 0]] != classes[cannot[:, 1]]).sum()
    assert 80 <= right < 100
    np.testing.assert_array_equal(soft.drawn_pairs(classes, 100, 1)[0], must)


@pytest.mark.slow
def test_pckm_stands_beside_a_certified_optimum() -> None:
    row = soft.run(drawn=["iris", soft.PAIRS, 0], **LIMITS)
    assert (row["status"], row["gap"] <= 1e-4) == ("OPTIMAL", True)
    assert row["pckm_best_excess"] >= -2e-4
    assert row["pckm_worst_excess"] >= row["pckm_median_excess"] >= row["pckm_best_excess"]
    assert set(row) < set(soft.COLUMNS)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:some pairs are broken")
def test_the_published_search_is_worse_than_no_pairs() -> None:
    """What the defaults mend: one start by index with labels kept, and penalties by distance."""
    points, classes = soft.SETS["wine"]()
    pairs = soft.drawn_pairs(classes, soft.WINE_PAIRS, 0)
    published, alone = (
        adjusted_rand_score(classes, soft.model(name, 3, 0)(points, *pairs)) for name in ("published", "KMeans")
    )
    assert published < alone - 0.1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:some pairs are broken")
@pytest.mark.parametrize("dataset", ["wine", "iris", "blobs, apart", "blobs, stretched", "redundant features"])
def test_the_defaults_are_no_worse_than_no_pairs(dataset: str) -> None:
    points, classes = soft.SETS[dataset]()
    k = len(np.unique(classes))
    number = soft.WINE_PAIRS if dataset == "wine" else int(soft.SHARE * len(points))
    index: dict[str, list[float]] = {method: [] for method in soft.METHODS[:4]}
    for seed in range(4):
        pairs = soft.drawn_pairs(classes, number, seed)
        for method, values in index.items():
            values.append(adjusted_rand_score(classes, soft.model(method, k, seed)(points, *pairs)))
    assert min(map(fmean, index.values())) >= fmean(index["KMeans"])


@pytest.mark.parametrize("dataset", soft.SETS)
def test_sets_are_the_same_again(dataset: str) -> None:
    (points, classes), (again, _) = soft.SETS[dataset](), soft.SETS[dataset]()
    np.testing.assert_array_equal(points, again)
    assert points.shape == (len(classes), points.shape[1])


@pytest.mark.slow
def test_a_method_is_compared_with_k_means_on_its_own_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft, "DRAWS", 2)
    row = soft.run(dataset="blobs, apart", method="PCKMeans", **LIMITS)
    assert row["least"] <= row["mean"] <= 1.0
    assert abs(row["above"]) < 0.5
    alone = soft.run(dataset="blobs, apart", method="KMeans", **LIMITS)
    assert (alone["above"], alone["standard_error"]) == (0.0, 0.0)


def test_there_is_a_seed_a_class() -> None:
    classes = np.repeat([0, 1, 2], [30, 4, 1])
    for draw in range(20):
        found = clusterers.drawn_seeds(classes, 5, np.random.default_rng(draw))
        assert set(found) == {-1, 0, 1, 2}
        assert (found >= 0).sum() == 5
        assert (found[found >= 0] == classes[found >= 0]).all()


@pytest.mark.parametrize("study", ["least", "score", "graph"])
def test_a_clusterer_of_the_literature_has_a_row(study: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DRAWS", "REPEATS", "VALUES", "TINY"):
        monkeypatch.setattr(clusterers, name, 2)
    case = next(case for case in clusterers.cases(None) if case.columns["study"] == study)
    row = clusterers.run(**case.arguments, gap=1e-4, time_limit=60.0, workers=1)
    assert set(row) | set(case.columns) < set(clusterers.COLUMNS)
    assert 0.0 <= row["value"] <= {"graph": 100.0}.get(study, 1.0)


def test_the_classes_of_blobs_are_a_partition_that_keeps_all_pairs() -> None:
    from sklearn.datasets import make_blobs

    _, classes = make_blobs(n_samples=500, n_features=2, centers=100, random_state=24)
    assert violation(build(blobs=[500, 100, 20]), classes) is None
