"""Numbers of clusters to choose from: each with its instance, or with why its clusters cannot keep to the limits."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.problem.conditions.conditions import Conditions, checked
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.role import Condition, Place
from pcsos.problem.conditions.soft_pairs import CONFIDENCE, SoftPairs
from pcsos.problem.instance import Instance, refuse_outliers
from pcsos.problem.validation.arrays import is_whole_number


@dataclass(frozen=True, eq=False)
class Number:
    """A number of clusters."""

    instance: Instance  #: the instance with so many clusters; without its limits where these cannot be kept
    refusal: str | None  #: why they cannot, in one sentence

    @property
    def n_clusters(self) -> int:
        """The number."""
        return self.instance.n_clusters


def numbers_of(whole: Instance, limits: Limits | None, n_clusters: Iterable[int]) -> list[Number]:
    """Return the numbers of clusters in ascending order, each once.

    Parameters
    ----------
    whole : Instance
        Points, pairs and weights; its own number of clusters and its own limits do not count.
    limits : Limits or None
        What every cluster must hold, however many there are.
    n_clusters : iterable of int
        Numbers from 1 to that of the points.

    Raises
    ------
    InputError
        If a number is none of these, limits are about one number of clusters, or there is a Gram matrix.
    """
    numbers = _checked(n_clusters)
    refuse_gram(whole)
    refuse_outliers(0 if limits is None else limits.outliers, "a path")
    if numbers[-1] > whole.n_points:
        raise InputError(f"n_clusters goes up to {numbers[-1]} but there are only {whole.n_points} points; give fewer")
    if limits is not None and limits.sizes is not None:
        raise InputError(
            "sizes list the points of one number of clusters, and a path has several; give size_min, size_max"
        )
    return [_number(whole, limits, number) for number in numbers]


def _number(whole: Instance, limits: Limits | None, n_clusters: int) -> Number:
    refusal = None if limits is None else limits.shortage(whole.weights, n_clusters)
    kept = () if limits is None or refusal is not None else limits.families
    return Number(whole.with_(n_clusters=n_clusters, conditions=[whole.soft, *kept]), refusal)


def refuse_gram(instance: Instance) -> None:
    """Refuse a Gram matrix, by whose rounding more clusters may cost more, and which has no diameters."""
    if instance.gram is not None:
        raise InputError("paths and fronts are about points, not about a Gram matrix; solve each number of clusters")


def of_any_number(free: Instance, table: Any, conditions: Iterable[Condition]) -> tuple[Instance, Limits | None]:
    """Return an instance of a table of points with further conditions, but limits apart, which may not suit it.

    Raises
    ------
    InputError
        If penalties are by confidence, which is another one for each number of clusters.
    """
    given = checked(conditions)
    if any(isinstance(own, SoftPairs) and own.penalty == CONFIDENCE for own in given):
        raise InputError(
            "penalties by confidence depend on the number of clusters, so that costs of different numbers cannot be "
            "compared; give them as numbers, or by distance"
        )
    asked = Conditions.read((), (), given, Place(table, free.geometry, free.n_clusters))
    return free.with_(conditions=[asked.constraints, asked.soft]), asked.limits


def _checked(n_clusters: Iterable[int]) -> list[int]:
    """Return the numbers of clusters in ascending order, each once."""
    remedy = "give several whole numbers of at least 1, such as range(2, 11)"
    if isinstance(n_clusters, str | bytes) or not isinstance(n_clusters, Iterable):
        raise InputError(f"n_clusters is {n_clusters!r}; {remedy}")
    numbers: list[Any] = list(n_clusters)
    for number in numbers:
        if not is_whole_number(number) or number < 1:
            raise InputError(f"n_clusters holds {number!r}; {remedy}")
    if not numbers:
        raise InputError(f"n_clusters is empty; {remedy}")
    return sorted({int(number) for number in numbers})
