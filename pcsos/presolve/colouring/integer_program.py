"""The cheapest proper colouring as an integer program, through Gurobi or HiGHS (Paper (12), without costs (11)).

    min  sum_vc a_vc x_vc,  x binary,
    sum_c x_vc = 1 for every node v,
    sum_{v in Q} x_vc <= 1 for every clique Q of an edge cover and every colour c,
    sum_v x_vc >= 1 for every colour c that must be used.

The clique rows imply the edge rows x_vc + x_wc <= 1 and are stronger in the relaxation.
"""

import logging
import os
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.control.stop import Interrupted, Stop
from pcsos.base.control.subprocess import run_killable
from pcsos.base.exceptions import PcsosError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.cliques import cover_edges
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget

_log = logging.getLogger("pcsos")

#: Feasibility and optimality tolerances of the solvers; costs are scaled to at most 1.
_TOLERANCE = 1e-9

#: Size of a model that Gurobi's free licence admits, in variables and in constraints.
_FREE_SIZE = 2000


@dataclass(frozen=True, eq=False)
class _Program:
    """``min cost @ x``, ``lower <= A x <= upper``, x binary; A in rows: ``starts``, ``columns``, all entries 1."""

    cost: Floats
    starts: Indices
    columns: Indices
    lower: Floats
    upper: Floats

    @property
    def fits_free_licence(self) -> bool:
        return max(self.cost.size, self.lower.size) <= _FREE_SIZE


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
    allowed = np.isfinite(costs)
    required = np.zeros(costs.shape[1], np.bool_) if required is None else required
    if not allowed.any(axis=1).all() or (required & ~allowed.any(axis=0)).any():
        return None
    program = _formulate(costs, allowed, ConflictGraph.build(costs.shape[0], edges), required)
    solution = _solve(program, budget)
    if solution is None:
        return None
    values = np.full(costs.shape, -1.0)
    values[allowed] = solution
    labels: Indices = values.argmax(axis=1).astype(np.intp)
    pairs = np.asarray(edges, np.intp).reshape(-1, 2)
    if (labels[pairs[:, 0]] == labels[pairs[:, 1]]).any() or not np.isin(np.flatnonzero(required), labels).all():
        raise PcsosError("the integer programming solver returned labels that break its own constraints")
    return labels


def _formulate(costs: Floats, allowed: Flags, graph: ConflictGraph, required: Flags) -> _Program:
    m, k = costs.shape
    variable = np.full((m, k), -1, np.intp)
    variable[allowed] = np.arange(np.count_nonzero(allowed))
    clique_starts, members = cover_edges(graph.indptr, graph.indices)
    clique = np.repeat(np.arange(clique_starts.size - 1), np.diff(clique_starts))
    by_node = np.where(allowed, np.arange(m)[:, None], -1)
    by_clique = np.where(allowed[members], m + clique[:, None] * k + np.arange(k), -1)
    by_colour = np.where(allowed & required, m + clique_starts.size * k + np.arange(k), -1)
    rows = np.concatenate([by_node.ravel(), by_clique.ravel(), by_colour.ravel()])
    columns = np.concatenate([variable.ravel(), variable[members].ravel(), variable.ravel()])
    rows, columns = rows[rows >= 0], columns[rows >= 0]
    order = np.argsort(rows, kind="stable")
    kinds, starts = np.unique(rows[order], return_index=True)
    at_most_one = (kinds >= m) & (kinds < m + clique_starts.size * k)
    least = np.where(allowed, costs, np.inf).min(axis=1, keepdims=True)
    excess = (costs - least)[allowed]
    scale = excess.max(initial=0.0)
    return _Program(
        cost=excess / scale if scale > 0.0 else excess,
        starts=np.append(starts, rows.size).astype(np.intp),
        columns=columns[order],
        lower=np.where(at_most_one, 0.0, 1.0),
        upper=np.where(kinds < m + clique_starts.size * k, 1.0, np.inf),
    )


def _solve(program: _Program, budget: Budget) -> Floats | None:
    if budget.ilp in ("auto", "gurobi") and _refused.isdisjoint({program.fits_free_licence, True}):
        try:
            return _solve_by_gurobi(program, budget.stop)
        except Exception as error:  # Gurobi fails in many ways: absent, unlicensed, expired, too small; HiGHS does not
            _pass_over_gurobi(program, error)
    import highspy  # noqa: F401 - before a process that needs it is forked

    return run_killable(_solve_by_highs, program, stop=budget.stop)


#: The models that Gurobi has refused in this process: some that fit the free licence (true), some that do not (false).
_refused: set[bool] = set()


def _pass_over_gurobi(program: _Program, error: Exception) -> None:
    """Ask Gurobi no more, or only about models that fit the free licence, if this one does not."""
    _refused.add(program.fits_free_licence)
    which = "integer programs" if program.fits_free_licence else "integer programs of this size"
    _log.info("Gurobi cannot be used (%s); %s go to HiGHS", error, which)


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


def _solve_by_gurobi(program: _Program, stop: Stop) -> Floats | None:
    import gurobipy
    from scipy.sparse import csr_array

    matrix = csr_array(
        (np.ones(program.columns.size), program.columns, program.starts),
        shape=(program.lower.size, program.cost.size),
    )
    with gurobipy.Model(env=_gurobi_environment()) as model:
        for name, value in (("MIPGap", 0.0), ("MIPGapAbs", 0.0), ("Threads", 1), ("DualReductions", 0)):
            model.setParam(name, value)
        for name in ("FeasibilityTol", "OptimalityTol", "IntFeasTol"):
            model.setParam(name, _TOLERANCE)
        x = model.addMVar(program.cost.size, vtype="B", obj=program.cost)
        equal = program.lower == program.upper
        at_most = ~equal & np.isfinite(program.upper)
        at_least = ~equal & ~at_most
        for chosen, sense in ((equal, "="), (at_most, "<"), (at_least, ">")):
            if chosen.any():
                model.addMConstr(matrix[chosen], x, sense, np.ones(np.count_nonzero(chosen)))
        model.optimize(lambda model, where: model.terminate() if stop.asked() else None)
        if model.Status == gurobipy.GRB.INTERRUPTED:
            raise Interrupted
        if model.Status == gurobipy.GRB.INFEASIBLE:
            return None
        if model.Status != gurobipy.GRB.OPTIMAL:
            raise PcsosError(f"Gurobi stopped with status {model.Status}")
        return np.asarray(x.X)


def _solve_by_highs(program: _Program) -> Floats | None:
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.cost.size, program.lower.size
    model.col_cost_ = program.cost
    model.col_lower_, model.col_upper_ = np.zeros(program.cost.size), np.ones(program.cost.size)
    model.row_lower_, model.row_upper_ = program.lower, program.upper
    model.integrality_ = [highspy.HighsVarType.kInteger] * program.cost.size
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = program.starts
    model.a_matrix_.index_ = program.columns
    model.a_matrix_.value_ = np.ones(program.columns.size)
    # What is built upon this class says from 1.16 on that it runs, before it can be asked not to.
    silent: Any = highspy.Highs.__mro__[1]
    solver = silent()
    options: dict[str, bool | float] = {"output_flag": False, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0}
    names = ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance")
    options |= dict.fromkeys(names, _TOLERANCE)
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    solver.run()
    status = solver.getModelStatus()
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return None
    if status != highspy.HighsModelStatus.kOptimal:
        raise PcsosError(f"HiGHS stopped with status {solver.modelStatusToString(status)}")
    return np.asarray(solver.getSolution().col_value)
