"""Conditions: limits of clusters and soft pairs, and what they prove in a state (docs/certificate.md, section 13)."""

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from pcsos.reading.structures import structure
from pcsos.verify import group_limits, sizes
from pcsos.verify.crossing import Crossing
from pcsos.verify.doubles import Doubles
from pcsos.verify.reader import require
from pcsos.verify.soft_pairs import SoftPairs
from pcsos.verify.state import State, largest_clusters

Groups = Sequence[Sequence[int]]
LONGEST = 60  # characters that are shown of a limit
NONE: dict[str, Any] = {}
FAMILIES = (sizes, group_limits)  # of limits, each with its names and what it asks of every cluster


class Conditions:
    """Limits of clusters, and pairs that may be broken at a penalty; by default neither.

    Every cluster holds from ``least`` to ``most`` of whatever families count, and weighs ``low`` to ``high``: what
    limits ask for, and what the other clusters leave. ``sizes`` are the numbers of points of all clusters, or None.
    """

    def __init__(self, weights: Doubles, k: int, stated: Any = NONE) -> None:
        require(isinstance(stated, dict) and set(stated) <= {"limits", "soft"}, "conditions: of an unknown kind")
        n, self.k, self.weights = len(weights), k, weights
        limits = stated.get("limits", {})
        names = {name for family in FAMILIES for name in family.NAMES}
        require(isinstance(limits, dict) and set(limits) <= names, "conditions: a limit of an unknown kind")
        self.limits = {name: value for name, value in limits.items() if value is not None}
        self.soft = SoftPairs(stated.get("soft", []), n)
        self.sizes = sizes.sizes_of(self.limits, n, k)
        self._limits = [family.limit(self.limits, weights, k) for family in FAMILIES] if self.limits else []
        least = [amount for own in self._limits for amount in own.least]
        most = [amount for own in self._limits for amount in own.most]
        bounds = list(zip(least, most, self._amounts(range(n)), strict=True))
        self.least = [max(low, total - (k - 1) * high) for low, high, total in bounds]
        self.most = [min(high, total - (k - 1) * low) for low, high, total in bounds]
        self.low, self.high = self._range()
        self.crossing = Crossing(weights, k, self.low, self.high, self.sizes)

    def _range(self) -> tuple[fmpq, fmpq]:
        """Return bounds on the weight of a cluster: of its points, of the limits, and of what the others leave."""
        total = sum(self.weights, fmpq(0))
        if not self.limits:
            return fmpq(0), total
        low, high = max(own.low for own in self._limits), min(own.high for own in self._limits)
        return max(low, total - (self.k - 1) * high), min(high, total - (self.k - 1) * low)

    def _amounts(self, points: Sequence[int]) -> list[int]:
        """Return what some points have of whatever families count."""
        return [amount for own in self._limits for amount in own.amounts(points)]

    def stated(self) -> dict[str, Any]:
        """Return the conditions in a form in which equal ones are equal."""
        limits = self.limits if self.sizes is None else {**self.limits, "sizes": self.sizes}
        return {"limits": limits, "soft": self.soft.stated()}

    def shown(self) -> str:
        """Return the conditions in words, after a comma; nothing where there are none."""
        own = self.stated()
        limits = [f"{name} = {cut(value)}" for name, value in own["limits"].items()]
        soft = [f"{len(own['soft'])} soft pairs"] if own["soft"] else []
        return "".join(f", {what}" for what in (*soft, *limits))

    @property
    def stated_any(self) -> bool:
        """Whether there are any."""
        return any(self.stated().values())

    def beyond(self, group: Sequence[int]) -> bool:
        """Tell whether some points are too many, or too heavy, for one cluster."""
        weight = sum((self.weights[p] for p in group), fmpq(0))
        return weight > self.high or any(map(int.__gt__, self._amounts(group), self.most))

    def separate(self, state: State, p: int, q: int) -> bool:
        """Tell whether the two different super-points of a state with p and q are too much for one cluster."""
        first, second = state.name[p], state.name[q]
        return bool(self.limits) and first != second and self.beyond([*state.points(first), *state.points(second)])

    def hold(self, clusters: Groups) -> bool:
        """Tell whether k clusters keep all limits."""
        if self.sizes is not None and sorted(map(len, clusters)) != self.sizes:
            return False
        return not any(self.beyond(cluster) or self._short(cluster) for cluster in clusters)

    def _short(self, group: Sequence[int]) -> bool:
        weight = sum((self.weights[p] for p in group), fmpq(0))
        return weight < self.low or any(map(int.__lt__, self._amounts(group), self.least))

    def refute(self, state: State) -> bool:
        """Tell whether no partition of a state keeps the limits, for one of three reasons.

        A super-point is beyond a limit; it falls short of one together with all that are not apart from it, but for
        the k - 1 lightest super-points that must be elsewhere; or the state holds one partition, which breaks a limit.
        """
        if not self.limits:
            return False
        groups = state.groups()
        if any(self.beyond(group) for group in groups):
            return True
        names = state.names()
        weights = [sum((self.weights[p] for p in group), fmpq(0)) for group in groups]
        position = {name: at for at, name in enumerate(names)}
        around = ({position[other] for other in state.around(name)} for name in names)  # one at a time
        held = {name: self._amounts(group) for name, group in zip(names, groups, strict=True)}
        total = self._amounts(range(len(state.name)))
        for name, largest, weight in zip(names, largest_clusters(weights, around, self.k), weights, strict=True):
            others = [held[other] for other in state.around(name)]
            reached = [amount - sum(own[at] for own in others) for at, amount in enumerate(total)]
            if largest < max(self.low, weight) or any(map(int.__lt__, reached, self.least)):
                return True
        if self.k == 1 or len(groups) == self.k:
            return not self.hold(groups if self.k > 1 else [range(len(state.name))])
        return False


def cut(value: object) -> str:
    """Return a value as text, cut where it is long."""
    text = str(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def conditions_in(row: Any, weights: Doubles, k: int) -> Conditions:
    """Return the conditions in the row of an instance; files of format 5 have none."""
    text = row.get("conditions")
    return Conditions(weights, k, {} if text is None else structure(text, "conditions"))
