"""Bounds of cluster sizes and soft pairs: our searches beside k-means-constrained and PCKM.

Cases ``blobs-...`` cluster a mixture of Gaussians under bounds of sizes. KMeansConstrained of k-means-constrained runs
where it is installed, with one start and with ten; IPC-k-means and S-MDEClust run as many CPU seconds as their limits
say. What counts is the first moment at which each of ours is at most the value of the rival. Cases ``iris-...`` have 50
random pairs, one in five of them of the wrong kind, with one penalty for all: ten starts of PCKM beside S-MDEClust, ten
draws each. Runs that are not measured load the kernels first.
"""

from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.clock import cpu_clock
from benchmarks.comparators.programs import PROGRAMS, installed, run_program
from benchmarks.tables import table
from pcsos.base.control.stop import Stop
from pcsos.heuristics.multi_start import multi_start
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.presolve.colouring.budget import Budget
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, reduce_instance

#: Points, clusters, and least and greatest size.
BLOBS = [(1000, 10, 100, 100), (1000, 10, 75, 125), (10_000, 50, 200, 200), (10_000, 50, 150, 250)]
FEATURES, SEPARATION = 5, 8.0
RIVAL = "KMeansConstrained"
#: Starts of the rival, and seconds that ours may take.
STARTS = (1, 10)
LIMITS = {"ipc-kmeans": (10.0,), "s-mdeclust": (10.0, 30.0)}
#: A value at most so many times another one is as good.
SAME = 1.0 + 1e-9
PENALTIES = (0.1, 1.0, 10.0)
PAIRS, DRAWS, PCKM_STARTS = 50, 10, 10
COLUMNS = (
    *("n", "k", "size_min", "size_max"),
    *(f"rival {starts} {figure}" for starts in STARTS for figure in ("objective", "cpu_seconds")),
    *(f"{method} first_{figure}" for method in LIMITS for figure in ("objective", "cpu_seconds")),
    *(f"{method} {limit:g} objective" for method, limits in LIMITS.items() for limit in limits),
    *(f"{method} cpu_seconds_to_rival_{starts}" for method in LIMITS for starts in STARTS),
    *("penalty", "pckm_excess_percent", "pckm_worst_percent", "pckm_reached", "s_mdeclust_reached"),
    *("pckm_cpu_seconds", "s_mdeclust_cpu_seconds"),
)


def cases(settings: Settings) -> list[Case]:
    """Return the cases of both kinds."""
    names = ("n", "k", "size_min", "size_max")
    blobs = [dict(zip(names, given, strict=True)) for given in BLOBS]
    return [
        *(Case("blobs-" + "-".join(str(value) for value in given.values()), given, given) for given in blobs),
        *(Case(f"iris-{penalty:g}", {"penalty": penalty}, {"penalty": penalty}) for penalty in PENALTIES),
    ]


def run(penalty: float | None = None, **arguments: Any) -> Row:
    """Run one case."""
    if penalty is not None:
        return soft_pairs(penalty)
    return sizes(*(arguments[name] for name in ("n", "k", "size_min", "size_max")))


def sizes(n: int, k: int, size_min: int, size_max: int) -> Row:
    """Return what the rival and ours find between these sizes."""
    search(small_problem(), "s-mdeclust", 1.0)  # loads the kernels
    points, _ = gaussian_mixture(n, FEATURES, k, separation=SEPARATION, seed=0)
    instance = Instance(points, k, size_min=size_min, size_max=size_max)
    reduced = reduce_instance(instance)
    row: Row = {}
    if RIVAL in installed():
        for starts in STARTS:
            row |= rival(instance, starts)
    for method, limits in LIMITS.items():
        found = search(reduced, method, max(limits))
        row[f"{method} first_cpu_seconds"], row[f"{method} first_objective"] = found[0]
        for limit in limits:
            row[f"{method} {limit:g} objective"] = min(value for seconds, value in found if seconds <= limit)
        for starts in STARTS:
            target = row.get(f"rival {starts} objective", -np.inf)
            reached = (seconds for seconds, value in found if value <= target * SAME)
            row[f"{method} cpu_seconds_to_rival_{starts}"] = next(reached, None)
    return row


def rival(instance: Instance, starts: int) -> Row:
    """Return objective and CPU seconds of KMeansConstrained, on one thread; every cluster is within the sizes."""
    PROGRAMS[RIVAL].load()
    begun = cpu_clock()
    labels = run_program(RIVAL, instance, seed=0, num_starts=starts).labels
    seconds = cpu_clock() - begun
    objective = Partition.of(instance, labels).objective  # which refuses what is not within the sizes
    return {f"rival {starts} objective": objective, f"rival {starts} cpu_seconds": round(seconds, 4)}


def small_problem() -> Reduced:
    """Return a problem for a run that is not measured."""
    points, _ = gaussian_mixture(60, 2, 3, seed=0)
    return reduce_instance(Instance(points, 3, size_min=19, size_max=21, soft_must_link=[(0, 1)], penalty=1.0))


def search(reduced: Reduced, method: str, limit: float) -> list[tuple[float, float]]:
    """Return CPU seconds and objective of every new best solution of one of ours in so many CPU seconds."""
    begun = cpu_clock()
    found: list[tuple[float, float]] = []

    def note(solution: Solution) -> None:
        found.append((round(cpu_clock() - begun, 4), solution.objective))

    call = partial(multi_start, num_starts=10_000) if method == "ipc-kmeans" else s_mdeclust
    budget = Budget(Stop(lambda: cpu_clock() - begun >= limit))
    call(reduced, seed=0, budget=budget, on_improvement=note)  # type: ignore[operator]
    return found


def soft_pairs(penalty: float) -> Row:
    """Return how far PCKM is from the best partition of iris that either finds, in means over draws of pairs."""
    from sklearn.datasets import load_iris

    points, classes = load_iris(return_X_y=True)
    s_mdeclust(small_problem(), seed=0)  # loads the kernels
    excess, ours_reached, seconds = [], 0, np.zeros(2)
    for draw in range(DRAWS):
        pairs, is_must_link = random_pairs(classes, np.random.default_rng(draw))
        must_link, cannot_link = pairs[is_must_link], pairs[~is_must_link]
        instance = Instance(points, 3, soft_must_link=must_link, soft_cannot_link=cannot_link, penalty=penalty)
        clock = [cpu_clock()]
        theirs = pckm(instance, must_link, cannot_link, penalty)
        clock.append(cpu_clock())
        ours, _ = s_mdeclust(reduce_instance(instance), seed=draw)
        clock.append(cpu_clock())
        assert ours is not None
        best = min(theirs, ours.objective)
        excess.append(100.0 * (theirs / best - 1.0))
        ours_reached += ours.objective <= best * SAME
        seconds += np.diff(clock)
    return {
        "n": len(points),
        "k": 3,
        "pckm_excess_percent": fmean(excess),
        "pckm_worst_percent": max(excess),
        "pckm_reached": sum(each <= 1e-7 for each in excess),
        "s_mdeclust_reached": ours_reached,
        "pckm_cpu_seconds": round(seconds[0] / DRAWS, 4),
        "s_mdeclust_cpu_seconds": round(seconds[1] / DRAWS, 4),
    }


def pckm(instance: Instance, must_link: np.ndarray, cannot_link: np.ndarray, penalty: float) -> float:
    """Return the least objective of PCKM over its starts, the same as ours: a broken pair costs the penalty."""
    import warnings

    from pcsos.clusterers import PCKMeans

    one = {"n_init": 1, "reset_labels": False}
    found = []
    for seed in range(PCKM_STARTS):
        model = PCKMeans(3, violation_cost="unit", max_iter=300, random_state=seed, **one)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pairs that contradict one another are meant
            model.fit(
                instance.points,
                must_link=must_link,
                cannot_link=cannot_link,
                must_link_weight=penalty,
                cannot_link_weight=penalty,
            )
        found.append(Partition.of(instance, model.labels_).objective)
    return min(found)


def random_pairs(classes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return different pairs, and which of them are must-links: four of five as the classes have it."""
    i, j = np.triu_indices(len(classes), 1)
    chosen = rng.choice(i.size, PAIRS, replace=False)
    pairs = np.column_stack([i, j])[chosen]
    return pairs, (classes[pairs[:, 0]] == classes[pairs[:, 1]]) ^ (rng.random(PAIRS) < 0.2)


def report(rows: list[Row], settings: Settings) -> str:
    """Return the tables of both kinds of cases."""
    done = [row for row in rows if row["outcome"] == "done"]
    blobs = [row for row in done if row["penalty"] is None]
    header = ("points", "k", "sizes", "starts", "rival", "rival CPU s")
    for method, limits in LIMITS.items():
        what = (*(f"{limit:g} s" for limit in limits), "CPU s to rival", "times faster")
        header += tuple(f"{method} {each}" for each in what)
    soft = ("penalty", "PCKM excess %", "worst %", "reached", "S-MDEClust reached", "PCKM CPU s", "S-MDEClust CPU s")
    parts = [
        table(header, [line(row, starts) for row in blobs for starts in STARTS]),
        table(soft, [[row[name] for name in COLUMNS[COLUMNS.index("penalty") :]] for row in done if row not in blobs]),
        f"failed or killed: {len(rows) - len(done)}",
    ]
    return "\n\n".join(parts)


def line(row: Row, starts: int) -> list[object]:
    """Return the line of one case and number of starts of the rival."""
    seconds = row[f"rival {starts} cpu_seconds"]
    cells: list[object] = [int(row["n"]), int(row["k"]), f"{row['size_min']:g}-{row['size_max']:g}", starts]
    cells += [row[f"rival {starts} objective"], seconds]
    for method, limits in LIMITS.items():
        reached = row[f"{method} cpu_seconds_to_rival_{starts}"]
        ratio = None if reached is None or seconds is None else seconds / reached
        cells += [*(row[f"{method} {limit:g} objective"] for limit in limits), reached, ratio]
    return cells
