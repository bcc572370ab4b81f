"""The front of cost and diameter, or of cost and split: one search after the other, each in a smaller range."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.analysis.choice.corners import Corner, Front
from pcsos.analysis.choice.numbers import refuse_gram
from pcsos.analysis.choice.searches import Searches
from pcsos.base import tolerances
from pcsos.base.control.subprocess import LARGE, Channel, try_job
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.evidence.result import Reason, Result
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.conditions.distances import Diameter, Split
from pcsos.problem.conditions.role import Condition
from pcsos.problem.geometry import Spacing
from pcsos.problem.instance import Instance, instance_of, refuse_outliers
from pcsos.problem.options import Budget, Options, in_familiar_words, options_of
from pcsos.problem.reduction import reduce_instance
from pcsos.problem.validation.arrays import one_of
from pcsos.search.role import reason_of


def diameter(points: Floats, labels: Indices) -> float:
    """Return the greatest distance between two points of one cluster, 0 where all points are alone.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.analysis.choice.solve_front import diameter, split
    >>> points, labels = np.array([[0.0], [1.0], [5.0], [7.0]]), np.array([0, 0, 1, 1])
    >>> diameter(points, labels), split(points, labels)
    (2.0, 4.0)
    """
    return max(float(np.where(together, distances, 0.0).max()) for distances, together in _blocks(points, labels))


def split(points: Floats, labels: Indices) -> float:
    """Return the least distance between points of different clusters, infinite where there is one cluster."""
    return min(float(np.where(together, math.inf, distances).min()) for distances, together in _blocks(points, labels))


def _blocks(points: Floats, labels: Indices) -> Iterator[tuple[Floats, Indices]]:
    """Yield distances from some points to those from the first of them on, and which are within clusters."""
    for start, distances in Spacing.of(points).blocks():
        yield distances, labels[start : start + len(distances), None] == labels[start:]


#: What a front may weigh against the cost, by name.
CRITERIA: dict[str, Callable[[Floats, Indices], float]] = {"diameter": diameter, "split": split}


#: Distances that differ by less than this share are the same one; decimal data are full of them.
SAME_DISTANCE = 1e-9


@in_familiar_words
def front(
    points: Any,
    n_clusters: int | None = None,
    criterion: str = "diameter",
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    size_min: int | None = None,
    size_max: int | None = None,
    conditions: Iterable[Condition] = (),
    gap: float | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    verbose: bool = False,
    options: Options | None = None,
) -> Front:
    """Find and prove all partitions that no other one beats both in cost and in diameter, or in cost and in split.

    The first is the cheapest one. Each of the next is the cheapest of all whose diameter is smaller, or whose split is
    greater, than that of the one before, until it is proved that there are none. Each is proved within the gap, so that
    partitions whose costs differ by less may be one corner: ask for a smaller gap to tell them apart.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, which has the number of clusters and all that is asked already.
    n_clusters : int
        Number of non-empty clusters k.
    criterion : {"diameter", "split"}
        The greatest Euclidean distance within a cluster, to be small; or the least one between clusters, to be great.
    must_link, cannot_link, weights, size_min, size_max, conditions
        What is asked of each partition, as for :func:`pcsos.solve`. What broken pairs cost is part of the cost that is
        weighed.
    gap : float, optional
        Relative gap at which each search may stop, 1e-4 unless given.
    time_limit : float, optional
        Seconds in all.
    workers : int, optional
        As for :func:`pcsos.solve`.
    verbose : bool
        Show on standard error what each search has led to, as it is done.
    options : Options, optional
        How the searches are carried out besides: seed and callbacks count.

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
    one_of("criterion", criterion, CRITERIA)
    own = options_of(options, gap=gap, time_limit=time_limit, workers=workers)
    instance = instance_of(
        points, n_clusters, must_link=must_link, cannot_link=cannot_link, weights=weights, size_min=size_min,
        size_max=size_max, conditions=conditions,
    )  # fmt: skip
    refuse_gram(instance)
    refuse_outliers(instance.outliers, "a front")
    with Searches.begin([instance], own, verbose=verbose) as searches:
        return _search(instance, criterion, searches)


def _search(instance: Instance, criterion: str, searches: Searches) -> Front:
    """Search until there is nothing beyond, or the run has to end."""
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
    budget = Budget.of(searches.stop, searches.options)
    try:
        is_known = try_job(_is_feasible, instance, budget, stop=searches.stop, is_long=False)
    except InfeasibleError as error:
        return Result.refuted(instance, error, seconds=0.0, seed=searches.options.seed)
    return searches.solve(instance) if is_known else searches.not_begun(instance)


def _is_feasible(channel: Channel, instance: Instance, budget: Budget) -> bool:
    """Return True unless the pairs of an instance are proved to contradict each other, which is an error."""
    infer_and_check(reduce_instance(instance), budget=budget)
    return True


def _beyond(instance: Instance, criterion: str, value: float) -> Instance | None:
    """Return the instance whose partitions have a better value; None where no value is better."""
    if criterion == "diameter":
        limit: Condition = Diameter(value * (1.0 - SAME_DISTANCE))
        return None if value <= 0.0 else instance.with_(conditions=[*instance.conditions, limit])
    if math.isinf(value):
        return None
    distance = max(value * (1.0 + SAME_DISTANCE), math.ulp(0.0))
    return instance.with_(conditions=[*instance.conditions, Split(distance)])


def _add(corners: list[Corner], found: Corner) -> None:
    """Add a corner with a better value than all others; those that are not cheaper are none any more."""
    if corners and corners[-1].lower_bound is not None:  # what bounds a range bounds all of its parts
        bound = max(corners[-1].lower_bound, found.lower_bound or 0.0)
        found = replace(found, lower_bound=min(bound, found.objective))
    while corners and not tolerances.is_improvement(corners[-1].objective, found.objective):
        found = replace(found, lower_bound=corners.pop().lower_bound)
    corners.append(found)
