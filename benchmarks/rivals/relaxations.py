"""Our engine and solvers through cvxpy on the same root relaxation without cuts: the safe bound over time.

SCS runs with two tolerances: the looser one ends earlier, with a lower bound. The seconds of a rival contain the
modelling by cvxpy.
"""

from importlib.util import find_spec
from typing import NamedTuple

from pcsos.base.control.stop import Stop
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engine import EngineFactory
from pcsos.bounds.relaxation.engines import SETTINGS, Conic, engine_factory
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.problem.reduction import reduce_instance

#: Ours, and which package each of the others needs beside cvxpy.
OURS = "admm"
ENGINES = {OURS: "pcsos", "scs": "scs", "scs-1e-4": "scs", "clarabel": "clarabel"}
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


def is_installed(engine: str) -> bool:
    """Return whether an engine can run here."""
    needed = ("pcsos",) if engine == OURS else ("cvxpy", ENGINES[engine])
    return all(find_spec(name) is not None for name in needed)


def factory(engine: str) -> EngineFactory:
    """Return the engine of this name; ``scs-1e-4`` is SCS with that tolerance."""
    name, _, tolerance = engine.partition("-")
    if not tolerance:
        return engine_factory(name, Params())
    looser = {"eps_abs": float(tolerance), "eps_rel": float(tolerance)}
    return lambda relaxation, warm: Conic(relaxation, warm, SETTINGS[name] | looser)


def bound_over_time(instance: Instance, engine: str, time_limit: float) -> Followed:
    """Follow the safe bound of one engine on the relaxation of an instance until it stops moving."""
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
