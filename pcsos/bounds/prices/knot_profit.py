"""Profit of knots: what a cluster earns of groups that cannot-links tie, over a box and at a place.

What groups earn is bounded from above like what any super-point earns, and choices by their sums. With A and B two of
these, all choices earn at most ``L = (1 - t) A + t B`` and the greatest difference of one to L in the box; of A and B
these are t X and (1 - t) Y with X and Y the greatest values of A - B and of B - A, so that t = Y / (X + Y).
"""

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel
from pcsos.base.typing import Floats
from pcsos.bounds.prices.tree import FREE, Priced, reach, weigh_point


@inner_kernel
def weigh_knot(priced: Priced, knot: int, low: Floats, high: Floats, rim: Floats, upper: Floats, sums: Floats) -> bool:
    """Add to the rim what is earned of a knot in a box at most; tell whether anything is.

    ``upper`` takes sums for each group.
    """
    d, first, number = low.size, priced.knot_first[knot], priced.knot_first[knot + 1] - priced.knot_first[knot]
    active = _weigh_groups(priced, first, number, low, high, upper)
    if active == 0:
        return False
    best, second = _best_choices(priced, knot, active, low, high, upper)
    ahead = _most_beyond(best, second, second, 0.0, number, low, high, upper, sums)
    behind = _most_beyond(second, best, best, 0.0, number, low, high, upper, sums)
    share = behind / (ahead + behind) if behind > 0.0 else 0.0
    lost = share * ahead
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice = priced.choices[at] & active
        if choice not in (best, second):
            lost = max(lost, _most_beyond(choice, best, second, share, number, low, high, upper, sums))
    for group in range(number):
        part = (1.0 - share) * ((best >> group) & 1) + share * ((second >> group) & 1)
        for c in range(d + 2):
            rim[c] += part * upper[group, c]
    rim[d + 1] += lost
    return True


@inner_kernel
def _weigh_groups(priced: Priced, first: int, number: int, low: Floats, high: Floats, upper: Floats) -> int:
    """Set what groups earn in a box at most; return those that may earn something, as bits."""
    active, means, weights, prices = 0, priced.group_means, priced.group_weights, priced.group_prices
    for position in range(number):
        own = upper[position]
        own[:] = 0.0
        weigh_point(means, weights, prices, first + position, low, high, FREE, own, own)
        if own[low.size] > 0.0:
            active |= 1 << position
    return active


@inner_kernel
def _best_choices(priced: Priced, knot: int, active: int, low: Floats, high: Floats, upper: Floats) -> tuple[int, int]:
    """Return the two choices that earn most in the middle of a box; the same twice if there is only one."""
    d, best, second, most, next_most = low.size, -1, -1, -np.inf, -np.inf
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice, value = priced.choices[at] & active, 0.0
        for group in range(upper.shape[0]):
            if (choice >> group) & 1:
                value += upper[group, d + 1]
                for c in range(d):
                    middle = 0.5 * (low[c] + high[c])
                    value += (2.0 * upper[group, c] - upper[group, d] * middle) * middle
        if choice in (best, second):
            continue
        if value > most:
            best, second, most, next_most = choice, best, value, most
        elif value > next_most:
            second, next_most = choice, value
    return best, (best if second < 0 else second)


@inner_kernel
def _most_beyond(
    choice: int, one: int, other: int, share: float, number: int, low: Floats, high: Floats, upper: Floats,
    sums: Floats,
) -> float:  # fmt: skip
    """Return the most that a choice earns in a box beyond a mixture of two, which has this share of the other."""
    d = low.size
    sums[:] = 0.0
    for group in range(number):
        part = (1.0 - share) * ((one >> group) & 1) + share * ((other >> group) & 1)
        left = ((choice >> group) & 1) - part
        for c in range(d + 2):
            sums[c] += left * upper[group, c]
    weight, value = sums[d], sums[d + 1]
    for c in range(d):
        most = max((2.0 * sums[c] - weight * low[c]) * low[c], (2.0 * sums[c] - weight * high[c]) * high[c])
        if weight > 0.0 and low[c] < sums[c] / weight < high[c]:
            most = max(most, sums[c] * sums[c] / weight)
        value += most
    return max(float(value), 0.0)


@inner_kernel
def pull_of_knot(priced: Priced, knot: int, low: Floats, high: Floats, pull: Floats) -> float:
    """Return the weight of the groups that may be taken in a box; add what :mod:`narrowing` asks for."""
    total = 0.0
    for group in range(priced.knot_first[knot], priced.knot_first[knot + 1]):
        weight = priced.group_weights[group]
        near, _ = reach(low.reshape(1, -1), high.reshape(1, -1), 0, priced.group_means[group])
        if priced.group_prices[group] - weight * near > 0.0:
            total += weight
            for c in range(low.size):
                offset = weight * (priced.group_means[group, c] - 0.5 * (low[c] + high[c]))
                pull[0, c] += max(offset, 0.0)
                pull[1, c] += max(-offset, 0.0)
    return total


@inner_kernel
def choice_of_knot(priced: Priced, knot: int, place: Floats) -> int:
    """Return the choice with which a cluster at a place earns most, as bits; only what is worth something counts."""
    first, last = priced.knot_first[knot], priced.knot_first[knot + 1]
    chosen, most = 0, -1.0
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice, total = 0, 0.0
        for group in range(first, last):
            if (priced.choices[at] >> (group - first)) & 1:
                near, _ = reach(priced.group_means, priced.group_means, group, place)
                worth = priced.group_prices[group] - priced.group_weights[group] * near
                if worth > 0.0:
                    choice |= 1 << (group - first)
                    total += worth
        if total > most:
            chosen, most = choice, total
    return chosen
