"""Upper bounds: S-MDEClust, IPC-k-means, COP-k-means, post-processing, and the local search they share."""

from pcsos.heuristics.record import Record, Solution, Work
from pcsos.heuristics.registry import METHODS, HeuristicResult, run, warm_up
from pcsos.heuristics.s_mdeclust import VARIANTS

__all__ = ["METHODS", "VARIANTS", "HeuristicResult", "Record", "Solution", "Work", "run", "warm_up"]
