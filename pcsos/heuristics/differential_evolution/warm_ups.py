"""Warm-up: a small problem that calls the kernels of differential evolution, to have them compiled."""

import numpy as np

from pcsos.base.numerics.kernels import WarmUp
from pcsos.heuristics.differential_evolution.hybrid import hybrid_de
from pcsos.heuristics.differential_evolution.rearrangement import greedy_rule, reorder
from pcsos.heuristics.warm_ups import POINTS
from pcsos.problem.instance import Instance
from pcsos.problem.params import EvolutionParams
from pcsos.problem.reduction import reduce_instance


def warm_up_differential_evolution() -> None:
    """Evolve vectors of centres for two generations, and rearrange them."""
    params = EvolutionParams(population=4, max_evaluations=8)
    hybrid_de(reduce_instance(Instance(POINTS, 3)), seed=0, params=params)
    reorder(np.zeros((2, 2)), np.zeros((2, 3), np.intp), 0, np.ones(3), 1, "greedy")


DIFFERENTIAL_EVOLUTION = WarmUp(warm_up_differential_evolution, greedy_rule)
