"""Rounding: points that doubles do not hold, and by how much those that stand for them may be off (Mathematics 14).

Integers beyond 2^53 and most decimal fractions are no doubles, but each is next to one. What that may change is charged
to every bound; where it is not small beside the distances of points, the numbers are refused.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.problem.validation.arrays import real_numbers

#: By this share of the range of its column a number may be rounded.
SHARE = 1e-6
#: By this share of itself a number is rounded at most.
HALF_UNIT = 2.0**-53
#: The least double, to which others may be rounded from 0 as well.
LEAST = 5e-324
#: Whole numbers up to this are doubles, and no other whole number is next to one below.
WHOLE = 2.0**53


@dataclass(frozen=True, eq=False)
class Rounded:
    """Coordinates in double precision that stand for others."""

    values: Floats  #: shape (n, d): the doubles
    off: float  #: at least the distance of any row from what it stands for


def may_be_rounded(values: Floats) -> NDArray[np.bool_]:
    """Return which doubles may stand for other numbers: all that are not whole, and those from 2^53 on."""
    found: NDArray[np.bool_] = (np.abs(values) >= WHOLE) | (values != np.rint(values))
    return found


def show_rounding(weights: Floats, given: Callable[[], Sequence[Any]]) -> None:
    """Let whole weights that stand for other numbers show it: they are whole no more, and all are charged for.

    Those are changed by half a unit in their last place; ``given`` returns numbers that are fractions of integers.
    """
    if not weights.size or may_be_rounded(weights).any():
        return
    numbers = zip(given(), weights.tolist(), strict=True)
    differs = np.array([_fraction(number) != Fraction(weight) for number, weight in numbers])
    weights[differs] = np.nextafter(weights[differs], 0.0)


def doubles_of(given: Any, name: str) -> Rounded:
    """Return numbers that somebody gives, by this name, as doubles, and how far these are off.

    They are real, of any kind that Python or NumPy has, and of the shape (n, d) or (n,).

    Raises
    ------
    TypeError, ValueError, OverflowError
        If they are no real numbers.
    InputError
        If too much of them would be lost.
    """
    columns = _columns(given)
    array = np.asarray(given) if columns is None else columns
    values = real_numbers(array)
    if array.ndim not in (1, 2) or not array.size or not np.isfinite(values).all():
        return Rounded(values, 0.0)
    if array is not given and array.dtype == np.float64 and (np.abs(values) >= WHOLE).any():
        array = np.asarray(given, dtype=object)  # whole numbers among others have been rounded already
    return Rounded(values, off_of(array, name))


def _columns(given: Any) -> NDArray[Any] | None:
    """Return the numbers of a table of pandas or Polars as they are, where its columns are not all of plain doubles."""
    if hasattr(given, "get_columns"):
        columns = [column.to_list() for column in given.get_columns()]
        is_plain = {str(column.dtype) for column in given.get_columns()} <= {"Float64", "Float32"}
    elif hasattr(given, "iloc") and hasattr(given, "columns") and hasattr(given, "dtypes"):
        is_plain = all(isinstance(kind, np.dtype) and kind.kind in "fb" and kind.itemsize <= 8 for kind in given.dtypes)
        columns = [] if is_plain else [given.iloc[:, column].tolist() for column in range(given.shape[1])]
    else:
        return None
    kinds = {kind for column in columns for kind in map(type, column)}
    if is_plain or not kinds or kinds <= {float, bool}:
        return None
    table = np.empty((len(columns[0]), len(columns)), dtype=object)
    for position, column in enumerate(columns):
        table[:, position] = column
    return table if all(issubclass(kind, int | float | Decimal | Fraction) for kind in kinds) else None


def off_of(array: NDArray[Any], name: str) -> float:
    """Return at least the distance of any row of finite numbers from its doubles; see :func:`off_by_rounding`."""
    rows = array[:, None] if array.ndim == 1 else array
    values = rows.astype(np.float64)
    if rows.dtype.kind == "O":
        is_in_doubt = np.frompyfunc(_is_in_doubt, 1, 1)(rows).astype(bool)
    elif rows.dtype.kind == "f" and rows.dtype.itemsize > 8:
        is_in_doubt = values != rows
    else:
        is_in_doubt = may_be_rounded(values) & (rows.dtype.kind in "iu")
    return off_by_rounding(
        values,
        is_in_doubt,
        lambda column: list(rows[:, column]),
        lambda row, column: f"{name}[{row}{'' if array.ndim == 1 else f', {column}'}]",
    )


def _is_in_doubt(number: Any) -> bool:
    """Return whether a number may be another one than the double next to it."""
    number = int(number) if isinstance(number, Integral) else number
    return bool(number != float(number))


def off_by_rounding(
    values: Floats,
    is_in_doubt: NDArray[np.bool_],
    given: Callable[[int], Sequence[Any]],
    place: Callable[..., str],
    *,
    may_coincide: bool = True,
) -> float:
    """Return at least the distance of any row from what was given, 0 where nothing was rounded.

    The values (n, d) are finite doubles, each next to what was given, and ``is_in_doubt`` (n, d) says which of them may
    be something else. What was ``given`` in a column are numbers that are fractions of integers; ``place`` tells where
    the number of a ``row`` and a ``column`` is. With ``may_coincide`` different numbers may have become one double.

    Raises
    ------
    InputError
        If different numbers have become one, or a number is rounded by more than :data:`SHARE` of the range of its
        column, or a whole one of its distance from the next one.
    """
    if not is_in_doubt.any():
        return 0.0
    off = np.where(is_in_doubt, HALF_UNIT * np.abs(values) + LEAST, 0.0)
    tolerable = SHARE * np.ptp(values, axis=0)
    is_lost = (off > tolerable) | (off >= 0.5)
    for column in np.flatnonzero(is_lost.any(axis=0)).tolist():
        off[:, column] = _measured(values[:, column], given(column), tolerable[column], partial(place, column=column))
    for column in np.flatnonzero(is_in_doubt.any(axis=0)).tolist() if may_coincide else ():
        _refuse_coincidence(values[:, column], given, partial(place, column=column), column)
    return math.nextafter(float(np.hypot.reduce(off, axis=1).max()) * (1.0 + 2.0**-40), math.inf) if off.any() else 0.0


def _measured(values: Floats, given: Sequence[Any], tolerable: float, place: Callable[[int], str]) -> Floats:
    """Return by how much the doubles of a column are off, exactly; not at all where all of them are the same number."""
    numbers = [_fraction(value) for value in given]
    if all(number == numbers[0] for number in numbers):
        return np.zeros(len(values))
    off = [abs(number - Fraction(value)) for number, value in zip(numbers, values.tolist(), strict=True)]
    steps = _steps(numbers)
    for row, (number, lost) in enumerate(zip(numbers, off, strict=True)):
        if lost > tolerable or (number in steps and lost > SHARE * steps[number]):
            constant = math.floor(min(numbers, key=abs))
            remedy = f"subtract a constant from the column, such as {constant}, or " if constant else ""
            raise InputError(
                f"{place(row)} is {given[row]}, which double precision rounds by {float(lost):.3g}; {remedy}round it "
                "yourself"
            )
    return np.array([math.nextafter(float(lost), math.inf) if lost else 0.0 for lost in off])


def _refuse_coincidence(
    values: Floats, given: Callable[[int], Sequence[Any]], place: Callable[[int], str], column: int
) -> None:
    """Refuse a number that is not the double that stands for it and for another one."""
    if len(np.unique(values)) == len(values):
        return
    first: dict[float, Any] = {}
    numbers = given(column)
    if all(number == numbers[0] for number in numbers):
        return
    for row, (value, number) in enumerate(zip(values.tolist(), numbers, strict=True)):
        if first.setdefault(value, number) != number:
            raise InputError(
                f"{place(row)} is {number}, which double precision does not tell from {first[value]}; subtract a "
                "constant from the column, or round it yourself"
            )


def _steps(numbers: Sequence[Fraction]) -> dict[Fraction, Fraction]:
    """Return how far each whole number is from the nearest other one."""
    ordered = sorted({number for number in numbers if number.denominator == 1})
    steps = [after - before for before, after in pairwise(ordered)]
    return {
        number: min(around)
        for at, number in enumerate(ordered)
        if (around := [*steps[max(at - 1, 0) : at], *steps[at : at + 1]])
    }


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number)) if isinstance(number, Integral) else Fraction(*number.as_integer_ratio())
