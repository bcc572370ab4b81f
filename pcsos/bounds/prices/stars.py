"""Stars: what a node of a tree decides about super-points, as its boxes count it.

Must-links make groups, which a cluster takes as a whole or not at all; cannot-links put one group, the centre of a
star, against others, its leaves: a cluster takes the centre or some of the leaves. Stars share no group. What a
cluster earns of one is ``max(v, sum of max(v_l, 0), 0)`` with the worths v of the centre and v_l of the leaves. More
may be decided than stars can hold: whatever is left out, a cluster earns at least as much.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from pcsos.problem.conditions.pairs import connected_components
from pcsos.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class Stars:
    """Groups of super-points in stars.

    Parameters
    ----------
    members, group_first : ndarray of int, shapes (m,), (g + 1,)
        Super-points group i holds those from ``group_first[i]`` to ``group_first[i + 1]``.
    star_first : ndarray of int, shape (t + 1,)
        Star j has the groups from ``star_first[j]`` to ``star_first[j + 1]``, of which the first is the centre.
    means, weights, inner : ndarray, shapes (g, d), (g,), (g,)
        Mean and weight of each group, and what it costs inside.
    """

    members: Indices
    group_first: Indices
    star_first: Indices
    means: Floats
    weights: Floats
    inner: Floats

    @classmethod
    def of(cls, all_means: Floats, all_weights: Floats, stars: list[list[Indices]]) -> Self:
        """Return stars of these groups of super-points, listed with the centre of each star first."""
        groups = [np.asarray(group, np.intp) for star in stars for group in star]
        ends = np.cumsum([0, *map(len, groups)])
        members = np.concatenate([np.empty(0, np.intp), *groups])
        own = all_weights[members]
        owner = np.repeat(np.arange(len(groups)), np.diff(ends))
        weights = np.asarray(np.bincount(owner, own, len(groups)), np.float64)
        moments = [np.bincount(owner, own * column, len(groups)) for column in all_means[members].T]
        means = np.column_stack(moments) / weights[:, None]
        squares = ((all_means[members] - means[owner]) ** 2).sum(axis=1)
        inner = np.asarray(np.bincount(owner, own * squares, len(groups)), np.float64)
        star_first = np.cumsum([0, *map(len, stars)])
        return cls(members, ends.astype(np.intp), star_first.astype(np.intp), means, weights, inner)

    @property
    def size(self) -> int:
        """Number of stars."""
        return self.star_first.size - 1

    @property
    def first_members(self) -> list[list[int]]:
        """The first super-point of each group of each star."""
        first = self.members[self.group_first[:-1]].tolist()
        return [first[begin:end] for begin, end in pairwise(self.star_first.tolist())]

    def prices(self, prices: Floats) -> Floats:
        """Return what the groups pay beyond what they cost inside, given what all super-points pay."""
        owner = np.repeat(np.arange(self.inner.size), np.diff(self.group_first))
        return np.asarray(np.bincount(owner, prices[self.members], self.inner.size) - self.inner)


def stars_of(means: Floats, weights: Floats, must_link: Indices, cannot_link: Indices) -> Stars:
    """Return the groups that must-links make, in stars of cannot-links: those that are listed first are held first.

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
    groups = [touched[name == group] for group in range(int(name.max(initial=-1)) + 1)]
    star_of: dict[int, list[int]] = {}
    for one, other in name[pairs[len(must_link) :]].tolist():
        _hold(star_of, one, other)
    alone = [[group] for group, points in enumerate(groups) if group not in star_of and points.size > 1]
    stars = [*{id(star): star for star in star_of.values()}.values(), *alone]
    return Stars.of(means, weights, [[groups[group] for group in star] for star in stars])


def _hold(star_of: dict[int, list[int]], one: int, other: int) -> None:
    """Put one group against another in a star, if there is still room for that."""
    for centre, leaf in ((one, other), (other, one)):
        if leaf in star_of:
            continue
        star = star_of.setdefault(centre, [centre])
        if len(star) == 2 and star[1] == centre:
            star.reverse()
        if star[0] == centre:
            star.append(leaf)
            star_of[leaf] = star
            return
