import time
from typing import Any

import numpy as np
import pytest

from pcsos.heuristics.assignment import exact as module
from pcsos.heuristics.assignment.exact import INFEASIBLE, Assignment, Unassigned, assign
from pcsos.heuristics.assignment.limited import greedy_assign
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import ColouringParams
from tests.presolve.colouring.brute_force import (
    cheapest,
    clique,
    colourings,
    cycle,
    is_proper,
    random_edges,
    random_tree,
)
from tests.slow import first_few


def programs_only(ilp: str) -> Budget:
    """Leave everything to integer programs."""
    return Budget(ilp=ilp, params=ColouringParams(region_steps=-1))


def check_against_brute_force(seed: int, budget: Budget = AMPLE) -> Assignment | None:
    rng = np.random.default_rng(seed)
    size, k = int(rng.integers(1, 8)), int(rng.integers(1, 5))
    if seed % 5 == 0:
        edges = random_tree(rng, size)
    elif seed % 5 == 1 and size > 2:
        edges = cycle(size)[:, ::-1]
    else:
        edges = random_edges(rng, size, rng.choice([0.1, 0.3, 0.6, 0.9]))
    costs = rng.random((size, k))
    if seed % 4 == 0:
        costs[:, rng.integers(k)] += 5.0  # nobody goes there unless somebody must
    if seed % 4 == 1:
        costs = np.round(3.0 * costs)  # ties
    if seed % 8 == 2:
        costs[:, rng.integers(k)] -= 1.0  # everybody goes there
    allowed = rng.random(k) < 0.7 if seed % 3 == 0 else np.ones(k, np.bool_)
    usable = np.flatnonzero(allowed)
    found = assign(
        costs,
        ConflictGraph.build(size, edges),
        budget=budget,
        allowed=allowed if seed % 3 == 0 else None,
    )
    required = set(range(usable.size))
    best = cheapest(costs[:, usable], colourings(size, edges, usable.size, required))
    if isinstance(found, Unassigned):
        assert found.reason == INFEASIBLE
        assert np.isinf(best)
        return None
    assert found.proved
    assert found.cost == pytest.approx(best, rel=1e-12, abs=1e-12)
    assert found.cost == pytest.approx(costs[np.arange(size), found.labels].sum(), rel=1e-12, abs=1e-12)
    assert is_proper(found.labels, edges)
    assert set(found.labels) <= set(usable)
    assert set(found.labels) == set(usable)
    return found


@pytest.mark.parametrize("block", range(10))
def test_assign_equals_brute_force(block: int) -> None:
    found = [check_against_brute_force(seed) for seed in range(100 * block, 100 * (block + 1))]
    solved = [a for a in found if a is not None]
    assert 20 < len(solved) < 100  # both outcomes occur
    assert any(a.repaired is not None for a in solved)


@pytest.mark.slow
@pytest.mark.parametrize("ilp", ["gurobi", "highs"])
def test_the_integer_program_tier_equals_brute_force(ilp: str) -> None:
    found = [check_against_brute_force(seed, programs_only(ilp)) for seed in range(150)]
    assert sum(a.base.num_integer for a in found if a is not None) > 3


@pytest.mark.slow
@pytest.mark.parametrize("may_pin", [True, False], ids=["where bounds leave a gap", "without representatives"])
def test_the_joint_program_equals_brute_force(may_pin: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cheapest_colouring = module.cheapest_colouring

    def colour(*arguments: Any, pinned: Any = None, **options: Any) -> Any:
        return cheapest_colouring(*arguments, pinned=pinned, **options) if may_pin or pinned is None else None

    monkeypatch.setattr(module, "cheapest_colouring", colour)
    found = [check_against_brute_force(seed) for seed in range(300)]
    joint = [a.repaired.joint for a in found if a is not None and a.repaired is not None]
    assert sum(joint) > 10
    assert may_pin or all(joint)


def test_nearest_centres_are_kept_where_nothing_is_violated() -> None:
    rng = np.random.default_rng(0)
    costs = rng.random((60, 4))
    labels = costs.argmin(axis=1)
    edges = random_edges(rng, 60, 0.1)
    edges = edges[labels[edges[:, 0]] != labels[edges[:, 1]]]
    graph = ConflictGraph.build(60, edges)
    found = assign(costs, graph)
    assert (found.labels == labels).all()
    assert (found.base.region < 0).all()
    assert found.base.num_integer == 0


def test_the_costs_are_left_as_they_are() -> None:
    rng = np.random.default_rng(1)
    costs = rng.random((30, 3))
    before = costs.copy()
    found = assign(costs, ConflictGraph.build(30, random_edges(rng, 30, 0.05)))
    assert isinstance(found, Assignment)
    assert (costs == before).all()


def test_one_big_clique_is_a_linear_assignment_problem() -> None:
    from scipy.optimize import linear_sum_assignment

    costs = np.random.default_rng(2).random((100, 100))
    found = assign(costs, ConflictGraph.build(100, clique(100)))
    assert found.cost == pytest.approx(costs[linear_sum_assignment(costs)].sum(), rel=1e-12)
    assert found.base.num_integer == 0


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_scaling_the_costs_changes_nothing(scale: float) -> None:
    rng = np.random.default_rng(6)
    costs = rng.random((80, 5))
    graph = ConflictGraph.build(80, random_edges(rng, 80, 0.03))
    plain, scaled = assign(costs, graph), assign(scale * costs, graph)
    assert (plain.labels == scaled.labels).all()


def test_twenty_thousand_nodes() -> None:
    rng = np.random.default_rng(8)
    costs = rng.random((20_000, 100))
    pairs = rng.integers(20_000, size=(10_000, 2))
    graph = ConflictGraph.build(20_000, pairs[pairs[:, 0] != pairs[:, 1]])
    assign(costs, graph)
    start = time.process_time()
    found = assign(costs, graph)
    assert time.process_time() - start < 2.0  # it takes 10 ms
    assert is_proper(found.labels, graph.edges)
    assert found.cost < costs.min(axis=1).sum() * 1.05


def dense_problem(seed: int) -> tuple[np.ndarray, ConflictGraph]:
    """Random costs and cannot-links that hide a colouring; the bounds leave a gap here."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(5, size=150)
    edges = random_edges(rng, 150, 0.1)
    return rng.random((150, 5)), ConflictGraph.build(150, edges[hidden[edges[:, 0]] != hidden[edges[:, 1]]])


def test_without_proof_the_labels_are_feasible_and_never_worse_than_the_start() -> None:
    costs, graph = dense_problem(9)
    first = assign(costs, graph, exact=False)
    assert not first.proved
    assert not first.used_integer_program
    assert is_proper(first.labels, graph.edges)
    assert set(first.labels) == set(range(5))
    shifted = costs + 0.05 * np.random.default_rng(10).random(costs.shape)
    again = assign(shifted, graph, exact=False, start=first.labels)
    assert is_proper(again.labels, graph.edges)
    assert again.cost <= shifted[np.arange(150), first.labels].sum()


def test_without_proof_easy_problems_are_solved_to_the_same_optimum() -> None:
    rng = np.random.default_rng(11)
    costs = rng.random((300, 6))
    graph = ConflictGraph.build(300, random_edges(rng, 300, 0.003))
    exact, quick = assign(costs, graph), assign(costs, graph, exact=False)
    assert quick.proved
    assert (exact.labels == quick.labels).all()


def literal_greedy(costs: np.ndarray, edges: np.ndarray) -> list[int]:
    """Algorithm 2 word by word."""
    size, k = costs.shape
    labels: dict[int, int] = {}
    for v in range(size):
        friends = {int(a + b - v) for a, b in edges if v in (a, b)}
        free = [c for c in range(k) if all(labels.get(w) != c for w in friends)] or list(range(k))
        labels[v] = min(free, key=lambda c: costs[v, c])
    return [labels[v] for v in range(size)]


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_greedy_is_algorithm_2(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs, edges = rng.random((12, 3)), random_edges(rng, 12, 0.4)
    graph = ConflictGraph.build(12, edges)
    assert greedy_assign(costs, graph).tolist() == literal_greedy(costs, edges)


def test_without_a_cluster_only_its_nodes_move() -> None:
    rng = np.random.default_rng(0)
    costs, edges = rng.random((40, 4)), random_edges(rng, 40, 0.1)
    graph = ConflictGraph.build(40, edges)
    before = greedy_assign(costs, graph)
    after = greedy_assign(costs, graph, without=2, labels=before)
    assert (before == 2).any()
    assert not (after == 2).any()
    assert (after[before != 2] == before[before != 2]).all()
    assert (before == greedy_assign(costs, graph)).all()


def test_without_a_cluster_the_kept_nodes_block_theirs() -> None:
    costs = np.array([[0.0, 1.0, 2.0], [9.0, 0.0, 9.0]])
    graph = ConflictGraph.build(2, [(0, 1)])
    assert greedy_assign(costs, graph, without=0, labels=greedy_assign(costs, graph)).tolist() == [2, 1]


def test_the_only_cluster_cannot_be_removed() -> None:
    with pytest.raises(ValueError, match="only cluster"):
        greedy_assign(np.ones((2, 1)), ConflictGraph.build(2, []), without=0)
