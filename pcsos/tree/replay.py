"""Replay: a search taken up where an earlier part of its run has left it."""

import math

from pcsos.control.stop import NEVER
from pcsos.events import Event
from pcsos.exceptions import InfeasibleError, RunFileError
from pcsos.far_apart import separate_again
from pcsos.presolve import presolve_root
from pcsos.proof import FarStep
from pcsos.result import Result, Status
from pcsos.run_file import RunFile
from pcsos.tree.journal import Journal, NullJournal
from pcsos.tree.search import Search
from pcsos.tree.workers import Workers


def replay(search: Search, journal: Journal) -> None:
    """Take over what an earlier part of the run has found and proved."""
    incumbent = journal.incumbent()
    if incumbent is not None:
        search.restore(incumbent)
    search.raise_bound(journal.cover_bound())
    for record in journal.records():
        if record.steps and isinstance(record.steps[0], FarStep) and record.parent is None:
            search.separate(separate_again(search.instance, search.reduced, record.steps[0]), record.steps[0])
        search.replay(record)


def refuse_unfounded(claim: Result, run_file: RunFile) -> None:
    """Raise a :class:`RunFileError` if the nodes of a finished run do not lead to its claim, taken at their word.

    The tree must be whole, and its stated bounds must be at least what is claimed; ``verify`` proves them.
    """
    instance, options = run_file.instance, run_file.options
    try:
        presolved = presolve_root(instance, is_feasible=True)
    except InfeasibleError:
        proved = math.inf
    else:
        search = Search(
            instance, presolved, options, Workers(1), stop=NEVER, notify=_silence, journal=NullJournal()
        )  # fmt: skip
        replay(search, run_file)
        proved = search.lower_bound
    claimed = math.inf if claim.status is Status.INFEASIBLE else claim.lower_bound
    if claimed is not None and proved < claimed:
        raise RunFileError(
            f"{run_file.path} claims a lower bound of {claimed:.10g}, but its nodes state only {proved:.10g}; "
            "start the run anew"
        )


def _silence(event: Event) -> None:
    """Tell nobody."""
