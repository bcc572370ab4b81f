"""Assignments within limits: quotas, transports of whole points, repair, and the integer program, one by one."""

from typing import Any

import numpy as np
import pytest

from pcsos import SoftPairs, Weights
from pcsos.base.control.stop import REQUESTED, Stop
from pcsos.heuristics.assignment import limited
from pcsos.heuristics.assignment.conditions import Quotas, SoftNeighbours
from pcsos.heuristics.assignment.exact import Unassigned
from pcsos.heuristics.assignment.limited import assign_with_penalties, assign_within_limits, solve_within
from pcsos.heuristics.assignment.repair import repair
from pcsos.heuristics.centres import Costs, random_centres
from pcsos.presolve.colouring import integer_program
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import Reduced, reduce_instance
from tests.asked import asked
from tests.heuristics.problems import blobs


def problem(n: int = 60, k: int = 4, *, pairs: int = 0, seed: int = 0, **given: Any) -> Reduced:
    base = blobs(n, k, constraints=pairs, seed=seed)
    return reduce_instance(Instance(base.points, k, base.must_link, base.cannot_link, **asked(**given)))


def matrix_of(reduced: Reduced, seed: int = 0) -> np.ndarray:
    return Costs.of(reduced)(random_centres(reduced, np.random.default_rng(seed)))


def numbers(reduced: Reduced, labels: np.ndarray) -> list[int]:
    return np.bincount(reduced.lift(labels), minlength=reduced.n_clusters).tolist()


def breaks_pairs(reduced: Reduced, labels: np.ndarray) -> bool:
    ends = labels[reduced.cannot_link]
    return bool((ends[:, 0] == ends[:, 1]).any())


def within(reduced: Reduced, seed: int = 0, **options: Any) -> limited.Limited | Unassigned:
    rng = np.random.default_rng(seed)
    return assign_within_limits(reduced, matrix_of(reduced, seed), rng=rng, **{"budget": AMPLE} | options)


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ({"size_min": 2, "size_max": 4}, ([2, 2], [4, 4])),
        ({"size_max": 4}, ([1, 1], [4, 4])),
        ({"weight_min": 2.5, "weight_max": 4.0}, ([3, 3], [4, 4])),
        ({"size_min": 2, "weight_max": 3.5}, ([2, 2], [3, 3])),
        ({"sizes": [4, 2]}, ([4, 2], [4, 2])),
    ],
)
def test_quotas_of_equal_nodes_are_numbers(given: dict[str, Any], bounds: tuple[list[int], list[int]]) -> None:
    reduced = reduce_instance(Instance(np.arange(6.0), 2, **asked(**given)))
    (part,) = Quotas.of(reduced, np.array([0, 0, 0, 0, 0, 1])).in_parts()
    assert [own.tolist() for own in part] == [[*range(6)], *bounds]


def test_quotas_of_different_nodes_are_no_numbers_but_where_it_does_not_matter() -> None:
    linked = Instance(np.arange(6.0), 2, [(0, 1)], size_min=2)
    assert Quotas.of(reduce_instance(linked), np.zeros(5, np.intp)).in_parts() == []
    weighted = Instance(np.arange(6.0), 2, weights=np.arange(6.0) + 1.0, size_min=2)
    assert len(Quotas.of(reduce_instance(weighted), np.zeros(6, np.intp)).in_parts()) == 1
    heavy = Instance(np.arange(6.0), 2, weights=np.arange(6.0) + 1.0, conditions=[Weights(at_most=15.0)])
    assert Quotas.of(reduce_instance(heavy), np.zeros(6, np.intp)).in_parts() == []


def test_pairs_of_linked_points_count_as_two() -> None:
    doubled = reduce_instance(Instance(np.arange(8.0), 2, [(0, 1), (2, 3), (4, 5), (6, 7)], size_max=5))
    (part,) = Quotas.of(doubled, np.array([0, 0, 0, 1])).in_parts()
    assert [own.tolist() for own in part] == [[*range(4)], [1, 1], [2, 2]]


def quotas_of(amounts: list[list[float]], least: list[float], most: list[float], k: int = 2) -> Quotas:
    """Quotas of k clusters that all hold the same; numbers of points come first."""
    flags = np.zeros(len(least), bool)
    return Quotas(np.array(amounts), np.tile(least, (k, 1)), np.tile(most, (k, 1)), flags)


def test_what_has_no_limited_thing_in_common_comes_in_parts() -> None:
    amounts = [[1.0, 1.0, 0.0], [1.0, 0.0, 2.0], [1.0, 1.0, 0.0], [1.0, 0.0, 2.0], [1.0, 0.0, 0.0]]
    parts = quotas_of(amounts, [1.0, 1.0, 0.0], [5.0, np.inf, 3.0]).in_parts()
    assert [[own.tolist() for own in part] for part in parts] == [
        [[0, 2], [1, 1], [2, 2]],
        [[1, 3], [0, 0], [1, 1]],
        [[4], [0, 0], [1, 1]],
    ]


@pytest.mark.parametrize(
    ("amounts", "least", "most"),
    [
        ([[1, 1, 0], [1, 0, 1], [1, 1, 1]], [1, 1, 1], [3, 9, 9]),  # somebody brings of both
        ([[1, 1, 0], [1, 2, 0], [1, 0, 1]], [1, 1, 1], [3, 9, 9]),  # not alike
        ([[1, 1, 0], [1, 0, 1], [1, 0, 1]], [1, 1, 1], [2, 9, 9]),  # all points are limited, too
        ([[1, 1, 0], [1, 0, 1], [1, 0, 1]], [1, 0, 0], [3, 1, 1]),  # a cluster might remain empty
    ],
)
def test_what_has_a_limited_thing_in_common_comes_in_no_parts(amounts: Any, least: Any, most: Any) -> None:
    assert quotas_of(amounts, least, most).in_parts() == []


def test_parts_are_assigned_by_themselves_at_the_least_cost() -> None:
    rng = np.random.default_rng(2)
    costs, kind = rng.random((30, 3)), rng.integers(0, 3, 30)
    amounts = np.column_stack([np.ones(30), kind == 0, kind == 1]).astype(float)
    quotas = quotas_of(amounts.tolist(), [1.0, 3.0, 0.0], [30.0, 4.0, 5.0], k=3)
    sent = limited._by_parts(costs, quotas.in_parts(), None)
    program, _ = solve_within(costs, problem(n=30).graph, quotas, AMPLE)
    assert program is not None
    held = np.array([amounts[sent.labels == cluster].sum(axis=0) for cluster in range(3)])
    assert (held >= quotas.least).all()
    assert (held <= quotas.most).all()
    assert costs[np.arange(30), sent.labels].sum() <= costs[np.arange(30), program].sum() + 1e-12


def test_without_pairs_the_assignment_is_the_cheapest() -> None:
    reduced = problem(size_min=15, size_max=15)
    found = within(reduced)
    program, _ = solve_within(matrix_of(reduced), reduced.graph, Quotas.of(reduced, found.labels), AMPLE)
    assert program is not None
    matrix, rows = matrix_of(reduced), np.arange(reduced.size)
    assert matrix[rows, found.labels].sum() <= matrix[rows, program].sum()
    assert numbers(reduced, found.labels) == numbers(reduced, program) == [15] * 4


@pytest.mark.parametrize("seed", range(5))
def test_linked_points_and_cannot_links_are_respected_without_an_integer_program(seed: int) -> None:
    reduced = problem(pairs=60, seed=seed, size_min=13, size_max=17)
    found = within(reduced, seed)
    assert not found.used_integer_program
    assert found.prices is not None
    assert not breaks_pairs(reduced, found.labels)
    assert 13 <= min(numbers(reduced, found.labels)) <= max(numbers(reduced, found.labels)) <= 17


@pytest.mark.parametrize("seed", range(5))
def test_repair_mends_labels_that_are_all_the_same(seed: int) -> None:
    reduced = problem(pairs=60, seed=seed, sizes=[9, 13, 17, 21], weights=np.ones(60), weight_max=21.0)
    start = np.zeros(reduced.size, np.intp)
    quotas = Quotas.of(reduced, start)
    labels = repair(matrix_of(reduced), reduced.graph, quotas, start, np.random.default_rng(seed), AMPLE)
    assert labels is not None
    assert not start.any()
    assert not breaks_pairs(reduced, labels)
    assert sorted(numbers(reduced, labels)) == [9, 13, 17, 21]


def test_weights_that_only_one_packing_fits_are_packed_by_the_integer_program() -> None:
    weights = [8.0, 7.0, 6.0, 5.0, 4.0, 7.0, 5.0, 5.0, 4.0, 9.0]  # 60 into three times 20, 5 of which have one home
    reduced = reduce_instance(Instance(np.arange(10.0), 3, weights=weights, conditions=[Weights(at_most=20.0)]))
    labels, is_proved = solve_within(matrix_of(reduced), reduced.graph, Quotas.of(reduced, np.zeros(10, int)), AMPLE)
    assert not is_proved
    assert labels is not None
    assert np.bincount(labels, weights=weights).tolist() == [20.0] * 3


#: Three of weight three and one of one, in three clusters of at most three and a half.
FIT_NOWHERE = Instance(np.arange(4.0), 3, weights=[1.0, 3.0, 3.0, 3.0], conditions=[Weights(at_most=3.5)])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, limited.NONE_WITHIN),
        ({"last_resort": False}, limited.NONE_FOUND),
        ({"budget": Budget(Stop(lambda: True))}, REQUESTED),
    ],
)
def test_weights_that_fit_nowhere_are_proved_to(options: dict[str, Any], reason: str) -> None:
    assert within(reduce_instance(FIT_NOWHERE), **options).reason == reason


def test_a_program_that_the_solver_gives_up_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integer_program, "NO_SOLUTION", -1)
    assert within(reduce_instance(FIT_NOWHERE), budget=Budget(ilp="highs")).reason == limited.NONE_FOUND


def test_prices_of_pairs_are_billed_to_both_ends() -> None:
    given = SoftPairs([(0, 1, 3.0)], [(1, 2, 5.0)])
    soft = reduce_instance(Instance(np.arange(4.0), 2, conditions=[given])).soft
    neighbours = SoftNeighbours.of(soft, 4)
    assert neighbours.bills(np.array([0, 0, 1, 1]), 2).tolist() == [[-3.0, 0.0], [-3.0, 5.0], [5.0, 0.0], [0.0, 0.0]]
    assert neighbours.stakes().tolist() == [3.0, 8.0, 5.0, 0.0]


def test_an_assignment_with_penalties_pays_less() -> None:
    soft = {"soft_must_link": [(i, i + 20) for i in range(20)], "penalty": 50.0, "size_min": 10, "size_max": 20}
    reduced = problem(**soft)
    matrix, rng = matrix_of(reduced), np.random.default_rng(0)
    without = within(reduced)
    labels = assign_with_penalties(reduced, matrix, without.labels, rng=rng, budget=AMPLE)
    assert labels is not None
    assert 10 <= min(numbers(reduced, labels)) <= max(numbers(reduced, labels)) <= 20
    assert reduced.soft.cost(labels) < 0.5 * reduced.soft.cost(without.labels)


@pytest.mark.parametrize("seed", range(8))
def test_at_the_prices_of_a_transport_labels_are_cheaper_than_repaired_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, pairs = rng.random(600), rng.integers(0, 600, (60, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    near = np.abs(points[pairs[:, 0]] - points[pairs[:, 1]]) < 0.2
    reduced = reduce_instance(Instance(points, 6, pairs[~near], pairs[near], size_min=90, size_max=110))
    centres = reduced.located((np.arange(6.0)[:, None] + 0.5) / 6.0 - points.mean())
    costs = Costs.of(reduced)(centres)
    found = assign_within_limits(reduced, costs, rng=rng, budget=AMPLE)
    assert isinstance(found, limited.Limited)
    assert not breaks_pairs(reduced, found.labels)
    assert set(numbers(reduced, found.labels)) <= set(range(90, 111))
    repaired = repair(costs, reduced.graph, Quotas.of(reduced, found.labels), costs.argmin(axis=1), rng, AMPLE)
    assert repaired is not None
    each = np.arange(reduced.size)
    assert costs[each, found.labels].sum() <= costs[each, repaired].sum()
