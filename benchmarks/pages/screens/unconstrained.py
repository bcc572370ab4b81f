"""How long a proof takes without pairs."""

import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import provenance, published, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.proofs import effort, gap, not_proved
from benchmarks.pages.rows import is_proved, proved_of, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.published import seconds_of
from benchmarks.tables import geometric_mean, table

PARTS = ("unconstrained", "tsplib")
DRAWN_FROM = ("tsplib",)
ALT = "Seconds on the files of TSPLIB of SOS-SDP, of CG+DCA and ours, means over k, on a logarithmic axis"
RIVALS = ("SOS-SDP", "CG+DCA")
HEADER = ("data set", "points", "features", "clusters", "proved", "largest gap", "pcsos, s")


def sos_sdp(record: Record) -> str:
    """Return a line a data set of the SOS-SDP paper."""
    return table(HEADER, [line(name, rows) for name, rows in by_file(record, "unconstrained").items()], left=1)


def tsplib(record: Record) -> str:
    """Return a line a file of TSPLIB, with the published seconds divided by ours where we prove the optimum."""
    lines = [
        [*line(name, rows), *(times_as_long(filter(is_proved, rows), rival) for rival in RIVALS)]
        for name, rows in by_file(record, "tsplib").items()
    ]
    return table((*HEADER, *(f"{rival} / pcsos" for rival in RIVALS)), lines, left=1)


def line(name: str, rows: list[Row]) -> list[object]:
    """Return the line of one file."""
    return [
        name,
        *(rounding.whole(rows[0][column]) for column in ("n_points", "n_features")),
        " ".join(row["name"].partition("/k")[2] for row in rows),
        f"{sum(map(is_proved, rows))} of {len(rows)}",
        gap(max(rows, key=lambda row: math.inf if row["gap"] is None else row["gap"])),
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


def limit() -> float:
    """Return the seconds that a case of TSPLIB may take."""
    return float(provenance.limit("tsplib"))


def counted_seconds(row: Row) -> float:
    """Return the seconds of a proof; those of the limit, and no less, where there is none."""
    return float(row["seconds"]) if is_proved(row) else max(limit(), seconds_of(row))


def times_as_long(rows: Iterable[Row], rival: str) -> str:
    """Return the geometric mean of published seconds divided by ours; a bound of it where one was stopped."""
    theirs, shares, cases = published.seconds(rival), published.solved(rival), list(rows)
    ratio = rounding.ratio(geometric_mean(theirs[row["name"]] / counted_seconds(row) for row in cases))
    is_stopped = any(shares[row["name"]] < 100 for row in cases), not all(map(is_proved, cases))
    return {(True, False): "at least ", (False, True): "at most "}.get(is_stopped, "") + ratio


def ratios(record: Record, rival: str) -> str:
    """Return the ratio over what we prove, and over what either proves where that is more."""
    shares, rows = published.solved(rival), rows_of(record, "tsplib")
    proved = list(filter(is_proved, rows))
    either = [row for row in rows if is_proved(row) or shares[row["name"]] == 100]
    ratio = f"{times_as_long(proved, rival)} over the {len(proved)} that pcsos proves"
    if len(proved) == len(either):
        return ratio
    of_either = f"{times_as_long(either, rival)} over the {len(either)} that either proves"
    return f"{ratio}, {of_either}, where the other one counts with its limit"


def stopped(record: Record) -> str:
    """Return the cases on which SOS-SDP was stopped."""
    shares = published.solved("SOS-SDP")
    names = [row["name"] for row in rows_of(record, "tsplib") if shares[row["name"]] < 100]
    groups = {name: [one for one in names if one.startswith(f"{name}/")] for name in by_file(record, "tsplib")}
    return "; ".join(f"{name} ({', '.join(_clusters(own))})" for name, own in groups.items() if own) or "none"


def left_out(record: Record) -> str:
    """Return the files of the published tables that were not measured."""
    files = dict.fromkeys(case.partition("/")[0] for case in published.seconds("SOS-SDP"))
    return ", ".join(name for name in files if name not in by_file(record, "tsplib")) or "none"


def slowest(record: Record) -> str:
    """Return the slowest solve of the SOS-SDP data, with its nodes."""
    row = max(rows_of(record, "unconstrained"), key=seconds_of)
    return f"{row['name']}: {effort(row)}"


def draw(record: Record, figure: Path) -> None:
    """Draw the geometric mean of the seconds on each file; what is not proved counts with its limit."""
    groups = by_file(record, "tsplib")
    values: dict[str, list[float | None]] = {
        rival: [geometric_mean(published.seconds(rival)[row["name"]] for row in rows) for rows in groups.values()]
        for rival in RIVALS
    }
    values["pcsos"] = [geometric_mean(map(counted_seconds, rows)) for rows in groups.values()]
    label = f"seconds, geometric mean over k; what is not proved counts with the limit (a day; pcsos {limit():g} s)"
    dots(figure, list(groups), values, label)


FACTS = {
    "sos_sdp": sos_sdp,
    "tsplib": tsplib,
    "proved": lambda record: proved_of(record, "unconstrained"),
    "tsplib_proved": lambda record: proved_of(record, "tsplib"),
    "ratio_sos_sdp": lambda record: ratios(record, "SOS-SDP"),
    "ratio_cg_dca": lambda record: ratios(record, "CG+DCA"),
    "stopped": stopped,
    "left_out": left_out,
    "slowest": slowest,
    "not_proved": lambda record: not_proved(rows_of(record, "tsplib"), "tsplib"),
}


def _clusters(names: Iterable[str]) -> Iterable[str]:
    return (name.partition("/")[2].replace("k", "k = ") for name in names)
