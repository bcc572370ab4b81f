"""First line: does a line of numbers name the columns (``0,1,2``, or ``2019,2020,2021``), or is it a point.

Names are distinct, and they differ in kind from what stands below them. A file whose first line might be either is
refused, because a name read as a point would shift all indices of points by one, in silence.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from pcsos.base.typing import Flags, Floats

#: Values that are taken for years.
YEARS = (1800, 2100)

#: The first line is of the kind of the others if at least this part of them shares what is peculiar about it.
COMMON = 0.2

#: Columns from which on rising or falling values are a sequence, evenly spaced or not: 1 row of 360 by chance.
MANY = 6

WHOLE = re.compile(r"[+-]?\d+")
DECIMAL = re.compile(r"[.eE]")


def why_names(line: str, fields: Sequence[str], others: Iterable[str], rest: Floats) -> str:
    """Return why a first line of numbers may name the columns; empty where it is like the other lines.

    Parameters
    ----------
    line : str
        The first line.
    fields : sequence of str, length d
        Its values, all of them numbers.
    others : iterable of str
        The other lines; they are looked at only if nothing else decides.
    rest : ndarray, shape (n, any)
        The values of the other lines, in the columns that are used.
    """
    first = np.array([float(field) for field in fields])
    if not np.isfinite(first).all() or len(set(first.tolist())) < len(fields):
        return ""
    is_whole = all(WHOLE.fullmatch(field) for field in fields)
    if is_whole and len(fields) > 1 and first.tolist() == list(range(len(fields))):
        return "counts the columns"
    if line.count('"') == 2 * len(fields) and not any('"' in other for other in others):
        return "has quoted values, unlike the others"
    if _are_years(first, rest):
        return f"looks like {'years' if len(fields) > 1 else 'a year'}"
    if _is_sequence(first, rest):
        return "is a sequence, unlike the others"
    return "has whole numbers above decimals" if is_whole and _are_decimals(others) else ""


def is_doubtful(fields: Sequence[str], rest: Floats) -> bool:
    """Tell whether a first line that was read as a point could still count the columns: ``0``, or ``1,2``."""
    if list(fields) == ["1", "2"] and rest.shape[1] == 2:
        return _is_rare(rest[:, 1] - rest[:, 0] == 1.0)
    return list(fields) == ["0"]


def _are_years(first: Floats, rest: Floats) -> bool:
    """Tell whether the first line holds years and the others do not; among other whole numbers one is not enough."""
    if not _in_years(first).all():
        return False
    like = np.all(_in_years(rest), axis=1)
    return not like.any() if first.size == 1 else _is_rare(like)


def _in_years(values: Floats) -> Flags:
    inside: Flags = (values >= YEARS[0]) & (values <= YEARS[1]) & (values == np.floor(values))
    return inside


def _is_sequence(first: Floats, rest: Floats) -> bool:
    """Tell whether the first line alone rises evenly or, where it has many values, rises or falls at all."""
    if first.size >= 3 and _rise_evenly(first[None]).all():
        like = _rise_evenly(rest)
    elif first.size >= MANY and _are_monotone(first[None]).all():
        like = _are_monotone(rest)
    else:
        return False
    return _is_rare(like)


def _is_rare(like: Flags) -> bool:
    return int(like.sum()) < max(1.0, COMMON * len(like))


def _rise_evenly(rows: Floats) -> Flags:
    steps = _steps(rows)
    least, most = steps.min(axis=1), steps.max(axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        even: Flags = (least > 0.0) & (most - least <= 1e-9 * np.abs(rows).max(axis=1))
    return even


def _are_monotone(rows: Floats) -> Flags:
    steps = _steps(rows)
    monotone: Flags = np.all(steps > 0.0, axis=1) | np.all(steps < 0.0, axis=1)
    return monotone


def _steps(rows: Floats) -> Floats:
    """Return the differences along the rows; a row of one value stays where it is."""
    with np.errstate(over="ignore"):
        return np.diff(rows, axis=1) if rows.shape[1] > 1 else np.zeros_like(rows)


def _are_decimals(others: Iterable[str]) -> bool:
    """Tell whether hardly any of the other lines consists of whole numbers, too."""
    whole = np.array([DECIMAL.search(other) is None for other in others], bool)
    return whole.size > 0 and _is_rare(whole)
