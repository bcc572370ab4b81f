"""Rivals of the papers beside pcsos: soft and unconstrained methods, and CPRBBA.

Cases ``heuristics/...`` run S-MDEClust (SG-MDE of its paper, and our default), S-HG-MEANS, LCVQE, MDEClust, our soft
clusterers and the programs of others that are installed, with five seeds each: Table 4 of the S-MDEClust paper, on its
data sets. As there, S-HG-MEANS is compared only where it violates no pair with any seed. Cases ``exact/...`` solve an
instance with pcsos and with CPRBBA, one after the other in one process. Before it is measured each method runs on the
instance itself with another seed, which loads its kernels.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from statistics import fmean, median
from typing import Any, NamedTuple

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.clock import cpu_clock
from benchmarks.comparators.clustering import Clustering
from benchmarks.comparators.cprbba import cprbba
from benchmarks.comparators.lcvqe import lcvqe
from benchmarks.comparators.mdeclust import mdeclust
from benchmarks.comparators.programs import PROGRAMS, ProgramFailedError, installed, run_program
from benchmarks.comparators.s_hg_means import s_hg_means
from benchmarks.comparators.soft_clusterers import OWN, run_own
from benchmarks.heuristics import SAME, WARM_UP_SECONDS, by_dataset_and_all, excess, least, middle, percent, prefixed
from benchmarks.solving import load
from benchmarks.suites.published import cases as published_cases
from benchmarks.tables import table
from pcsos.base.control.stop import Stop
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.instance import Instance

#: Data sets of Table 4, and those on which CPRBBA is run.
SOFT = ("iris", "seeds", "glass", "accent", "ecoli")
EXACT = ("iris", "wine")
SEEDS = range(5)
#: Gap of the exact solves by pcsos.
GAP = 1e-4
#: Programs of others that run whatever the pairs are: COPKMeans gives up where there are many, after minutes.
THEIRS = tuple(name for name in PROGRAMS if name != "COPKMeans")
METHODS = ("SG-MDE", "pcsos", "S-HG-MEANS", "LCVQE", "MDEClust", *OWN, *THEIRS)
METHOD_COLUMNS = (
    *("objective", "cpu_seconds", "local_searches", "num_repairs", "num_empty"),
    *("violated_must_links", "violated_cannot_links", "num_feasible", "num_failed"),
)
EXACT_COLUMNS = (
    *("n_super_points", "pcsos exact_cpu_seconds", "pcsos exact_objective", "pcsos gap"),
    *("CPRBBA cpu_seconds", "CPRBBA objective", "CPRBBA lower_bound", "CPRBBA num_done", "CPRBBA nodes"),
)
COLUMNS = (
    *("dataset", "constraint_type", "num_constraints", "num_pairs"),
    *(f"{method} {column}" for method in METHODS for column in METHOD_COLUMNS),
    *EXACT_COLUMNS,
)


def cases(settings: Settings) -> list[Case]:
    """Return the cases of both kinds."""
    found = published_cases(settings)
    return [
        Case(f"{part}/{case.name}", case.columns, case.arguments | {"part": part})
        for part, datasets in (("heuristics", SOFT), ("exact", EXACT))
        for case in found
        if case.columns["dataset"] in datasets
    ]


def run(
    points: str, constraints: str, n_clusters: int, *, part: str, time_limit: float, workers: int | None, **_: Any
) -> Row:
    """Run the methods of one kind on one instance."""
    instance = load(points, constraints, n_clusters)
    row: Row = {"num_pairs": len(instance.must_link) + len(instance.cannot_link)}
    if part == "exact":
        return row | solve_both(instance, time_limit, workers)
    for method, call in methods(instance, time_limit).items():
        row |= prefixed(method, measure(call))
    return row


def methods(instance: Instance, time_limit: float) -> dict[str, Callable[..., Clustering]]:
    """Return the methods that can be run here, each to be given a ``seed``."""

    def s_mdeclust(variant: str, seed: int) -> Clustering:
        partition, record = run_heuristic(instance, seed=seed, variant=variant, time_limit=time_limit)
        if partition is None:
            raise TimeoutError(record.message)
        return Clustering.of(instance, partition.labels, local_searches=record.local_search_calls)

    return {
        "SG-MDE": partial(s_mdeclust, "SG-MDE"),
        "pcsos": partial(s_mdeclust, "pcsos"),
        "S-HG-MEANS": lambda seed: s_hg_means(instance, seed=seed, stop=Stop(time_limit=time_limit)),
        "LCVQE": lambda seed: lcvqe(instance, seed=seed, stop=Stop(time_limit=time_limit)),
        "MDEClust": partial(mdeclust, instance, time_limit=time_limit),
        **{name: partial(run_own, name, instance) for name in OWN},
        **{name: partial(run_program, name, instance) for name in installed() if name in THEIRS},
    }


def measure(call: Callable[..., Clustering]) -> Row:
    """Run a method with each seed; return means, and how often it was feasible; only how often it failed, if it did."""
    runs: list[Clustering] = []
    seconds: list[float] = []
    with suppress(ProgramFailedError):
        call(seed=len(SEEDS))  # loads the kernels
    for seed in SEEDS:
        before = cpu_clock()
        with suppress(ProgramFailedError):
            runs.append(call(seed=seed))
        seconds.append(cpu_clock() - before)
    if len(runs) < len(SEEDS):
        return {"num_failed": len(SEEDS) - len(runs)}
    return {
        "objective": fmean(one.objective for one in runs),
        "cpu_seconds": round(fmean(seconds), 4),
        "local_searches": fmean(one.local_searches for one in runs),
        "num_repairs": sum(one.num_repairs for one in runs),
        "num_empty": sum(one.num_empty for one in runs),
        "violated_must_links": fmean(one.violated_must_links for one in runs),
        "violated_cannot_links": fmean(one.violated_cannot_links for one in runs),
        "num_feasible": sum(one.is_feasible for one in runs),
        "num_failed": 0,
    }


def solve_both(instance: Instance, time_limit: float, workers: int | None) -> Row:
    """Solve an instance by pcsos, to :data:`GAP`, and by CPRBBA.

    CPRBBA ends after so many CPU seconds, or twice as many by the clock.
    """
    pcsos.solve(instance, gap=GAP, time_limit=time_limit, workers=workers)  # loads the kernels
    cprbba(instance, Stop(time_limit=WARM_UP_SECONDS))
    begun = cpu_clock()
    result = pcsos.solve(instance, gap=GAP, time_limit=time_limit, workers=workers)
    solved, process = cpu_clock(), time.process_time()
    proof = cprbba(instance, Stop(lambda: time.process_time() - process >= time_limit, time_limit=2.0 * time_limit))
    ended = cpu_clock()
    return {
        "n_super_points": result.n_super_points,
        "pcsos exact_cpu_seconds": round(solved - begun, 4),
        "pcsos exact_objective": result.objective,
        "pcsos gap": result.gap,
        "CPRBBA cpu_seconds": round(ended - solved, 4),
        "CPRBBA objective": proof.partition and proof.partition.objective,
        "CPRBBA lower_bound": proof.lower_bound,
        "CPRBBA num_done": proof.num_done,
        "CPRBBA nodes": proof.nodes,
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return Table 4 with either variant of S-MDEClust, the violations of all methods, and the exact times."""
    soft = [row for row in rows if row["name"].startswith("heuristics/")]
    exact = [row for row in rows if row["name"].startswith("exact/")]
    against = [
        difference_line(dataset, variant, group)
        for dataset, group in by_dataset_and_all(soft).items()
        for variant in ("SG-MDE", "pcsos")
    ]
    broken = [violations(method, by_dataset_and_all(soft)["all"]) for method in METHODS]
    failed = sum(row["outcome"] != "done" for row in rows)
    return "\n\n".join(
        [
            table(DIFFERENCE_HEADER, against),
            table(VIOLATION_HEADER, filter(None, broken)),
            table(EXACT_HEADER, exact_lines(exact)),
            f"failed or killed: {failed}",
        ]
    )


DIFFERENCE_HEADER = (
    *("dataset", "instances", "S-HG-MEANS feasible", "run", "objective %S", "min", "median", "max"),
    *("CPU seconds %S", "min", "median", "max", "searches %S", "min", "median", "max"),
)
VIOLATION_HEADER = (
    *("method", "instances", "failed", "all pairs kept with all seeds", "violated pairs, median %", "most %"),
    *("objective / best feasible, median excess %", "median CPU s"),
)
EXACT_HEADER = (
    *("dataset", "type", "num", "super-points", "instances", "CPRBBA ended", "pcsos proved"),
    *("CPRBBA median CPU s", "pcsos median CPU s", "median ratio", "CPRBBA faster"),
)


def difference_line(dataset: str, variant: str, group: list[Row]) -> list[object]:
    """Return how a variant of S-MDEClust differs from S-HG-MEANS, in percent, where that violates no pair."""
    kept = [row for row in group if row["S-HG-MEANS num_feasible"] == len(SEEDS)]
    cells: list[object] = [dataset, len(group), len(kept), variant]
    for column in ("objective", "cpu_seconds", "local_searches"):
        pairs = [(row[f"{variant} {column}"], row[f"S-HG-MEANS {column}"]) for row in kept]
        above = [100.0 * value for value in (excess(*pair) for pair in pairs) if value is not None]
        cells.append(percent(value <= 100.0 * SAME for value in above))
        cells += [pick(above) if above else None for pick in (min, median, max)]
    return cells


class Violations(NamedTuple):
    """What a method makes of the pairs, on the instances on which it ends with every seed.

    Parameters
    ----------
    method : str
        Name of the method.
    number, failed : int
        Instances on which it ends with every seed, and those on which it fails with one.
    kept : int
        Those of the former on which no seed breaks a pair.
    median_share, largest_share : float or None
        Share of the pairs that are broken on an instance, in percent.
    excess : float or None
        Median of how far it is above the best of both variants of S-MDEClust, in percent.
    cpu_seconds : float or None
        Median over the instances.
    """

    method: str
    number: int
    failed: int
    kept: int
    median_share: float | None
    largest_share: float | None
    excess: float | None
    cpu_seconds: float | None


def violations(method: str, group: list[Row]) -> Violations | None:
    """Return what a method makes of the pairs; None where it was not run."""
    there = [row for row in group if row[f"{method} objective"] is not None]
    failed = sum(bool(row.get(f"{method} num_failed")) for row in group)
    if not (there or failed):
        return None
    broken = [row[f"{method} violated_must_links"] + row[f"{method} violated_cannot_links"] for row in there]
    shares = [100.0 * number / row["num_pairs"] for number, row in zip(broken, there, strict=True)]
    above = [
        excess(row[f"{method} objective"], least([row["SG-MDE objective"], row["pcsos objective"]])) for row in there
    ]
    return Violations(
        *(method, len(there), failed, sum(number == 0.0 for number in broken)),
        *(middle(shares), max(shares, default=None)),
        middle(None if value is None else 100.0 * value for value in above),
        middle(row[f"{method} cpu_seconds"] for row in there),
    )


class Exact(NamedTuple):
    """CPRBBA beside pcsos on the instances of a configuration.

    Parameters
    ----------
    dataset : str
        Name of the data set; ``all`` for all of them.
    kind : str or None
        Kinds of its pairs.
    number : float or None
        Number of pairs of each kind.
    size : float or None
        Median number of super-points.
    instances, ended, proved : int
        Instances, and those on which CPRBBA ended and pcsos proved its gap.
    theirs, ours : float or None
        Median CPU seconds; what CPRBBA did not end counts with its limit.
    ratio : float or None
        Median of theirs divided by ours.
    faster : int
        Instances on which CPRBBA was the faster.
    """

    dataset: str
    kind: str | None
    number: float | None
    size: float | None
    instances: int
    ended: int
    proved: int
    theirs: float | None
    ours: float | None
    ratio: float | None
    faster: int


def exact_lines(rows: list[Row]) -> list[Exact]:
    """Return a line for each configuration, and one for all; nothing without rows."""
    groups: dict[tuple[str, str | None, float | None], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["dataset"], row["constraint_type"], row["num_constraints"]), []).append(row)
    lines = [exact_line(*key, group) for key, group in groups.items()]
    return [*lines, exact_line("all", None, None, rows)] if rows else []


def exact_line(dataset: str, kind: str | None, number: float | None, group: list[Row]) -> Exact:
    """Return the line of one configuration; rows that failed or were killed only count."""
    done = [row for row in group if row["outcome"] == "done"]
    seconds = [(row["CPRBBA cpu_seconds"], row["pcsos exact_cpu_seconds"]) for row in done]
    ended = [row["CPRBBA objective"] is not None for row in done]
    return Exact(
        *(dataset, kind, number, middle(row["n_super_points"] for row in done)),
        *(len(group), sum(ended), sum(row["pcsos gap"] <= GAP for row in done)),
        *(middle(theirs for theirs, _ in seconds), middle(ours for _, ours in seconds)),
        middle(theirs / ours for theirs, ours in seconds),
        sum(there and theirs < ours for there, (theirs, ours) in zip(ended, seconds, strict=True)),
    )
