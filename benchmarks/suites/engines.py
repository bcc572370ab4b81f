"""Our engine against cvxpy with SCS and Clarabel on the same root relaxation without cuts.

Every engine works on the same problem until its safe bound stops moving; the bound over time is recorded. The
report takes the best bound of each rival and looks up when our engine was within a relative 1e-5 of it, a tenth of
the default gap. SCS runs with two tolerances: the looser one ends earlier, with a lower bound.
"""

import json
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import load
from benchmarks.tables import table
from pcsos.control.stop import Stop
from pcsos.generate import constraints_from_labels, gaussian_mixture
from pcsos.params import Params
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.relaxation import peng_wei
from pcsos.relaxation.conic import SETTINGS, Conic
from pcsos.relaxation.cutting_plane import CuttingPlane
from pcsos.relaxation.engine import EngineFactory
from pcsos.relaxation.engines import engine_factory

COLUMNS = ("instance", "engine", "size", "bound", "seconds", "trace")
ENGINES = ("admm", "scs", "scs-1e-4", "clarabel")
#: Drawn instances: number of points, features, clusters, cannot-links.
DRAWN = {"drawn-50": (50, 4, 4, 20), "drawn-100": (100, 4, 5, 40), "drawn-200": (200, 6, 6, 80)}
#: Published instances, used where there is a data folder: number of clusters.
PUBLISHED = {"wine/ml_0_cl_100_0": 3, "glass/ml_0_cl_100_0": 6, "ecoli/ml_0_cl_100_0": 8}
#: An engine is done once its bound has risen by less than this share in that many rounds.
LEAST_RISE = 1e-8
PATIENCE = 20
#: A bound is as good as another within this share of it.
SAME_BOUND = 1e-5


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance and engine; published instances only with a data folder."""
    arguments: dict[str, Row] = {name: {"drawn": shape} for name, shape in DRAWN.items()}
    if settings.data is not None:
        for name, k in PUBLISHED.items():
            points = settings.data / "datasets" / f"{name.split('/')[0]}.txt.gz"
            constraints = settings.data / "constraints" / f"{name}.txt"
            arguments[name] = {"files": [str(points), str(constraints), k]}
    return [
        Case(f"{name}:{engine}", {"instance": name, "engine": engine}, arguments[name] | {"engine": engine})
        for name in arguments
        for engine in ENGINES
    ]


def run(
    engine: str, time_limit: float, drawn: list[int] | None = None, files: list[Any] | None = None, **_: Any
) -> Row:
    """Follow the safe bound of one engine; compilation of kernels and loading of libraries are not timed."""
    bound_over_time(draw(12, 2, 2, 3), engine, 60.0)
    instance = load(*files) if files is not None else draw(*(drawn or []))
    size, trace = bound_over_time(instance, engine, time_limit)
    return {"size": size, "bound": trace[-1][1], "seconds": trace[-1][0], "trace": json.dumps(trace)}


def draw(n: int, d: int, k: int, n_cannot_link: int) -> Instance:
    """Return an overlapping mixture with cannot-links."""
    points, labels = gaussian_mixture(n, d, k, separation=4.0, seed=n)
    _, cannot_link = constraints_from_labels(labels, n_cannot_link=n_cannot_link, seed=n)
    return Instance(points, k, cannot_link=cannot_link)


def factory(engine: str) -> EngineFactory:
    """Return the engine of this name; ``scs-1e-4`` is SCS with that tolerance."""
    name, _, tolerance = engine.partition("-")
    if not tolerance:
        return engine_factory(name, Params())
    looser = {"eps_abs": float(tolerance), "eps_rel": float(tolerance)}
    return lambda relaxation, rows, warm: Conic(relaxation, rows, warm, SETTINGS[name] | looser)


def bound_over_time(instance: Instance, engine: str, time_limit: float) -> tuple[int, list[tuple[float, float]]]:
    """Return the size of the relaxation and the rises of the bound as pairs (seconds, bound)."""
    reduced = reduce_instance(instance)
    stop = Stop(time_limit=time_limit)
    plane = CuttingPlane(peng_wei.build(reduced), factory(engine))
    trace: list[tuple[float, float]] = []
    history: list[float] = []
    while not plane.engine.converged and not stop.asked():
        plane.round(stop)
        history.append(plane.bound)
        if not trace or plane.bound > trace[-1][1]:
            trace.append((round(stop.seconds, 4), plane.bound))
        if len(history) > PATIENCE and plane.bound - history[-1 - PATIENCE] <= LEAST_RISE * abs(plane.bound):
            break
    return reduced.size, trace


def report(rows: list[Row], settings: Settings) -> str:
    """Return, for each instance and rival, the time that our engine needs for the rival's bound."""
    header = ("instance", "size", "engine", "its bound", "seconds", "admm seconds to that bound", "ratio")
    return table(header, lines(rows))


def lines(rows: list[Row]) -> list[list[Any]]:
    """Return the lines of that table."""
    by_case = {(row["instance"], row["engine"]): row for row in rows}
    found: list[list[Any]] = []
    for (name, engine), row in by_case.items():
        ours = by_case.get((name, "admm"))
        if row["outcome"] != "done" or ours is None or ours["outcome"] != "done":
            found.append([name, row["size"], engine, row["outcome"], None, None, None])
            continue
        target = row["bound"] - SAME_BOUND * abs(row["bound"])
        needed = next((s for s, bound in json.loads(ours["trace"]) if bound >= target), None)
        ratio = None if needed is None else row["seconds"] / needed
        found.append([name, row["size"], engine, f"{row['bound']:.8g}", row["seconds"], needed, ratio])
    return found
