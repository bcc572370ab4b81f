"""A result on its way out: files, summary and exit status."""

import argparse
import contextlib
import sys
from typing import Any

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.signals import StopRequest
from pcsos.io.outputs import STDOUT, OutputError, json_text, labels_text, write_text
from pcsos.result import Result, Status


def finish(result: Result, arguments: argparse.Namespace, **more: object) -> int:
    """Write the outputs that the arguments ask for and return the exit status.

    ``more`` goes into the JSON beside the figures of the result. What cannot be written goes to standard
    error in full, and a signal meanwhile is put off, so that no result is lost.
    """
    with StopRequest():
        is_written = _write_outputs(result.to_dict() | more, arguments)
        if not arguments.quiet and STDOUT not in {arguments.labels, arguments.json}:
            _print_summary(result)
        if result.status is Status.INFEASIBLE:
            proof = result.message or "every node of the tree is closed without a partition"
            print(f"pcsos: the instance is infeasible: {proof}", file=sys.stderr)
        elif result.partition is None:
            print(f"pcsos: no partition was found: {result.message or result.reason}", file=sys.stderr)
        elif result.message:
            print(f"pcsos: {result.message}", file=sys.stderr)
    return exit_status(result) if is_written else ExitStatus.FAILURE


def _write_outputs(values: dict[str, Any], arguments: argparse.Namespace) -> bool:
    """Write labels and JSON where they are asked for, and tell whether all of it was possible."""
    texts = {arguments.labels: labels_text(values["labels"]), arguments.json: json_text(values) + "\n"}
    is_written = True
    for path, text in texts.items():
        if path is None:
            continue
        try:
            write_text(path, text)
        except OutputError as error:
            is_written = False
            print(f"pcsos: {error}; it would have held:\n{text}", file=sys.stderr, end="")
    return is_written


def exit_status(result: Result) -> ExitStatus:
    """Return the exit status that tells what is proved."""
    if result.status is Status.OPTIMAL:
        return ExitStatus.OPTIMAL
    return ExitStatus.INFEASIBLE if result.status is Status.INFEASIBLE else ExitStatus.STOPPED


def _print_summary(result: Result) -> None:
    figures = [
        ("status", f"{result.status} ({result.reason})"),
        ("objective", _number(result.objective)),
        ("lower bound", _number(result.lower_bound)),
        ("gap", "-" if result.gap is None else f"{100.0 * result.gap:.6f} %"),
        ("nodes", str(result.nodes)),
        ("time", f"{result.seconds:.2f} s"),
    ]
    with contextlib.suppress(OutputError):  # the reader may have gone; the exit status still tells
        write_text(STDOUT, "".join(f"{name:12} {value}\n" for name, value in figures))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.10g}"
