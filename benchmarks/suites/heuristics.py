"""Partitions without a proof: how good they are, and how soon they are there.

``published/`` runs the variants of S-MDEClust on the instances of the PC-SOS-SDP paper, with five seeds, of which the
worst counts (Table 3 and Figure 2 of the S-MDEClust paper). ``drawn/`` has its synthetic sets with the protocol of its
section 4.2: ten members, ten generations, 25 iterations a local search, and as many starts for its rivals as that makes
local searches. ``dense/`` has many clusters and many cannot-links, a seed a case, which uses all of its time.
"""

import time
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.clock import cpu_clock
from benchmarks.instances import build
from benchmarks.rows import NotMeasuredError, done, rows_of
from benchmarks.suites.constrained import every_case
from benchmarks.suites.plane import synthetic_files
from benchmarks.tables import excess, least, mean, reaches
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition

VARIANTS = ("pcsos", "SG-MDE", "SMG-MDE", "S-MDE", "SM-MDE")
#: Variants that are in the record on every second instance, and the others on every sixth.
USUAL = 3
SEEDS = 5
#: Most seconds of the run before the one that is measured.
WARM_UP_SECONDS = 3.0
EVOLUTION = {"population": 10, "max_generations": 10, "max_local_iterations": 25}
STARTS = {"num_starts": 110, "max_local_iterations": 25}
DRAWN: dict[str, tuple[str, dict[str, Any]]] = {
    "pcsos": ("s-mdeclust", {"variant": "pcsos", **EVOLUTION}),
    "SG-MDE": ("s-mdeclust", {"variant": "SG-MDE", **EVOLUTION}),
    "blp-km": ("blp-km", STARTS),
    "cop-kmeans": ("cop-kmeans", STARTS),
}
#: Points, clusters, percentages of the points that say how many pairs there are, and seeds of the dense sets.
DENSE = [(n, k, p, s) for n in (500, 1000, 2000, 5000) for k in (20, 100) for p in (5, 20) for s in range(3)]
TIME_LIMITS = {"published": 60.0, "drawn": 20.0, "dense": 10.0}
COUNTS = ("local_searches", "iterations", "exact_assignments", "integer_programs")
COLUMNS = (
    *("instance", "method", "objective", "best_objective", "seconds", "cpu_seconds", "cpu_seconds_to_best", *COUNTS),
    *("overshoot_seconds", "message"),
)
SHOWN = ("name", "objective", "best_objective", "cpu_seconds", "cpu_seconds_to_best", "local_searches", "message")


def cases(data: Path | None) -> list[Case]:
    """Return one case for each instance and method of all three kinds; without data the dense ones alone."""
    dense = [
        _case(
            f"dense/n{n}-k{k}-p{p}", f"seed{seed}", {"blobs": [n, k, p]}, [seed], ("s-mdeclust", {"use_all_time": True})
        )
        for n, k, p, seed in DENSE
    ]
    found = [in_tiers(dense, r"n(1000|5000)-")]
    for variant in VARIANTS if data is not None else ():
        called = ("s-mdeclust", {"variant": variant})
        own = [
            _case(f"published/{case.name}", variant, case.arguments, list(range(SEEDS)), called)
            for case in every_case(data)
        ]
        found.append(in_tiers(own, every=2 if variant in VARIANTS[:USUAL] else 6))
    for name, called in DRAWN.items() if data is not None else ():
        own = [
            _case(f"drawn/{one}", name, {"files": files}, [0], called) for one, files in synthetic_files(data).items()
        ]
        found.append(in_tiers(own, r"n\d+000-k(20|100)-c(5|20)00/"))
    return [case for group in found for case in group]


def _case(instance: str, name: str, given: Row, seeds: list[int], called: tuple[str, Row]) -> Case:
    arguments = {"given": given, "method": called[0], "options": called[1], "seeds": seeds}
    limit = TIME_LIMITS[instance.partition("/")[0]]
    return Case(f"{instance}/{name}", arguments, {"instance": instance, "method": name}, time_limit=limit)


def run(given: Row, method: str, options: Row, seeds: list[int], *, time_limit: float, **_: Any) -> Row:
    """Run one method, once a seed, after a run on the instance itself that loads the kernels.

    The objective is that of the worst seed and the best objective that of the best one, times are means, and counts
    are sums over the seeds.
    """
    instance = build(**given)
    warm = options | {"time_limit": min(WARM_UP_SECONDS, time_limit)}
    run_heuristic(instance, method, seed=max(seeds) + 1, **warm)
    return combined([run_once(instance, method, seed, time_limit, options) for seed in seeds])


def run_once(instance: Instance, method: str, seed: int, time_limit: float, options: Row) -> Row:
    """Run one method with one seed; its reductions count."""
    found: list[float] = []

    def note(_: Partition) -> None:
        found.append(cpu_clock())

    wall, cpu = time.perf_counter(), cpu_clock()
    record = run_heuristic(instance, method, seed=seed, on_improvement=note, time_limit=time_limit, **options).record
    seconds = time.perf_counter() - wall
    return {
        "objective": record.objective,
        "seconds": seconds,
        "cpu_seconds": cpu_clock() - cpu,
        "cpu_seconds_to_best": found[-1] - cpu if found else None,
        "local_searches": record.local_search_calls or 0,
        "iterations": record.local_search_iterations or 0,
        "exact_assignments": record.exact_assignments or 0,
        "integer_programs": record.integer_programs or 0,
        "overshoot_seconds": round(max(0.0, seconds - time_limit), 3),
        "message": record.message,
    }


def combined(runs: list[Row]) -> Row:
    """Return the row of several seeds; without a partition if one of them found none."""
    found = all(row["objective"] is not None for row in runs)
    return {
        "objective": max(row["objective"] for row in runs) if found else None,
        "best_objective": least(row["objective"] for row in runs),
        **{name: round(fmean(row[name] for row in runs), 4) for name in ("seconds", "cpu_seconds")},
        "cpu_seconds_to_best": round(fmean(row["cpu_seconds_to_best"] for row in runs), 4) if found else None,
        **{name: sum(row[name] for row in runs) for name in COUNTS},
        "overshoot_seconds": max(row["overshoot_seconds"] for row in runs),
        "message": next((row["message"] for row in runs if row["message"]), None),
    }


def by_instance(rows: Rows, group: str) -> dict[str, dict[str, Row]]:
    """Return the rows of a group that ended, by instance and method."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in done(rows_of(rows, "heuristics", f"{group}/")):
        found[row["instance"]][row["method"]] = row
    return found


def best_known(rows: Rows, instance: str, runs: dict[str, Row]) -> float | None:
    """Return the best objective of all runs of an instance, and of its proof where there is one."""
    name = instance.removeprefix("published/")
    proofs = [row["objective"] for row in rows.get("constrained", []) if row["name"] == name]
    return least([*proofs, *(row["best_objective"] for row in runs.values())])


def reached(group: str, method: str) -> Figure:
    """Return on how many of the instances of a group a method reaches the best known objective, with all its seeds."""

    def figure(rows: Rows) -> str:
        own = {instance: runs for instance, runs in by_instance(rows, group).items() if method in runs}
        if not own:
            raise NotMeasuredError(method)
        number = sum(
            reaches(runs[method]["objective"], best_known(rows, instance, runs)) for instance, runs in own.items()
        )
        return wording.of(number, len(own))

    return figure


def mean_cpu(rows: Rows) -> str:
    """Return the mean CPU seconds of the default variant."""
    own = [row["cpu_seconds"] for row in done(rows_of(rows, "heuristics", "published/")) if row["method"] == "pcsos"]
    return wording.seconds(mean(own))


def drawn_best(rows: Rows) -> str:
    """Return on how many of the synthetic sets each method is the best of all."""
    there = {name for runs in by_instance(rows, "drawn").values() for name in runs}
    return ", ".join(f"{name} on {reached('drawn', name)(rows)}" for name in DRAWN if name in there)


def dense_apart(rows: Rows) -> str:
    """Return how far the seeds of a dense set end above the best of them at most, and how many find no partition."""
    sets = [list(runs.values()) for runs in by_instance(rows, "dense").values() if len(runs) > 1]
    above = [excess(row["objective"], least(one["objective"] for one in own)) for own in sets for row in own]
    if not above:
        raise NotMeasuredError("dense")
    most = wording.percent(max((value for value in above if value is not None), default=None))
    without = sum(value is None for value in above)
    return f"{most} in {len(above)} runs on {len(sets)} sets" + f"; {without} without a partition" * bool(without)


FIGURES: dict[str, Figure] = {
    "reached": reached("published", "pcsos"),
    "paper": reached("published", "SG-MDE"),
    "mean_cpu": mean_cpu,
    "drawn": drawn_best,
    "dense": dense_apart,
}
