"""Coercion: what users hand over as numbers, matrices or choices becomes an array, or is refused by name."""

import math
from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import LARGEST_COORDINATE, LARGEST_EPSILON, SMALLEST_SPREAD
from pcsos.base.typing import Floats


def spelled_out(values: Any, name: str, remedy: str, *, ordered: bool = True) -> Any:
    """Return array-like values as they are and those of an iterator or a set as a list; refuse the rest by name.

    Where the order of the values matters (``ordered``), a set is refused.
    """
    kind = type(values).__name__
    if hasattr(values, "toarray"):
        change = "convert it with .toarray(), or" if ordered else "list its entries with numpy.argwhere, or"
        raise InputError(f"{name} is a sparse matrix ({kind}); {change} {remedy}")
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked values, which are no real numbers; fill or remove them")
    if values is None or isinstance(values, Mapping | str | bytes) or (ordered and isinstance(values, Set)):
        raise InputError(f"{name} is of type {kind}; {remedy}")
    is_array_like = hasattr(values, "__array__") or hasattr(values, "__getitem__")
    return list(values) if isinstance(values, Iterable) and not is_array_like else values


def whole_number(name: str, value: Any, least: int, alternative: str = "") -> int:
    """Return the value of an argument that is a whole number, and not below the least one; refuse the rest by name.

    The sentence ends with an ``alternative``: what else could be given, or an example.
    """
    if not is_whole_number(value) or value < least:
        raise InputError(f"{name} is {value!r}; give a whole number of at least {least}{alternative}")
    return int(value)


def is_whole_number(value: Any) -> bool:
    """Return whether a value is a whole number, of Python or NumPy, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def seeded(seed: "int | np.random.Generator") -> "np.random.Generator":
    """Return a generator of random numbers, given its seed, or the generator that is given."""
    return seed if isinstance(seed, np.random.Generator) else np.random.default_rng(whole_number("seed", seed, 0))


def numbers(values: Any, name: str, remedy: str, kind: str = "numbers") -> Floats:
    """Return a new array of what is numbers already; refuse the rest by name, and what is no array.

    The ``kind`` says in words what they have to be.
    """
    given = spelled_out(values, name, remedy)
    try:
        return real_numbers(np.asarray(given))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be {kind}: {error}; {remedy}") from error


def coordinates(values: Any, name: str, shape: tuple[int | None, int | None], remedy: str) -> Floats:
    """Return a new array of finite coordinates, one row each; refuse the rest by name, with what to give instead.

    The shape is the number of rows and of coordinates, any number for None. A row of one need not be a row.
    """
    array = numbers(values, name, remedy)
    num_rows, dimension = shape
    if array.ndim == 1 and dimension == 1:
        array = array[:, None]
    if array.ndim != 2 or dimension not in (None, array.shape[1]) or num_rows not in (None, len(array)):
        raise InputError(f"{name} have shape {array.shape}; {remedy}")
    refuse_not_finite(array, name, "give finite coordinates")
    refuse_too_large(array, name)
    return array


def refuse_not_finite(array: Floats, name: str, remedy: str) -> None:
    """Refuse the first entry of a table that is no finite number."""
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InputError(f"{name}[{row}, {column}] is {array[row, column]}; {remedy}")


def refuse_too_large(array: Floats, name: str, most: float = LARGEST_COORDINATE) -> None:
    """Refuse the largest entry of a table, shape (n, d), if it would overflow when it is squared, or summed before."""
    if float(np.abs(array).max(initial=0.0)) > most:
        row, column = np.unravel_index(np.abs(array).argmax(), array.shape)
        raise InputError(
            f"{name}[{row}, {column}] is {array[row, column]:g}, too large to be squared; divide the data by a constant"
        )


def refuse_too_close(array: Floats, name: str) -> None:
    """Refuse coordinates, shape (n, d), whose differences would vanish when they are squared."""
    spread = float((array.max(axis=0) - array.min(axis=0)).max()) if array.size else 0.0
    if 0.0 < spread < SMALLEST_SPREAD:
        raise InputError(
            f"{name} differ by at most {spread:g}, too little to be squared; multiply the data by a constant"
        )


#: Weights and distances beyond this could overflow.
LARGEST_AMOUNT = math.nextafter(2.0**1023, 0.0)


def relative_distance(name: str, value: Any) -> float:
    """Return the value of an argument that is a distance from a cost, relative to it; refuse the rest by name."""
    return number_between(name, value, 0.0, LARGEST_EPSILON, "a share of the cost from {} to {}, such as 0.01")


def number_between(name: str, value: Any, least: float, most: float, what: str = "a number from {} to {}") -> float:
    """Return the value of an argument that is a number of a range; refuse the rest by name."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and least <= (value.item() if isinstance(value, np.generic) else value) <= most):
        raise InputError(f"{name} is {value!r:.60}; give {what.format(f'{least:g}', f'{most:g}')}")
    return float(value)


def real_numbers(values: Any) -> Floats:
    """Return a new array of what is numbers already; text, dates and complex numbers are not."""
    if np.iscomplexobj(values):
        raise TypeError("they are complex")
    if np.asarray(values).dtype.kind in "mMSU":
        raise TypeError(f"they are {np.asarray(values).dtype}")
    objects = np.asarray(values).flat if np.asarray(values).dtype.kind == "O" else ()
    text = next((own for own in objects if isinstance(own, str | bytes)), None)
    if text is not None:
        raise TypeError(f"{text!r:.40} is a text")
    return np.array(values, dtype=np.float64, order="C")


def one_of(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse the value of an argument that is none of its choices, and name those that are written almost like it.

    Raises
    ------
    InputError
        With one sentence on the argument, its value and the choices.

    Examples
    --------
    >>> from pcsos.problem.validation.arrays import one_of
    >>> one_of("order", "indexes", ("index", "random"))
    Traceback (most recent call last):
    pcsos.base.exceptions.InputError: order is 'indexes'; give 'index' or 'random'; perhaps 'index' is meant
    """
    known = list(choices)
    if isinstance(value, str) and value in known:
        return
    words = [repr(choice) for choice in known]
    remedy = " or ".join(words) if len(words) <= 2 else f"one of {', '.join(words)}"
    raise InputError(f"{name} is {value!r}; give {remedy}{_guess(value, known)}")


def _guess(value: object, choices: list[str]) -> str:
    """Return what may have been meant, as the end of a sentence; nothing where no choice is near."""
    from difflib import get_close_matches  # nobody waits for it but who has mistyped

    folded = {choice.lower(): choice for choice in choices}
    near = [folded[match] for match in get_close_matches(str(value).lower(), folded, n=2)]
    return f"; perhaps {' or '.join(map(repr, near))} is meant" if near else ""


#: Entries beyond this magnitude would overflow when they are summed and squared.
LARGEST_ENTRY = 1e250
#: By this share of the largest entry a matrix may differ from its transpose: single precision has such roundings.
ASYMMETRY = 1e-6


def symmetric(values: Any, name: str, remedy: str = "give a square matrix of inner products") -> Floats:
    """Return a matrix as an array of doubles that is exactly symmetric.

    Parameters
    ----------
    values : array_like, shape (n, n)
        Finite numbers, symmetric up to rounding.
    name, remedy : str
        What the user calls the matrix, and what to give instead of one that cannot be used.

    Raises
    ------
    InputError
        If it is not square, symmetric and finite, or too large to be summed.
    """
    matrix = numbers(values, name, remedy, "a square array of real numbers")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise InputError(f"{name} has the shape {matrix.shape}; {remedy}, with a row and a column for each point")
    refuse_not_finite(matrix, name, "remove points whose entries are not finite numbers")
    refuse_too_large(matrix, name, LARGEST_ENTRY)
    apart = np.abs(matrix - matrix.T)
    if apart.max() > ASYMMETRY * np.abs(matrix).max():
        i, j = (int(v) for v in np.unravel_index(apart.argmax(), apart.shape))
        raise InputError(
            f"{name}[{i}, {j}] is {matrix[i, j]:g} but {name}[{j}, {i}] is {matrix[j, i]:g}; {remedy} that is symmetric"
        )
    return 0.5 * (matrix + matrix.T)
