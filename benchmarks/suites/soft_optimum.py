"""PCKM beside the certified optimum: random soft pairs on iris and wine, penalties by distance.

Each case draws 30 pairs from all pairs of points; one in ten says the opposite of the classes. The optimum comes from
``pcsos.solve`` with soft pairs. The same pairs go to PCKMeans with its own start, and to twenty starts of k-means++ in
random order.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos.problem.instance import Instance

DATA, SEEDS = ("iris", "wine"), range(3)
N_CLUSTERS, N_PAIRS, WRONG, STARTS = 3, 30, 0.1, 20
#: Costs at most so many times the optimum count as it.
SAME = 1.0 + 1e-6
COLUMNS = (
    *("status", "objective", "lower_bound", "gap", "nodes", "num_broken", "penalty", "seconds"),
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
    row = solved(instance, time_limit, workers)
    return row | pckm(points, must_link, cannot_link, row["objective"])


def solved(instance: Instance, time_limit: float, workers: int | None) -> Row:
    """Solve an instance; return what is proved, and what is broken."""
    begun = time.perf_counter()
    result = pcsos.solve(instance, workers=workers, time_limit=time_limit)
    return {
        "status": str(result.status),
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "nodes": result.nodes,
        "num_broken": len(result.violated),
        "penalty": result.penalty,
        "seconds": round(time.perf_counter() - begun, 1),
    }


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


def pckm(points: NDArray[Any], must_link: NDArray[Any], cannot_link: NDArray[Any], optimum: float) -> Row:
    """Return how far above the optimum PCKM ends."""
    from pcsos.clusterers import PCKMeans

    def excess(**settings: Any) -> float:
        model = PCKMeans(N_CLUSTERS, violation_cost="distance", separation="diameter", **settings)
        return model.fit(points, must_link=must_link, cannot_link=cannot_link).objective_ / optimum - 1.0

    one = {"n_init": 1, "reset_labels": False, "max_iter": 25}
    found = [excess(init="k-means++", order="random", random_state=seed, **one) for seed in range(STARTS)]
    return {
        "pckm_excess": excess(init="dkm++", order="index", **one),
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
