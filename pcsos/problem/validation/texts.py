"""Values that are typed: numbers within their ranges, read from text."""

import math
from collections.abc import Callable

from pcsos.base.exceptions import InputError


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not below the least one."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise InputError(f"{text!r} is not a whole number of at least {least}")
        return value

    return read


def whole_numbers(text: str) -> list[int]:
    """Read whole numbers of at least 1, separated by commas."""
    return [whole_number(1)(part.strip()) for part in text.split(",")]


def number_each(text: str) -> int | list[tuple[str, int]]:
    """Read a whole number of at least 0, or one for each of some names, as in ``a=2,b=1``."""
    read = whole_number(0)
    if "=" not in text:
        return read(text)
    rows = [part.rpartition("=") for part in text.split(",")]
    return [(name.strip(), read(number.strip())) for name, _, number in rows]


def amount(what: str) -> Callable[[str], float]:
    """Return what reads a weight or a distance, as it is called: a finite number that is not negative."""

    def read(text: str) -> float:
        value = number(text)
        if not 0.0 <= value < math.inf:
            raise InputError(f"{text!r} is not a {what}; give a number of 0 or more")
        return value

    return read


def amounts(what: str) -> Callable[[str], float | list[float]]:
    """Return what reads an amount, or several of them, separated by commas."""
    read = amount(what)
    return lambda text: [read(part.strip()) for part in text.split(",")] if "," in text else read(text)


def penalty(text: str) -> float | str:
    """Read what breaking a soft pair costs: a number, or one of two words."""
    value = number(text)
    if not (value >= 0.0 or text in {"distance", "confidence"}):
        raise InputError(f"{text!r} is not a penalty; give a number of 0 or more, distance or confidence")
    return text if math.isnan(value) else value


def positive(text: str) -> float:
    """Read a positive number."""
    value = number(text)
    if not 0.0 < value < math.inf:
        raise InputError(f"{text!r} is not a positive number")
    return value


def number(text: str) -> float:
    """Return the number that a text is, or NaN."""
    try:
        return float(text)
    except ValueError:
        return math.nan
