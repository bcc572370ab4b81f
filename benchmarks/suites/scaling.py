"""Growth with the number of points: overlapping mixtures of five Gaussians with n / 4 constraints of each kind."""

from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import SOLVE_COLUMNS
from benchmarks.solving import solve as solve_instance
from benchmarks.tables import table
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance

COLUMNS = ("n", "kind", *SOLVE_COLUMNS)
SIZES = (50, 100, 150, 200, 300, 400, 500)
KINDS = {"none": (0, 0), "ml": (1, 0), "cl": (0, 1), "both": (1, 1)}


def cases(settings: Settings) -> list[Case]:
    """Return one case for each size and kind of constraints."""
    return [
        Case(f"n{n}-{kind}", {"n": n, "kind": kind}, {"n": n, "shares": shares})
        for n in SIZES
        for kind, shares in KINDS.items()
    ]


def run(n: int, shares: list[int], **options: Any) -> Row:
    """Draw and solve one instance."""
    points, labels = gaussian_mixture(n, 4, 5, separation=5.0, seed=n)
    must, cannot = (share * n // 4 for share in shares)
    pairs = constraints_from_labels(labels, n_must_link=must, n_cannot_link=cannot, seed=n)
    return solve_instance(Instance(points, 5, *pairs), **options)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line an instance."""
    header = ("instance", "super-points", "status", "gap", "nodes", "root gap", "root seconds", "seconds", "MB")
    columns = (*("name", "n_super_points", "status", "gap", "nodes", "root_gap", "root_seconds", "seconds", "peak_mb"),)
    return table(header, [[row[column] for column in columns] for row in rows])
