"""Presolve: what is known of an instance before anything is bounded, once for heuristics, tree and `info`.

Super-points at the same place, without cannot-links, become one (Mathematics 1).
"""

from dataclasses import dataclass

import numpy as np

from pcsos.base.control.subprocess import LARGE, Channel, refuse_loss, try_job
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Indices
from pcsos.evidence.kinds import Equal
from pcsos.evidence.node import Decision, Evidence
from pcsos.presolve.deletion_filter import with_conflict
from pcsos.presolve.implied_pairs import find_labels, infer_and_check, infer_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import ColouringParams
from pcsos.problem.reduction import Reduced, contract, reduce_instance


def join_equal_points(instance: Instance, reduced: Reduced) -> tuple[Reduced, Equal | None]:
    """Return the problem with equal super-points joined, and the step that says so; None where there are none.

    Super-points whose points are not all at one place, or that have a cannot-link, are left alone. Nothing is joined
    where fewer than k super-points would be left.
    """
    groups = _places(instance, reduced)
    first = np.unique(groups, return_index=True)[1][groups]  # of its group, for each super-point
    joined = np.flatnonzero(first != np.arange(reduced.size))
    if joined.size == 0 or reduced.size - joined.size < reduced.n_clusters:
        return reduced, None
    pairs = np.column_stack([first[joined], joined])
    points = np.sort(reduced.representative[pairs], axis=1)
    step = Equal(tuple(Decision("ML", int(i), int(j)) for i, j in points.tolist()))
    return contract(reduced, pairs, ()), step


def _places(instance: Instance, reduced: Reduced) -> Indices:
    """Return the number of the place of each super-point; one of its own for those that cannot be joined."""
    places = instance.points[reduced.representative]
    differs = (instance.points != places[reduced.component]).any(axis=1)
    is_free = reduced.graph.degrees == 0
    is_free[reduced.component[differs]] = False
    numbers = np.arange(reduced.size)
    free = np.flatnonzero(is_free)
    if free.size:
        number = np.unique(places[free], axis=0, return_inverse=True)[1].reshape(-1)
        numbers[free] = reduced.size + number
    return np.unique(numbers, return_inverse=True)[1].astype(np.intp)


@dataclass(frozen=True, eq=False)
class Presolved:
    """An instance that is not known to be infeasible."""

    instance: Instance  #: the instance itself
    reduced: Reduced  #: its must-links contracted
    #: the same with the pairs that its cannot-links force together or apart, and with equal points joined
    problem: Reduced
    steps: tuple[Evidence, ...]  #: the arguments for that
    #: shape (n,): clusters of the points that break no pair, where a colouring was looked for and found
    labels: Indices | None = None
    #: whether far blocks of the reduced instance have been moved together, which ``steps`` is about then, and
    #: ``problem`` knows nothing of (:mod:`pcsos.presolve.far_apart`)
    is_moved: bool = False

    @property
    def size(self) -> int:
        """Number of super-points."""
        return self.problem.size


def presolve(instance: Instance, budget: Budget = AMPLE, *, is_feasible: bool = False) -> Presolved | None:
    """Contract the must-links, infer what the cannot-links force, and look for a proof that there is no partition.

    None is returned if the run has to end before that is known. Where points may be left out, nothing is inferred.

    Parameters
    ----------
    budget : Budget
        When to stop, and what may be spent on colouring. A large instance is settled in a process that can be left.
    is_feasible : bool
        Whether a partition is known, so that no proof needs to be looked for.

    Raises
    ------
    InfeasibleError
        If there is no partition, with the proof, and with constraints that cannot hold together.
    ProgramLostError
        If the process was killed by somebody else.
    """
    if instance.outliers:
        return contracted(instance)
    arguments, is_long = (instance, budget.ilp, budget.params, is_feasible), instance.n_points > LARGE
    found = try_job(_presolve, *arguments, stop=budget.stop, is_long=is_long, on_lost=refuse_loss)
    return None if found is None else Presolved(instance, *found)


def presolve_root(instance: Instance, budget: Budget = AMPLE, *, is_feasible: bool = False) -> Presolved | None:
    """Return what the root of a tree needs: the same, but on a line, where it needs just the super-points.

    Raises what :func:`presolve` raises.
    """
    if not instance.is_line:
        return presolve(instance, budget, is_feasible=is_feasible)
    try:
        return contracted(instance)
    except InfeasibleError as error:
        raise _explained(error, instance, budget) from error


def contracted(instance: Instance) -> Presolved:
    """Return an instance of which just the super-points are known; raises InfeasibleError if there are too few."""
    reduced = reduce_instance(instance)
    return Presolved(instance, reduced, reduced, ())


def _explained(error: InfeasibleError, instance: Instance, budget: Budget) -> InfeasibleError:
    """Return the error with the pairs that cannot hold together, unless it takes limits of clusters to refute them."""
    if instance.limits is None:
        return with_conflict(error, instance, budget=budget)
    plain = instance.without_conditions()
    try:
        infer_and_check(reduce_instance(plain), budget=budget)
    except InfeasibleError as own:
        return with_conflict(own, plain, budget=budget)
    return error


def _presolve(
    channel: Channel, instance: Instance, ilp: str, params: ColouringParams, is_feasible: bool
) -> tuple[Reduced, Reduced, tuple[Evidence, ...], Indices | None]:
    budget, labels = Budget(channel.stop, ilp, params), None
    try:
        reduced = reduce_instance(instance)
        problem, step = infer_pairs(reduced, params)
        if problem.graph.num_components and not is_feasible:
            labels = find_labels(problem, step, budget=budget)
    except InfeasibleError as error:
        raise _explained(error, instance, budget) from error
    labels = None if labels is None else problem.lift(labels)
    problem, equal = join_equal_points(instance, problem) if instance.is_plain else (problem, None)
    return reduced, problem, tuple(own for own in (step, equal) if own is not None), labels
