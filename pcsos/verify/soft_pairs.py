"""Soft pairs: what partitions pay for pairs that they break (docs/certificate.md, section 13)."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from flint import arb, fmpq

from pcsos.verify.effort import OF_A_STEP, charged, spend
from pcsos.verify.limits import listed, number
from pcsos.verify.reader import require, whole
from pcsos.verify.state import State

SoftPair = tuple[int, int, fmpq, fmpq]
Penalties = dict[tuple[int, int], tuple[fmpq, fmpq]]  # apart and together, of super-points i < j


class SoftPairs:
    """Pairs of n points as (i, j, penalty apart, penalty together)."""

    def __init__(self, stated: object, n: int) -> None:
        self.pairs = [_soft(row, n) for row in listed(stated)]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[SoftPair]:
        return charged(self.pairs, OF_A_STEP)

    def stated(self) -> dict[tuple[int, int], tuple[fmpq, fmpq]]:
        """Return the penalties of each pair that has any."""
        soft: dict[tuple[int, int], tuple[fmpq, fmpq]] = {}
        for i, j, apart, together in self:
            before = soft.get((min(i, j), max(i, j)), (fmpq(0), fmpq(0)))
            soft[min(i, j), max(i, j)] = (before[0] + apart, before[1] + together)
        return {pair: own for pair, own in soft.items() if any(own)}

    def paid(self, state: State) -> fmpq:
        """Return the penalties of the pairs that a state decides."""
        total = fmpq(0)
        for i, j, apart, together in self:
            first, second = state.name[i], state.name[j]
            if first == second:
                total += together
            elif second in state.around(first):
                total += apart
        return total

    def most_paid(self, state: State) -> fmpq:
        """Return penalties that no partition of a state exceeds."""
        total = fmpq(0)
        for i, j, apart, together in self:
            if state.name[i] == state.name[j]:
                total += together
            else:
                total += apart if state.apart(i, j) else max(apart, together)
        return total

    def cost(self, cluster_of: Sequence[int]) -> fmpq:
        """Return the penalties that a partition pays, given the cluster of each point."""
        pairs = ((cluster_of[i] == cluster_of[j], apart, together) for i, j, apart, together in self)
        return sum((together if same else apart for same, apart, together in pairs), fmpq(0))

    def open(self, state: State, index: Sequence[int]) -> Penalties:
        """Return the penalties, apart and together, of the super-points i < j between which a state leaves pairs open.

        ``index`` is the super-point of each point.
        """
        found: Penalties = {}
        for p, q, apart, together in self:
            i, j = sorted((index[p], index[q]))
            if i != j and not state.apart(p, q):
                before = found.get((i, j), (fmpq(0), fmpq(0)))
                found[i, j] = before[0] + apart, before[1] + together
        return found


def entries(penalties: Penalties, weights: Sequence[arb], least: Sequence[arb]) -> list[tuple[int, int, arb]]:
    """Return the entries of P: ``<P, Y>`` is at most what a partition pays for pairs i < j of super-points.

    ``weights`` are those of super-points, and ``least`` the least ones of the clusters that hold them.
    """
    result = []
    spend(OF_A_STEP * len(penalties))
    for (i, j), (apart, together) in penalties.items():
        root = (weights[i] * weights[j]).sqrt()
        ends = max(weights[i], least[i]), max(weights[j], least[j])
        both = together * max(weights[i] + weights[j], least[i], least[j]) / root / 2
        both -= apart * (ends[0] + ends[1]) / root / 4
        result += [(i, i, apart * ends[0] / weights[i] / 2), (j, j, apart * ends[1] / weights[j] / 2)]
        result += [(i, j, both), (j, i, both)]
    return result


def _soft(row: object, n: int) -> SoftPair:
    require(isinstance(row, list) and len(row) == 4, "conditions: not a pair and its penalties")
    i, j, *penalties = cast(list[Any], row)
    for penalty in penalties:
        require(type(penalty) in (int, float) and penalty >= 0, f"conditions: {penalty!r} is not a penalty")
    require(i != j, "conditions: a soft pair of a point with itself")
    apart, together = map(number, penalties)
    return whole(i, 0, n, "a point"), whole(j, 0, n, "a point"), apart, together
