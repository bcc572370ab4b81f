"""Side information: must-links contracted or not, cannot-links lifted, and known labels checked against both."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Indices
from pcsos.estimators.samples import UNKNOWN
from pcsos.problem.conditions.pairs import Constraints, unique_pairs
from pcsos.problem.reduction import must_link_path, refuse_contradictions

#: Says how messages call a point.
Name = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class SideInformation:
    """What is known about the points, in terms of super-points."""

    group: Indices  #: shape (n,): super-point of each point: points that must-links connect
    labels: Indices  #: shape (s,): class of each super-point, a position in ``classes``, and -1 where it is not known
    classes: Indices  #: shape (k,): the known labels as the user calls them, in increasing order
    cannot_link: Indices  #: shape (c, 2): pairs of super-points, the smaller one first, sorted, without duplicates
    #: shape (m, 2): pairs of super-points that belong together, in the same way; none where must-links have been
    #: contracted
    must_link: Indices

    @classmethod
    def of(
        cls, constraints: Constraints, classes: Indices, name: Name = str, *, is_contracted: bool = True
    ) -> "SideInformation":
        """Return what pairs and known labels of the points, shape (n,) with -1 for unknown, say of super-points.

        If must-links are contracted, points that they connect are one super-point; or else each point is one.

        Raises
        ------
        InfeasibleError
            If they contradict each other; the message names the chain of points.
        """
        refuse_contradictions(constraints, name)
        _refuse_joined_labels(constraints, classes, name)
        _refuse_separated_labels(constraints, classes, name)
        names = np.unique(classes[classes != UNKNOWN])
        group = constraints.groups if is_contracted else np.arange(classes.size)
        seeds = np.flatnonzero(classes != UNKNOWN)
        labels = np.full(int(group.max()) + 1, -1)
        labels[group[seeds]] = np.searchsorted(names, classes[seeds])
        must_link = constraints.must_link[:0] if is_contracted else constraints.must_link
        return cls(group, labels, names, unique_pairs(group[constraints.cannot_link]), must_link)

    @property
    def size(self) -> int:
        """Number of super-points s."""
        return self.labels.size


def labels_of_parts(part: Indices, labels: Indices) -> Indices:
    """Return the label of each part, given those of its super-points, of which none has two; -1 where none has one."""
    result = np.full(int(part.max()) + 1, -1)
    np.maximum.at(result, part, labels)
    return result


def _refuse_joined_labels(constraints: Constraints, classes: Indices, name: Name) -> None:
    """Refuse must-links that connect points of different labels."""
    seeds = np.flatnonzero(classes != UNKNOWN)
    seeds = seeds[np.argsort(constraints.groups[seeds], kind="stable")]
    one, other = seeds[:-1], seeds[1:]
    groups = constraints.groups
    is_joined = (groups[one] == groups[other]) & (classes[one] != classes[other])
    if is_joined.any():
        at = int(np.argmax(is_joined))
        i, j = int(one[at]), int(other[at])
        path = must_link_path(constraints, i, j)
        raise InfeasibleError(
            f"points {name(i)} and {name(j)} have the labels {classes[i]} and {classes[j]}, but must-links connect "
            f"them: {' - '.join(map(name, path))}",
            {"kind": "labels", "points": [i, j], "must_link_path": path},
        )


def _refuse_separated_labels(constraints: Constraints, classes: Indices, name: Name) -> None:
    """Refuse cannot-links between super-points of the same label."""
    groups = constraints.groups
    seed = np.full(int(groups.max(initial=-1)) + 1, -1)
    known = np.flatnonzero(classes != UNKNOWN)[::-1]
    seed[groups[known]] = known
    seeds = seed[groups[constraints.cannot_link]]
    is_wrong = (seeds >= 0).all(axis=1) & (classes[seeds[:, 0]] == classes[seeds[:, 1]])
    if is_wrong.any():
        at = int(np.argmax(is_wrong))
        (a, b), (i, j) = (tuple(map(int, row)) for row in (seeds[at], constraints.cannot_link[at]))
        paths = [must_link_path(constraints, a, i), must_link_path(constraints, j, b)]
        left, right = (" - ".join(map(name, path)) for path in paths)
        raise InfeasibleError(
            f"points {name(a)} and {name(b)} have the label {classes[a]} both, but a cannot-link keeps them apart: "
            f"{left} | {right}",
            {"kind": "labels", "points": [a, b], "cannot_link": [i, j], "must_link_paths": paths},
        )
