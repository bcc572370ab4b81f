"""Gap over time: lower bound and incumbent of solves and certificates, at each change, as their events tell them.

``drawn``, ``plane`` and ``certify`` are mixtures: one of the suite ``scaling`` that branches, one of 2,000 points in
the plane with cannot-links, and two of 10,000 points of the suite ``certify``, whose seconds begin with the search for
the partition that is certified. The others are published instances, and clusters of equal size in one of their data
sets.
"""

import math
import time
from typing import Any

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.listening import Point, Trace, from_json, gap_at, seconds_to, thinned, to_json
from benchmarks.solving import load
from benchmarks.suites.certify import found_labels, mixture
from benchmarks.suites.published import N_CLUSTERS
from benchmarks.tables import table
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance

COLUMNS = ("n_points", "n_clusters", "status", "gap", "seconds", "trace")
#: Points, features, clusters, separation and cannot-links of what is drawn.
DRAWN = {"drawn/n300_cl75": (300, 4, 5, 5.0, 75), "plane/n2000_cl500": (2000, 2, 10, 5.0, 500)}
#: Points and variance of the centres of what is certified.
CERTIFIED = {f"certify/n10000_spread{spread}": (10_000, spread, 0) for spread in (9, 2)}
PUBLISHED = (
    *("ecoli/ml_0_cl_150_0", "ecoli/ml_75_cl_75_1"),
    *("accent/ml_0_cl_150_0", "ECG5000/ml_0_cl_150_1"),
)
BALANCED = ("ecoli",)
#: Share of the time limit that the search may take whose partition is certified.
SEARCH_SHARE = 0.25
#: Seconds and gaps of the report.
SECONDS = (1.0, 3.0, 10.0, 30.0, 60.0)
GAPS = (1e-1, 1e-2, 1e-3, 1e-4)


def cases(settings: Settings) -> list[Case]:
    """Return the cases of what is drawn, and the others where there is a data folder."""
    found = [Case(name, {}, {"drawn": shape}) for name, shape in DRAWN.items()]
    found += [Case(name, {}, {"certified": shape}) for name, shape in CERTIFIED.items()]
    if settings.data is None:
        return found
    points = {name: str(settings.data / "datasets" / f"{name}.txt.gz") for name in N_CLUSTERS}
    for name in PUBLISHED:
        dataset, constraints = name.split("/")[0], str(settings.data / "constraints" / f"{name}.txt")
        found.append(Case(name, {}, {"files": [points[dataset], constraints, N_CLUSTERS[dataset]]}))
    return found + [
        Case(f"{name}/balanced", {}, {"files": [points[name], None, N_CLUSTERS[name]], "balanced": True})
        for name in BALANCED
    ]


def run(
    *,
    drawn: list[Any] | None = None,
    certified: list[int] | None = None,
    files: list[Any] | None = None,
    balanced: bool = False,
    **options: Any,
) -> Row:
    """Trace one case; the loading of kernels is not timed."""
    warm_up()
    if certified is not None:
        return trace_certificate(mixture(*certified), **options)
    instance = load(*files) if files is not None else mixture_with_cannot_links(*(drawn or []))
    return trace_solve(of_equal_sizes(instance) if balanced else instance, **options)


def warm_up() -> None:
    """Load the kernels by something small of each kind."""
    small = mixture_with_cannot_links(60, 4, 3, 3.0, 10)
    pcsos.solve(of_equal_sizes(small), node_limit=1, time_limit=5.0, workers=1)
    pcsos.certify(small, found_labels(small, 1.0), time_limit=5.0, workers=1)


def mixture_with_cannot_links(n: int, d: int, k: int, separation: float, n_cannot_link: int) -> Instance:
    """Return an instance of unit Gaussians, with cannot-links drawn from its labels."""
    points, labels = gaussian_mixture(n, d, k, separation=separation, seed=n)
    return Instance(points, k, *constraints_from_labels(labels, n_cannot_link=n_cannot_link, seed=n))


def of_equal_sizes(instance: Instance) -> Instance:
    """Return the instance with clusters that differ by at most one point."""
    size = instance.n_points / instance.n_clusters
    return Instance(
        instance.points, instance.n_clusters, instance.must_link, instance.cannot_link,
        size_min=math.floor(size), size_max=math.ceil(size),
    )  # fmt: skip


def trace_solve(instance: Instance, **options: Any) -> Row:
    """Solve, and return the columns of the row."""
    trace = Trace()
    result = pcsos.solve(instance, on_event=trace, **options)
    trace.finish(result.seconds, result.lower_bound, result.objective)
    return row_of(instance, str(result.status), trace.points)


def trace_certificate(instance: Instance, *, time_limit: float, **options: Any) -> Row:
    """Find a partition and certify it, or the better one that is met on the way; return the columns of the row."""
    begun = time.perf_counter()
    labels = found_labels(instance, SEARCH_SHARE * time_limit)
    searched = time.perf_counter() - begun
    trace = Trace(searched)
    result = pcsos.certify(instance, labels, on_event=trace, time_limit=time_limit - searched, **options)
    trace.finish(result.seconds, result.lower_bound, (result.better or result).objective)
    return row_of(instance, str(result.status), trace.points)


def row_of(instance: Instance, status: str, points: list[Point]) -> Row:
    """Return the columns of a row."""
    gap = points[-1].gap
    return {
        "n_points": instance.n_points,
        "n_clusters": instance.n_clusters,
        "status": status,
        "gap": gap if math.isfinite(gap) else None,
        "seconds": points[-1].seconds,
        "trace": to_json(thinned(points)),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return the gap at some seconds, and the seconds to some gaps; a run that has ended keeps its gap."""
    traces = {row["name"]: from_json(row["trace"]) for row in rows if row["outcome"] == "done"}
    ended = [row for row in rows if row["name"] in traces]
    gaps = [
        [row["name"], row["n_points"], row["n_clusters"]]
        + [gap_at(traces[row["name"]], seconds) for seconds in SECONDS]
        + [row["gap"], row["seconds"], row["status"]]
        for row in ended
    ]
    times = [[row["name"], *(seconds_to(traces[row["name"]], gap) for gap in GAPS)] for row in ended]
    return "\n\n".join(
        [
            table(
                ("instance", "n", "k", *(f"gap at {s:g} s" for s in SECONDS), "at the end", "seconds", "status"), gaps
            ),
            table(("instance", *(f"seconds to {gap:.0e}" for gap in GAPS)), times),
            f"failed or killed: {len(rows) - len(ended)}",
        ]
    )
