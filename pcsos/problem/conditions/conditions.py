"""Conditions: all that is asked of a partition, in the three forms that all others know."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pcsos.base.exceptions import FormatError, InputError
from pcsos.base.typing import Pairs
from pcsos.problem.conditions.distances import Diameter, Split, refuse_crossed
from pcsos.problem.conditions.groups import Groups
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.loads import Loads
from pcsos.problem.conditions.outliers import Outliers
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conditions.role import Condition, Limit, Place
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.conditions.weights import Weights
from pcsos.verify.reading.structures import Shape, items, members

#: The families of limits, and all families, which are options of the command line.
LIMITS: tuple[type[Condition], ...] = (Sizes, Weights, Loads, Groups, Outliers)
FAMILIES: tuple[type[Condition], ...] = (Diameter, Split, *LIMITS, SoftPairs)
#: How the fields of limits are spelled, by their names.
SPELLINGS = {own.name: own for family in LIMITS for own in family.SPELLINGS.values()}
#: What JSON holds of limits and soft pairs.
SHAPE: Shape = {"limits": (dict,), "soft": (list,)}


@dataclass(frozen=True, eq=False)
class Conditions:
    """What is asked of the partitions of some points."""

    constraints: Constraints  #: pairs that must or cannot share a cluster
    soft: PenalisedPairs  #: pairs that may be broken at a penalty
    limits: Limits | None  #: what every cluster must hold

    @classmethod
    def read(cls, must_link: Pairs, cannot_link: Pairs, conditions: list[Condition], place: Place) -> Self:
        """Return what a user asks for.

        Raises
        ------
        InputError
            If something cannot be asked of these points and so many clusters.
        """
        must, cannot = place.positions(must_link, "must_link"), place.positions(cannot_link, "cannot_link")
        pairs = Constraints(place.n_points, must, cannot)
        refuse_crossed(conditions, place.geometry.spacing)
        asked = [own for condition in conditions for own in condition.asks(place)]
        found = cls(
            pairs.joined(own for own in asked if isinstance(own, Constraints)),
            PenalisedPairs.of_all((own for own in asked if isinstance(own, PenalisedPairs)), place.n_points),
            Limits.of(own for own in asked if isinstance(own, Limit)),
        )
        if found.outliers and len(found.soft):
            raise InputError(f"outliers is {found.outliers} beside soft pairs; leave one or the other out")
        if found.outliers and any(isinstance(condition, Split) for condition in conditions):
            raise InputError(
                f"outliers is {found.outliers} beside min_split, which links points whether they are left out or not; "
                "leave one or the other out"
            )
        return found

    @property
    def outliers(self) -> int:
        """How many points may be left out of all clusters."""
        return 0 if self.limits is None else self.limits.outliers

    def to_dict(self) -> dict[str, Any]:
        """Return limits of clusters and soft pairs with their penalties apart and together, as JSON may hold them."""
        pairs, penalties = self.soft.pairs.tolist(), np.column_stack([self.soft.apart, self.soft.together]).tolist()
        soft = [[*pair, *own] for pair, own in zip(pairs, penalties, strict=True)]
        limits = {} if self.limits is None else {"limits": self.limits.to_dict()}
        return limits | ({"soft": soft} if soft else {})


def checked(conditions: Iterable[Condition]) -> list[Condition]:
    """Return conditions as a list; refuse what is none."""
    if isinstance(conditions, Condition | np.ndarray) or not isinstance(conditions, Iterable):
        raise InputError(f"conditions is a {type(conditions).__name__}; give a list of conditions")
    given = list(conditions)
    for number, own in enumerate(given):
        if not isinstance(own, Condition):
            raise InputError(f"conditions[{number}] is {own!r}; give a condition such as pcsos.Sizes(2, 5)")
    return given


def stated(value: object) -> list[Condition]:
    """Return the conditions that JSON of :meth:`Conditions.to_dict` stands for.

    Raises
    ------
    FormatError, InputError
        If it is none.
    """
    conditions = members(value, "conditions", SHAPE)
    limits = conditions.get("limits", {})
    if not limits.keys() <= SPELLINGS.keys():
        raise FormatError("conditions: a limit of an unknown kind")
    if not all(isinstance(limits.get(own.name, []), list) for own in Groups.SPELLINGS.values()):
        raise FormatError("conditions: groups and their limits are lists")
    found: list[Condition] = []
    for family in LIMITS:
        given = {field: limits.get(own.name) for field, own in family.SPELLINGS.items()}
        found += [family(**given)] if any(value is not None for value in given.values()) else []
    rows = items(conditions.get("soft", []), "soft pairs", (list,))
    if not all(len(items(row, "soft pairs", (int, float))) == len(("i", "j", "apart", "together")) for row in rows):
        raise FormatError("soft pairs: not pairs and their penalties")
    must, cannot = [(i, j, apart) for i, j, apart, _ in rows], [(i, j, together) for i, j, _, together in rows]
    return [*found, SoftPairs(must, cannot)] if rows else found
