"""The compact mixed-integer model of the problem, solved by SCIP through PySCIPOpt (``pip install pyscipopt``).

Super-point i (mean p_i, weight e_i) is in cluster j where the binary x_ij is 1, and m_j is the centre of that cluster:

    minimise  sum_ij e_i d_ij    subject to    d_ij >= ||p_i - m_j||^2 - M_i (1 - x_ij),    sum_j x_ij = 1,

with a row x_ij + x_hj <= 1 for each cannot-link. As centres lie between the points, M_i is the largest squared
distance of p_i to another super-point. Clusters are numbered by first appearance, so that no partition is there
twice. SCIP computes in floating point: its bound holds up to its tolerances, 1e-6 for each row, so the points are
scaled to a mean square of 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, reduce_instance

if TYPE_CHECKING:
    from pyscipopt import Model


@dataclass(frozen=True, eq=False)
class ScipProof:
    """What SCIP ended with.

    Parameters
    ----------
    partition : Partition or None
        The best partition; None where it found none.
    lower_bound : float
        Lower bound of the objective; at least zero.
    is_proved : bool
        Whether SCIP says that the gap is closed.
    status : str
        How SCIP ended, in its words.
    """

    partition: Partition | None
    lower_bound: float
    is_proved: bool
    status: str


def solve_by_scip(instance: Instance, *, gap: float = 1e-4, time_limit: float | None = None) -> ScipProof:
    """Return the best partition that SCIP finds, and its bound.

    Parameters
    ----------
    instance : Instance
        Points and pairs.
    gap : float
        Relative gap at which SCIP may stop.
    time_limit : float, optional
        Seconds that SCIP may take.

    Raises
    ------
    InfeasibleError
        If the pairs contradict each other.

    Examples
    --------
    >>> from pcsos import Instance
    >>> solve_by_scip(Instance([0.0, 2.0, 3.0, 9.0], 2, cannot_link=[(1, 2)])).partition.objective  # doctest: +SKIP
    20.0
    """
    reduced = reduce_instance(instance)
    scale = _scale(reduced)
    model, assigned = model_of(reduced, scale)
    model.setParam("limits/gap", gap)
    model.setParam("timing/clocktype", 2)
    if time_limit is not None:
        model.setParam("limits/time", time_limit)
    model.optimize()
    lower_bound = max(reduced.offset, scale**2 * model.getDualbound())
    partition = None
    if model.getNSols():
        values = np.array([[model.getVal(x) for x in row] for row in assigned])
        partition = Partition.of(instance, reduced.lift(values.argmax(axis=1)))
    return ScipProof(partition, lower_bound, model.getStatus() in {"optimal", "gaplimit"}, model.getStatus())


def _scale(reduced: Reduced) -> float:
    """Return the root mean square of the distances of super-points to their mean; 1 where all are the same."""
    squares = reduced.weights @ (reduced.coordinates**2).sum(axis=1) / reduced.weights.sum()
    return float(np.sqrt(squares)) or 1.0


def model_of(reduced: Reduced, scale: float) -> tuple["Model", list[list[Any]]]:
    """Return the model of the points divided by ``scale``, and the binaries x_ij, a row for each super-point.

    Its objective is the whole cost, with what lies inside the super-points, so that gaps are relative to that.
    """
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    points, k = reduced.coordinates / scale, reduced.n_clusters
    assigned = [[model.addVar(vtype="B") for _ in range(k)] for _ in points]
    _add_assignment(model, assigned, reduced.cannot_link)
    costs = _add_costs(model, assigned, points)
    model.setObjective(quicksum(e * d for e, row in zip(reduced.weights, costs, strict=True) for d in row))
    model.addObjoffset(reduced.offset / scale**2)
    return model, assigned


def _add_assignment(model: "Model", assigned: Sequence[Sequence[Any]], cannot_link: Indices) -> None:
    """Ask for one cluster a super-point, numbered by first appearance, none of them empty, and for the cannot-links."""
    from pyscipopt import quicksum

    for i, row in enumerate(assigned):
        model.addCons(quicksum(row) == 1)
        for j in range(1, len(row)):
            model.addCons(row[j] <= quicksum(assigned[h][j - 1] for h in range(i)))
    for j in range(len(assigned[0])):
        model.addCons(quicksum(row[j] for row in assigned) >= 1)
        for i, h in cannot_link:
            model.addCons(assigned[i][j] + assigned[h][j] <= 1)


def _add_costs(model: "Model", assigned: Sequence[Sequence[Any]], points: Floats) -> list[list[Any]]:
    """Add the centres and return the squared distances d_ij, zero where a super-point is in another cluster."""
    from pyscipopt import quicksum

    low, high = points.min(axis=0), points.max(axis=0)
    largest = ((points[:, None] - points[None]) ** 2).sum(axis=2).max(axis=1)
    centres = [[model.addVar(lb=a, ub=b) for a, b in zip(low, high, strict=True)] for _ in assigned[0]]
    costs = []
    for point, row, m in zip(points, assigned, largest, strict=True):
        costs.append([model.addVar(lb=0.0, ub=m) for _ in row])
        for d, x, centre in zip(costs[-1], row, centres, strict=True):
            distance = quicksum((c - p) * (c - p) for p, c in zip(point, centre, strict=True))
            model.addCons(distance <= d + m * (1 - x))
    return costs
