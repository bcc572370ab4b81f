"""Writes the pages of results, of run files and of certain pairs."""

from collections.abc import Callable, Iterable

from pcsos.base.events import Event
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import CertainPairs, Result
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.outputs import check_outputs
from pcsos.problem.options import CERTAIN_SECONDS
from pcsos.report.certain_page import certain_page
from pcsos.report.contents import Contents, PathLike, of_result, of_run_file
from pcsos.report.figures.plot import require_plotly
from pcsos.report.page import write_page
from pcsos.report.result_page import result_page
from pcsos.report.source import Source


def write_report(
    path: PathLike, result: Result, *, run_file: PathLike | None = None, events: Iterable[Event] = (), data: str = ""
) -> None:
    """Write the page of a result; see :meth:`pcsos.evidence.result.Result.report`.

    Parameters
    ----------
    path : path
        The file.
    result : Result
        What to tell of.
    run_file : path, optional
        The file of its run.
    events : iterable of Event
        What happened during the run, where there is no file of it.
    data : str
        What its data are called, such as the name of their file.
    """
    require_plotly()
    contents = of_result(result, events, data)
    if run_file is not None:
        about = contents.instance
        contents = of_run_file(run_file, data=data)
        if instance_digest(contents.instance) != instance_digest(about):
            raise InputError(f"the run file {run_file} is about another instance than the result; give that of its run")
    write_page(path, result_page(contents))


def report_run(
    path: PathLike,
    run_file: PathLike,
    *,
    verify: bool = True,
    workers: int = 1,
    certain: float | None = None,
    certain_seconds: float = CERTAIN_SECONDS,
    on_progress: Callable[[CertainPairs], object] | None = None,
) -> Contents:
    """Write the page of the file of a run, and return what it tells.

    Parameters
    ----------
    path, run_file : path
        The page and the file of the run.
    verify : bool
        Whether to ask the checker.
    workers : int
        Processes of the checker; -1 is one for each core.
    certain : float, optional
        Relative distance from the best cost within which partitions are compared, pair by pair.
    certain_seconds : float
        Seconds that this may take.
    on_progress : callable, optional
        Called with what is certain so far, each time that it is more.
    """
    require_plotly()
    check_outputs({"path": path}, {"run_file": run_file})
    contents = of_run_file(
        run_file, verify=verify, workers=workers, certain=certain, certain_seconds=certain_seconds,
        on_progress=on_progress,
    )  # fmt: skip
    write_page(path, result_page(contents))
    return contents


def write_certain_pairs(path: PathLike, certain: CertainPairs, *, data: str = "") -> None:
    """Write the page of certain pairs; see :meth:`pcsos.evidence.result.CertainPairs.report`."""
    write_page(path, certain_page(certain, Source(data)))
