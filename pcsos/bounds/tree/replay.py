"""Replay: a search taken up where an earlier part of its run has left it."""

import math
from collections import Counter

from pcsos.bounds.journal import Journal
from pcsos.bounds.role import Context
from pcsos.bounds.tree.search import Search
from pcsos.bounds.tree.task import bound_of_what_was_cut_off
from pcsos.control.stop import NEVER
from pcsos.exceptions import InfeasibleError, RunFileError
from pcsos.presolve.far_apart import separate_again
from pcsos.presolve.presolve import Presolved, presolve_root
from pcsos.proofs.closings import Branching, OpenClosing
from pcsos.proofs.node import NodeRecord
from pcsos.proofs.steps import FarStep
from pcsos.result import Certification, Result, Status
from pcsos.run_file import RunFile


def moved_as_before(problem: Presolved, root: NodeRecord | None) -> Presolved:
    """Return the problem with its blocks moved if those of the root were that an earlier part of the run has left."""
    if root is not None and root.steps and isinstance(root.steps[0], FarStep):
        return separate_again(problem, root.steps[0])
    return problem


def replay(problem: Presolved, context: Context, journal: Journal, lower_bound: float) -> Search:
    """Return a search that has taken over the nodes of an earlier part of the run, and a bound that is proved."""
    search = Search(problem, context)
    search.raise_bound(lower_bound)
    for record in journal.records():
        search.replay(record)
    return search


def stated_bound(journal: Journal) -> float:
    """Return the bound that the records of earlier parts of a run state; what :func:`replay` finds, without its states.

    It is the least one of the leaves, of nodes whose children were not all looked at, and of what steps have cut off.
    """
    known: dict[int | None, float] = {None: journal.cover_bound()}
    missing, least = Counter[int](), math.inf
    for record in journal.records():
        bound = known[record.node] = max(known[record.parent], record.lower_bound)
        if record.parent is not None:
            missing[record.parent] -= 1
        if isinstance(record.closing, Branching):
            missing[record.node] += 2
        else:
            least = min(least, bound)
        if not isinstance(record.closing, OpenClosing):
            least = min(least, bound_of_what_was_cut_off(record.steps))
    return min([least, *(known[node] for node, number in missing.items() if number)]) if len(known) > 1 else known[None]


def refuse_unfounded(claim: Result, run_file: RunFile) -> None:
    """Raise a :class:`RunFileError` if what a finished run has written down does not lead to its claim.

    Nodes and blocks are taken at their word, but the tree must be whole; ``verify`` proves them.
    """
    is_cover = isinstance(claim, Certification)
    what, proved = ("blocks", run_file.cover_bound()) if is_cover else ("nodes", _stated(run_file))
    claimed = math.inf if claim.status is Status.INFEASIBLE else claim.lower_bound
    if claimed is not None and proved < claimed:
        raise RunFileError(
            f"{run_file.path} claims a lower bound of {claimed:.10g}, but its {what} state only {proved:.10g}; "
            "start the run anew"
        )


def _stated(run_file: RunFile) -> float:
    try:
        problem = presolve_root(run_file.instance, is_feasible=True)
    except InfeasibleError:
        return math.inf
    problem = moved_as_before(problem, next(run_file.records(), None))
    context = Context.of(run_file.instance, run_file.options, NEVER)
    return replay(problem, context, run_file, run_file.cover_bound()).lower_bound
