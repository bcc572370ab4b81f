"""The data sets of the SOS-SDP paper, without constraints: 75 to 4,177 points, solved to the gap asked for.

The data folder holds ``sos-sdp/NAME.txt.gz``.
"""

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, solve_unconstrained, unconstrained_cases
from benchmarks.tables import table

COLUMNS = CHECKED_COLUMNS
run = solve_unconstrained

#: Numbers of clusters in the papers, by data set.
N_CLUSTERS = {
    "ruspini": (4,), "voice": (2, 9), "hungarian": (2,), "wdbc": (2, 5), "Strawberry": (2,), "sales_weekly": (2, 3, 5),
    "vehicle_silhouettes": (2, 4, 6), "ItalyPowerDemand": (2, 4), "phishing": (9,), "aspirin": (3,), "car_prep": (4,),
    "rice_std": (2,), "abalone": (3,),
}  # fmt: skip


def cases(settings: Settings) -> list[Case]:
    """Return one case for each data set and number of clusters."""
    if settings.data is None:
        raise SystemExit("the suite unconstrained needs --data FOLDER with sos-sdp/")
    return unconstrained_cases(settings.data / "sos-sdp", N_CLUSTERS)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case, and how many are proved."""
    header = ("instance", "n", "d", "status", "gap", "nodes", "seconds", "MB", "verified", "in s")
    keys = (
        *("name", "n_points", "n_features", "status", "gap", "nodes", "seconds", "peak_mb"),
        *("verified_gap", "verify_seconds"),
    )
    proved = sum(row.get("status") == "OPTIMAL" for row in rows)
    return f"{table(header, [[row.get(key) for key in keys] for row in rows])}\n\n{proved} of {len(rows)} proved"
