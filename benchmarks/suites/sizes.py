"""Proofs under limits of cluster sizes: iris beside printed seconds, and clusters of equal size on other data sets.

Iris is that of scikit-learn; printed are the seconds of CPRBBA and, for three clusters of fifty, of CC-SOS-SDP. The
other cases ask for clusters that differ by at most one point, on data sets of the PC-SOS-SDP paper.
"""

from pathlib import Path
from typing import Any

import pcsos
from benchmarks import published, wording
from benchmarks.case import Case, Figure, Row, in_tiers
from benchmarks.instances import build, of_repository
from benchmarks.rows import done, rows_of
from benchmarks.solving import PROOF_COLUMNS, PROOF_SHOWN, solve_case
from benchmarks.suites.constrained import N_CLUSTERS, points_of

COLUMNS = ("size_min", "size_max", *PROOF_COLUMNS)
SHOWN = ("size_min", "size_max", *PROOF_SHOWN)
#: Least and greatest size of clusters of iris.
IRIS = [(38, None), (42, None), (46, None), (50, None), (None, 50), (50, 50)]
#: Data sets asked for in clusters of equal size.
BALANCED = ("wine", "seeds", "glass", "ecoli", "accent", "ECG5000")
FIFTY = "iris/50-50"
TIME_LIMIT = 120.0


def cases(data: Path | None) -> list[Case]:
    """Return the cases of iris, and one for each other data set that is there."""
    iris = of_repository()["iris-none"]
    found = []
    for low, high in IRIS:
        limits = {"size_min": low, "size_max": high}
        found.append(Case(f"iris/{low or ''}-{high or ''}", {"files": iris, **limits}, limits, time_limit=TIME_LIMIT))
    for name in BALANCED if data is not None else ():
        files = [points_of(data, name), None, N_CLUSTERS[name]]
        found.append(Case(f"{name}/balanced", {"files": files, "equal": True}, time_limit=TIME_LIMIT))
    return in_tiers(found, quick=2)


def run(files: list[Any], **given: Any) -> Row:
    """Solve one case; kernels are loaded before by a smaller one."""
    plain = build(files=files)
    least = 60 // plain.n_clusters
    pcsos.solve(
        plain.points[:60], plain.n_clusters, size_min=least, time_limit=10.0, options=pcsos.Options(node_limit=1)
    )
    return solve_case(files=files, **given)


def printed(method: str, case: str) -> Figure:
    """Return the printed seconds of a method on a case."""
    return lambda _: f"{published.seconds(method)[case]:g}"


FIGURES: dict[str, Figure] = {
    "proved": lambda rows: wording.proved_of(rows_of(rows, "sizes")),
    "not_proved": lambda rows: wording.not_proved(rows_of(rows, "sizes")),
    "iris_seconds": lambda rows: wording.seconds(done(rows_of(rows, "sizes", FIFTY))[0]["seconds"]),
    "cc_sos_sdp": printed("CC-SOS-SDP", FIFTY),
    "cprbba": printed("CPRBBA with sizes", "iris/50-"),
}
