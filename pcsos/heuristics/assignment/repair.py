"""Repair by tabu search: labels that break cannot-links or quotas are changed until they break none."""

from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, integer, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.conditions import Quotas
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import Budget

#: Steps of a repair, and how many more for each super-point; the costs that all of them together may look at.
STEPS = 2_000
STEPS_EACH = 20
WORK = 2e8
#: Steps between two questions whether to stop.
ROUND = 500
#: Violations closer than this are the same.
SAME = 1e-9


class RepairState(NamedTuple):
    """A problem, labels and all that changes with them; the last four arrays are changed in place.

    ``around`` (s, k) is the number of cannot-link neighbours of a super-point in a cluster, ``until`` (s, k) the step
    before which it may not enter that. ``amounts`` (s, r) is what super-points bring of r things, ``held`` (k, r) what
    clusters hold, ``least`` and ``most`` (k, r) what they may, ``units`` (r,) what a super-point brings on the average.
    """

    costs: Floats
    indptr: Indices
    indices: Indices
    amounts: Floats
    least: Floats
    most: Floats
    units: Floats
    labels: Indices
    around: Indices
    until: Indices
    held: Floats


#: What a step would leave violated beyond what is, its cost, super-point and cluster, and with whom it changes places.
Step = tuple[float, float, int, int, int]


def repair(
    costs: Floats, graph: ConflictGraph, quotas: Quotas, labels: Indices, rng: np.random.Generator, budget: Budget
) -> Indices | None:
    """Return labels that respect cannot-links and quotas, near those given; None if none are found in time.

    What is violated is counted in broken cannot-links, and in points and weights beyond quotas, in units of the mean
    super-point. Each step is the move, or the swap with one super-point drawn at random, that leaves least violated,
    then the cheapest one; who moved does not go back for a while, unless that is better than ever. Costs of clusters at
    super-points have the shape (s, k); the labels (s,) are not changed.
    """
    found, (s, k) = labels.astype(np.intp), costs.shape
    around, until, held = np.zeros((s, k), np.intp), np.zeros((s, k), np.intp), np.zeros(quotas.least.shape)
    units = quotas.amounts.mean(axis=0)
    state = RepairState(
        np.ascontiguousarray(costs), graph.indptr, graph.indices, *quotas[:3], units, found, around, until, held
    )
    steps = int(max(ROUND, min(STEPS + STEPS_EACH * labels.size, WORK / costs.size)))
    for done in range(0, steps, ROUND):
        if search(state, done, rng):
            return found
        if budget.stop.asked():
            break
    return None


@kernel
def search(state: RepairState, begun: int, rng: np.random.Generator) -> bool:
    """Change the labels in a round of steps from that one on, and tell whether nothing is violated then."""
    labels, around, held, k = state.labels, state.around, state.held, state.costs.shape[1]
    around[:], held[:] = 0, 0.0  # formed anew in each round, so that rounding does not add up
    for v in range(labels.size):
        for r in range(state.units.size):
            held[labels[v], r] += state.amounts[v, r]
        for t in range(state.indptr[v], state.indptr[v + 1]):
            around[v, labels[state.indices[t]]] += 1
    bad, fewest = np.zeros(k, np.bool_), np.inf
    for step in range(begun, begun + ROUND):
        violated, drawn = _violated(state, bad, rng)
        if violated == 0.0:
            return True
        fewest = min(fewest, violated)
        allowance = fewest - SAME - violated
        best = _best_swap(state, drawn, step, allowance, _best_move(state, bad, step, allowance))
        v, j = best[2], best[4]
        if v >= 0:
            source, tenure = labels[v], step + 5 + int(10.0 * rng.random())
            _relabel(state, v, best[3], tenure)
            if j >= 0:
                _relabel(state, j, source, tenure)
    return False


@inner_kernel
def _violated(state: RepairState, bad: Flags, rng: np.random.Generator) -> tuple[float, int]:
    """Return what is violated, and a super-point that has part in it, drawn at random; mark clusters beyond quotas."""
    violated, drawn, num_critical = 0.0, integer(-1), 0
    for h in range(bad.size):
        beyond = _beyond(state, h, -1, -1, 0.0)
        bad[h] = beyond > 0.0
        violated += beyond
    for v in range(state.labels.size):
        conflicts = state.around[v, state.labels[v]]
        violated += 0.5 * conflicts
        if conflicts > 0 or bad[state.labels[v]]:
            num_critical += 1
            if rng.random() * num_critical < 1.0:
                drawn = integer(v)
    return violated, drawn


@inner_kernel
def _best_move(state: RepairState, bad: Flags, step: int, allowance: float) -> Step:
    """Return the best move that has to do with what is violated; tabus do not count for changes below the allowance."""
    best = (np.inf, np.inf, integer(-1), integer(-1), integer(-1))
    for v in range(state.labels.size):
        a = state.labels[v]
        in_conflict = state.around[v, a] > 0 or bad[a]
        for h in range(bad.size):
            if h != a and (in_conflict or bad[h]):
                change = float(state.around[v, h] - state.around[v, a])
                change += _shift(state, a, h, v, -1)
                if state.until[v, h] <= step or change < allowance:
                    price = state.costs[v, h] - state.costs[v, a]
                    best = _better(best, (change, price, integer(v), integer(h), integer(-1)))
    return best


@inner_kernel
def _best_swap(state: RepairState, v: int, step: int, allowance: float, best: Step) -> Step:
    """Return the best swap of this super-point with another one, or the step given, whichever is better."""
    costs, around = state.costs, state.around
    if v < 0:
        return best
    a = state.labels[v]
    for j in range(state.labels.size):
        h = state.labels[j]
        if h == a:
            continue
        change = float(around[v, h] - around[v, a] + around[j, a] - around[j, h])
        for t in range(state.indptr[j], state.indptr[j + 1]):
            if state.indices[t] == v:
                change -= 2.0
        change += _shift(state, a, h, v, j)
        if (state.until[v, h] <= step and state.until[j, a] <= step) or change < allowance:
            price = costs[v, h] - costs[v, a] + costs[j, a] - costs[j, h]
            best = _better(best, (change, price, integer(v), integer(h), integer(j)))
    return best


@inner_kernel
def _beyond(state: RepairState, h: int, v: int, j: int, sign: float) -> float:
    """Return by how much a cluster is outside its quotas once v has come and j, unless it is -1, has gone.

    With the sign -1 it is the other way round, and with 0 nothing has come or gone.
    """
    total = 0.0
    for r in range(state.units.size):
        held = state.held[h, r]
        if sign != 0.0:
            held += sign * (state.amounts[v, r] - (state.amounts[j, r] if j >= 0 else 0.0))
        total += max(state.least[h, r] - held, held - state.most[h, r], 0.0) / state.units[r]
    return total


@inner_kernel
def _shift(state: RepairState, a: int, h: int, v: int, j: int) -> float:
    """Return what is outside quotas more than before if v moves from cluster a to h and j, unless it is -1, back."""
    after = _beyond(state, a, v, j, -1.0) + _beyond(state, h, v, j, 1.0)
    return after - _beyond(state, a, v, j, 0.0) - _beyond(state, h, v, j, 0.0)


@inner_kernel
def _better(best: Step, other: Step) -> Step:
    """Return the step that leaves less violated, then the cheaper one."""
    if other[0] < best[0] - SAME or (other[0] <= best[0] + SAME and other[1] < best[1]):
        return other
    return best


@inner_kernel
def _relabel(state: RepairState, v: int, h: int, tenure: int) -> None:
    """Move a super-point to cluster h; it may not come back before the step ``tenure``."""
    a = state.labels[v]
    for t in range(state.indptr[v], state.indptr[v + 1]):
        state.around[state.indices[t], a] -= 1
        state.around[state.indices[t], h] += 1
    for r in range(state.units.size):
        state.held[a, r] -= state.amounts[v, r]
        state.held[h, r] += state.amounts[v, r]
    state.labels[v] = h
    state.until[v, a] = tenure
