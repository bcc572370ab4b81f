"""Upper bounds: S-MDEClust, IPC-k-means, COP-k-means, post-processing, and the local search they share.

Compiled kernels are loaded when a name is first asked for.
"""

from typing import TYPE_CHECKING

from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.heuristics.record import Record, Solution, Work
    from pcsos.heuristics.registry import METHODS, HeuristicResult, run, suited_method, warm_up
    from pcsos.heuristics.s_mdeclust import VARIANTS
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.heuristics.record": ("Record", "Solution", "Work"),
            "pcsos.heuristics.registry": ("METHODS", "HeuristicResult", "run", "suited_method", "warm_up"),
            "pcsos.heuristics.s_mdeclust": ("VARIANTS",),
        },
    )

__all__ = ["METHODS", "VARIANTS", "HeuristicResult", "Record", "Solution", "Work", "run", "suited_method", "warm_up"]
