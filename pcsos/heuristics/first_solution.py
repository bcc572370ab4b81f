"""First solution: some partition at once, where exact assignments may take longer than anybody waits."""

from pcsos.base.typing import Floats
from pcsos.heuristics.assignment.exact import Assignment, assign
from pcsos.heuristics.centres import Costs, objective_of
from pcsos.heuristics.dense_search import is_dense
from pcsos.heuristics.record import Solution
from pcsos.presolve.colouring.budget import Budget
from pcsos.problem.reduction import Reduced


def first_solution(reduced: Reduced, costs: Costs, centres: Floats, budget: Budget) -> Solution | None:
    """Return the solution of an assignment to these centres that need not be exact.

    None where there are limits of clusters or soft pairs, few cannot-links, or no assignment is found.
    """
    if not (reduced.is_plain and is_dense(reduced)):
        return None
    found = assign(costs(centres), reduced.graph, exact=False, budget=budget)
    return Solution(found.labels, objective_of(reduced, found.labels)) if isinstance(found, Assignment) else None
