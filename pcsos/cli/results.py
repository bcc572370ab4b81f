"""Results on their way out: files, summary and exit status."""

import argparse
from typing import Any

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.messages import say
from pcsos.cli.rescue import keep, write_or_rescue
from pcsos.control.signals import Signals
from pcsos.io.outputs import STDOUT, json_text, labels_text
from pcsos.result import Result, Status


def finish(
    result: Result, arguments: argparse.Namespace, *, log_failure: str = "", more: dict[str, Any] | None = None
) -> int:
    """Write the outputs that the arguments ask for and return the exit status.

    ``more`` goes into the JSON beside the figures of the result; ``log_failure`` says why the log is incomplete. What
    cannot be written goes elsewhere in full, and a signal meanwhile is put off, so that no result is lost.
    """
    with Signals():
        is_written = _write_outputs(result, arguments, more or {}, log_failure)
        if result.status is Status.INFEASIBLE:
            proof = result.message or "every node of the tree is closed without a partition"
            say(f"the instance is infeasible: {proof}")
        elif result.partition is None:
            say(f"no partition was found: {result.message or result.reason}")
        elif result.message:
            say(result.message)
    return exit_status(result) if is_written else ExitStatus.FAILURE


def _write_outputs(result: Result, arguments: argparse.Namespace, more: dict[str, Any], log_failure: str) -> bool:
    """Write labels, JSON and summary, and tell whether all that is needed could be written where it should."""
    values = result.to_dict() | more
    log, run_file = getattr(arguments, "log", None), getattr(arguments, "run_file", None)
    outputs = [
        (arguments.labels, labels_text(values["labels"]), ".labels.csv"),
        (arguments.json, json_text(values) + "\n", ".result.json"),
    ]
    written = [
        write_or_rescue(path, text, run_file=run_file, suffix=suffix)
        for path, text, suffix in outputs
        if path is not None
    ]
    is_lost = log == STDOUT and bool(log_failure) and not written
    if is_lost:
        keep(f"{result}\n", log_failure, run_file=run_file, suffix=".summary.txt")
    elif log_failure:
        say(log_failure)
    if not arguments.quiet and STDOUT not in {arguments.labels, arguments.json, log}:
        is_shown = write_or_rescue(STDOUT, f"{result}\n", run_file=run_file, suffix=".summary.txt")
        return all(written) and (is_shown or any(written))  # what is in a file is not lost with the summary
    return all(written) and not is_lost


def exit_status(result: Result) -> ExitStatus:
    """Return the exit status that tells what is proved."""
    if result.status is Status.OPTIMAL:
        return ExitStatus.OPTIMAL
    return ExitStatus.INFEASIBLE if result.status is Status.INFEASIBLE else ExitStatus.STOPPED
