"""A limit: what a family of limits asks of every cluster, whatever the family."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from flint import fmpq

from pcsos.verify.exact import exact
from pcsos.verify.reader import require


class Limit(NamedTuple):
    """Every cluster holds from ``least`` to ``most`` of what ``amounts`` counts, and weighs from ``low`` to ``high``.

    What is counted in points adds up.
    """

    amounts: Callable[[Sequence[int]], list[int]]
    least: list[int]
    most: list[int]
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
