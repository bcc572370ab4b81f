"""Cover: parts that are the instance, whose bounds add up to one of the whole (docs/certificate.md, section 10).

A partition costs at least what it costs within parts that share out the weight of every point, and there it has at most
k clusters. With k super-points or more that is no less than the least cost over exactly k; with fewer, 0 is counted.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from sqlite3 import Connection

from flint import arb, fmpq

from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles, read_doubles
from pcsos.verify.reader import Blob, only_row, require
from pcsos.verify.state import State
from pcsos.verify.tree import Links, Tree

#: By this share of its weight a point may be missing from the parts: they hold doubles, which are rounded down.
MISSING = fmpq(1, 2**40)
Part = tuple[int, list[int], Doubles]


def parts_of_cover(connection: Connection, weights: Doubles) -> Iterator[Part]:
    """Yield the parts of the last cover, if there is one.

    Raises :class:`VerificationError` at the end where they do not share out just the weight of each point.
    """
    row = connection.execute("SELECT parts FROM covers ORDER BY position DESC LIMIT 1").fetchone()
    if row is None:
        return
    (num_parts,) = connection.execute("SELECT count(*) FROM parts").fetchone()
    blob = Blob(row["parts"], "the cover")
    numbers = blob.integers(1, most=num_parts + 1).tolist()
    blob.finished()
    require(len(set(numbers)) == len(numbers) and min(numbers, default=1) > 0, "the cover: a part that is there twice")
    left = list(weights)
    for number in numbers:
        part = read_part(connection, number, len(left))
        for point, share in zip(*part[1:], strict=True):
            left[point] -= share
            require(share > 0 and left[point] >= 0, f"part {number}: brings more of point {point} than there is")
        yield part
    for point, (rest, weight) in enumerate(zip(left, weights, strict=True)):
        require(rest <= weight * MISSING, f"the cover: point {point} is missing, or a share of it")


def read_part(connection: Connection, number: int, n: int) -> Part:
    """Return number, points and weights of a part."""
    row = only_row(connection, f"parts WHERE part = {number}", f"part {number}")
    blobs = Blob(row["points"], "points of a part"), Blob(row["weights"], "weights of a part")
    points = blobs[0].integers(1, most=n).tolist()
    shares = read_doubles(blobs[1], 1, len(points))
    for blob in blobs:
        blob.finished()
    inside = points and points[0] >= 0 and points[-1] < n
    rising = all(a < b for a, b in pairwise(points))
    require(inside and rising and len(shares) == len(points), f"part {number}: not some points and their weights")
    return number, points, shares


def check_part(
    connection: Connection, part: Part, points: Doubles, links: Links, k: int, say: Callable[[str], object]
) -> tuple[arb, int, int]:
    """Return what is proved of a part, and the numbers of its nodes and of those left open."""
    number, members, weights = part
    at = {point: position for position, point in enumerate(members)}
    own = [(kind, at[i], at[j]) for kind, i, j in links if i in at and j in at]
    state = State(len(members))
    for link in own:
        state.add(*link)
    has_nodes = connection.execute(f"SELECT 1 FROM nodes WHERE part = {number} LIMIT 1").fetchone() is not None
    if not has_nodes or len(state.points) < k:
        say(f"part {number}: counts 0")
        return arb(0), 0, 0
    data = Data(points.take(members), weights)
    tree = Tree(connection, number, data, own, Conditions(weights, k), arb.neg_inf(), say)
    say(f"part {number}: {len(members)} points, {tree.num_nodes} nodes")
    return max(tree.proved, arb(0)), tree.num_nodes, tree.num_open
