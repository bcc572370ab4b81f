"""Rivals that pip can install beside pcsos on the same instances, in the same run: one process a case.

A case GROUP/INSTANCE/METHOD is one method on one instance, those that depend on a seed with five of them, as long as
the time limit lasts. A run that is not measured loads programs and kernels first, of three seconds at most where the
method takes a limit. Every method has one process. ``unconstrained`` has KMeans of scikit-learn with several numbers of
starts; ``pairs`` the clusterers of active-semi-supervised-clustering, which may violate pairs, and our COP-k-means;
``sizes`` k-means-constrained; ``exact`` SCIP on the compact mixed-integer model, whose proof holds up to its
tolerances; ``relaxation`` SCS and Clarabel through cvxpy beside our engine. Programs that are not installed have no
cases.

Excess is over the best partition of all methods that satisfies everything, so that a method that violates pairs can be
below it; the best is reached where the median run does so, a run that found nothing or violates anything counting as
the worst.
"""

import json
import time
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, Tier
from benchmarks.clock import cpu_clock
from benchmarks.instances import build, of_repository
from benchmarks.rivals.methods import METHODS, Answer, Limits
from benchmarks.rivals.relaxations import ENGINES, OURS, SOLVED, bound_over_time, is_installed
from benchmarks.rows import NotMeasuredError, rows_of
from benchmarks.suites.constrained import every_case
from benchmarks.tables import least, middle, reaches
from pcsos.problem.instance import Instance
from pcsos.problem.partition import violation

#: Methods of each group; that with which times are compared comes first.
GROUPS = {
    "unconstrained": ("S-MDEClust", "pcsos.solve", "KMeans-1", "KMeans-10", "KMeans-100"),
    "pairs": ("S-MDEClust", "pcsos.solve", "cop-kmeans", "COPKMeans-1", "PCKMeans-1", "MPCKMeans-1"),
    "sizes": ("S-MDEClust", "pcsos.solve", "KMeansConstrained-1", "KMeansConstrained-10"),
    "exact": ("pcsos.solve", "SCIP"),
    "relaxation": tuple(ENGINES),
}
NUM_SEEDS = 5
WARM_UP_SECONDS = 3.0
COLUMNS = (
    *("group", "instance", "method", "n_points", "n_features", "n_clusters", "num_pairs"),
    *("runs", "found", "satisfied", "objective", "best_objective", "worst_objective", "best_satisfied_objective"),
    *("median_satisfied_objective", "lower_bound", "gap", "proved", "violated_pairs", "most_violated_pairs"),
    *("seconds", "cpu_seconds", "message", "size", "status", "trace"),
)
SHOWN = (
    *("name", "runs", "satisfied", "most_violated_pairs", "objective", "worst_objective", "gap", "proved"),
    *("lower_bound", "status", "seconds", "cpu_seconds"),
)
#: Drawn mixtures: points, features, clusters, separation of the centres.
MIXTURES = {"n200-k5": [200, 2, 5, 4.0], "n500-k10": [500, 2, 10, 6.0], "n1000-k20": [1000, 4, 20, 8.0]}
#: The same, with the least and the greatest size of clusters.
SIZED = {
    "n60-k3": ([60, 5, 3, 4.0], 20, 20),
    "n200-k4": ([200, 5, 4, 4.0], 40, 60),
    "n1000-k10": ([1000, 5, 10, 8.0], 75, 125),
}
#: Small ones: points, features, clusters, and must-links and cannot-links together.
SMALL = (
    *((10, 2, 3, 0), (10, 4, 2, 4), (15, 2, 3, 0), (15, 4, 4, 6), (20, 2, 2, 0), (20, 2, 3, 0), (20, 4, 3, 0)),
    *((20, 2, 4, 10), (30, 2, 2, 0), (30, 2, 3, 0), (30, 4, 3, 10), (30, 2, 4, 16), (50, 2, 2, 0), (50, 4, 2, 20)),
    (50, 2, 3, 30),
)
#: Files of the folder of data, and numbers of clusters.
FILES = {
    "ruspini": ("sos-sdp/ruspini", 4), "hungarian": ("sos-sdp/hungarian", 2), "wdbc": ("sos-sdp/wdbc", 5),
    "fl417": ("tsplib/fl417", 10), "gr666": ("tsplib/gr666", 8), "u1060": ("tsplib/u1060", 20),
}  # fmt: skip
#: Published instances with pairs, and those whose relaxation is bounded.
PUBLISHED = ("wine/ml_25_cl_25_0", "seeds/ml_50_cl_0_0", "glass/ml_50_cl_50_0", "ecoli/ml_0_cl_100_0")
RELAXED = ("wine/ml_0_cl_100_0", "glass/ml_0_cl_100_0", "ecoli/ml_0_cl_100_0")
#: Drawn instances whose relaxation is bounded: points, features, clusters, separation, must-links, cannot-links.
DRAWN = {"n50": [50, 4, 4, 4.0, 0, 20], "n100": [100, 4, 5, 4.0, 0, 40], "n200": [200, 6, 6, 4.0, 0, 80]}


def cases(data: Path | None) -> list[Case]:
    """Return one case for each instance and each method of its group that is installed; files only where they are."""
    found = []
    for group, described in instances(data).items():
        for instance, given in described.items():
            for method in GROUPS[group]:
                if is_installed(method) if group == "relaxation" else METHODS[method].is_installed:
                    columns = {"group": group, "instance": instance, "method": method}
                    limit = 120.0 if group == "relaxation" else 60.0
                    tier = Tier.QUICK if instance == next(iter(described)) else Tier.RECORD
                    arguments = {"method": method, "given": given}
                    found.append(
                        Case(f"{group}/{instance}/{method}", arguments, columns, 1e-4, limit, workers=1, tier=tier)
                    )
    return found


def instances(data: Path | None) -> dict[str, dict[str, Row]]:
    """Return the description of each instance, by group and name."""
    own = {name: {"files": files} for name, files in of_repository().items()}
    published = {case.name: case.arguments for case in every_case(data)}
    return {
        "unconstrained": {"iris": own["iris-none"], "wine": own["wine-none"]}
        | ({"digits500": {"digits": [500, 10]}} if find_spec("sklearn") else {})
        | {name: {"gaussians": shape} for name, shape in MIXTURES.items()}
        | {
            name: {"files": [str(data / f"{file}.txt.gz"), None, k]}
            for name, (file, k) in FILES.items()
            if data is not None
        },
        "pairs": {name: own[name] for name in ("iris-both", "wine-cl", "digits-both", "overlap-both", "many-both")}
        | {name.replace("/", "-"): published[name] for name in PUBLISHED if name in published},
        "sizes": {"iris": own["iris-none"] | {"size_min": 50, "size_max": 50}}
        | {name: {"gaussians": shape, "size_min": low, "size_max": up} for name, (shape, low, up) in SIZED.items()},
        "exact": {
            f"n{n}-d{d}-k{k}-{pairs}": {"gaussians": [n, d, k, 4.0, pairs // 2, pairs // 2]} for n, d, k, pairs in SMALL
        }
        | {"iris30": own["iris30"]},
        "relaxation": {name: {"gaussians": shape} for name, shape in DRAWN.items()}
        | {name.replace("/", "-"): published[name] for name in RELAXED if name in published},
    }


def run(method: str, given: Row, *, gap: float, time_limit: float, workers: int | None = None) -> Row:
    """Run one method on one instance: medians over the seeds, and the best and the worst objective."""
    instance = build(**given)
    if method in ENGINES:
        return relaxed(instance, method, time_limit)
    called, limits = METHODS[method], Limits(gap, time_limit, workers or 1)
    called.call(instance, NUM_SEEDS, Limits(gap, min(WARM_UP_SECONDS, time_limit), limits.workers))
    begun = time.perf_counter()
    answers: list[Answer] = []
    clocks = [(begun, cpu_clock())]
    while len(answers) < (NUM_SEEDS if called.is_seeded else 1):
        answers.append(called.call(instance, len(answers), limits))
        clocks.append((time.perf_counter(), cpu_clock()))
        if clocks[-1][0] - begun > time_limit:
            break
    seconds, cpu_seconds = (
        median(after[which] - before[which] for before, after in pairwise(clocks)) for which in (0, 1)
    )
    times = {"seconds": round(seconds, 4), "cpu_seconds": round(cpu_seconds, 4)}
    return shape_of(instance) | {"runs": len(answers)} | outcome(instance, answers) | times


def relaxed(instance: Instance, engine: str, time_limit: float) -> Row:
    """Follow the bound of an engine; compilation of kernels and loading of libraries are not timed."""
    bound_over_time(build(gaussians=[12, 2, 2, 4.0, 0, 3]), engine, 60.0)
    size, status, trace = bound_over_time(instance, engine, time_limit)
    seconds, bound = trace[-1]
    found = {"size": size, "status": status, "lower_bound": bound, "seconds": seconds, "trace": json.dumps(trace)}
    return shape_of(instance) | found


def shape_of(instance: Instance) -> Row:
    """Return the columns that describe an instance."""
    sizes = {name: getattr(instance, name) for name in ("n_points", "n_features", "n_clusters")}
    return sizes | {"num_pairs": len(instance.must_link) + len(instance.cannot_link)}


def outcome(instance: Instance, answers: list[Answer]) -> Row:
    """Return what the runs found and proved; the bound is that of the first, as methods that prove have one run."""
    found = [answer.clustering for answer in answers if answer.clustering is not None]
    satisfied = [one for one in found if violation(instance, one.labels) is None]
    objectives = [one.objective for one in found]
    violated = [one.violated_pairs for one in found]
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


def of_method(rows: Rows, group: str, method: str) -> list[Row]:
    """Return the rows of a method of a group.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [row for row in rows_of(rows, "rivals", f"{group}/") if row["method"] == method]
    if not found:
        raise NotMeasuredError(method)
    return found


def best(group: str, method: str) -> Figure:
    """Return on how many instances a method finds the best partition, and its CPU seconds beside the reference's."""

    def figure(rows: Rows) -> str:
        own, everything = of_method(rows, group, method), rows_of(rows, "rivals", f"{group}/")
        lowest = {
            row["instance"]: least(
                other["best_satisfied_objective"] for other in everything if other["instance"] == row["instance"]
            )
            for row in own
        }
        number = sum(reaches(row["median_satisfied_objective"], lowest[row["instance"]]) for row in own)
        reference = {row["instance"]: row["cpu_seconds"] for row in of_method(rows, group, GROUPS[group][0])}
        ratio = middle(
            row["cpu_seconds"] / max(reference[row["instance"]], 1e-4) for row in own if row["outcome"] == "done"
        )
        return f"{wording.of(number, len(own))} in {wording.ratio(ratio)} times the CPU seconds"

    return figure


def breaks(method: str) -> Figure:
    """Return on how many of the instances on which it finds a partition a method breaks pairs with some seed."""

    def figure(rows: Rows) -> str:
        own = [row for row in of_method(rows, "pairs", method) if row["found"]]
        return f"{sum(row['satisfied'] < row['found'] for row in own)} of {len(own)}"

    return figure


def proved(method: str) -> Figure:
    """Return how many of the small instances a method proves."""

    def figure(rows: Rows) -> str:
        own = of_method(rows, "exact", method)
        return wording.of(sum(row["outcome"] == "done" and bool(row["proved"]) for row in own), len(own))

    return figure


def times_as_long(row: Row, ours: Row) -> float | None:
    """Return the seconds of a solver divided by those of our engine to the same bound.

    None where the solver did not reach its tolerance, or our engine did not come to that bound.
    """
    if row["outcome"] != "done" or row["status"] != SOLVED or ours["outcome"] != "done":
        return None
    reached = next((seconds for seconds, bound in json.loads(ours["trace"]) if bound >= row["lower_bound"]), None)
    return None if reached is None else float(row["seconds"] / reached)


def relaxation_ratios(rows: Rows, engine: str) -> str:
    """Return how many times as long as ours a solver takes to the same bound, and on how many that is known."""
    ours = {row["instance"]: row for row in of_method(rows, "relaxation", OURS)}
    theirs = of_method(rows, "relaxation", engine)
    found = [ratio for row in theirs if (ratio := times_as_long(row, ours[row["instance"]])) is not None]
    ends = " to ".join(dict.fromkeys(wording.ratio(pick(found)) for pick in (min, max) if found)) or wording.NONE
    return f"{ends} (on {len(found)} of {len(theirs)})"


FIGURES: dict[str, Figure] = {
    "kmeans": best("unconstrained", "KMeans-100"),
    "kmeans_10": best("unconstrained", "KMeans-10"),
    "memetic": best("unconstrained", "S-MDEClust"),
    "kmeans_constrained": best("sizes", "KMeansConstrained-10"),
    "cop_kmeans": best("pairs", "COPKMeans-1"),
    "pckmeans": breaks("PCKMeans-1"),
    "mpckmeans": breaks("MPCKMeans-1"),
    "own_breaks": breaks("S-MDEClust"),
    "scip": proved("SCIP"),
    "own": proved("pcsos.solve"),
    "scs": lambda rows: relaxation_ratios(rows, "scs"),
    "scs_loose": lambda rows: relaxation_ratios(rows, "scs-1e-4"),
    "clarabel": lambda rows: relaxation_ratios(rows, "clarabel"),
}
