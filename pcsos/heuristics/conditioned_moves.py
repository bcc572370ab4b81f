"""Exchanges of super-points between two clusters under limits and soft pairs, and what they change exactly.

The sum of squares changes as in :mod:`pcsos.heuristics.moves`. Beside it a soft pair has the price
``together - apart`` of sharing a cluster; an exchange pays it for the pairs with one end among its members.
"""

from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.member_lists import enter, leave
from pcsos.heuristics.assignment.soft_neighbours import SoftNeighbours
from pcsos.heuristics.moves import LIGHT, RELATIVE_GAIN, ClusterState, exchange, squared_distance, squared_resultant
from pcsos.problem.reduction import Reduced


class ConditionArrays(NamedTuple):
    """What a problem asks for beyond cannot-links.

    ``amounts`` (s, r) is what super-points bring of r things, numbers of points first; ``least`` and ``most`` (r,) are
    the bounds of what a cluster holds. Where ``keeps_sizes``, an exchange must leave the list of numbers as it is.
    """

    amounts: Floats
    least: Floats
    most: Floats
    keeps_sizes: bool
    soft: SoftNeighbours

    @classmethod
    def of(cls, reduced: Reduced) -> Self:
        """Return those of a problem."""
        things = reduced.capacities
        return cls(
            np.column_stack([own.amounts for own in things]),
            np.array([own.least for own in things], np.float64),
            np.array([own.most for own in things], np.float64),
            reduced.sizes is not None,
            SoftNeighbours.of(reduced.soft, reduced.size),
        )


class Holdings(NamedTuple):
    """What clusters hold, changed in place with every exchange.

    ``held`` (k, r) is what they hold of each thing; ``first`` (k,), ``after`` and ``before`` (s,) list their
    super-points. ``chosen`` (s,) is a board on which members of an exchange are marked for a moment.
    """

    held: Floats
    first: Indices
    after: Indices
    before: Indices
    chosen: Flags


@kernel
def permits(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices
) -> bool:
    """Tell whether limits allow the members to be exchanged between clusters a and h."""
    amounts, held = conditions.amounts, holdings.held
    for r in range(conditions.least.size):
        moved = 0.0
        for j in members:
            moved += amounts[j, r] if state.labels[j] == a else -amounts[j, r]
        if moved == 0.0:
            continue
        left, right = held[a, r] - moved, held[h, r] + moved
        if r == 0 and conditions.keeps_sizes and left != held[h, r]:
            return False
        if min(left, right) < conditions.least[r] or max(left, right) > conditions.most[r]:
            return False
    return True


@kernel
def change_of(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices
) -> float:
    """Return what it costs more to exchange the members between clusters a and h; infinity where limits forbid it.

    What is less than rounding may be is no gain: the change is raised by that.
    """
    points, weights, labels, centres, soft = state.points, state.weights, state.labels, state.centres, conditions.soft
    weight, balance = 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        balance += side
        weight += side * weights[j]
    if state.sizes[a] - balance < 1 or state.sizes[h] + balance < 1:
        return np.inf
    if state.mass[a] - weight <= LIGHT * state.mass[a] or state.mass[h] + weight <= LIGHT * state.mass[h]:
        return np.inf  # few digits would be left of a weight
    if not permits(state, conditions, holdings, a, h, members):
        return np.inf
    change, terms = 0.0, 0.0
    for j in members:
        near, far = squared_distance(points, j, centres, a), squared_distance(points, j, centres, h)
        change += weights[j] * (far - near if labels[j] == a else near - far)
        terms += weights[j] * (near + far)
        holdings.chosen[j] = True
    for j in members:
        own, other = labels[j], a + h - labels[j]
        for t in range(soft.indptr[j], soft.indptr[j + 1]):
            cluster = labels[soft.indices[t]]
            if cluster in (own, other) and not holdings.chosen[soft.indices[t]]:
                change += soft.prices[t] if cluster == other else -soft.prices[t]
                terms += abs(soft.prices[t])
    for j in members:
        holdings.chosen[j] = False
    from_a = squared_resultant(points, weights, labels, centres, a, a, members)
    from_h = squared_resultant(points, weights, labels, centres, a, h, members)
    return float(change - from_a / (state.mass[a] - weight) - from_h / (state.mass[h] + weight) + RELATIVE_GAIN * terms)


@kernel
def carry_out(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices, clock: int
) -> None:
    """Exchange the members between clusters a and h at this tick."""
    for j in members:
        source = state.labels[j]
        target = a + h - source
        for r in range(conditions.least.size):
            holdings.held[source, r] -= conditions.amounts[j, r]
            holdings.held[target, r] += conditions.amounts[j, r]
        leave(holdings.first, holdings.after, holdings.before, j, source)
        enter(holdings.first, holdings.after, holdings.before, j, target)
    exchange(state, a, h, members, clock)


@kernel
def is_open(state: ClusterState, i: int, h: int, but: int) -> bool:
    """Tell whether no super-point of cluster h, but for that one, is a cannot-link neighbour of i."""
    for t in range(state.indptr[i], state.indptr[i + 1]):
        if state.labels[state.indices[t]] == h and state.indices[t] != but:
            return False
    return True
