"""Integer programs over colours of nodes, through Gurobi or HiGHS (Paper (12), without costs (11)).

    min  sum_vc a_vc x_vc,  x binary,
    sum_c x_vc = 1 for every node v,
    sum_{v in Q} x_vc <= 1 for every clique Q of an edge cover and every colour c,
    sum_v x_vc >= 1 for every colour c that must be used.

The clique rows imply the edge rows x_vc + x_wc <= 1 and are stronger in the relaxation.
"""

import logging
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.control.stop import Interrupted, Stop
from pcsos.base.control.subprocess import run_killable
from pcsos.base.exceptions import PcsosError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget

_log = logging.getLogger("pcsos")

#: Costs are scaled to at most this: HiGHS stops within 1e-6 of the optimum, which is nothing if that is not less than
#: this share of the largest cost.
LARGEST_COST, PRECISE = 1000.0, 1e-3

#: Size of a model that Gurobi's free licence admits, in variables and in constraints.
_FREE_SIZE = 2000

#: The status of SciPy for a program without a solution.
NO_SOLUTION = 2


class GaveUpError(PcsosError):
    """A solver stopped without an answer."""


#: Rows of a program with their least and greatest values.
Rows = tuple[Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Program:
    """``min cost @ x``, ``lower <= A x <= upper``, x binary; to a relative gap, or given up after so many nodes."""

    cost: Floats
    matrix: Any
    lower: Floats
    upper: Floats
    gap: float = 0.0
    most_nodes: int = 2**31 - 1

    @classmethod
    def of(cls, costs: Floats, rows: list[Rows], **options: Any) -> "Program":
        """Return the program of costs, shape (s, k), of which those that are infinite forbid a colour."""
        from scipy.sparse import vstack

        is_allowed = np.isfinite(costs).ravel()
        excess = (costs - costs.min(axis=1, keepdims=True)).ravel()[is_allowed]
        matrix = vstack([own for own, _, _ in rows], format="csr")[:, np.flatnonzero(is_allowed)]
        least, most = (np.concatenate([np.broadcast_to(row[side], row[0].shape[0]) for row in rows]) for side in (1, 2))
        return cls(excess * (LARGEST_COST / (excess.max(initial=0.0) or 1.0)), matrix, least, most, **options)

    @property
    def fits_free_licence(self) -> bool:
        """Whether Gurobi's free licence admits it."""
        num_rows = int(np.isfinite(self.lower).sum() + np.isfinite(self.upper).sum())
        return max(self.cost.size, num_rows) <= _FREE_SIZE


def proper(graph: ConflictGraph, k: int) -> list[Rows]:
    """Return the rows of proper colourings with k colours, over all pairs of a node and a colour."""
    from scipy.sparse import csr_array, eye_array, kron

    rows: list[Rows] = [(kron(eye_array(graph.size), np.ones((1, k))), 1.0, 1.0)]
    cliques = list(cover_edges(graph))
    if cliques:
        starts = np.cumsum([0, *map(len, cliques)])
        members = csr_array((np.ones(starts[-1]), np.concatenate(cliques), starts), shape=(len(cliques), graph.size))
        rows.append((kron(members, eye_array(k)), -np.inf, 1.0))
    return rows


def cover_edges(graph: ConflictGraph) -> Iterator[list[int]]:
    """Yield greedily grown cliques that cover every edge."""
    near = [set(graph.indices[start:end].tolist()) for start, end in pairwise(graph.indptr)]
    covered: set[tuple[int, int]] = set()
    for v, w in graph.edges.tolist():
        if (v, w) not in covered:
            clique = [v, w]
            for other in sorted(near[v] & near[w]):
                if near[other].issuperset(clique):
                    clique.append(other)
            covered.update(combinations(sorted(clique), 2))
            yield clique


def solve_colouring(
    costs: Floats, edges: ArrayLike, *, required: Flags | None = None, budget: Budget = AMPLE
) -> Indices | None:
    """Return the cheapest proper colouring, or None if the solver proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour at each node; infinity forbids a colour.
    edges : array_like of int, shape (c, 2)
        Pairs of nodes that must differ.
    required : ndarray of bool, shape (k,), optional
        Colours that at least one node must take.
    budget : Budget
        Its ``ilp`` is ``highs``, or ``gurobi`` or ``auto``: Gurobi where it is installed and its licence admits the
        model, otherwise HiGHS; that Gurobi was passed over is said once in the log.

    Raises
    ------
    Interrupted, ProgramLostError
        If the run has to end, or the process of the solver is killed, before there is an answer.
    PcsosError
        If the solver stopped without an answer.
    """
    from scipy.sparse import eye_array, kron

    m, k = costs.shape
    allowed = np.isfinite(costs)
    required = np.zeros(k, np.bool_) if required is None else required
    if not allowed.any(axis=1).all() or (required & ~allowed.any(axis=0)).any():
        return None
    rows = proper(ConflictGraph.build(m, edges), k)
    if required.any():
        rows.append((kron(np.ones((1, m)), eye_array(k), format="csr")[np.flatnonzero(required)], 1.0, np.inf))
    excess = costs - costs.min(axis=1, keepdims=True)
    while True:
        solution = solve(Program.of(np.where(allowed, costs, np.inf), rows), budget)
        if solution is None:
            return None
        values = np.full(costs.shape, -1.0)
        values[allowed] = solution
        labels: Indices = values.argmax(axis=1).astype(np.intp)
        paid = float(excess[np.arange(m), labels].sum())
        if paid == 0.0 or paid >= PRECISE * excess[allowed].max():
            break
        allowed &= excess <= paid  # any other colour costs more than these labels by itself
    pairs = np.asarray(edges, np.intp).reshape(-1, 2)
    if (labels[pairs[:, 0]] == labels[pairs[:, 1]]).any() or not np.isin(np.flatnonzero(required), labels).all():
        raise PcsosError("the integer programming solver returned labels that break its own constraints")
    return labels


def solve(program: Program, budget: Budget) -> Floats | None:
    """Return the solution of a program, None if it is proved that there is none; see :func:`solve_colouring`."""
    if budget.ilp in ("auto", "gurobi") and _refused.isdisjoint({program.fits_free_licence, True}):
        try:
            return _solve_by_gurobi(program, budget.stop)
        except Exception as error:  # Gurobi fails in many ways: absent, unlicensed, expired, too small; HiGHS does not
            _refused.add(program.fits_free_licence)
            which = "integer programs" if program.fits_free_licence else "integer programs of this size"
            _log.info("Gurobi cannot be used (%s); %s go to HiGHS", error, which)
    import scipy.optimize  # noqa: F401 - before a process that needs it is forked

    return run_killable(_solve_by_highs, program, stop=budget.stop)


#: The models that Gurobi has refused in this process: some that fit the free licence (true), so that it is asked no
#: more, some that do not (false), so that it is asked about no such models.
_refused: set[bool] = set()


_local = threading.local()


def _gurobi_environment() -> Any:
    """Return this thread's silent environment; one from before a fork is not used."""
    import gurobipy

    if getattr(_local, "process", None) != os.getpid():
        environment = gurobipy.Env(empty=True)
        environment.setParam("OutputFlag", 0)
        environment.start()
        _local.environment, _local.process = environment, os.getpid()
    return _local.environment


def _solve_by_gurobi(program: Program, stop: Stop) -> Floats | None:
    import gurobipy

    with gurobipy.Model(env=_gurobi_environment()) as model:
        options = {"MIPGap": program.gap, "MIPGapAbs": 0.0, "NodeLimit": program.most_nodes, "IntFeasTol": 1e-9}
        for name, value in (options | {"Threads": 1, "DualReductions": 0}).items():
            model.setParam(name, value)
        x = model.addMVar(program.cost.size, vtype="B", obj=program.cost)
        for sense, bounds in ((">", program.lower), ("<", program.upper)):
            if (finite := np.isfinite(bounds)).any():
                model.addMConstr(program.matrix[np.flatnonzero(finite)], x, sense, bounds[finite])
        model.optimize(lambda model, where: model.terminate() if stop.asked() else None)
        if model.Status == gurobipy.GRB.INTERRUPTED:
            raise Interrupted
        if model.Status == gurobipy.GRB.INFEASIBLE:
            return None
        if not model.SolCount:
            raise GaveUpError(f"Gurobi stopped with status {model.Status}")
        return np.asarray(x.X)


def _solve_by_highs(program: Program) -> Floats | None:
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = LinearConstraint(program.matrix, program.lower, program.upper)
    options = {"node_limit": program.most_nodes, "mip_rel_gap": program.gap}
    found = milp(program.cost, integrality=1, bounds=Bounds(0.0, 1.0), constraints=rows, options=options)
    if found.x is None and found.status != NO_SOLUTION:
        raise GaveUpError(f"HiGHS stopped: {found.message}")
    return None if found.x is None else np.asarray(found.x)
