"""What the checker makes of the values in a run file, trusting nothing in it (docs/certificate.md, 1 and 2)."""

import math
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.errors import PcsosError
from pcsos.verify.exact import exact
from pcsos.verify.reading import multipliers, payloads
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.structures import structure

LARGEST_TOTAL = 1 << 60  # of the multipliers of cuts, which are summed in 64-bit integers

Cuts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]  # centres (m,), members (m, size), mu (m,)


class VerificationError(PcsosError):
    """The first thing in a run file that does not hold."""


def require(holds: object, otherwise: str) -> None:
    """Refuse the run file if something does not hold."""
    if not holds:
        raise VerificationError(otherwise)


def read_multipliers(arrays: Arrays, s: int, memory: Memory) -> tuple[NDArray[np.int64], arb, list[Cuts], arb]:
    """Return N and its unit, the cuts for each size of S, none with a negative multiplier, and the unit of mu."""
    raw = multipliers.read_multipliers(arrays, s, memory, s)
    cuts, total = list[Cuts](), 0
    for table, mu in raw.cuts:
        require(mu.min(initial=0) >= 0, "multipliers: a cut with a negative multiplier")
        total += _sum(mu)
        cuts.append((table[0], table[1:].T, mu))
    require(total <= LARGEST_TOTAL, "multipliers: those of cuts have too many digits")
    box = np.zeros((s, s), np.int64)
    box[np.triu_indices(s)] = raw.triangle
    return (np.where(np.tri(s, k=-1), box.T, box), arb(2) ** raw.box_exponent, cuts, arb(2) ** raw.cut_exponent)


def read_penalty(arrays: Arrays) -> fmpq:
    """Return the penalty of a line as a rational number."""
    return exact(payloads.read_penalty(arrays))


def _sum(values: NDArray[np.int64]) -> int:
    """Return the sum of non-negative 64-bit integers, however large it is."""
    low, high = values & 0xFFFFFFFF, values >> 32
    return int(low.sum()) + (int(high.sum()) << 32)


def gap_of(options: object) -> fmpq:
    """Return the relative gap that the options of a run ask for."""
    stated_options = structure(options, "the options")
    require(isinstance(stated_options, dict) and "gap" in stated_options, "the options: without a gap")
    said = stated_options["gap"]
    gap = fmpq(said) if type(said) is int else finite(stated_options, "gap", "the gap asked for")
    require(0 <= gap < 1, f"the gap asked for is {gap}, not from 0 to less than 1")
    return gap


def whole(value: Any, low: int, high: int, name: str) -> int:
    """Return ``value`` if it is an int in ``low <= value < high``."""
    require(type(value) is int and low <= value < high, f"{name} is {value!r:.40}, not from {low} to {high - 1}")
    return int(value)


def stated(row: Any, column: str, name: str) -> fmpq | None:
    """Return the same as :func:`finite`, or None where the file states nothing."""
    return None if row[column] is None else finite(row, column, name)


def finite(row: Any, column: str, name: str) -> fmpq:
    """Return a double that the file states, if it is finite, as a rational number."""
    value = row[column]
    require(type(value) is float and math.isfinite(value), f"{name} is {value!r:.40}, not a finite number")
    return exact(value)
