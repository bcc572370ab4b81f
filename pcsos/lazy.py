"""What a run needs, with the compiled kernels of the solver, loaded when it is first asked for.

What starts at once, such as the public functions and the commands, takes it from here.
"""

from typing import TYPE_CHECKING

from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.bounds.relaxation.engines import engine_factory
    from pcsos.evidence.run_file import RunFile
    from pcsos.heuristics.dear_pairs import dear_pairs
    from pcsos.presolve.deletion_filter import refuse_false_conflict
    from pcsos.presolve.giving_up import conflicts
    from pcsos.presolve.presolve import presolve
    from pcsos.report.progress import Unwatched, listener
    from pcsos.search.conclusion import claimed
    from pcsos.search.run import run, run_certification
    from pcsos.search.warm_up import warm_up
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.search.conclusion": ("claimed",),
            "pcsos.search.warm_up": ("warm_up",),
            "pcsos.heuristics.dear_pairs": ("dear_pairs",),
            "pcsos.presolve.deletion_filter": ("refuse_false_conflict",),
            "pcsos.presolve.giving_up": ("conflicts",),
            "pcsos.presolve.presolve": ("presolve",),
            "pcsos.report.progress": ("Unwatched", "listener"),
            "pcsos.bounds.relaxation.engines": ("engine_factory",),
            "pcsos.search.run": ("run", "run_certification"),
            "pcsos.evidence.run_file": ("RunFile",),
        },
    )

__all__ = [
    "RunFile",
    "Unwatched",
    "claimed",
    "conflicts",
    "dear_pairs",
    "engine_factory",
    "listener",
    "presolve",
    "refuse_false_conflict",
    "run",
    "run_certification",
    "warm_up",
]
