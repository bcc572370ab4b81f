"""How long a proof takes without pairs."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import provenance, published, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import done_rows, is_proved, proved_of, rows_of
from benchmarks.record.folder import Record
from benchmarks.tables import geometric_mean, table

PARTS = ("unconstrained", "tsplib")
DRAWN_FROM = ("tsplib",)
ALT = "Seconds on each file of TSPLIB, of SOS-SDP, of CG+DCA and ours, on a logarithmic axis"
RIVALS = ("SOS-SDP", "CG+DCA")
HEADER = ("data set", "n", "d", "k", "proved", "largest gap", "seconds")


def sos_sdp(record: Record) -> str:
    """Return a line a data set of the SOS-SDP paper."""
    return table(HEADER, [line(name, rows) for name, rows in by_file(record, "unconstrained").items()], left=1)


def tsplib(record: Record) -> str:
    """Return a line a file of TSPLIB, with the published seconds divided by ours where we prove the optimum."""
    lines = [
        [*line(name, rows), *(rounding.ratio(mean_ratio(rows, rival)) for rival in RIVALS)]
        for name, rows in by_file(record, "tsplib").items()
    ]
    return table((*HEADER, *(f"{rival} / ours" for rival in RIVALS)), lines, left=1)


def line(name: str, rows: list[Row]) -> list[object]:
    """Return the line of one file."""
    return [
        name,
        *(rounding.whole(rows[0][column]) for column in ("n_points", "n_features")),
        " ".join(row["name"].partition("/k")[2] for row in rows),
        f"{sum(map(is_proved, rows))} of {len(rows)}",
        rounding.gap(max((row["gap"] for row in rows if row["gap"] is not None), default=None)),
        between(row["seconds"] for row in rows if row["seconds"] is not None),
    ]


def between(values: Iterable[float]) -> str:
    """Return the least and the greatest value."""
    ends = list(values)
    low, high = (rounding.seconds(pick(ends)) if ends else rounding.NONE for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def by_file(record: Record, part: str) -> dict[str, list[Row]]:
    """Return the rows of each file of points."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows_of(record, part):
        groups[row["name"].partition("/")[0]].append(row)
    return groups


def mean_ratio(rows: Iterable[Row], rival: str) -> float:
    """Return the geometric mean of published seconds divided by ours, over what we prove."""
    theirs = published.seconds(rival)
    return geometric_mean(theirs[row["name"]] / row["seconds"] for row in rows if is_proved(row))


def slowest(record: Record) -> str:
    """Return the slowest solve of the SOS-SDP data."""
    row = max(done_rows(record, "unconstrained"), key=lambda row: float(row["seconds"]))
    return f"{rounding.seconds(row['seconds'])} seconds ({row['name']})"


def not_proved(record: Record) -> str:
    """Return what of TSPLIB is not proved in its time, with its gap."""
    rows = [row for row in rows_of(record, "tsplib") if not is_proved(row)]
    return ", ".join(f"{row['name']} ({rounding.gap(row['gap'])})" for row in rows) or "nothing"


def draw(record: Record, figure: Path) -> None:
    """Draw the geometric mean of the seconds on each file, over what we prove of it if that is anything."""
    groups = by_file(record, "tsplib")
    proved = {name: list(filter(is_proved, rows)) for name, rows in groups.items()}
    values: dict[str, list[float | None]] = {
        rival: [
            geometric_mean(published.seconds(rival)[row["name"]] for row in proved[name] or rows)
            for name, rows in groups.items()
        ]
        for rival in RIVALS
    }
    values["pcsos"] = [geometric_mean(row["seconds"] for row in rows) if rows else None for rows in proved.values()]
    dots(figure, list(groups), values, "seconds, geometric mean over k; SOS-SDP at most a day")


FACTS = {
    "limit": lambda _: provenance.limit("tsplib"),
    "sos_sdp": sos_sdp,
    "tsplib": tsplib,
    "proved": lambda record: proved_of(record, "unconstrained"),
    "tsplib_proved": lambda record: proved_of(record, "tsplib"),
    "ratio_sos_sdp": lambda record: rounding.ratio(mean_ratio(rows_of(record, "tsplib"), "SOS-SDP")),
    "ratio_cg_dca": lambda record: rounding.ratio(mean_ratio(rows_of(record, "tsplib"), "CG+DCA")),
    "slowest": slowest,
    "not_proved": not_proved,
}
