"""Conditions: limits of clusters and soft pairs, and what they prove in a state (docs/certificate.md, section 13)."""

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, cast

from flint import arb, fmpq

from pcsos.reading.structures import structure
from pcsos.verify.doubles import Doubles
from pcsos.verify.exact import exact
from pcsos.verify.reader import require, whole
from pcsos.verify.state import State, largest_clusters

Groups = Sequence[Sequence[int]]
SLACK = fmpq(1, 2**30)  # the share of a limit by which a weight may miss it
MOST_DIVIDED = 2**14  # points up to which set cuts are checked
LIMITS = ("size_min", "size_max", "weight_min", "weight_max", "sizes")


class Conditions:
    """Limits of clusters, and pairs that may be broken at a penalty; by default neither.

    ``soft`` are (i, j, penalty apart, penalty together). Every cluster has ``fewest`` to ``most`` points and weighs
    ``low`` to ``high``; ``sizes`` are the numbers of points of all clusters, or None.
    """

    def __init__(self, weights: Doubles, k: int, stated: Any = None) -> None:
        stated = {} if stated is None else stated
        require(isinstance(stated, dict) and set(stated) <= {"limits", "soft"}, "conditions: of an unknown kind")
        n, self.k, self.weights = len(weights), k, weights
        self.limits = stated.get("limits", {})
        known = isinstance(self.limits, dict) and set(self.limits) <= set(LIMITS)
        require(known, "conditions: a limit of an unknown kind")
        self.soft = [_soft(row, n) for row in _list(stated.get("soft", []))]
        least, most = (self.limits.get(name) for name in LIMITS[:2])
        self.fewest = 1 if least is None else whole(least, 1, n + 1, "size_min")
        self.most = n if most is None else whole(most, 1, n + 1, "size_max")
        self.sizes = self._sizes(n)
        if self.sizes is not None:
            self.fewest, self.most = max(self.fewest, self.sizes[0]), min(self.most, self.sizes[-1])
        self.lightest, self.heaviest = self._weight("weight_min", -1), self._weight("weight_max", 1)
        self.low, self.high = self._range()

    def _sizes(self, n: int) -> list[int] | None:
        stated = self.limits.get("sizes")
        if stated is None:
            return None
        sizes = sorted(whole(size, 1, n + 1, "a size") for size in _list(stated))
        require(len(sizes) == self.k and sum(sizes) == n, "conditions: sizes of other clusters or points")
        return sizes

    def _weight(self, name: str, side: int) -> fmpq | None:
        stated = self.limits.get(name)
        if stated is None:
            return None
        require(type(stated) in (int, float) and stated >= 0, f"conditions: {name} is {stated!r}, no weight")
        return _double(stated) * (1 + side * SLACK)

    def _range(self) -> tuple[fmpq, fmpq]:
        """Return bounds on the weight of a cluster: of its points, of the limits, and of what the others leave."""
        total = sum(self.weights, fmpq(0))
        if not self.limits:
            return fmpq(0), total
        ordered = sorted(self.weights)
        low, high = sum(ordered[: self.fewest], fmpq(0)), sum(ordered[-self.most :], fmpq(0))
        low = low if self.lightest is None else max(low, self.lightest)
        high = high if self.heaviest is None else min(high, self.heaviest)
        return max(low, total - (self.k - 1) * high), min(high, total - (self.k - 1) * low)

    def stated(self) -> dict[str, Any]:
        """Return the conditions in a form in which equal ones are equal."""
        limits = {name: value for name, value in self.limits.items() if value is not None}
        if self.sizes is not None:
            limits["sizes"] = self.sizes
        soft: dict[tuple[int, int], tuple[fmpq, fmpq]] = {}
        for i, j, apart, together in self.soft:
            before = soft.get((min(i, j), max(i, j)), (fmpq(0), fmpq(0)))
            soft[min(i, j), max(i, j)] = (before[0] + apart, before[1] + together)
        return {"limits": limits, "soft": {pair: own for pair, own in soft.items() if any(own)}}

    def shown(self) -> str:
        """Return the conditions in words, after a comma; nothing where there are none."""
        own = self.stated()
        limits = [f"{name} = {value}" for name, value in own["limits"].items()]
        soft = [f"{len(own['soft'])} soft pairs"] if own["soft"] else []
        return "".join(f", {what}" for what in (*soft, *limits))

    @property
    def stated_any(self) -> bool:
        """Whether there are any."""
        return any(self.stated().values())

    def beyond(self, group: Sequence[int]) -> bool:
        """Tell whether some points are too many, or too heavy, for one cluster."""
        weight = sum((self.weights[p] for p in group), fmpq(0))
        return len(group) > self.most or weight > self.high

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
        return len(group) < self.fewest or weight < self.low

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
        for name, largest, weight in zip(names, largest_clusters(weights, around, self.k), weights, strict=True):
            count = len(state.name) - sum(len(state.points(other)) for other in state.around(name))
            if count < self.fewest or largest < max(self.low, weight):
                return True
        if self.k == 1 or len(groups) == self.k:
            return not self.hold(groups if self.k > 1 else [range(len(state.name))])
        return False

    def least_crossing(self, q: int) -> fmpq:
        """Return what a partition adds to Z between q points and the others, at least, if all points weigh 1.

        One cluster is divided, and all others are full or empty.
        """
        if q not in self._least:
            n = len(self.weights)
            require(n <= MOST_DIVIDED, f"a set cut, but there are more than {MOST_DIVIDED} points")
            require(self._counts_points, "a set cut, but points have weights")
            divided = self._in_range(q) if self.sizes is None else self._in_list(q)
            self._least[q] = min((fmpq(s * u, s + u) for s, u in divided), default=fmpq(0))
        return self._least[q]

    @cached_property
    def _least(self) -> dict[int, fmpq]:
        """What is known of the least crossings: all states have the same."""
        return {}

    @cached_property
    def _counts_points(self) -> bool:
        return all(weight == 1 for weight in self.weights)

    def _in_range(self, q: int) -> Iterator[tuple[int, int]]:
        """Yield points inside and outside of a divided cluster, some with the least s u / (s + u) among them.

        With t other clusters full there are bounds on both. The least is where both are least, if they are enough for a
        cluster; else they are just enough, and s u is concave in s, so that s is at an end of what is left for it.
        """
        n, least, most = len(self.weights), max(int(self.low.ceil()), 1), int(self.high.floor())
        for t in range(self.k):
            lo, hi = max(q - t * most, 0), q - t * least
            start, end = max(n - q - (self.k - 1 - t) * most, 0), n - q - (self.k - 1 - t) * least
            for s in {max(lo, least - end), max(lo, min(hi, least - start))}:
                u = max(start, least - s)
                if lo <= s <= hi and start <= u <= end and s + u <= most:
                    yield s, u

    def _in_list(self, q: int) -> Iterator[tuple[int, int]]:
        """Yield points inside and outside of divided clusters, some with the least s u / (s + u) among them.

        The full ones hold any sum of the other sizes. Of a cluster of one size s u is concave in s: what counts is the
        least s and the least u for which there is such a sum.
        """
        for size, sums in self._sums:
            outside = (sums << size >> q) & ((1 << size + 1) - 1)  # bit u is set if q - (size - u) is such a sum
            if outside:
                for u in (outside.bit_length() - 1, (outside & -outside).bit_length() - 1):
                    yield size - u, u

    @cached_property
    def _sums(self) -> list[tuple[int, int]]:
        """Each size, and the sums of some of the other ones as the bits of a number."""
        found = []
        for size in sorted(set(self.sizes or ())):
            others, sums = list(self.sizes or ()), 1
            others.remove(size)
            for other in others:
                sums |= sums << other
            found.append((size, sums))
        return found

    def paid(self, state: State) -> fmpq:
        """Return the penalties of the pairs that a state decides."""
        total = fmpq(0)
        for i, j, apart, together in self.soft:
            first, second = state.name[i], state.name[j]
            if first == second:
                total += together
            elif second in state.around(first):
                total += apart
        return total

    def stake(self, state: State, kind: str, p: int, q: int) -> fmpq:
        """Return what the open soft pairs between two super-points pay if ``ML`` or ``CL`` between them is broken."""
        ends = {state.name[p], state.name[q]}
        require(len(ends) == 2 and not state.apart(p, q), f"points {p} and {q} are decided already")
        own = [(a, t) for i, j, a, t in self.soft if {state.name[i], state.name[j]} == ends]
        return sum((a if kind == "ML" else t for a, t in own), fmpq(0))

    def most_paid(self, state: State) -> fmpq:
        """Return penalties that no partition of a state exceeds."""
        total = fmpq(0)
        for i, j, apart, together in self.soft:
            if state.name[i] == state.name[j]:
                total += together
            else:
                total += apart if state.apart(i, j) else max(apart, together)
        return total

    def cost(self, cluster_of: Sequence[int]) -> fmpq:
        """Return the penalties that a partition pays, given the cluster of each point."""
        pairs = ((cluster_of[i] == cluster_of[j], apart, together) for i, j, apart, together in self.soft)
        return sum((together if same else apart for same, apart, together in pairs), fmpq(0))

    def entries(self, state: State, index: Sequence[int], weights: Sequence[arb]) -> dict[tuple[int, int], arb]:
        """Return the entries of P, given the super-point of each point and the weights of super-points.

        ``<P, Y>`` is at most what a partition pays for the pairs that the state leaves undecided.
        """
        result: dict[tuple[int, int], arb] = {}
        least = arb(self.low)

        def add(i: int, j: int, value: arb) -> None:
            result[i, j] = result.get((i, j), arb(0)) + value

        for p, q, apart, together in self.soft:
            i, j = index[p], index[q]
            if i == j or state.apart(p, q):
                continue
            root = (weights[i] * weights[j]).sqrt()
            ends = max(weights[i], least), max(weights[j], least)
            add(i, i, apart * ends[0] / weights[i] / 2)
            add(j, j, apart * ends[1] / weights[j] / 2)
            both = together * max(weights[i] + weights[j], least) / root / 2
            both -= apart * (ends[0] + ends[1]) / root / 4
            add(i, j, both)
            add(j, i, both)
        return result


def _list(value: object) -> list[Any]:
    require(isinstance(value, list), "conditions: not a list")
    return cast(list[Any], value)


def _soft(row: object, n: int) -> tuple[int, int, fmpq, fmpq]:
    require(isinstance(row, list) and len(row) == 4, "conditions: not a pair and its penalties")
    i, j, *penalties = cast(list[Any], row)
    for penalty in penalties:
        require(type(penalty) in (int, float) and penalty >= 0, f"conditions: {penalty!r} is no penalty")
    require(i != j, "conditions: a soft pair of a point with itself")
    apart, together = map(_double, penalties)
    return whole(i, 0, n, "a point"), whole(j, 0, n, "a point"), apart, together


def _double(value: float) -> fmpq:
    """Return a number of JSON, as a double, exactly."""
    require(abs(value) <= sys.float_info.max, f"conditions: {value!r:.40} is not a finite number")
    return exact(value)


def conditions_in(row: Any, weights: Doubles, k: int) -> Conditions:
    """Return the conditions in the row of an instance; files of format 5 have none."""
    text = row.get("conditions")
    return Conditions(weights, k, None if text is None else structure(text, "conditions"))
