"""The budget of a colouring: when to stop, who solves integer programs, and how long searches may go on before."""

from dataclasses import dataclass, field

from pcsos.base.control.stop import NEVER, Stop
from pcsos.problem.params import ColouringParams


@dataclass(frozen=True, eq=False)
class Budget:
    """What whatever colours the cannot-link graph may spend.

    Parameters
    ----------
    stop : Stop
        Whether the run has to end.
    ilp : str
        Solver of what only an integer program settles: ``auto``, ``gurobi`` or ``highs``.
    params : ColouringParams
        Steps of the searches that come before.
    """

    stop: Stop = NEVER
    ilp: str = "auto"
    params: ColouringParams = field(default_factory=ColouringParams)


#: For whoever may take as long as it takes.
AMPLE = Budget()
