"""Engines by name; what the reference ones need is imported only if asked for."""

from functools import partial

from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.conic import conic_engine
from pcsos.bounds.relaxation.engine import EngineFactory
from pcsos.problem.params import Params


def engine_factory(name: str, params: Params) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.problem.options.ENGINES`) with its parameters."""
    if name == "admm":
        return partial(Admm, params=params.admm)
    return conic_engine(name)
