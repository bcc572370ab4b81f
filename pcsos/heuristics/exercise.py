"""Exercise: small problems that call the kernels, to have them compiled."""

import contextlib
from collections.abc import Iterator

import numpy as np

from pcsos.colouring.budget import Budget
from pcsos.colouring.integer_program import solve_colouring
from pcsos.colouring.minimum_cost import cheapest_colouring
from pcsos.colouring.tabu_search import tabu_colouring
from pcsos.conflict_graph import ConflictGraph
from pcsos.exceptions import InfeasibleError
from pcsos.heuristics.baselines.cop_kmeans import cop_kmeans
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.implied_pairs import infer_and_check
from pcsos.instance import Instance
from pcsos.params import MemeticParams
from pcsos.reduction import reduce_instance

#: A cycle of five, which two colours do not colour.
CYCLE = np.array([(p, (p + 1) % 5) for p in range(5)], np.intp)
SHORT = MemeticParams(population=4, max_generations=2)


def examples() -> Iterator[Instance]:
    """Yield an instance with few constraints, one where assignments are hard, one without any, and two infeasible."""
    rng = np.random.default_rng(1)
    points = rng.standard_normal((24, 2))
    i, j = np.triu_indices(24, 1)
    apart = np.column_stack([i, j])[i % 4 != j % 4]
    none = np.empty((0, 2), np.intp)
    yield Instance(points, 4, np.array([(0, 4), (1, 5)], np.intp), apart[rng.permutation(len(apart))[:20]])
    yield Instance(points, 4, none, apart[rng.permutation(len(apart))[:90]])
    yield Instance(points, 3, none, none)
    yield Instance(points, 2, none, CYCLE)
    yield Instance(points, 3, none, np.vstack([CYCLE, [(p, 5) for p in range(5)]]))  # a wheel


def exercise_search() -> None:
    """Run the heuristics, at first where nothing has to be coloured."""
    few, hard, free, *_ = examples()
    for instance in (free, few, hard):
        reduced = reduce_instance(instance)
        for variant in ("pcsos", "SMG-MDE"):
            s_mdeclust(reduced, seed=0, variant=variant, params=SHORT)


def exercise_colouring() -> None:
    """Infer, colour and assign under cannot-links."""
    for instance in examples():
        with contextlib.suppress(InfeasibleError):
            reduced, _ = infer_and_check(reduce_instance(instance))
            costs = np.random.default_rng(0).random((reduced.size, reduced.n_clusters))
            for exact in (True, False):
                cheapest_colouring(costs, reduced.graph, exact=exact)
            cop_kmeans(instance, reduced, seed=0, num_starts=1)
    graph, labels = ConflictGraph.build(5, CYCLE), np.zeros(5, np.intp)
    tabu_colouring(graph.indptr, graph.indices, np.ones((5, 3), np.bool_), 100, np.random.default_rng(0), labels)
    solve_colouring(np.ones((5, 3)), CYCLE, budget=Budget(ilp="highs"))


#: What compiles the kernels of the heuristics; each can do so in a process of its own.
EXERCISES = (exercise_search, exercise_colouring)
