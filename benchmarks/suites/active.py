"""Strategies of active selection: agreement with the classes against the number of questions.

A case is a data set and a seed: up to 150 of its points are drawn, and each strategy asks about them what the classes
answer. After every five questions S-MDEClust clusters under the pairs so far, and so does MCSSGC, which gets a labelled
point of each class besides (as in figure 6 of Dang, Vu, Do and Le, 2021). NPU is a rival from the literature.
Strategies that solve relaxations for every question take part in two of the twenty runs of a data set. Data sets of
scikit-learn and drawn ones are always there; Ecoli and Zoo need ``--data FOLDER`` with ``ecoli.data.txt`` and
``zoo.dat``. Features of real data are standardised.
"""

import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.comparators.npu import PointUncertainty
from benchmarks.tables import mean, table
from pcsos.analysis.active import ActiveSession, LabelOracle
from pcsos.analysis.active.state import Strategy
from pcsos.base.rand_index import adjusted_rand_index, rand_index
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.generate import gaussian_mixture

#: Strategy and epsilon of each run.
RUNS: dict[str, tuple[str | Strategy, float]] = {
    **{name: (name, 1e-3) for name in ("random", "mmffqs", "kmmffqs", "asc", "sdp-branch", "sdp-entropy")},
    "npu": (PointUncertainty(), 1e-3),
    "certified 0.1%": ("certified", 1e-3),
    "certified 10%": ("certified", 1e-1),
}
#: The rivals that a strategy has to beat.
RIVALS = ("random", "kmmffqs", "npu")
#: Strategies that solve relaxations for every question, and the seeds that they take part in.
SLOW, SLOW_SEEDS = ("sdp-branch", "sdp-entropy", "certified 0.1%"), range(2)
SEEDS = range(20)
MOST_POINTS, BUDGET, STEP = 150, 20, 5
STEPS = range(0, BUDGET + 1, STEP)
#: Both Rand indices of S-MDEClust, and the adjusted one of MCSSGC.
INDICES = ("ari", "rand", "mcssgc")
FIGURES = (
    *(f"{index}_{step}" for index in INDICES for step in STEPS),
    "questions",
    "mean_seconds",
    "max_seconds",
)
COLUMNS = ("dataset", "seed", "n", "k", *(f"{name} {figure}" for name in RUNS for figure in FIGURES))
#: Data sets of scikit-learn, drawn ones, and files in the folder with the data.
BUNDLED, DRAWN = ("iris", "wine", "breast_cancer", "digits"), ("mixture", "long")
FILES = {"ecoli": "ecoli.data.txt", "zoo": "zoo.dat"}


def cases(settings: Settings) -> list[Case]:
    """Return one case for each data set and seed."""
    there = {name: settings.data / file for name, file in FILES.items()} if settings.data is not None else {}
    files = {name: str(path) for name, path in there.items() if path.exists()}
    return [
        Case(
            f"{name}-{seed}", {"dataset": name, "seed": seed}, {"dataset": name, "file": files.get(name), "seed": seed}
        )
        for seed in SEEDS
        for name in (*BUNDLED, *DRAWN, *files)
    ]


def run(dataset: str, file: str | None, seed: int, **_: Any) -> Row:
    """Let every strategy ask about the points of one data set."""
    rng = np.random.default_rng(seed)
    points, classes = drawn(dataset, rng) if dataset in DRAWN else labelled(dataset, file)
    chosen = np.sort(rng.permutation(len(points))[:MOST_POINTS])
    points, classes = points[chosen], classes[chosen]
    row: Row = {"n": len(points), "k": int(np.unique(classes).size)}
    for name, (strategy, epsilon) in RUNS.items():
        if name in SLOW and seed not in SLOW_SEEDS:
            continue
        row |= {f"{name} {key}": value for key, value in asked(points, classes, strategy, epsilon, seed).items()}
    return row


def drawn(dataset: str, rng: np.random.Generator) -> tuple[Floats, Indices]:
    """Return an overlapping mixture in the plane, or two long groups that least squares cuts across."""
    if dataset == "mixture":
        return gaussian_mixture(MOST_POINTS, 2, 4, separation=3.0, seed=rng)
    classes = np.arange(MOST_POINTS) % 2
    return rng.normal(size=(MOST_POINTS, 2)) * [2.0, 0.4] + np.outer(classes, [0.0, 3.0]), classes


def labelled(dataset: str, file: str | None) -> tuple[Floats, Indices]:
    """Return standardised features and classes of real data."""
    if file is None:
        from sklearn import datasets

        points, names = getattr(datasets, f"load_{dataset}")(return_X_y=True)
    else:
        points, names = READERS[dataset](Path(file).read_text(encoding="utf-8").splitlines())
    spread = points.std(axis=0)
    used = spread > 0.0
    standard = (points[:, used] - points[:, used].mean(axis=0)) / spread[used]
    return standard, np.unique(names, return_inverse=True)[1].astype(np.intp)


def _ecoli(lines: list[str]) -> tuple[Floats, list[str]]:
    rows = [line.split() for line in lines if line.strip()]
    return np.array([row[1:-1] for row in rows], np.float64), [row[-1] for row in rows]


def _zoo(lines: list[str]) -> tuple[Floats, list[str]]:
    rows = [line.replace(" ", "").split(",") for line in lines if line.strip() and not line.startswith("@")]
    return np.array([row[:-1] for row in rows], np.float64), [row[-1] for row in rows]


READERS: dict[str, Callable[[list[str]], tuple[Floats, list[str]]]] = {"ecoli": _ecoli, "zoo": _zoo}


def asked(points: Floats, classes: Indices, strategy: str | Strategy, epsilon: float, seed: int) -> Row:
    """Let one strategy ask, and return how far the clusterings agree with the classes; one that ends early stays."""
    k = int(np.unique(classes).size)
    session = ActiveSession(points, k, strategy=strategy, epsilon=epsilon, budget=BUDGET, seed=seed)
    oracle, seconds, row = LabelOracle(classes), [0.0], agreement(session, classes, 0)
    while True:
        begun = time.perf_counter()
        pair = session.ask()
        seconds.append(time.perf_counter() - begun)
        if pair is None:
            break
        session.tell(pair, oracle(*pair))
        if len(session.answers) % STEP == 0:
            row |= agreement(session, classes, len(session.answers))
    number = len(session.answers)
    for step in STEPS:
        if step > number:
            row |= agreement(session, classes, step)
    return row | {
        "questions": number,
        "mean_seconds": round(sum(seconds) / max(number, 1), 4),
        "max_seconds": round(max(seconds), 4),
    }


def agreement(session: ActiveSession, classes: Indices, step: int) -> Row:
    """Return how far the clusterings of S-MDEClust and MCSSGC under the pairs so far agree with the classes."""
    row: Row = {f"mcssgc_{step}": round(adjusted_rand_index(_grown(session, classes), classes), 5)}
    partition = run_heuristic(session.instance).partition
    if partition is None:
        return row | {f"ari_{step}": None, f"rand_{step}": None}
    ari = adjusted_rand_index(partition.labels, classes)
    return row | {f"ari_{step}": round(ari, 5), f"rand_{step}": round(rand_index(partition.labels, classes), 5)}


def _grown(session: ActiveSession, classes: Indices) -> Indices:
    """Return the clusters that MCSSGC grows from the first point of each class under the pairs so far."""
    from pcsos.clusterers import MCSSGC

    known, seeds = session.constraints, np.full(classes.size, -1)
    first = np.unique(classes, return_index=True)[1]
    seeds[first] = classes[first]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where pairs leave a point no cluster, it gets a label of its own
        points = session.instance.points
        model = MCSSGC().fit(points, seeds, must_link=known.must_link, cannot_link=known.cannot_link)
    return np.asarray(model.labels_, np.intp)


def report(rows: list[Row], settings: Settings) -> str:
    """Return the area under the ARI of each strategy, where it beats its rivals, and the seconds a question."""
    done = [row for row in rows if row["outcome"] == "done"]
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in done:
        groups[row["dataset"]].append(row)
    costs = [
        [name, len(part), *(_wins(groups, name, rival) for rival in RIVALS), *_costs(part, name)]
        for name in RUNS
        for part in [_taking_part(done, name)]
    ]
    beats = (f"beats {rival} on" for rival in RIVALS)
    return "\n\n".join(
        [
            f"area under the adjusted Rand index of S-MDEClust from 0 to {BUDGET} questions, divided by their number",
            _areas(groups, "ari"),
            "the same for MCSSGC, with a labelled point of each class besides",
            _areas(groups, "mcssgc"),
            table(("strategy", "runs", *beats, "questions", "mean s a question", "max s"), costs),
            f"failed or killed: {len(rows) - len(done)}",
        ]
    )


def _areas(groups: dict[str, list[Row]], index: str) -> str:
    """Return a table of the mean areas of all strategies on all data sets."""
    lines = [
        [name, int(group[0]["n"]), int(group[0]["k"]), len(group), *(_mean_area(group, run, index) for run in RUNS)]
        for name, group in groups.items()
    ]
    return table(("dataset", "n", "k", "runs", *RUNS), lines)


def area(row: Row, name: str, index: str = "ari") -> float:
    """Return the area under the index of one run by the trapezoid rule, divided by the number of questions."""
    values = [row[f"{name} {index}_{step}"] for step in STEPS]
    return float((sum(values) - 0.5 * (values[0] + values[-1])) / (len(values) - 1))


def _taking_part(rows: list[Row], name: str) -> list[Row]:
    """Return the rows in which a strategy took part."""
    return [row for row in rows if row.get(f"{name} ari_0") is not None]


def _mean_area(rows: list[Row], name: str, index: str = "ari") -> float:
    return mean(area(row, name, index) for row in _taking_part(rows, name))


def _wins(groups: dict[str, list[Row]], name: str, rival: str) -> str:
    """Return on how many data sets the mean area is above that of a rival, over the runs in which both took part."""
    if name == rival:
        return "-"
    parts = [_taking_part(_taking_part(group, name), rival) for group in groups.values()]
    better = sum(_mean_area(part, name) > _mean_area(part, rival) for part in parts)
    return f"{better} of {len(groups)}"


def _costs(rows: list[Row], name: str) -> list[float]:
    figures = {figure: [row[f"{name} {figure}"] for row in rows] for figure in FIGURES[-3:]}
    return [mean(figures["questions"]), mean(figures["mean_seconds"]), max(figures["max_seconds"], default=0.0)]
