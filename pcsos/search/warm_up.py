"""Warm-up: everything that is compiled before an instance is bounded."""

import numpy as np

from pcsos.base.control.stop import NEVER
from pcsos.base.control.subprocess import interruptibly
from pcsos.base.events import Notify
from pcsos.base.numerics.kernels import WarmUp, prepare
from pcsos.bounds.prices.profit import search_boxes
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane, relaxation_warm_ups
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.gpu import device
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params, PriceParams
from pcsos.problem.reduction import reduce_instance
from pcsos.search.blocks.distribution import distribute, exchange
from pcsos.search.prices.bounder import suits
from pcsos.search.prices.raising import raise_prices


def distribute_a_few() -> None:
    """Distribute a few points over two blocks."""
    points, rng = np.random.default_rng(1).standard_normal((64, 2)), np.random.default_rng(0)
    distribute(reduce_instance(Instance(points, 2)), np.arange(64) % 2, 2, rng)


BLOCKS = WarmUp("blocks", distribute_a_few, exchange)


def exercise_prices() -> None:
    """Bound a few points, clusters of any size and limited ones."""
    points, labels = np.random.default_rng(1).standard_normal((24, 2)), np.arange(24) % 3
    for size_max in (None, 10):
        reduced = reduce_instance(Instance(points, 3, size_max=size_max))
        raise_prices(reduced, labels, 1e9, PriceParams(), NEVER, 0, lambda nodes: None)


PRICES = WarmUp("prices", exercise_prices, search_boxes)


def warm_up(notify: Notify | None = None, instance: Instance | None = None, params: Params | None = None) -> None:
    """Compile the kernels (that an instance needs) unless that is done; says so to ``notify``, or in the log."""
    own = params or Params()
    is_priced = instance is None or instance.outliers > 0 or suits(instance, own.prices)
    warm_ups = [PRICES] if is_priced else []
    warm_ups += warm_ups_for(instance)
    if instance is None or not instance.outliers:
        warm_ups += relaxation_warm_ups(is_plain=instance is not None and instance.is_plain)
    if instance is None or instance.n_points > own.blocks.whole_up_to:
        warm_ups.append(BLOCKS)
    prepare(warm_ups, aside=interruptibly, notify=notify)


def warm_up_device(notify: Notify) -> None:
    """Compile what an accelerator runs, where there is one."""
    if device.lacking():
        return
    notify(f"compiling for {device.name()}")
    points = np.random.default_rng(1).standard_normal((4 * device.LEAST, 4))
    try:
        plane = CuttingPlane(peng_wei.build(reduce_instance(Instance(points, 5))), engine_factory("gpu", Params()))
        for _ in range(3):
            plane.round(NEVER)
            plane.separate()
        plane.best_multipliers()
    except (MemoryError, RuntimeError) as error:
        notify(f"the device gave up ({error})")
