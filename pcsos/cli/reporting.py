"""The command ``report``: a page that shows a run and what it proves."""

import argparse
import contextlib
from collections.abc import Callable
from typing import Any

from pcsos.cli.messages import ExitStatus, say, telling
from pcsos.evidence.result import CertainPairs
from pcsos.io.outputs import OutputError, check_outputs
from pcsos.report import report_run
from pcsos.report.contents import Contents


def report(arguments: argparse.Namespace) -> int:
    """Write the page of a run; what the checker refuses is shown as refused."""
    check_outputs(arguments.outputs, {"RUN_FILE": arguments.run_file})
    told: list[Contents] = []

    so_far: list[CertainPairs] = []

    def progress() -> str:
        if not so_far:
            return "reading and checking the run"
        return f"{so_far[-1].num_certain} of {so_far[-1].num_pairs} pairs are certain so far"

    def write() -> None:
        options: dict[str, Any] = {name: getattr(arguments, name) for name in ("verify", "workers", "certain")}
        if arguments.time_limit is not None:
            options["certain_seconds"] = arguments.time_limit
        with contextlib.nullcontext() if arguments.certain is None else telling(progress):
            told.append(report_run(arguments.output, arguments.run_file, on_progress=so_far.append, **options))

    if not written(write):
        return ExitStatus.FAILURE
    check = told[0].check
    if check is not None and check.verdict is None:
        say(f"{arguments.run_file} is not verified: {check.refusal}")
        return ExitStatus.NOT_VERIFIED
    return ExitStatus.OPTIMAL


def written(write: Callable[[], object]) -> bool:
    """Write a page, and tell whether that was possible; if not, say why."""
    try:
        write()
    except OutputError as error:
        say(str(error))
        return False
    return True
