"""Tolls: what a cluster pays for its weight where it may hold no more than a capacity.

A toll t charges ``t w_i`` to a point of weight w_i, in units of ``2^-TOLL_BITS``, and pays t for each unit of capacity.
So no cluster within its capacity earns less with a toll than without (docs/certificate.md, section 12).
"""

from typing import NamedTuple, Self

import numpy as np
from flint import fmpq

from pcsos.verify.doubles import DIGITS, power
from pcsos.verify.integers import Integers

TOLL_BITS, MOST_TOLL = 30, 1 << 60
MOST_PAID = 1 << 58  # more than all prices together, in whatever parts


class Tolls(NamedTuple):
    """Weights of points, rounded down and less than 2^31, and the capacity in the same units, rounded up."""

    weight: Integers
    capacity: int

    @classmethod
    def of(cls, mantissa: Integers, exponent: Integers, capacity: fmpq) -> Self:
        """Return those of weights ``mantissa 2^exponent`` with 53 digits each."""
        unit = int(exponent.max()) + DIGITS - TOLL_BITS - 1
        weight = mantissa >> np.minimum(unit - exponent, 63)
        return cls(weight, min(int((capacity / power(unit)).ceil()), int(weight.sum()) + weight.size))

    def charged(self, toll: Integers, point: Integers) -> Integers:
        """Return what points are charged, rounded down."""
        weight = self.weight[point]
        low = toll & ((1 << TOLL_BITS) - 1)
        return np.asarray(weight * (toll >> TOLL_BITS) + ((weight * low) >> TOLL_BITS))

    def rates(self, values: Integers, point: Integers) -> Integers:
        """Return the tolls at which points are charged these values, nearly."""
        rates = values.astype(np.float64) * 2.0**TOLL_BITS / np.maximum(self.weight[point], 1)
        return np.asarray(np.clip(rates, 0, MOST_TOLL), np.int64)

    def fair(self, values: Integers, box: Integers, point: Integers, held: Integers) -> Integers:
        """Return for each box the toll at which those that are worth it fill what is left of the capacity, nearly.

        If they just do, it is halfway to the next, so that nobody is close to it.
        """
        rates = self.rates(values, point)
        order = np.lexsort((-rates, box))
        filled = np.cumsum(self.weight[point[order]])
        counts = np.bincount(box, minlength=held.size)
        ends = np.cumsum(counts)
        before = np.concatenate([[0], filled])[ends - counts]
        slack = self.weight.size  # of sums that are rounded
        wanted = np.array([self.capacity - own - slack for own in held.tolist()]) + before
        last = np.searchsorted(filled, wanted)
        ordered, filled = np.append(rates[order], [0, 0]), np.append(filled, [0, 0])
        own, other = (np.where(at < ends, ordered[np.minimum(at, order.size)], 0) for at in (last, last + 1))
        tolls = np.where(filled[np.minimum(last, order.size)] <= wanted + 2 * slack, (own + other) >> 1, own)
        return np.asarray(np.where(last < ends - counts, MOST_TOLL, tolls), np.int64)

    def paid(self, toll: Integers, held: Integers, parts: int) -> Integers:
        """Return parts of what tolls pay for the capacity beyond what boxes hold, rounded up."""
        room = [self.capacity - own for own in held.tolist()]
        paid = [-((-parts * t * own) >> TOLL_BITS) for t, own in zip(toll.tolist(), room, strict=True)]
        return np.array([min(max(own, -MOST_PAID), MOST_PAID) for own in paid], np.int64)


def extremes(values: Integers, box: Integers, size: int) -> tuple[Integers, Integers]:
    """Return the least and the greatest value of each box; where there is none, none is less or greater."""
    least, most = np.full(size, MOST_TOLL, np.int64), np.zeros(size, np.int64)
    np.minimum.at(least, box, values)
    np.maximum.at(most, box, values)
    return least, most
