"""Warm-ups: a few points that are distributed over blocks, to have the kernels for that compiled."""

import numpy as np

from pcsos.base.numerics.kernels import WarmUp
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.search.blocks.distribution import distribute, exchange


def distribute_a_few() -> None:
    """Distribute a few points over two blocks."""
    points, rng = np.random.default_rng(1).standard_normal((64, 2)), np.random.default_rng(0)
    distribute(reduce_instance(Instance(points, 2)), np.arange(64) % 2, 2, rng)


BLOCKS = WarmUp(distribute_a_few, exchange)
