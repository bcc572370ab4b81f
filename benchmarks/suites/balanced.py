"""Clusterings under limits of cluster sizes, solved with a proof.

Cases ``iris/...`` have a least or a greatest size; ``benchmarks/published.csv`` has the seconds that are printed for
CPRBBA and, for three clusters of fifty, for CC-SOS-SDP. The other cases ask for clusters that differ by at most one
point, on the data sets of the PC-SOS-SDP paper that ``--data FOLDER`` has.
"""

import math
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, load, solve_checked
from benchmarks.solving import solve as solve_instance
from benchmarks.suites.published import N_CLUSTERS
from benchmarks.tables import table
from pcsos.problem.instance import Instance

COLUMNS = ("dataset", "size_min", "size_max", *CHECKED_COLUMNS)
#: Least and greatest size of clusters of iris.
IRIS = [(38, None), (42, None), (46, None), (50, None), (None, 50), (50, 50)]
#: Data sets asked for in clusters of equal size.
BALANCED = ("wine", "seeds", "glass", "ecoli", "accent", "ECG5000")
HEADER = ("dataset", "least", "greatest", "status", "objective", "gap", "nodes", "seconds")


def cases(settings: Settings) -> list[Case]:
    """Return the cases of iris, and one for each data set that is there."""
    files = {
        name: None if settings.data is None else settings.data / "datasets" / f"{name}.txt.gz"
        for name in ("iris", *BALANCED)
    }
    found = [_case("iris", None, low, high) for low, high in IRIS]
    return found + [_case(name, str(files[name]), None, None) for name in BALANCED if files[name] is not None]


def _case(dataset: str, points: str | None, low: int | None, high: int | None) -> Case:
    name = f"{dataset}/{low or ''}-{high or ''}" if points is None else f"{dataset}/balanced"
    columns = {"dataset": dataset, "size_min": low, "size_max": high}
    return Case(name, columns, {"points": points, **columns})


def run(dataset: str, points: str | None, size_min: int | None, size_max: int | None, **options: Any) -> Row:
    """Solve one case; kernels are loaded before by a smaller one."""
    if points is None:
        from sklearn.datasets import load_iris

        plain = Instance(load_iris().data, 3)
    else:
        plain = load(points, None, N_CLUSTERS[dataset])
        size_min = plain.n_points // plain.n_clusters
        size_max = math.ceil(plain.n_points / plain.n_clusters)
    warm = Instance(plain.points[:60], plain.n_clusters, size_min=60 // plain.n_clusters)
    solve_instance(warm, node_limit=1, time_limit=10.0)
    instance = Instance(plain.points, plain.n_clusters, size_min=size_min, size_max=size_max)
    return {"size_min": size_min, "size_max": size_max} | solve_checked(instance, **options)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case."""
    names = ("dataset", "size_min", "size_max", "status", "objective", "gap", "nodes", "seconds")
    return table(HEADER, [[row[name] for name in names] for row in rows])
