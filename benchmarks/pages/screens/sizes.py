"""How long a proof takes under limits of cluster sizes."""

from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import published, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.proofs import gap, not_proved
from benchmarks.pages.rows import done_rows, proved_of, rows_of
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = ("balanced",)
DRAWN_FROM = ("balanced",)
ALT = "Seconds on iris under limits of sizes, published and ours, on a logarithmic axis"
EQUAL = "^iris/50-50$"
#: Methods whose seconds are printed, and how the page names them.
RIVALS = {"CPRBBA with sizes": "CPRBBA", "CC-SOS-SDP": "CC-SOS-SDP"}
HEADER = (
    *("data set", "points", "clusters", "points in a cluster", "gap", "nodes", "pcsos, s"),
    *(f"{name}, s (printed)" for name in RIVALS.values()),
)


def limits(record: Record) -> str:
    """Return a line a case."""
    lines = [
        [
            *(row["dataset"], *(rounding.whole(row[column]) for column in ("n_points", "n_clusters")), sizes(row)),
            *(gap(row), rounding.whole(row["nodes"]), rounding.seconds(row["seconds"])),
            *(rounding.published(published.seconds(rival).get(row["name"])) for rival in RIVALS),
        ]
        for row in rows_of(record, "balanced")
    ]
    return table(HEADER, lines, left=1)


def sizes(row: Row) -> str:
    """Return the limits in words."""
    low, high = row["size_min"], row["size_max"]
    if low is None and high is None:  # of clusters of equal size, in a row that did not end
        return "equal"
    if high is None:
        return f"at least {low:.0f}"
    if low is None:
        return f"at most {high:.0f}"
    return f"{low:.0f} each" if low == high else f"{low:.0f} or {high:.0f} each"


def label(row: Row) -> str:
    """Return the name of a case in words."""
    return f"{row['dataset']}, {sizes(row)}"


def printed(record: Record, rival: str, name: str) -> str:
    """Return the printed seconds of a case that was measured."""
    rows_of(record, "balanced", f"^{name}$")
    return rounding.published(published.seconds(rival)[name])


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of the cases with published ones."""
    theirs = {name: published.seconds(rival) for rival, name in RIVALS.items()}
    rows = [row for row in done_rows(record, "balanced") if any(row["name"] in cases for cases in theirs.values())]
    values = {f"{name}, printed": [cases.get(row["name"]) for row in rows] for name, cases in theirs.items()}
    values["pcsos"] = [row["seconds"] for row in rows]
    dots(figure, [sizes(row) for row in rows], values, "seconds, iris in three clusters")


FACTS = {
    "cc_sos_sdp": lambda record: printed(record, "CC-SOS-SDP", "iris/50-50"),
    "cprbba": lambda record: printed(record, "CPRBBA with sizes", "iris/50-"),
    "limits": limits,
    "proved": lambda record: proved_of(record, "balanced"),
    "not_proved": lambda record: not_proved(rows_of(record, "balanced"), "balanced", label),
    "iris_seconds": lambda record: rounding.seconds(done_rows(record, "balanced", EQUAL)[0]["seconds"]),
}
