"""Warm-up: small problems that call the kernels, to have them compiled."""

import contextlib
from collections.abc import Iterator

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.numerics.kernels import WarmUp
from pcsos.heuristics.assignment.repair import search
from pcsos.heuristics.baselines import cop_kmeans
from pcsos.heuristics.centres import objective_of
from pcsos.heuristics.dense_search import DENSE, is_dense, settle, settled
from pcsos.heuristics.grafting import graft_often, grafted
from pcsos.heuristics.moves import descend
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.presolve.colouring.cliques import find_clique, largest_greedy_clique
from pcsos.presolve.colouring.forced_pairs import forced_pairs
from pcsos.presolve.colouring.local_search import colour_by_regret, improve_colouring
from pcsos.presolve.colouring.minimum_cost import cheapest_colouring
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.conditions.weights import Weights
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE
from pcsos.problem.params import MemeticParams
from pcsos.problem.reduction import reduce_instance

#: A cycle of five, which two colours do not colour.
CYCLE = np.array([(p, (p + 1) % 5) for p in range(5)], np.intp)
SHORT = MemeticParams(population=4, max_generations=2)


POINTS = np.random.default_rng(1).standard_normal((24, 2))


def warm_up_search() -> None:
    """Search where nothing has to be coloured."""
    s_mdeclust(reduce_instance(Instance(POINTS, 3)), seed=0, params=SHORT)


def warm_up_grafts() -> None:
    """Graft clusters of one partition onto another one."""
    reduced = reduce_instance(Instance(POINTS, 3, (), [(0, 10)]))
    parents = [Solution(labels, objective_of(reduced, labels)) for labels in (np.arange(24) % 3, np.arange(24) // 8)]
    grafted(reduced, *parents, rng=np.random.default_rng(0), budget=AMPLE)


def warm_up_pairs() -> None:
    """Infer, colour and assign under cannot-links, also where that is hard or cannot be done."""
    for instance in instances_with_pairs():
        with contextlib.suppress(InfeasibleError):
            reduced, _ = infer_and_check(reduce_instance(instance))
            costs = np.tile(np.arange(reduced.n_clusters, dtype=np.float64), (reduced.size, 1))
            for exact in (True, False):
                cheapest_colouring(costs, reduced.graph, exact=exact)
            if not is_dense(reduced):
                s_mdeclust(reduced, seed=0, params=SHORT)
    find_clique(ConflictGraph.build(5, CYCLE), 2)
    forced_pairs(ConflictGraph.build(5, CYCLE), 2)


def warm_up_dense() -> None:
    """Search where nearly every assignment is hard, also as COP-k-means does."""
    instance = list(instances_with_pairs())[-2]
    reduced, graph = reduce_instance(instance), ConflictGraph.build(5, CYCLE)
    cop_kmeans(instance, reduced, seed=0, num_starts=1)
    s_mdeclust(reduced, seed=0, variant="SMG-MDE", params=SHORT)
    colour_by_regret(np.ones((5, 2)), graph)
    improve_colouring(np.ones((5, 3)), graph.indptr, graph.indices, np.array([0, 1, 0, 1, 2]))
    settled(reduced, np.arange(reduced.size) % reduced.n_clusters)


def warm_up_conditions() -> None:
    """Search under limits of all kinds and soft pairs, also where nothing can be found."""
    weights = np.arange(24) % 3 + 1.0
    soft = SoftPairs([(0, 2, 1.0)], [(7, 9, 1.0)])
    for instance in (
        Instance(POINTS, 3, conditions=[Sizes(7, 9)]),
        Instance(POINTS, 3, cannot_link=CYCLE, conditions=[Sizes(exactly=[6, 8, 10]), soft]),
        Instance(POINTS, 3, weights=weights, conditions=[Weights(at_most=17.0), SoftPairs([(0, 1, 1.0)])]),
    ):
        s_mdeclust(reduce_instance(instance), seed=0, params=SHORT)


def instances_with_pairs() -> Iterator[Instance]:
    """Yield instances with few pairs, with a clique, where assignments are hard, and without a partition."""
    rng = np.random.default_rng(1)
    i, j = np.triu_indices(24, 1)
    apart = np.column_stack([i, j])[i % 4 != j % 4]
    yield Instance(POINTS, 4, [(0, 4), (1, 5)], apart[rng.permutation(len(apart))[:20]])
    yield Instance(POINTS, 3, (), [(0, 1), (1, 2), (0, 2), (2, 3)])
    yield Instance(POINTS, 4, (), apart[rng.permutation(len(apart))[:90]])
    yield Instance(POINTS, 3, (), np.vstack([CYCLE, [(p, 5) for p in range(5)]]))  # a wheel


SEARCH = WarmUp("local search", warm_up_search, descend)
PAIRS = WarmUp("pairs", warm_up_pairs, largest_greedy_clique)
HARD_PAIRS = WarmUp("many pairs", warm_up_dense, settle)
GRAFTS = WarmUp("many clusters", warm_up_grafts, graft_often)
CONDITIONS = WarmUp("conditions", warm_up_conditions, search)


def warm_ups_for(instance: Instance | None) -> Iterator[WarmUp]:
    """Yield what compiles the kernels that nearly every search on an instance needs, or those of any instance."""
    yield SEARCH
    if instance is None or len(instance.cannot_link):
        yield PAIRS
    if instance is None or 2 * len(instance.cannot_link) > DENSE * (instance.n_points - len(instance.must_link)):
        yield HARD_PAIRS
    if instance is None or not (instance.is_plain or instance.outliers):
        yield CONDITIONS
    if instance is None or instance.n_clusters >= MemeticParams.grafts_from:
        yield GRAFTS
