"""Lines of certificates of large clusterings, for the screens that show them."""

import re
from collections.abc import Iterable

from benchmarks.case import Row
from benchmarks.growth import CENTRES
from benchmarks.pages import rounding
from benchmarks.pages.proofs import bound, gap
from benchmarks.pages.rows import is_proved

CERTIFICATE = (
    *("clustering", "points", "features", "clusters", "pairs", "gap", "seconds to find", "to certify", "blocks"),
    *("peak MB", "file MB", "seconds to verify", "MB to verify"),
)
DRAWN = re.compile(r"(?:drawn|plane)/n\d+_spread(\d+)")
#: Other sets in words, by the part of their names that says which they are.
IN_WORDS = {
    r"large/(\d+_\d_\d+)": r"AVOC \1",
    r"blobs/.*_pairs(\d+)%": r"drawn blobs, pairs of \1 % of the points",
    r"s-mdeclust/.*": "drawn by S-MDEClust",
    r"[\w-]+/(.*)": r"\1",
}


def certificate_lines(rows: Iterable[Row]) -> list[list[object]]:
    """Return a line for each row of the suite ``certify``."""
    return [
        [
            in_words(row["name"]),
            *(rounding.whole(row[column]) for column in ("n_points", "n_features", "n_clusters")),
            rounding.whole((row["n_must_link"] or 0) + (row["n_cannot_link"] or 0)),
            gap(row),
            *(rounding.seconds(row[column]) for column in ("search_seconds", "seconds")),
            *(rounding.whole(row["n_blocks"]), rounding.whole(row["peak_mb"]), rounding.seconds(row["file_mb"])),
            *(rounding.seconds(row["verify_seconds"]), rounding.whole(row["verify_mb"])),
        ]
        for row in rows
    ]


def missed(rows: Iterable[Row]) -> str:
    """Return which clusterings are not certified to the gap that was asked for, and to which they are."""
    found = [f"{in_words(row['name'])}, {size(row)} ({bound(row)})" for row in rows if not is_proved(row)]
    return "; ".join(found) or "none"


def size(row: Row) -> str:
    """Return the number of points of a row in words."""
    return f"{rounding.whole(row['n_points'])} points"


def in_words(name: str) -> str:
    """Return what the points of a case are.

    Examples
    --------
    >>> in_words("plane/n1000_spread9"), in_words("drawn/n100000_spread2_pairs0"), in_words("large/10000_2_05")
    ('drawn, centres of variance 9', 'drawn, centres of variance 2', 'AVOC 10000_2_05')
    """
    if found := DRAWN.match(name):
        return f"drawn, {CENTRES[int(found[1])]}"
    return next(re.sub(pattern, words, name) for pattern, words in IN_WORDS.items() if re.fullmatch(pattern, name))
