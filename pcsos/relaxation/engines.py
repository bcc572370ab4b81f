"""Engines by name; what the reference ones need is imported only if asked for."""

from functools import partial

from pcsos.params import Params
from pcsos.relaxation.admm import Admm
from pcsos.relaxation.conic import conic_engine
from pcsos.relaxation.engine import EngineFactory


def engine_factory(name: str, params: Params) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.options.ENGINES`) with its parameters."""
    if name == "admm":
        return partial(Admm, params=params.admm)
    return conic_engine(name)
