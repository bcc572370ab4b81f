"""A limit: what a family of limits asks of every cluster, whatever the family."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from flint import fmpq

from pcsos.verify.exact import exact
from pcsos.verify.reader import require

POINTS, WEIGHT = 0, 1  # kinds of what clusters hold, beside groups by their labels
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
