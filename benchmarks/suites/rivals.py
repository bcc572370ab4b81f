"""Rivals that pip can install beside pcsos on the same instances, in the same run: one process a case.

A case GROUP/INSTANCE/METHOD is one method on one instance, those that depend on a seed with five of them, as long as
the time limit lasts. A run that is not measured loads programs and kernels first, of three seconds at most where the
method takes a limit. Without ``--workers`` every method has one process. ``unconstrained`` has KMeans of scikit-learn
with several numbers of starts; ``pairs`` the clusterers of active-semi-supervised-clustering, which may violate pairs,
and our COP-k-means; ``sizes`` k-means-constrained; ``exact`` SCIP on the compact mixed-integer model, whose proof holds
up to its tolerances. Programs that are not installed have no cases.

Excess is over the best partition of all methods that satisfies everything, so that who violates pairs can be below it;
the best is reached where the median run does so, a run that found nothing or violates anything counting as the worst.
"""

import time
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from benchmarks.case import Case, Row, Settings
from benchmarks.clock import cpu_clock
from benchmarks.comparators.clustering import Clustering
from benchmarks.comparators.methods import METHODS, Answer, Limits
from benchmarks.heuristics import SEED, WARM_UP_SECONDS, excess, least, middle, reaches
from benchmarks.rival_instances import build, instances
from benchmarks.tables import table
from pcsos.problem.instance import Instance
from pcsos.problem.partition import violation

#: Methods of each group; that with which times are compared comes first.
GROUPS = {
    "unconstrained": ("S-MDEClust", "pcsos.solve", "KMeans-1", "KMeans-10", "KMeans-100"),
    "pairs": ("S-MDEClust", "pcsos.solve", "cop-kmeans", "COPKMeans-1", "PCKMeans-1", "MPCKMeans-1"),
    "sizes": ("S-MDEClust", "pcsos.solve", "KMeansConstrained-1", "KMeansConstrained-10"),
    "exact": ("pcsos.solve", "SCIP"),
}
NUM_SEEDS = 5
COLUMNS = (
    *("group", "instance", "method", "n_points", "n_features", "n_clusters", "num_pairs"),
    *("runs", "found", "satisfied", "objective", "best_objective", "worst_objective", "best_satisfied_objective"),
    *("median_satisfied_objective", "lower_bound", "gap", "proved", "violated_pairs", "most_violated_pairs"),
    *("seconds", "cpu_seconds", "message"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance and each method of its group that is installed."""
    return [
        Case(
            f"{group}/{instance}/{method}",
            {"group": group, "instance": instance, "method": method},
            {"method": method, "description": description},
        )
        for group, descriptions in instances(settings).items()
        for instance, description in descriptions.items()
        for method in GROUPS[group]
        if METHODS[method].is_installed
    ]


def run(method: str, description: Row, *, gap: float, time_limit: float, workers: int | None = None, **_: Any) -> Row:
    """Run one method on one instance: medians over the seeds, and the best and the worst objective."""
    instance, called = build(**description), METHODS[method]
    limits = Limits(gap, time_limit, workers or 1)
    called.call(instance, SEED + NUM_SEEDS, Limits(gap, min(WARM_UP_SECONDS, time_limit), limits.workers))
    begun = time.perf_counter()
    answers: list[Answer] = []
    clocks = [(begun, cpu_clock())]
    while len(answers) < (NUM_SEEDS if called.is_seeded else 1):
        answers.append(called.call(instance, SEED + len(answers), limits))
        clocks.append((time.perf_counter(), cpu_clock()))
        if clocks[-1][0] - begun > time_limit:
            break
    seconds, cpu_seconds = (
        median(after[which] - before[which] for before, after in pairwise(clocks)) for which in (0, 1)
    )
    times = {"seconds": round(seconds, 4), "cpu_seconds": round(cpu_seconds, 4)}
    return shape(instance) | {"runs": len(answers)} | outcome(instance, answers) | times


def shape(instance: Instance) -> Row:
    """Return the columns that describe an instance."""
    return {
        "n_points": instance.n_points,
        "n_features": instance.n_features,
        "n_clusters": instance.n_clusters,
        "num_pairs": len(instance.must_link) + len(instance.cannot_link),
    }


def outcome(instance: Instance, answers: list[Answer]) -> Row:
    """Return what the runs found and proved; the bound is that of the first, as methods that prove have one run."""
    found = [answer.clustering for answer in answers if answer.clustering is not None]
    satisfied = [one for one in found if violation(instance, one.labels) is None]
    objectives = [one.objective for one in found]
    violated = [num_violated(one) for one in found]
    bound = answers[0].lower_bound
    return {
        "found": len(found),
        "satisfied": len(satisfied),
        "objective": median(objectives) if found else None,
        "best_objective": least(objectives),
        "worst_objective": max(objectives, default=None),
        "best_satisfied_objective": least(one.objective for one in satisfied),
        "median_satisfied_objective": median_of([one.objective for one in satisfied], len(answers)),
        "lower_bound": bound,
        "gap": instance.gap(satisfied[0].objective, bound) if satisfied and bound is not None else None,
        "proved": int(answers[0].is_proved),
        "violated_pairs": median(violated) if found else None,
        "most_violated_pairs": max(violated, default=None),
        "message": next((answer.message for answer in answers if answer.message), ""),
    }


def median_of(objectives: list[float], runs: int) -> float | None:
    """Return the median objective of so many runs of which only these count; None where it is a run without any."""
    middle_run = runs // 2
    return sorted(objectives)[middle_run] if middle_run < len(objectives) else None


def num_violated(clustering: Clustering) -> int:
    """Return the number of pairs that a clustering violates."""
    return clustering.violated_must_links + clustering.violated_cannot_links


def report(rows: list[Row], settings: Settings) -> str:
    """Return two tables for each group, one of its cases and one of its methods, and what did not run."""
    parts = []
    for group, methods in GROUPS.items():
        own = [row for row in rows if row["group"] == group]
        if not own:
            continue
        done = [compared(row, own) for row in own if row["outcome"] == "done"]
        parts += [f"## {group}", table(CASE_HEADER, map(line, done)), table(SUMMARY_HEADER, summaries(group, own))]
        missing = [method for method in methods if method not in {row["method"] for row in own}]
        parts += [f"no cases (not installed, or left out by --filter): {', '.join(missing)}"] if missing else []
    return "\n\n".join([*parts, f"failed or killed: {sum(row['outcome'] != 'done' for row in rows)}"])


CASE_HEADER = (
    *("instance", "n", "d", "k", "pairs", "method", "runs", "satisfied", "violated pairs", "objective"),
    *("excess %", "worst %", "gap", "proved", "seconds", "CPU s", "CPU ratio"),
)
SUMMARY_HEADER = (
    *("method", "instances", "ended", "runs", "without a partition", "instances with one", "all satisfied", "best"),
    *("median excess %", "worst excess %", "proved", "median s", "median CPU ratio"),
)


def compared(row: Row, group: list[Row]) -> Row:
    """Return a row beside the others of its instance: excess in percent, and CPU seconds to those of the reference."""
    others = [other for other in group if other["instance"] == row["instance"] and other["outcome"] == "done"]
    best = least(other["best_satisfied_objective"] for other in others)
    reference = next((other for other in others if other["method"] == GROUPS[row["group"]][0]), None)
    above = {
        name: None if share is None else 100.0 * share
        for name, share in (
            ("excess", excess(row["objective"], best)),
            ("worst_excess", excess(row["worst_objective"], best)),
        )
    }
    ratio = None if reference is None else row["cpu_seconds"] / max(reference["cpu_seconds"], 1e-4)
    is_best = reaches(row["median_satisfied_objective"], best)
    return row | above | {"ratio": ratio, "is_best": is_best}


def line(row: Row) -> list[object]:
    """Return the line of one case."""
    whole = ("n_points", "n_features", "n_clusters", "num_pairs")
    return [
        *(row["instance"], *(int(row[name]) for name in whole), row["method"]),
        *(int(row["runs"]), int(row["satisfied"]), row["most_violated_pairs"], row["objective"]),
        *(row["excess"], row["worst_excess"], row["gap"], "yes" if row["proved"] else "-"),
        *(row["seconds"], row["cpu_seconds"], row["ratio"]),
    ]


class Summary(NamedTuple):
    """What a method came to on the instances of a group.

    Parameters
    ----------
    method : str
        Name of the method.
    instances, ended : int
        Instances, and those on which the process ended by itself within its limit.
    runs, without : int
        Runs of those that ended, and how many of them found no partition.
    found, kept : int
        Instances with a partition, and those of them on which no partition violates anything.
    best : int
        Instances on which the median run violates nothing and reaches the best of all methods.
    excess, worst_excess : float or None
        Median over the instances, and largest of all runs, above the best that violates nothing, in percent.
    proved : int
        Instances that it proves.
    seconds, ratio : float or None
        Medians over the instances with a partition; the ratio is of CPU seconds, to the first method of the group.
    """

    method: str
    instances: int
    ended: int
    runs: int
    without: int
    found: int
    kept: int
    best: int
    excess: float | None
    worst_excess: float | None
    proved: int
    seconds: float | None
    ratio: float | None


def summaries(group: str, rows: list[Row]) -> list[Summary]:
    """Return a line for each method of a group that was run, given the rows of the group."""
    lines = []
    for method in GROUPS[group]:
        own = [row for row in rows if row["method"] == method]
        done = [compared(row, rows) for row in own if row["outcome"] == "done"]
        if own:
            lines.append(summary(method, len(own), done))
    return lines


def summary(method: str, instances: int, done: list[Row]) -> Summary:
    """Return the line of a method, given the rows that ended, of so many."""
    found = [row for row in done if row["found"]]
    runs = sum(int(row["runs"]) for row in done)
    return Summary(
        *(method, instances, len(done), runs, runs - sum(int(row["found"]) for row in done)),
        *(len(found), sum(row["satisfied"] == row["found"] for row in found), sum(row["is_best"] for row in done)),
        middle(row["excess"] for row in found),
        max((row["worst_excess"] for row in found if row["worst_excess"] is not None), default=None),
        sum(int(row["proved"]) for row in done),
        *(middle(row[name] for row in found) for name in ("seconds", "ratio")),
    )
