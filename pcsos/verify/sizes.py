"""Sizes: what clusters hold at least and at most, as numbers of points, as weights, or as a list of sizes."""

from typing import Any

from flint import fmpq

from pcsos.verify.doubles import Doubles
from pcsos.verify.limit import POINTS, Limit, listed, number
from pcsos.verify.reader import require, whole

SLACK = fmpq(1, 2**30)  # the share of a limit by which a weight may miss it
NAMES = ("size_min", "size_max", "weight_min", "weight_max", "sizes")


def sizes_of(limits: dict[str, Any], n: int, k: int) -> list[int] | None:
    """Return the numbers of points of all clusters, increasing; None where they are open."""
    stated = limits.get("sizes")
    if stated is None:
        return None
    sizes = sorted(whole(size, 1, n + 1, "a size") for size in listed(stated))
    require(len(sizes) == k and sum(sizes) == n, "conditions: sizes of other clusters or points")
    return sizes


def limit(limits: dict[str, Any], weights: Doubles, k: int) -> Limit:
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
    stated = limits.get(name)
    if stated is None:
        return None
    require(type(stated) in (int, float) and stated >= 0, f"conditions: {name} is {stated!r}, no weight")
    return number(stated) * (1 + side * SLACK)
