"""The roles of conditions: what users construct, what it comes to, and how it is spelled outside of Python.

A family of conditions is a class in a file of its own, whose values users construct. For some points each comes to
conditions of three kinds that all others know: pairs that must hold, pairs that may be broken at a penalty, and limits.
A limit says in words what a partition breaks, and what it asks in the two forms that relaxations use and that
heuristics keep to: bounds on the weight of a cluster, and capacities. So no code asks for a family by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.problem.geometry import Geometry
from pcsos.problem.validation.names import Labels, positions, row_labels

#: More than sums of what is measured can be rounded by, relative to the total.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Spelling:
    """How a field of a condition is called outside of Python, and what it may be there."""

    name: str  #: what messages and JSON call it; the option of the command line is written like it, as ``--size-min``
    purpose: str  #: what it means, as the help has it
    #: turns the text that was typed into the value; an InputError says what is wrong with it
    read: Callable[[str], object] = str
    metavar: str = "FILE"  #: what stands for the value in the help
    file_of: str = ""  #: what a file has for each point, where the option names such a file
    has_numbers: bool = False  #: whether that is numbers in columns, and not labels


@dataclass(frozen=True, eq=False)
class Place:
    """Where something is asked: points that are to be divided into clusters."""

    table: Any  #: the points as they were given, with a row for each
    geometry: Geometry  #: the same, validated
    n_clusters: int  #: number of clusters k

    @property
    def n_points(self) -> int:
        """Number of points n."""
        return len(self.geometry.points)

    @cached_property
    def labels(self) -> Labels | None:
        """What the rows are called in pairs, if not by their positions."""
        return row_labels(self.table)

    def positions(self, pairs: Pairs, name: str) -> Pairs:
        """Return pairs of rows by their positions."""
        return pairs if self.labels is None else positions(pairs, self.labels, name)


class Rows(Protocol):
    """Some of the rows of a table, of which conditions may name others, too."""

    def pairs(self, rows: Sequence[tuple[Any, ...]], name: str) -> Sequence[tuple[Any, ...]]:
        """Return those that begin with two of the rows, by positions among these."""

    def among(self, values: ArrayLike, name: str, read: Callable[[Any, int], Any]) -> list[Any]:
        """Return what is read for the rows, given what stands for those of the whole table, and how many these are."""


class Condition(ABC):
    """What is asked of a partition: a value that knows no points yet."""

    #: How its fields are spelled.
    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {}

    @abstractmethod
    def asks(self, place: Place) -> Iterator["Condition"]:
        """Yield what it comes to there, as conditions of the three kinds.

        Raises
        ------
        InputError
            If it cannot be asked of these points and so many clusters.
        """

    def of_rows(self, rows: Rows) -> Self:
        """Return what it asks of some rows of a table only; a condition that names no points asks the same."""
        return self


class Final(Condition):
    """One of the three kinds, which come to themselves."""

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the condition itself."""
        yield self


@dataclass(frozen=True, eq=False)
class Capacity:
    """What a cluster holds at least and at most of something that each super-point brings."""

    amounts: Floats  #: shape (s,): what each super-point brings; not negative
    #: bounds of what a cluster holds, 0 and infinity where there is none
    least: float
    most: float
    unit: str = "points"  #: what it is, in the plural
    is_rounded: bool = False  #: whether sums of amounts are rounded: weights are, numbers of points are not

    def left_by_others(self, n_clusters: int) -> Self:
        """Return the same with what k - 1 other clusters may and must take of all there is."""
        total, others = float(self.amounts.sum()), n_clusters - 1
        least, most, slack = self.least, min(self.most, total), ROUNDING * total if self.is_rounded else 0.0
        low, high = max(least, total - others * most), min(most, total - others * least)
        return replace(self, least=low - slack, most=high + slack)


@dataclass(frozen=True)
class Limit(Final):
    """What every cluster must hold; without any argument nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are by their names, as JSON may hold them; none if nothing is asked."""
        named = {own.name: getattr(self, field) for field, own in self.SPELLINGS.items()}
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}
        return {name: value for name, value in values.items() if value is not None}

    def joined(self, other: Self) -> Self:
        """Return the limits of both; refuse what is given twice."""
        twice = self.to_dict().keys() & other.to_dict().keys()
        if twice:
            raise InputError(f"{min(twice)} is given twice; leave one of them out")
        given = {own.name: value for own in fields(other) if (value := getattr(other, own.name)) != own.default}
        return replace(self, **given)

    @abstractmethod
    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points of these weights, shape (n,), fill k such clusters, None if they may."""

    @abstractmethod
    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""

    @abstractmethod
    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster, from the weights of the points, shape (n,)."""

    def size_range(self, n: int) -> tuple[float, float]:
        """Return bounds on the number of points of every cluster, given how many there are, as far as that is known."""
        return 1.0, float(n)

    @abstractmethod
    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield what clusters hold, given the super-point of each point and the weights of super-points, shape (s,)."""

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return getattr(self, "at_least", None) is not None

    def shown(self) -> dict[str, str]:
        """Return the limits that there are by their names, for people."""
        return {name: ", ".join(map(str, np.atleast_1d(value))) for name, value in self.to_dict().items()}
