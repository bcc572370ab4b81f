"""Numbers and pairs that the checker is given, read by code of its own."""

import math
import re
from array import array
from collections.abc import Iterator
from decimal import Context
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.errors import InputError, quoted
from pcsos.verify.links import KINDS

#: Enough digits to tell apart any two doubles and what is between them.
DIGITS = Context(prec=800, Emin=-1200, Emax=400)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
SEPARATOR, BLANKS = re.compile(r"\s*[,;]\s*"), re.compile(r"\s+")


def read_numbers(path: str) -> tuple[NDArray[Any], float]:
    """Return the rows of a file, shape (n, d), or what is in a ``.npy`` file; and how far rows are off their text."""
    if path.lower().endswith(".npy"):
        return _read_npy(path), 0.0
    rows, lost, varies = _read_text(path)
    off = np.hypot.reduce(lost[:, varies], axis=1, initial=0.0)
    return rows, float(off.max()) * (1 + 2.0**-40)


def _read_text(path: str) -> tuple[NDArray[Any], NDArray[Any], list[int]]:
    """Return the rows of a text file, by how much each number is off its text, and which columns are not constant."""
    numbers, lost, width, is_first = array("d"), array("d"), 0, True
    first: list[str] = []
    varies: set[int] = set()
    for line, fields in read_fields(path):
        found = [NUMBER.fullmatch(field) is not None for field in fields]
        names_columns, is_first = is_first and not any(found), False
        if names_columns:
            continue
        if not all(found):
            raise InputError(f"{path} line {line}: {quoted(fields[found.index(False)])} is not a number")
        width = width or len(fields)
        if len(fields) != width:
            raise InputError(f"{path} line {line}: the lines before have {width} numbers, this one has {len(fields)}")
        numbers.extend(map(float, fields))
        lost.extend(map(_lost, fields, numbers[-width:]))
        first = first or fields
        varies.update(at for at, field in enumerate(fields) if field != first[at])
    if not numbers:
        raise InputError(f"{path} has no numbers")
    return np.array(numbers).reshape(-1, width), np.array(lost).reshape(-1, width), sorted(varies)


def read_weights(path: str) -> NDArray[Any]:
    """Return the numbers of a file with one column, shape (n,)."""
    rows, lost = (_read_npy(path), None) if path.lower().endswith(".npy") else _read_text(path)[:2]
    if rows.ndim != 1 and rows.shape[1:] != (1,):
        raise InputError(f"{path} has rows of several numbers; give weights as one number a line")
    weights: NDArray[Any] = rows.reshape(-1)
    if lost is not None and ((weights == np.rint(weights)) & (weights < 2.0**53)).all():
        is_off = lost.reshape(-1) > 0.0
        weights[is_off] = np.nextafter(weights[is_off], 0.0)  # which shows that they are rounded
    return weights


def read_fields(path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line that is not blank, with the number of the line."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                text = line.strip()
                if text and not text.startswith("#"):
                    yield number, (SEPARATOR if SEPARATOR.search(text) else BLANKS).split(text)
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not plain text; `pcsos verify` reads other files, too") from error


def _lost(field: str, double: float) -> float:
    """Return at least the distance of a double from the number that is written, next to it."""
    if double.is_integer() and len(field) < 16 and abs(double) < 2.0**53:
        return 0.0
    lost = abs(Fraction(DIGITS.create_decimal(field)) - Fraction(double)) if math.isfinite(double) else Fraction(0)
    return math.nextafter(float(lost), math.inf) if lost else 0.0


def _read_npy(path: str) -> NDArray[Any]:
    try:
        with open(path, "rb") as file:
            found: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, EOFError) as error:
        raise InputError(f"{path} is not a .npy file of numbers, or is damaged") from error
    return found


def _unreadable(path: str, error: OSError) -> InputError:
    return InputError(f"{path} cannot be read ({error.strerror or error}); check the name")


POINT = re.compile(r"\d{1,15}", re.ASCII)

Pairs = list[tuple[int, int]]


def read_pairs(path: str) -> tuple[Pairs, Pairs]:
    """Return the must-links and the cannot-links of a file."""
    found: tuple[Pairs, Pairs] = ([], [])
    for line, (kind, *points) in read_fields(path):
        if kind.upper() not in KINDS or len(points) != 2 or not all(map(POINT.fullmatch, points)):
            said = quoted(" ".join([kind, *points]))
            raise InputError(
                f"{path} line {line}: {said} is neither ML i j nor CL i j; `pcsos verify` reads other lines, too"
            )
        i, j = map(int, points)
        found[KINDS.index(kind.upper())].append((i, j))
    return found
