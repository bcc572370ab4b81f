"""Arrays of doubles as the proof sees them: one at a time as a rational number, an integer or a ball, never rounded.

A number that has become one of these takes ten times the memory of a double. So the doubles are kept, and what is
asked for is made anew, but for arrays that are so small that they can be kept as they are needed. Whoever asks is
charged here, by the digits that the numbers of the array have as integers in one unit.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from flint import arb, arb_mat, fmpq
from numpy.typing import NDArray

from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, OF_AN_ITEM, spend
from pcsos.verify.exact import exact_rows, image
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.payloads import read_part, read_prices

DIGITS, HALF = 53, 26  # of a mantissa, and of the lower half of one
OF_A_DOUBLE, OF_ONE_KEPT = 8, 500  # bytes of one, and of all that is made of one that is kept
KEPT = 1 << 16  # numbers of an array up to which they are kept as rational numbers and balls, too
OF_AN_ENTRY = 20  # work that a number of an array is worth where all of them are looked at as doubles


class Doubles:
    """Finite doubles, of shape (n,) or (n, d), that are read as the rational numbers that they are."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        spend(OF_A_STEP + OF_AN_ENTRY * values.size)
        self._values = values
        self.shape = values.shape
        self.is_small = values.size <= KEPT

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._values,)  # what is kept of them is made anew in another process

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: int) -> Any:
        """Return a number, or a row of them, as rational numbers."""
        spend(self._price)
        return self._rationals[at] if self.is_small else exact_rows(self._values[at : at + 1])[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[at] for at in range(len(self)))

    @cached_property
    def words(self) -> int:
        """Words of 64 digits that hold each number as an integer in units of ``2^exponent``."""
        return 1 + self.bits // 64

    @cached_property
    def _price(self) -> int:
        """What a number, or a row, costs; more where it is made anew."""
        made = 0 if self.is_small else OF_A_STEP // 2
        return made + self._price_of(math.prod(self.shape[1:]))

    def _price_of(self, number: int) -> int:
        return (OF_A_NUMBER + OF_AN_ITEM * (self.words - 1)) * number

    @cached_property
    def _rationals(self) -> list[Any]:
        return exact_rows(self._values)

    @property
    def memory(self) -> int:
        """Bytes that it takes, with all that is kept of it."""
        return self._values.size * (OF_A_DOUBLE + OF_ONE_KEPT * self.is_small)

    def take(self, which: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return some of the numbers, or rows."""
        return type(self)(self._values[np.array(which, np.intp)])

    def balls(self, at: int) -> Any:
        """Return a number, or a row of them, as balls without radius."""
        spend(self._price)
        return self._balls[at] if self.is_small else _as_balls(self._values[at])

    @cached_property
    def _balls(self) -> list[Any]:
        return [_as_balls(own) for own in self._values]

    def column(self, number: int) -> "Doubles":
        """Return a column of an array with two dimensions."""
        return Doubles(self._values[:, number])

    def is_constant(self) -> bool:
        """Tell whether all numbers, or rows, are the same."""
        return bool((self._values == self._values[:1]).all())

    @cached_property
    def exponent(self) -> int:
        """The largest e, at most 0, for which all numbers are integers times 2^e."""
        return min(0, *map(_lowest_bit, _pieces(self._values)))

    @cached_property
    def bits(self) -> int:
        """Binary digits of the largest of these integers."""
        largest = max((float(np.abs(own).max()) for own in _pieces(self._values)), default=0.0)
        return max(math.frexp(largest)[1] - self.exponent, 1)

    @property
    def unit(self) -> fmpq:
        """2^exponent."""
        return power(self.exponent)

    def integers(self, which: Any) -> Any:
        """Return some numbers, or rows, as integers in units of ``2^exponent``."""
        mantissas, exponents = self.digits(which)
        spend(OF_A_STEP + self._price_of(mantissas.size))
        return _shifted(mantissas.tolist(), np.where(mantissas != 0, exponents - self.exponent, 0).tolist())

    def digits(self, which: Any = slice(None)) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return mantissas of 53 digits, or 0, and exponents: exactly what some numbers are."""
        mantissas, exponents = np.frexp(self._values[which])
        return np.ldexp(mantissas, DIGITS).astype(np.int64), exponents.astype(np.int64) - DIGITS

    def total(self) -> fmpq:
        """Return the sum of all numbers, exactly: those of one exponent are added up as halves of their digits."""
        total, low = fmpq(0), (1 << HALF) - 1
        spend(OF_AN_ENTRY * self._values.size)
        for start in range(0, self._values.size, KEPT):
            mantissas, exponents = self.digits(slice(start, start + KEPT))
            least = int(exponents.min())
            sums = np.zeros((2, int(exponents.max()) - least + 1), np.int64)
            np.add.at(sums[0], exponents - least, mantissas >> HALF)
            np.add.at(sums[1], exponents - least, mantissas & low)
            for place, (above, below) in enumerate(sums.T.tolist()):
                if above or below:
                    total += fmpq((above << HALF) + below) * power(place + least)
        return total

    def corners(self) -> list[list[fmpq]]:
        """Return the least numbers of all columns, and the greatest."""
        return exact_rows(np.array([self._values.min(axis=0), self._values.max(axis=0)]))

    def image(self) -> bytes:
        """Return shape and doubles as bytes, to compare with those of another array."""
        return image(self._values)

    def entries(self) -> NDArray[np.float64]:
        """Return the doubles in row order, the same on any machine."""
        return np.ascontiguousarray(self._values, "<f8").reshape(-1)

    def is_symmetric(self) -> bool:
        """Tell whether a square equals its transpose."""
        return all((row == column).all() for row, column in zip(self._values, self._values.T, strict=True))

    def block(self, rows: slice, columns: slice) -> arb_mat:
        """Return a block of an array with two dimensions as balls."""
        own = self._values[rows, columns]
        spend(OF_AN_ITEM * own.size)
        return arb_mat(len(own), own.shape[1], own.ravel().tolist())

    def positive(self) -> list[int]:
        """Return which numbers are positive."""
        return list(np.flatnonzero(self._values > 0.0).tolist())


def _pieces(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    flat = values.reshape(-1)
    return (flat[start : start + KEPT] for start in range(0, flat.size, KEPT))


def _as_balls(values: NDArray[np.float64]) -> Any:
    return [arb(value) for value in values.tolist()] if values.ndim else arb(float(values))


def _lowest_bit(values: NDArray[np.float64]) -> int:
    """Return the exponent of the lowest binary digit of some numbers, 0 if there is none."""
    mantissas, exponents = np.frexp(values[values != 0.0])
    digits = np.ldexp(mantissas, 53).astype(np.int64)
    above = np.frexp((digits & -digits).astype(np.float64))[1]  # by one
    return int((above + exponents).min(initial=54)) - 54


def _shifted(digits: Any, shifts: Any) -> Any:
    if not isinstance(digits, list):
        return digits << shifts if shifts >= 0 else digits >> -shifts  # whose digits there are 0
    return [_shifted(own, by) for own, by in zip(digits, shifts, strict=True)]


def power(exponent: int) -> fmpq:
    """Return a power of two."""
    return fmpq(1 << exponent) if exponent >= 0 else fmpq(1, 1 << -exponent)


def read_doubles(data: object, name: str, memory: Memory, *, ndim: int, size: int | None = None) -> Doubles:
    """Return the only array of a blob, of finite doubles."""
    return Doubles(only(Arrays.doubles, data, name, memory, ndim=ndim, size=size))


def read_priced(
    arrays: Arrays, size: int, num_features: int
) -> tuple[Doubles, NDArray[np.int64], NDArray[np.int64] | None]:
    """Return so many prices, the list of knots, and the matrix of axes, if there are any."""
    prices, knots, axes = read_prices(arrays, size=size, num_features=num_features)
    return Doubles(prices), knots, axes


def read_shares(arrays: Arrays, n: int) -> tuple[NDArray[np.int64], Doubles]:
    """Return some of n points, and their weights."""
    points, weights = read_part(arrays, n)
    return points, Doubles(weights)
