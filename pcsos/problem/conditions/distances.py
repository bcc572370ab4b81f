"""Distance thresholds as pairs: a greatest diameter gives cannot-links, a least split gives must-links."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.role import Condition, Place, Spelling
from pcsos.problem.geometry import Spacing
from pcsos.problem.validation.arrays import LARGEST_AMOUNT, number_between
from pcsos.problem.validation.texts import amount

#: Pairs beyond which a threshold is refused: they would need gigabytes, and no assignment would end.
MAX_PAIRS = 50_000_000


@dataclass(frozen=True)
class DistanceLimit(Condition):
    """A limit of distance, which stands for pairs."""

    def __post_init__(self) -> None:
        for field, own in self.SPELLINGS.items():
            distance = number_between(own.name, getattr(self, field), 0.0, LARGEST_AMOUNT, "a distance of 0 or more")
            object.__setattr__(self, field, distance)

    @abstractmethod
    def pairs(self, spacing: Spacing) -> Constraints:
        """Return the pairs that it stands for; too many are refused."""

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the pairs."""
        yield self.pairs(place.geometry.spacing)


@dataclass(frozen=True)
class Diameter(DistanceLimit):
    """The greatest Euclidean distance within a cluster: points farther apart become cannot-links.

    Where inner products stand for points it is that in the feature space, ``sqrt(K_ii + K_jj - 2 K_ij)``: the root of
    what a matrix of squared distances holds. Distances are compared in double precision: a pair whose distance is that
    of the limit up to rounding may be on either side (Mathematics 14).

    Parameters
    ----------
    at_most : float
        The distance.

    Raises
    ------
    InputError
        If it is no distance.

    Examples
    --------
    >>> import pcsos
    >>> pcsos.solve([0.0, 2.0, 3.0, 9.0], 3, conditions=[pcsos.Diameter(2.0)]).labels.tolist()
    [0, 1, 1, 2]
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "at_most": Spelling(
            "max_diameter", "points farther apart than X cannot share a cluster", amount("distance"), "X"
        )
    }

    at_most: float

    def pairs(self, spacing: Spacing) -> Constraints:
        """Return points that are farther apart as cannot-links."""
        far = pairs_farther(spacing, self.at_most, f"max_diameter is {self.at_most:g}")
        return Constraints(spacing.n_points, cannot_link=far)


@dataclass(frozen=True)
class Split(DistanceLimit):
    """The least Euclidean distance between points of different clusters: points closer become must-links.

    Where inner products stand for points it is that in the feature space, as with :class:`Diameter`.

    Parameters
    ----------
    at_least : float
        The distance.

    Raises
    ------
    InputError
        If it is no distance.

    Examples
    --------
    >>> import pcsos
    >>> str(pcsos.solve([0.0, 2.0, 3.0, 9.0], 2, conditions=[pcsos.Split(7.0)]).status)
    'INFEASIBLE'
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "at_least": Spelling("min_split", "points closer than X must share a cluster", amount("distance"), "X")
    }

    at_least: float

    def pairs(self, spacing: Spacing) -> Constraints:
        """Return points that are closer as must-links."""
        near = pairs_closer(spacing, self.at_least, f"min_split is {self.at_least:g}")
        return Constraints(spacing.n_points, must_link=near)


def limited(constraints: Constraints, spacing: Spacing, conditions: Iterable[Condition]) -> Constraints:
    """Return the constraints together with the pairs that limits of distance among conditions stand for.

    A limit that makes too many pairs, or asks of a pair what another one forbids, is refused.
    """
    given = list(conditions)
    refuse_crossed(given, spacing)
    return constraints.joined(own.pairs(spacing) for own in given if isinstance(own, DistanceLimit))


def refuse_crossed(conditions: Iterable[Condition], spacing: Spacing) -> None:
    """Refuse limits of distance of which one keeps a pair together and another one keeps it apart."""
    own = list(conditions)
    most = min((limit.at_most for limit in own if isinstance(limit, Diameter)), default=math.inf)
    least = max((limit.at_least for limit in own if isinstance(limit, Split)), default=0.0)
    if not most < least:
        return
    both = _pairs_where(spacing, lambda distances: (distances > most) & (distances < least), "what both limits ask")
    if both.size:
        i, j = both[0].tolist()
        raise InputError(
            f"max_diameter is {most:g}, min_split {least:g}, but points {i} and {j} are {spacing.between(i, j):g} "
            "apart, too far to share a cluster and too near not to; increase max_diameter or decrease min_split"
        )


def pairs_farther(spacing: Spacing, distance: float, source: str) -> Indices:
    """Return the pairs (i, j), i < j, of points farther apart than ``distance``, shape (m, 2)."""
    return _pairs_where(spacing, lambda distances: distances > distance, source)


def pairs_closer(spacing: Spacing, distance: float, source: str) -> Indices:
    """Return the pairs (i, j), i < j, of points closer than ``distance``, shape (m, 2)."""
    return _pairs_where(spacing, lambda distances: distances < distance, source)


def _pairs_where(spacing: Spacing, test: Callable[[Floats], Flags], source: str) -> Indices:
    """Return the pairs whose distances pass a test; ``source`` says who asks for them."""
    found: list[Indices] = [np.empty((0, 2), np.intp)]
    total = 0
    for start, distances in spacing.blocks():
        left, right = np.nonzero(test(distances))
        later = right > left
        found.append(np.column_stack([left[later], right[later]]) + start)
        total += len(found[-1])
        if total > MAX_PAIRS:
            raise InputError(
                f"{source}, which makes more than {MAX_PAIRS} pairs of these points; give a distance that concerns "
                "fewer pairs"
            )
    return np.concatenate(found)
