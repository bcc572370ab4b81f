"""The role of a limit: a family of conditions on what every cluster holds, in a file of its own.

A family reads its keywords, says in words what a partition breaks, and what its limits come to in the two forms that
all others know: bounds on the weight of a cluster, which relaxations use, and capacities, which heuristics keep to and
presolve learns from. So no code asks for a family by name; :mod:`pcsos.problem.conditions.limits` lists them all.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.verify.reading.structures import Shape


@dataclass(frozen=True, eq=False)
class Capacity:
    """What a cluster holds at least and at most of something that each super-point brings.

    Parameters
    ----------
    amounts : ndarray, shape (s,)
        What each super-point brings; not negative.
    least, most : float
        Bounds of what a cluster holds, 0 and infinity where there is none.
    unit : str
        What it is, in the plural.
    is_rounded : bool
        Whether sums of amounts are rounded: weights are, numbers of points are not.
    """

    amounts: Floats
    least: float
    most: float
    unit: str = "points"
    is_rounded: bool = False

    def left_by_others(self, n_clusters: int) -> Self:
        """Return the same with what k - 1 other clusters may and must take of all there is."""
        total, others = float(self.amounts.sum()), n_clusters - 1
        least, most = self.least, min(self.most, total)
        return replace(self, least=max(least, total - others * most), most=min(most, total - others * least))


class Limit(ABC):
    """A family of limits; without any argument it asks nothing."""

    #: Its keywords, and what each of them means in a few words.
    MEANINGS: ClassVar[Mapping[str, str]]
    #: Members that it has in JSON and of what kinds they are, and of what kinds the items of its lists.
    SHAPE: ClassVar[Shape]
    ITEMS: ClassVar[Shape] = {}

    @classmethod
    @abstractmethod
    def read(cls, given: Mapping[str, Any], n: int) -> Self:
        """Return the limits that a user gives of n points by their names, whatever these weigh.

        Raises
        ------
        InputError
            If one is no limit, or contradicts another one.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are by their names, as JSON may hold them; none if nothing is asked."""

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
    @abstractmethod
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""

    def shown(self) -> dict[str, str]:
        """Return the limits that there are by their names, for people."""
        return {name: ", ".join(map(str, np.atleast_1d(value))) for name, value in self.to_dict().items()}
