"""Run description: ``info`` of a run file, with the pairs that are certain in the partition that it claims."""

import argparse
import contextlib
import os
from typing import Any

from pcsos import lazy
from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InputError
from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.messages import telling
from pcsos.cli.rescue import show, write_or_rescue
from pcsos.evidence.result import CertainPairs, Result
from pcsos.evidence.result.words import VIEWS, whole_percent
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.outputs import STDOUT, check_outputs, json_text
from pcsos.io.source import LONGEST_MAGIC, kind_of
from pcsos.problem.options import CERTAIN_SECONDS

#: Options that say how points are read, which a run file has already.
OF_POINTS = (
    "gram",
    "distances",
    "kernel",
    "gamma",
    "n_clusters",
    "constraints",
    "weights",
    "weights_column",
    "id_column",
    "header",
)
#: Figures of a claim that are shown.
SHOWN = (
    *("status", "reason", "objective", "lower_bound", "gap", "n_points", "n_features", "n_clusters"),
    *("n_super_points", "n_must_link", "n_cannot_link", "n_soft_pairs", "penalty", "limits", "gram_error"),
    *("nodes", "seconds", "seed"),
)


def is_run_file(path: str) -> bool:
    """Tell whether a file is a database; one that cannot be read is none, nor is a pipe."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return kind_of(file.read(LONGEST_MAGIC)) == "run file"
    except OSError:
        return False


def describe_run(arguments: argparse.Namespace) -> int:
    """Show what a run claims, and what is certain about its pairs if that is asked for."""
    given = [name for name in OF_POINTS if getattr(arguments, name) is not None]
    if given or arguments.ignore or arguments.features or arguments.standardize or arguments.one_based:
        raise InputError(f"{arguments.points} is a run file, which has points and k; leave out what is about POINTS")
    check_outputs({"--json": arguments.json}, {"RUN_FILE": arguments.points})
    result, digest = _claim(arguments.points)
    figures: dict[str, Any] = {name: value for name, value in result.to_dict().items() if name in SHOWN}
    figures["digest"] = digest
    if arguments.certain is not None:
        figures["certain"] = _certain(result, arguments)
    outputs = [] if arguments.json is None else [(arguments.json, json_text(figures) + "\n")]
    written = [write_or_rescue(path, text) for path, text in outputs]
    if arguments.json != STDOUT:
        limits = None if result.instance is None else result.instance.limits
        written.append(show(_text(figures | {"limits": limits})))
    return ExitStatus.OPTIMAL if all(written) else ExitStatus.FAILURE


def _claim(path: str) -> tuple[Result, str]:
    """Return what a run claims, and the digest of its instance."""
    with RunFile.read(path) as file:
        claim = file.claim()
        if claim is None:
            raise InputError(f"{path} is the file of a run that has not ended; resume it first")
        file.refuse_unfounded(claim)
    if claim.conflict is not None:  # what looks at it loads the solver
        lazy.refuse_false_conflict(claim, path)
    return claim, instance_digest(file.instance)


def _certain(result: Result, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of what is certain, and tell how far it is where that takes long."""
    if result.instance is None or result.partition is None:
        raise InputError(f"the run has no partition to compare others with: its status is {result.status}")
    so_far: list[CertainPairs] = []

    def progress() -> str:
        number, total = so_far[-1].num_certain if so_far else 0, result.n_points * (result.n_points - 1) // 2
        return f"{number} of {total} pairs are certain so far (Ctrl-C leaves the rest undecided)"

    with Signals() as signals, contextlib.nullcontext() if arguments.quiet else telling(progress):
        limit = CERTAIN_SECONDS if arguments.time_limit is None else arguments.time_limit
        found: dict[str, Any] = VIEWS.certain_pairs(
            result.instance,
            result.partition,
            arguments.certain,
            lower_bound=result.lower_bound,
            stop=Stop(signals.asked, urgent=signals.urgent, time_limit=limit),
            on_progress=so_far.append,
        ).to_dict()
        return found


def _text(figures: dict[str, Any]) -> str:
    """Return the figures for people; groups and pairs are for the JSON output."""
    rows = {name: value for name, value in figures.items() if name != "certain" and value is not None}
    certain = figures.get("certain")
    if certain is not None:
        least, most = ("at least ", "at most ") if certain["status"] == "PARTIAL" else ("", "")
        rows |= {
            "certain_within": whole_percent(certain["epsilon"]),
            "proved_so_far": f"{certain['status']} ({certain['reason']})",
            "n_certain_pairs": f"{least}{certain['n_certain_pairs']}",
            "n_uncertain_pairs": f"{least}{certain['n_uncertain_pairs']}",
            "n_undecided_pairs": f"{most}{certain['n_undecided_pairs']}",
            "n_groups": f"{most}{len(set(certain['groups']))}",
        }
    width = max(len(name) for name in rows)
    shown = {name: f"{value:.10g}" if isinstance(value, float) else str(value) for name, value in rows.items()}
    return "".join(f"{name.replace('_', ' '):{width}}  {value}\n" for name, value in shown.items())
