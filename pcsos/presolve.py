"""Presolve: what is known of an instance before anything is bounded, once for heuristics, tree and `info`."""

from dataclasses import dataclass

from pcsos.colouring.budget import AMPLE, Budget
from pcsos.control.aside import LARGE, ask_aside
from pcsos.control.stop import Stop
from pcsos.deletion_filter import with_conflict
from pcsos.equal_points import join_equal_points
from pcsos.exceptions import InfeasibleError
from pcsos.implied_pairs import infer_and_check, infer_pairs
from pcsos.instance import Instance
from pcsos.line import is_line
from pcsos.params import ColouringParams
from pcsos.proof import Step
from pcsos.reduction import Reduced, reduce_instance


@dataclass(frozen=True, eq=False)
class Presolved:
    """An instance that is not known to be infeasible.

    Parameters
    ----------
    reduced : Reduced
        Its must-links contracted.
    problem : Reduced
        The same with the pairs that its cannot-links force together or apart, and with equal points joined.
    steps : tuple of Step
        The arguments for that.
    """

    reduced: Reduced
    problem: Reduced
    steps: tuple[Step, ...]


def presolve(instance: Instance, budget: Budget = AMPLE, *, is_feasible: bool = False) -> Presolved:
    """Contract the must-links, infer what the cannot-links force, and look for a proof that there is no partition.

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
    Interrupted
        If the run has to end before that is known.
    ProgramLostError
        If the process was killed by somebody else.
    """
    if instance.n_points <= LARGE:
        return _presolve(instance, budget.ilp, budget.params, is_feasible, stop=budget.stop)
    return ask_aside(_presolve, instance, budget.ilp, budget.params, is_feasible, stop=budget.stop)


def presolve_root(instance: Instance, budget: Budget = AMPLE, *, is_feasible: bool = False) -> Presolved:
    """Return what the root of a tree needs: the same, but on a line, where it needs just the super-points.

    Raises what :func:`presolve` raises.
    """
    if not is_line(instance):
        return presolve(instance, budget, is_feasible=is_feasible)
    try:
        reduced = reduce_instance(instance)
    except InfeasibleError as error:
        raise _explained(error, instance, budget) from error
    return Presolved(reduced, reduced, ())


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


def _presolve(instance: Instance, ilp: str, params: ColouringParams, is_feasible: bool, *, stop: Stop) -> Presolved:
    budget = Budget(stop, ilp, params)
    try:
        reduced = reduce_instance(instance)
        problem, step = infer_pairs(reduced, params) if is_feasible else infer_and_check(reduced, budget=budget)
    except InfeasibleError as error:
        raise _explained(error, instance, budget) from error
    problem, equal = join_equal_points(instance, problem) if instance.is_plain else (problem, None)
    return Presolved(reduced, problem, tuple(own for own in (step, equal) if own is not None))
