"""Warm-up: everything that is compiled before an instance is bounded."""

from pcsos.base.control.subprocess import interruptibly
from pcsos.base.events import Notify
from pcsos.base.numerics.kernels import prepare
from pcsos.bounds.relaxation.cutting_plane import relaxation_warm_ups
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.search.blocks.warm_ups import BLOCKS
from pcsos.search.prices.bounder import suits
from pcsos.search.prices.warm_ups import PRICES


def warm_up(notify: Notify | None = None, instance: Instance | None = None, params: Params | None = None) -> None:
    """Compile the kernels (that an instance needs) unless that is done; says so to ``notify``, or in the log."""
    has_limits = instance is None or instance.limits is not None
    warm_ups = [*warm_ups_for(instance), *relaxation_warm_ups(has_limits=has_limits)]
    own = params or Params()
    if instance is None or suits(instance, own.prices):
        warm_ups.append(PRICES)
    if instance is None or instance.n_points > own.blocks.whole_up_to:
        warm_ups.append(BLOCKS)
    prepare(warm_ups, aside=interruptibly, notify=notify)
