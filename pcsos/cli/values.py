"""Values of options: numbers within their ranges, refused in the words of the command line."""

import argparse
import math
from collections.abc import Callable

from pcsos.tolerances import LARGEST_EPSILON


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not below the least one."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        return value

    return read


def whole_numbers(text: str) -> list[int]:
    """Read whole numbers of at least 1, separated by commas."""
    return [whole_number(1)(part.strip()) for part in text.split(",")]


def workers(text: str) -> int:
    """Read a number of processes: -1 is one for each core."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes; give at least 1, or -1 for one a core")
    return int(text)


def file_of_its_own(text: str) -> str:
    """Read the name of a file that is more than text, or is read again: not standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-' is standard output, which cannot take it; give a file")
    return text


def weight(text: str) -> float:
    """Read a weight of a cluster."""
    value = _number(text)
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no weight; give a finite number of 0 or more")
    return value


def penalty(text: str) -> float | str:
    """Read what breaking a soft pair costs: a number, or one of two words."""
    value = _number(text)
    if not (value >= 0.0 or text in {"distance", "confidence"}):
        raise argparse.ArgumentTypeError(f"{text!r} is no penalty; give a number of 0 or more, distance or confidence")
    return text if math.isnan(value) else value


def seconds(text: str) -> float:
    """Read a number of seconds."""
    value = _number(text)
    if not value >= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds; give 0 or more")
    return value


def positive(text: str) -> float:
    """Read a positive number."""
    value = _number(text)
    if not 0.0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number")
    return value


def epsilon(text: str) -> float:
    """Read a relative distance of the least cost."""
    value = _number(text)
    if not 0.0 <= value <= LARGEST_EPSILON:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no relative distance; give a number from 0 to {LARGEST_EPSILON:g}"
        )
    return value


def distance(text: str) -> float:
    """Read a distance."""
    value = _number(text)
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no distance; give a number of 0 or more")
    return value


def gap(least: float) -> Callable[[str], float]:
    """Return what reads a relative gap that is not below the least one."""

    def read(text: str) -> float:
        value = _number(text)
        if not least <= value < 1.0:
            raise argparse.ArgumentTypeError(f"{text!r} is no gap; give a number from {least:g} to less than 1")
        return value

    return read


def _number(text: str) -> float:
    """Return the number that a text is, or NaN."""
    try:
        return float(text)
    except ValueError:
        return math.nan
