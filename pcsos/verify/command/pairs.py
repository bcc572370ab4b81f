"""Pairs: must-links and cannot-links from lines ``ML i j`` and ``CL i j``, points numbered from 0.

Not read are soft pairs, limits of distance, ids and JSON; ``pcsos verify`` reads them.
"""

import re

from pcsos.verify.command.numbers import read_fields
from pcsos.verify.errors import InputError, quoted
from pcsos.verify.links import KINDS

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
