"""Nodes that prices bound: all leaves together are never more than what is best, and come close to it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER
from pcsos.evidence.kinds import Branching, Prices
from pcsos.problem.conditions.pairs import unique_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.prices.bounder import lower_bound_of, records_of
from pcsos.search.prices.nodes import PriceNode
from pcsos.search.prices.raising import raise_prices
from tests.oracle import enumerate_feasible
from tests.slow import first_few


def drawn(seed: int) -> tuple[Instance, Reduced]:
    """At most nine points with weights, must-links and cannot-links, and their super-points."""
    rng = np.random.default_rng([seed, 23])
    n, d = int(rng.integers(5, 10)), int(rng.integers(1, 4))
    points = rng.normal(size=(n, d)) if rng.random() < 0.7 else rng.integers(0, 3, (n, d)).astype(float)
    k = int(rng.integers(2, 4))
    must = [(0, 1)] if rng.random() < 0.4 else []
    cannot = np.unique(np.sort(rng.integers(2, n, (int(rng.integers(0, 5)), 2)), axis=1), axis=0)
    instance = Instance(points, k, must, cannot[cannot[:, 0] < cannot[:, 1]], rng.uniform(0.5, 3.0, n))
    free = reduce_instance(instance.with_(cannot_link=()))
    return instance, replace(free, cannot_link=unique_pairs(free.component[instance.cannot_link]))


def history_of(reduced: Reduced, labels: np.ndarray, cutoff: float, limit: float = math.inf) -> list[list[PriceNode]]:
    told: list[list[PriceNode]] = []
    raise_prices(reduced, labels, cutoff, PriceParams(), NEVER, 0, told.append, limit)
    return told


@pytest.mark.parametrize("seed", first_few(14, range(300)))
def test_all_leaves_together_are_never_too_much_and_close_in_the_end(seed: int) -> None:
    instance, reduced = drawn(seed)
    exact = enumerate_feasible(instance)
    if not exact.costs.size or exact.optimum <= 1e-9 * instance.points.var():
        pytest.skip("there is nothing to prove")
    nodes: dict[int, PriceNode] = {}
    for told in history_of(reduced, reduced.project(exact.best_labels), exact.optimum * (1.0 - 1e-4), 200):
        nodes |= {node.number: node for node in told}
        assert lower_bound_of(nodes) <= exact.optimum * (1.0 + 1e-12)
        assert all(node.parent is None or nodes[node.parent].pair is not None for node in nodes.values())
    if not len(reduced.cannot_link):  # of those, knots may leave some out
        assert lower_bound_of(nodes) >= exact.optimum * (1.0 - 2e-4)


def test_cannot_links_that_one_knot_holds_count() -> None:
    points = np.concatenate([np.zeros(4), np.ones(3)])
    instance = Instance(points, 2, [], [(0, 1), (0, 2), (0, 3)])
    reduced = replace(reduce_instance(instance.with_(cannot_link=())), cannot_link=instance.cannot_link)
    exact = enumerate_feasible(instance)
    (told,) = history_of(reduced, reduced.project(exact.best_labels), exact.optimum * (1.0 - 1e-5))[-1:]
    assert told[-1].best.lower_bound >= exact.optimum * (1.0 - 1e-4) > 0.1
    assert sorted(map(sorted, told[-1].knots)) == [[0, 1, 2, 3]]


def closes_after_branching() -> tuple[Instance, Reduced, np.ndarray]:
    """Nine points whose best prices leave a gap."""
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        instance = Instance(rng.integers(0, 4, (9, 2)).astype(float), 4)
        reduced, exact = reduce_instance(instance), enumerate_feasible(instance)
        labels = reduced.project(exact.best_labels)
        (root,) = history_of(reduced, labels, exact.optimum * (1.0 - 1e-6), 1)[-1]
        if root.best.lower_bound < 0.99 * exact.optimum:
            return instance, reduced, labels
    raise AssertionError("no such points")


@pytest.mark.slow
def test_branching_closes_the_gap_of_the_best_prices() -> None:
    instance, reduced, labels = closes_after_branching()
    optimum = enumerate_feasible(instance).optimum
    nodes: dict[int, PriceNode] = {}
    for told in history_of(reduced, labels, optimum * (1.0 - 1e-6)):
        nodes |= {node.number: node for node in told}
    assert lower_bound_of(nodes) >= optimum * (1.0 - 1e-6)
    records = {record.node: record for record in records_of(nodes, reduced, 3.0)}
    assert len(records) == len(nodes) > 1
    assert sum(record.seconds for record in records.values()) == pytest.approx(3.0)
    for record in records.values():
        if isinstance(record.end, Prices):
            together, above = 0, record
            while above.parent is not None:
                together += above.decision is not None and above.decision.kind == "ML"
                above = records[above.parent]
            assert record.end.prices.size == 9 - together
        else:
            assert isinstance(record.end, Branching)
            kinds = [own.decision.kind for own in records.values() if own.parent == record.node and own.decision]
            assert sorted(kinds) == ["CL", "ML"]


@pytest.mark.slow
def test_a_limit_of_nodes_is_kept() -> None:
    instance, reduced, labels = closes_after_branching()
    optimum = enumerate_feasible(instance).optimum
    told = history_of(reduced, labels, optimum * (1.0 - 1e-6), 3)
    assert {node.number for nodes in told for node in nodes} == {0, 1, 2}


def test_a_better_partition_that_prices_suggest_lowers_what_is_asked_for() -> None:
    rng = np.random.default_rng(5)
    labels = np.arange(90) % 3
    points = 12.0 * rng.normal(size=(3, 2))[labels] + rng.normal(size=(90, 2))
    reduced = reduce_instance(Instance(points, 3))
    best = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(3))
    worse = np.where(np.arange(90) < 6, 0, labels)
    cost = sum(((points[worse == c] - points[worse == c].mean(axis=0)) ** 2).sum() for c in range(3))
    assert cost > 1.1 * best
    told = history_of(reduced, worse, cost * (1.0 - 1e-4), 50)
    assert {node.number for nodes in told for node in nodes} == {0}
    assert best * (1.0 - 2e-4) <= told[-1][0].best.lower_bound <= best
