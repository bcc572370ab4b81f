"""The front of cost and diameter, or of cost and split: one search after the other, each in a smaller range."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from pcsos import tolerances
from pcsos.choice.corners import Corner, Front
from pcsos.choice.extent import CRITERIA
from pcsos.choice.numbers import refuse_gram
from pcsos.choice.searches import Searches
from pcsos.colouring.budget import Budget
from pcsos.constraints import Pairs
from pcsos.control.aside import LARGE
from pcsos.control.stop import Interrupted
from pcsos.events import Event
from pcsos.exceptions import InfeasibleError, InputError
from pcsos.implied_pairs import infer_and_check
from pcsos.instance import Instance, instance_of
from pcsos.options import Options
from pcsos.penalties import Penalty
from pcsos.reduction import reduce_instance
from pcsos.result import Reason, Result, Status
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
    size_min: int | None = None,
    size_max: int | None = None,
    weight_min: float | None = None,
    weight_max: float | None = None,
    sizes: Sequence[int] | None = None,
    soft_must_link: ArrayLike = (),
    soft_cannot_link: ArrayLike = (),
    penalty: Penalty = None,
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
    greater, than that of the one before, until it is proved that there are none. Each is proved within the gap, so that
    partitions whose costs differ by less may be one corner: ask for a smaller gap to tell them apart.

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
    size_min, size_max, weight_min, weight_max, sizes : optional
        What every cluster must hold, as for :func:`pcsos.solve`.
    soft_must_link, soft_cannot_link, penalty : optional
        As for :func:`pcsos.solve`; what broken pairs cost is part of the cost that is weighed.
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
    conditions = {
        "size_min": size_min, "size_max": size_max, "weight_min": weight_min, "weight_max": weight_max, "sizes": sizes,
        "soft_must_link": soft_must_link, "soft_cannot_link": soft_cannot_link, "penalty": penalty,
    }  # fmt: skip
    instance = instance_of(points, n_clusters, must_link, cannot_link, weights, **conditions)
    refuse_gram(instance)
    with Searches.begin([instance], options, verbose=verbose, on_event=on_event, should_stop=should_stop) as searches:
        return _search(instance, criterion, searches)


def _search(instance: Instance, criterion: str, searches: Searches) -> Front:
    """Search until there is nothing beyond, or somebody wants an end."""
    corners: list[Corner] = []
    limited: Instance | None = instance
    while limited is not None:
        result = _solved(limited, searches)
        if result.labels is None:
            return Front(criterion, tuple(corners), result.reason, "" if corners else result.message)
        value = CRITERIA[criterion](instance.points, result.labels)
        _add(corners, Corner(value, result, result.lower_bound))
        searches.show(f"{criterion} {value:.8g}", result)
        if searches.stop.asked():
            return Front(criterion, tuple(corners), reason_of(searches.stop))
        limited = _beyond(instance, criterion, value)
    return Front(criterion, tuple(corners), Reason.INFEASIBLE)


def _solved(instance: Instance, searches: Searches) -> Result:
    """Return the result of an instance; of a small one that is infeasible, without looking for a conflict."""
    if instance.n_points > LARGE:
        return searches.solve(instance)
    options = searches.options
    budget = Budget(searches.stop, options.ilp, options.params.colouring)
    try:
        infer_and_check(reduce_instance(instance), budget=budget)
    except InfeasibleError as error:
        return Result.of(
            instance, Status.INFEASIBLE, Reason.INFEASIBLE, seconds=0.0, seed=options.seed, message=str(error)
        )
    except Interrupted:
        return searches.not_begun(instance)
    return searches.solve(instance)


def _beyond(instance: Instance, criterion: str, value: float) -> Instance | None:
    """Return the instance whose partitions have a better value; None where no value is better."""
    if criterion == "diameter":
        distance = value * (1.0 - SAME_DISTANCE)
        return None if value <= 0.0 else instance.with_(max_diameter=distance)
    if math.isinf(value):
        return None
    distance = max(value * (1.0 + SAME_DISTANCE), math.ulp(0.0))
    return instance.with_(min_split=distance)


def _add(corners: list[Corner], found: Corner) -> None:
    """Add a corner with a better value than all others; those that are not cheaper are none any more."""
    if corners and corners[-1].lower_bound is not None:  # what bounds a range bounds all of its parts
        bound = max(corners[-1].lower_bound, found.lower_bound or 0.0)
        found = replace(found, lower_bound=min(bound, found.objective))
    while corners and not tolerances.is_improvement(corners[-1].objective, found.objective):
        found = replace(found, lower_bound=corners.pop().lower_bound)
    corners.append(found)
