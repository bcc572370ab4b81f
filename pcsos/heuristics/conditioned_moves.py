"""Exchanges of super-points between two clusters under limits and soft pairs, and what they change exactly.

The sum of squares changes as in :mod:`pcsos.heuristics.moves`. Beside it a soft pair has the price
``together - apart`` of sharing a cluster; an exchange pays it for the pairs with one end among its members.
"""

from typing import NamedTuple, Self

import numpy as np

from pcsos.assignment.member_lists import enter, leave
from pcsos.assignment.soft_neighbours import SoftNeighbours
from pcsos.heuristics.moves import LIGHT, RELATIVE_GAIN, Clusters, exchange, squared_distance, squared_resultant
from pcsos.kernels import kernel
from pcsos.limits import Limits
from pcsos.reduction import Reduced
from pcsos.typing import Flags, Indices


class Conditions(NamedTuple):
    """What a problem asks for beyond cannot-links.

    ``counts`` (s,) are the points of super-points; ``bounds`` those of the numbers of points of a cluster, ``masses``
    those of its weight. Where ``keeps_sizes``, an exchange must leave the list of numbers as it is.
    """

    counts: Indices
    bounds: tuple[int, int]
    masses: tuple[float, float]
    keeps_sizes: bool
    soft: SoftNeighbours

    @classmethod
    def of(cls, reduced: Reduced) -> Self:
        """Return those of a problem."""
        limits = reduced.limits or Limits()
        return cls(
            reduced.counts,
            (limits.fewest if limits.sizes is None else 1, int(min(limits.size_max or np.inf, reduced.component.size))),
            (limits.lightest, limits.heaviest),
            limits.sizes is not None,
            SoftNeighbours.of(reduced.soft, reduced.size),
        )


class Holdings(NamedTuple):
    """What clusters hold, changed in place with every exchange.

    ``numbers`` (k,) counts their points; ``first`` (k,), ``after`` and ``before`` (s,) list their super-points.
    ``chosen`` (s,) is a board on which members of an exchange are marked for a moment.
    """

    numbers: Indices
    first: Indices
    after: Indices
    before: Indices
    chosen: Flags


@kernel
def permits(
    state: Clusters, conditions: Conditions, holdings: Holdings, a: int, h: int, count: int, weight: float
) -> bool:
    """Tell whether limits allow that many points and that much weight to go from cluster a to cluster h."""
    if count != 0:
        left, right = holdings.numbers[a] - count, holdings.numbers[h] + count
        if conditions.keeps_sizes and left != holdings.numbers[h]:
            return False
        if min(left, right) < conditions.bounds[0] or max(left, right) > conditions.bounds[1]:
            return False
    if weight != 0.0:
        mass, more = state.mass[a] - weight, state.mass[h] + weight
        if min(mass, more) < conditions.masses[0] or max(mass, more) > conditions.masses[1]:
            return False
        if mass <= LIGHT * state.mass[a] or more <= LIGHT * state.mass[h]:
            return False  # few digits would be left of it
    return True


@kernel
def change_of(state: Clusters, conditions: Conditions, holdings: Holdings, a: int, h: int, members: Indices) -> float:
    """Return what it costs more to exchange the members between clusters a and h; infinity where limits forbid it.

    What is less than rounding may be is no gain: the change is raised by that.
    """
    points, weights, labels, centres, soft = state.points, state.weights, state.labels, state.centres, conditions.soft
    count, weight, balance = 0, 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        balance += side
        count += side * conditions.counts[j]
        weight += side * weights[j]
    if state.sizes[a] - balance < 1 or state.sizes[h] + balance < 1:
        return np.inf
    if not permits(state, conditions, holdings, a, h, count, weight):
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
    state: Clusters, conditions: Conditions, holdings: Holdings, a: int, h: int, members: Indices, clock: int
) -> None:
    """Exchange the members between clusters a and h at this tick."""
    for j in members:
        source = state.labels[j]
        target = a + h - source
        holdings.numbers[source] -= conditions.counts[j]
        holdings.numbers[target] += conditions.counts[j]
        leave(holdings.first, holdings.after, holdings.before, j, source)
        enter(holdings.first, holdings.after, holdings.before, j, target)
    exchange(state, a, h, members, clock)


@kernel
def is_open(state: Clusters, i: int, h: int, but: int) -> bool:
    """Tell whether no super-point of cluster h, but for that one, is a cannot-link neighbour of i."""
    for t in range(state.indptr[i], state.indptr[i + 1]):
        if state.labels[state.indices[t]] == h and state.indices[t] != but:
            return False
    return True
