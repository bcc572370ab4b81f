"""Lines of certificates of large clusterings, for the screens that show them."""

from collections.abc import Iterable

from benchmarks.case import Row
from benchmarks.pages import rounding

CERTIFICATE = (
    *("set", "n", "d", "k", "pairs", "gap", "seconds to find", "to certify", "peak MB", "file MB"),
    *("seconds to verify", "MB to verify"),
)


def certificate_lines(rows: Iterable[Row]) -> list[list[object]]:
    """Return a line for each row of the suite ``certify``."""
    return [
        [
            row["name"].partition("/")[2].replace("_", " "),
            *(rounding.whole(row[column]) for column in ("n_points", "n_features", "n_clusters")),
            rounding.whole((row["n_must_link"] or 0) + (row["n_cannot_link"] or 0)),
            rounding.gap(row["gap"]),
            *(rounding.seconds(row[column]) for column in ("search_seconds", "seconds")),
            *(rounding.whole(row["peak_mb"]), rounding.seconds(row["file_mb"])),
            *(rounding.seconds(row["verify_seconds"]), rounding.whole(row["verify_mb"])),
        ]
        for row in rows
    ]
