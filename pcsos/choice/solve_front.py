"""The front of cost and diameter, or of cost and split: one search after the other, each in a smaller range."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from pcsos import tolerances
from pcsos.choice.corners import Corner, Front
from pcsos.choice.extent import CRITERIA
from pcsos.choice.solve_path import sentence_on, warm_up_for
from pcsos.choice.variant import variant
from pcsos.colouring.budget import Budget
from pcsos.constraints import Pairs
from pcsos.control.signals import Signals
from pcsos.control.stop import Interrupted, Stop, asker
from pcsos.events import Event
from pcsos.exceptions import InfeasibleError, InputError
from pcsos.implied_pairs import infer_and_check
from pcsos.instance import Instance, instance_of
from pcsos.options import Options
from pcsos.reduction import reduce_instance
from pcsos.result import Reason, Result, Status
from pcsos.solve import solve
from pcsos.tree.search import reason_of

#: Distances that differ by less than this share are the same one; decimal data are full of them.
SAME_DISTANCE = 1e-9


def front(
    points: ArrayLike | Instance,
    n_clusters: int | None = None,
    criterion: str = "diameter",
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    gap: float = 1e-4,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    verbose: bool = False,
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Front:
    """Find and prove all partitions that no other one beats both in cost and in diameter, or in cost and in split.

    The first is the cheapest one. Each of the next is the cheapest of all whose diameter is smaller, or whose split is
    greater, than that of the one before, until it is proved that there are none.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, which has the number of clusters, constraints and weights already.
    n_clusters : int
        Number of non-empty clusters k.
    criterion : {"diameter", "split"}
        The greatest Euclidean distance within a cluster, to be small; or the least one between clusters, to be great.
    must_link, cannot_link, weights, gap, workers, seed, should_stop
        As for :func:`pcsos.solve`.
    time_limit : float, optional
        Seconds in all.
    verbose : bool
        Show on standard error what each search has led to, as it is done.
    on_event : callable, optional
        Told every :mod:`pcsos.events` event of each search.

    Returns
    -------
    Front
        The partitions and what is proved of them. Ctrl-C ends the search that is going on; what is done is kept.

    Raises
    ------
    InputError
        If points, constraints, criterion or options cannot be used.

    References
    ----------
    Guns, Dao, Vrain and Duong, Repetitive branch-and-bound using constraint programming for constrained minimum
    sum-of-squares clustering (ECAI 2016), whose bi-criterion problem this is.

    Examples
    --------
    >>> import pcsos
    >>> front = pcsos.front([0.0, 3.0, 4.0, 8.0, 9.0, 11.0], 2, "split")
    >>> [(corner.value, round(corner.objective, 6), corner.result.labels.tolist()) for corner in front.corners]
    [(4.0, 13.333333, [0, 0, 0, 1, 1, 1])]
    """
    if criterion not in CRITERIA:
        raise InputError(f"criterion is {criterion!r}; give 'diameter' or 'split'")
    options = Options(gap, time_limit, None, workers, seed)
    instance = instance_of(points, n_clusters, must_link, cannot_link, weights)
    wants_end = asker(should_stop)
    warm_up_for([instance], on_event)
    with Signals() as signals:
        stop = Stop(lambda: signals.asked() or wants_end(), urgent=signals.urgent, time_limit=options.time_limit)
        return _Search(instance, criterion, options, stop, verbose, on_event, should_stop).run()


@dataclass(frozen=True)
class _Search:
    """The searches of a front, one after the other."""

    instance: Instance
    criterion: str
    options: Options
    stop: Stop
    verbose: bool
    on_event: Callable[[Event], None] | None
    should_stop: Callable[[], bool] | None

    def run(self) -> Front:
        """Search until there is nothing beyond, or somebody wants an end."""
        corners: list[Corner] = []
        limited: Instance | None = self.instance
        while limited is not None:
            result = self._solved(limited)
            if result.labels is None:
                return Front(self.criterion, tuple(corners), result.reason, "" if corners else result.message)
            value = CRITERIA[self.criterion](self.instance.points, result.labels)
            _add(corners, Corner(value, result, result.lower_bound))
            if self.verbose:
                sentence = f"{self.criterion} {value:.8g}: {sentence_on(result)}"
                print(sentence, file=sys.stderr, flush=True)
            if self.stop.asked():
                return Front(self.criterion, tuple(corners), reason_of(self.stop))
            limited = self._beyond(value)
        return Front(self.criterion, tuple(corners), Reason.INFEASIBLE)

    def _solved(self, instance: Instance) -> Result:
        """Return the result of an instance; of one that is infeasible, at once and without the reasons."""
        options = self.options
        budget = Budget(self.stop, options.ilp, options.params.colouring)
        try:
            infer_and_check(reduce_instance(instance), budget=budget)
        except InfeasibleError as error:
            return Result.of(
                instance, Status.INFEASIBLE, Reason.INFEASIBLE, seconds=0.0, seed=options.seed, message=str(error)
            )
        except Interrupted:
            return Result.of(instance, Status.UNKNOWN, reason_of(self.stop), seconds=0.0, seed=options.seed)
        left = self.stop.seconds_left
        return solve(
            instance,
            gap=options.gap,
            time_limit=None if math.isinf(left) else left,
            workers=options.workers,
            seed=options.seed,
            on_event=self.on_event,
            should_stop=self.should_stop,
        )

    def _beyond(self, value: float) -> Instance | None:
        """Return the instance whose partitions have a better value; None where no value is better."""
        if self.criterion == "diameter":
            return None if value <= 0.0 else variant(self.instance, max_diameter=value * (1.0 - SAME_DISTANCE))
        if math.isinf(value):
            return None
        return variant(self.instance, min_split=max(value * (1.0 + SAME_DISTANCE), math.ulp(0.0)))


def _add(corners: list[Corner], found: Corner) -> None:
    """Add a corner with a better value than all others; those that are not cheaper are none any more."""
    if corners and corners[-1].lower_bound is not None:  # what bounds a range bounds all of its parts
        bound = max(corners[-1].lower_bound, found.lower_bound or 0.0)
        found = replace(found, lower_bound=min(bound, found.objective))
    while corners and not tolerances.is_improvement(corners[-1].objective, found.objective):
        found = replace(found, lower_bound=corners.pop().lower_bound)
    corners.append(found)
