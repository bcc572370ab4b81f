"""Rivals of the papers beside pcsos: soft and unconstrained methods, and CPRBBA.

Cases ``heuristics/...`` run S-MDEClust (SG-MDE of its paper, and our default), S-HG-MEANS, LCVQE, MDEClust, our soft
clusterers and the programs of others that are installed, with five seeds each: Table 4 of the S-MDEClust paper, on its
data sets. As there, S-HG-MEANS is compared only where it violates no pair with any seed. Cases ``exact/...`` solve an
instance with pcsos and with CPRBBA, one after the other in one process. Runs that are not measured load the kernels
first.
"""

import time
from collections.abc import Callable
from functools import partial
from statistics import fmean, median
from typing import Any

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
from benchmarks.heuristics import SAME, by_dataset_and_all, excess, least, percent, prefixed
from benchmarks.solving import load
from benchmarks.suites.published import cases as published_cases
from benchmarks.tables import table
from pcsos.control.stop import Stop
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.instance import Instance

#: Data sets of Table 4, and those on which CPRBBA is run.
SOFT = ("iris", "seeds", "glass", "accent", "ecoli")
EXACT = ("iris", "wine")
SEEDS = range(5)
#: Instance of the runs that are not measured.
SMALL = Instance([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [8.0, 8.0], [8.0, 9.0], [9.0, 8.0]], 2, [(0, 1)], [(2, 3)])
#: Programs of others that run whatever the pairs are: COPKMeans gives up where there are many, after minutes.
THEIRS = tuple(name for name in PROGRAMS if name != "COPKMeans")
METHODS = ("SG-MDE", "pcsos", "S-HG-MEANS", "LCVQE", "MDEClust", *OWN, *THEIRS)
METHOD_COLUMNS = (
    *("objective", "cpu_seconds", "local_searches", "num_repairs", "num_empty"),
    *("violated_must_links", "violated_cannot_links", "num_feasible"),
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
    for call in methods(SMALL, time_limit).values():
        call(seed=0)  # loads the kernels
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
    """Run a method with each seed; return means, and how often it was feasible; nothing where it failed with any."""
    runs: list[Clustering] = []
    seconds: list[float] = []
    for seed in SEEDS:
        before = cpu_clock()
        try:
            runs.append(call(seed=seed))
        except ProgramFailedError:
            return {}
        seconds.append(cpu_clock() - before)
    return {
        "objective": fmean(one.objective for one in runs),
        "cpu_seconds": round(fmean(seconds), 4),
        "local_searches": fmean(one.local_searches for one in runs),
        "num_repairs": sum(one.num_repairs for one in runs),
        "num_empty": sum(one.num_empty for one in runs),
        "violated_must_links": fmean(one.violated_must_links for one in runs),
        "violated_cannot_links": fmean(one.violated_cannot_links for one in runs),
        "num_feasible": sum(one.is_feasible for one in runs),
    }


def solve_both(instance: Instance, time_limit: float, workers: int | None) -> Row:
    """Solve an instance by pcsos, to a gap of 1e-4, and by CPRBBA.

    CPRBBA ends after so many CPU seconds, or twice as many by the clock.
    """
    pcsos.solve(instance, time_limit=time_limit, workers=workers)  # loads the kernels
    cprbba(SMALL)
    begun = cpu_clock()
    result = pcsos.solve(instance, time_limit=time_limit, workers=workers)
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
    violations = [violation_line(method, by_dataset_and_all(soft)["all"]) for method in METHODS]
    failed = sum(row["outcome"] != "done" for row in rows)
    return "\n\n".join(
        [
            table(DIFFERENCE_HEADER, against),
            table(VIOLATION_HEADER, [line for line in violations if line]),
            table(EXACT_HEADER, exact_lines(exact)),
            f"failed or killed: {failed}",
        ]
    )


DIFFERENCE_HEADER = (
    *("dataset", "instances", "S-HG-MEANS feasible", "run", "objective %S", "min", "median", "max"),
    *("CPU seconds %S", "min", "median", "max", "searches %S", "min", "median", "max"),
)
VIOLATION_HEADER = (
    *("method", "instances", "feasible with all seeds %", "violated pairs, median %", "most %"),
    *("objective / best feasible, median excess %", "median CPU s"),
)
EXACT_HEADER = (
    *("dataset", "type", "num", "super-points", "instances", "CPRBBA ended", "CPRBBA median CPU s"),
    *("pcsos median CPU s", "median ratio"),
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


def violation_line(method: str, group: list[Row]) -> list[object]:
    """Return how often a method violates pairs; nothing where it was not run."""
    run_rows = [row for row in group if row[f"{method} objective"] is not None]
    if not run_rows:
        return []
    shares = [
        100.0 * (row[f"{method} violated_must_links"] + row[f"{method} violated_cannot_links"]) / row["num_pairs"]
        for row in run_rows
    ]
    above = [
        excess(row[f"{method} objective"], least([row["SG-MDE objective"], row["pcsos objective"]])) for row in run_rows
    ]
    return [
        *(method, len(run_rows), percent(row[f"{method} num_feasible"] == len(SEEDS) for row in run_rows)),
        *(median(shares), max(shares)),
        100.0 * median(value for value in above if value is not None),
        median(row[f"{method} cpu_seconds"] for row in run_rows),
    ]


def exact_lines(rows: list[Row]) -> list[list[object]]:
    """Return a line for each configuration, and one for all; what did not end counts with its limit."""
    done = [row for row in rows if row["outcome"] == "done"]
    keys = dict.fromkeys((row["dataset"], row["constraint_type"], row["num_constraints"]) for row in done)
    groups = {
        key: [row for row in done if (row["dataset"], row["constraint_type"], row["num_constraints"]) == key]
        for key in keys
    }
    return [exact_line(*key, group) for key, group in groups.items()] + [exact_line("all", None, None, done)]


def exact_line(dataset: str, kind: str | None, number: float | None, group: list[Row]) -> list[object]:
    """Return the line of one configuration."""
    ended = sum(row["CPRBBA objective"] is not None for row in group)
    ratios = [row["CPRBBA cpu_seconds"] / row["pcsos exact_cpu_seconds"] for row in group]
    return [
        *(dataset, kind, number, median(row["n_super_points"] for row in group) if group else None),
        *(len(group), ended),
        *(
            median(row[column] for row in group) if group else None
            for column in ("CPRBBA cpu_seconds", "pcsos exact_cpu_seconds")
        ),
        median(ratios) if ratios else None,
    ]
