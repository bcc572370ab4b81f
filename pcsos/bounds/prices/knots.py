"""Knots: what a node of a tree decides about super-points, as its boxes count it.

Must-links make groups, which a cluster takes as a whole or not at all. Groups that cannot-links tie together are a
knot: of each a cluster takes groups that no cannot-link ties, and earns at most the greatest of ``sum of max(v_g, 0)``
over its maximal independent sets, with v_g the worth of a group. Knots share no group, and are kept small; a
cannot-link that would make one too large is left out: without it a cluster earns at least as much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.pairs import connected_components
from pcsos.problem.reduction import Reduced

#: Groups of a knot, and its maximal independent sets, at most.
MOST_GROUPS, MOST_CHOICES = 12, 16


@dataclass(frozen=True, eq=False)
class Knots:
    """Groups of super-points in knots."""

    #: shapes (m,), (g + 1,): super-points; group i holds those from ``group_first[i]`` to ``group_first[i + 1]``
    members: Indices
    group_first: Indices
    #: shape (t + 1,): knot j has the groups from ``knot_first[j]`` to ``knot_first[j + 1]``, and the choices likewise
    knot_first: Indices
    choice_first: Indices
    choices: Indices  #: shape (c,): maximal independent sets: bit i stands for group i of the knot
    #: shapes (g, d), (g,), (g,): mean and weight of each group, and what it costs inside
    means: Floats
    weights: Floats
    inner: Floats
    num_held: int  #: number of cannot-links that count

    @classmethod
    def of(
        cls, all_means: Floats, all_weights: Floats, knots: Sequence[Sequence[Indices]], choices: Sequence[list[int]],
        num_held: int = 0,
    ) -> Self:  # fmt: skip
        """Return knots of these groups of super-points, with the choices of each."""
        groups = [np.asarray(group, np.intp) for knot in knots for group in knot]
        ends = np.cumsum([0, *map(len, groups)])
        members = np.concatenate([np.empty(0, np.intp), *groups])
        own = all_weights[members]
        owner = np.repeat(np.arange(len(groups)), np.diff(ends))
        weights = np.asarray(np.bincount(owner, own, len(groups)), np.float64)
        moments = [np.bincount(owner, own * column, len(groups)) for column in all_means[members].T]
        means = np.column_stack(moments) / weights[:, None]
        squares = ((all_means[members] - means[owner]) ** 2).sum(axis=1)
        inner = np.asarray(np.bincount(owner, own * squares, len(groups)), np.float64)
        first, first_choice = (np.cumsum([0, *map(len, listed)]).astype(np.intp) for listed in (knots, choices))
        bits = np.array([choice for own in choices for choice in own], np.intp)
        return cls(members, ends.astype(np.intp), first, first_choice, bits, means, weights, inner, num_held)

    @property
    def first_members(self) -> list[list[int]]:
        """The first super-point of each group of each knot."""
        first = self.members[self.group_first[:-1]].tolist()
        return [first[begin:end] for begin, end in pairwise(self.knot_first.tolist())]

    def prices(self, prices: Floats) -> Floats:
        """Return what the groups pay beyond what they cost inside, given what all super-points pay."""
        owner = np.repeat(np.arange(self.inner.size), np.diff(self.group_first))
        return np.asarray(np.bincount(owner, prices[self.members], self.inner.size) - self.inner)


def knots_of(means: Floats, weights: Floats, must_link: Indices, cannot_link: Indices) -> Knots:
    """Return the groups that must-links make, in the knots that cannot-links make, of which the first count first.

    Parameters
    ----------
    means, weights : ndarray, shapes (s, d), (s,)
        The super-points.
    must_link, cannot_link : ndarray of int, shape (m, 2)
        Pairs of them, which do not contradict each other.
    """
    touched, position = np.unique(np.concatenate([must_link, cannot_link]).ravel(), return_inverse=True)
    pairs = position.reshape(-1, 2)
    name = connected_components(touched.size, pairs[: len(must_link)])
    edges = name[pairs[len(must_link) :]].tolist()
    groups = [touched[name == group] for group in range(int(name.max(initial=-1)) + 1)]
    knot_of = {group: [group] for group in range(len(groups))}
    around: dict[int, set[int]] = {group: set() for group in knot_of}
    for one, other in edges:
        _tie(knot_of, around, one, other)
    listed = list({id(knot): knot for knot in knot_of.values()}.values())
    knots = [knot for knot in listed if len(knot) > 1 or groups[knot[0]].size > 1]
    choices = [independent_sets(_masks(knot, around)) for knot in knots]
    num_held = sum(other in around[one] for one, other in edges)
    return Knots.of(means, weights, [[groups[group] for group in knot] for knot in knots], choices, num_held)


def costs_inside(reduced: Reduced, group: Indices) -> Floats:
    """Return what groups of super-points cost inside beyond what these do, shape (g,), given that of each of them."""
    weights = np.bincount(group, reduced.weights)
    means = np.column_stack([np.bincount(group, reduced.weights * column) for column in reduced.means.T])
    away = reduced.means - (means / weights[:, None])[group]
    inside = reduced.weights * (away**2).sum(axis=1) * (np.bincount(group)[group] > 1)
    return np.asarray(np.bincount(group, inside), np.float64)


def _tie(knot_of: dict[int, list[int]], around: dict[int, set[int]], one: int, other: int) -> None:
    """Add a cannot-link, if the knot that it makes is not too large."""
    first, second = knot_of[one], knot_of[other]
    knot = first if first is second else first + second
    around[one].add(other)
    around[other].add(one)
    if len(knot) > MOST_GROUPS or len(independent_sets(_masks(knot, around))) > MOST_CHOICES:
        around[one].remove(other)
        around[other].remove(one)
        return
    for group in knot:
        knot_of[group] = knot


def _masks(knot: list[int], around: dict[int, set[int]]) -> list[int]:
    """Return for each group of a knot those that it is tied to, as bits."""
    return [sum(1 << position for position, other in enumerate(knot) if other in around[group]) for group in knot]


def independent_sets(around: Sequence[int]) -> list[int]:
    """Return the maximal independent sets of a graph, as bits, given its neighbourhoods (Bron and Kerbosch 1973)."""
    near = [1 << at | own for at, own in enumerate(around)]

    def grown(chosen: int, left: int, barred: int) -> Iterable[int]:
        if not left and not barred:
            yield chosen
            return
        # Of each of those left or barred, it or a neighbour has to be chosen: the one with the fewest is tried.
        tried = min((near[at] & left for at in range(len(near)) if (left | barred) >> at & 1), key=int.bit_count)
        for at in range(len(near)):
            if tried >> at & 1:
                yield from grown(chosen | 1 << at, left & ~near[at], barred & ~near[at])
                left, barred = left & ~(1 << at), barred | 1 << at

    return list(grown(0, (1 << len(around)) - 1, 0))
