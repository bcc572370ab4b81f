"""Engines by name; the reference ones are imported only if asked for."""

from functools import partial

from pcsos.params import Params
from pcsos.relaxation.engine import EngineFactory


def engine_factory(name: str, params: Params) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.options.ENGINES`) with its parameters."""
    if name == "admm":
        from pcsos.relaxation.admm import Admm

        return partial(Admm, params=params.admm)
    from pcsos.relaxation.conic import conic_engine

    return conic_engine(name)
