"""What a run needs, with the compiled kernels of the solver, and what shows its result: loaded when first asked for.

Whoever starts at once, such as the package itself and the commands, takes it from here.
"""

from typing import TYPE_CHECKING

from pcsos.loading import loader

if TYPE_CHECKING:
    from pcsos.bounds.conclusion import claimed
    from pcsos.bounds.warm_up import warm_up
    from pcsos.certainty.certain_pairs import certain_pairs, membership
    from pcsos.presolve.deletion_filter import refuse_false_conflict
    from pcsos.presolve.presolve import presolve
    from pcsos.progress import listener
    from pcsos.relaxation.engines import engine_factory
    from pcsos.report.notebook import certain_html, result_html
    from pcsos.report.picture import draw
    from pcsos.report.write import write_certain_pairs, write_report
    from pcsos.run import run, run_certification
    from pcsos.run_file import RunFile
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.bounds.conclusion": ("claimed",),
            "pcsos.bounds.warm_up": ("warm_up",),
            "pcsos.certainty.certain_pairs": ("certain_pairs", "membership"),
            "pcsos.presolve.deletion_filter": ("refuse_false_conflict",),
            "pcsos.presolve.presolve": ("presolve",),
            "pcsos.progress": ("listener",),
            "pcsos.relaxation.engines": ("engine_factory",),
            "pcsos.report.notebook": ("certain_html", "result_html"),
            "pcsos.report.picture": ("draw",),
            "pcsos.report.write": ("write_certain_pairs", "write_report"),
            "pcsos.run": ("run", "run_certification"),
            "pcsos.run_file": ("RunFile",),
        },
    )

__all__ = [
    "RunFile",
    "certain_html",
    "certain_pairs",
    "claimed",
    "draw",
    "engine_factory",
    "listener",
    "membership",
    "presolve",
    "refuse_false_conflict",
    "result_html",
    "run",
    "run_certification",
    "warm_up",
    "write_certain_pairs",
    "write_report",
]
