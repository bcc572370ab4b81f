"""Conditions: all that is asked of a partition, in the three forms that all others know.

A family of conditions (a file beside this one each) comes to pairs that must hold, to pairs that may be broken at a
penalty, or to limits of what clusters hold; distances come to pairs, and pairs of an infinite penalty too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pcsos.base.exceptions import FormatError
from pcsos.problem.conditions import limits as families
from pcsos.problem.conditions.distances import limited
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.penalties import soft_pairs_of
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.geometry import Geometry
from pcsos.problem.validation.labelled_pairs import positions
from pcsos.problem.validation.names import Labels
from pcsos.verify.reading.structures import Shape, items, members

#: The arguments that leave an instance without limits of clusters, and without soft pairs too.
NO_LIMITS: dict[str, Any] = dict.fromkeys(families.NAMES)
NO_CONDITIONS: dict[str, Any] = NO_LIMITS | {"soft_must_link": (), "soft_cannot_link": ()}

#: What JSON holds of limits and soft pairs.
SHAPE: Shape = {"limits": (dict,), "soft": (list,)}


@dataclass(frozen=True, eq=False)
class Conditions:
    """What is asked of the partitions of some points.

    Parameters
    ----------
    constraints : Constraints
        Pairs that must or cannot share a cluster.
    soft : SoftPairs
        Pairs that may be broken at a penalty.
    limits : Limits or None
        What every cluster must hold.
    """

    constraints: Constraints
    soft: SoftPairs
    limits: Limits | None

    @classmethod
    def read(cls, given: Mapping[str, Any], geometry: Geometry, n_clusters: int, labels: Labels | None) -> Self:
        """Return what a user asks for by the names of arguments, whose pairs name points by their labels if any.

        Raises
        ------
        InputError
            If something cannot be asked of these points and so many clusters.
        """
        must, cannot = given["must_link"], given["cannot_link"]
        if labels is not None:
            must, cannot = positions(must, labels, "must_link"), positions(cannot, labels, "cannot_link")
        points, weights = geometry.points, geometry.weights
        soft, hard = soft_pairs_of(
            points, weights, n_clusters, given["soft_must_link"], given["soft_cannot_link"], given["penalty"], labels
        )
        pairs = Constraints(len(points), must, cannot)
        pairs = pairs.with_pairs(*hard) if any(map(len, hard)) else pairs
        pairs = limited(pairs, geometry.spacing, given["max_diameter"], given["min_split"])
        return cls(pairs, soft, Limits.of(given, weights, n_clusters))

    @property
    def is_plain(self) -> bool:
        """Whether there are neither limits of clusters nor soft pairs."""
        return self.limits is None and len(self.soft) == 0

    def arguments(self) -> dict[str, Any]:
        """Return arguments that ask the same."""
        (i, j), soft = self.soft.pairs.T.tolist(), self.soft
        return {
            "must_link": self.constraints.must_link,
            "cannot_link": self.constraints.cannot_link,
            "soft_must_link": zip(i, j, soft.apart.tolist(), strict=True),
            "soft_cannot_link": zip(i, j, soft.together.tolist(), strict=True),
            **({} if self.limits is None else self.limits.to_dict()),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return limits of clusters and soft pairs with their penalties apart and together, as JSON may hold them."""
        pairs, penalties = self.soft.pairs.tolist(), np.column_stack([self.soft.apart, self.soft.together]).tolist()
        soft = [[*pair, *own] for pair, own in zip(pairs, penalties, strict=True)]
        limits = {} if self.limits is None else {"limits": self.limits.to_dict()}
        return limits | ({"soft": soft} if soft else {})


def arguments_of(value: object) -> dict[str, Any]:
    """Return the arguments that JSON of :meth:`Conditions.to_dict` stands for.

    Raises
    ------
    FormatError
        If it is none.
    """
    conditions = members(value, "conditions", SHAPE)
    limits = members(conditions.get("limits", {}), "limits", families.SHAPE)
    for name, kinds in families.ITEMS.items():
        if limits.get(name) is not None:
            items(limits[name], name, kinds)
    rows = items(conditions.get("soft", []), "soft pairs", (list,))
    if not all(len(items(row, "soft pairs", (int, float))) == len(("i", "j", "apart", "together")) for row in rows):
        raise FormatError("soft pairs: not pairs and their penalties")
    return limits | {
        "soft_must_link": [(i, j, apart) for i, j, apart, _ in rows],
        "soft_cannot_link": [(i, j, together) for i, j, _, together in rows],
    }
