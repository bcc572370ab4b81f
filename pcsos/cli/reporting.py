"""The command ``report``: a page that shows a run and what it proves."""

import argparse
from collections.abc import Callable

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.messages import say
from pcsos.io.outputs import OutputError, check_outputs
from pcsos.report import report_run
from pcsos.report.contents import Contents


def report(arguments: argparse.Namespace) -> int:
    """Write the page of a run; what the checker refuses is shown as refused."""
    check_outputs(arguments.outputs, {"RUN_FILE": arguments.run_file})
    told: list[Contents] = []

    def write() -> None:
        options = {name: getattr(arguments, name) for name in ("verify", "workers", "certain")}
        told.append(report_run(arguments.output, arguments.run_file, **options))

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
