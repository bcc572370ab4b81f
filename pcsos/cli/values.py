"""Values of options: numbers within their ranges, refused in the words of the command line."""

import argparse
from collections.abc import Callable
from typing import TypeVar

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import LARGEST_EPSILON
from pcsos.problem.validation import texts
from pcsos.problem.validation.texts import number

Value = TypeVar("Value")


def typed(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a reader whose refusals the command line shows in their own words."""

    def read_argument(text: str) -> Value:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument


def written(name: str) -> str:
    """Return how the option that a keyword is, is written."""
    return f"--{name.replace('_', '-')}"


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is not below the least one."""
    return typed(texts.whole_number(least))


def workers(text: str) -> int:
    """Read a number of processes: -1 is one for each core."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes; give 1 or more, or -1 for all cores")
    return int(text)


def file_of_its_own(text: str) -> str:
    """Read the name of a file that is more than text, or is read again: not standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("'-' is standard output, which cannot take it; give a file")
    return text


def seconds(text: str) -> float:
    """Read a number of seconds."""
    value = number(text)
    if not value >= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds; give 0 or more")
    return value


def epsilon(text: str) -> float:
    """Read a relative distance of the least cost."""
    value = number(text)
    if not 0.0 <= value <= LARGEST_EPSILON:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a relative distance; give a number from 0 to {LARGEST_EPSILON:g}"
        )
    return value


def gap(least: float) -> Callable[[str], float]:
    """Return what reads a relative gap that is not below the least one."""

    def read(text: str) -> float:
        value = number(text)
        if not least <= value < 1.0:
            raise argparse.ArgumentTypeError(f"{text!r} is not a gap; give a number from {least:g} to less than 1")
        return value

    return read
