"""Arrays that are none (section 2)."""

import struct
import zlib
from typing import Any

from tests.conformance.encoding import array, decisions, doubles, integers, multipliers
from tests.conformance.forgery import Forgery, changed, refused, stated

LABELS = integers([0, 0, 1, 1, 1])
CONTENT = zlib.compress(bytes([0, 0, 2, 2, 2]), 9)


def raw(
    content: bytes, kind: bytes = b"i", width: int = 1, shape: tuple[int, ...] = (5,), length: int | None = None
) -> bytes:
    """An array whose parts need not fit to each other."""
    header = struct.pack("<cBBI", kind, width, len(shape), len(content) if length is None else length)
    return header + struct.pack(f"<{len(shape)}I", *shape) + content


def of(label: str, labels: object) -> Forgery:
    return refused(f"labels-{label}", "hand", "arrays", changed("claim", labels=labels))


def of_evidence(label: str, base: str, kind: str, problem: int = 0, **values: Any) -> Forgery:
    return refused(label, base, "arrays", stated(problem, kind, **values))


def behind(name: str, base: str, table: str, column: str, where: str = "") -> Forgery:
    """One byte behind what is in a blob."""
    blob = f"UPDATE {table} SET {column} = CAST({column} || X'00' AS BLOB)" + (f" WHERE {where}" if where else "")
    label = f"behind-{name}: A byte follows the last array of {table}.{column}. (2)"
    return refused(label, base, "arrays", blob)


def behind_evidence(kind: str, base: str, problem: int = 0) -> Forgery:
    """One byte behind what is in a payload."""
    label = f"behind-{kind}: A byte follows the last array of evidence `{kind}`. (2)"
    return of_evidence(label, base, kind, problem, behind=b"\0")


#: 2^32 - 1 numbers of which none has a byte.
NOTHING = zlib.compress(b"", 9)
LARGE = raw(NOTHING, b"i", 0, ((1 << 32) - 1,))
EXCHANGED: dict[str, Any] = {"decisions": multipliers(4), "multipliers": decisions(["CL 0 1"])}
HEAD = struct.pack("<iiI", 0, 0, 0)

FORGERIES = [
    of("empty: No bytes are no array. (2)", b""),
    of("cut-off: The array ends early. (2)", LABELS[:-1]),
    of("header-cut-off: The header ends early. (2)", LABELS[:9]),
    of("of-another-kind: The kind is none of three. (2)", raw(CONTENT, b"u")),
    of("of-doubles: Labels are doubles. (2)", doubles([0.0, 0.0, 1.0, 1.0, 1.0])),
    of("too-wide: Numbers have nine bytes. (2)", raw(zlib.compress(bytes(45)), width=9)),
    of("in-rows: Labels are an array of two dimensions. (2)", raw(CONTENT, shape=(5, 1))),
    of("without-dimensions: Labels are an array of no dimension. (2)", raw(zlib.compress(b"\0"), shape=())),
    of("too-few: There are four labels for five points. (2)", integers([0, 0, 1, 1])),
    of("too-many: There are six labels for five points. (2)", integers([0, 0, 1, 1, 1, 1])),
    of("not-compressed: The content is no zlib stream. (2)", raw(bytes([0, 0, 2, 2, 2]))),
    of("deflated-only: The content is a deflate stream without the header of zlib. (2)", raw(CONTENT[2:-4])),
    of("checksum: The checksum of the stream is wrong. (2)", raw(CONTENT[:-1] + bytes([CONTENT[-1] ^ 1]))),
    of("no-checksum: The stream ends before its checksum. (2)", raw(CONTENT[:-4])),
    of("less-inside: The stream has fewer bytes than are announced. (2)", raw(zlib.compress(bytes(4)))),
    of("more-inside: The stream has more bytes than are announced. (2)", raw(zlib.compress(bytes([0, 0, 2, 2, 2, 0])))),
    of("behind-stream: The content goes on behind the stream. (2)", raw(CONTENT + b"\0")),
    of("length: The length ends before the stream does. (2)", raw(CONTENT, length=len(CONTENT) - 1)),
    of("no-stream: Even numbers of no bytes have a stream. (2)", raw(b"", width=0)),
    refused(
        "points-narrow: Doubles have seven bytes. (2)",
        "hand",
        "arrays",
        changed("instance", points=array("f", 7, [5, 1], [0, 1, 2, 3, 4])),
    ),
    refused(
        "points-announced: A stream of forty bytes is announced as 2^62 numbers. (2)",
        "hand",
        "arrays",
        changed("instance", points=raw(zlib.compress(bytes(40)), b"f", 8, (1 << 31, 1 << 31))),
    ),
    refused(
        "differences-by-row: Differences that begin anew in each row: another pair. (2)",
        "pairs-across-rows",
        "arrays",
        changed("instance", cannot_link=array("d", 1, [2, 2], [0, 4, 2, 6])),
    ),
    of_evidence("search-in-rows: A search of two dimensions. (2)", "odd-cycle", "infeasible", search=[[0], [1], [2]]),
    of_evidence(
        "search-of-doubles: A search of doubles. (2)", "odd-cycle", "infeasible", search=doubles([0.0, 1.0, 2.0])
    ),
    of_evidence("search-twice: Two searches. (2)", "odd-cycle", "infeasible", behind=integers([0, 1, 2])),
    of_evidence("decisions-in-pairs: Decisions of shape (2, t). (2)", "fixed", "fixed", decisions=integers([[0], [1]])),
    of_evidence("decisions-in-a-row: Decisions of one dimension. (2)", "fixed", "fixed", decisions=integers([1, 0, 1])),
    of_evidence(
        "decisions-of-doubles: Decisions of doubles. (2)", "far", "far", decisions=doubles([[1.0], [0.0], [2.0]])
    ),
    of_evidence("decisions-behind: Decisions stand behind multipliers. (2)", "fixed", "fixed", **EXCHANGED),
    of_evidence("prices-of-integers: Prices are integers. (2)", "prices", "prices", prices=integers([1] * 6)),
    of_evidence("triangle-of-doubles: N is of doubles. (2)", "hand", "bound", 2, multipliers=HEAD + doubles([0.0] * 6)),
    of_evidence(
        "triangle-in-rows: N is of two dimensions. (2)", "hand", "bound", 2, multipliers=HEAD + integers([[0]] * 6)
    ),
    *(
        of_evidence(
            f"announced-{kind}: {name} of 2^32 - 1 numbers, in a few bytes. (2)", base, kind, **{name.lower(): LARGE}
        )
        for kind, base, name in (
            ("infeasible", "odd-cycle", "Search"),
            ("forced", "forced-together", "Cliques"),
            ("cover", "cover", "Parts"),
            ("branching", "open-children", "Children"),
            ("prices", "prices-knot", "Knots"),
        )
    ),
    of_evidence(
        "announced-axes: 2^31 axes, in a few bytes. (2)",
        "prices-plane",
        "prices",
        axes=raw(NOTHING, b"i", 0, (1 << 31, 2)),
    ),
    of_evidence(
        "announced-decisions: 2^31 pairs, in a few bytes. (2)",
        "far",
        "far",
        decisions=raw(NOTHING, b"i", 0, (3, 1 << 31)),
    ),
    of_evidence(
        "search-dimensions: A search of 255 dimensions. (2)",
        "odd-cycle",
        "infeasible",
        search=raw(NOTHING, b"i", 0, (1,) * 255),
    ),
    refused(
        "part-announced: A part of 2^32 - 1 points, in a few bytes. (2)",
        "cover",
        "arrays",
        changed("problems", "problem = 1", content=LARGE + doubles([1.0] * 3)),
    ),
    behind("points", "hand", "instance", "points"),
    behind("weights", "hand", "instance", "weights"),
    behind("pairs", "hand", "instance", "cannot_link"),
    behind("labels", "hand", "claim", "labels"),
    behind("gram", "gram", "instance", "gram"),
    behind("child", "hand", "problems", "content", "problem = 4"),
    behind("part", "cover", "problems", "content", "problem = 2"),
    behind_evidence("bound", "hand", 2),
    behind_evidence("open", "open"),
    behind_evidence("prices", "prices-axes"),
    behind_evidence("line", "line"),
    behind_evidence("single", "hand", 4),
    behind_evidence("infeasible", "odd-cycle"),
    behind_evidence("forced", "hand", 2),
    behind_evidence("fixed", "fixed"),
    behind_evidence("soft", "soft-together"),
    behind_evidence("far", "far"),
    behind_evidence("equal", "equal"),
    behind_evidence("branching", "hand"),
    behind_evidence("cover", "cover"),
]
