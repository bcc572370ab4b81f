"""Portable arithmetic: matrices that have the same bits on every processor.

BLAS adds up in an order that depends on the processor, and so do the exponentials of NumPy and of C libraries in their
last digits; a run file that holds such a matrix could be checked against its points on the same kind of processor only.
Here everything is made of additions, subtractions, multiplications and powers of two of whole arrays, one after the
other in an order that is written down, each of which IEEE 754 rounds in one way. Sums are those of :func:`math.fsum`,
which are rounded once.
"""

import math
from collections.abc import Callable
from itertools import chain

import numpy as np

from pcsos.base.typing import Floats

#: Entries that are computed at a time, which fit into a cache.
BLOCK_ENTRIES = 1 << 15

#: log 2 as two numbers, of which the first has its last 21 bits 0, and what turns it round.
LOG2_HIGH, LOG2_LOW, PER_LOG2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.0 / math.log(2.0)
#: Below this an exponential is 0.
LEAST_EXPONENT = -746.0
#: Taylor coefficients of the exponential; the next one counts less than 2^-57 within log(2) / 2 of 0.
COEFFICIENTS = [1.0 / math.factorial(power) for power in range(14)]

Term = Callable[[Floats, Floats, Floats], object]


def inner_products_of(points: Floats, others: Floats) -> Floats:
    """Return ``<p_i, q_j>``, shape (n, m), each a sum over the features in their order.

    The same array twice gives an exactly symmetric matrix in half the time.
    """
    return _summed(points, others, np.multiply)


def squared_distances(points: Floats, others: Floats) -> Floats:
    """Return ``||p_i - q_j||^2``, likewise."""

    def square(column: Floats, row: Floats, term: Floats) -> None:
        np.subtract(column, row, out=term)
        np.multiply(term, term, out=term)

    return _summed(points, others, square)


def exponentials(values: Floats) -> Floats:
    """Return ``exp(x)`` for numbers from minus infinity to 0, within 1.1 units of the last digit.

    ``x = m log 2 + r`` with r within log(2) / 2 of 0; the exponential of r is that of a polynomial.
    """
    shape, flat = values.shape, values.reshape(-1)
    result = np.empty(flat.size)
    for start in range(0, flat.size, BLOCK_ENTRIES):
        part = np.maximum(flat[start : start + BLOCK_ENTRIES], LEAST_EXPONENT)
        powers = np.rint(part * PER_LOG2)
        rest = (part - powers * LOG2_HIGH) - powers * LOG2_LOW
        total = np.full(part.size, COEFFICIENTS[-1])
        for coefficient in COEFFICIENTS[-2::-1]:
            np.multiply(total, rest, out=total)
            np.add(total, coefficient, out=total)
        result[start : start + BLOCK_ENTRIES] = np.ldexp(total, powers.astype(np.int32))
    return result.reshape(shape)


def column_means(points: Floats) -> Floats:
    """Return the mean of each column, shape (d,)."""
    return np.array([math.fsum(column.tolist()) / len(points) for column in points.T])


def column_deviations(points: Floats) -> Floats:
    """Return the standard deviation of each column about its mean, shape (d,)."""
    found = []
    for column in points.T:
        _, exponent = math.frexp(float(np.abs(column).max()))
        scaled = np.ldexp(column, -exponent)  # exact, but for what is far below the others
        squares = (scaled - math.fsum(scaled.tolist()) / len(points)) ** 2
        found.append(math.ldexp(math.sqrt(math.fsum(squares.tolist()) / len(points)), exponent))
    return np.array(found)


def variance(values: Floats) -> float:
    """Return the variance of all entries of a table about their mean."""
    mean = math.fsum(chain.from_iterable(row.tolist() for row in values)) / values.size
    squares = (((row - mean) ** 2).tolist() for row in values)
    return math.fsum(chain.from_iterable(squares)) / values.size


def _summed(points: Floats, others: Floats, term_of: Term) -> Floats:
    """Return the sums over the features of what becomes of a column and a row of each, some rows at a time."""
    result = np.empty((len(points), len(others)))
    features = np.ascontiguousarray(others.T)
    rows = max(1, BLOCK_ENTRIES // max(len(others), 1))
    for start in range(0, len(points), rows):
        stop = min(start + rows, len(points))
        first = start if others is points else 0  # the columns before are rows already
        block = np.zeros((stop - start, len(others) - first))
        term = np.empty_like(block)
        for column, row in zip(points[start:stop].T, features, strict=True):
            term_of(column[:, None], row[first:], term)
            block += term
        result[start:stop, first:] = block
        if first:
            result[start:stop, :first] = result[:first, start:stop].T
    return result
