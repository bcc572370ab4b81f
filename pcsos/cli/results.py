"""Results on their way out: files, summary and exit status."""

import argparse
from typing import Any

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.infeasibility import say_infeasible
from pcsos.cli.instance_files import Inputs
from pcsos.cli.messages import say
from pcsos.cli.rescue import keep, write_or_rescue
from pcsos.control.signals import Signals
from pcsos.io.labels import labels_data, labels_text
from pcsos.io.outputs import STDOUT, json_text
from pcsos.names import PointNames
from pcsos.result import Reason, Result, Status


def finish(
    result: Result,
    arguments: argparse.Namespace,
    inputs: Inputs | None = None,
    *,
    log_failure: str = "",
    more: dict[str, Any] | None = None,
) -> int:
    """Write the outputs that the arguments ask for and return the exit status.

    ``inputs`` says what the user calls the points, and where the constraints are; ``more`` goes into the JSON beside
    the figures of the result; ``log_failure`` says why the log is incomplete. What cannot be written goes elsewhere in
    full, and a signal meanwhile is put off, so that no result is lost.
    """
    with Signals():
        names = PointNames(result.n_points) if result.instance is None else result.instance.names
        is_written = _write_outputs(result, arguments, names, more or {}, log_failure)
        if getattr(arguments, "better_out", None) is not None and getattr(result, "better", None) is None:
            say(f"no better partition was met, so {arguments.better_out} is not written")
        if result.status is Status.INFEASIBLE:
            proof = result.message or "every node of the tree is closed without a partition"
            say_infeasible(proof, result.conflict, inputs, getattr(arguments, "constraints", None))
        elif result.partition is None:
            say(f"no partition was found: {result.message or result.reason}")
        elif result.message:
            say(result.message)
    return exit_status(result) if is_written else ExitStatus.FAILURE


def _write_outputs(
    result: Result, arguments: argparse.Namespace, names: PointNames, more: dict[str, Any], log_failure: str
) -> bool:
    """Write labels, JSON and summary, and tell whether all that is needed could be written where it should."""
    values = result.to_dict() | more
    log, run_file = getattr(arguments, "log", None), getattr(arguments, "run_file", None)
    written = []
    outputs = [(arguments.labels, values["labels"], ".labels.csv")]
    if values.get("better_labels") is not None:
        outputs.append((arguments.better_out, values["better_labels"], ".better.csv"))
    for path, labels, suffix in outputs:
        if path is not None:
            text, data = labels_text(labels, names), labels_data(path, labels, names)
            written.append(write_or_rescue(path, text, data=data, run_file=run_file, suffix=suffix))
    if arguments.json is not None:
        text = json_text(values) + "\n"
        written.append(write_or_rescue(arguments.json, text, run_file=run_file, suffix=".result.json"))
    is_lost = log == STDOUT and bool(log_failure) and not written
    if is_lost:
        keep(f"{result}\n", log_failure, run_file=run_file, suffix=".summary.txt")
    elif log_failure:
        say(log_failure)
    asked = {arguments.labels, arguments.json, log, getattr(arguments, "better_out", None)} - {None}
    if not (arguments.quiet and asked) and STDOUT not in asked:
        text = f"{sentence(result)}\n" if arguments.quiet else f"{result}\n" + _hint(result, arguments)
        is_shown = write_or_rescue(STDOUT, text, run_file=run_file, suffix=".summary.txt")
        return all(written) and (is_shown or any(written))  # what is in a file is not lost with the summary
    return all(written) and not is_lost


def exit_status(result: Result) -> ExitStatus:
    """Return the exit status that tells what is proved, or for a heuristic whether it ended by itself."""
    if result.status is Status.INFEASIBLE:
        return ExitStatus.INFEASIBLE
    has_ended = result.reason is Reason.HEURISTIC_FINISHED and result.partition is not None
    return ExitStatus.OPTIMAL if result.status is Status.OPTIMAL or has_ended else ExitStatus.STOPPED


def sentence(result: Result) -> str:
    """Return the figures that matter most in one line."""
    figures = {"objective": _number(result.objective), "lower bound": _number(result.lower_bound), "gap": _gap(result)}
    known = ", ".join(f"{name} {value}" for name, value in figures.items() if value)
    return f"{result.status} ({result.reason})" + (f": {known}" if known else "")


def _hint(result: Result, arguments: argparse.Namespace) -> str:
    """Return how to get the labels, where nobody has asked for them yet."""
    if result.labels is None or arguments.labels is not None or arguments.json is not None:
        return ""
    given = getattr(arguments, "labels_in", None)
    option = "--labels-out" if hasattr(arguments, "labels_in") else "--labels"
    return "" if given is not None else f"{'labels':12} with {option} FILE\n"


def _gap(result: Result) -> str:
    return "" if result.gap is None else f"{100.0 * result.gap:.6f} %"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"
