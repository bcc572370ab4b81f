"""Limits of clusters and soft pairs: feasible partitions, the optimum in nearly all small cases, exact changes."""

import itertools
from dataclasses import replace
from itertools import combinations, islice, product

import numpy as np
import pytest

from pcsos import SoftPairs
from pcsos.base.control.stop import OUT_OF_TIME, Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.heuristics import run
from pcsos.heuristics.assignment import limited
from pcsos.heuristics.centres import Costs, centres_of, objective_of, random_centres
from pcsos.heuristics.conditioned_moves import ConditionArrays, change_of, holdings_of
from pcsos.heuristics.ipc_kmeans import ipc_kmeans, multi_start
from pcsos.heuristics.local_search import improve, search_from
from pcsos.heuristics.moves import Nodes, clusters_of
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.heuristics.sdp_start import kmeans_centres
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import reduce_instance
from tests.asked import asked
from tests.clocks import Ticking
from tests.conditioned import Conditioned, random_conditioned
from tests.heuristics.problems import blobs, tolerance
from tests.slow import first_few


def some(count: int, *, feasible: bool, first_seed: int = 0) -> list[Conditioned]:
    """The first instances that have, or have no, feasible partition."""
    cases = filter(is_reducible, map(random_conditioned, itertools.count(first_seed)))
    return list(islice((case for case in cases if bool(case.feasible) == feasible), count))


def is_reducible(case: Conditioned) -> bool:
    """Whether there is something to search, which contradictions among the pairs leave nothing of."""
    try:
        reduce_instance(case.instance)
    except InfeasibleError:
        return False
    return True


def cost(case: Conditioned, labels: np.ndarray) -> float:
    return float(case.cost(labels))


def is_feasible(case: Conditioned, labels: np.ndarray) -> bool:
    """Whether labels of points satisfy all that was given."""
    return np.unique(labels).size == case.instance.n_clusters and case.admits(labels)


def slack_of(case: Conditioned) -> float:
    return 10.0 * tolerance(case.instance)


@pytest.mark.parametrize("number", first_few(1, [40, 200]))
def test_small_problems_are_solved_and_all_results_are_feasible(number: int) -> None:
    cases = some(number, feasible=True)
    reached = 0
    for case in cases:
        reduced = reduce_instance(case.instance)
        best, _ = s_mdeclust(reduced, seed=0)
        labels = reduced.lift(best.labels)
        assert is_feasible(case, labels)
        assert best.objective == pytest.approx(cost(case, labels), rel=1e-9, abs=slack_of(case))
        assert Partition.of(case.instance, labels).objective == pytest.approx(
            best.objective, rel=1e-9, abs=slack_of(case)
        )
        assert best.objective >= float(case.optimum) * (1.0 - 1e-9) - slack_of(case)
        reached += best.objective <= float(case.optimum) * (1.0 + 1e-9) + slack_of(case)
    assert reached >= 0.98 * len(cases)


@pytest.mark.slow
def test_problems_without_a_partition_have_none_found_and_the_record_says_why() -> None:
    for case in some(30, feasible=False):
        best, record = s_mdeclust(reduce_instance(case.instance), seed=0)
        assert best is None
        assert not record.feasible
        assert record.message in (limited.NONE_WITHIN, limited.NONE_FOUND)


def test_the_integer_program_takes_over_where_no_search_finds_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "repair", lambda *_: None)
    programs = 0
    for case in some(40, feasible=True, first_seed=5000):
        reduced = reduce_instance(case.instance)
        rng = np.random.default_rng(0)
        matrix = Costs.of(reduced)(random_centres(reduced, rng))
        found = limited.assign_within_limits(reduced, matrix, rng=rng, budget=AMPLE)
        assert isinstance(found, limited.Limited)
        assert is_feasible(case, reduced.lift(found.labels))
        programs += found.used_integer_program
    assert programs >= 10


@pytest.mark.slow
def test_descent_is_feasible_and_never_worse_from_any_partition() -> None:
    for case in some(100, feasible=True, first_seed=1000):
        reduced = reduce_instance(case.instance)
        for row, _ in case.feasible[:: max(1, len(case.feasible) // 3)]:
            labels = reduced.project(row)
            before = labels.copy()
            solution, sweeps = improve(reduced, labels)
            np.testing.assert_array_equal(labels, before)
            lifted = reduced.lift(solution.labels)
            assert is_feasible(case, lifted)
            assert solution.objective <= cost(case, row) * (1.0 + 1e-9) + slack_of(case)
            assert solution.objective == pytest.approx(cost(case, lifted), rel=1e-9, abs=slack_of(case))
            assert sweeps >= 1


def conditioned_blobs(seed: int, **given: object) -> Conditioned:
    """Forty points in four blobs with a few pairs and these conditions."""
    base = blobs(40, 4, constraints=12, seed=seed)
    return Conditioned(Instance(base.points, 4, base.must_link, base.cannot_link, **asked(**given)))


SOFT = {
    "soft_must_link": [(i, i + 7, 1.5) for i in range(0, 30, 3)],
    "soft_cannot_link": [(i, i + 2, 0.7) for i in range(0, 30, 4)],
}


@pytest.mark.parametrize(
    "given",
    [
        {"size_min": 9, "size_max": 11},
        {"sizes": [8, 9, 11, 12]},
        {"size_max": 12, **SOFT},
        {"weight_min": 9.5, **SOFT},
        SOFT,
    ],
)
def test_no_feasible_move_and_no_feasible_swap_improves_the_result(given: dict[str, object]) -> None:
    case = conditioned_blobs(3, **given)
    reduced = reduce_instance(case.instance)
    rng = np.random.default_rng(0)
    solution = search_from(reduced, random_centres(reduced, rng), costs=Costs.of(reduced), rng=rng).solution
    solution, _ = improve(reduced, solution.labels)
    assert is_feasible(case, reduced.lift(solution.labels))
    neighbours = []
    for i, h in product(range(reduced.size), range(4)):
        neighbours.append(solution.labels.copy())
        neighbours[-1][i] = h
    for i, j in combinations(range(reduced.size), 2):
        neighbours.append(solution.labels.copy())
        neighbours[-1][[i, j]] = solution.labels[[j, i]]
    allowed = [labels for labels in map(reduced.lift, neighbours) if is_feasible(case, labels)]
    assert len(allowed) > 100
    assert min(cost(case, labels) for labels in allowed) >= solution.objective * (1.0 - 1e-9)


def test_changes_are_those_of_the_objective() -> None:
    case = conditioned_blobs(1, weights=np.arange(40) % 5 + 1.0, **SOFT)
    reduced = reduce_instance(case.instance)
    rng = np.random.default_rng(0)
    for _ in range(200):
        labels = np.concatenate([np.arange(4), rng.integers(4, size=reduced.size - 4)])
        members = rng.choice(reduced.size, int(rng.integers(1, 6)), replace=False)
        a, h = rng.choice(4, 2, replace=False)
        members = members[np.isin(labels[members], (a, h))]
        after = labels.copy()
        after[members] = a + h - labels[members]
        if members.size == 0 or np.bincount(after, minlength=4).min() == 0:
            continue
        state, conditions = clusters_of(Nodes.of(reduced), labels.copy(), 4), ConditionArrays.of(reduced)
        change = change_of(state, conditions, holdings_of(conditions, labels, 4), a, h, members)
        difference = objective_of(reduced, after) - objective_of(reduced, labels)
        assert change == pytest.approx(difference, rel=1e-9, abs=1e-9 * objective_of(reduced, labels))


def test_sizes_are_kept_in_any_order() -> None:
    case = conditioned_blobs(5, sizes=[4, 7, 12, 17])
    reduced = reduce_instance(case.instance)
    best, _ = s_mdeclust(reduced, seed=1)
    assert sorted(np.bincount(reduced.lift(best.labels)).tolist()) == [4, 7, 12, 17]


def test_a_penalty_beyond_all_sums_of_squares_makes_a_pair_hard() -> None:
    base = blobs(30, 3, seed=2)
    far = [(0, 1), (1, 2), (3, 4)]
    soft = reduce_instance(Instance(base.points, 3, conditions=[SoftPairs(must_link=far, penalty=1e6)]))
    hard = reduce_instance(Instance(base.points, 3, must_link=far))
    found = [s_mdeclust(reduced, seed=0)[0] for reduced in (soft, hard)]
    assert found[0].objective == pytest.approx(found[1].objective, rel=1e-9)


def test_runs_with_the_same_seed_are_the_same() -> None:
    reduced = reduce_instance(conditioned_blobs(7, size_min=8, size_max=12, **SOFT).instance)
    first, again = (s_mdeclust(reduced, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first[0].labels, again[0].labels)
    assert first[1].work == again[1].work


@pytest.mark.parametrize("variant", ["S-MDE", "SG-MDE", "SM-MDE", "SMG-MDE", "pcsos"])
def test_all_variants_and_starts_respect_conditions(variant: str) -> None:
    case = conditioned_blobs(2, size_min=9, size_max=11, **SOFT)
    reduced = reduce_instance(case.instance)
    results = [s_mdeclust(reduced, seed=0, variant=variant)[0]]
    if variant == "pcsos":
        results += [multi_start(reduced, seed=0, starts=starts, num_starts=5)[0] for starts in ("k-means++", "random")]
    for best in results:
        assert is_feasible(case, reduced.lift(best.labels))


def test_centres_without_constraints_do_not_know_conditions() -> None:
    reduced = reduce_instance(Instance([0.0, 1.0, 2.0, 50.0], 2, size_min=2, size_max=2))
    centres = kmeans_centres(reduced, np.random.default_rng(0))
    assert sorted(round(float(c), 9) for c in centres[:, 0] + 13.25) == [1.0, 50.0]


@pytest.mark.parametrize("method", ["cop-kmeans", "post-processing", "hybrid-de"])
def test_methods_that_know_no_conditions_refuse_them(method: str) -> None:
    with pytest.raises(InputError, match=f"method is '{method}', which knows neither .*; use s-mdeclust"):
        run(Instance(np.arange(6.0), 2, size_min=3), method)


def test_a_time_limit_stops_a_large_search_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Ticking(monkeypatch, tick=0.01)
    base = blobs(4000, 20, seed=0)
    reduced = reduce_instance(Instance(base.points, 20, **asked(size_min=195, size_max=205, **SOFT)))
    best, record = s_mdeclust(reduced, seed=0, budget=Budget(Stop(time_limit=0.5)))
    assert 0.5 < clock.now < 0.6
    assert best is not None
    assert record.message == OUT_OF_TIME


def test_what_is_plain_takes_the_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    for module in ("local_search", "ipc_kmeans"):
        monkeypatch.setattr(f"pcsos.heuristics.{module}.search_within", fail)
    reduced = reduce_instance(blobs(30, 3, constraints=10))
    centres = centres_of(reduced, np.arange(reduced.size) % 3)
    assert ipc_kmeans(reduced, centres).solution is not None
    with pytest.raises(AssertionError):
        ipc_kmeans(replace(reduced, limits=reduce_instance(Instance(np.arange(4.0), 2, size_min=2)).limits), centres)
