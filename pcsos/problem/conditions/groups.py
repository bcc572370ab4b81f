"""Groups: how many points of each group, as labels of the points make them, a cluster may hold (fair clustering)."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Self, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Condition, Limit, Place, Rows, Spelling
from pcsos.problem.validation.cluster_names import labels_of_points
from pcsos.problem.validation.names import refuse_other_index
from pcsos.problem.validation.texts import number_each

#: Groups that are named to people, at most.
MOST_NAMED = 8

#: How a number for every group, or one for each of some groups, is typed.
NUMBER_EACH = "N|G=N,..."

#: Numbers of points by groups.
Numbers = int | Mapping[Any, int] | Sequence[tuple[Any, int]]
Named = tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class Groups(Condition):
    """How many points of each group every cluster must hold.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The group of each point, a number or a name. What reads the same is one group: 1, 1.0 and "1".
    at_least, at_most : int, or mapping from groups to int, optional
        Least and greatest number of points of each of the groups in a cluster, or of those groups that are named.

    Raises
    ------
    InputError
        If numbers of points are given, but no groups.

    Examples
    --------
    >>> import pcsos
    >>> groups = ["a", "b", "a", "b"]
    >>> pcsos.solve([0.0, 1.0, 8.0, 9.0], 2, conditions=[pcsos.Groups(groups, at_most=1)]).labels.tolist()
    [0, 0, 1, 1]
    >>> pcsos.solve([0.0, 8.0, 1.0, 9.0], 2, conditions=[pcsos.Groups(groups, at_least={"b": 1})]).labels.tolist()
    [0, 0, 0, 1]
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "labels": Spelling("groups", "the group of each point, one label per line", file_of="group"),
        "at_least": Spelling(
            "group_min", "minimum number of points of each group in a cluster", number_each, NUMBER_EACH
        ),
        "at_most": Spelling(
            "group_max", "maximum number of points of each group in a cluster", number_each, NUMBER_EACH
        ),
    }

    labels: ArrayLike | None = None
    at_least: Numbers | None = None
    at_most: Numbers | None = None

    def __post_init__(self) -> None:
        for name, value in (("group_min", self.at_least), ("group_max", self.at_most)):
            if value is not None and self.labels is None:
                raise InputError(f"{name} is given without groups; give the group of each point as groups, too")

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the limits of those groups of which something is asked."""
        if self.labels is None:
            return
        refuse_other_index(place.table, self.labels, "groups")
        groups = tuple(map(_text, _checked(self.labels, place.n_points)))
        held = Counter(groups)
        least, most = _numbers(self.at_least, "group_min", held), _numbers(self.at_most, "group_max", held)
        for name in least.keys() & most.keys():
            if least[name] > most[name]:
                raise InputError(
                    f"group_min of group {quoted(name)} is {least[name]}, more than group_max = {most[name]}; exchange "
                    "or correct them"
                )
        lows = tuple((name, number) for name, number in sorted(least.items()) if number > 0)
        highs = tuple((name, number) for name, number in sorted(most.items()) if number < held[name])
        if lows or highs:
            yield GroupLimits(groups, lows, highs)

    def of_rows(self, rows: Rows) -> Self:
        """Return the same for the groups of some rows."""
        return self if self.labels is None else replace(self, labels=rows.among(self.labels, "groups", _checked))


@dataclass(frozen=True)
class GroupLimits(Limit):
    """What every cluster must hold of each group."""

    groups: tuple[str, ...] = ()  #: length n: the group of each point; none where no group is limited
    #: least and greatest number of points of a group in a cluster, by groups, which are sorted
    group_min: Named = ()
    group_max: Named = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are by their names: labels, and lists of groups and numbers."""
        if not self.groups:
            return {}
        named = {"group_min": self.group_min, "group_max": self.group_max}
        return {"groups": list(self.groups)} | {name: [*map(list, own)] for name, own in named.items() if own}

    def shown(self) -> dict[str, str]:
        """Return the limits that there are by their names, for people: a few groups, and how many points they have."""
        named = {"group_min": self.group_min, "group_max": self.group_max}
        return {name: _listed(self._shown(*pair) for pair in own) for name, own in named.items() if own}

    def _shown(self, name: str, number: int) -> str:
        return f"{number} of the {self._points[name].size} of group {quoted(name)}"

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points fill k such clusters, None where they may."""
        k = n_clusters
        for name, number in self.group_min:
            held, most = self._points[name].size, self._points[name].size // k
            if k * number > held:
                what = f"{k} clusters of group_min = {number} for group {quoted(name)}"
                return f"{what} need {k * number} points of it, but there are {held}; give at most {most}"
        for name, number in self.group_max:
            held, least = self._points[name].size, -(-self._points[name].size // k)
            if k * number < held:
                what = f"{k} clusters of group_max = {number} for group {quoted(name)}"
                return f"{what} hold {k * number} points of it, but there are {held}; give at least {least}"
        return None

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        k = int(labels.max()) + 1
        for limit, side, named in (("group_min", "less", self.group_min), ("group_max", "more", self.group_max)):
            for name, number in named:
                held = np.bincount(labels[self._points[name]], minlength=k)
                broken = held < number if side == "less" else held > number
                if broken.any():
                    cluster = int(np.argmax(broken))
                    what = f"cluster {cluster} has {held[cluster]} points of group {quoted(name)}"
                    return f"{what}, {side} than {limit} = {number}"
        return None

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster.

        It has the least number of points of each group, and all others but those beyond the greatest number.
        """
        if not self.groups:
            return 0.0, math.inf
        ordered = {name: np.sort(weights[own]).tolist() for name, own in self._points.items()}
        needed = (ordered[name][:number] for name, number in self.group_min)
        beyond = (ordered[name][: len(ordered[name]) - number] for name, number in self.group_max)
        kept = chain(weights.tolist(), (-weight for weight in chain.from_iterable(beyond)))
        return math.fsum(chain.from_iterable(needed)), math.fsum(kept)

    def size_range(self, n: int) -> tuple[float, float]:
        """Return bounds on the number of points of every cluster."""
        low, high = self.weight_range(np.ones(n))
        return max(low, 1.0), min(high, float(n))

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the number of points of each group that is limited."""
        least, most = dict(self.group_min), dict(self.group_max)
        for name, own in self._points.items():
            counts = np.bincount(component[own], minlength=weights.size).astype(np.float64)
            yield Capacity(counts, least.get(name, 0), most.get(name, math.inf), f"of group {quoted(name)}")

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return len(self.group_min) > 0

    @cached_property
    def _points(self) -> dict[str, Indices]:
        """The points of each group that is limited."""
        found: dict[str, list[int]] = {name: [] for name, _ in (*self.group_min, *self.group_max)}
        for point, name in enumerate(self.groups):
            if name in found:
                found[name].append(point)
        return {name: np.array(own, np.intp) for name, own in found.items()}


def _checked(labels: ArrayLike, n_points: int) -> list[Any]:
    """Return the group of each point."""
    return labels_of_points(labels, "groups", n_points, "group")


def _text(label: Any) -> str:
    """Return what a group is called: whole numbers without decimals."""
    plain = label.item() if isinstance(label, np.generic) else label
    return str(int(plain)) if isinstance(plain, float) and plain.is_integer() else str(plain)


def _numbers(given: object, name: str, held: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of points that a limit names, by groups."""
    remedy = "give a whole number of points of at least 0, or such a number for each of some groups"
    if given is None:
        return {}
    if _is_number(given):
        return {group: int(given) for group in held}
    rows = list(given.items()) if hasattr(given, "items") else given
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) and len(row) == 2 for row in rows):
        raise InputError(f"{name} is {given!r:.60}; {remedy}")
    numbers: dict[str, int] = {}
    for label, number in rows:
        group = _text(label)
        if group not in held:
            known = _listed(map(quoted, sorted(held)))
            raise InputError(f"{name} names the group {quoted(group)}, but the groups are {known}; correct the name")
        if group in numbers:
            raise InputError(f"{name} names the group {quoted(group)} twice; leave one of them out")
        if not _is_number(number):
            raise InputError(f"{name} of group {quoted(group)} is {number!r:.60}; {remedy}")
        numbers[group] = int(number)
    return numbers


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 0)


def _listed(words: Iterator[str]) -> str:
    """Return the first few words after one another, and how many more there are."""
    every = list(words)
    more = [f"and {len(every) - MOST_NAMED} more"] if len(every) > MOST_NAMED else []
    return ", ".join([*every[:MOST_NAMED], *more])
