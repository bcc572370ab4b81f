"""Run files in which a few bytes ask for gigabytes, or for years."""

import struct
from collections.abc import Callable
from pathlib import Path

from pcsos.evidence.codec import encode_integers
from tests.drafts import zeros
from tests.verify.certificates import edit, hand_made

#: Entries of an array that stays just below a gigabyte.
MANY = 1 << 26
#: Rows of a triangle with about 2^27 entries.
ROWS = 16383
#: Super-points of the leaf that is closed by multipliers.
SIZE = 3


def multipliers(triangle: bytes, *cuts: bytes) -> bytes:
    return struct.pack("<iiI", 0, 0, len(cuts) // 2) + triangle + b"".join(cuts)


def in_column(table: str, column: str, blob: bytes, where: str = "TRUE") -> Callable[[Path], int]:
    """Return what writes the hand-made certificate with a blob in a column, and returns the size of the blob."""

    def write(path: Path) -> int:
        edit(hand_made(path), (f"UPDATE {table} SET {column} = ? WHERE {where}", (blob,)))
        return len(blob)

    return write


def in_fixed_pairs(path: Path) -> int:
    blob = zeros(3, MANY // 2)
    payload = blob + multipliers(encode_integers([0] * (SIZE * (SIZE + 1) // 2)))
    edit(hand_made(path), ("INSERT INTO evidence VALUES (99, 2, 'fixed', 0.0, ?, 0.0, '')", (payload,)))
    return len(blob)


def in_search(path: Path) -> int:
    edit(hand_made(path), ("UPDATE evidence SET kind = 'infeasible', payload = ? WHERE kind = 'bound'", (zeros(MANY),)))
    return len(zeros(MANY))


def in_schema(addition: str) -> Callable[[Path], int]:
    """Return what adds to the table ``claim`` so that SQLite itself makes a large value once it is read."""

    def write(path: Path) -> int:
        change = "UPDATE sqlite_master SET sql = replace(sql, 'details TEXT', ?) WHERE name = 'claim'"
        edit(hand_made(path), ("PRAGMA writable_schema = ON", ()), (change, (f"{addition}, details TEXT",)))
        return len(addition)

    return write


BOUND = "kind = 'bound'"
DOUBLES = b"f\x08" + zeros(MANY)[2:]  # the head of as many doubles, without any content
SOUND = encode_integers([0] * (SIZE * (SIZE + 1) // 2))
ML12 = encode_integers([[0], [1], [2]])

#: Each writes a file and returns how many bytes the bomb takes in it.
BOMBS: dict[str, Callable[[Path], int]] = {
    "N": in_column("evidence", "payload", multipliers(zeros(ROWS * (ROWS + 1) // 2)), BOUND),
    "many tables": in_column("evidence", "payload", multipliers(SOUND, *[zeros(2, MANY), zeros(MANY)] * 8), BOUND),
    "a table with many cuts": in_column("evidence", "payload", multipliers(SOUND, zeros(2, MANY), zeros(MANY)), BOUND),
    "a cut with many members": in_column("evidence", "payload", multipliers(SOUND, zeros(MANY, 1), zeros(1)), BOUND),
    "no cuts with many members": in_column("evidence", "payload", multipliers(SOUND, zeros(2**31, 0), zeros(0)), BOUND),
    "labels": in_column("claim", "labels", zeros(MANY)),
    "a single partition": in_column("evidence", "payload", zeros(MANY), "kind = 'single'"),
    "cliques": in_column("evidence", "payload", ML12 + zeros(MANY), "kind = 'forced' AND problem = 2"),
    "prices": in_column("evidence", "kind = 'prices', payload", DOUBLES, BOUND),
    "a cover": in_column("evidence", "kind = 'cover', payload", zeros(MANY), BOUND),
    "children": in_column("evidence", "payload", zeros(MANY), "kind = 'branching' AND problem = 1"),
    "a child": in_column("problems", "content", zeros(MANY), "problem = 4"),
    "must-links": in_column("instance", "must_link", zeros(MANY // 2, 2)),
    "fixed pairs": in_fixed_pairs,
    "a search": in_search,
    "a computed column": in_schema("more BLOB GENERATED ALWAYS AS (zeroblob(900000000)) VIRTUAL"),
    "a computed condition": in_schema("more BLOB CHECK (length(hex(zeroblob(450000000))) != 1)"),
}
