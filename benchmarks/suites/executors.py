"""The same certificate of many blocks by a pool of processes and by the workers of a Dask cluster here, in turn."""

import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from statistics import median
from typing import Any

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.machine import num_cores
from benchmarks.suites.certify import mixture
from benchmarks.tables import table
from pcsos import heuristics

COLUMNS = ("executor", "n_points", "n_features", "n_blocks", "gap", "lower_bound", "seconds")
EXECUTORS = ("pool", "dask")
REPEATS = 5
#: Points, variance of the centres and features of the mixture: more features than prices are tried with.
SIZE, SPREAD, NUM_FEATURES = 5000, 2, 20


def cases(settings: Settings) -> list[Case]:
    """Return the repeats."""
    return [
        Case(f"{name}/{repeat}", {"executor": name}, {"executor": name})
        for repeat in range(REPEATS)
        for name in EXECUTORS
    ]


def run(executor: str, workers: int | None, **options: Any) -> Row:
    """Certify the mixture twice by an executor that has been started, and measure the second time."""
    instance = mixture(SIZE, SPREAD, 0, d=NUM_FEATURES)
    labels = heuristics.run(instance, "ipc-kmeans", num_starts=5).partition.labels
    number = workers or num_cores()
    with started(executor, number) as there:
        for _ in range(2):
            begun = time.perf_counter()
            result = pcsos.certify(instance, labels, workers=number, executor=there, **options)
            seconds = time.perf_counter() - begun
    return {
        "n_points": instance.n_points,
        "n_features": instance.n_features,
        "n_blocks": result.n_blocks,
        "gap": result.gap,
        "lower_bound": result.lower_bound,
        "seconds": seconds,
    }


@contextmanager
def started(name: str, number: int) -> Iterator[Executor]:
    """Give an executor with so many processes."""
    if name == "pool":
        with ProcessPoolExecutor(number) as pool:
            yield pool
        return
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


def seconds_of(rows: list[Row]) -> dict[str, list[float]]:
    """Return the seconds of each executor, of the rows that ended and had more than one block to hand out."""
    found = [row for row in rows if row["outcome"] == "done" and row["n_blocks"] > 1]
    return {name: [row["seconds"] for row in found if row["executor"] == name] for name in EXECUTORS}


def report(rows: list[Row], settings: Settings) -> str:
    """Return the medians, and how many bounds there are among all runs."""
    lines = [(name, len(seconds), median(seconds)) for name, seconds in seconds_of(rows).items() if seconds]
    bounds = {row["lower_bound"] for row in rows if row["outcome"] == "done"}
    return f"{table(('executor', 'runs', 'median seconds'), lines)}\n\n{len(bounds)} lower bound(s) among all runs"
