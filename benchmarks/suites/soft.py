"""Soft pairs: certified optima beside PCKM, how far a minute takes a proof, and the clusterers with their defaults.

``optimum/`` draws 30 pairs of iris or wine, one in ten against the classes, with penalties by distance; the same pairs
go to PCKM with its own start and with twenty starts. ``confidence/`` draws 100 to 200 that are held with confidence.
``defaults/`` runs one clusterer on twenty draws of pairs on one of ten sets, one pair in ten against the classes; what
counts is the adjusted Rand index with the classes, and how far it is above that of k-means without pairs. ``published``
is PCKM as its paper runs it, from one start.
"""

import math
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

import pcsos
from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.rows import done, rows_of
from benchmarks.tables import middle
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance

PAIRS, STARTS, WRONG, CONFIDENCE = 30, 20, 0.1, 0.9
#: A start whose cost is above the optimum by no more than this share has found it.
SAME = 1e-6
#: Draws of the clusterers; of the memetic search, which takes longer, and its limit in seconds.
DRAWS, MEMETIC_DRAWS, MEMETIC_SECONDS = 20, 3, 3.0
#: Pairs as a share of the points, but for wine.
SHARE, WINE_PAIRS = 0.85, 150
PUBLISHED: dict[str, Any] = {
    "violation_cost": "distance", "init": "dkm++", "n_init": 1, "order": "index", "reset_labels": False, "max_iter": 25,
}  # fmt: skip
METHODS = (
    *("KMeans", "PCKMeans", "MPCKMeans", "PCSKMeans", "PCKMeans by distance", "published"),
    *("memetic by distance", "memetic by confidence"),
)
EXCESS = ("pckm_excess", "pckm_median_excess", "pckm_best_excess", "pckm_worst_excess", "pckm_reached")
COLUMNS = (
    *("dataset", "method", "status", "objective", "lower_bound", "gap", "nodes", "num_broken", "penalty", "seconds"),
    *(*EXCESS, "mean", "least", "above", "standard_error"),
)
SHOWN = (
    "name",
    "status",
    "objective",
    "gap",
    "nodes",
    "num_broken",
    "seconds",
    *EXCESS,
    "mean",
    "above",
    "standard_error",
)


def cases(data: Path | None) -> list[Case]:
    """Return the draws of both kinds, and each method on each set."""
    optimum = [(f"optimum/{name}/{seed}", [name, PAIRS, seed]) for name in ("iris", "wine") for seed in range(3)]
    confidence = [
        (f"confidence/{name}/{number}/{seed}", [name, number, seed])
        for name in ("iris", "wine")
        for number in (100, 150, 200)
        for seed in range(2)
    ]
    drawn = [Case(name, {"drawn": drawn}, {"dataset": drawn[0]}) for name, drawn in optimum + confidence]
    described = [{"dataset": name, "method": method} for name in SETS for method in METHODS]
    defaults = [
        Case(f"defaults/{one['dataset']}/{one['method']}", one, one, time_limit=600.0, workers=1) for one in described
    ]
    return [*in_tiers(drawn, quick=2), *in_tiers(defaults, quick=3)]


def run(
    drawn: list[Any] | None = None, dataset: str = "", method: str = "", *, time_limit: float, workers: int | None,
    **options: Any,
) -> Row:  # fmt: skip
    """Solve one draw of pairs, with PCKM beside it where they are few, or run one method on its draws."""
    if drawn is None:
        return agreement(dataset, method)
    name, number, seed = drawn
    points, classes = SETS[name]() if name == "wine" else plain_iris()
    must_link, cannot_link = drawn_pairs(classes, number, seed)
    few = number == PAIRS
    held = [[(i, j, CONFIDENCE) for i, j in pairs] for pairs in (must_link.tolist(), cannot_link.tolist())]
    soft = (must_link, cannot_link) if few else held
    penalty = "distance" if few else "confidence"
    instance = Instance(points, 3, conditions=[pcsos.SoftPairs(*soft, penalty)])
    result = pcsos.solve(instance, workers=workers, time_limit=time_limit, gap=options["gap"])
    row = {column: getattr(result, column) for column in ("objective", "lower_bound", "gap", "nodes", "penalty")}
    row |= {"status": str(result.status), "num_broken": len(result.violated), "seconds": round(result.seconds, 2)}
    return row | pckm(points, must_link, cannot_link, row["objective"]) if few else row


def pckm(points: Floats, must_link: Indices, cannot_link: Indices, optimum: float) -> Row:
    """Return how far above the optimum PCKM ends with its own start, and with others."""
    from pcsos.clusterers import PCKMeans

    def excess(**settings: Any) -> float:
        model = PCKMeans(3, separation="diameter", **PUBLISHED | settings)
        return float(model.fit(points, must_link=must_link, cannot_link=cannot_link).objective_ / optimum - 1.0)

    found = [excess(init="k-means++", order="random", random_state=seed) for seed in range(STARTS)]
    figures = (excess(), float(np.median(found)), min(found), max(found), sum(own < SAME for own in found))
    return dict(zip(EXCESS, figures, strict=True))


def agreement(dataset: str, method: str) -> Row:
    """Return how well a method agrees with the classes of a set, beside k-means on the same draws."""
    from sklearn.metrics import adjusted_rand_score

    points, classes = SETS[dataset]()
    k = len(np.unique(classes))
    number = WINE_PAIRS if dataset == "wine" else int(SHARE * len(points))
    few = [(3, points[:50], drawn_pairs(classes[:50], 10, 0))]  # loads the kernels
    draws = range(MEMETIC_DRAWS if method.startswith("memetic") else DRAWS)
    index: list[float] = []
    differences, seconds = [], []
    for seed, (n_clusters, rows, pairs) in enumerate(
        few + [(k, points, drawn_pairs(classes, number, seed)) for seed in draws], start=-1
    ):
        scores = []
        for call in (model(method, n_clusters, max(seed, 0)), model("KMeans", n_clusters, max(seed, 0))):
            begun = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # wrong pairs contradict one another
                labels = call(rows, *pairs)
            seconds.append(time.perf_counter() - begun)
            scores.append(adjusted_rand_score(classes[: len(rows)], labels))
        if seed >= 0:
            index.append(scores[0])
            differences.append(scores[0] - scores[1])
    return {
        "mean": round(fmean(index), 5),
        "least": round(min(index), 5),
        "above": round(fmean(differences), 5),
        "standard_error": round(stdev(differences) / math.sqrt(len(differences)), 5),
        "seconds": round(float(np.median(seconds[2::2])), 4),
    }


def model(method: str, k: int, seed: int) -> Callable[[Floats, Indices, Indices], Indices]:
    """Return a method, from points and pairs to labels."""
    from pcsos import MemeticKMeans, clusterers

    kind, _, penalty = method.partition(" by ")
    if kind != "memetic":
        options = PUBLISHED if kind == "published" else {"violation_cost": penalty} if penalty else {}
        found = getattr(clusterers, "PCKMeans" if kind == "published" else kind)(k, random_state=seed, **options)
        return lambda points, must, cannot: found.fit(points, must_link=must, cannot_link=cannot).labels_
    value = (0.95,) if penalty == "confidence" else ()
    search = MemeticKMeans(k, max_stall=500, time_limit=MEMETIC_SECONDS, random_state=seed)

    def labels(points: Floats, must: Indices, cannot: Indices) -> Indices:
        soft = [[(*pair, *value) for pair in pairs.tolist()] for pairs in (must, cannot)]
        return search.fit(points, conditions=[pcsos.SoftPairs(*soft, penalty)]).labels_

    return labels


def drawn_pairs(classes: Indices, number: int, seed: int) -> tuple[Indices, Indices]:
    """Return must-links and cannot-links, different pairs of all pairs, one in ten of which says the opposite."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(len(classes), 1)
    pairs = np.column_stack([i, j])[rng.choice(i.size, number, replace=False)]
    says_same = (classes[pairs[:, 0]] == classes[pairs[:, 1]]) ^ (rng.random(number) < WRONG)
    return pairs[says_same], pairs[~says_same]


def plain_iris() -> tuple[Floats, Indices]:
    """Return iris as it is."""
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)  # type: ignore[no-any-return]


def packaged(name: str) -> tuple[Floats, Indices]:
    """Return a set of scikit-learn whose features have variance 1."""
    from sklearn import datasets

    points, classes = getattr(datasets, f"load_{name}")(return_X_y=True)
    return (points - points.mean(axis=0)) / points.std(axis=0), classes


def digits(chosen: tuple[int, ...], most: int) -> tuple[Floats, Indices]:
    """Return some of the digits, at most so many points of each."""
    from sklearn.datasets import load_digits

    points, classes = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.permutation(np.flatnonzero(classes == digit))[:most] for digit in chosen])
    return points[rows], classes[rows]


def blobs(sizes: int | list[int], p: int, k: int | None, spread: float | list[float], seed: int) -> Any:
    """Return groups that are balls."""
    from sklearn.datasets import make_blobs

    return make_blobs(sizes, p, centers=k, cluster_std=spread, random_state=seed)


def stretched() -> tuple[Floats, Indices]:
    """Return three groups that are no balls."""
    points, classes = blobs(300, 2, 3, 1.0, 170)
    return points @ [[0.6, -0.6], [-0.4, 0.8]], classes


def redundant() -> tuple[Floats, Indices]:
    """Return three groups with five informative, two redundant and three useless features."""
    from sklearn.datasets import make_classification

    return make_classification(  # type: ignore[no-any-return]
        400, 10, n_informative=5, n_redundant=2, n_classes=3, class_sep=2.0, n_clusters_per_class=1, random_state=4
    )


SETS: dict[str, Callable[[], tuple[Floats, Indices]]] = {
    "wine": lambda: packaged("wine"),
    "iris": lambda: packaged("iris"),
    "breast cancer": lambda: packaged("breast_cancer"),
    "digits 3, 8, 9": lambda: digits((3, 8, 9), 200),
    "digits, 30 each": lambda: digits(tuple(range(10)), 30),
    "blobs, apart": lambda: blobs(300, 4, 4, 1.5, 1),
    "blobs, overlapping": lambda: blobs(400, 5, 5, 4.0, 2),
    "blobs of three sizes": lambda: blobs([200, 100, 50], 6, None, [1.0, 2.5, 4.0], 3),
    "blobs, stretched": stretched,
    "redundant features": redundant,
}


def worse(rows: Rows, method: str) -> str:
    """Return on how many sets a method is below k-means without pairs by more than its standard error."""
    own = done(row for row in rows_of(rows, "soft", "defaults/") if row["method"] == method)
    return f"{sum(row['above'] < -row['standard_error'] for row in own)} of {len(own)}"


def reached(rows: Rows) -> str:
    """Return how many of the starts of PCKM find the optimum."""
    own = done(rows_of(rows, "soft", "optimum/"))
    return wording.of(int(sum(row["pckm_reached"] for row in own)), STARTS * len(own))


FIGURES: dict[str, Figure] = {
    "optimum": lambda rows: wording.proved_of(rows_of(rows, "soft", "optimum/")),
    "reached": reached,
    "pckm": lambda rows: wording.percent(
        middle(row["pckm_median_excess"] for row in done(rows_of(rows, "soft", "optimum/")))
    ),
    "proved": lambda rows: wording.proved_of(rows_of(rows, "soft", "confidence/")),
    "defaults": lambda rows: ", ".join(f"{name} {worse(rows, name)}" for name in METHODS[1:4]),
    "by_distance": lambda rows: worse(rows, "PCKMeans by distance"),
    "published": lambda rows: worse(rows, "published"),
    "memetic": lambda rows: worse(rows, "memetic by confidence"),
}
