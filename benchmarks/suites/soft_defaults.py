"""The soft clusterers as they come, with their defaults, beside k-means without pairs and the memetic search.

Ten sets of scikit-learn, standardised where their features are measured in different units, and drawn ones; pairs
drawn from all pairs of points, as many as 85 % of the points (150 on wine), either all true or one in ten wrong. What
counts is the adjusted Rand index with the classes, in means over draws, and how far it is above that of k-means on the
same draws. ``published`` is PCKM as its paper runs it, from one start.
"""

import math
import time
import warnings
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos.base.typing import Floats, Indices

DRAWS = 20
#: Draws of the memetic search, which takes longer, and its limit in seconds.
MEMETIC_DRAWS, MEMETIC_SECONDS = 3, 3.0
#: Pairs as a share of the points, but for wine.
SHARE, WINE_PAIRS = 0.85, 150
WRONG = (0.0, 0.1)
PUBLISHED: dict[str, Any] = {
    "violation_cost": "distance",
    "init": "dkm++",
    "n_init": 1,
    "order": "index",
    "reset_labels": False,
    "max_iter": 25,
}
SOFT = ("PCKMeans", "MPCKMeans", "PCSKMeans")
VARIANTS = ("PCKMeans by distance", "published")
METHODS = ("KMeans", *SOFT, *VARIANTS, "memetic by distance", "memetic by confidence")
COLUMNS = (
    *("dataset", "wrong", "n", "p", "k", "num_pairs"),
    *(f"{method} {what}" for method in METHODS for what in ("mean", "least", "above", "error", "seconds")),
)


def wine() -> tuple[Floats, Indices]:
    """Return wine with standardised features."""
    from sklearn.datasets import load_wine

    return standardised(*load_wine(return_X_y=True))


def standardised(points: Floats, classes: Indices) -> tuple[Floats, Indices]:
    """Return the points with features of variance 1."""
    return (points - points.mean(axis=0)) / points.std(axis=0), classes


def iris() -> tuple[Floats, Indices]:
    """Return iris with standardised features."""
    from sklearn.datasets import load_iris

    return standardised(*load_iris(return_X_y=True))


def breast_cancer() -> tuple[Floats, Indices]:
    """Return breast cancer with standardised features."""
    from sklearn.datasets import load_breast_cancer

    return standardised(*load_breast_cancer(return_X_y=True))


def digits(chosen: tuple[int, ...], most: int) -> tuple[Floats, Indices]:
    """Return some of the digits, at most so many points of each."""
    from sklearn.datasets import load_digits

    points, classes = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    rows = [rng.permutation(np.flatnonzero(classes == digit))[:most] for digit in chosen]
    return points[np.concatenate(rows)], classes[np.concatenate(rows)]


def stretched() -> tuple[Floats, Indices]:
    """Return three groups that are no balls."""
    from sklearn.datasets import make_blobs

    points, classes = make_blobs(300, 2, centers=3, random_state=170)
    return points @ [[0.6, -0.6], [-0.4, 0.8]], classes


def blobs(sizes: int | list[int], p: int, k: int | None, spread: float | list[float], seed: int) -> Any:
    """Return groups that are balls."""
    from sklearn.datasets import make_blobs

    return make_blobs(sizes, p, centers=k, cluster_std=spread, random_state=seed)


def redundant() -> tuple[Floats, Indices]:
    """Return three groups with five informative, two redundant and three useless features."""
    from sklearn.datasets import make_classification

    return make_classification(
        400, 10, n_informative=5, n_redundant=2, n_classes=3, class_sep=2.0, n_clusters_per_class=1, random_state=4
    )


SETS: dict[str, Callable[[], tuple[Floats, Indices]]] = {
    "wine": wine,
    "iris": iris,
    "breast cancer": breast_cancer,
    "digits 3, 8, 9": lambda: digits((3, 8, 9), 200),
    "digits, 30 each": lambda: digits(tuple(range(10)), 30),
    "blobs, apart": lambda: blobs(300, 4, 4, 1.5, 1),
    "blobs, overlapping": lambda: blobs(400, 5, 5, 4.0, 2),
    "blobs of three sizes": lambda: blobs([200, 100, 50], 6, None, [1.0, 2.5, 4.0], 3),
    "blobs, stretched": stretched,
    "redundant features": redundant,
}


def cases(settings: Settings) -> list[Case]:
    """Return each set with true pairs and with wrong ones."""
    given = [{"dataset": name, "wrong": wrong} for name in SETS for wrong in WRONG]
    return [Case(f"{one['dataset']}/{one['wrong']:g}", one, one) for one in given]


def run(dataset: str, wrong: float, **_: Any) -> Row:
    """Run all methods on the draws of one case."""
    points, classes = SETS[dataset]()
    num_pairs = WINE_PAIRS if dataset == "wine" else int(SHARE * len(points))
    found: dict[str, list[tuple[float, float]]] = {method: [] for method in METHODS}
    for call in models(3, 0).values():  # loads the kernels
        call(points[:50], *drawn_pairs(classes[:50], 10, wrong, 0))
    for seed in range(DRAWS):
        pairs = drawn_pairs(classes, num_pairs, wrong, seed)
        for method, call in models(len(np.unique(classes)), seed).items():
            if seed < MEMETIC_DRAWS or not method.startswith("memetic"):
                found[method].append(scored(call, points, pairs, classes))
    row: Row = {"n": len(points), "p": points.shape[1], "k": len(np.unique(classes)), "num_pairs": num_pairs}
    alone = [index for index, _ in found["KMeans"]]
    for method, values in found.items():
        index, seconds = zip(*values, strict=True)
        row |= {f"{method} mean": round(fmean(index), 5), f"{method} least": round(min(index), 5)}
        above, error = compared(index, alone)
        row |= {f"{method} above": round(above, 5), f"{method} error": round(error, 5)}
        row[f"{method} seconds"] = round(float(np.median(seconds)), 4)
    return row


def compared(index: Sequence[float], alone: Sequence[float]) -> tuple[float, float]:
    """Return by how much a method is above k-means on its own draws, the first ones: mean, and its standard error."""
    differences = [own - other for own, other in zip(index, alone, strict=False)]
    return fmean(differences), stdev(differences) / math.sqrt(len(differences))


def scored(call: Callable[..., Indices], points: Floats, pairs: tuple[Indices, Indices], classes: Indices) -> Any:
    """Return the adjusted Rand index of what a method finds, and the seconds that it takes."""
    from sklearn.metrics import adjusted_rand_score

    begun = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # wrong pairs contradict one another
        labels = call(points, *pairs)
    return adjusted_rand_score(classes, labels), time.perf_counter() - begun


def drawn_pairs(classes: Indices, num_pairs: int, wrong: float, seed: int) -> tuple[Indices, Indices]:
    """Return must-links and cannot-links, different pairs of all pairs, some of which say the opposite."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(len(classes), 1)
    pairs = np.column_stack([i, j])[rng.choice(i.size, num_pairs, replace=False)]
    says_same = (classes[pairs[:, 0]] == classes[pairs[:, 1]]) ^ (rng.random(num_pairs) < wrong)
    return pairs[says_same], pairs[~says_same]


def models(k: int, seed: int) -> dict[str, Callable[[Floats, Indices, Indices], Indices]]:
    """Return the methods, each from points and pairs to labels."""
    from pcsos import MemeticKMeans
    from pcsos import clusterers as semisupervised

    def soft(kind: str, **options: Any) -> Callable[[Floats, Indices, Indices], Indices]:
        model = getattr(semisupervised, kind)(k, random_state=seed, **options)
        return lambda points, must, cannot: model.fit(points, must_link=must, cannot_link=cannot).labels_

    def memetic(penalty: str, *value: float) -> Callable[[Floats, Indices, Indices], Indices]:
        model = MemeticKMeans(k, penalty=penalty, max_stall=500, time_limit=MEMETIC_SECONDS, random_state=seed)

        def labels(points: Floats, must: Indices, cannot: Indices) -> Indices:
            rows = [[(*pair, *value) for pair in pairs.tolist()] for pairs in (must, cannot)]
            return model.fit(points, soft_must_link=rows[0], soft_cannot_link=rows[1]).labels_

        return labels

    return {
        "KMeans": soft("KMeans"),
        **{kind: soft(kind) for kind in SOFT},
        "PCKMeans by distance": soft("PCKMeans", violation_cost="distance"),
        "published": soft("PCKMeans", **PUBLISHED),
        "memetic by distance": memetic("distance"),
        "memetic by confidence": memetic("confidence", 0.95),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return the means of each case, and how often the defaults are worse than k-means without pairs."""
    done = [row for row in rows if row["outcome"] == "done"]
    lines = [[row["name"], *(f"{row[f'{method} mean']:.3f}" for method in METHODS)] for row in done]
    worse = [f"{kind} is worse than k-means in {num_worse(kind, done)} of {len(done)}" for kind in (*SOFT, *VARIANTS)]
    return "\n\n".join([table(("case", *METHODS), lines), *worse, f"failed or killed: {len(rows) - len(done)}"])


def num_worse(method: str, rows: list[Row]) -> int:
    """Return in how many cases a method is below k-means without pairs by more than its standard error."""
    return sum(row[f"{method} above"] < -row[f"{method} error"] for row in rows)
