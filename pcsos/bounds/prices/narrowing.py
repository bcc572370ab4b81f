"""Narrowing: a box is narrowed to where a place can be the mean of what is taken there; nowhere else most is earned."""

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.knot_profit import pull_of_knot
from pcsos.bounds.prices.tree import Priced

#: Boxes are narrowed from so many features on; with fewer there are as many boxes otherwise.
NARROWED_FROM = 3


def slip_of(priced: Priced, num_points: float) -> float:
    """Return what rounding may hide of a sum of weights times distances from a middle, of those who count."""
    weight = priced.weights[priced.prices > 0.0].sum() + priced.group_weights[priced.group_prices > 0.0].sum()
    reach = max(float(np.abs(priced.low[0]).max()), float(np.abs(priced.high[0]).max()))
    return float(32.0 * (num_points + 64.0) * np.finfo(np.float64).eps * weight * reach)


@inlined_kernel
def _pull(priced: Priced, members: Indices, first: int, last: int, low: Floats, high: Floats, pull: Floats) -> float:
    """Return the weight of those on the rim; set what it is at most times distances from the middle, up and down."""
    total, means, weights, num_nodes = 0.0, priced.means, priced.weights, priced.first.size
    pull[:] = 0.0
    for position in range(first, last):
        at = members[position]
        if at >= num_nodes:
            total += pull_of_knot(priced, at - num_nodes, low, high, pull)
            continue
        if at >= 0:
            total += priced.weight[at]
            for c in range(low.size):
                middle = 0.5 * (low[c] + high[c])
                pull[0, c] += priced.weight[at] * max(priced.high[at, c] - middle, 0.0)
                pull[1, c] += priced.weight[at] * max(middle - priced.low[at, c], 0.0)
            continue
        weight = weights[-at - 1]
        total += weight
        for c in range(low.size):
            offset = weight * (means[-at - 1, c] - 0.5 * (low[c] + high[c]))
            pull[0, c] += max(offset, 0.0)
            pull[1, c] += max(-offset, 0.0)
    return total


@inlined_kernel
def is_narrowed(
    priced: Priced, members: Indices, first: int, last: int, taken: Floats, slip: float, low: Floats, high: Floats,
    pull: Floats,
) -> bool:  # fmt: skip
    """Narrow a box to where a place can be the mean of what is taken there, so that low > high if there is none.

    Only at such a place the profit can be greatest. With a weight W, moments M, and a rim of weight R that pulls by at
    most P upwards from the middle z, whatever of it is taken, the mean y obeys ``W (y - z) <= M - W z + P``, and where
    that is less than 0 even ``(W + R) (y - z) <= M - W z + P``; downwards likewise. Sums are off by ``slip`` at most.
    """
    d = low.size
    if d < NARROWED_FROM:
        return False
    rim, weight = _pull(priced, members, first, last, low, high, pull), taken[d]
    if weight <= 0.0:
        return False
    for c in range(d):
        middle = 0.5 * (low[c] + high[c])
        lean = taken[c] - weight * middle
        most, least = lean + pull[0, c] + slip, lean - pull[1, c] - slip
        high[c] = min(high[c], middle + most / (weight if most > 0.0 else weight + rim))
        low[c] = max(low[c], middle + least / (weight if least < 0.0 else weight + rim))
        if low[c] > high[c]:
            low[0], high[0] = np.inf, -np.inf
            break
    return True
