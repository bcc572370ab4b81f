"""Conclusion: what a run claims in the end, and why it has ended."""

import contextlib
import math
from typing import TypeVar

from pcsos.base import tolerances
from pcsos.base.exceptions import InfeasibleError, RunFileError
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence.kinds import Infeasible
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.problem.partition import Partition
from pcsos.search.branch_and_cut import Search
from pcsos.search.journal import Writer
from pcsos.search.role import Context, reason_of

R = TypeVar("R", bound=Result)

NO_PARTITION = "no partition keeps to all pairs and limits, as going through all cases has shown; give up some of them"


def solved(search: Search, reason: Reason, gap: float) -> Result:
    """Return the result of a run: what it has proved of the points, said of the instance and of the gap asked for."""
    problem, context = search.problem, search.context
    instance, primal = problem.instance, context.primal
    bound, root = min(instance.proved(search.lower_bound), primal.objective), search.root_lower_bound
    if reason is Reason.GAP_REACHED and not tolerances.reaches(instance.gap(primal.objective, bound), gap):
        reason = Reason.STALLED
    proof = {Reason.GAP_REACHED: Status.OPTIMAL, Reason.INFEASIBLE: Status.INFEASIBLE}
    message = _why_stalled(search, gap) if reason is Reason.STALLED else ""
    if reason is Reason.INFEASIBLE:
        message = NO_PARTITION
    return Result(
        instance, proof.get(reason, _status_without_proof(primal.partition)), reason, primal.partition,
        lower_bound=bound if math.isfinite(bound) else None, n_super_points=problem.size,
        seconds=context.stop.seconds, seed=context.options.seed, nodes=search.nodes,
        root_lower_bound=None if root is None else instance.proved(root), root_seconds=search.root_seconds,
        message=context.writer.failure or message,
    )  # fmt: skip


def interrupted(context: Context, given: Partition | None, lower_bound: float) -> Result:
    """Return the result of a run that was ended before its search, with the partition that it was given, if any.

    What an earlier part of the run has found and proved still holds.
    """
    stop, instance, journal = context.stop, context.primal.instance, context.writer.journal
    if given is not None:
        with contextlib.suppress(RunFileError):  # what is claimed meets the same, and says so
            journal.add_incumbent(given.labels, given.objective, "I", stop.seconds)
    known = [partition for partition in (given, journal.incumbent()) if partition is not None]
    best = min(known, key=lambda partition: partition.objective, default=None)
    bound = min(instance.proved(lower_bound), math.inf if best is None else best.objective)
    return Result(
        instance, _status_without_proof(best), reason_of(stop), best, seconds=stop.seconds, seed=context.options.seed,
        lower_bound=bound if journal.has_begun and math.isfinite(bound) else None,
    )  # fmt: skip


def certified(search: Search, reason: Reason, given: Partition, gap: float) -> Certification:
    """Return what is proved about labels that somebody has given."""
    problem, context = search.problem, search.context
    instance = problem.instance
    best = context.primal.partition
    bound = min(instance.proved(search.lower_bound), context.primal.objective)
    reached = tolerances.reaches(instance.gap(given.objective, bound), gap)
    if reached or reason is Reason.GAP_REACHED:
        reason = Reason.GAP_REACHED if reached else Reason.STALLED
    better = None if best is None or best.objective >= given.objective else best
    message = ""
    if better is not None and not reached:
        share = 100.0 * (given.objective - better.objective) / given.objective
        message = f"a better partition was met, which costs {share:.3g} % less than the labels given"
        if instance.is_plain and not len(instance.must_link) + len(instance.cannot_link):
            message += "; if these keep to pairs or limits, give them, too"
    elif reason is Reason.STALLED and search.is_done:
        message = _why_stalled(search, gap)
    elif reason is Reason.STALLED and instance.is_plain:
        message = "larger blocks do not fit, and those that do prove no more"
    elif reason is Reason.STALLED:
        message = (
            "blocks leave out limits of clusters and soft pairs, which are counted without branching at most; "
            "pcsos.solve branches, and may begin with the labels as its start"
        )
    return Certification(
        instance, Status.OPTIMAL if reached else Status.FEASIBLE, reason, given, lower_bound=bound,
        n_super_points=problem.reduced.size, seconds=context.stop.seconds, seed=context.options.seed,
        message=context.writer.failure or message, better=better, n_blocks=search.num_parts,
    )  # fmt: skip


def claimed(result: R, writer: Writer, infeasible: InfeasibleError | None = None) -> R:
    """Return the result, written to the journal together with the proof of a presolve that no search is needed for."""
    journal = writer.journal
    try:
        if infeasible is not None and not journal.has_begun:
            steps = () if infeasible.step is None else (infeasible.step,)
            journal.add_node(NodeRecord(0, None, None, (*steps, Infeasible(infeasible.search))))
        journal.set_claim(result)
    except RunFileError as error:
        writer.notice(f"the result could not be written to the run file: {error}")
    return result


def _status_without_proof(partition: Partition | None) -> Status:
    return Status.UNKNOWN if partition is None else Status.FEASIBLE


def _why_stalled(search: Search, gap: float) -> str:
    """Say in a sentence why the gap asked for is not reached."""
    problem, objective = search.problem, search.context.primal.objective
    error = problem.instance.cost_error(objective)
    is_done = search.is_done
    what, remedy = "the Gram matrix", "give inner products about the mean"
    if problem.instance.gram is None:
        what, remedy = "the numbers given", "subtract a constant from each column first"
    if is_done and error > tolerances.ROUNDING_SHARE * gap * objective:
        return (
            f"every node is closed, but the rounding of {what} leaves {error:.3g} of costs undecided, and the clusters "
            f"cost {objective:.3g}; ask for a larger gap, or {remedy}"
        )
    if not is_done and (lacking := shortage(problem.reduced.size)):
        return f"blocks prove no more, and bounding {lacking}; certify larger blocks (params=), or ask for a larger gap"
    left = tolerances.relative_gap(objective, min(search.lower_bound, objective))
    return (
        f"every node is closed, but double precision leaves a gap of {left:.2g} instead of "
        f"{gap:g}: the sum of squares of all points is {problem.reduced.total:.3g}, that of the clusters "
        f"{objective:.3g}; ask for a larger gap, or remove or rescale points that are far from all others"
    )
