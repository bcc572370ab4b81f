"""The one entrance to all heuristics."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from pcsos import Gram
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.evidence.result import Reason
from pcsos.heuristics import METHODS, registry, run
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.sampled import is_worth_sketching
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, violation
from pcsos.problem.reduction import reduce_instance
from tests.clocks import Ticking
from tests.heuristics.problems import blobs, infeasible_instances

QUICK: dict[str, dict[str, Any]] = {
    "s-mdeclust": {"population": 5, "max_stall": 10},
    "ipc-kmeans": {"num_starts": 3},
    "blp-km": {"num_starts": 3},
    "sampled": {},
    "sdp-kmeans": {"num_starts": 3},
    "cop-kmeans": {"num_starts": 30},
    "post-processing": {"num_starts": 3},
    "k-means--": {"num_starts": 3},
    "hybrid-de": {"variant": "jDE-HG"},
}


def constrained(method: str) -> Instance:
    """An instance with the constraints that the method respects."""
    instance = blobs(60, 4, constraints=12, seed=1)
    return Instance(instance.points, 4, instance.must_link) if method == "hybrid-de" else instance


def test_every_method_is_tried_here() -> None:
    assert QUICK.keys() == METHODS.keys()


@pytest.mark.parametrize("method", METHODS)
def test_partitions_are_checked_and_belong_to_the_record(method: str) -> None:
    instance = constrained(method)
    improvements: list[Partition] = []
    result = run(instance, method, seed=1, on_improvement=improvements.append, **QUICK[method])
    assert violation(instance, result.partition.labels) is None
    assert result.record.feasible
    assert result.record.objective == pytest.approx(result.partition.objective)
    assert improvements[-1].objective == result.partition.objective
    again = run(instance, method, seed=1, **QUICK[method])
    np.testing.assert_array_equal(again.partition.labels, result.partition.labels)


def test_linear_algebra_runs_in_one_thread() -> None:
    threads: set[int] = set()

    def look(_: Partition) -> None:
        threads.update(library["num_threads"] for library in threadpool_info())

    run(blobs(60, 4), "sdp-kmeans", on_improvement=look, num_starts=1)
    assert threads == {1}


@pytest.mark.parametrize("method", METHODS)
def test_infeasible_instances_are_refused_by_every_method(method: str) -> None:
    instances = infeasible_instances(15)
    assert len(instances) == 15
    for instance in instances:
        with pytest.raises(InfeasibleError):
            run(instance, method, **QUICK[method])


@pytest.mark.parametrize("method", METHODS)
def test_a_stop_before_the_first_result_is_honest(method: str) -> None:
    result = run(blobs(40, 3), method, should_stop=lambda: True)
    assert (result.partition is None) == (not result.record.feasible)
    assert result.record.message == "stopped on request"


def test_hybrid_differential_evolution_refuses_cannot_links_also_where_it_works_aside() -> None:
    for n in (20, 600):
        with pytest.raises(InputError, match="use the method s-mdeclust"):
            run(Instance(np.arange(float(n)), 3, cannot_link=[(0, 1), (4, 5)]), "hybrid-de", time_limit=60.0)


@pytest.mark.parametrize("method", ["s-mdeclust", "ipc-kmeans", "hybrid-de"])
@pytest.mark.parametrize("n", [40, 600])
def test_a_time_limit_is_a_maximum_and_changes_nothing_before_it(method: str, n: int) -> None:
    instance = blobs(n, 3, constraints=0, seed=1, d=2)
    short = {"s-mdeclust": {}, "ipc-kmeans": {"num_starts": 5}, "hybrid-de": {"max_evaluations": 400}}[method]
    usual = run(instance, method, **short)
    limited = run(instance, method, time_limit=600.0, **short)
    assert limited.record.seconds < 60.0
    assert (limited.record.message, limited.record.work) == ("", usual.record.work)
    assert limited.partition.labels.tolist() == usual.partition.labels.tolist()


@pytest.mark.slow
def test_all_of_a_time_limit_is_used_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch, tick=0.01)
    instance = blobs(40, 3, constraints=20, seed=1)
    usual = run(instance).record
    assert usual.seconds < 10.0
    found: list[float] = []
    longer = run(instance, time_limit=30.0, use_all_time=True, on_improvement=lambda each: found.append(each.objective))
    assert 30.0 <= longer.record.seconds < 31.0
    assert longer.record.message == ""
    assert longer.record.local_search_calls > 2 * usual.local_search_calls
    assert usual.objective is not None
    assert longer.partition.objective == min(found) <= usual.objective
    short = run(blobs(400, 30, constraints=300, seed=1), time_limit=1.0).record
    assert (short.message, short.feasible) == ("time limit reached", True)
    again = run(instance, time_limit=0.5, use_all_time=True, max_generations=1).record
    assert (again.message, again.seconds >= 0.5) == ("", True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"use_all_time": True}, "use_all_time is about a time limit, but there is none"),
        ({"use_all_time": 1, "time_limit": 1.0}, "use_all_time is 1; give True or False"),
        (
            {"use_all_time": True, "time_limit": 1.0, "method": "ipc-kmeans"},
            "use_all_time is not an option of ipc-kmeans",
        ),
    ],
)
def test_time_that_cannot_be_used_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        run(blobs(20, 2), **options)


@pytest.mark.parametrize("k", [1, 5])
def test_nothing_is_searched_again_where_there_is_one_partition(k: int) -> None:
    record = run(Instance(np.arange(5.0), k), time_limit=3600.0, use_all_time=True).record
    assert (record.message, record.local_search_calls) == ("", 20)


def test_without_an_end_a_limit_is_none() -> None:
    assert run(blobs(20, 3, constraints=4, seed=1), time_limit=float("inf")).record.message == ""


def test_nothing_is_searched_for_below_zero() -> None:
    record = run(Instance(np.repeat(np.arange(3.0), 5), 3), time_limit=3600.0, use_all_time=True).record
    assert (record.objective, record.message) == (0.0, "")


@pytest.mark.parametrize("n", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_who_asks_for_the_end_later_reads_so(n: int) -> None:
    began = time.monotonic()
    record = run(
        blobs(n, 3, constraints=4, seed=1),
        time_limit=3600.0,
        use_all_time=True,
        should_stop=lambda: time.monotonic() > began + 1.0,
    ).record
    assert record.message == "stopped on request"


@pytest.mark.slow
def test_what_a_sketch_finds_is_finished_in_all_coordinates_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch, tick=0.01)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(450, 400)) + 0.25 * rng.normal(size=(12, 400))[rng.integers(0, 12, 450)]
    instance = Instance(Gram(points @ points.T), 12)
    assert is_worth_sketching(reduce_instance(instance))
    partition, record = run(instance, time_limit=2.0)
    assert record.objective == partition.objective
    again, _ = improve(reduce_instance(instance), partition.labels, swaps=False)
    assert again.objective == pytest.approx(partition.objective, rel=1e-9)


def test_a_child_that_is_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*arguments: object, on_lost: Callable[[str], object], **options: object) -> None:
        on_lost("the process is gone")

    monkeypatch.setattr(registry, "try_job", lost)
    record = run(blobs(600, 3, constraints=4, seed=1), time_limit=60.0).record
    assert record.message == "the process is gone"
    assert Reason.of_heuristic(record.message, was_interrupted=False) == Reason.INTERRUPTED


def test_reasons() -> None:
    assert Reason.of_heuristic("", was_interrupted=False) == Reason.HEURISTIC_FINISHED
    assert Reason.of_heuristic("time limit reached", was_interrupted=False) == Reason.TIME_LIMIT
    assert Reason.of_heuristic("", was_interrupted=True) == Reason.INTERRUPTED


def test_options_of_hybrid_differential_evolution() -> None:
    options = {"criterion": "VRC", "matching": "hungarian", "population": 10, "max_evaluations": 20}
    record = run(blobs(60, 4, seed=1), "hybrid-de", variant="b6e6rl-NG", **options).record
    assert (record.method, record.evaluations) == ("b6e6rl-NG", 20)
    with pytest.raises(InputError, match="num_starts is not an option of hybrid-de; it takes criterion, matching, "):
        run(blobs(20, 2), "hybrid-de", num_starts=3)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match=r"method is .*; give one of"):
        run(blobs(20, 2), "k-means")
    with pytest.raises(InputError, match="num_starts is not an option of s-mdeclust"):
        run(blobs(20, 2), num_starts=3)


@pytest.mark.parametrize(
    "options", [{"num_starts": 0}, {"time_limit": -1.0}, {"seed": -1}, {"ilp": "x"}, {"max_local_iterations": 1.5}]
)
def test_options_out_of_their_range_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))} is"):
        run(blobs(20, 3), "ipc-kmeans", **options)


def test_points_are_no_instance() -> None:
    with pytest.raises(InputError, match=r"give a pcsos\.Instance"):
        run([[0.0], [1.0]], "ipc-kmeans")  # type: ignore[arg-type]


@pytest.mark.slow
def test_differential_evolution_is_loaded_when_it_is_asked_for() -> None:
    code = "import sys, pcsos.search.run; print([name for name in sys.modules if 'differential_evolution' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
