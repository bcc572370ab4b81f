"""Blobs of a run file, written from the page alone (docs/certificate.md, section 2): any kind, any width."""

import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

LEVEL = 9


class Cut(NamedTuple):
    """A cut with its multiplier, in units of 2^b."""

    centre: int
    members: Sequence[int]
    mu: int = 1


def array(kind: str, width: int, shape: Sequence[int], words: Sequence[int]) -> bytes:
    """An array of 64-bit words of which the lowest bytes are stored."""
    planes = b"".join(bytes(word >> 8 * plane & 255 for word in words) for plane in range(width))
    content = zlib.compress(planes, LEVEL)
    header = struct.pack("<cBBI", kind.encode(), width, len(shape), len(content))
    return header + struct.pack(f"<{len(shape)}I", *shape) + content


def doubles(values: Sequence[Any]) -> bytes:
    """Doubles in a list, or in rows."""
    shape, flat = flattened(values)
    return array("f", 8, shape, [struct.unpack("<Q", struct.pack("<d", x))[0] for x in flat])


def integers(
    values: Sequence[Any], kind: str = "i", width: int | None = None, shape: Sequence[int] | None = None
) -> bytes:
    """Integers in a list, or in rows; as differences for kind ``d``."""
    own, flat = flattened(values)
    if kind == "d":
        flat = [modulo(x - before) for x, before in zip(flat, [0, *flat], strict=False)]
    words = [2 * x if x >= 0 else -2 * x - 1 for x in flat]
    least = (max(words, default=0).bit_length() + 7) // 8
    return array(kind, least if width is None else width, own if shape is None else shape, words)


def pairs(rows: Sequence[Sequence[int]], kind: str = "d") -> bytes:
    return integers(rows, kind) if rows else integers([], kind, shape=(0, 2))


def decisions(said: Sequence[str]) -> bytes:
    """Decisions, each said as ``CL 0 1``."""
    rows = [(int(kind == "CL"), int(i), int(j)) for kind, i, j in map(str.split, said)]
    return integers([list(row) for row in zip(*rows, strict=True)], "d") if rows else integers([], shape=(3, 0))


def cliques(own: Sequence[Sequence[int]]) -> bytes:
    return integers([x for points in own for x in (len(points), *points)])


def multipliers(
    s: int, box: Sequence[int] = (), cuts: Sequence[Cut] = (), *, a: int = 0, b: int = 0, runs: Sequence[bytes] = ()
) -> bytes:
    """N by the rows of its upper triangle in units of 2^a, 0 unless given, and cuts; ``runs`` are further tables."""
    triangle = list(box) or [0] * (s * (s + 1) // 2)
    tables = []
    for size in sorted({len(cut.members) for cut in cuts}):
        own = [cut for cut in cuts if len(cut.members) == size]
        tables.append(run([cut.centre for cut in own], [cut.members for cut in own], [cut.mu for cut in own]))
    blobs = [*tables, *runs]
    return b"".join([struct.pack("<iiI", a, b, len(blobs)), integers(triangle), *blobs])


def run(centres: Sequence[int], members: Sequence[Sequence[int]], mu: Sequence[int]) -> bytes:
    """Cuts of one size: their table, and their multipliers."""
    return integers([list(centres), *map(list, zip(*members, strict=True))], "d") + integers(list(mu))


def axes(rows: Sequence[Sequence[int]], n_features: int = 0) -> bytes:
    return integers(rows) if rows else integers([], shape=(0, n_features))


def flattened(values: Sequence[Any]) -> tuple[list[int], list[Any]]:
    """Shape and entries of a list of numbers, or of lists of them."""
    if values and isinstance(values[0], list | tuple):
        return [len(values), len(values[0])], [x for row in values for x in row]
    return [len(values)], list(values)


def modulo(number: int) -> int:
    """The signed number of 64 digits that is left of any integer modulo 2^64."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def about(s: int, i: int, j: int, kind: int) -> int:
    """What stands in the place of a centre for a cut of a kind about super-points i < j of s."""
    return -4 - 2 * (s * i + j) - kind


def axis(*shares: float) -> list[int]:
    """An axis in units of 2^-30."""
    return [int(share * 2**30) for share in shares]
