"""Engines by name; what the reference ones need is imported only if asked for.

The reference engines serve to check the default one and to compare with it; only their dual values are used, and a
solver's own status or objective is never taken for a bound. A solve of theirs cannot be interrupted.
"""

import importlib
import logging
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InputError
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.engine import Engine, EngineFactory, WarmStart
from pcsos.bounds.relaxation.gpu import device
from pcsos.bounds.relaxation.gpu.engine import Accelerated
from pcsos.bounds.relaxation.peng_wei import PengWei, shortage
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.params import Params
from pcsos.problem.reduction import Reduced

#: Settings of each solver, by its name in :data:`pcsos.problem.options.ENGINES`.
SETTINGS: dict[str, dict[str, Any]] = {
    "scs": {"solver": "SCS", "eps_abs": 1e-6, "eps_rel": 1e-6, "max_iters": 20_000},
    "clarabel": {"solver": "CLARABEL"},
    "mosek": {"solver": "MOSEK"},
}


def conic_engine(name: str) -> Callable[[PengWei, WarmStart], "Conic"]:
    """Return a factory of engines that solve with the cvxpy solver of this name.

    Raises
    ------
    InputError
        If the solver is not installed or has no licence.
    """
    try:
        cvxpy: Any = importlib.import_module("cvxpy")
    except ImportError as error:
        raise InputError(
            f"engine is {name!r}, which needs cvxpy; pip install \"pcsos[engines]\", or use 'admm'"
        ) from error
    settings = SETTINGS[name]
    if settings["solver"] not in cvxpy.installed_solvers():
        raise InputError(
            f"engine is {name!r}, but {settings['solver']} is not installed here; install it or use 'admm'"
        )
    return lambda relaxation, warm: Conic(relaxation, warm, settings)


class Conic(Engine):
    """One relaxation solved from scratch whenever its cuts change; see :class:`pcsos.bounds.relaxation.engine.Engine`.

    Attributes
    ----------
    status : str
        How the last solve ended, in the words of cvxpy; empty before the first.
    """

    def __init__(self, relaxation: PengWei, warm: WarmStart, settings: dict[str, Any]) -> None:
        super().__init__(relaxation, warm)
        self.settings = settings
        self.sigma = 0.0
        self.status = ""
        self.y = np.outer(relaxation.direction, relaxation.direction)
        self.x = np.clip(self.y, relaxation.lower, relaxation.upper)
        self._box = warm.multipliers.box
        self.weights = warm.multipliers.weights

    def advance(self, stop: Stop) -> None:
        """Solve the relaxation with its present cuts."""
        if not self.converged and not stop.asked():
            self._solve()
            self.converged = True

    def multipliers(self) -> Multipliers:
        """Return N, the cuts in use and mu."""
        return Multipliers(self._box, self.cuts, self.weights)

    def _solve(self) -> None:
        from scipy.sparse import csr_matrix  # as slow to load as cvxpy

        cvxpy: Any = importlib.import_module("cvxpy")
        r = self.relaxation
        s = r.size
        matrix = cvxpy.Variable((s, s), PSD=True)
        entries = cvxpy.vec(matrix, order="C")
        excess = cvxpy.Variable(r.penalties.size, bounds=[0.0, 1.0])
        i, j = np.triu_indices(s)
        free = r.upper[i, j] > 0.0
        bounded = i[free] * s + j[free]
        zero = i[~free] * s + j[~free]
        at_least = entries[bounded] >= r.lower.ravel()[bounded]
        constraints = [matrix @ r.direction == r.direction, cvxpy.trace(matrix) == r.n_clusters, at_least]
        if zero.size:
            constraints.append(entries[zero] == 0.0)
        if len(self.rows):
            rows = self.rows
            cuts = csr_matrix((rows.coefficients, rows.entries, rows.indptr), shape=(len(rows), s * s))
            about = np.flatnonzero(rows.excess >= 0)
            of_row = csr_matrix((np.ones(about.size), (about, rows.excess[about])), shape=(len(rows), r.penalties.size))
            constraints.append(cuts @ entries + of_row @ excess >= rows.right)
        cost = r.penalties @ excess - cvxpy.sum(cvxpy.multiply(r.gram, matrix))
        problem = cvxpy.Problem(cvxpy.Minimize(cost), constraints)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "solution may be inaccurate": the safe bound does not care
                problem.solve(**self.settings)
        except cvxpy.error.SolverError as error:
            self.status = cvxpy.SOLVER_ERROR
            logging.getLogger("pcsos").warning("%s gave up on a relaxation: %s", self.settings["solver"], error)
            return
        self.status = problem.status
        if matrix.value is None or at_least.dual_value is None:
            logging.getLogger("pcsos").warning("%s gave no dual values: %s", self.settings["solver"], problem.status)
            return
        self.y = matrix.value
        self.x = np.clip(matrix.value, r.lower, r.upper)
        box = np.zeros(s * s)
        box[bounded] = at_least.dual_value
        if zero.size:
            box[zero] = -constraints[3].dual_value
        self._box = 0.5 * (box.reshape(s, s) + box.reshape(s, s).T)
        if len(self.rows):
            self.weights = np.maximum(constraints[-1].dual_value, 0.0)


def engine_factory(name: str, params: Params) -> EngineFactory:
    """Return the engine of this name (see :data:`pcsos.problem.options.ENGINES`) with its parameters.

    Raises
    ------
    InputError
        If what it needs is not there.
    """
    if name == "gpu":
        if lacking := device.lacking():
            raise InputError(f"engine is 'gpu', which {lacking}; use 'admm'")
        return partial(Accelerated, params=params.admm)
    return partial(Admm, params=params.admm) if below_root(name) == "admm" else conic_engine(name)


def below_root(name: str) -> str:
    """Return the engine of nodes below the root, and of blocks: an accelerator is for whole roots."""
    return "admm" if name in ("gpu", "auto") else name


def of_root(name: str, root: Reduced) -> str:
    """Return the engine of the root: the accelerator's, where it is asked for or pays, and suits.

    Soft pairs and few super-points are left to the processor.

    Raises
    ------
    InputError
        If it is asked for, and memory of the device or of the machine would not do.
    """
    least = {"gpu": device.LEAST, "auto": device.PAYS_FROM}.get(name)
    if least is None or root.size < least or len(root.soft) or root.n_clusters == 1:
        return below_root(name)
    lacking = device.lacking(root.size) or (shortage(root.size) and f"cannot help: bounding {shortage(root.size)}")
    if lacking and name == "gpu":
        raise InputError(f"engine is 'gpu', which {lacking}; use 'admm'")
    return "admm" if lacking else "gpu"
