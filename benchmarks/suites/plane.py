"""Points in the plane: TSPLIB beside printed times, drawn sets with pairs, and certificates of up to a million points.

``tsplib/`` are points of TSPLIB (``tsplib/NAME.txt.gz``) beside SOS-SDP and CG+DCA (column generation); ``pairs/`` the
synthetic sets of the S-MDEClust paper (``s-mdeclust/synthetic_*.gz``), solved with a proof; ``drawn/`` mixtures of ten
Gaussians of variance 1, whose partition is found, then certified.
"""

import re
from pathlib import Path
from typing import Any

from benchmarks import published, wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.rows import done, is_proved, rows_of, seconds_of
from benchmarks.solving import PROOF_COLUMNS, PROOF_SHOWN, certify_case, solve_case, unconstrained_cases
from benchmarks.tables import geometric_mean

COLUMNS = PROOF_COLUMNS
SHOWN = PROOF_SHOWN
#: Numbers of clusters in the tables of CG+DCA, by file.
N_CLUSTERS = {
    "fl417": (2, 4, 6, 8, 10), "gr666": (2, 4, 6, 8, 10), "u1060": (10, 20, 30, 40, 50),
    "u2152": (20, 30, 40, 50, 60), "fl3795": (40, 50, 60, 70, 80), "rl5934": (60, 70, 80, 90, 100),
}  # fmt: skip
TSPLIB_LIMIT, PAIRS_LIMIT, DRAWN_LIMIT, MILLION_LIMIT = 60.0, 30.0, 60.0, 180.0
#: Gap of what is drawn.
GAP = 1e-3
#: Numbers of points of the certificates, and variances of their centres.
DRAWN = [(10**power, spread) for power in range(3, 8) for spread in (9, 2)]
MILLION = "drawn/n1000000_spread9"


def cases(data: Path | None) -> list[Case]:
    """Return the cases of all three kinds, without data the drawn ones alone."""
    found = [_certificate(n, spread) for n, spread in DRAWN]
    recorded = in_tiers(found, rf"n(1000|10000|100000)_|{MILLION}", quick=1)
    if data is None:
        return recorded
    tsplib = unconstrained_cases(data / "tsplib", N_CLUSTERS, time_limit=TSPLIB_LIMIT)
    tsplib = [Case(f"tsplib/{case.name}", case.arguments, time_limit=case.time_limit) for case in tsplib]
    pairs = [
        Case(f"pairs/{name}", {"files": files}, gap=GAP, time_limit=PAIRS_LIMIT)
        for name, files in synthetic_files(data).items()
    ]
    return [*in_tiers(tsplib, quick=3), *in_tiers(pairs, "n(1000|5000|20000-k2)-", quick=1), *recorded]


def _certificate(n: int, spread: int) -> Case:
    limit = DRAWN_LIMIT if n < 1_000_000 else MILLION_LIMIT
    return Case(f"drawn/n{n}_spread{spread}", {"spread": [n, spread, 0, 10, 2]}, gap=GAP, time_limit=limit)


def synthetic_files(data: Path) -> dict[str, list[Any]]:
    """Return points, constraints and clusters of each set of the S-MDEClust paper, the smallest first."""
    found = {}
    for path in (data / "s-mdeclust").glob("synthetic_n*_d2_k*_constraints_*.json.gz"):
        n, _, k, number = map(int, re.findall(r"\d+", path.name))
        found[n, k, number] = [str(path.parent / f"synthetic_n{n}_d2_k{k}_data.csv.gz"), str(path), k]
    return {f"n{n}-k{k}-c{number}": found[n, k, number] for n, k, number in sorted(found)}


def run(spread: list[int] | None = None, **given: Any) -> Row:
    """Certify what is drawn without pairs, and solve the rest."""
    return solve_case(**given) if spread is None else certify_case(spread=spread, **given)


def times_as_long(rival: str) -> Figure:
    """Return the geometric mean of the printed seconds of a rival divided by ours over what pcsos proves.

    It is a bound where the rival was stopped.
    """

    def figure(rows: Rows) -> str:
        theirs, shares = published.seconds(rival), published.solved(rival)
        own = {row["name"].removeprefix("tsplib/"): row for row in rows_of(rows, "plane", "tsplib/")}
        proved = {case: row for case, row in own.items() if is_proved(row)}
        bound = "at least " * any(shares[case] < 100 for case in proved)
        ratio = geometric_mean(theirs[case] / row["seconds"] for case, row in proved.items())
        return f"{bound}{wording.ratio(ratio)}"

    return figure


def million(column: str, written: Any) -> Figure:
    """Return a column of the certificate of a million points."""
    return lambda rows: str(written(done(rows_of(rows, "plane", MILLION))[0][column]))


def worst_gap(rows: Rows) -> str:
    """Return the largest gap of the sets with pairs, and of which it is."""
    row = max(done(rows_of(rows, "plane", "pairs/")), key=lambda row: float(row["gap"]))
    return f"{wording.gap(row['gap'])} ({row['name'].removeprefix('pairs/')})"


FIGURES: dict[str, Figure] = {
    "tsplib": lambda rows: wording.proved_of(rows_of(rows, "plane", "tsplib/")),
    "tsplib_not_proved": lambda rows: wording.not_proved(rows_of(rows, "plane", "tsplib/")),
    "sos_sdp": times_as_long("SOS-SDP"),
    "cg_dca": times_as_long("CG+DCA"),
    "pairs": lambda rows: wording.proved_of(rows_of(rows, "plane", "pairs/")),
    "worst_gap": worst_gap,
    "drawn": lambda rows: wording.proved_of(rows_of(rows, "plane", "drawn/")),
    "drawn_not_proved": lambda rows: wording.not_proved(rows_of(rows, "plane", "drawn/")),
    "minutes": lambda rows: wording.minutes(sum(map(seconds_of, rows_of(rows, "plane")))),
    "million_gap": million("gap", wording.gap),
    "million_seconds": million("seconds", wording.seconds),
    "million_mb": million("peak_mb", wording.whole),
    "million_file_mb": million("file_mb", wording.whole),
    "million_verify_seconds": million("verify_seconds", wording.seconds),
}
