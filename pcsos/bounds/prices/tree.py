"""Tree: super-points in nested boxes, with what each box holds, so that few of them have to be looked at one by one.

A node that a cluster takes as a whole, or not at all, is one step of work whatever it holds.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import NEVER, Interrupted, Stop
from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.knots import Knots

#: Leaves hold single super-points where there are so many of them at most, and otherwise up to so many each.
SINGLE_UP_TO, LEAF = 20_000, 8
#: Nodes that are halved between two questions whether to stop.
NODES = 1000

Marks = NDArray[np.uint64]
#: What each unit of weight pays in a box: from the first to the last in parts of it, the second in the box itself.
Toll = tuple[float, float, float]
FREE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class PointTree:
    """Super-points in the order of the leaves of a k-d tree (Bentley 1975) under each cluster, and its nodes.

    Node 0 is the root, and halves come behind the node that they are halves of.
    """

    order: Indices  #: shape (s,): which super-points these are
    #: shapes (s, d), (s,): the super-points in that order
    means: Floats
    weights: Floats
    #: shape (m,): node i holds those from ``first[i]`` to ``last[i]``, the latter not included
    first: Indices
    last: Indices
    halves: Indices  #: shape (m, 2): the halves of each node; 0 for a leaf
    #: shape (m, d): its box
    low: Floats
    high: Floats
    #: shapes (m,), (m, d), (m,): sums of weights, of weights times means, and of weights times squares of means
    weight: Floats
    moment: Floats
    square: Floats
    cost: Floats  #: shape (m,): its sum of squares about its own mean
    depth: int  #: of the deepest leaf

    @classmethod
    def of(cls, means: Floats, weights: Floats, labels: Indices, stop: Stop = NEVER) -> "PointTree":
        """Return the tree of some super-points: clusters are separated first, then the longest side is halved.

        Raises
        ------
        Interrupted
            If the run has to end before.
        """
        leaf = 1 if len(means) <= SINGLE_UP_TO else LEAF
        order = np.argsort(_place_of_clusters(means, labels)[labels], kind="stable")
        place = _place_of_clusters(means, labels)[labels[order]]
        first, last, halves, depth, at = [0], [len(means)], [(0, 0)], [0], 0
        while at < len(first):
            if at % NODES == 0 and stop.asked():
                raise Interrupted
            begin, end = first[at], last[at]
            middle = (begin + end) // 2
            if place[begin] != place[end - 1]:
                ends = np.searchsorted(place, [place[middle], place[middle] + 1])
                middle = int(min((own for own in ends if begin < own < end), key=lambda own: abs(own - middle)))
            elif end - begin > leaf:
                own = means[order[begin:end]]
                side = int(np.argmax(own.max(axis=0) - own.min(axis=0)))
                order[begin:end] = order[begin:end][np.argpartition(own[:, side], middle - begin)]
            else:
                at += 1
                continue
            halves[at] = (len(first), len(first) + 1)
            first += [begin, middle]
            last += [middle, end]
            halves += [(0, 0), (0, 0)]
            depth += [depth[at] + 1, depth[at] + 1]
            at += 1
        ordered, own_weights = np.ascontiguousarray(means[order]), np.ascontiguousarray(weights[order])
        nodes = (np.array(first, np.intp), np.array(last, np.intp), np.array(halves, np.intp))
        return cls(order, ordered, own_weights, *nodes, *_sums(ordered, own_weights, *nodes), depth[-1])

    def joined(self, begins: Indices) -> "PointTree":
        """Return the same tree with the nodes that begin there, and together hold all, as single super-points."""
        ends = np.append(begins[1:], self.size)
        weights = np.add.reduceat(self.weights, begins)
        means = np.add.reduceat(self.weights[:, None] * self.means, begins) / weights[:, None]
        first, last = np.searchsorted(begins, self.first), np.searchsorted(ends, self.last) + 1
        is_kept = (begins[np.minimum(first, begins.size - 1)] == self.first) & (ends[last - 1] == self.last)
        number = np.cumsum(is_kept) - 1
        first, last, halves = first[is_kept], last[is_kept], number[self.halves[is_kept]]
        halves[last - first == 1] = 0
        nodes = (first, last, halves)
        return PointTree(np.arange(begins.size), means, weights, *nodes, *_sums(means, weights, *nodes), self.depth)

    @property
    def size(self) -> int:
        """Number of super-points."""
        return len(self.means)

    def given(self, values: Floats) -> Floats:
        """Return what there is of each super-point, in the order that they came in."""
        given = np.empty_like(values)
        given[self.order] = values
        return given

    def priced(self, prices: Floats, knots: Knots | None = None, capacity: float = math.inf) -> "Priced":
        """Return the tree with prices, given in its order, and with the knots that what is decided makes.

        No cluster weighs more than the capacity.
        """
        knots = knots or Knots.of(self.means, self.weights, [], [])
        free = prices
        if knots.members.size:
            free = prices.copy()
            free[knots.members] = 0.0
        return Priced(
            self.means, self.weights, free, self.first, self.last, self.halves, self.low, self.high, self.weight,
            self.moment, self.square, *priced_nodes(free, self.weights, self.first, self.last, self.halves),
            self.depth, knots.knot_first, knots.choice_first, knots.choices, knots.means, knots.weights,
            knots.prices(prices), knots.group_first, knots.members, capacity,
        )  # fmt: skip


class Priced(NamedTuple):
    """A tree whose super-points pay prices, as kernels take it; what is not named here is that of the tree."""

    means: Floats
    weights: Floats
    prices: Floats  #: shape (s,): in the order of the tree; 0 for members of knots, which the tree thus forgets
    first: Indices
    last: Indices
    halves: Indices
    low: Floats
    high: Floats
    weight: Floats
    moment: Floats
    square: Floats
    #: shape (m,): sum of the prices in each node, and the least and the most of what they pay for their weight: the
    #: squares of the distances up to which they are taken
    paid: Floats
    least: Floats
    most: Floats
    depth: int
    #: the knots; mean, weight and price of their groups, and whom they hold
    knot_first: Indices
    choice_first: Indices
    choices: Indices
    group_means: Floats
    group_weights: Floats
    group_prices: Floats
    group_first: Indices
    members: Indices
    capacity: float  #: no cluster weighs more

    @property
    def is_limited(self) -> bool:
        """Whether a cluster may be worth a toll."""
        return bool(self.capacity < self.weight[0])

    @property
    def roots(self) -> Indices:
        """What there is at first, as kernels number it: node 0, and each knot behind all nodes."""
        return np.concatenate([[0], np.arange(self.knot_first.size - 1) + len(self.first)]).astype(np.int64)


def _place_of_clusters(means: Floats, labels: Indices) -> Indices:
    """Return the place of each cluster along the longest side of the box of their means."""
    sizes = np.maximum(np.bincount(labels), 1)
    centres = np.column_stack([np.bincount(labels, column) / sizes for column in means.T])
    side = int(np.argmax(np.ptp(centres, axis=0)))
    return np.asarray(np.argsort(np.argsort(centres[:, side], kind="stable"), kind="stable"), np.intp)


@kernel
def _sums(
    means: Floats, weights: Floats, first: Indices, last: Indices, halves: Indices
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Return boxes, weights, moments, squares and costs of all nodes, from the leaves upwards."""
    m, d = first.size, means.shape[1]
    low, high = np.full((m, d), np.inf), np.full((m, d), -np.inf)
    weight, moment, square, cost = np.zeros(m), np.zeros((m, d)), np.zeros(m), np.zeros(m)
    for node in range(m - 1, -1, -1):
        if halves[node, 0] == 0:
            for i in range(first[node], last[node]):
                cost[node] += _apart(weight[node], moment[node], weights[i], means[i], weights[i])
                weight[node] += weights[i]
                for c in range(d):
                    low[node, c] = min(low[node, c], means[i, c])
                    high[node, c] = max(high[node, c], means[i, c])
                    moment[node, c] += weights[i] * means[i, c]
                    square[node] += weights[i] * means[i, c] * means[i, c]
            continue
        for half in halves[node]:
            cost[node] += cost[half] + _apart(weight[node], moment[node], weight[half], moment[half], 1.0)
            weight[node] += weight[half]
            square[node] += square[half]
            for c in range(d):
                low[node, c] = min(low[node, c], low[half, c])
                high[node, c] = max(high[node, c], high[half, c])
                moment[node, c] += moment[half, c]
    return low, high, weight, moment, square, cost


@inner_kernel
def _apart(weight: float, moment: Floats, other: float, other_moment: Floats, times: float) -> float:
    """Return what two sets cost together more than each alone; that of the other is a moment ``times`` so much."""
    if weight == 0.0 or other == 0.0:
        return 0.0
    square = 0.0
    for c in range(moment.size):
        difference = moment[c] / weight - times * other_moment[c] / other
        square += difference * difference
    return weight * other / (weight + other) * square


@kernel
def priced_nodes(
    prices: Floats, weights: Floats, first: Indices, last: Indices, halves: Indices
) -> tuple[Floats, Floats, Floats]:
    """Return sums of prices of all nodes, and the least and the most that is paid for a weight."""
    m = first.size
    paid, least, most = np.zeros(m), np.full(m, np.inf), np.full(m, -np.inf)
    for node in range(m - 1, -1, -1):
        if halves[node, 0] == 0:
            for i in range(first[node], last[node]):
                paid[node] += prices[i]
                least[node] = min(least[node], prices[i] / weights[i])
                most[node] = max(most[node], prices[i] / weights[i])
            continue
        for half in halves[node]:
            paid[node] += paid[half]
            least[node] = min(least[node], least[half])
            most[node] = max(most[node], most[half])
    return paid, least, most


@inlined_kernel
def reach(low: Floats, high: Floats, node: int, place: Floats) -> tuple[float, float]:
    """Return the squares of the least and the greatest distance of a place from the box of a node."""
    near = far = 0.0
    for c in range(place.size):
        outside = max(place[c] - high[node, c], low[node, c] - place[c], 0.0)
        inside = max(place[c] - low[node, c], high[node, c] - place[c])
        near += outside * outside
        far += inside * inside
    return near, far


@inlined_kernel
def weigh_point(
    means: Floats, weights: Floats, prices: Floats, i: int, low: Floats, high: Floats, toll: Toll, taken: Floats,
    rim: Floats,
) -> bool:  # fmt: skip
    """Add what a super-point earns in a box to what is taken, or to the rim; tell whether it is on the rim."""
    weight, price = weights[i], prices[i]
    near = far = square = 0.0
    for c in range(low.size):
        below, beyond = low[c] - means[i, c], means[i, c] - high[c]  # each rounded but once
        outside, inside = max(below, beyond), max(-below, -beyond)
        if outside > 0.0:
            near += outside * outside
        far += inside * inside
        square += means[i, c] * means[i, c]
    most, least = price - weight * near, price - weight * far
    if most <= toll[0] * weight:
        return False
    if least >= toll[2] * weight:
        for c in range(low.size):
            taken[c] += weight * means[i, c]
        taken[low.size] += weight
        taken[low.size + 1] += price - weight * square
        return False
    most, least, price = most - toll[1] * weight, least - toll[1] * weight, price - toll[1] * weight
    if most > 0.0:
        share = most / (most - min(least, 0.0))
        for c in range(low.size):
            rim[c] += share * weight * means[i, c]
        rim[low.size] += share * weight
        rim[low.size + 1] += share * (price - weight * square - min(least, 0.0))
        if least < 0.0 < toll[2]:
            rim[low.size + 2] += weight * weight / (most - least)
            rim[low.size + 3] = min(rim[low.size + 3], toll[1] + least / weight)
            rim[low.size + 4] = max(rim[low.size + 4], toll[1] + most / weight)
            rim[low.size + 5] += share * weight
            rim[low.size + 6] += weight
    return True


def marks_of(tree: PointTree, rng: np.random.Generator) -> Marks:
    """Return sums of random numbers before each super-point, shape (s + 1,), by which sets are known again."""
    drawn = rng.integers(1, 2**63, tree.size, np.uint64)
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(drawn, dtype=np.uint64)])
