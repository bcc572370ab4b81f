"""What it means that a result agrees with the truth; for the properties and for the benchmark."""

from collections.abc import Callable, Iterator

import numpy as np

import pcsos
from pcsos.base.events import BoundImproved, CutRound, Event
from pcsos.evidence.result import Result
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.problem.partition import violation
from tests import oracle

GAP = 1e-4


def disagreement(
    seed: int,
    *,
    max_points: int = 8,
    params: Params | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
) -> str | None:
    """Solve the random instance of a seed; return what is wrong with the result, or None."""
    instance = oracle.random_instance(np.random.default_rng(seed), max_points=max_points)
    bounds: list[float] = []
    result = pcsos.solve(
        instance,
        gap=GAP,
        workers=1,
        options=pcsos.Options(params=params or Params(), on_event=lambda event: bounds.extend(claimed_bounds(event))),
    )
    on_result(result)
    return next(problems(instance, oracle.enumerate_feasible(instance), result, bounds), None)


def claimed_bounds(event: Event) -> list[float]:
    """Bounds on the whole problem that an event claims; unlike those of a result, not capped by the incumbent."""
    at_root = isinstance(event, CutRound) and event.node == 0 and event.num_fixed == 0
    return [event.lower_bound] if at_root or isinstance(event, BoundImproved) else []


def problems(instance: Instance, truth: oracle.Truth, result: Result, bounds: list[float]) -> Iterator[str]:
    """Everything in which a result contradicts the truth, the worst first.

    Costs of both sides are rounded, by at most a few units in the last place of the scatter of all points.
    """
    expected = "OPTIMAL" if truth.feasible else "INFEASIBLE"
    if result.status != expected:
        yield f"status is {result.status} ({result.reason}) instead of {expected}"
    if not truth.feasible or result.status != expected:
        return
    if (broken := violation(instance, result.labels)) is not None:
        yield broken
    everything = np.zeros((1, instance.n_points), np.intp)
    rounding = 1e-13 * instance.n_points * float(oracle.costs(instance, everything)[0])
    cost, optimum = float(oracle.costs(instance, result.labels[None])[0]), truth.optimum
    bounds = [*bounds, result.lower_bound, *([] if result.root_lower_bound is None else [result.root_lower_bound])]
    if max(bounds) > optimum + rounding:
        yield f"lower bound {max(bounds)} is above the optimum {optimum}"
    if abs(result.objective - cost) > rounding:
        yield f"objective {result.objective} is not the cost {cost} of the labels"
    if result.objective * (1 - GAP) > optimum + rounding:
        yield f"objective {result.objective} is farther than the gap from the optimum {optimum}"
    if result.gap > GAP:
        yield f"gap {result.gap} is above {GAP}, yet the status is OPTIMAL"
