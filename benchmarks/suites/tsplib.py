"""Points of TSPLIB in the plane, beside the published times of SOS-SDP and of CG+DCA (column generation).

The data folder holds ``tsplib/NAME.txt.gz``; that of published tables ``tsplib_sos_sdp_cg_dca.csv`` (seconds) and
``tsplib_sos_sdp_cg_dca_large.csv`` (hours).
"""

import csv

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, solve_unconstrained, unconstrained_cases
from benchmarks.tables import geometric_mean, table

COLUMNS = CHECKED_COLUMNS
run = solve_unconstrained
TABLES = {"tsplib_sos_sdp_cg_dca.csv": ("s", 1.0), "tsplib_sos_sdp_cg_dca_large.csv": ("h", 3600.0)}
#: Numbers of clusters in those tables, by file.
N_CLUSTERS = {
    "fl417": (2, 4, 6, 8, 10), "gr666": (2, 4, 6, 8, 10), "u1060": (10, 20, 30, 40, 50),
    "u2152": (20, 30, 40, 50, 60), "fl3795": (40, 50, 60, 70, 80), "rl5934": (60, 70, 80, 90, 100),
}  # fmt: skip
#: Seconds after which SOS-SDP was stopped: its tables have an open gap beside each such figure.
STOPPED = 86_400.0
#: How the published tables spell a file.
SPELLED = {"u2172": "u2152"}


def published(settings: Settings) -> dict[str, tuple[float, float]]:
    """Return the seconds of SOS-SDP and of CG+DCA by case."""
    found = {}
    for name, (unit, seconds) in TABLES.items() if settings.published is not None else ():
        with (settings.published / name).open() as file:
            for row in csv.DictReader(file):
                case = f"{SPELLED.get(row['Data'], row['Data'])}/k{row['k']}"
                try:
                    theirs = [seconds * float(row[f"Time_{rival} ({unit})"]) for rival in ("SOS_SDP", "CG_DCA")]
                except ValueError:
                    continue
                found[case] = (theirs[0], theirs[1])
    return found


def cases(settings: Settings) -> list[Case]:
    """Return one case for each file and number of clusters."""
    if settings.data is None:
        raise SystemExit("the suite tsplib needs --data FOLDER with tsplib/")
    return unconstrained_cases(settings.data / "tsplib", N_CLUSTERS)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case with the ratios of seconds, and their geometric means over what is proved."""
    theirs = published(settings)
    lines, ratios = [], []
    for row in rows:
        rivals = theirs.get(row["name"], (float("nan"), float("nan")))
        own = [rival / row["seconds"] if row.get("seconds") else None for rival in rivals]
        if row.get("status") == "OPTIMAL":
            ratios.append(own)
        columns = ("name", "status", "gap", "nodes", "seconds", "verified_gap")
        lines.append([*(row.get(column) for column in columns), *own])
    header = ("instance", "status", "gap", "nodes", "seconds", "verified", "SOS-SDP / ours", "CG+DCA / ours")
    means = [geometric_mean(float(pair[rival] or 0.0) for pair in ratios) for rival in (0, 1)] if ratios else []
    return f"{table(header, lines)}\n\n{len(ratios)} of {len(rows)} proved; geometric means of the ratios: {means}"
