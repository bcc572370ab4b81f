"""Proofs without constraints: the data sets of the SOS-SDP paper, of 75 to 4,177 points, in ``sos-sdp/NAME.txt.gz``."""

from pathlib import Path

from benchmarks import wording
from benchmarks.case import Case, Figure, Rows, in_tiers
from benchmarks.rows import rows_of, seconds_of
from benchmarks.solving import PROOF_COLUMNS, PROOF_SHOWN, solve_case, unconstrained_cases

COLUMNS = PROOF_COLUMNS
SHOWN = PROOF_SHOWN
run = solve_case
#: Numbers of clusters in the papers, by data set.
N_CLUSTERS = {
    "ruspini": (4,), "voice": (2, 9), "hungarian": (2,), "wdbc": (2, 5), "Strawberry": (2,), "sales_weekly": (2, 3, 5),
    "vehicle_silhouettes": (2, 4, 6), "ItalyPowerDemand": (2, 4), "phishing": (9,), "aspirin": (3,), "car_prep": (4,),
    "rice_std": (2,), "abalone": (3,),
}  # fmt: skip


def cases(data: Path | None) -> list[Case]:
    """Return one case for each data set and number of clusters."""
    found = [] if data is None else unconstrained_cases(data / "sos-sdp", N_CLUSTERS, time_limit=120.0)
    return in_tiers(found, quick=4)


def slowest(rows: Rows) -> str:
    """Return the slowest solve, with its seconds."""
    row = max(rows_of(rows, "unconstrained"), key=seconds_of)
    return f"{row['name']}, {wording.seconds(seconds_of(row))} seconds"


FIGURES: dict[str, Figure] = {
    "proved": lambda rows: wording.proved_of(rows_of(rows, "unconstrained")),
    "minutes": lambda rows: wording.minutes(sum(map(seconds_of, rows_of(rows, "unconstrained")))),
    "slowest": slowest,
    "not_proved": lambda rows: wording.not_proved(rows_of(rows, "unconstrained")),
}
