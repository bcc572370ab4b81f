"""Small instances that arithmetic finds hard: magnitudes over hundreds of decades, uneven weights, ties, duplicates."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests import oracle

Points = NDArray[np.float64]
Pairs = list[tuple[int, int]]
Generator = np.random.Generator

GAPS = (1e-4, 1e-8, 1e-9)
#: Exponents of ten within which coordinates are documented to be admitted.
LEAST_EXPONENT, LARGEST_EXPONENT = -160.0, 139.0


@dataclass(frozen=True, eq=False)
class Hard:
    """The raw arguments of a solve, which an instance may refuse, and how they were drawn."""

    points: Points
    n_clusters: int
    must_link: Pairs
    cannot_link: Pairs
    weights: Points
    gap: float
    journaled: bool  #: whether to write a run file and to verify it
    branching: bool  #: whether nodes get so little work that the tree must branch
    points_kind: str
    weights_kind: str


def draw(seed: int, *, max_points: int = 9) -> Hard:
    rng = np.random.default_rng([seed, 9])
    how = float(rng.choice(GAPS)), bool(rng.random() < 0.4), bool(rng.random() < 0.25)
    points_kind = str(rng.choice([*POINTS, "plain", "subnormal total"]))
    if points_kind == "plain":
        plain = oracle.random_instance(rng, max_points=max_points)
        pairs = [[tuple(p) for p in linked.tolist()] for linked in (plain.must_link, plain.cannot_link)]
        return Hard(plain.points, plain.n_clusters, *pairs, plain.weights, *how, "plain", "plain")
    n = int(rng.integers(1, 5)) if rng.random() < 0.15 else int(rng.integers(5, max_points + 1))
    n_clusters = int(rng.integers(1, n + 1))
    if points_kind == "subnormal total":
        points, weights, weights_kind = *subnormal_total(rng, n), points_kind
    else:
        weights_kind = str(rng.choice(list(WEIGHTS)))
        points = POINTS[points_kind](rng, n, int(rng.choice([1, 2, 3, 12], p=[0.3, 0.4, 0.2, 0.1])))
        weights = WEIGHTS[weights_kind](rng, n)
    must_link, cannot_link = constraints(rng, n)
    return Hard(points, n_clusters, must_link, cannot_link, weights, *how, points_kind, weights_kind)


def decades(rng: Generator, low: float, high: float, shape: int | tuple[int, int]) -> Points:
    """Powers of ten with exponents uniform between these."""
    powers: Points = 10.0 ** rng.uniform(low, high, shape)
    return powers


def gaussian(rng: Generator, n: int, d: int) -> Points:
    return rng.standard_normal((n, d))


def scaled(rng: Generator, n: int, d: int) -> Points:
    """Any one magnitude."""
    return np.clip(gaussian(rng, n, d) * decades(rng, -138.0, LARGEST_EXPONENT, 1), -1e140, 1e140)


def grid(rng: Generator, n: int, d: int) -> Points:
    """Few places on a grid, so that many partitions cost the same."""
    return rng.integers(0, 3, (n, d)) * float(rng.choice([1.0, 0.1, 1e-9, 2.0**60]))


def duplicates(rng: Generator, n: int, d: int) -> Points:
    """At most half as many places as points, some of them one unit in the last place apart."""
    points = gaussian(rng, n, d)[rng.integers(0, max(1, n // 2), n)]
    return np.where(rng.random((n, d)) < 0.1, np.nextafter(points, np.inf), points)


def collinear(rng: Generator, n: int, d: int) -> Points:
    """On a line, at whole or at any steps."""
    steps = rng.integers(-4, 5, (n, 1)) if rng.random() < 0.5 else rng.standard_normal((n, 1))
    return gaussian(rng, 1, d) + steps * gaussian(rng, 1, d)


def all_magnitudes(rng: Generator, n: int, d: int) -> Points:
    """Rows over 300 decades."""
    return np.clip(gaussian(rng, n, d) * decades(rng, LEAST_EXPONENT, LARGEST_EXPONENT, (n, 1)), -1e140, 1e140)


def mixed_magnitudes(rng: Generator, n: int, d: int) -> Points:
    """Rows over 14 decades."""
    return gaussian(rng, n, d) * decades(rng, -7.0, 7.0, (n, 1))


def subnormal(rng: Generator, n: int, d: int) -> Points:
    """Coordinates, or their squares, below the least normal number, most often beside one of ordinary size."""
    points = gaussian(rng, n, d) * float(rng.choice([1e-318, 1e-310, 1e-170, 1e-160]))
    if rng.random() < 0.7:
        points[0] = float(rng.choice([1.0, 1e-100, 1e-130]))
    return points


def offset(rng: Generator, n: int, d: int) -> Points:
    return gaussian(rng, n, d) + float(rng.choice([-1.0, 1.0])) * decades(rng, 3.0, 15.0, (1, d))


def outlier(rng: Generator, n: int, d: int) -> Points:
    """One or two coordinates far from all the others."""
    points = gaussian(rng, n, d)
    for _ in range(int(rng.integers(1, 3))):
        points[rng.integers(n), rng.integers(d)] = float(rng.choice([999_999.0, 1e6, -1e12, 2.0**70]))
    return points


def subnormal_total(rng: Generator, n: int) -> tuple[Points, Points]:
    """Two heavy points at one place and light ones around, whose total cost is a subnormal number."""
    points, weights = gaussian(rng, n, 1) * 1e-118, rng.uniform(0.5, 2.0, n) * 1e-84
    points[: min(n, 2)] = points[0]
    weights[: min(n, 2)] = 1e-43
    return points, weights


def one(rng: Generator, n: int) -> Points:
    return np.ones(n)


def whole(rng: Generator, n: int) -> Points:
    return rng.integers(1, 10, n).astype(float)


def over_9_decades(rng: Generator, n: int) -> Points:
    return decades(rng, -4.5, 4.5, n)


def over_18_decades(rng: Generator, n: int) -> Points:
    return decades(rng, -9.0, 9.0, n)


def over_60_decades(rng: Generator, n: int) -> Points:
    return decades(rng, -30.0, 30.0, n)


def uneven(rng: Generator, n: int) -> Points:
    """One heavy and one light point, so that a sum does not notice the light one."""
    weights = np.ones(n)
    weights[: min(n, 2)] = [[1e9, 1e-9], [2.0**53, 0.5], [1e22, 1.0], [1e30, 1.0]][int(rng.integers(4))][: min(n, 2)]
    return rng.permutation(weights)


POINTS: dict[str, Callable[[Generator, int, int], Points]] = {
    "Gaussian": gaussian,
    "scaled": scaled,
    "grid": grid,
    "duplicates": duplicates,
    "collinear": collinear,
    "all magnitudes": all_magnitudes,
    "mixed magnitudes": mixed_magnitudes,
    "subnormal": subnormal,
    "offset": offset,
    "outlier": outlier,
}
WEIGHTS: dict[str, Callable[[Generator, int], Points]] = {
    "one": one,
    "whole": whole,
    "9 decades": over_9_decades,
    "18 decades": over_18_decades,
    "60 decades": over_60_decades,
    "uneven": uneven,
}


def constraints(rng: Generator, n: int) -> tuple[Pairs, Pairs]:
    """No pairs, a few of both kinds, or so many cannot-links that often no partition is left."""
    kind = str(rng.choice(["none", "few", "dense"], p=[0.3, 0.5, 0.2]))
    if kind == "none" or n < 2:
        return [], []
    if kind == "few":
        return some_pairs(rng, n, int(rng.integers(0, 4))), some_pairs(rng, n, int(rng.integers(0, 6)))
    share = rng.uniform(0.2, 0.8)
    dense = [(i, j) for j in range(n) for i in range(j) if rng.random() < share]
    return some_pairs(rng, n, int(rng.integers(0, 2))), dense


def some_pairs(rng: Generator, n: int, count: int) -> Pairs:
    drawn = [rng.choice(n, 2, replace=False).tolist() for _ in range(count)]
    return [(i, j) for i, j in drawn]
