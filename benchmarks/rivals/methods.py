"""Methods that are run side by side, ours and programs that pip can install, each called in the same way."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import pcsos
from benchmarks.rivals.clustering import Clustering
from benchmarks.rivals.programs import PROGRAMS, ProgramFailedError, run_program
from benchmarks.rivals.scip_model import solve_by_scip
from pcsos.heuristics import run as run_heuristic
from pcsos.problem.instance import Instance


@dataclass(frozen=True)
class Limits:
    """How far a method may go: relative gap, seconds and processes, as far as it takes them."""

    gap: float
    time_limit: float
    workers: int


@dataclass(frozen=True, eq=False)
class Answer:
    """What a method ended with.

    Parameters
    ----------
    clustering : Clustering or None
        What it found, which may violate what is asked of it.
    lower_bound : float or None
        What no partition is below, for methods that prove anything.
    is_proved : bool
        Whether the method says that the gap asked for is closed.
    message : str
        Why it found or proved nothing, or how it ended.
    """

    clustering: Clustering | None
    lower_bound: float | None = None
    is_proved: bool = False
    message: str = ""


@dataclass(frozen=True)
class Method:
    """How a method is called.

    Parameters
    ----------
    call : callable
        Returns its answer, given an instance, a seed and limits.
    module : str
        What must be installed.
    is_seeded : bool
        Whether it comes to something else with another seed, so that several are run.
    """

    call: Callable[[Instance, int, Limits], Answer]
    module: str = "pcsos"
    is_seeded: bool = True

    @property
    def is_installed(self) -> bool:
        """Whether it can be called here."""
        return find_spec(self.module.partition(".")[0]) is not None


def _solve(instance: Instance, seed: int, limits: Limits) -> Answer:
    result = pcsos.solve(instance, gap=limits.gap, time_limit=limits.time_limit, workers=limits.workers, seed=seed)
    found = None if result.labels is None else Clustering.of(instance, result.labels)
    return Answer(found, result.lower_bound, str(result.status) == "OPTIMAL", str(result.status))


def _heuristic(name: str, instance: Instance, seed: int, limits: Limits) -> Answer:
    partition, record = run_heuristic(instance, name, seed=seed, time_limit=limits.time_limit)
    return Answer(None if partition is None else Clustering.of(instance, partition.labels), message=record.message)


def _program(name: str, num_starts: int, instance: Instance, seed: int, _: Limits) -> Answer:
    try:
        return Answer(run_program(name, instance, seed=seed, num_starts=num_starts))
    except ProgramFailedError as error:
        return Answer(None, message=str(error))


def _scip(instance: Instance, _: int, limits: Limits) -> Answer:
    proof = solve_by_scip(instance, gap=limits.gap, time_limit=limits.time_limit)
    found = None if proof.partition is None else Clustering.of(instance, proof.partition.labels)
    return Answer(found, proof.lower_bound, proof.is_proved, proof.status)


def _programs(name: str, *starts: int) -> dict[str, Method]:
    """Return the methods of a program, one for each number of starts."""
    module = PROGRAMS[name].module
    return {f"{name}-{number}": Method(partial(_program, name, number), module) for number in starts}


METHODS: dict[str, Method] = {
    "pcsos.solve": Method(_solve, is_seeded=False),
    "S-MDEClust": Method(partial(_heuristic, "s-mdeclust")),
    "cop-kmeans": Method(partial(_heuristic, "cop-kmeans")),
    **_programs("KMeans", 1, 10, 100),
    **_programs("KMeansConstrained", 1, 10),
    **_programs("COPKMeans", 1),
    **_programs("PCKMeans", 1),
    **_programs("MPCKMeans", 1),
    "SCIP": Method(_scip, "pyscipopt", is_seeded=False),
}
