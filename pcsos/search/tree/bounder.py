"""The bounder by a tree: branch and bound, taken up where an earlier part of the run has left it."""

from dataclasses import replace

from pcsos.bounds.relaxation.peng_wei import refuse_too_large, shortage
from pcsos.evidence.kinds import Far
from pcsos.evidence.node import NodeRecord
from pcsos.presolve.far_apart import separate_again
from pcsos.presolve.presolve import Presolved
from pcsos.search.journal import Journal
from pcsos.search.role import Context, Proved
from pcsos.search.tree.search import Search


def moved_as_before(problem: Presolved, root: NodeRecord | None) -> Presolved:
    """Return the problem with its blocks moved if those of the root were that an earlier part of the run has left."""
    if root is not None and isinstance(root.evidence[0], Far):
        refuse_too_large(problem.reduced.size)  # before tables of all pairs
        return separate_again(problem, root.evidence[0])
    return problem


def replay(problem: Presolved, context: Context, journal: Journal, lower_bound: float) -> Search:
    """Return a search that has taken over the nodes of an earlier part of the run, and a bound that is proved."""
    search = Search(problem, context)
    search.raise_bound(lower_bound)
    for record in journal.records():
        search.replay(record)
    return search


class ByTree:
    """Bounds whatever fits into memory, to any gap that double precision allows."""

    def suits(self, problem: Presolved, proved: Proved, context: Context) -> bool:
        """Tell whether a relaxation fits into memory; where nothing is left to prove, a tree says how the run ends."""
        return not proved.is_closed and (context.is_done(proved) or not shortage(problem.size))

    def bound(self, problem: Presolved, proved: Proved, context: Context) -> Proved:
        """Search until the gap is reached or a limit stops the run."""
        search = replay(problem, context, context.writer.journal, proved.lower_bound)
        reason = search.run()
        known = replace(
            proved, lower_bound=search.lower_bound, is_closed=search.is_done, reason=reason,
            nodes=proved.nodes + search.nodes,
        )  # fmt: skip
        if search.root_lower_bound is None and search.nodes == 0:
            return known
        return replace(known, root_lower_bound=search.root_lower_bound, root_seconds=search.root_seconds)
