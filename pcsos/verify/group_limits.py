"""Limits of groups: what clusters hold at least and at most of the points with the same label."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from flint import fmpq

from pcsos.verify.doubles import Doubles
from pcsos.verify.limit import Limit, listed
from pcsos.verify.reader import require, whole

NAMES = ("groups", "group_min", "group_max")


def limit(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
    """Return what limits of groups ask for: so many points of each, which weigh something by themselves."""
    n, stated = len(weights), limits.get("groups")
    labels = [] if stated is None else listed(stated)
    require(all(type(label) is str for label in labels), "conditions: a label of a group is not text")
    require(stated is None or len(labels) == n, "conditions: groups are not one for each point")
    least, most = (_numbers(limits.get(name), name, Counter(labels)) for name in NAMES[1:])
    named, low, high = sorted({*least, *most}), fmpq(0), sum(weights, fmpq(0))
    for name in named:
        ordered = sorted(weights[p] for p in range(n) if labels[p] == name)
        low += sum(ordered[: least.get(name, 0)], fmpq(0))
        high -= sum(ordered[: max(len(ordered) - most.get(name, n), 0)], fmpq(0))

    def amounts(points: Sequence[int]) -> list[int]:
        return [sum(labels[p] == name for p in points) for name in named]

    return Limit(amounts, [least.get(name, 0) for name in named], [most.get(name, n) for name in named], low, high)


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
