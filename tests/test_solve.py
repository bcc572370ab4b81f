"""The whole solver on instances whose optimum is known without it."""

import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import violation
from tests import oracle
from tests.clocks import Ticking
from tests.clouds import clouds
from tests.conftest import LINE_OPTIMUM

IRIS = load_iris().data


def solve(points: Any, n_clusters: int | None = None, **options: Any) -> Result:
    return pcsos.solve(points, n_clusters, **{"workers": 1} | options)


def small_instance(seed: int = 3) -> Instance:
    """Nine points in three overlapping clusters with a few constraints; never infeasible."""
    rng = np.random.default_rng(seed)
    points, _ = clouds(rng, 9, 3, 2, 2.0)
    return Instance(points, 3, [(0, 3)], [(0, 1), (4, 8), (2, 5)], rng.uniform(0.5, 2.0, 9))


class TestKnownAnswers:
    def test_instance_computed_by_hand(self, line: Instance) -> None:
        result = solve(line)
        assert result.status is Status.OPTIMAL
        assert result.reason is Reason.GAP_REACHED
        assert result.objective == pytest.approx(LINE_OPTIMUM, rel=1e-12)
        np.testing.assert_array_equal(result.labels, [0, 0, 1, 1, 1])
        assert LINE_OPTIMUM * (1 - 1e-4) <= result.lower_bound <= LINE_OPTIMUM
        assert (result.n_points, result.n_features, result.n_clusters) == (5, 1, 2)
        assert (result.n_must_link, result.n_cannot_link) == (1, 1)

    @pytest.mark.parametrize(
        ("k", "optimum"),
        [
            (2, 152.3480),
            (3, 78.8514),
            pytest.param(4, 57.2285, marks=pytest.mark.slow),
            pytest.param(5, 46.4462, marks=pytest.mark.slow),
            pytest.param(6, 39.0400, marks=pytest.mark.slow),
        ],
    )
    def test_iris_without_constraints_has_the_optima_of_the_literature(self, k: int, optimum: float) -> None:
        result = solve(IRIS, k)
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(optimum, abs=6e-5)
        assert result.gap <= 1e-4


class TestCorners:
    def test_one_cluster(self) -> None:
        result = solve(IRIS, 1)
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(((IRIS - IRIS.mean(axis=0)) ** 2).sum(), rel=1e-12)
        assert result.gap == pytest.approx(0.0, abs=1e-9)

    def test_every_point_its_own_cluster(self) -> None:
        result = solve(IRIS[:60:6], 10)
        assert result.status is Status.OPTIMAL
        assert (result.objective, result.gap) == (0.0, 0.0)
        assert sorted(result.labels) == list(range(10))

    @pytest.mark.parametrize("k", [1, 2, 5])
    def test_all_points_equal(self, k: int) -> None:
        result = solve(np.full((8, 3), 0.1), k, cannot_link=[(0, 1)] if k > 1 else [])
        assert result.status is Status.OPTIMAL
        assert (result.objective, result.gap) == (0.0, 0.0)
        assert np.unique(result.labels).size == k

    def test_a_single_point(self) -> None:
        result = solve([[3.0, 4.0]], 1)
        assert (result.status, result.objective, result.labels.tolist()) == (Status.OPTIMAL, 0.0, [0])

    def test_duplicates_cost_what_weights_cost(self) -> None:
        points = np.random.default_rng(0).standard_normal((7, 2))
        copies = np.array([1, 3, 2, 1, 1, 4, 2])
        by_weight = solve(points, 3, weights=copies, gap=1e-6)
        by_copy = solve(np.repeat(points, copies, axis=0), 3, gap=1e-6)
        assert by_copy.status is by_weight.status is Status.OPTIMAL
        assert by_copy.objective == pytest.approx(by_weight.objective, rel=2e-6)

    def test_one_feature_equals_the_best_split_of_the_sorted_points(self) -> None:
        x = np.sort(np.random.default_rng(1).standard_normal(25))
        best = min(
            sum(float(((part - part.mean()) ** 2).sum()) for part in np.split(x, cuts))
            for cuts in itertools.combinations(range(1, 25), 2)
        )
        result = solve(x, 3, gap=1e-6)
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(best, rel=2e-6)

    @pytest.mark.slow
    def test_twenty_thousand_features_equal_their_rotation_into_few(self) -> None:
        rng = np.random.default_rng(2)
        few, _ = clouds(rng, 24, 3, 6, 4.0)
        basis = np.linalg.qr(rng.standard_normal((20_000, 6)))[0]
        narrow, wide = solve(few, 3, gap=1e-6), solve(few @ basis.T, 3, gap=1e-6)
        assert wide.status is narrow.status is Status.OPTIMAL
        assert wide.n_features == 20_000
        assert wide.objective == pytest.approx(narrow.objective, rel=2e-6)

    def test_a_point_in_all_constraints_and_a_point_in_none(self) -> None:
        points = np.random.default_rng(4).standard_normal((8, 2))
        instance = Instance(points, 4, [(0, 1), (0, 2)], [(0, j) for j in range(3, 7)])
        result = solve(instance, gap=1e-6)
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(oracle.enumerate_feasible(instance).optimum, rel=2e-6)


def translated(instance: Instance) -> tuple[Instance, float]:
    return instance.with_(points=instance.points + np.array([1e3, -3e4])), 1.0


def rotated(instance: Instance) -> tuple[Instance, float]:
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    return instance.with_(points=instance.points @ turn), 1.0


def shrunk(instance: Instance) -> tuple[Instance, float]:
    return instance.with_(points=1e-100 * instance.points), 1e-200


def stretched(instance: Instance) -> tuple[Instance, float]:
    return instance.with_(points=1e100 * instance.points), 1e200


def reweighted(instance: Instance) -> tuple[Instance, float]:
    return instance.with_(weights=1e6 * instance.weights), 1e6


def permuted(instance: Instance) -> tuple[Instance, float]:
    order = np.random.default_rng(0).permutation(instance.n_points)
    pairs = {kind: np.argsort(order)[getattr(instance, kind)] for kind in ("must_link", "cannot_link")}
    return instance.with_(points=instance.points[order], weights=instance.weights[order], **pairs), 1.0


@pytest.mark.parametrize("change", [translated, rotated, shrunk, stretched, reweighted, permuted])
@pytest.mark.parametrize("seed", [3, 4])
def test_the_optimum_does_not_depend_on_units_place_or_order(change: Any, seed: int) -> None:
    instance = small_instance(seed)
    changed, factor = change(instance)
    result = solve(changed, gap=1e-6)
    optimum = oracle.enumerate_feasible(instance).optimum * factor
    assert result.status is Status.OPTIMAL
    assert optimum * (1 - 1e-9) <= result.objective <= optimum * (1 + 1.1e-6)
    assert optimum * (1 - 1.1e-6) <= result.lower_bound <= optimum * (1 + 1e-9)


class TestInfeasible:
    def test_a_contradiction_is_a_result_with_a_reason_not_an_exception(self) -> None:
        result = solve(IRIS[:10], 2, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])
        assert result.status is Status.INFEASIBLE
        assert result.reason is Reason.INFEASIBLE
        assert "0 - 1 - 2" in result.message
        assert (result.labels, result.objective, result.gap) == (None, None, None)

    def test_a_graph_without_a_large_clique_can_need_too_many_colours(self) -> None:
        wheel = [(i, (i + 1) % 5) for i in range(5)] + [(i, 5) for i in range(5)]
        assert solve(IRIS[:12], 3, cannot_link=wheel).status is Status.INFEASIBLE
        assert solve(IRIS[:12], 4, cannot_link=wheel).status is Status.OPTIMAL


class TestLimits:
    def test_a_node_limit_keeps_partition_and_bound(self) -> None:
        result = solve(IRIS, 6, options=pcsos.Options(node_limit=0))
        assert result.reason is Reason.NODE_LIMIT
        assert result.status is not Status.OPTIMAL
        assert result.nodes == 0

    def test_a_time_limit_keeps_a_feasible_partition_and_a_valid_bound(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Ticking(monkeypatch, tick=0.01)
        instance = Instance(IRIS, 6, [(0, 1)], [(0, 2), (60, 120)])
        result = solve(instance, time_limit=5.0, gap=1e-9, workers=1)
        assert (result.status, result.reason) == (Status.FEASIBLE, Reason.TIME_LIMIT)
        assert 4.5 < result.seconds < 6.0
        assert violation(instance, result.labels) is None
        assert result.lower_bound is None or result.lower_bound <= result.objective

    def test_a_wide_gap_is_honest_about_the_bound(self) -> None:
        result = solve(IRIS, 3, gap=0.2)
        assert result.status is Status.OPTIMAL
        assert result.gap <= 0.2
        assert result.lower_bound <= 78.8515


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_seed_gives_the_same_result(workers: int) -> None:
    points = np.random.default_rng(8).standard_normal((30, 2))
    first, second = (solve(points, 4, seed=5, workers=workers, gap=1e-6) for _ in range(2))
    assert first.status is second.status is Status.OPTIMAL
    np.testing.assert_array_equal(first.labels, second.labels)
    assert (first.objective, first.lower_bound) == (second.objective, second.lower_bound)
    assert (first.nodes, first.root_lower_bound) == (second.nodes, second.root_lower_bound)


def test_events_tell_the_run_from_start_to_end() -> None:
    events: list[object] = []
    result = solve(IRIS, 3, options=pcsos.Options(on_event=events.append))
    names = [type(event).__name__ for event in events]
    assert names[0] == "RunStarted"
    assert {"IncumbentFound", "BoundImproved"} <= set(names)
    objectives = [event.objective for event in events if type(event).__name__ == "IncumbentFound"]
    assert objectives == sorted(objectives, reverse=True)
    assert min(objectives) == pytest.approx(result.objective, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": 2.0}, "gap is 2.0"),
        ({"workers": 0}, "workers is 0"),
        ({"conditions": pcsos.Sizes(2)}, "conditions is a Sizes; give a list of conditions"),
        ({"conditions": [2]}, r"conditions\[0\] is 2; give a condition such as pcsos.Sizes\(2, 5\)"),
        ({"size_min": 2, "conditions": [pcsos.Sizes(3)]}, "size_min is given twice; leave one of them out"),
        ({"size_min": 9, "conditions": [pcsos.Sizes(at_most=8)]}, "size_min is 9, more than size_max = 8"),
        ({"must_link": [(0, 200)]}, r"must_link\[0\] is \(0, 200\)"),
        ({"weights": [1.0]}, "weights have shape"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(IRIS, 3, **options)


@pytest.mark.parametrize("engine", ["admm", "scs", "clarabel"])
@pytest.mark.parametrize("seed", [3, 4])
def test_engines_agree(engine: str, seed: int) -> None:
    instance = small_instance(seed)
    result = solve(instance, options=pcsos.Options(engine=engine))
    optimum = oracle.enumerate_feasible(instance).optimum
    assert result.status is Status.OPTIMAL
    assert optimum * (1 - 1e-9) <= result.objective <= optimum * (1 + 1.1e-4)
    assert optimum * (1 - 1.1e-4) <= result.lower_bound <= optimum * (1 + 1e-9)


@pytest.mark.parametrize("ilp", ["gurobi", "highs"])
def test_integer_programs_agree(ilp: str) -> None:
    rng = np.random.default_rng(12)
    points = rng.standard_normal((9, 2))
    cycles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6), (6, 3), (0, 3), (7, 8)]
    instance = Instance(points, 3, cannot_link=cycles)
    result = solve(instance, gap=1e-6, options=pcsos.Options(ilp=ilp))
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(oracle.enumerate_feasible(instance).optimum, rel=2e-6)


def test_a_finished_run_is_returned_only_for_options_that_exist(tmp_path: Path) -> None:
    solve([[0.0], [1.0], [5.0]], 2, run_file=tmp_path / "a.run")
    assert pcsos.resume(tmp_path / "a.run", workers=1).status is Status.OPTIMAL
    with pytest.raises(InputError, match="time_limit is -1"):
        pcsos.resume(tmp_path / "a.run", time_limit=-1)


def test_an_engine_that_is_missing_is_refused_before_there_is_a_run_file(tmp_path: Path) -> None:
    cvxpy = pytest.importorskip("cvxpy")
    if "MOSEK" in cvxpy.installed_solvers():
        pytest.skip("MOSEK is installed")
    with pytest.raises(InputError, match="not installed"):
        solve([[0.0], [1.0], [5.0]], 2, run_file=tmp_path / "a.run", options=pcsos.Options(engine="mosek"))
    assert not (tmp_path / "a.run").exists()


def test_an_engine_without_cvxpy_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(InputError, match=r"engine is 'scs', which needs cvxpy; pip install \"pcsos\[engines\]\""):
        solve([[0.0], [1.0], [5.0]], 2, run_file=tmp_path / "a.run", options=pcsos.Options(engine="scs"))
    assert not (tmp_path / "a.run").exists()


def test_an_instance_can_be_given_whole(line: Instance) -> None:
    parts = pcsos.solve(
        line.points, line.n_clusters, must_link=line.must_link, cannot_link=line.cannot_link, weights=line.weights
    )
    whole = pcsos.solve(line)
    assert (whole.objective, whole.lower_bound, whole.nodes) == (parts.objective, parts.lower_bound, parts.nodes)


@pytest.mark.parametrize("part", [{"n_clusters": 2}, {"must_link": np.array([(0, 1)])}, {"weights": [1.0] * 5}])
def test_an_instance_has_its_own_parts(line: Instance, part: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(part))} is given beside an Instance"):
        pcsos.solve(line, **part)
