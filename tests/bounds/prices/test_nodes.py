"""Nodes that prices bound: all leaves together are never more than what is best; their pairs, and their records."""

import itertools
import math
import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from pcsos.base.control.stop import NEVER
from pcsos.bounds.prices.ascent import Prices
from pcsos.bounds.prices.branching import LEAST_SPLIT, POWER, branching_pairs, held_together
from pcsos.bounds.prices.clusters import stretches_of
from pcsos.bounds.prices.tree import PointTree
from pcsos.evidence import kinds
from pcsos.problem.conditions.pairs import unique_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.prices.bounder import lower_bound_of, records_of
from pcsos.search.prices.nodes import PriceNode
from pcsos.search.prices.raising import raise_prices
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State
from tests.clouds import clouds
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


@pytest.mark.parametrize("seed", first_few(14, range(150)))
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
        if isinstance(record.end, kinds.Prices):
            together, above = 0, record
            while above.parent is not None:
                together += above.decision is not None and above.decision.kind == "ML"
                above = records[above.parent]
            assert record.end.prices.size == 9 - together
        else:
            assert isinstance(record.end, kinds.Branching)
            decided = [own.decision.kind for own in records.values() if own.parent == record.node and own.decision]
            assert sorted(decided) == ["CL", "ML"]


@pytest.mark.slow
def test_a_limit_of_nodes_is_kept() -> None:
    instance, reduced, labels = closes_after_branching()
    optimum = enumerate_feasible(instance).optimum
    told = history_of(reduced, labels, optimum * (1.0 - 1e-6), 3)
    assert {node.number for nodes in told for node in nodes} == {0, 1, 2}


def test_a_better_partition_that_prices_suggest_lowers_what_is_asked_for() -> None:
    points, labels = clouds(5, 90, 3, 2, 12.0)
    reduced = reduce_instance(Instance(points, 3))
    best = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(3))
    worse = np.where(np.arange(90) < 6, 0, labels)
    cost = sum(((points[worse == c] - points[worse == c].mean(axis=0)) ** 2).sum() for c in range(3))
    assert cost > 1.1 * best
    told = history_of(reduced, worse, cost * (1.0 - 1e-4), 50)
    assert {node.number for nodes in told for node in nodes} == {0}
    assert best * (1.0 - 2e-4) <= told[-1][0].best.lower_bound <= best


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_prices_of_groups_are_not_less_than_what_they_pay_together(seed: int) -> None:
    """However much groups cost inside, what all pay and that cost come to no less than before, nor to much more."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(8, 2))
    points[[0, 5, 7]] *= 10.0 ** rng.uniform(0, 12)
    weights = 10.0 ** rng.uniform(-9, 9, 8)
    instance, prices = Instance(points, 3, weights=weights), rng.uniform(size=8)
    reduced = reduce_instance(instance)
    best = Prices(prices, 0.0, np.empty((0, 2)))
    one, both = np.array([(0, 5)]), np.array([(5, 7), (0, 5)])
    nodes = {0: PriceNode(0, None, None, (0, 5), both[:0], [], best), 1: PriceNode(1, 0, "ML", (5, 7), one, [], best)}
    leaves = (("ML", 1, both), ("CL", 0, both[:0]), ("CL", 1, one))
    nodes |= {at: PriceNode(at, above, kind, None, own, [], best) for at, (kind, above, own) in enumerate(leaves, 2)}
    (closing,) = next(record.evidence for record in records_of(nodes, reduced, 0.0) if record.node == 3)
    assert isinstance(closing, kinds.Prices)
    state = State(8)
    state.add("ML", 0, 5)
    state.add("ML", 5, 7)
    inside = Data(Doubles(points), Doubles(weights)).cost(state.groups())
    contracted = sum(map(Fraction, closing.prices.tolist()), _fraction(inside))
    paid = sum(map(Fraction, prices.tolist()), Fraction(0))
    assert paid * (1 - Fraction(1, 10**12)) <= contracted <= (paid + _fraction(inside)) * (1 + Fraction(1, 10**11))


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


NONE = np.empty((0, 2), np.intp)


def tree_of(n: int, seed: int) -> PointTree:
    rng = np.random.default_rng(seed)
    return PointTree.of(rng.normal(size=(n, 2)), rng.uniform(0.5, 2.0, n), np.zeros(n, np.intp))


@pytest.mark.parametrize("seed", range(10))
def test_the_first_pair_is_split_most_for_what_it_weighs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, members = tree_of(12, seed), rng.random((6, 12)) < 0.4
    fractional = [(stretches_of(np.flatnonzero(own)), 0.3) for own in members if own.any()]
    together = 0.3 * np.array([[(members[:, i] & members[:, j]).sum() for j in range(12)] for i in range(12)])
    kinds = [tuple(own) for own in members.T.tolist()]
    heavy = {kind: sum(tree.weights[i] for i in range(12) if kinds[i] == kind) for kind in kinds}
    score = {}
    for i, j in itertools.combinations(range(12), 2):
        split = min(together[i, j], 1.0 - together[i, j])
        if kinds[i] != kinds[j] and split >= LEAST_SPLIT:
            score[i, j] = split * min(heavy[kinds[i]], heavy[kinds[j]]) ** POWER
    found = list(branching_pairs(tree, fractional, NONE, NONE))
    assert bool(found) == bool(score)
    if found:
        assert score[found[0]] == pytest.approx(max(score.values()))
        assert list(branching_pairs(tree, fractional, np.array([found[0]]), NONE)) != found
        assert found[0] not in branching_pairs(tree, fractional, NONE, np.array([found[0]]))
    pairs = np.array(list(itertools.combinations(range(12), 2)))
    assert held_together(pairs, fractional) == pytest.approx(together[pairs[:, 0], pairs[:, 1]])


@pytest.mark.slow
def test_memory_does_not_grow_with_the_square_of_groups() -> None:
    rng, n = np.random.default_rng(0), 60_000
    tree = tree_of(n, 0)
    cuts = [np.sort(rng.choice(n, 1_000, replace=False)).reshape(-1, 2) for _ in range(200)]
    tracemalloc.start()
    assert next(iter(branching_pairs(tree, [(own, 1 / 60) for own in cuts], NONE, NONE)))
    assert tracemalloc.get_traced_memory()[1] < 600e6
    tracemalloc.stop()
