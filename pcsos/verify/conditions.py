"""Conditions: limits, soft pairs and outliers, and what they prove in a state (docs/certificate.md, section 13)."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from flint import fmpq

from pcsos.verify.crossing import Crossing
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_NUMBER, spend
from pcsos.verify.limits import FAMILIES, WEIGHT, Amounts, sizes_of
from pcsos.verify.reader import require, whole
from pcsos.verify.soft_pairs import SoftPairs
from pcsos.verify.state import State
from pcsos.verify.weight_bounds import Ends, cluster_weights

Groups = Sequence[Sequence[int]]
LONGEST = 60  # characters that are shown of a limit
NONE: dict[str, Any] = {}
OUTLIERS = "outliers"


class Conditions:
    """Limits of clusters, pairs that may be broken at a penalty, or points that may be left out; by default none.

    Every cluster holds from ``least`` to ``most`` of whatever families count, and weighs ``low`` to ``high``, which are
    among these: what limits ask for, and what the other clusters leave. ``sizes`` are the numbers of points of all
    clusters, or None; ``outliers`` is how many points may be left out.
    """

    def __init__(self, weights: Doubles, k: int, stated: Any = NONE) -> None:
        require(isinstance(stated, dict) and set(stated) <= {"limits", "soft"}, "conditions: of an unknown kind")
        n, self.k, self.weights = len(weights), k, weights
        limits = stated.get("limits", {})
        names = {name for own, _ in FAMILIES for name in own}
        require(
            isinstance(limits, dict) and set(limits) <= names | {OUTLIERS}, "conditions: a limit of an unknown kind"
        )
        self.limits = {name: value for name, value in limits.items() if value is not None}
        self.soft = SoftPairs(stated.get("soft", []), n)
        self.outliers = whole(self.limits.pop(OUTLIERS, 0), 0, n - k + 1, OUTLIERS)
        require(not (self.outliers and self.stated_any), "conditions: outliers beside limits or soft pairs")
        self.sizes = sizes_of(self.limits, n, k)
        self._limits = [ask(self.limits, weights, k) for _, ask in FAMILIES] if self.limits else []
        total = self._total = self.held(range(n))
        least: Amounts = {WEIGHT: max((own.low for own in self._limits), default=fmpq(0))}
        most: Amounts = {WEIGHT: min((own.high for own in self._limits), default=total[WEIGHT])}
        for own in self._limits:
            least, most = least | own.least, most | own.most
        others = k - 1 if self.limits else k  # which leave nothing to a cluster where there is no limit
        self.least = {kind: max(low, total[kind] - others * most[kind]) for kind, low in least.items()}
        self.most = {kind: min(high, total[kind] - others * least[kind]) for kind, high in most.items()}
        self.ends: Ends = self.least[WEIGHT], self.most[WEIGHT]
        self.crossing = Crossing(weights, k, *self.ends, self.sizes)

    def held(self, points: Sequence[int]) -> Amounts:
        """Return the weight of some points, and what they have of whatever families count."""
        amounts: Amounts = {WEIGHT: sum((self.weights[p] for p in points), fmpq(0))}
        for own in self._limits:
            amounts |= own.amounts(points)
        return amounts

    def stated(self) -> dict[str, Any]:
        """Return the conditions in a form in which equal ones are equal."""
        limits = self.limits if self.sizes is None else {**self.limits, "sizes": self.sizes}
        limits = {**limits, OUTLIERS: self.outliers} if self.outliers else limits
        return {"limits": limits, "soft": self.soft.stated()}

    def shown(self) -> str:
        """Return the conditions in words, after a comma; nothing where there are none."""
        own = self.stated()
        limits = [f"{name} = {cut(value)}" for name, value in own["limits"].items()]
        soft = [f"{len(own['soft'])} soft pairs"] if own["soft"] else []
        return "".join(f", {what}" for what in (*soft, *limits))

    @property
    def stated_any(self) -> bool:
        """Whether there are any, also such as ask for nothing."""
        return bool(self.limits) or len(self.soft) > 0

    def beyond(self, *held: Amounts) -> bool:
        """Tell whether what some super-points hold is too much for one cluster, if they are together."""
        both = Counter[Any]()
        for own in held:
            spend(OF_A_NUMBER * (4 + len(own)))
            both.update(own)
        return self._none_fits or any(amount > self.most[kind] for kind, amount in both.items())

    @cached_property
    def _none_fits(self) -> bool:
        """Whether even nothing is too much."""
        return any(high < 0 for high in self.most.values())

    @cached_property
    def _num_needed(self) -> int:
        """Of how many kinds every cluster has something."""
        return sum(low > 0 for low in self.least.values())

    def hold(self, clusters: Groups) -> bool:
        """Tell whether k clusters keep all limits."""
        if self.sizes is not None and sorted(map(len, clusters)) != self.sizes:
            return False
        return not self.limits or all(map(self._is_right, clusters))

    def _is_right(self, cluster: Sequence[int]) -> bool:
        held = self.held(cluster)
        has_enough = sum(0 < self.least[kind] <= amount for kind, amount in held.items()) == self._num_needed
        return has_enough and not self.beyond(held)

    def refute(self, state: State) -> bool:
        """Tell whether no partition of a state keeps limits and bounds of weights, for one of three reasons.

        A super-point is beyond a limit; it falls short of one together with all that are not apart from it, but for
        the k - 1 lightest super-points that must be elsewhere; or the state holds one partition, which breaks a limit.
        """
        if not self.limits and not state.bounds:
            return False
        groups = state.groups()
        if any(self.beyond(self.held(group)) for group in groups) or self._falls_short(state, groups):
            return True
        is_one = self.k == 1 or len(groups) == self.k
        return is_one and not self.hold(groups if self.k > 1 else [range(len(state.name))])

    def _falls_short(self, state: State, groups: Groups) -> bool:
        names = state.names()
        weights = [sum((self.weights[p] for p in group), fmpq(0)) for group in groups]
        position = {name: at for at, name in enumerate(names)}
        around = ({position[other] for other in state.around(name)} for name in names)  # one at a time
        held = cache(lambda name: self.held(state.points(name)))
        least, largest = cluster_weights(state, weights, around, self.k, self.ends)
        for name, low, high, weight in zip(names, least, largest, weights, strict=True):
            lost = Counter[Any]()
            for other in state.around(name):
                spend(OF_A_NUMBER * (2 + len(held(other))))
                lost.update(held(other))
            is_short = any(self._total[kind] - amount < self.least[kind] for kind, amount in lost.items())
            if is_short or high < max(low, weight):
                return True
        return any(self._total[kind] < low for kind, low in self.least.items())


def cut(value: object) -> str:
    """Return a value as text, cut where it is long."""
    text = str(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
