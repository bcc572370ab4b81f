"""Limits of groups: what clusters hold at least and at most of the points with the same label."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flint import fmpq

from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_AN_ITEM, spend
from pcsos.verify.limit import Amounts, Limit, listed
from pcsos.verify.reader import require, whole

NAMES = ("groups", "group_min", "group_max")


def limit(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
    """Return what limits of groups ask for: so many points of each, which weigh something by themselves."""
    n, stated = len(weights), limits.get("groups")
    labels = [] if stated is None else listed(stated)
    require(all(type(label) is str for label in labels), "conditions: a label of a group is not text")
    require(stated is None or len(labels) == n, "conditions: groups are not one for each point")
    least, most = (_numbers(limits.get(name), name, Counter(labels)) for name in NAMES[1:])
    own: dict[str, list[fmpq]] = {name: [] for name in {*least, *most}}
    low, high = fmpq(0), sum(weights, fmpq(0))
    for label, weight in zip(labels, weights, strict=False):  # without any labels there is nothing to add
        if label in own:
            own[label].append(weight)
    for name, ordered in own.items():
        ordered.sort()
        low += sum(ordered[: least.get(name, 0)], fmpq(0))
        high -= sum(ordered[: max(len(ordered) - most.get(name, n), 0)], fmpq(0))

    def amounts(points: Sequence[int]) -> Amounts:
        spend(OF_AN_ITEM * len(points))
        return Counter(labels[p] for p in points if labels[p] in own) if own else Counter()

    return Limit(amounts, dict.fromkeys(own, 0) | least, dict.fromkeys(own, n) | most, low, high)


def _numbers(stated: object, name: str, held: Counter[str]) -> dict[str, int]:
    """Return numbers of points by groups."""
    numbers: dict[str, int] = {}
    for row in [] if stated is None else listed(stated):
        require(isinstance(row, list) and len(row) == 2, f"conditions: {name} is not about groups")
        group, number = row
        require(type(group) is str and group in held, f"conditions: {name} is about a group that has no points")
        require(group not in numbers, f"conditions: {name} is twice about a group")
        numbers[group] = whole(number, 0, held.total() + 1, name)
    return numbers
