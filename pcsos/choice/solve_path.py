"""The certified cost of each of several numbers of clusters."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

from numpy.typing import ArrayLike

from pcsos import tolerances
from pcsos.choice.curve import Path
from pcsos.choice.neighbours import neighbouring_labels
from pcsos.choice.searches import Searches
from pcsos.choice.variant import variant
from pcsos.constraints import Pairs
from pcsos.cost import cluster_cost
from pcsos.events import Event
from pcsos.exceptions import InputError
from pcsos.instance import Instance, instance_of
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.result import Reason, Result, Status


def path(
    points: ArrayLike | Instance,
    n_clusters: Iterable[int] = range(2, 11),
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    max_diameter: float | None = None,
    min_split: float | None = None,
    gap: float = 1e-4,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    verbose: bool = False,
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Path:
    """Find and prove what each number of clusters costs at least, so that one can be chosen.

    Each search begins with the best partition into fewer clusters that is known, of which clusters are split. Where a
    search is ended before its proof, its partition is also compared with that into more clusters, of which some are
    merged.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, whose own number of clusters does not count, and which has the
        arguments from ``must_link`` to ``min_split`` already.
    n_clusters : iterable of int
        Numbers of clusters from 1 to n. Those that the constraints do not allow are shown as infeasible.
    must_link, cannot_link, weights, max_diameter, min_split, gap, workers, seed, should_stop
        As for :func:`pcsos.solve`.
    time_limit : float, optional
        Seconds in all: each search may take its share of what is left for it and those after it.
    verbose : bool
        Show on standard error what each number of clusters has led to, as it is done.
    on_event : callable, optional
        Told every :mod:`pcsos.events` event of each search.

    Returns
    -------
    Path
        A :class:`~pcsos.result.Result` for each number of clusters, and the choice. Ctrl-C ends the search that is
        going on; what is done is kept, and the others are ``UNKNOWN``.

    Raises
    ------
    InputError
        If points, numbers of clusters, constraints or options cannot be used.

    Examples
    --------
    >>> import pcsos
    >>> path = pcsos.path([0.0, 1.0, 5.0, 6.0, 20.0, 21.0], range(2, 5), must_link=[(0, 1)])
    >>> [(row.n_clusters, str(row.status), row.objective) for row in path.rows]
    [(2, 'OPTIMAL', 26.5), (3, 'OPTIMAL', 1.5), (4, 'OPTIMAL', 1.0)]
    >>> path.best
    3
    """
    options = Options(gap, time_limit, None, workers, seed)
    numbers = _checked_numbers(n_clusters)
    whole = instance_of(
        points, None if isinstance(points, Instance) else 1, must_link, cannot_link, weights,
        max_diameter=max_diameter, min_split=min_split,
    )  # fmt: skip
    if numbers[-1] > whole.n_points:
        raise InputError(f"n_clusters goes up to {numbers[-1]} but there are only {whole.n_points} points; give fewer")
    instances = [variant(whole, n_clusters=number) for number in numbers]
    with Searches.begin(instances, options, verbose=verbose, on_event=on_event, should_stop=should_stop) as searches:
        results = _upwards(instances, searches)
        return Path(tuple(_downwards(results, gap)), cluster_cost(whole.points, whole.weights))


def _checked_numbers(n_clusters: Iterable[int]) -> list[int]:
    """Return the numbers of clusters in ascending order, each once."""
    remedy = "give several whole numbers of at least 1, such as range(2, 11)"
    if isinstance(n_clusters, str | bytes) or not isinstance(n_clusters, Iterable):
        raise InputError(f"n_clusters is {n_clusters!r}; {remedy}")
    numbers: list[Any] = list(n_clusters)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
            raise InputError(f"n_clusters holds {number!r}; {remedy}")
    if not numbers:
        raise InputError(f"n_clusters is empty; {remedy}")
    return sorted({int(number) for number in numbers})


def _upwards(instances: list[Instance], searches: Searches) -> list[Result]:
    """Solve instances in ascending order of their clusters, each from the partition into fewer that is known."""
    results: list[Result] = []
    known: Result | None = None
    for number, instance in enumerate(instances):
        if searches.stop.asked():
            results.append(searches.not_begun(instance))
            continue
        start = _start(instance, known)
        result = searches.solve(instance, parts=len(instances) - number, initial_labels=start)
        known = known if result.partition is None else result
        results.append(result)
        searches.show(f"k = {instance.n_clusters}", result)
    return results


def _start(instance: Instance, known: Result | None) -> ArrayLike | None:
    """Return labels to begin with, from a partition into fewer or more clusters."""
    if known is None or known.instance is None or known.labels is None:
        return None
    return neighbouring_labels(instance, known.instance, known.labels)


def _downwards(results: list[Result], gap: float) -> list[Result]:
    """Return the results with better partitions where the proof is missing and merging clusters gives one."""
    improved: list[Result] = []
    known: Result | None = None
    for result in reversed(results):
        own = result
        if result.status in (Status.FEASIBLE, Status.UNKNOWN) and result.instance is not None:
            labels = _start(result.instance, known)
            if labels is not None:
                own = _with_partition(result, Partition.of(result.instance, labels), gap)
        known = known if own.partition is None else own
        improved.append(own)
    return improved[::-1]


def _with_partition(result: Result, partition: Partition, gap: float) -> Result:
    """Return the result with a partition if that is better than its own."""
    if result.objective is not None and not tolerances.is_improvement(partition.objective, result.objective):
        return result
    better = replace(result, status=Status.FEASIBLE, partition=partition)
    if better.gap is None or not tolerances.reaches(better.gap, gap):
        return better
    return replace(better, status=Status.OPTIMAL, reason=Reason.GAP_REACHED)
