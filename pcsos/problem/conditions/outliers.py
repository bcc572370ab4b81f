"""Outliers: how many points may be left out of all clusters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Condition, Limit, Place, Spelling
from pcsos.problem.validation.arrays import whole_number as number_of_points
from pcsos.problem.validation.texts import whole_number
from pcsos.verify.reading.text import number_of


@dataclass(frozen=True)
class Outliers(Limit):
    """How many points may be left out of all clusters: they cost nothing, and their label is -1.

    Each of the points that stay is in one of exactly k clusters that are not empty, and the objective is the sum of
    squares of these. Points count, whatever they weigh. Points that must be linked stay together or are left out
    together; a cannot-link asks nothing where one of its points is left out, but contradicts must-links that connect
    them.

    Parameters
    ----------
    at_most : int, optional
        Number of points z that may be left out.

    Raises
    ------
    InputError
        If it is no number of points.

    References
    ----------
    Chawla and Gionis, k-means--: A unified approach to clustering and outlier detection, SDM (2013).

    Examples
    --------
    >>> import pcsos
    >>> result = pcsos.solve([0.0, 1.0, 5.0, 6.0, 40.0], 2, conditions=[pcsos.Outliers(1)])
    >>> result.labels.tolist(), result.objective
    ([0, 0, 1, 1, -1], 1.0)
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "at_most": Spelling("outliers", "number of points that may be left out of all clusters", whole_number(0), "Z"),
    }

    at_most: int | None = None

    def __post_init__(self) -> None:
        if self.at_most is not None:
            object.__setattr__(self, "at_most", number_of_points("outliers", self.at_most, 0))

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the same, and nothing of it where no point may be left out."""
        if self.at_most and place.geometry.gram is not None:
            raise InputError("outliers need coordinates, but there are inner products; give points")
        yield replace(self, at_most=self.at_most or None)

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why so many points cannot be left out, None where they can."""
        most = weights.size - n_clusters
        if self.at_most is None or self.at_most <= most:
            return None
        clusters = number_of(n_clusters, "cluster")
        return f"outliers is {self.at_most}, but {clusters} need a point each of {weights.size}; give at most {most}"

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence if more points have the label -1, None if not."""
        number, most = int(np.count_nonzero(labels < 0)), self.at_most or 0
        return f"{number_of(number, 'point')} are left out, more than outliers = {most}" if number > most else None

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster that say nothing."""
        return 0.0, float(np.sum(weights))

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield nothing: clusters hold as much as they like."""
        return iter(())
