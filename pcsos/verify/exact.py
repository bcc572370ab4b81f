"""The only door between floating point and the proof: a double comes in as the rational number that it is.

Inside the proof (:mod:`pcsos.verify.checker`, ``bound``, ``state``) there are integers, rational numbers and balls, and
no float at all, so that nothing can be rounded unseen. A test watches every value that is computed there.
"""

import math
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import ArrayLike, NDArray

from pcsos.verify.errors import InputError


def exact(value: float) -> fmpq:
    """Return a finite double as the rational number that it is."""
    return fmpq(*float(value).as_integer_ratio())


def exact_rows(values: NDArray[np.float64]) -> list[Any]:
    """Return an array of finite doubles, of one or two dimensions, as (nested lists of) rational numbers."""
    return [exact_rows(row) for row in values] if values.ndim > 1 else [exact(value) for value in values.tolist()]


def image(values: NDArray[np.float64]) -> bytes:
    """Return shape and doubles of an array as bytes, to compare with those of another; a sign of 0 does not count."""
    return repr(values.shape).encode() + (values + 0.0).astype("<f8").tobytes()


def image_of_points(points: ArrayLike) -> bytes:
    """Return the image of points that somebody gives, of shape (n, d) or (n,)."""
    rows = _doubles(points, "points")
    if rows.ndim not in (1, 2) or not rows.size:
        raise InputError(f"the points to compare with have the shape {rows.shape}; give those of the run")
    return image(rows.reshape(len(rows), -1))


def image_of_gram(matrix: ArrayLike) -> bytes:
    """Return the image of a Gram matrix that somebody gives: of the mean of it and its transpose."""
    rows = _doubles(matrix, "inner products")
    if rows.ndim != 2 or rows.shape[0] != rows.shape[1]:
        raise InputError(f"the Gram matrix to compare with has the shape {rows.shape}; give that of the run")
    return image(0.5 * (rows + rows.T))


def image_of_weights(weights: ArrayLike | None, n: int) -> bytes:
    """Return the image of weights that somebody gives, 1 unless given."""
    return image(np.ones(n) if weights is None else _doubles(weights, "weights").reshape(-1))


def _doubles(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return an array of integers or doubles as doubles; integers that no double is become another number than any."""
    array = np.asarray(values)
    if np.ma.is_masked(values) or array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise InputError(f"the {name} to compare with are no real numbers ({array.dtype}); give those of the run")
    if not np.isfinite(array).all():
        raise InputError(f"the {name} to compare with are not all finite numbers; give those of the run")
    doubles = array.astype(np.float64)
    if array.dtype.kind != "f" and np.abs(doubles).max(initial=0.0) >= 2.0**53:
        changed = [int(double) != whole for double, whole in zip(doubles.flat, array.ravel().tolist(), strict=True)]
        doubles[np.reshape(changed, doubles.shape)] = np.nan
    return doubles


def rounded_down(number: fmpq | arb) -> float:
    """Return the greatest double at or below a number that is known exactly."""
    ball = arb(number)
    nearest = float(ball.mid())
    return nearest if arb(nearest) <= ball else math.nextafter(nearest, -math.inf)


def rounded_up(number: fmpq | arb) -> float:
    """Return the least double at or above a number that is known exactly."""
    ball = arb(number)
    nearest = float(ball.mid())
    return nearest if arb(nearest) >= ball else math.nextafter(nearest, math.inf)


def shown(number: fmpq | arb | None) -> str:
    """Return a number in words, as short as it can be distinguished from others."""
    if number is None:
        return "none"
    ball = arb(number)
    if not ball.is_finite():
        return "infinity" if ball > 0 else "nothing"
    nearest = float(ball.mid())
    return repr(nearest) if arb(nearest) == ball else str(ball.str(17, radius=False))


def midpoints(entries: list[Any], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return balls as doubles, to look at; nothing is proved with them."""
    return np.array([float(entry.mid()) for entry in entries]).reshape(shape)


def fraction_of(bound: arb) -> tuple[int, int]:
    """Return the lower end of a ball as numerator and denominator."""
    mantissa, exponent = (int(value) for value in bound.lower().man_exp())
    return mantissa * 2 ** max(exponent, 0), 2 ** max(-exponent, 0)
