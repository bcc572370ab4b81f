"""The certified cost of each of several numbers of clusters, each search begun from a partition into fewer."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.analysis.choice.curve import Path
from pcsos.analysis.choice.numbers import Number, numbers_of, of_any_number
from pcsos.analysis.choice.searches import Searches
from pcsos.base import tolerances
from pcsos.base.control.stop import NEVER
from pcsos.base.control.subprocess import Here
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.evidence.result import Reason, Result, Status
from pcsos.heuristics.centres import centres_of
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.problem.conditions.conditions import checked
from pcsos.problem.conditions.pairs import unique_pairs
from pcsos.problem.conditions.role import Condition
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.cost import cluster_cost
from pcsos.problem.geometry import table_of
from pcsos.problem.instance import Instance, instance_of
from pcsos.problem.options import AMPLE, Budget, Options, in_familiar_words, options_of
from pcsos.problem.partition import Partition, violation
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.blocks.distribution import widest_direction
from pcsos.search.first_incumbents import nearby_partition

#: Super-points up to which a local search takes a moment.
QUICK = 5000


def neighbouring_labels(instance: Instance, known: Instance, labels: Indices, budget: Budget = AMPLE) -> Indices | None:
    """Return labels of an instance, from those of one that differs from it in the number of clusters only.

    Clusters are split, or merged, one after the other, each time as it costs least; where points are few, a local
    search improves them then. It begins with the centres alone where clusters have limits or pairs are soft, which
    splits and merges know nothing of. The budget says when to stop, and what may be spent on assignments.

    Labels are those of feasible partitions, shape (n,). None is returned where no cluster can be split or no two can be
    merged, where nothing within the limits is found at once, and on a line, where no start is needed.
    """
    if instance.is_line:
        return None
    more = max(instance, known, key=lambda one: one.n_clusters)  # fewer clusters may imply more must-links
    try:
        reduced, target = reduce_instance(more), reduce_instance(instance)
    except InfeasibleError:
        return None
    found: Indices | None = reduced.project(labels)
    for _ in range(known.n_clusters, instance.n_clusters):
        found = None if found is None else split_cluster(reduced, found)
    for _ in range(instance.n_clusters, known.n_clusters):
        found = None if found is None else merge_clusters(reduced, found)
    if found is None:
        return None
    lifted = (
        reduced.lift(found) if reduced.size > QUICK else _improved(target, target.project(reduced.lift(found)), budget)
    )
    return None if lifted is None or violation(instance, lifted) is not None else lifted


def _improved(target: Reduced, labels: Indices, budget: Budget) -> Indices | None:
    """Return labels of points that local search reaches from these of super-points, or from their centres."""
    if target.is_plain:
        return nearby_partition(Here(NEVER), target, labels, Options()).labels
    solution = ipc_kmeans(target, centres_of(target, labels), exact=False, budget=budget).solution
    return None if solution is None else target.lift(solution.labels)


def split_cluster(reduced: Reduced, labels: Indices) -> Indices | None:
    """Return labels of super-points, shape (s,), with one cluster cut across its widest direction, where it gains most.

    None where every cluster is a single super-point.
    """
    best, part = -1.0, np.empty(0, np.intp)
    for cluster in np.unique(labels):
        members = np.flatnonzero(labels == cluster)
        if members.size < 2:
            continue
        gain, one_side = _best_cut(reduced.means[members], reduced.weights[members])
        if gain > best:
            best, part = gain, members[one_side]
    if not part.size:
        return None
    split = labels.copy()
    split[part] = labels.max() + 1
    return split


def _best_cut(means: Floats, weights: Floats) -> tuple[float, Indices]:
    """Return what the best cut across the widest direction of a cluster gains, and the members on one side of it."""
    rows = means - weights @ means / weights.sum()
    order = np.argsort(rows @ widest_direction(rows * (weights / weights.max())[:, None]), kind="stable")
    mass = np.cumsum(weights[order])[:-1]
    rest = np.cumsum(weights[order][::-1])[-2::-1]  # not the total less the mass, which may be all of it in rounding
    sums = np.cumsum((rows * weights[:, None])[order], axis=0)[:-1]
    gains = np.einsum("ij,ij->i", sums, sums) * (1.0 / mass + 1.0 / rest)
    at = int(np.argmax(gains))
    return float(gains[at]), order[: at + 1]


def merge_clusters(reduced: Reduced, labels: Indices) -> Indices | None:
    """Return labels of super-points, shape (s,), with those two clusters merged that cost least together and may be.

    None where cannot-links keep all clusters apart.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    mass = np.bincount(labels, weights=reduced.weights)
    centres = np.array([np.bincount(labels, weights=column) for column in (reduced.means.T * reduced.weights)]).T
    centres /= mass[:, None]
    apart = {(a, b) for a, b in unique_pairs(labels[reduced.cannot_link]).tolist()}
    costs = {
        (a, b): mass[a] * mass[b] / (mass[a] + mass[b]) * math.dist(centres[a], centres[b]) ** 2
        for a, b in combinations(range(mass.size), 2)
        if (a, b) not in apart
    }
    if not costs:
        return None
    a, b = min(costs, key=costs.__getitem__)
    return np.unique(np.where(labels == b, a, labels), return_inverse=True)[1]


@in_familiar_words
def path(
    points: Any,
    n_clusters: Iterable[int] = range(2, 11),
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
) -> Path:
    """Find and prove what each number of clusters costs at least, so that one can be chosen.

    Each search begins with the best partition into fewer clusters that is known, of which clusters are split. Where a
    search is ended before its proof, its partition is also compared with that into more clusters, of which some are
    merged.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, whose own number of clusters does not count, and in which all that
        is asked of the partitions is already.
    n_clusters : iterable of int
        Numbers of clusters from 1 to n. Those that constraints or limits do not allow are shown as infeasible.
    must_link, cannot_link, weights, size_min, size_max, conditions
        What is asked of each partition, as for :func:`pcsos.solve`. A list of sizes is about one number of clusters,
        and penalties by confidence depend on it: neither can be asked for. Costs with penalties have no index of
        Calinski and Harabasz.
    gap : float, optional
        Relative gap at which each search may stop, 1e-4 unless given.
    time_limit : float, optional
        Seconds in all: each search may take its share of what is left for it and those after it.
    workers : int, optional
        As for :func:`pcsos.solve`.
    verbose : bool
        Show on standard error what each number of clusters has led to, as it is done.
    options : Options, optional
        How the searches are carried out besides: seed and callbacks count.

    Returns
    -------
    Path
        A :class:`~pcsos.evidence.result.Result` for each number of clusters, and the choice. Ctrl-C ends the search
        that is going on; what is done is kept, and the others are ``UNKNOWN``.

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
    own = options_of(options, gap=gap, time_limit=time_limit, workers=workers)
    if isinstance(points, Instance):
        whole = instance_of(
            points, None, must_link=must_link, cannot_link=cannot_link, weights=weights, size_min=size_min,
            size_max=size_max, conditions=conditions,
        )  # fmt: skip
        limits = whole.limits
    else:
        free = Instance(points, 1, must_link, cannot_link, weights)
        asked = [Sizes(size_min, size_max), *checked(conditions)]
        whole, limits = of_any_number(free, table_of(points), asked)
    numbers = numbers_of(whole, limits, n_clusters)
    return path_of(numbers, own, verbose=verbose)


def path_of(numbers: Sequence[Number], options: Options, *, verbose: bool) -> Path:
    """Find and prove what these numbers of clusters of one instance cost at least; see :func:`path`."""
    whole = numbers[0].instance
    possible = [number.instance for number in numbers if number.refusal is None]
    with Searches.begin(possible, options, verbose=verbose) as searches:
        results = _upwards(numbers, searches)
        results = _downwards(results, searches)
    return Path(tuple(results), cluster_cost(whole.points, whole.weights))


def _upwards(numbers: Sequence[Number], searches: Searches) -> list[Result]:
    """Solve instances in ascending order of their clusters, each from the partition into fewer that is known."""
    results: list[Result] = []
    known: Result | None = None
    left = sum(number.refusal is None for number in numbers)
    for number in numbers:
        if number.refusal is not None:
            seed, refused = searches.options.seed, Reason.INFEASIBLE
            results.append(
                Result(number.instance, Status.INFEASIBLE, refused, seconds=0.0, seed=seed, message=number.refusal)
            )
        elif searches.stop.asked():
            results.append(searches.not_begun(number.instance))
            continue
        else:
            start = _start(number.instance, known, searches)
            results.append(searches.solve(number.instance, parts=left, start=start))
            known = known if results[-1].partition is None else results[-1]
            left -= 1
        searches.show(f"k = {number.n_clusters}", results[-1])
    return results


def _start(instance: Instance, known: Result | None, searches: Searches) -> ArrayLike | None:
    """Return labels to begin with, from a partition into fewer or more clusters."""
    if known is None or known.labels is None:
        return None
    budget = Budget.of(searches.stop, searches.options)
    return neighbouring_labels(instance, known.instance, known.labels, budget)


def _downwards(results: list[Result], searches: Searches) -> list[Result]:
    """Return the results with better partitions where the proof is missing and merging clusters gives one."""
    improved: list[Result] = []
    known: Result | None = None
    for result in reversed(results):
        own = result
        if result.status in (Status.FEASIBLE, Status.UNKNOWN):
            labels = _start(result.instance, known, searches)
            if labels is not None:
                own = _with_partition(result, Partition.of(result.instance, labels), searches.options.gap)
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
