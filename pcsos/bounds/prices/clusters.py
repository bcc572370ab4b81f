"""Clusters: those that prices are measured against, each with what it costs; the best are found by hill climbing.

A cluster is listed as stretches of the tree's order: whoever is taken as a node, or beside others, is one number.
"""

from copy import copy
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.threads import in_shares
from pcsos.base.numerics.kernels import copy_to, inlined_kernel, inner_kernel, integer, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.knot_profit import choice_of_knot
from pcsos.bounds.prices.tree import PointTree, Priced, Toll, marks_of, reach

#: Stretches that all clusters together may list.
MOST_STRETCHES = 30_000_000
#: Share of a cluster that others may have taken before it.
OVERLAP = 0.5
#: Share of its capacity that a cluster may leave free beside rounding.
LEAST_ROOM = 1e-9
#: Where the best toll of a place is looked for, the first step goes such a share of the way.
FIRST_STEP = 0.03
#: Steps of a climb at most, climbs of a share of a thread at least, and climbs between two questions whether to stop.
MOST_STEPS, LEAST_CLIMBS, CLIMBS = 100, 8, 64


class Clusters:
    """A pool of clusters of super-points.

    Parameters
    ----------
    tree : PointTree
        The super-points.
    rng : Generator
        What makes clusters known again.
    """

    def __init__(self, tree: PointTree, rng: np.random.Generator) -> None:
        self.tree = tree
        self._marks = marks_of(tree, rng)
        self._known: set[int] = set()
        self.stretches: list[Indices] = []  #: of each, shape (r, 2): its super-points, in the order of the tree
        self.parts: list[tuple[int, float]] = []  #: a stretch of each of which only a share is taken, and the share
        self.centres: list[Floats] = []
        self.costs: list[float] = []
        self.idle: list[int] = []  #: rounds since it last mattered

    def __len__(self) -> int:
        return len(self.stretches)

    def add(self, stretches: Indices, part: tuple[int, float] = (0, 1.0)) -> bool:
        """Add a cluster unless it is there; tell whether it was not."""
        mark = self._mark(stretches)
        if stretches.size == 0 or mark in self._known:
            return False
        centre, cost = _centre_and_cost(self.tree.means, self.tree.weights, stretches, *part)
        self._known.add(mark)
        self.stretches.append(stretches)
        self.parts.append(part)
        self.centres.append(centre)
        self.costs.append(cost)
        self.idle.append(0)
        return True

    def add_taken(self, priced: Priced, place: Floats) -> bool:
        """Add what a cluster takes at a place, with the part of one more super-point that fills it."""
        stretches = taken(priced, place)
        if not priced.is_limited:
            return self.add(stretches)
        inside = np.concatenate([np.arange(*own) for own in stretches] or [stretches.ravel()])
        room = priced.capacity - float(priced.weights[inside].sum())
        if room <= LEAST_ROOM * priced.capacity:
            return self.add(stretches)
        worth = priced.prices / priced.weights - ((priced.means - place) ** 2).sum(axis=1)
        worth[inside] = 0.0
        last = int(np.argmax(worth))
        if worth[last] <= 0.0:
            return self.add(stretches)
        row, share = int(np.searchsorted(stretches[:, 0], last)), min(room / float(priced.weights[last]), 1.0)
        return self.add(np.insert(stretches, row, (last, last + 1), axis=0), (row, share))

    @property
    def shares(self) -> Floats:
        """How much is taken of each stretch, of all clusters one after the other."""
        sizes = np.array([len(stretches) for stretches in self.stretches])
        shares = np.ones(sizes.sum())
        for begin, (row, share) in zip(np.cumsum(sizes) - sizes, self.parts, strict=True):
            shares[begin + row] = share
        return shares

    def climb(self, priced: Priced, places: Floats, least: float, stop: Stop = NEVER) -> tuple[Floats, Floats]:
        """Return where clusters that start at these places end, and what they earn; only those of the first if stopped.

        Each goes to the mean of what it takes, while that gains more than ``least``.
        """
        found = _climbed(priced, places, least, stop)
        ends, earned = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((*ends.T, -earned))
        is_other = np.ones(len(order), np.bool_)
        is_other[1:] = (ends[order[1:]] != ends[order[:-1]]).any(axis=1)
        return ends[order[is_other]], earned[order[is_other]]

    def agreeing(self, must_link: Indices, cannot_link: Indices) -> "Clusters":
        """Return the pool of those that keep these pairs of super-points, shape (m, 2), together or apart."""
        pool, pairs, kept = copy(self), np.concatenate([must_link, cannot_link]), []
        for position, stretches in enumerate(self.stretches):
            number = holds(stretches, pairs.ravel()).reshape(-1, 2).sum(axis=1)
            if (number[: len(must_link)] != 1).all() and (number[len(must_link) :] != 2).all():
                kept.append(position)
        pool._keep(kept)
        return pool

    def rounded(self, shares: Floats, k: int) -> Floats:
        """Return centres of k clusters at most, those with the largest shares first that overlap little."""
        covered = np.zeros(self.tree.size, np.bool_)
        centres: list[Floats] = []
        for position in np.argsort(-shares, kind="stable"):
            if len(centres) == k:
                break
            if _cover(covered, self.stretches[position], OVERLAP):
                centres.append(self.centres[position])
        return np.array(centres)

    def missed(self, shares: Floats) -> Floats:
        """Return how far each super-point is from being taken once in all, by so much of each cluster."""
        changes = np.zeros(self.tree.size + 1)
        stretches = np.concatenate(self.stretches)
        own = np.repeat(shares, list(map(len, self.stretches))) * self.shares
        np.add.at(changes, stretches[:, 0], own)
        np.subtract.at(changes, stretches[:, 1], own)
        return np.asarray(np.abs(np.cumsum(changes[:-1]) - 1.0))

    def forget(self, rounds: int) -> None:
        """Forget clusters that have not mattered for so many rounds, sooner where there are too many."""
        while True:
            kept = [position for position, idle in enumerate(self.idle) if idle <= rounds]
            if not kept:
                return
            self._keep(kept)
            if rounds == 0 or sum(map(len, self.stretches)) <= MOST_STRETCHES:
                return
            rounds //= 2

    def _keep(self, kept: list[int]) -> None:
        for name in ("stretches", "parts", "centres", "costs", "idle"):
            listed = getattr(self, name)
            setattr(self, name, [listed[position] for position in kept])
        self._known = {self._mark(stretches) for stretches in self.stretches}

    def _mark(self, stretches: Indices) -> int:
        return int((self._marks[stretches[:, 1]] - self._marks[stretches[:, 0]]).sum(dtype=np.uint64))


def holds(stretches: Indices, members: Indices) -> NDArray[np.bool_]:
    """Tell which of some super-points are in a cluster, whose stretches increase."""
    row = np.searchsorted(stretches[:, 0], members, side="right") - 1
    return np.asarray((row >= 0) & (members < stretches[row, 1]))


def stretches_of(members: Indices) -> Indices:
    """Return increasing numbers as stretches, shape (r, 2): each from its first on, to before its last."""
    breaks = np.flatnonzero(np.diff(members) != 1)
    firsts = members[np.concatenate([[0], breaks + 1])] if members.size else members
    lasts = members[np.concatenate([breaks, [members.size - 1]])] + 1 if members.size else members
    return np.column_stack([firsts, lasts]).astype(np.intp)


def taken(priced: Priced, place: Floats) -> Indices:
    """Return the super-points that a cluster takes at a place, as stretches."""
    toll = _toll_at(priced, priced.roots, place) if priced.is_limited else 0.0
    stretches, groups = _taken_of_nodes(priced, place, toll), _taken_of_knots(priced, place)
    if groups.size == 0:
        return stretches
    ends = priced.group_first
    own = np.concatenate([priced.members[ends[group] : ends[group + 1]] for group in groups])
    stretches = np.concatenate([stretches, np.column_stack([own, own + 1])])
    stretches = stretches[np.argsort(stretches[:, 0])]
    is_new = np.append(True, stretches[1:, 0] > stretches[:-1, 1])
    is_last = np.append(is_new[1:], True)
    return np.column_stack([stretches[is_new, 0], stretches[is_last, 1]])


@kernel
def _taken_of_knots(priced: Priced, place: Floats) -> Indices:
    """Return the groups of knots that a cluster takes at a place."""
    groups, count = np.empty(priced.group_weights.size, np.intp), 0
    for knot in range(priced.knot_first.size - 1):
        first, choice = priced.knot_first[knot], choice_of_knot(priced, knot, place)
        for group in range(first, priced.knot_first[knot + 1]):
            if (choice >> (group - first)) & 1:
                groups[count] = group
                count += 1
    return groups[:count].copy()


@kernel
def _taken_of_nodes(priced: Priced, place: Floats, toll: float) -> Indices:
    """Return the super-points outside of knots that a cluster takes at a place, as stretches."""
    stretches, count, d = np.empty((256, 2), np.intp), integer(0), place.size
    waiting, top = np.empty(priced.depth + 2, np.int64), 1
    waiting[0] = 0
    while top > 0:
        top -= 1
        node = waiting[top]
        near, far = reach(priced.low, priced.high, node, place)
        if priced.most[node] - near <= toll:
            continue
        if priced.least[node] - far > toll:
            stretches, count = _joined(stretches, count, priced.first[node], priced.last[node])
        elif priced.halves[node, 0] > 0:  # the earlier half is taken up first
            waiting[top], waiting[top + 1] = priced.halves[node, 1], priced.halves[node, 0]
            top += 2
        else:
            for i in range(priced.first[node], priced.last[node]):
                square = 0.0
                for c in range(d):
                    square += (priced.means[i, c] - place[c]) * (priced.means[i, c] - place[c])
                if priced.prices[i] - priced.weights[i] * square > toll * priced.weights[i]:
                    stretches, count = _joined(stretches, count, i, i + 1)
    return stretches[:count].copy()


@inner_kernel
def _joined(stretches: Indices, count: int, begin: int, end: int) -> tuple[Indices, int]:
    """Return so many stretches with one behind them, and how many there are then."""
    if count > 0 and stretches[count - 1, 1] == begin:
        stretches[count - 1, 1] = end
        return stretches, count
    if count == len(stretches):
        longer = np.empty((2 * count, 2), np.intp)
        for at in range(count):
            longer[at, 0], longer[at, 1] = stretches[at, 0], stretches[at, 1]
        stretches = longer
    stretches[count, 0], stretches[count, 1] = begin, end
    return stretches, count + 1


@inlined_kernel
def _earn_point(
    means: Floats, weights: Floats, prices: Floats, i: int, place: Floats, toll: float, sums: Floats
) -> None:
    """Add what a cluster takes at a place of a super-point: all or nothing."""
    near = square = 0.0
    for c in range(place.size):
        near += (means[i, c] - place[c]) * (means[i, c] - place[c])
        square += means[i, c] * means[i, c]
    if prices[i] - weights[i] * near > toll * weights[i]:
        for c in range(place.size):
            sums[c] += weights[i] * means[i, c]
        sums[place.size] += weights[i]
        sums[place.size + 1] += prices[i] - weights[i] * square


@inner_kernel
def earned_at(
    priced: Priced, members: Indices, first: int, last: int, place: Floats, toll: float, waiting: Indices, sums: Floats
) -> None:
    """Add weight times mean, weight, and worth at the origin, of what a cluster takes of some members at a place."""
    d, means, weights, prices, num_nodes = place.size, priced.means, priced.weights, priced.prices, priced.first.size
    for position in range(first, last):
        if members[position] >= num_nodes:
            knot = members[position] - num_nodes
            choice = choice_of_knot(priced, knot, place)
            for group in range(priced.knot_first[knot], priced.knot_first[knot + 1]):
                if (choice >> (group - priced.knot_first[knot])) & 1:
                    _earn_point(priced.group_means, priced.group_weights, priced.group_prices, group, place, 0.0, sums)
            continue
        waiting[0], top = members[position], 1
        while top > 0:
            top -= 1
            node = waiting[top]
            begin, beyond = -node - 1, -node
            if node >= 0:
                near, far = reach(priced.low, priced.high, node, place)
                if priced.most[node] - near <= toll:
                    continue
                if priced.least[node] - far > toll:
                    for c in range(d):
                        sums[c] += priced.moment[node, c]
                    sums[d] += priced.weight[node]
                    sums[d + 1] += priced.paid[node] - priced.square[node]
                    continue
                if priced.halves[node, 0] > 0:
                    waiting[top], waiting[top + 1] = priced.halves[node, 0], priced.halves[node, 1]
                    top += 2
                    continue
                begin, beyond = priced.first[node], priced.last[node]
            for i in range(begin, beyond):
                _earn_point(means, weights, prices, i, place, toll, sums)


@inlined_kernel
def take(
    priced: Priced, members: Indices, first: int, last: int, place: Floats, taken: Floats, toll: Toll, enough: float,
    loss: float, waiting: Indices, sums: Floats,
) -> float:  # fmt: skip
    """Set what a cluster takes at a place, with what its last super-point earns in part; return the toll.

    Beside what is taken in any case. What is earned may be off by a loss, at most so much, unless it is not enough.
    """
    if toll[0] < toll[2]:
        return _take_within(priced, members, first, last, place, taken, toll, enough, loss, waiting, sums)
    copy_to(sums, taken)
    earned_at(priced, members, first, last, place, toll[0], waiting, sums)
    return toll[0]


@inner_kernel
def _take_within(
    priced: Priced, members: Indices, first: int, last: int, place: Floats, taken: Floats, toll: Toll, enough: float,
    loss: float, waiting: Indices, sums: Floats,
) -> float:  # fmt: skip
    """Do the same by bisection, and where the weight that is taken is a line between two tolls.

    With any toll a cluster earns no more than what it takes at that, and the toll of what room is left.
    """
    (below, here, beyond), d, least, most, trial, is_last = toll, place.size, 0.0, 0.0, 0, False
    step = FIRST_STEP * (beyond - below)
    while True:
        trial += 1
        copy_to(sums, taken)
        earned_at(priced, members, first, last, place, here, waiting, sums)
        room = priced.capacity - sums[d]
        if room > 0.0 and here <= toll[0]:
            return here
        if room < 0.0 and here >= toll[2]:
            sums[d + 1] = -np.inf
            return here
        if room < 0.0:
            below, least = here, -room
        else:
            beyond, most = here, room
        is_close = abs(room) * (beyond - below) <= loss or abs(room) <= 1e-9 * sums[d]
        if is_last or is_close or profit_of(sums, place) + here * room <= enough:
            sums[d + 1] += here * room
            return here
        if least > 0.0 and most > 0.0:
            share = 0.5 if trial % 3 == 0 else min(max(least / (least + most), 0.02), 0.98)
            here = below + share * (beyond - below)
            if here <= below or here >= beyond or beyond - below <= 1e-14 * beyond:
                here, is_last = beyond, True
        else:  # towards the end that nothing is known of, in longer and longer steps
            here = max(here - step, toll[0]) if room > 0.0 else min(here + step, toll[2])
            step *= 4.0


@inner_kernel
def profit_of(sums: Floats, place: Floats) -> float:
    """Return the value of a quadratic, given as sums of weight times mean, weight, and worth at the origin."""
    d = place.size
    profit: float = sums[d + 1]
    for c in range(d):
        profit += (2.0 * sums[c] - sums[d] * place[c]) * place[c]
    return profit


def _climbed(priced: Priced, places: Floats, least: float, stop: Stop) -> list[tuple[Floats, Floats]]:
    """Return ends of climbs and what is earned there, in parts."""
    found, roots = [(np.empty((0, places.shape[1])), np.empty(0))], priced.roots
    for begin in range(0, len(places), CLIMBS):
        own = np.ascontiguousarray(places[begin : begin + CLIMBS])
        found += in_shares(partial(_climb_some, priced, roots, own, least), len(own), LEAST_CLIMBS)
        if stop.asked():
            break
    return found


def _climb_some(priced: Priced, roots: Indices, starts: Floats, least: float, share: slice) -> tuple[Floats, Floats]:
    return _climb(priced, roots, starts[share], least)


@kernel
def _climb(priced: Priced, roots: Indices, starts: Floats, least: float) -> tuple[Floats, Floats]:
    """Move each place to the mean of what a cluster takes there, until that gains little; profit never falls."""
    d = starts.shape[1]
    ends, earned = np.empty_like(starts), np.zeros(len(starts))
    waiting, sums, nothing = np.empty(priced.depth + 2, np.int64), np.empty(d + 2), np.zeros(d + 2)
    highest = priced.most[0] if priced.capacity < priced.weight[0] else 0.0
    for start in range(len(starts)):
        place, toll = starts[start].copy(), 0.5 * highest
        for _ in range(MOST_STEPS):
            own = (0.0, toll, highest)
            toll = take(priced, roots, integer(0), roots.size, place, nothing, own, -np.inf, least, waiting, sums)
            profit = profit_of(sums, place)
            if sums[d] == 0.0 or profit <= earned[start]:
                break
            gain = profit - earned[start]
            earned[start] = profit
            copy_to(ends[start], place)
            if gain <= least:
                break
            for c in range(d):
                place[c] = sums[c] / sums[d]
        if earned[start] == 0.0:
            copy_to(ends[start], place)
    return ends, earned


@kernel
def _toll_at(priced: Priced, roots: Indices, place: Floats) -> float:
    """Return the toll at which a cluster keeps its capacity at a place."""
    waiting, sums, nothing = np.empty(priced.depth + 2, np.int64), np.empty(place.size + 2), np.zeros(place.size + 2)
    toll = (0.0, 0.5 * priced.most[0], priced.most[0])
    return take(priced, roots, integer(0), roots.size, place, nothing, toll, -np.inf, 0.0, waiting, sums)


@kernel
def _centre_and_cost(
    means: Floats, weights: Floats, stretches: Indices, part: int, share: float
) -> tuple[Floats, float]:
    """Return the mean of a cluster, and its sum of squares about it, of one stretch with a share of the weight."""
    d = means.shape[1]
    centre, weight, cost = np.zeros(d), 0.0, 0.0
    for row in range(len(stretches)):
        of = share if row == part else 1.0
        for i in range(stretches[row, 0], stretches[row, 1]):
            weight += of * weights[i]
            for c in range(d):
                centre[c] += of * weights[i] * means[i, c]
    for c in range(d):
        centre[c] /= weight
    for row in range(len(stretches)):
        of = share if row == part else 1.0
        for i in range(stretches[row, 0], stretches[row, 1]):
            for c in range(d):
                cost += of * weights[i] * (means[i, c] - centre[c]) * (means[i, c] - centre[c])
    return centre, cost


@kernel
def _cover(covered: NDArray[np.bool_], stretches: Indices, most: float) -> bool:
    """Cover a cluster unless more than a share of it is covered; tell whether it was not."""
    count = size = 0
    for row in range(len(stretches)):
        size += stretches[row, 1] - stretches[row, 0]
        for i in range(stretches[row, 0], stretches[row, 1]):
            count += covered[i]
    if count >= most * size:
        return False
    for row in range(len(stretches)):
        covered[stretches[row, 0] : stretches[row, 1]] = True
    return True
