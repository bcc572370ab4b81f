"""The same certificate by the process pool and by the workers of a Dask cluster on this machine, in turn."""

import os
import time
from statistics import median
from typing import Any

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.suites.certify import mixture
from benchmarks.tables import table
from pcsos import heuristics

COLUMNS = ("executor", "n_blocks", "gap", "lower_bound", "seconds")
REPEATS = 5
#: Points of the mixture, whose centres are drawn from N(0, 9 I).
SIZE = 10_000


def cases(settings: Settings) -> list[Case]:
    """Return the repeats."""
    return [
        Case(f"{name}/{repeat}", {"executor": name}, {"executor": name})
        for repeat in range(REPEATS)
        for name in ("pool", "dask")
    ]


def run(executor: str, workers: int | None, **options: Any) -> Row:
    """Certify the mixture; starting the processes of the pool counts, starting the cluster does not."""
    instance = mixture(SIZE, 9, 0)
    found, _ = heuristics.run(instance, "ipc-kmeans", num_starts=5)
    labels = found.labels
    number = workers or os.cpu_count() or 1
    if executor == "pool":
        return certified(instance, labels, workers=number, **options)
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        client.run(__import__, "pcsos.bounds.blocks.block")
        return certified(instance, labels, workers=number, executor=client.get_executor(), **options)


def certified(instance: Any, labels: Any, **options: Any) -> Row:
    """Certify, and return the columns of the row."""
    begun = time.perf_counter()
    result = pcsos.certify(instance, labels, **options)
    seconds = time.perf_counter() - begun
    return {
        "n_blocks": result.n_blocks,
        "gap": result.gap,
        "lower_bound": result.lower_bound,
        "seconds": seconds,
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return the medians and their ratio."""
    seconds = {name: median(row["seconds"] for row in rows if row["executor"] == name) for name in ("pool", "dask")}
    bounds = {row["lower_bound"] for row in rows}
    lines = [(name, len(rows) // 2, value) for name, value in seconds.items()]
    text = table(("executor", "runs", "median seconds"), lines)
    return f"{text}\n\nratio {seconds['dask'] / seconds['pool']:.3f}; {len(bounds)} lower bound(s) among all runs"
