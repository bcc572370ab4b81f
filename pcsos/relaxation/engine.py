"""What an engine is: it moves multipliers towards a good bound, and never claims one itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pcsos.relaxation.cuts import Rows
from pcsos.relaxation.peng_wei import PengWei

StopCheck = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Where an engine begins.

    Parameters
    ----------
    x, dual : ndarray, shape (s, s)
        A point near the box and the cuts, and -(N + sum mu_t A_t).
    weights : ndarray, shape (t,)
        Multipliers mu of the cuts.
    sigma : float
        Penalty; 0 leaves the choice to the engine.
    """

    x: NDArray[np.float64]
    dual: NDArray[np.float64]
    weights: NDArray[np.float64]
    sigma: float = 0.0

    def contracted(self, merge: NDArray[np.float64], kept_cuts: NDArray[np.bool_]) -> "WarmStart":
        """Return the same for contracted super-points.

        Parameters
        ----------
        merge : ndarray, shape (s', s)
            Orthonormal rows, P_gi = sqrt(e_i / e_g) where super-point i goes into g: feasible Y of the contracted
            problem are P Y P^T, and <N, P^T Y' P> = <P N P^T, Y'>.
        kept_cuts : ndarray of bool, shape (t,)
            Cuts that survive the contraction.
        """
        return WarmStart(merge @ self.x @ merge.T, merge @ self.dual @ merge.T, self.weights[kept_cuts], self.sigma)


class Engine(Protocol):
    """Anything that gives multipliers for a relaxation with cuts (Mathematics 3 makes a bound of them)."""

    x: NDArray[np.float64]  #: a point that nearly satisfies box and cuts; new cuts are separated from it
    y: NDArray[np.float64]  #: a point that nearly satisfies the spectral constraints; heuristics round it

    @property
    def converged(self) -> bool:
        """Whether further work on the same cuts is useless."""

    def advance(self, stop: StopCheck) -> None:
        """Work until the next look at the bound."""

    def exchange(self, rows: Rows, weights: NDArray[np.float64]) -> None:
        """Replace the cuts; ``weights`` are the multipliers mu of the new list."""

    def multipliers(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return N, shape (s, s), and mu, shape (t,), in the scaled units of the relaxation."""

    def warm_start(self) -> WarmStart:
        """Return what a run on this or a neighbouring relaxation can begin with."""


EngineFactory = Callable[[PengWei, Rows, WarmStart], Engine]


def engine_factory(name: str) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.options.ENGINES`)."""
    if name == "admm":
        from pcsos.relaxation.admm import Admm

        return Admm
    from pcsos.relaxation.conic import conic_engine

    return conic_engine(name)
