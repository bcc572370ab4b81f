"""The suite of dense cannot-links: what it draws, that the smallest set runs, and what it reports."""

from typing import Any

import numpy as np
import pytest

from benchmarks.case import Settings
from benchmarks.suites import dense
from pcsos.heuristics import HeuristicResult
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.partition import Partition
from tests.clocks import Ticking

pytest.importorskip("sklearn")

SMALLEST = (500, 20, 5)


@pytest.mark.parametrize(("n", "percent", "size"), [(500, 5, 300), (500, 20, 4950), (1000, 15, 11175)])
def test_pairs_are_as_many_as_said_sorted_and_different(n: int, percent: int, size: int) -> None:
    pairs = dense.drawn_pairs(n, percent)
    assert pairs.shape == (size, 2)
    assert pairs.min() >= 0
    assert pairs.max() < n
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert (np.diff(pairs[:, 0] * n + pairs[:, 1]) > 0).all()


def test_the_smallest_set_is_the_one_that_was_drawn_before() -> None:
    pairs = dense.drawn_pairs(500, 5)
    assert (pairs[0].tolist(), pairs[-1].tolist(), pairs.sum()) == ([0, 35], [157, 266], 106720)
    assert [len(dense.drawn(500, k, 5).must_link) for k in dense.CLUSTERS] == [16, 4]


@pytest.mark.parametrize("n_clusters", dense.CLUSTERS)
def test_pairs_say_what_the_blobs_say(n_clusters: int) -> None:
    points, classes = dense.blobs(500, n_clusters)
    np.testing.assert_allclose([points.mean(axis=0), points.std(axis=0)], [[0.0, 0.0], [1.0, 1.0]], atol=1e-12)
    assert np.unique(classes).size == n_clusters
    instance = dense.drawn(500, n_clusters, 20)
    must, cannot = instance.must_link, instance.cannot_link
    assert (classes[must[:, 0]] == classes[must[:, 1]]).all()
    assert (classes[cannot[:, 0]] != classes[cannot[:, 1]]).all()
    assert {tuple(pair) for pair in np.vstack([must, cannot]).tolist()} == {
        tuple(pair) for pair in dense.drawn_pairs(500, 20).tolist()
    }
    Partition.of(instance, classes)


def test_there_are_five_seeds_of_32_sets() -> None:
    found = dense.cases(Settings())
    assert len({case.name for case in found}) == len(found) == 32 * 5
    assert found[0].name == "n500-k20-p5-seed0"
    sets = {tuple(case.columns[name] for name in ("n", "k", "percent")) for case in found}
    assert len(sets) == 32
    assert sets > set(dense.PCCC)


def test_the_smallest_set_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch, tick=0.01)
    partitions: list[Partition] = []

    def noted(*args: Any, **options: Any) -> HeuristicResult:
        result = run_heuristic(*args, **options)
        assert result.partition is not None
        partitions.append(result.partition)
        return result

    monkeypatch.setattr(dense, "run_heuristic", noted)
    row = dense.run(*SMALLEST, seed=0, gap=1e-4, time_limit=2.0, workers=None)
    assert set(row) | {"n", "k", "percent", "seed"} == set(dense.COLUMNS)
    instance = dense.drawn(*SMALLEST)
    assert row["objective"] == Partition.of(instance, partitions[-1].labels).objective
    assert (row["found"], row["super_points"], row["cannot_links"]) == (1, 484, 284)
    assert (row["objective_2"] or np.inf) >= row["objective"]
    assert [row[f"objective_{moment}"] for moment in dense.MOMENTS if moment > 2] == [None] * 8
    assert row["local_searches"] >= 1
    assert row["overshot"] == (row["overshoot_seconds"] > dense.TOLERATED)
    assert (row["pccc_objective"], row["pccc_seconds"]) == (29.6, 1.5)


def test_nothing_is_known_before_the_first_partition_and_after_the_limit() -> None:
    found = [(1.5, 9.0), (3.0, 7.0), (5.5, 6.0)]
    assert [dense.value_at(moment, found, 5.0) for moment in (1, 2, 5, 10)] == [None, 9.0, 7.0, None]


def test_the_report_has_a_line_a_set() -> None:
    common = dict.fromkeys(dense.COLUMNS) | {"outcome": "done", "n": 500.0, "k": 20.0, "percent": 5.0}
    common |= {"super_points": 400.0, "cannot_links": 1000.0, "pccc_objective": 29.6, "pccc_seconds": 1.5}
    good = {"objective_10": 22.0, "objective": 20.0, "found": 1.0, "overshot": 0.0, "overshoot_seconds": 0.05}
    late = {"objective_10": 24.0, "objective": 21.0, "found": 1.0, "overshot": 1.0, "overshoot_seconds": 2.04}
    none = {"found": 0.0, "overshot": 0.0, "overshoot_seconds": 0.0}
    rows = [common | {"seed": 0.0} | good, common | {"seed": 1.0} | late]
    head, _, one, *rest = dense.report([*rows, {"name": "x", "outcome": "killed"}], Settings()).splitlines()
    cells = [[cell.strip() for cell in text.strip("|").split("|")] for text in (head, one)]
    assert dict(zip(*cells, strict=True)) == {
        **{"n": "500", "k": "20", "%": "5", "super-points": "400", "cannot-links each": "5"},
        **{"seeds": "2", "found": "2", "best known": "20", "best 10 s %": "10", "worst 10 s %": "20"},
        **{"best end %": "0", "worst end %": "5", "PCCC": "29.6", "PCCC s": "1.5"},
    }
    assert rest[1] == "after 10 s within 1 %: 0, within 0.2 %: 0 of 2 runs"
    assert rest[3] == "after their limit by more than 0.1 s: 1 of 2 runs, by 2.04 s at most"
    assert rest[5] == "failed or killed: 1"
    _, _, one, *_ = dense.report([*rows, common | {"seed": 2.0} | none], Settings()).splitlines()
    assert [cell.strip() for cell in one.strip("|").split("|")][-6:-2] == ["10", "-", "0", "-"]
