"""Replay: a search taken up where an earlier part of its run has left it."""

from pcsos.bounds.relaxation.peng_wei import refuse_too_large
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.steps import FarStep
from pcsos.presolve.far_apart import separate_again
from pcsos.presolve.presolve import Presolved
from pcsos.search.journal import Journal
from pcsos.search.role import Context
from pcsos.search.tree.search import Search


def moved_as_before(problem: Presolved, root: NodeRecord | None) -> Presolved:
    """Return the problem with its blocks moved if those of the root were that an earlier part of the run has left."""
    if root is not None and root.steps and isinstance(root.steps[0], FarStep):
        refuse_too_large(problem.reduced.size)  # before tables of all pairs
        return separate_again(problem, root.steps[0])
    return problem


def replay(problem: Presolved, context: Context, journal: Journal, lower_bound: float) -> Search:
    """Return a search that has taken over the nodes of an earlier part of the run, and a bound that is proved."""
    search = Search(problem, context)
    search.raise_bound(lower_bound)
    for record in journal.records():
        search.replay(record)
    return search
