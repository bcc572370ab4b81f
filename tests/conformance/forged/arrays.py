"""Arrays that are none (section 2)."""

import struct
import zlib

from tests.conformance.encoding import array, doubles, integers, prices
from tests.conformance.forgery import Forgery, changed, refused

LABELS = integers([0, 0, 1, 1, 1])
CONTENT = zlib.compress(bytes([0, 0, 2, 2, 2]), 9)


def raw(
    content: bytes, kind: bytes = b"i", width: int = 1, shape: tuple[int, ...] = (5,), length: int | None = None
) -> bytes:
    """An array whose parts need not fit to each other."""
    header = struct.pack("<cBBI", kind, width, len(shape), len(content) if length is None else length)
    return header + struct.pack(f"<{len(shape)}I", *shape) + content


def of(name: str, why: str, labels: object) -> Forgery:
    return refused(f"labels-{name}", "hand", "arrays", why, "2", changed("claim", labels=labels))


def behind(name: str, base: str, table: str, column: str, where: str = "") -> Forgery:
    """One byte behind what is in a blob."""
    blob = f"UPDATE {table} SET {column} = CAST({column} || X'00' AS BLOB)" + (f" WHERE {where}" if where else "")
    return refused(f"behind-{name}", base, "arrays", f"A byte follows the last array of {table}.{column}.", "2", blob)


FORGERIES = [
    of("empty", "No bytes are no array.", b""),
    of("cut-off", "The array ends early.", LABELS[:-1]),
    of("header-cut-off", "The header ends early.", LABELS[:9]),
    of("of-another-kind", "The kind is none of three.", raw(CONTENT, b"u")),
    of("of-doubles", "Labels are doubles.", doubles([0.0, 0.0, 1.0, 1.0, 1.0])),
    of("too-wide", "Numbers have nine bytes.", raw(zlib.compress(bytes(45)), width=9)),
    of("in-rows", "Labels are an array of two dimensions.", raw(CONTENT, shape=(5, 1))),
    of("without-dimensions", "Labels are an array of no dimension.", raw(zlib.compress(b"\0"), shape=())),
    of("too-few", "There are four labels for five points.", integers([0, 0, 1, 1])),
    of("too-many", "There are six labels for five points.", integers([0, 0, 1, 1, 1, 1])),
    of("not-compressed", "The content is no zlib stream.", raw(bytes([0, 0, 2, 2, 2]))),
    of("deflated-only", "The content is a deflate stream without the header of zlib.", raw(CONTENT[2:-4])),
    of("checksum", "The checksum of the stream is wrong.", raw(CONTENT[:-1] + bytes([CONTENT[-1] ^ 1]))),
    of("no-checksum", "The stream ends before its checksum.", raw(CONTENT[:-4])),
    of("less-inside", "The stream has fewer bytes than are announced.", raw(zlib.compress(bytes(4)))),
    of("more-inside", "The stream has more bytes than are announced.", raw(zlib.compress(bytes([0, 0, 2, 2, 2, 0])))),
    of("behind-stream", "The content goes on behind the stream.", raw(CONTENT + b"\0")),
    of("length", "The length ends before the stream does.", raw(CONTENT, length=len(CONTENT) - 1)),
    of("no-stream", "Even numbers of no bytes have a stream.", raw(b"", width=0)),
    refused(
        "points-narrow",
        "hand",
        "arrays",
        "Doubles have seven bytes.",
        "2",
        changed("instance", points=array("f", 7, [5, 1], [0, 1, 2, 3, 4])),
    ),
    refused(
        "points-announced",
        "hand",
        "arrays",
        "A stream of forty bytes is announced as 2^62 numbers.",
        "2",
        changed("instance", points=raw(zlib.compress(bytes(40)), b"f", 8, (1 << 31, 1 << 31))),
    ),
    refused(
        "differences-by-row",
        "pairs-across-rows",
        "arrays",
        "Differences that begin anew in each row: another pair.",
        "2",
        changed("instance", cannot_link=array("d", 1, [2, 2], [0, 4, 2, 6])),
    ),
    refused(
        "search-in-rows",
        "odd-cycle",
        "arrays",
        "A search is an array of two dimensions.",
        "1",
        changed("nodes", search=integers([[0], [1], [2]])),
    ),
    refused(
        "decisions-in-pairs",
        "fixed",
        "arrays",
        "Decisions are an array of shape (2, t).",
        "2",
        changed("steps", decisions=integers([[0], [1]])),
    ),
    refused(
        "prices-of-integers",
        "prices",
        "arrays",
        "Prices are integers.",
        "2",
        changed("nodes", prices=integers([1, 1, 1, 1, 1, 1])),
    ),
    refused(
        "axes-of-doubles",
        "prices-plane",
        "arrays",
        "Axes are doubles.",
        "2",
        changed("nodes", prices=prices([1.0] * 4) + doubles([[1.0, 0.0]])),
    ),
    refused(
        "triangle-of-doubles",
        "hand",
        "arrays",
        "N is an array of doubles.",
        "2",
        changed("nodes", "node = 2", multipliers=struct.pack("<iiI", 0, 0, 0) + doubles([0.0] * 6)),
    ),
    refused(
        "triangle-in-rows",
        "hand",
        "arrays",
        "N is an array of two dimensions.",
        "2",
        changed(
            "nodes", "node = 2", multipliers=struct.pack("<iiI", 0, 0, 0) + integers([[0], [0], [0], [0], [0], [0]])
        ),
    ),
    behind("points", "hand", "instance", "points"),
    behind("weights", "hand", "instance", "weights"),
    behind("pairs", "hand", "instance", "cannot_link"),
    behind("labels", "hand", "claim", "labels"),
    behind("multipliers", "hand", "nodes", "multipliers", "node = 2"),
    behind("cuts", "cuts-pair", "nodes", "multipliers"),
    behind("search", "odd-cycle", "nodes", "search"),
    behind("knots", "prices-knot", "nodes", "search"),
    behind("prices", "prices-plane", "nodes", "prices"),
    behind("axes", "prices-axes", "nodes", "prices"),
    behind("decisions", "fixed", "steps", "decisions"),
    behind("cover", "cover", "covers", "parts"),
    behind("part", "cover", "parts", "points", "part = 2"),
    behind("gram", "gram", "instance", "gram"),
]
