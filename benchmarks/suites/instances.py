"""The instances of this repository, beside their recorded optima."""

import json
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, load, solve_checked
from benchmarks.tables import table

FOLDER = Path(__file__).parents[2] / "instances"
COLUMNS = ("optimum", *CHECKED_COLUMNS)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance in ``instances/optima.json``."""
    return [
        Case(
            record["name"],
            {"optimum": record["objective"]},
            {
                "points": str(FOLDER / record["points"]),
                "constraints": record["constraints"] and str(FOLDER / record["constraints"]),
                "n_clusters": record["n_clusters"],
            },
        )
        for record in json.loads(FOLDER.joinpath("optima.json").read_text())
    ]


def run(points: str, constraints: str | None, n_clusters: int, **options: Any) -> Row:
    """Solve one instance, and have its run file checked."""
    return solve_checked(load(points, constraints, n_clusters), **options)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line an instance."""
    header = ("instance", "n", "k", "s", "status", "objective", "recorded", "gap", "nodes", "seconds")
    columns = (
        *("name", "n_points", "n_clusters", "n_super_points", "status"),
        *("objective", "optimum", "gap", "nodes", "seconds"),
    )
    return table(header, [[row[column] for column in columns] for row in rows])
