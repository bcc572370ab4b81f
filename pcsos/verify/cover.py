"""Cover: parts that are the instance, whose bounds add up to one of the whole (docs/certificate.md, section 10).

A partition costs at least what it costs within parts that share out the weight of every point, and there it has at most
k clusters. With k super-points or more that is no less than the least cost over exactly k; with fewer, 0 is counted.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles, read_doubles
from pcsos.verify.effort import OF_A_ROW, spend
from pcsos.verify.file import File
from pcsos.verify.links import Links
from pcsos.verify.reader import require
from pcsos.verify.reading.arrays import integers
from pcsos.verify.reading.rows import only_row, rows
from pcsos.verify.state import State
from pcsos.verify.tree import Tree

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


def parts_of_cover(file: File, weights: Doubles) -> Iterator[Part]:
    """Yield the parts of the last cover, if there is one.

    Raises :class:`VerificationError` at the end where they do not share out just the weight of each point.
    """
    cover = next(rows(file.connection, "covers", "ORDER BY position DESC LIMIT 1"), None)
    if cover is None:
        return
    (num_parts,) = file.connection.execute("SELECT count(*) FROM parts").fetchone()
    numbers = integers(cover["parts"], "the cover", file.memory, ndim=1, most=num_parts + 1).tolist()
    require(len(set(numbers)) == len(numbers) and min(numbers, default=1) > 0, "the cover: a part that is there twice")
    left = list(weights)
    for number in numbers:
        part = read_part(file, number, len(left))
        for point, share in zip(part.points.tolist(), part.weights, strict=True):
            left[point] -= share
            require(share > 0 and left[point] >= 0, f"part {number}: brings more of point {point} than there is")
        yield part
    for point, (rest, weight) in enumerate(zip(left, weights, strict=True)):
        require(rest <= weight * MISSING, f"the cover: point {point} is missing, or a share of it")


def read_part(file: File, number: int, n: int) -> Part:
    """Return number, points and weights of a part."""
    spend(OF_A_ROW)
    row = only_row(file.connection, "parts", f"part {number}", "WHERE part = ?", number)
    points = integers(row["points"], "points of a part", file.memory, ndim=1, most=n)
    weights = read_doubles(row["weights"], "weights of a part", file.memory, ndim=1)
    inside = points.size and points[0] >= 0 and points[-1] < n
    rising = (points[:-1] < points[1:]).all()
    require(inside and rising and len(weights) == len(points), f"part {number}: not some points and their weights")
    return Part(number, points, weights)


def check_part(
    file: File, part: Part, points: Doubles, links: Links, k: int, notify: Callable[[str], object]
) -> tuple[arb, int, int]:
    """Return what is proved of a part, and the numbers of its nodes and of those left open."""
    own, size = links.within(part.points, len(points)), len(part.points)
    state = State(size)
    for link in own:
        state.add(*link)
    found = file.connection.execute("SELECT 1 FROM nodes WHERE part = ? LIMIT 1", (part.number,)).fetchone()
    if found is None or state.size < k:
        notify(f"part {part.number}: counts 0")
        return arb(0), 0, 0
    data = Data(points.take(part.points), part.weights)
    tree = Tree(file, part.number, data, own, Conditions(part.weights, k), arb.neg_inf(), notify)
    notify(f"part {part.number}: {size} points, {tree.num_nodes} nodes")
    return max(tree.proved, arb(0)), tree.num_nodes, tree.num_open
