"""Our engine against cvxpy with SCS and Clarabel on the same root relaxation without cuts.

Every engine works on the same problem until its safe bound stops moving; the bound over time is recorded. The
report takes the best bound of each rival and looks up when our engine had one as good. SCS runs with two tolerances:
the looser one ends earlier, with a lower bound. A rival that did not end with the tolerance that it was given, or at
all, has no ratio. Its seconds contain the modelling by cvxpy.
"""

import json
from typing import Any, NamedTuple

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import load
from benchmarks.tables import table
from pcsos.base.control.stop import Stop
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.conic import SETTINGS, Conic
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engine import EngineFactory
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.problem.reduction import reduce_instance

COLUMNS = ("instance", "engine", "size", "status", "bound", "seconds", "trace")
OURS = "admm"
ENGINES = (OURS, "scs", "scs-1e-4", "clarabel")
#: Drawn instances: number of points, features, clusters, cannot-links.
DRAWN = {"drawn-50": (50, 4, 4, 20), "drawn-100": (100, 4, 5, 40), "drawn-200": (200, 6, 6, 80)}
#: Published instances, used where there is a data folder: number of clusters.
PUBLISHED = {"wine/ml_0_cl_100_0": 3, "glass/ml_0_cl_100_0": 6, "ecoli/ml_0_cl_100_0": 8}
#: An engine is done once its bound has risen by less than this share in that many rounds.
LEAST_RISE = 1e-8
PATIENCE = 20
#: Word of cvxpy for a solver that has reached its tolerance.
SOLVED = "optimal"


class Followed(NamedTuple):
    """What became of a relaxation.

    Parameters
    ----------
    size : int
        Its number of super-points.
    status : str or None
        How a rival says that it ended; None for our engine.
    trace : list of tuple
        The rises of the safe bound, as pairs (seconds, bound).
    """

    size: int
    status: str | None
    trace: list[tuple[float, float]]


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
    size, status, trace = bound_over_time(instance, engine, time_limit)
    seconds, bound = trace[-1]
    return {"size": size, "status": status, "bound": bound, "seconds": seconds, "trace": json.dumps(trace)}


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


def bound_over_time(instance: Instance, engine: str, time_limit: float) -> Followed:
    """Follow the safe bound of one engine on the relaxation of an instance."""
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
    status = plane.engine.status if isinstance(plane.engine, Conic) else None
    return Followed(reduced.size, status, trace)


def report(rows: list[Row], settings: Settings) -> str:
    """Return, for each instance and rival, the time that our engine needs for the rival's bound."""
    header = ("instance", "size", "engine", "ended", "its bound", "seconds", "admm seconds to that bound", "ratio")
    return table(header, [line.cells() for line in lines(rows)])


class Line(NamedTuple):
    """A rival on one instance.

    Parameters
    ----------
    instance : str
        Name of the instance.
    size : float or None
        Super-points; None where no engine told them.
    engine : str
        Name of the rival.
    ended : str
        How it ended: ``optimal`` where it reached its tolerance.
    bound, seconds : float or None
        Its best safe bound, and when it was there.
    below : float or None
        By which share of it that bound is below the best of our engine; negative where it is above.
    ours : float or None
        Seconds of our engine to that bound; None where it is not reached, or the rival is not done.
    """

    instance: str
    size: float | None
    engine: str
    ended: str
    bound: float | None
    seconds: float | None
    below: float | None = None
    ours: float | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the rival reached its tolerance."""
        return self.ended == SOLVED

    @property
    def ratio(self) -> float | None:
        """Its seconds divided by ours; None unless both were there."""
        return None if self.ours is None or self.seconds is None else self.seconds / self.ours

    def cells(self) -> list[object]:
        """Return the cells of a table."""
        bound = None if self.bound is None else f"{self.bound:.8g}"
        return [self.instance, self.size, self.engine, self.ended, bound, self.seconds, self.ours, self.ratio]


def lines(rows: list[Row]) -> list[Line]:
    """Return a line for each instance and rival."""
    ours = {row["instance"]: row for row in rows if row["engine"] == OURS}
    return [line_of(row, ours.get(row["instance"])) for row in rows if row["engine"] != OURS]


def line_of(row: Row, ours: Row | None) -> Line:
    """Return the line of a rival, beside the row of our engine on the same instance."""
    ended = row.get("status") or "not told" if row["outcome"] == "done" else row["outcome"]
    size = row["size"] if row["size"] is not None or ours is None else ours["size"]
    if row.get("error"):
        ended = f"{ended}: {row['error']}"
    line = Line(row["instance"], size, row["engine"], ended, row["bound"], row["seconds"])
    if ours is None or ours["outcome"] != "done" or row["bound"] is None:
        return line
    line = line._replace(below=(ours["bound"] - row["bound"]) / abs(row["bound"]))
    if not line.is_solved:
        return line
    reached = next((seconds for seconds, bound in json.loads(ours["trace"]) if bound >= row["bound"]), None)
    return line._replace(ours=reached)
