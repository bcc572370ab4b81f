"""Many cannot-links and many clusters: S-MDEClust on the drawn sets of the PCCC paper, its value against time.

The paper is Baumann and Hochbaum, "An algorithm for clustering with confidence-based must-link and cannot-link
constraints" (INFORMS Journal on Computing, 2023.0419); its collection COL3 is drawn here again, the sets with 20 and
100 clusters: blobs in the plane, standardised, and f (f - 1) / 2 pairs where f is a percentage of the points. Of the
different pairs that are drawn, the first ones in sorted order are kept, as the authors do, so that they all have a
point with a small number; whether they are must-links or cannot-links is what the blobs say.

Each row is one seed of the default variant through :func:`pcsos.heuristics.run` with ``use_all_time``, whose limit and
seconds include presolve; the super-points and cannot-links are those that presolve leaves. From 500 super-points on it
works in a process of its own, which is killed two seconds after the limit, and then the number of local searches is not
known. Nothing is known of moments after the limit. A run on a small set, which is not measured, loads the kernels
first.

The best value of PCCC is what the paper prints, rounded to 0.1, with its seconds on the authors' machine. Those values
may belong to other pairs than these: where one is below a cost that pcsos has proved optimal, it cannot be of the same
pairs. So they show an order of magnitude, and count for nothing here.
"""

import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.heuristics import excess, least
from benchmarks.runner import read_rows
from benchmarks.tables import table
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics import run as run_heuristic
from pcsos.heuristics import warm_up
from pcsos.presolve.presolve import presolve
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition

#: Points, clusters, and the percentage of the points that says how many pairs there are.
POINTS, CLUSTERS, PERCENTAGES = (500, 1000, 2000, 5000), (20, 100), (5, 10, 15, 20)
SEEDS = range(5)
#: Seed of points and pairs: the authors'.
DRAW_SEED = 24
#: A set for the run that is not measured, and most seconds of that.
SMALL, WARM_UP_SECONDS = (200, 10, 20), 2.0
#: Seconds at which the best objective so far is noted, and the ones of the report.
MOMENTS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
REPORTED = 10
#: Percent above the best known value within which runs are counted then.
WITHIN = (1.0, 0.2)
#: Longer runs, whose values are among the best known ones.
LONG = Path(__file__).parents[1] / "results" / "earlier" / "dense-long.csv"
#: Seconds after the limit from which on a run counts as one that overshot it.
TOLERATED = 0.1
#: Best printed value of PCCC and its seconds, by points, clusters and percentage.
PCCC = {
    (500, 20, 5): (29.6, 1.5),
    (500, 20, 20): (38.4, 0.9),
    (500, 100, 5): (7.0, 0.6),
    (500, 100, 20): (9.9, 1.0),
    (1000, 20, 5): (63.9, 2.0),
    (1000, 20, 20): (79.3, 1.1),
    (1000, 100, 5): (15.6, 1.7),
    (1000, 100, 20): (28.1, 2.6),
    (2000, 100, 5): (40.2, 4.0),
    (2000, 100, 20): (82.5, 4.0),
    (5000, 100, 5): (115.9, 16.0),
    (5000, 100, 20): (267.2, 7.3),
}
COLUMNS = (
    *("n", "k", "percent", "seed", "super_points", "cannot_links"),
    *(f"objective_{moment}" for moment in MOMENTS),
    *("objective", "seconds", "overshot", "overshoot_seconds", "local_searches", "found", "message"),
    *("pccc_objective", "pccc_seconds"),
)
HEADER = (
    *("n", "k", "%", "super-points", "cannot-links each", "seeds", "found", "best known"),
    *(f"{which} {when} %" for when in (f"{REPORTED} s", "end") for which in ("best", "worst")),
    *("PCCC", "PCCC s"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each set and seed, the smallest first."""
    columns = [
        {"n": n, "k": k, "percent": percent, "seed": seed}
        for n in POINTS
        for k in CLUSTERS
        for percent in PERCENTAGES
        for seed in SEEDS
    ]
    return [Case("n{n}-k{k}-p{percent}-seed{seed}".format(**each), each, each) for each in columns]


def run(n: int, k: int, percent: int, seed: int, *, time_limit: float, **_: Any) -> Row:
    """Run one seed on one set."""
    instance = drawn(n, k, percent)
    problem = presolve(instance, is_feasible=True).problem
    warm_up(instance)
    run_heuristic(drawn(*SMALL), seed=seed + 1, time_limit=WARM_UP_SECONDS)
    found: list[tuple[float, float]] = []
    begun = time.perf_counter()

    def note(partition: Partition) -> None:
        found.append((time.perf_counter() - begun, partition.objective))

    partition, record = run_heuristic(
        instance, seed=seed, time_limit=time_limit, use_all_time=True, on_improvement=note
    )
    seconds = time.perf_counter() - begun
    theirs = PCCC.get((n, k, percent), (None, None))
    return {
        "super_points": problem.size,
        "cannot_links": len(problem.cannot_link),
        **{f"objective_{moment}": value_at(moment, found, time_limit) for moment in MOMENTS},
        "objective": None if partition is None else partition.objective,
        "seconds": round(seconds, 3),
        "overshot": int(seconds > time_limit + TOLERATED),
        "overshoot_seconds": round(max(0.0, seconds - time_limit), 3),
        "local_searches": record.local_search_calls or None,
        "found": int(partition is not None),
        "message": record.message or None,
        **dict(zip(("pccc_objective", "pccc_seconds"), theirs, strict=True)),
    }


def value_at(moment: float, found: list[tuple[float, float]], time_limit: float) -> float | None:
    """Return the best objective up to a moment; None before the first, and after the limit."""
    return None if moment > time_limit else least(value for seconds, value in found if seconds <= moment)


def drawn(n: int, k: int, percent: int) -> Instance:
    """Return the set with so many points, clusters and pairs."""
    points, classes = blobs(n, k)
    pairs = drawn_pairs(n, percent)
    is_same = classes[pairs[:, 0]] == classes[pairs[:, 1]]
    return Instance(points, k, pairs[is_same], pairs[~is_same])


def blobs(n: int, k: int) -> tuple[Floats, Indices]:
    """Return standardised points and the blob of each."""
    from sklearn.datasets import make_blobs
    from sklearn.preprocessing import StandardScaler

    points, classes = make_blobs(n_samples=n, n_features=2, centers=k, random_state=DRAW_SEED)
    return StandardScaler().fit_transform(points), classes


def drawn_pairs(n: int, percent: int) -> Indices:
    """Return the pairs, which depend on nothing else: f (f - 1) / 2, sorted, each once and with the less point first.

    They are drawn in rounds of that many until there are enough; NumPy's older generator is the authors'.
    """
    f = math.ceil(n * percent / 100)
    size = f * (f - 1) // 2
    rng = np.random.RandomState(DRAW_SEED)
    pairs = np.empty((0, 2), np.intp)
    while len(pairs) < size:
        i, j = rng.randint(0, n, size), rng.randint(0, n, size)
        fresh = np.sort(np.column_stack([i, j])[i != j], axis=1)
        pairs = np.unique(np.vstack([pairs, fresh]), axis=0)
    return pairs[:size]


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line for each set, how many runs come close, and how often and by how much they overshot their limit."""
    done = [row for row in rows if row["outcome"] == "done"]
    sets, best = (
        by_set(done),
        {which: least(row["objective"] for row in group) for which, group in by_set(done + longer_runs()).items()},
    )
    above = [excess(row[f"objective_{REPORTED}"], best[which]) for which, group in sets.items() for row in group]
    close = [sum(each is not None and 100.0 * each <= percent for each in above) for percent in WITHIN]
    late = [row["overshoot_seconds"] for row in done if row["overshot"]]
    parts = [
        table(HEADER, [line(group, best[which]) for which, group in sets.items()]),
        f"after {REPORTED} s "
        + ", ".join(f"within {percent:g} %: {number}" for percent, number in zip(WITHIN, close, strict=True))
        + f" of {len(done)} runs",
        f"after their limit by more than {TOLERATED:g} s: {len(late)} of {len(done)} runs"
        + (f", by {max(late):.2f} s at most" if late else ""),
        f"failed or killed: {len(rows) - len(done)}",
    ]
    return "\n\n".join(parts)


def by_set(rows: list[Row]) -> dict[tuple[float, float, float], list[Row]]:
    """Return the rows of each set."""
    sets: dict[tuple[float, float, float], list[Row]] = defaultdict(list)
    for row in rows:
        sets[set_of(row)].append(row)
    return sets


def set_of(row: Row) -> tuple[float, float, float]:
    """Return the points, the clusters and the percentage of the set of a row."""
    return row["n"], row["k"], row["percent"]


def longer_runs() -> list[Row]:
    """Return the runs with a longer limit whose results are kept."""
    return [row for row in read_rows(LONG) if row["outcome"] == "done"]


def line(group: list[Row], best: float | None) -> list[object]:
    """Return the line of one set; what its seeds found is in percent above the best known value."""
    row = group[0]
    cells: list[object] = [*(int(row[name]) for name in ("n", "k", "percent", "super_points"))]
    cells += [2.0 * row["cannot_links"] / row["super_points"], len(group), sum(int(each["found"]) for each in group)]
    cells.append(best)
    for column in (f"objective_{REPORTED}", "objective"):
        above = [value for each in group if (value := excess(each[column], best)) is not None]
        cells.append(100.0 * min(above) if above else None)
        cells.append(100.0 * max(above) if len(above) == len(group) else None)  # a seed without a partition is worse
    return [*cells, row["pccc_objective"], row["pccc_seconds"]]
