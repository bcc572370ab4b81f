"""Warm-up: small problems that call the kernels, to have them compiled."""

import contextlib
from collections.abc import Iterator

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.numerics.kernels import WarmUp
from pcsos.base.typing import Indices
from pcsos.heuristics.assignment.repair import search
from pcsos.heuristics.baselines import cop_kmeans
from pcsos.heuristics.centres import objective_of
from pcsos.heuristics.dense_search import settled
from pcsos.heuristics.grafting import graft_often, grafted
from pcsos.heuristics.moves import descend
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.presolve.colouring.branch_and_bound import search_colouring
from pcsos.presolve.colouring.cliques import find_clique
from pcsos.presolve.colouring.conflict_regions import grow_regions
from pcsos.presolve.colouring.feasibility import find_colouring
from pcsos.presolve.colouring.forced_pairs import forced_pairs
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.k_colouring import tabu_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret, improve_colouring
from pcsos.presolve.colouring.minimum_cost import cheapest_colouring
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.conditions.pairs import Constraints, connected_components, unique_pairs
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.conditions.weights import Weights
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import MemeticParams
from pcsos.problem.reduction import reduce_instance

#: A cycle of five, which two colours do not colour.
CYCLE = np.array([(p, (p + 1) % 5) for p in range(5)], np.intp)
SHORT = MemeticParams(population=4, max_generations=2)


POINTS = np.random.default_rng(1).standard_normal((24, 2))


def warm_up_search() -> None:
    """Search where nothing has to be coloured."""
    s_mdeclust(reduce_instance(Instance(POINTS, 3)), seed=0, params=SHORT)


def warm_up_trees() -> None:
    """Infer pairs from a clique, and assign under cannot-links that form a tree."""
    infer_and_check(reduce_instance(Instance(POINTS, 3, (), [(0, 1), (1, 2), (0, 2), (2, 3)])))
    _assign_alike(CYCLE[1:])


def warm_up_cycles() -> None:
    """Colour a graph in which every node has neighbours of all other colours, and assign and move under it."""
    pairs = np.array([(i, j) for i in range(3) for j in range(3, 6)])
    _assign_alike(pairs)
    colour_by_regret(np.ones((5, 2)), ConflictGraph.build(5, CYCLE))
    settled(reduce_instance(Instance(POINTS, 3, (), pairs)), np.arange(24) % 6 // 3 + np.arange(24) // 23)


def warm_up_grafts() -> None:
    """Graft clusters of one partition onto another one."""
    reduced = reduce_instance(Instance(POINTS, 3, (), [(0, 10)]))
    parents = [Solution(labels, objective_of(reduced, labels)) for labels in (np.arange(24) % 3, np.arange(24) // 8)]
    grafted(reduced, *parents, rng=np.random.default_rng(0), budget=AMPLE)


def _assign_alike(pairs: Indices) -> None:
    """Assign under cannot-links where all points prefer the same cluster."""
    reduced, _ = infer_and_check(reduce_instance(Instance(POINTS, 3, (), pairs)))
    costs = np.tile([0.0, 1.0, 2.0], (reduced.size, 1))
    cheapest_colouring(costs, reduced.graph)
    colour_by_regret(costs, reduced.graph)


def warm_up_colouring() -> None:
    """Infer, colour and assign where that is hard, also where it cannot be done."""
    for instance in hard_instances():
        with contextlib.suppress(InfeasibleError):
            reduced, _ = infer_and_check(reduce_instance(instance))
            costs = np.random.default_rng(0).random((reduced.size, reduced.n_clusters))
            for exact in (True, False):
                cheapest_colouring(costs, reduced.graph, exact=exact)
            cop_kmeans(instance, reduced, seed=0, num_starts=1)
            for variant in ("pcsos", "SMG-MDE"):
                s_mdeclust(reduced, seed=0, variant=variant, params=SHORT)
    square = ConflictGraph.build(4, np.array([(0, 1), (1, 2), (2, 3), (3, 0)]))
    for find in (find_colouring, forced_pairs, find_clique):
        find(square, 2)
    graph, labels = ConflictGraph.build(5, CYCLE), np.zeros(5, np.intp)
    improve_colouring(np.ones((5, 3)), graph.indptr, graph.indices, np.array([0, 1, 0, 1, 2]))
    solve_colouring(np.ones((5, 3)), CYCLE, budget=Budget(ilp="highs"))
    tabu_colouring(graph.indptr, graph.indices, np.ones((5, 3), np.bool_), 100, np.random.default_rng(0), labels)


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


def hard_instances() -> Iterator[Instance]:
    """Yield an instance with few constraints, one where assignments are hard, and an infeasible one."""
    rng = np.random.default_rng(1)
    i, j = np.triu_indices(24, 1)
    apart = np.column_stack([i, j])[i % 4 != j % 4]
    yield Instance(POINTS, 4, [(0, 4), (1, 5)], apart[rng.permutation(len(apart))[:20]])
    yield Instance(POINTS, 4, (), apart[rng.permutation(len(apart))[:90]])
    yield Instance(POINTS, 3, (), np.vstack([CYCLE, [(p, 5) for p in range(5)]]))  # a wheel


SEARCH = WarmUp("local search", warm_up_search, descend)
TREES = WarmUp("pairs", warm_up_trees, grow_regions)
CYCLES = WarmUp("cycles of cannot-links", warm_up_cycles, search_colouring)
GRAFTS = WarmUp("many clusters", warm_up_grafts, graft_often)
COLOURING = WarmUp("hard colourings", warm_up_colouring, tabu_colouring)
CONDITIONS = WarmUp("conditions", warm_up_conditions, search)


def warm_ups_for(instance: Instance | None) -> Iterator[WarmUp]:
    """Yield what compiles the kernels that nearly every search on an instance needs, or those of any instance."""
    yield SEARCH
    if instance is None or len(instance.cannot_link):
        yield TREES
    if instance is None or not (CYCLES.is_done or is_forest(instance.constraints)):
        yield CYCLES
    if instance is None or not instance.is_plain:
        yield CONDITIONS
    if instance is None or instance.n_clusters >= MemeticParams.grafts_from:
        yield GRAFTS
    if instance is None:
        yield COLOURING


def is_forest(constraints: Constraints) -> bool:
    """Return whether the cannot-links between groups of points that are linked close no cycle."""
    groups = constraints.groups
    pairs = groups[constraints.cannot_link]
    pairs = unique_pairs(pairs[pairs[:, 0] != pairs[:, 1]])
    size = int(groups.max()) + 1
    return len(pairs) == size - 1 - int(connected_components(size, pairs).max())
