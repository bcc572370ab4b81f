"""Parts: what a cover shares the weights of a problem out to (docs/certificate.md, section 10).

A partition costs at least what it costs within parts that share out the weight of every point, and there it has at most
k clusters. With k super-points or more that is no less than the least cost over exactly k; with fewer, 0 is counted.
"""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from pcsos.verify.doubles import Doubles, read_shares
from pcsos.verify.effort import OF_A_ROW, spend
from pcsos.verify.file import File
from pcsos.verify.reader import require
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.rows import only_row

#: By this share of its weight a point may be missing from the parts: they hold doubles, which are rounded down.
MISSING = fmpq(1, 2**40)


class Part(NamedTuple):
    """Some points, increasing, and what each of them brings into the part."""

    number: int
    points: NDArray[np.int64]
    weights: Doubles

    @property
    def image(self) -> bytes:
        """What tells it from any other part."""
        return hashlib.sha256(repr(self.number).encode() + self.points.tobytes() + self.weights.image()).digest()


def parts_of(file: File, parent: int, numbers: NDArray[np.int64], weights: Doubles) -> Iterator[Part]:
    """Yield parts of a problem.

    Raises :class:`VerificationError` at the end where they do not share out just the weight of each point.
    """
    left = list(weights)
    for number in map(int, numbers):
        part = read_part(file, number, parent, len(left))
        for point, share in zip(part.points.tolist(), part.weights, strict=True):
            left[point] -= share
            require(left[point] >= 0, f"part {number}: brings more of point {point} than there is")
        yield part
    for point, (rest, weight) in enumerate(zip(left, weights, strict=True)):
        require(rest <= weight * MISSING, f"the cover: point {point} is missing, or a share of it")


def read_part(file: File, number: int, parent: int, n: int) -> Part:
    """Return a part of a problem that has n points."""
    spend(OF_A_ROW)
    row = only_row(file.connection, "problems", f"part {number}", "WHERE problem = ?", number)
    require((row["parent"], row["change"]) == (parent, "part"), f"problem {number} is not a part of problem {parent}")
    arrays = Arrays(row["content"], f"part {number}", file.memory)
    points, weights = read_shares(arrays, n)
    arrays.finished()
    return Part(number, points, weights)
