"""A limit: what a family of limits asks of every cluster, whatever the family."""

import sys
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


def double(value: float) -> fmpq:
    """Return a number of JSON, as a double, exactly."""
    require(abs(value) <= sys.float_info.max, f"conditions: {value!r:.40} is not a finite number")
    return exact(value)
