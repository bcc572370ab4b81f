"""Paths: the truth of small instances, intervals that hold, what is kept when a path is ended, and bad input."""

import math
import signal

import numpy as np
import pytest

import pcsos
from pcsos.analysis.choice.curve import Path, costs_fall
from pcsos.analysis.choice.numbers import numbers_of
from pcsos.analysis.choice.rows import index_interval
from pcsos.analysis.choice.searches import Searches
from pcsos.analysis.choice.solve_path import _downwards, merge_clusters, neighbouring_labels, path_of, split_cluster
from pcsos.base.control.stop import Stop
from pcsos.base.events import Event, IncumbentFound, RunStarted
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import violation
from pcsos.problem.reduction import reduce_instance
from tests import oracle
from tests.clocks import Ticking
from tests.conditioned import Conditioned, random_conditioned
from tests.heuristics.problems import blobs
from tests.slow import first_few, shares

BLOBS = blobs(40, 4, constraints=0, seed=1, d=2).points
SEARCHES = Searches(Options(), Stop(), verbose=False)


def optima(instance: Instance) -> dict[int, float | None]:
    """The least cost of each number of clusters, from all partitions; None where there is none."""
    found: dict[int, float | None] = {}
    for k in range(1, instance.n_points + 1):
        truth = oracle.enumerate_feasible(instance.with_(n_clusters=k))
        found[k] = truth.optimum if truth.feasible else None
    return found


@pytest.mark.parametrize("seeds", shares(6, 25))
def test_paths_of_small_instances_are_the_truth(seeds: range) -> None:
    infeasible = certain = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        pairs = [tuple(rng.choice(7, 2, replace=False).tolist()) for _ in range(4)]
        instance = Instance(rng.normal(size=(7, 2)), 1, pairs[:1], pairs[1:], rng.uniform(0.5, 2.0, 7))
        truth = optima(instance)
        path = pcsos.path(instance, range(1, 8), workers=1)
        for row in path.rows:
            optimum = truth[row.n_clusters]
            if optimum is None:
                infeasible += 1
                assert row.status is Status.INFEASIBLE
                continue
            assert row.objective == pytest.approx(optimum, rel=1e-4, abs=1e-12)
            assert row.lower_bound <= optimum * (1.0 + 1e-12)
        indices = {
            k: (path.total - cost) / (k - 1) / (cost / (7 - k)) for k, cost in truth.items() if cost and 1 < k < 7
        }
        for k, index in indices.items():
            row = path.rows[k - 1]
            assert row.index_least * (1.0 - 1e-9) <= index <= row.index_most * (1.0 + 1e-9)
        if path.best is not None:
            certain += 1
            assert path.best == max(indices, key=indices.__getitem__)
    assert min(infeasible, certain) > 0.4 * len(seeds)


def test_a_bound_of_more_clusters_is_one_of_fewer() -> None:
    full = pcsos.path(BLOBS, [4, 5], workers=1)
    weak = Result(full[4].instance, Status.FEASIBLE, Reason.TIME_LIMIT, full[4].partition, seconds=0.0, seed=0)
    path = Path((weak, full[5]), full.total)
    assert path.rows[0].lower_bound == full[5].lower_bound
    assert path.rows[0].gap == pytest.approx((full[4].objective - full[5].lower_bound) / full[4].objective)
    assert Path((full[4], _without_bound(full[5])), full.total).rows[1].lower_bound is None


def _without_bound(result: Result) -> Result:
    return Result(result.instance, Status.FEASIBLE, Reason.TIME_LIMIT, result.partition, seconds=0.0, seed=0)


def test_a_number_of_clusters_of_which_nothing_is_known_is_never_ruled_out() -> None:
    full = pcsos.path(BLOBS, range(2, 6), workers=1)
    assert full.best == 3
    unknown = Result(full[4].instance.with_(n_clusters=6), Status.UNKNOWN, Reason.INTERRUPTED, seconds=0.0, seed=0)
    path = Path((*full.results, unknown), full.total)
    assert (path.best, path.contenders) == (None, (3, 6))
    assert path.verdict.partition("; ")[0] == "the greatest index may be that of k = 3 or 6"
    assert path.to_dict()["path"][-1]["index_most"] is None


def test_the_index_of_an_interval() -> None:
    assert index_interval(100.0, 20.0, None, 12, 2)[1] == math.inf
    assert index_interval(100.0, 0.0, 0.0, 12, 2) == (math.inf, math.inf)
    assert index_interval(100.0, None, 20.0, 12, 2) == pytest.approx((0.0, 40.0))
    assert index_interval(100.0, 20.0, 20.0, 12, 1) is index_interval(100.0, 0.0, 0.0, 12, 12) is None


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_neighbours_are_feasible_and_cost_no_more_than_what_they_come_from(seed: int) -> None:
    instance = blobs(30, 4, constraints=(0, 8)[seed % 2], seed=seed, d=2 + seed % 3)
    labels = pcsos.heuristics.run(instance, seed=0)[0].labels
    reduced = reduce_instance(instance)
    own = reduced.project(labels)
    split = split_cluster(reduced, own)
    assert len(np.unique(split)) == len(np.unique(own)) + 1
    assert all(len(np.unique(own[split == cluster])) == 1 for cluster in np.unique(split))
    merged = merge_clusters(reduced, own)
    if merged is not None:
        assert len(np.unique(merged)) == len(np.unique(own)) - 1
    for k in (2, 3, 6):
        other = instance.with_(n_clusters=k)
        found = neighbouring_labels(other, instance, labels)
        if k > 4:
            assert pcsos.Partition.of(other, found).objective <= pcsos.Partition.of(instance, labels).objective
        elif found is not None:
            assert violation(other, found) is None


def test_a_cluster_is_cut_where_that_gains_most() -> None:
    reduced = reduce_instance(Instance([[0.0, 0.0], [1.0, 0.0], [9.0, 1.0], [10.0, 1.0], [50.0, 0.0], [53.0, 0.0]], 2))
    split = split_cluster(reduced, np.array([0, 0, 0, 0, 1, 1]))
    assert split[0] == split[1] != split[2] == split[3]
    assert split_cluster(reduced, np.arange(6)) is None


def test_a_cut_beside_all_the_weight_gains_a_number() -> None:
    points = [[0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [8.0, 3.0]]
    reduced = reduce_instance(Instance(points, 1, weights=[1e9, 1e9, 1e-9, 1e-9]))
    split = split_cluster(reduced, np.zeros(4, np.intp))  # warnings are errors
    assert split[0] != split[1]
    path = pcsos.path(points, [1, 2, 3], weights=[1e9, 1e9, 1e-9, 1e-9])
    assert {result.status for result in path.results} == {Status.OPTIMAL}


def test_clusters_are_merged_where_that_costs_least_and_no_pair_forbids_it() -> None:
    points = [[0.0, 0.0], [4.0, 0.0], [9.0, 0.0]]
    assert merge_clusters(reduce_instance(Instance(points, 3)), np.arange(3)).tolist() == [0, 0, 1]
    apart = reduce_instance(Instance(points, 3, cannot_link=[(0, 1)]))
    assert merge_clusters(apart, np.arange(3)).tolist() == [0, 1, 1]
    every = reduce_instance(Instance(points, 3, cannot_link=[(0, 1), (1, 2), (0, 2)]))
    assert merge_clusters(every, np.arange(3)) is None


def test_each_search_begins_with_the_partition_before() -> None:
    events: list[Event] = []
    pcsos.path(BLOBS, [3, 4], workers=1, options=pcsos.Options(on_event=events.append))
    starts = [number for number, event in enumerate(events) if isinstance(event, RunStarted)]
    sources = [
        [event.source for event in part if isinstance(event, IncumbentFound)] for part in np.split(events, starts)
    ]
    assert "I" not in sources[1]
    assert sources[2][0] == "I"


def test_what_is_done_is_kept_when_a_path_is_ended() -> None:
    started = 0

    def should_stop() -> bool:
        return started == 2

    def count(event: Event) -> None:
        nonlocal started
        started += isinstance(event, RunStarted)

    path = pcsos.path(BLOBS, range(4, 9), workers=1, options=pcsos.Options(on_event=count, should_stop=should_stop))
    assert [result.status for result in path.results] == ["OPTIMAL", "FEASIBLE", "UNKNOWN", "UNKNOWN", "UNKNOWN"]
    assert path[5].labels is not None
    assert {result.reason for result in path.results[1:]} == {Reason.INTERRUPTED}
    assert path.best is None


def test_an_interrupt_ends_a_path_with_what_is_done() -> None:
    started = 0

    def interrupt(event: Event) -> None:
        nonlocal started
        started += isinstance(event, RunStarted)
        if isinstance(event, RunStarted) and started == 2:
            signal.raise_signal(signal.SIGINT)

    path = pcsos.path(BLOBS, range(4, 7), workers=1, options=pcsos.Options(on_event=interrupt))
    assert [result.status for result in path.results] == ["OPTIMAL", "FEASIBLE", "UNKNOWN"]
    assert path[6].reason is Reason.INTERRUPTED


def test_a_time_limit_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Ticking(monkeypatch, tick=0.01)
    points = np.random.default_rng(0).normal(size=(200, 10))
    path = pcsos.path(points, range(5, 8), workers=1, time_limit=1.5)
    assert 1.5 < clock.now < 2.5
    assert all(result.partition is not None and result.lower_bound is not None for result in path.results)


def test_better_partitions_come_from_more_clusters_where_the_proof_is_missing() -> None:
    path = pcsos.path(BLOBS, [3, 4], workers=1)
    bad = pcsos.Partition.of(path[3].instance, np.arange(40) % 3)
    poor = Result(path[3].instance, Status.FEASIBLE, Reason.TIME_LIMIT, bad, seconds=1.0, seed=0, lower_bound=1.0)
    improved = _downwards([poor, path[4]], SEARCHES)[0]
    assert improved.objective == pytest.approx(path[3].objective)
    assert (improved.status, improved.lower_bound) == (Status.FEASIBLE, 1.0)
    proved = Result(
        path[3].instance, Status.FEASIBLE, Reason.TIME_LIMIT, bad, seconds=1.0, seed=0, lower_bound=path[3].lower_bound
    )
    assert _downwards([proved, path[4]], SEARCHES)[0].status is Status.OPTIMAL


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (5, "n_clusters is 5; give several whole numbers"),
        ("234", "n_clusters is '234'; give several"),
        ([], "n_clusters is empty; give several"),
        ([2, 0], "n_clusters holds 0; give several"),
        ([2.5], r"n_clusters holds 2\.5; give several"),
        ([True], "n_clusters holds True; give several"),
        (range(2, 42), "n_clusters goes up to 41 but there are only 40 points; give fewer"),
    ],
)
def test_numbers_that_are_none_are_refused(numbers: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        pcsos.path(BLOBS, numbers)  # type: ignore[arg-type]


def test_points_and_pairs_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(InputError, match=r"points\[1, 0\] is nan"):
        pcsos.path([0.0, math.nan])
    with pytest.raises(InputError, match="cannot_link is given beside an Instance"):
        pcsos.path(Instance(BLOBS, 2), cannot_link=[(0, 1)])


def test_a_path_as_table_and_picture() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    path = pcsos.path([0.0, 1.0, 5.0, 6.0], range(1, 4), cannot_link=[(0, 1)], workers=1)
    frame = path.to_frame()
    assert frame.index.tolist() == [1, 2, 3]
    assert frame.loc[1, "status"] == "INFEASIBLE"
    assert pandas.isna(frame.loc[1, "objective"])
    assert frame.loc[3, "objective"] == pytest.approx(0.5)
    lines = str(path).splitlines()
    assert lines[1].split()[:4] == ["1", "INFEASIBLE", "-", "-"]
    assert lines[-1] == path.verdict
    for index in (False, True):
        axes = path.plot(index=index)
        (line,) = axes.containers[0].lines[:1]
        assert line.get_xdata().tolist() == [2.0, 3.0]
    with pytest.raises(KeyError):
        path[7]


@pytest.mark.parametrize("seeds", shares(6, 30))
def test_paths_under_limits_and_soft_pairs_are_the_truth(seeds: range) -> None:
    """More clusters may cost more here: no bound may be taken from them."""
    infeasible = rising = looked_at = 0
    for seed in seeds:
        drawn = random_conditioned(seed).instance
        limits = None if drawn.limits is None or drawn.limits.sizes is not None else drawn.limits
        kept = [drawn.soft, *(() if limits is None else limits.families)]
        whole = drawn.with_(n_clusters=1, conditions=kept[:1])
        path = path_of(numbers_of(whole, limits, range(1, drawn.n_points + 1)), Options(workers=1), verbose=False)
        before = math.inf
        for row, result in zip(path.rows, path.results, strict=True):
            refused = limits is not None and limits.shortage(drawn.weights, row.n_clusters) is not None
            own = None if refused else drawn.with_(n_clusters=row.n_clusters, conditions=kept)
            optimum = None if own is None else Conditioned(own).optimum
            if optimum is None:
                infeasible += 1
                assert row.status is Status.INFEASIBLE
                assert result.message or own is not None
                continue
            looked_at += 1
            assert violation(own, result.labels) is None
            assert row.objective == pytest.approx(float(optimum), rel=2e-4, abs=1e-9)
            assert row.lower_bound <= float(optimum) * (1.0 + 1e-12) + 1e-12
            if costs_fall(own):
                assert float(optimum) <= before * (1.0 + 1e-12) + 1e-12
            else:
                rising += float(optimum) > before * (1.0 + 1e-9)
            before = float(optimum)
    assert min(infeasible, rising) > 0.167 * len(seeds)
    assert looked_at > 2.5 * len(seeds)


@pytest.mark.parametrize("condition", [pcsos.Sizes(9, 14), pcsos.SoftPairs([(0, 39, 5.0), (1, 38, 9.0)])])
def test_starts_keep_to_limits(condition: pcsos.Sizes | pcsos.SoftPairs) -> None:
    known = pcsos.solve(BLOBS, 3, workers=1, size_min=12 if isinstance(condition, pcsos.Sizes) else None)
    target = Instance(BLOBS, 4, conditions=[condition])
    labels = neighbouring_labels(target, known.instance, known.labels)
    assert violation(target, labels) is None
    events: list[Event] = []
    pcsos.path(target, [3, 4], workers=1, gap=0.5, options=pcsos.Options(on_event=events.append))
    assert any(isinstance(event, IncumbentFound) and event.source == "I" for event in events)


@pytest.mark.slow
def test_numbers_that_limits_do_not_allow_are_infeasible(capfd: pytest.CaptureFixture[str]) -> None:
    points = np.random.default_rng(3).normal(size=(12, 2))
    path = pcsos.path(points, [1, 3, 4, 5], size_min=3, size_max=6, workers=1, verbose=True)
    assert [str(row.status) for row in path.rows] == ["INFEASIBLE", "OPTIMAL", "OPTIMAL", "INFEASIBLE"]
    assert path[5].message == "5 clusters of size_min = 3 need 15 points, but there are 12; give at most 2"
    assert f"k = 5: INFEASIBLE ({path[5].message})" in capfd.readouterr().err
    assert set(path.contenders) <= {3, 4}
    assert path[4].sizes.tolist() == [3, 3, 3, 3]
    late = pcsos.path(points, [3, 5], size_min=3, workers=1, time_limit=0.0)
    assert [str(row.status) for row in late.rows] == ["UNKNOWN", "INFEASIBLE"]


@pytest.mark.slow
def test_costs_with_penalties_have_no_index() -> None:
    path = pcsos.path(
        BLOBS,
        [2, 3],
        workers=1,
        conditions=[pcsos.SoftPairs(must_link=[(0, 39)], cannot_link=[(0, 1)], penalty="distance")],
    )
    assert [(row.index_least, row.index_most) for row in path.rows] == [(None, None)] * 2
    assert (path.best, path.contenders) == (None, ())
    assert str(path).endswith("costs with penalties have no index of Calinski and Harabasz")
    whole = pcsos.path(path[3].instance, [2, 3], workers=1)
    assert [row.objective for row in whole.rows] == [row.objective for row in path.rows]


def test_what_is_about_one_number_of_clusters_is_refused() -> None:
    line = [0.0, 1.0, 5.0, 6.0]
    with pytest.raises(InputError, match="sizes list the points of one number of clusters, and a path has several"):
        pcsos.path(Instance(line, 2, conditions=[pcsos.Sizes(exactly=[1, 3])]), [2, 3])
    with pytest.raises(InputError, match="sizes list the points of one number of clusters, and a path has several"):
        pcsos.path(line, [2, 3], conditions=[pcsos.Sizes(exactly=[1, 3])])
    with pytest.raises(InputError, match="paths and fronts are about points, not about a Gram matrix"):
        pcsos.path(pcsos.Kernel(line, "rbf"), [2, 3])
    with pytest.raises(InputError, match="penalties by confidence depend on the number of clusters"):
        pcsos.path(line, [2, 3], conditions=[pcsos.SoftPairs(must_link=[(0, 3, 0.9)], penalty="confidence")])
    with pytest.raises(InputError, match="size_min is given beside an Instance"):
        pcsos.path(Instance(line, 2), [2, 3], size_min=1)
    with pytest.raises(InputError, match="size_min is 3, more than size_max = 2"):
        pcsos.path(line, [2, 3], size_min=3, size_max=2)
    for function in (pcsos.path, pcsos.front):
        with pytest.raises(InputError, match="are about points, not about a Gram matrix"):
            function(Instance(pcsos.Gram(np.eye(4)), 2))
