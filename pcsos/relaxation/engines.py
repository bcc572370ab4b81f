"""The engines by name; the reference ones are imported only if asked for."""

from pcsos.relaxation.engine import EngineFactory


def engine_factory(name: str) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.options.ENGINES`)."""
    if name == "admm":
        from pcsos.relaxation.admm import Admm

        return Admm
    from pcsos.relaxation.conic import conic_engine

    return conic_engine(name)
