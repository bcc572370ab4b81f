"""The instances of the PC-SOS-SDP paper (Tables 2-4), beside the published figures.

The data folder holds ``datasets/NAME.txt.gz`` and ``constraints/NAME/ml_M_cl_C_I.txt``; the folder with published
tables holds ``pc_sos_sdp_exact.csv``: means over five instances of a configuration, on 16 cores; and
``cprbba_exact.csv``: those of CPRBBA, which the paper ran on four of the data sets.
"""

import csv
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, load, solve_checked
from benchmarks.tables import geometric_mean, mean, table

COLUMNS = ("dataset", "constraint_type", "num_constraints", *CHECKED_COLUMNS)

#: Number of clusters (classes) of each dataset, small datasets first.
N_CLUSTERS = {
    **{"iris": 3, "wine": 3, "seeds": 3, "connectionist": 2, "glass": 6},
    **{"heart": 2, "vertebral": 2, "accent": 6, "ecoli": 8, "computers": 2, "ECG5000": 5},
}
#: Published tables of the paper by method, and their columns of seconds.
TABLES = {"PC-SOS-SDP": "pc_sos_sdp_exact.csv", "CPRBBA": "cprbba_exact.csv"}
SECONDS = {"PC-SOS-SDP": "mean_seconds_16_cores", "CPRBBA": "mean_seconds"}
PUBLISHED = ("mean_root_gap_percent", "mean_nodes", *SECONDS.values(), "solved_percent")
Configuration = tuple[str, str, float]


def cases(settings: Settings) -> list[Case]:
    """Return one case for each constraint file."""
    if settings.data is None:
        raise SystemExit("the suite published needs --data FOLDER with datasets/ and constraints/")
    found = []
    for dataset, k in N_CLUSTERS.items():
        points = settings.data / "datasets" / f"{dataset}.txt.gz"
        for path in sorted((settings.data / "constraints" / dataset).glob("ml_*_cl_*_*.txt")):
            must, cannot, _ = map(int, re.findall(r"\d+", path.stem))
            kind = "ML+CL" if must and cannot else "ML" if must else "CL"
            found.append(
                Case(
                    f"{dataset}/{path.stem}",
                    {"dataset": dataset, "constraint_type": kind, "num_constraints": max(must, cannot)},
                    {"points": str(points), "constraints": str(path), "n_clusters": k},
                )
            )
    return found


def run(points: str, constraints: str, n_clusters: int, **options: Any) -> Row:
    """Solve one instance, and have its run file checked."""
    return solve_checked(load(points, constraints, n_clusters), **options)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a configuration and the totals, beside the published means."""
    published = read_published(settings.published)
    groups: dict[Configuration, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["dataset"], row["constraint_type"], row["num_constraints"]].append(row)
    lines = [line(key, group, published.get(key, {})) for key, group in groups.items()]
    ratios = [
        published[key]["mean_seconds_16_cores"] / seconds_of(row)
        for key, group in groups.items()
        for row in group
        if key in published
    ]
    return f"{table(HEADER, lines)}\n\n{totals(rows, ratios)}"


def line(key: Configuration, group: list[Row], theirs: dict[str, float]) -> list[object]:
    """Return the line of one configuration."""
    dataset, kind, number = key
    seconds = mean(seconds_of(row) for row in group)
    published_seconds = theirs.get("mean_seconds_16_cores")
    return [
        *(dataset, kind, int(number), len(group)),
        *(sum(proved(row, gap) for row in group) for gap in (1e-4, 1e-6)),
        sum(proved_at_root(row) for row in group),
        mean(100.0 * row["root_gap"] for row in group if row["root_gap"] is not None),
        theirs.get("mean_root_gap_percent"),
        mean(row["nodes"] for row in group if row["nodes"] is not None),
        theirs.get("mean_nodes"),
        seconds,
        published_seconds,
        published_seconds and published_seconds / seconds,
    ]


HEADER = (
    *("dataset", "type", "num", "runs", "<=1e-4", "<=1e-6", "at root"),
    *("root gap %", "published", "nodes", "published", "seconds", "published", "ratio"),
)


def totals(rows: list[Row], ratios: list[float]) -> str:
    """Return the figures over all rows; a case that was not solved counts with the time it took."""
    return "\n".join(
        [
            f"instances: {len(rows)}; failed or killed: {sum(row['outcome'] != 'done' for row in rows)}",
            f"proved to 1e-4: {sum(proved(row, 1e-4) for row in rows)}; "
            f"to 1e-6: {sum(proved(row, 1e-6) for row in rows)}; "
            f"at the root, without branching: {sum(proved_at_root(row) for row in rows)}",
            f"seconds: {sum(map(seconds_of, rows)):.0f} in total",
            f"published mean seconds (16 cores) / ours, geometric mean: {geometric_mean(ratios):.2f}",
        ]
    )


def seconds_of(row: Row) -> float:
    """Return the seconds of a solve, or of its process where there is no result."""
    return float(row["wall_seconds"] if row["seconds"] is None else row["seconds"])


def proved(row: Row, gap: float) -> bool:
    """Tell whether a row proves its objective to this relative gap."""
    return row["status"] == "OPTIMAL" and row["gap"] is not None and row["gap"] <= gap * (1 + 1e-9)


def proved_at_root(row: Row) -> bool:
    """Tell whether a row is proved to 1e-4 with a single node."""
    return proved(row, 1e-4) and row["nodes"] <= 1


def read_published(folder: Path | None, name: str = TABLES["PC-SOS-SDP"]) -> dict[Configuration, dict[str, float]]:
    """Return the published figures of each configuration; nothing without a folder."""
    if folder is None:
        return {}
    names = {name.lower(): name for name in N_CLUSTERS}
    with folder.joinpath(name).open(newline="") as stream:
        return {
            (
                names.get(row["dataset"].lower(), row["dataset"]),
                row["constraint_type"],
                float(row["num_constraints"]),
            ): {column: float(row[column]) for column in row if column in PUBLISHED}
            for row in csv.DictReader(stream)
        }
