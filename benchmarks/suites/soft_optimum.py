"""PCKM beside the certified optimum: random soft pairs on iris and wine, penalties by distance.

Each case draws 30 pairs from all pairs of points; one in ten says the opposite of the classes. The optimum comes from
pcsos: a pair whose penalty and a lower bound without it exceed the cost of a known partition is kept by every best
partition, so it may be made hard, which raises the bound for others. Once no more pairs can be, the rest stays soft.
The same pairs go to PCKMeans with its own start, and to twenty starts of k-means++ in random order.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos import heuristics
from pcsos.instance import Instance
from pcsos.partition import Partition

DATA, SEEDS = ("iris", "wine"), range(3)
N_CLUSTERS, N_PAIRS, WRONG, STARTS = 3, 30, 0.1, 20
#: A cost must be exceeded by this, whatever was rounded.
BEYOND = 1.0 + 1e-9
#: Costs at most so many times the optimum count as it.
SAME = 1.0 + 1e-6
COLUMNS = (
    *("status", "objective", "lower_bound", "gap", "num_hard", "num_broken", "penalty", "seconds"),
    *("pckm_excess", "pckm_median_excess", "pckm_best_excess", "pckm_worst_excess", "pckm_reached"),
)
HEADER = (
    *("case", "optimum", "gap", "broken", "one start %", "median of 20 %", "best of 20 %", "worst of 20 %"),
    "starts at the optimum",
)


def cases(settings: Settings) -> list[Case]:
    """Return the draws on both sets."""
    return [Case(f"{name}/{seed}", {}, {"name": name, "seed": seed}) for name in DATA for seed in SEEDS]


def run(name: str, seed: int, *, time_limit: float, workers: int | None, **_: Any) -> Row:
    """Solve one draw and run PCKM on it."""
    points, classes = load(name)
    must_link, cannot_link = drawn_pairs(classes, seed)
    soft = {"soft_must_link": must_link, "soft_cannot_link": cannot_link}
    instance = Instance(points, N_CLUSTERS, **soft, penalty="distance")
    begun = time.perf_counter()
    best, _ = heuristics.run(instance, seed=0)
    assert best is not None
    options = {"workers": workers, "time_limit": time_limit / 10}
    is_hard = certain_pairs(instance, best.objective, options)
    result = pcsos.solve(hardened(instance, is_hard), initial_labels=best.labels, **options)
    found = Partition.of(instance, result.labels)
    bound = min(result.lower_bound, best.objective)
    return {
        "status": str(result.status),
        "objective": found.objective,
        "lower_bound": bound,
        "gap": max(1.0 - bound / found.objective, 0.0),
        "num_hard": int(is_hard.sum()),
        "num_broken": len(instance.soft.broken(found.labels)),
        "penalty": instance.soft.cost(found.labels),
        "seconds": round(time.perf_counter() - begun, 1),
    } | pckm(points, must_link, cannot_link, found.objective)


def load(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return points and classes; the features of wine are standardised."""
    from sklearn.datasets import load_iris, load_wine
    from sklearn.preprocessing import StandardScaler

    if name == "iris":
        return load_iris(return_X_y=True)
    points, classes = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(points), classes


def drawn_pairs(classes: NDArray[Any], seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return soft must-links and cannot-links."""
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(len(classes), 2, replace=False) for _ in range(N_PAIRS)])
    says_same = (classes[pairs[:, 0]] == classes[pairs[:, 1]]) ^ (rng.random(N_PAIRS) < WRONG)
    return pairs[says_same], pairs[~says_same]


def certain_pairs(instance: Instance, cost: float, options: dict[str, Any]) -> NDArray[np.bool_]:
    """Return which soft pairs no partition of at most this cost breaks, shape (m,)."""
    soft = instance.soft
    penalty = np.where((soft.apart > 0.0) & (soft.together > 0.0), 0.0, soft.apart + soft.together)
    is_hard = np.zeros(len(soft), np.bool_)
    bound = 0.0
    while not is_hard.all():
        own = hardened(instance, is_hard)
        bound = max(bound, pcsos.solve(own.without_conditions(), **options).lower_bound or 0.0)
        more = bound + penalty > cost * BEYOND
        if not (more & ~is_hard).any():
            break
        is_hard |= more
    return is_hard


def hardened(instance: Instance, is_hard: NDArray[np.bool_]) -> Instance:
    """Return the instance in which some soft pairs must hold."""
    soft = instance.soft
    apart, together = (np.where(is_hard & (own > 0.0), np.inf, own) for own in (soft.apart, soft.together))
    rows = [[*pair, *own] for pair, own in zip(soft.pairs.tolist(), zip(apart, together, strict=True), strict=True)]
    return Instance(
        instance.points,
        instance.n_clusters,
        soft_must_link=[(i, j, own) for i, j, own, _ in rows],
        soft_cannot_link=[(i, j, own) for i, j, _, own in rows],
    )


def pckm(points: NDArray[Any], must_link: NDArray[Any], cannot_link: NDArray[Any], optimum: float) -> Row:
    """Return how far above the optimum PCKM ends."""
    from pcsos.semisupervised import PCKMeans

    def excess(**settings: Any) -> float:
        model = PCKMeans(N_CLUSTERS, separation="diameter", **settings)
        return model.fit(points, must_link=must_link, cannot_link=cannot_link).objective_ / optimum - 1.0

    found = [excess(init="k-means++", order="random", random_state=seed) for seed in range(STARTS)]
    return {
        "pckm_excess": excess(),
        "pckm_median_excess": float(np.median(found)),
        "pckm_best_excess": min(found),
        "pckm_worst_excess": max(found),
        "pckm_reached": sum(own < SAME - 1.0 for own in found),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case."""
    names = ("pckm_excess", "pckm_median_excess", "pckm_best_excess", "pckm_worst_excess")
    lines = []
    for row in rows:
        if row["outcome"] == "done":
            above = (100.0 * row[name] for name in names)
            lines.append([row["name"], row["objective"], row["gap"], row["num_broken"], *above, row["pckm_reached"]])
    return f"{table(HEADER, lines)}\n\nfailed or killed: {len(rows) - len(lines)}"
