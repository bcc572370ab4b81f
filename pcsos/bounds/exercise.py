"""Exercise: everything that is compiled before an instance is bounded."""

from pcsos.bounds.prices.bounder import suits
from pcsos.bounds.prices.exercise import PRICES
from pcsos.control.aside import interruptibly
from pcsos.events import Notify
from pcsos.heuristics.exercise import exercises_for
from pcsos.numerics.kernels import prepare
from pcsos.params import Params
from pcsos.problem.instance import Instance
from pcsos.relaxation.exercise import relaxation_exercises


def warm_up(notify: Notify | None = None, instance: Instance | None = None, params: Params | None = None) -> None:
    """Compile the kernels (that an instance needs) unless that is done; says so to ``notify``, or in the log."""
    has_limits = instance is None or instance.limits is not None
    exercises = [*exercises_for(instance), *relaxation_exercises(has_limits=has_limits)]
    if instance is None or suits(instance, (params or Params()).prices):
        exercises.append(PRICES)
    prepare(exercises, aside=interruptibly, notify=notify)
