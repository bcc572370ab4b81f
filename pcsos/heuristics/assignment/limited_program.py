"""The assignment within quotas as an integer program, through HiGHS: for what no search has settled."""

import numpy as np

from pcsos.base.control.subprocess import run_killable
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.quotas import Quotas
from pcsos.presolve.colouring.budget import Budget
from pcsos.presolve.colouring.cliques import cover_edges
from pcsos.problem.conflict_graph import ConflictGraph

#: Nodes of branch and bound after which the program is given up.
MAX_NODES = 50_000
#: Any labels will do, good ones are improved elsewhere: relative gap at which the solver may stop.
GAP = 0.1
#: The status of SciPy for a program without a solution.
INFEASIBLE = 2


def solve_within(costs: Floats, graph: ConflictGraph, quotas: Quotas, budget: Budget) -> tuple[Indices | None, bool]:
    """Return labels that respect cannot-links and quotas, or None, and whether it is proved then that there are none.

    With x_vh = 1 where super-point v is in cluster h, the rows are ``sum_h x_vh = 1``, ``sum_{v in Q} x_vh <= 1`` for
    the cliques Q of a cover of the cannot-links, and both quotas of each cluster.

    Raises
    ------
    Interrupted, ProgramLostError
        If the run has to end, or the process of the solver is killed, before there is an answer.
    """
    import scipy.optimize  # noqa: F401 - before a process that needs it is forked

    status, x = run_killable(_solve, costs, graph, quotas, stop=budget.stop)
    if x is None:
        return None, status == INFEASIBLE
    return x.reshape(costs.shape).argmax(axis=1).astype(np.intp), False


def _solve(costs: Floats, graph: ConflictGraph, quotas: Quotas) -> tuple[int, Floats | None]:
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, eye_array, kron

    s, k = costs.shape
    starts, members = cover_edges(graph.indptr, graph.indices)
    cliques = csr_array((np.ones(members.size), members, starts), shape=(starts.size - 1, s))
    once = kron(eye_array(s), np.ones((1, k)))
    parts = [LinearConstraint(once, 1.0, 1.0)]
    if members.size:
        parts.append(LinearConstraint(kron(cliques, eye_array(k)), -np.inf, 1.0))
    for amounts, least, most, is_rounded in zip(
        quotas.amounts.T, quotas.least.T, quotas.most.T, quotas.is_rounded, strict=True
    ):
        unit = amounts.mean() if is_rounded else 1.0
        parts.append(LinearConstraint(kron(amounts[None, :] / unit, eye_array(k)), least / unit, most / unit))
    excess = costs - costs.min(axis=1, keepdims=True)
    objective = excess.ravel() / (excess.max() or 1.0)
    options = {"node_limit": MAX_NODES, "mip_rel_gap": GAP}
    found = milp(objective, integrality=np.ones(s * k), bounds=Bounds(0.0, 1.0), constraints=parts, options=options)
    return int(found.status), None if found.x is None else np.asarray(found.x)
