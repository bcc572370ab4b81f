"""Hybrid differential evolution on the sets of its paper: success against certified optima, claims of its abstract.

One case certifies the optimum of a set, then runs each of the 24 configurations with up to 50 seeds; none begins when
those of a configuration have taken 1 / 400 of the time limit, one and a half CPU seconds by default. All 50 of the slow
ones take hours. Beside them are single runs of k-means, k-means restarted for as many passes over the points as each
hybrid run took, and S-MDEClust. Of the paper's eight sets, ``vowel`` (871 points) is in no package that was found. The
mixture is drawn.
"""

import time
from collections.abc import Callable
from functools import partial
from statistics import fmean, median
from typing import Any, NamedTuple

from benchmarks.case import Case, Row, Settings
from benchmarks.claims import claims, profile
from benchmarks.heuristics import excess, percent, prefixed
from benchmarks.solving import SOLVE_COLUMNS, solve
from benchmarks.tables import table
from pcsos.base.typing import Floats
from pcsos.heuristics.differential_evolution.hybrid import hybrid_de
from pcsos.heuristics.differential_evolution.landscape import CRITERIA
from pcsos.heuristics.differential_evolution.restarted_kmeans import restarted_kmeans
from pcsos.heuristics.differential_evolution.variants import VARIANTS
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.io import read_points
from pcsos.presolve.presolve import presolve
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.params import MemeticParams
from pcsos.problem.reduction import Reduced

#: Numbers of clusters of what scikit-learn has, of what is drawn, and of the files in ``--data``.
PACKAGED = {"iris": 3, "wine": 3}
MIXTURE = {"mixture": 8}
FILES = {"glass": 6, "thyroid": 3, "liver": 2, "bcw": 2, "iono": 2}

SEEDS = range(50)
#: Part of the time limit that the runs of a configuration may take before the last one begins.
PART = 1.0 / 400.0
GAP = 1e-6
CONFIGURATIONS = tuple(f"{variant} {criterion}" for variant in VARIANTS for criterion in CRITERIA)
RESTARTS = tuple(f"restarts for {variant}" for variant in VARIANTS if VARIANTS[variant].is_hybrid)
SINGLE = "one k-means"
RIVALS = ("S-MDEClust pcsos", "S-MDEClust S-MDE")
RUNS = (*CONFIGURATIONS, *RESTARTS, SINGLE, *RIVALS)
MEASURES = ("runs", "success_1e-4", "success_1e-6", "evaluations", "iterations", "passes", "cpu_seconds")
COLUMNS = (
    *("dataset", *SOLVE_COLUMNS),
    *(f"{run} {measure}" for run in RUNS for measure in MEASURES),
)
HEADER = ("dataset", "run", *MEASURES)


class Outcome(NamedTuple):
    """What one run found and took; an evaluation or an iteration of k-means is a pass over the points."""

    objective: float
    evaluations: int
    iterations: int
    cpu_seconds: float

    @property
    def passes(self) -> int:
        """Evaluations and iterations."""
        return self.evaluations + self.iterations


def cases(settings: Settings) -> list[Case]:
    """Return one case for each set that is there."""
    files = {} if settings.data is None else FILES
    paths = {name: None if settings.data is None else str(settings.data / f"{name}.csv") for name in FILES}
    return [
        Case(name, {"dataset": name}, {"name": name, "path": paths.get(name), "n_clusters": k})
        for name, k in (PACKAGED | files | MIXTURE).items()
    ]


def points_of(name: str, path: str | None) -> Floats:
    """Return the points of a set, as they are in its source."""
    if path is not None:
        return read_points(path)
    if name in MIXTURE:
        return gaussian_mixture(200, 2, MIXTURE[name], separation=6.0, seed=1)[0]
    from sklearn import datasets

    points: Floats = (datasets.load_iris() if name == "iris" else datasets.load_wine()).data
    return points


def run(name: str, path: str | None, n_clusters: int, *, time_limit: float, workers: int | None, **_: Any) -> Row:
    """Certify one set and run everything on it."""
    instance = Instance(points_of(name, path), n_clusters)
    row = solve(instance, gap=GAP, time_limit=time_limit, workers=workers)
    problem = presolve(instance).problem
    load_kernels(problem)
    sample = partial(outcomes_of, seconds=PART * time_limit)
    for variant, criterion in (entry.split() for entry in CONFIGURATIONS):
        outcomes = sample(partial(hybrid_de, problem, variant=variant, criterion=criterion))
        row |= prefixed(f"{variant} {criterion}", summary(outcomes, row["objective"]))
        if VARIANTS[variant].is_hybrid and criterion == "TRW":
            equal = [timed(partial(restarted_kmeans, problem, max_passes=o.passes), s) for s, o in enumerate(outcomes)]
            row |= prefixed(f"restarts for {variant}", summary(equal, row["objective"]))
    outcomes = sample(partial(restarted_kmeans, problem, max_passes=1))
    row |= prefixed(SINGLE, summary(outcomes, row["objective"]))
    for rival in RIVALS:
        outcomes = sample(partial(s_mdeclust, problem, variant=rival.split()[1]))
        row |= prefixed(rival, summary(outcomes, row["objective"]))
    return row


def load_kernels(problem: Reduced) -> None:
    """Call what runs later, so that no time contains the loading of compiled kernels."""
    for variant in ("jDE-HN", "b6e6rl-HG"):
        hybrid_de(problem, seed=0, variant=variant)
    restarted_kmeans(problem, seed=0, max_passes=1)
    for rival in RIVALS:
        s_mdeclust(problem, seed=0, variant=rival.split()[1], params=MemeticParams(max_generations=0))


def outcomes_of(search: Callable[..., Returned], seconds: float) -> list[Outcome]:
    """Return the outcomes of the seeds until the time is over."""
    begun, outcomes = time.process_time(), list[Outcome]()
    for seed in SEEDS:
        if outcomes and time.process_time() - begun > seconds:
            break
        outcomes.append(timed(search, seed))
    return outcomes


def timed(search: Callable[..., Returned], seed: int) -> Outcome:
    """Run a search with a seed."""
    begun = time.process_time()
    solution, record = search(seed=seed)
    assert solution is not None, record.message
    return Outcome(solution.objective, record.evaluations, record.local_search_iterations, time.process_time() - begun)


def summary(outcomes: list[Outcome], optimum: float) -> Row:
    """Return the columns of :data:`MEASURES`: percentages of success, medians, and the mean of the passes."""
    above = [excess(outcome.objective, optimum) or 0.0 for outcome in outcomes]
    return {
        "runs": len(outcomes),
        **{f"success_{name}": percent(value <= float(name) for value in above) for name in ("1e-4", "1e-6")},
        "evaluations": median(outcome.evaluations for outcome in outcomes),
        "iterations": median(outcome.iterations for outcome in outcomes),
        "passes": round(fmean(outcome.passes for outcome in outcomes), 1),
        "cpu_seconds": round(median(outcome.cpu_seconds for outcome in outcomes), 5),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return what was certified, a line for each set and run, performance profiles, and the claims."""
    done = [row for row in rows if row["outcome"] == "done"]
    certified = ("dataset", "n_points", "n_features", "n_clusters", "status", "objective", "gap", "root_seconds")
    lines = [[row["dataset"], name, *(row[f"{name} {each}"] for each in MEASURES)] for row in done for name in RUNS]
    return "\n\n".join(
        (
            table(certified, [[_exact(row[column]) for column in certified] for row in done]),
            table(HEADER, lines),
            profile(done, (*CONFIGURATIONS, SINGLE)),
            claims(done),
        )
    )


def _exact(value: object) -> object:
    return f"{value:.10g}" if isinstance(value, float) else value
