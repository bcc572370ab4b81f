"""Limits of what clusters hold, a family at a time: numbers of points, weights and lists of sizes; loads; groups."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from flint import fmpq

from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_NUMBER, OF_AN_ITEM, spend
from pcsos.verify.exact import exact
from pcsos.verify.reader import require, whole

POINTS, WEIGHT, LOADS = 0, 1, 2  # kinds of what clusters hold, all loads from there on; and groups by their labels
Amounts = dict[Any, Any]


class Limit(NamedTuple):
    """Every cluster holds from ``least`` to ``most`` of what ``amounts`` counts, and weighs from ``low`` to ``high``.

    What is counted adds up, kind by kind; kinds of which some points have none need not be there.
    """

    amounts: Callable[[Sequence[int]], Amounts]
    least: Amounts
    most: Amounts
    low: fmpq
    high: fmpq


def listed(value: object) -> list[Any]:
    """Return a list of JSON."""
    require(isinstance(value, list), "conditions: not a list")
    return cast(list[Any], value)


def number(value: float) -> fmpq:
    """Return a number of JSON, exactly: a whole one as it is, any other one as a double."""
    require(type(value) is int or math.isfinite(value), f"conditions: {value!r:.40} is not a finite number")
    return fmpq(value) if type(value) is int else exact(value)


SLACK = fmpq(1, 2**30)  # the share of a limit by which a weight may miss it
OF_SIZES = ("size_min", "size_max", "weight_min", "weight_max", "sizes")


def sizes_of(limits: dict[str, Any], n: int, k: int) -> list[int] | None:
    """Return the numbers of points of all clusters, increasing; None where they are open."""
    stated = limits.get("sizes")
    if stated is None:
        return None
    sizes = sorted(whole(size, 1, n + 1, "a size") for size in listed(stated))
    require(len(sizes) == k and sum(sizes) == n, "conditions: sizes of other clusters or points")
    return sizes


def of_sizes(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
    """Return what sizes and weights ask for: every cluster has so many points, which weigh something by themselves."""
    n, sizes = len(weights), sizes_of(limits, len(weights), k)
    least, most = limits.get("size_min"), limits.get("size_max")
    fewest = 1 if least is None else whole(least, 1, n + 1, "size_min")
    largest = n if most is None else whole(most, 1, n + 1, "size_max")
    if sizes is not None:
        fewest, largest = max(fewest, sizes[0]), min(largest, sizes[-1])
    ordered = sorted(weights)
    low, high = sum(ordered[:fewest], fmpq(0)), sum(ordered[-largest:], fmpq(0))
    lightest, heaviest = _weight(limits, "weight_min", -1), _weight(limits, "weight_max", 1)
    low = low if lightest is None else max(low, lightest)
    high = high if heaviest is None else min(high, heaviest)
    return Limit(lambda points: {POINTS: len(points)}, {POINTS: fewest}, {POINTS: largest}, low, high)


def _weight(limits: dict[str, Any], name: str, side: int) -> fmpq | None:
    return _end(limits.get(name), name, side)


def _end(stated: Any, name: str, side: int) -> fmpq | None:
    """Return the least (-1) or the greatest (1) amount of a cluster, with its slack; None where there is none."""
    return None if stated is None else _amount(stated, name) * (1 + side * SLACK)


def _amount(stated: Any, name: str) -> fmpq:
    require(type(stated) in (int, float) and stated >= 0, f"conditions: {name} is {stated!r:.40}, no amount")
    return number(stated)


OF_LOADS = ("loads", "load_min", "load_max")


def of_loads(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
    """Return what limits of loads ask for: points that fit into a cluster weigh something by themselves."""
    rows = [[_amount(own, "a load") for own in listed(row)] for row in listed(limits.get("loads") or [])]
    width = len(rows[0]) if rows else 0
    require(all(len(row) == width for row in rows), "conditions: points have different numbers of loads")
    require(limits.get("loads") is None or (width and len(rows) == len(weights)), "conditions: not loads of each point")
    ends = []
    for name, side in zip(OF_LOADS[1:], (-1, 1), strict=True):
        given = [None] * width if limits.get(name) is None else listed(limits[name])
        require(len(given) == width, f"conditions: {name} is not about each load")
        ends.append([_end(own, name, side) for own in given])
    mass, price = sum(weights, fmpq(0)), 0
    low, high, least, most = fmpq(0), mass, Amounts(), Amounts()
    for kind, (column, fewest, largest) in enumerate(zip(zip(*rows, strict=True), *ends, strict=True), LOADS):
        total = sum(column, fmpq(0))
        price += OF_A_NUMBER + OF_AN_ITEM * (total.height_bits() // 64)
        least[kind], most[kind] = fmpq(0) if fewest is None else fewest, total if largest is None else largest
        low = max(low, mass - _heaviest(column, weights, total - least[kind]))
        high = min(high, _heaviest(column, weights, most[kind]))

    def amounts(points: Sequence[int]) -> Amounts:
        spend(price * len(points))
        return {kind: sum((rows[p][kind - LOADS] for p in points), fmpq(0)) for kind in least}

    return Limit(amounts, least, most, low, high)


def _heaviest(loads: Sequence[fmpq], weights: Doubles, room: fmpq) -> fmpq:
    """Return what points weigh at most that bring no more than there is room for, if they may be divided."""
    total, left = fmpq(0), max(room, fmpq(0))
    for load, weight in sorted(zip(loads, weights, strict=True), key=lambda own: own[0] / own[1]):
        if load > left:
            return fmpq(total + left / load * weight)
        total, left = total + weight, left - load
    return total


OF_GROUPS = ("groups", "group_min", "group_max")


def of_groups(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
    """Return what limits of groups ask for: so many points of each, which weigh something by themselves."""
    n, stated = len(weights), limits.get("groups")
    labels = [] if stated is None else listed(stated)
    require(all(type(label) is str for label in labels), "conditions: a label of a group is not text")
    require(stated is None or len(labels) == n, "conditions: groups are not one for each point")
    least, most = (_numbers(limits.get(name), name, Counter(labels)) for name in OF_GROUPS[1:])
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


# The names of limits, and what they ask of every cluster.
FAMILIES = ((OF_SIZES, of_sizes), (OF_LOADS, of_loads), (OF_GROUPS, of_groups))
