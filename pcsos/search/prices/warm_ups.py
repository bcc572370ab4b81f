"""Warm-ups: a few prices that call the kernels, to have them compiled."""

import numpy as np

from pcsos.base.control.stop import NEVER
from pcsos.base.numerics.kernels import WarmUp
from pcsos.bounds.prices.profit import search_boxes
from pcsos.problem.instance import Instance
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import reduce_instance
from pcsos.search.prices.raising import raise_prices


def exercise_prices() -> None:
    """Bound a few points."""
    points = np.random.default_rng(1).standard_normal((24, 2))
    reduced, labels = reduce_instance(Instance(points, 3)), np.arange(24) % 3
    raise_prices(reduced, labels, 1e9, PriceParams(), NEVER, 0, lambda nodes: None)


PRICES = WarmUp(exercise_prices, search_boxes)
