"""Soft pairs and sparse features: the experiments of Vouros and Vasilaki (2021), and how far from optimal they end.

Three studies: the pairwise F of held-out points, the weights of noise features, and the cost of PCKM beside the least
of all partitions of nine points. The first needs the authors' data. All methods run as published: one start, points
by index.
"""

import os
import warnings
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from benchmarks import soft_data
from benchmarks.case import FULL, Case, Row, Settings
from benchmarks.soft_claims import claims, percent
from benchmarks.tables import table
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers import KMeans, MPCKMeans, PCKMeans, PCSKMeans, SparseKMeans
from pcsos.clusterers.selection import Protocol, held_out_scores, select_sparsity, sparsity_grid
from pcsos.clusterers.soft.starts import starting_centres
from pcsos.problem.conditions.pairs import Constraints
from tests.clusterers.soft.literal import best_pckm_cost, random_case

#: Repeats of ten folds, most values of s that are tried, evenly out of the paper's, and pairs as shares of the pool:
#: those of the paper with ``--full``, or what a few hours allow.
REPEATS, MOST_VALUES, SHARES = (
    (25, 99, tuple(number / 200 for number in range(2, 21))) if FULL in os.environ else (10, 5, (0.02, 0.06))
)
INITS = ("seeding", "dkm++", "robin", "maximin")
KINDS = ("both", "must-link", "cannot-link")
METHODS = ("LKM", "SKM", "PCKM", "MPCKM", "PCSKM", "PCSKM-released", "PCKM-random", "PCSKM-random", "PCSKM-nested")
#: How the papers run all of them.
PUBLISHED: dict[str, Any] = {"n_init": 1, "order": "index", "max_iter": 25}
SOFT: dict[str, Any] = {"violation_cost": "distance", "reset_labels": False}
#: Variants that are measured with both kinds of pairs only.
VARIANTS = ("PCSKM-random",)
MEASURES = ("mean", "half_width")
WEIGHED = ("SKM", "PCSKM", "MPCKM")
NOISE_MEASURES = ("noise_share", "all_noise_zero")
STARTS = 20
TINY = ("one start", "random order", f"best of {STARTS} starts", "ten starts, labels reset")
TINY_MEASURES = ("reached", "mean_excess", "largest_excess")
COLUMNS = (
    *("study", "dataset", "init", "kind", "num_repeats"),
    *(f"{method} {percent(share)} {measure}" for method in METHODS for share in SHARES for measure in MEASURES),
    "num_warnings",
    *(f"{method} {what}" for method in WEIGHED for what in NOISE_MEASURES),
    *("num_instances", "penalised_pairs"),
    *(f"{way} {what}" for way in TINY for what in TINY_MEASURES),
)


def cases(settings: Settings) -> list[Case]:
    """Return the conditions of each study."""
    found = [_case("tiny", f"nine points, {pairs} pairs", init, "both") for pairs in (4, 8, 16) for init in INITS]
    folder = settings.data or soft_data.USUAL
    lacking = soft_data.missing(folder)
    if lacking:
        print(f"{lacking[0]} is not there, so only what is drawn is run; give --data FOLDER of the authors' data")
    for dataset, init in product(soft_data.NOISE, INITS):
        if dataset in soft_data.GROUPS or not lacking:
            found.append(_case("weights", dataset, init, "both", folder))
    for dataset, init, kind in product(() if lacking else soft_data.FILES, INITS, KINDS):
        if init != "seeding" or kind == "both":
            found.append(_case("score", dataset, init, kind, folder))
    return found


def _case(study: str, dataset: str, init: str, kind: str, folder: Path = soft_data.USUAL) -> Case:
    columns = {"study": study, "dataset": dataset, "init": init, "kind": kind}
    return Case(f"{study}/{dataset}/{init}/{kind}", columns, columns | {"data": str(folder)})


def run(study: str, dataset: str, init: str, kind: str, data: str, **_: Any) -> Row:
    """Run one condition of a study."""
    if study == "tiny":
        return beside_the_least(int(dataset.split()[-2]), init)
    folder = Path(data)
    return scores(dataset, init, kind, folder) if study == "score" else noise_weights(dataset, init, folder)


class Known(BaseEstimator):
    """A clusterer whose labels are known before it sees any pairs."""

    def __init__(self, labels: Indices) -> None:
        self.labels = labels

    def fit(self, X: Floats, y: object = None, **_: Any) -> "Known":
        """Take the labels for known."""
        self.labels_ = self.labels
        return self


def scores(dataset: str, init: str, kind: str, data: Path) -> Row:
    """Return the mean F of each method for each share of pairs, and half the width of its interval over repeats."""
    row: Row = {"num_repeats": REPEATS}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for share in SHARES:
            by_repeat = [one_repeat(dataset, init, kind, share, data, repeat) for repeat in range(REPEATS)]
            for method in by_repeat[0]:
                means = np.array([found[method] for found in by_repeat])  # repeats, values of s
                best = means[:, means.mean(axis=0).argmax()]
                row[f"{method} {percent(share)} mean"] = round(float(best.mean()), 5)
                row[f"{method} {percent(share)} half_width"] = round(half_width(best), 5)
    return row | {"num_warnings": len(said)}


def half_width(values: Floats) -> float:
    """Return half the width of a 95 % interval of the mean, by Student's t."""
    from scipy.stats import t

    return float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def one_repeat(dataset: str, init: str, kind: str, share: float, data: Path, repeat: int) -> dict[str, list[float]]:
    """Return the F of each method, a number for each value of s, averaged over ten folds."""
    points, classes = soft_data.load(dataset, data, repeat)
    protocol = Protocol(share, kind, n_repeats=1, seed=repeat)  # type: ignore[arg-type]
    models = models_for(points, len(np.unique(classes)), init)
    for method in ("LKM", "SKM") if init != "seeding" else ():  # pairs change nothing
        models[method] = [Known(model.fit(points).labels_) for model in models[method]]
    if kind != "both":
        models = {method: several for method, several in models.items() if method not in VARIANTS}
    flat = [(method, model) for method, several in models.items() for model in several]
    means = held_out_scores([model for _, model in flat], points, classes, protocol).mean(axis=0)
    found: dict[str, list[float]] = {method: [] for method in models}
    for (method, _), value in zip(flat, means, strict=True):
        found[method].append(float(value))
    if init == "dkm++" and kind == "both":
        nested = select_sparsity(
            models["PCSKM"][0], points, classes, grid=grid_of(points), protocol=protocol, verbose=False
        )
        found["PCSKM-nested"] = [float(nested.scores.mean())]
    return found


def grid_of(points: Floats) -> Floats:
    """Return the sparsities to try, the least and the largest among them."""
    grid = sparsity_grid(points.shape[1])
    places = np.linspace(0, len(grid) - 1, min(len(grid), MOST_VALUES)).round().astype(int)
    return grid[places]


def models_for(points: Floats, k: int, init: str) -> dict[str, list[Any]]:
    """Return the estimators of each method, one for each value of s where it has any.

    Starts that do not depend on pairs are computed once.
    """
    start: Any = init
    if init != "seeding":
        centres = starting_centres(init, points, k, Constraints(len(points)), np.random.default_rng(0))
        start = lambda *_: centres  # noqa: E731
    common: dict[str, Any] = {**PUBLISHED, "init": start, "random_state": 0}
    soft, shuffled = common | SOFT, common | SOFT | {"order": "random"}
    grid = grid_of(points).tolist()
    return {
        "LKM": [KMeans(k, **common)],
        "SKM": [SparseKMeans(k, s=s, **common) for s in grid],
        "PCKM": [PCKMeans(k, **soft)],
        "MPCKM": [MPCKMeans(k, metric="diagonal", **soft)],
        "PCSKM": [PCSKMeans(k, s=s, **soft) for s in grid],
        "PCSKM-released": [PCSKMeans(k, s=s, penalise_weights=False, **soft) for s in grid],
        "PCKM-random": [PCKMeans(k, **shuffled)],
        "PCSKM-random": [PCSKMeans(k, s=s, **shuffled) for s in grid],
    }


def noise_weights(dataset: str, init: str, data: Path) -> Row:
    """Return the share of the weights that noise features have, and how often they have none, over s and repeats."""
    noise = soft_data.NOISE[dataset]
    found: dict[str, list[Floats]] = {method: [] for method in WEIGHED}
    for repeat, share in product(range(REPEATS), SHARES):
        points, classes = soft_data.load(dataset, data, repeat)
        fold = next(Protocol(share, seed=repeat).folds(classes))
        pairs = {"must_link": fold.must_link, "cannot_link": fold.cannot_link}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for method, several in models_for(points, 3, init).items():
                if method in WEIGHED:
                    found[method] += [model.fit(points, **pairs).feature_weights_ for model in several]
    row: Row = {"num_repeats": REPEATS}
    for method, weights in found.items():
        shares = [float(own[-noise:].sum() / own.sum()) for own in weights]
        row[f"{method} noise_share"] = round(fmean(shares), 5)
        row[f"{method} all_noise_zero"] = round(fmean(value == 0.0 for value in shares), 5)
    return row


def beside_the_least(num_pairs: int, init: str) -> Row:
    """Return how often, and how far, the cost of PCKM ends above the least of all partitions of nine points."""
    published = PUBLISHED | SOFT
    excess: dict[str, list[float]] = {way: [] for way in TINY}
    seeds = range(200)
    for seed in seeds:
        case = random_case(seed, n_pairs=num_pairs)
        pairs = {
            "must_link": case.must_link,
            "cannot_link": case.cannot_link,
            "must_link_weight": case.must_weight if case.must_link else 1.0,
            "cannot_link_weight": case.cannot_weight if case.cannot_link else 1.0,
        }
        least = best_pckm_cost(case)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ways = (
                published | {"init": init},
                published | {"init": init, "order": "random"},
                published | {"n_init": STARTS, "order": "random"},
                {"violation_cost": "distance"},
            )
            costs = [PCKMeans(3, random_state=0, **way).fit(case.points, **pairs).objective_ for way in ways]
        for way, cost in zip(TINY, costs, strict=True):
            excess[way].append(cost / least - 1.0)
    row: Row = {"num_instances": len(seeds), "penalised_pairs": num_pairs}
    for way, values in excess.items():
        row[f"{way} reached"] = round(fmean(value <= 1e-9 for value in values), 5)
        row[f"{way} mean_excess"], row[f"{way} largest_excess"] = round(fmean(values), 5), round(max(values), 5)
    return row


def report(rows: list[Row], settings: Settings) -> str:
    """Return a table for each study, and what became of the claims of the paper."""
    done = [row for row in rows if row["outcome"] == "done"]
    by_study = {name: [row for row in done if row["study"] == name] for name in ("score", "weights", "tiny")}
    parts = [
        score_table(by_study["score"]),
        table(
            ("dataset", "init", *(f"{method} {what}" for method in WEIGHED for what in ("noise share", "no noise"))),
            (
                (
                    row["dataset"],
                    row["init"],
                    *(row[f"{m} {w}"] for m in WEIGHED for w in ("noise_share", "all_noise_zero")),
                )
                for row in by_study["weights"]
            ),
        ),
        table(
            ("instances", "init", *(f"{way}: {what}" for way in TINY for what in ("reached", "mean", "largest"))),
            (
                (row["dataset"], row["init"], *(row[f"{way} {what}"] for way in TINY for what in TINY_MEASURES))
                for row in by_study["tiny"]
            ),
        ),
        claims(by_study["score"], by_study["weights"], SHARES),
        f"failed or killed: {len(rows) - len(done)}",
    ]
    return "\n\n".join(parts)


def score_table(rows: list[Row]) -> str:
    """Return the mean F over the shares of pairs with the mean half width, a line a condition."""
    lines = []
    for row in rows:
        cells = []
        for method in METHODS:
            values = [row[f"{method} {percent(share)} mean"] for share in SHARES]
            widths = [row[f"{method} {percent(share)} half_width"] for share in SHARES]
            cells.append("-" if None in values else f"{fmean(values):.3f} ± {fmean(widths):.3f}")
        lines.append((row["dataset"], row["init"], row["kind"], *cells))
    return table(("dataset", "init", "pairs", *METHODS), lines)
