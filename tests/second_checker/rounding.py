"""How far the bounds of two checkers may lie apart by rounding (docs/certificate.md, section 7)."""

import contextlib
import sqlite3
from pathlib import Path

import numpy as np

from pcsos.base.exceptions import PcsosError
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import read_multipliers

#: The share of the sum of squares, and how many times of it multipliers may be so that this is all.
SHARE, ORDINARY = 2.0**-40, 1000.0


def sum_of_squares(path: Path) -> float:
    """Return T, the weighted sum of squares about the mean; 0 if none is read.

    With a Gram matrix it is the sum of section 14: of squares about the origin, and of the diagonal of the matrix.
    """
    memory = Memory.without_limit()
    with contextlib.suppress(PcsosError, sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as connection:
        *blobs, gram = connection.execute("SELECT points, weights, gram FROM instance").fetchone()
        points, weights = (only(Arrays.doubles, blob, "", memory, ndim=2 - at) for at, blob in enumerate(blobs))
        with np.errstate(all="ignore"):
            if gram is None:
                return float(weights @ ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1))
            diagonal = only(Arrays.doubles, gram, "", memory, ndim=2).diagonal()
            return float(weights @ ((points**2).sum(axis=1) + np.abs(diagonal)))
    return 0.0


def has_huge_multipliers(path: Path) -> bool:
    """Tell whether multipliers are so large that what is lost to rounding grows with them."""
    most, memory = ORDINARY * sum_of_squares(path), Memory.without_limit()
    with contextlib.suppress(PcsosError, sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as connection:
        for kind, payload in connection.execute("SELECT kind, payload FROM evidence"):
            with contextlib.suppress(PcsosError):
                arrays = Arrays(payload, "", memory)
                if kind in ("fixed", "soft"):
                    arrays.integers(2)  # decisions
                elif kind not in ("bound", "open"):
                    continue
                found = read_multipliers(arrays, 1 << 12, memory)
                numbers = [(found.triangle, found.box_exponent), *((mu, found.cut_exponent) for _, mu in found.cuts)]
                if any(np.ldexp(np.abs(own.astype(float)).max(initial=0.0), unit) > most for own, unit in numbers):
                    return True
    return False
