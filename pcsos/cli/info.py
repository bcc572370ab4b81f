"""The command ``info``: what an instance is, whether it is feasible and why not, or what a run claims."""

import argparse
import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pcsos import lazy
from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import Inputs, input_files, read_inputs
from pcsos.cli.messages import ExitStatus, telling
from pcsos.cli.outputs import deliver
from pcsos.cli.results import conflict_lines, say_infeasible, why
from pcsos.evidence.kinds import Equal, Forced
from pcsos.evidence.result import CertainPairs, Result
from pcsos.evidence.result.words import VIEWS, whole_percent
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.outputs import check_outputs
from pcsos.io.source import LONGEST_MAGIC, kind_of
from pcsos.problem.conditions.pairs import connected_components
from pcsos.problem.instance import Instance
from pcsos.problem.options import CERTAIN_SECONDS, Budget

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
    limits = None if result.instance is None else result.instance.limits
    shown = figures | {"limits": limits}
    if "certain" in figures:
        shown |= _of_certain(figures["certain"])
    rows = {name: value for name, value in shown.items() if name != "certain" and value is not None}
    return ExitStatus.OPTIMAL if deliver(figures, _text(rows, []), arguments.json) else ExitStatus.FAILURE


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


def _of_certain(certain: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of certain pairs for people; groups and pairs are for the JSON output."""
    least, most = ("at least ", "at most ") if certain["status"] == "PARTIAL" else ("", "")
    return {
        "certain_within": whole_percent(certain["epsilon"]),
        "proved_so_far": f"{certain['status']} ({certain['reason']})",
        "n_certain_pairs": f"{least}{certain['n_certain_pairs']}",
        "n_uncertain_pairs": f"{least}{certain['n_uncertain_pairs']}",
        "n_undecided_pairs": f"{most}{certain['n_undecided_pairs']}",
        "n_groups": f"{most}{len(set(certain['groups']))}",
    }


def info(arguments: argparse.Namespace) -> int:
    """Describe an instance, what contraction and inference make of it, and whether it is feasible; or a run."""
    if arguments.points is not None and is_run_file(arguments.points):
        return describe_run(arguments)
    for option, value in (("--certain", arguments.certain), ("--time-limit", arguments.time_limit)):
        if value is not None and arguments.points is not None and not Path(arguments.points).is_file():
            raise InputError(f"there is no run file {arguments.points}; check the name")
        if value is not None:
            raise InputError(f"{option} is about the partition of a run; give a run file instead of POINTS")
    if arguments.n_clusters is None:
        raise InputError("the following arguments are required: -k (see `pcsos info --help`)")
    check_outputs(arguments.outputs, input_files(arguments))
    inputs = read_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    error: InfeasibleError | None = None
    with Signals() as signals:
        try:
            figures = _basics(instance) | describe(instance, signals.asked)
        except InfeasibleError as caught:
            error = caught
            conflict = None if error.conflict is None else error.conflict.to_dict()
            proof = {"feasible": False, "message": str(error), "witness": error.witness, "conflict": conflict}
            figures = _basics(instance) | proof
    more = [] if error is None else _infeasible_rows(error, inputs)
    is_written = deliver(figures, _text(_for_people(figures, instance), more), arguments.json)
    if error is not None:
        say_infeasible(str(error), error.conflict, inputs)
    if not is_written:
        return ExitStatus.FAILURE
    return ExitStatus.OPTIMAL if error is None else ExitStatus.INFEASIBLE


def _infeasible_rows(error: InfeasibleError, inputs: Inputs) -> list[tuple[str, str]]:
    """Return why there is no partition, row by row."""
    if error.conflict is None:
        return []
    first = [("why", why(str(error), error.conflict, inputs.names)), ("conflict", f"{error.conflict.headline}:")]
    return [*first, *(("", line) for line in conflict_lines(error.conflict, inputs))]


def _text(figures: dict[str, Any], more: list[tuple[str, str]]) -> str:
    """Return figures for people, and further rows."""
    rows = [(name.replace("_", " "), plain(value)) for name, value in figures.items()] + more
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {value}\n" for name, value in rows)


def _basics(instance: Instance) -> dict[str, Any]:
    """Return the figures of an instance as it is given."""
    return {
        "n_points": instance.n_points,
        "n_features": instance.n_features,
        "n_clusters": instance.n_clusters,
        "n_must_link": len(instance.must_link),
        "n_cannot_link": len(instance.cannot_link),
        "n_soft_pairs": instance.soft.num_links,
        "sum_of_penalties": instance.soft.total,
        **({} if instance.limits is None else instance.limits.to_dict()),
        "n_unconstrained_points": _num_unconstrained(instance),
        "digest": instance_digest(instance),
    }


def _for_people(figures: dict[str, Any], instance: Instance) -> dict[str, Any]:
    """Return the figures with limits in words, without what only programs need."""
    limits, shown = ({}, {}) if instance.limits is None else (instance.limits.to_dict(), instance.limits.shown())
    left_out = (limits.keys() | {"message", "witness", "conflict"}) - shown.keys()
    return {name: shown.get(name, own) for name, own in figures.items() if name not in left_out}


def describe(instance: Instance, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Return the figures of a feasible instance with must-links contracted, and with all that follows at once.

    Raises
    ------
    InfeasibleError
        If there is no partition.
    KeyboardInterrupt
        If ``should_stop`` becomes true before that is known.
    """
    stop = Stop(should_stop)
    presolved = lazy.presolve(instance, Budget(stop))
    if presolved is None or stop.asked():
        raise KeyboardInterrupt
    reduced, inferred = presolved.reduced, presolved.problem
    forced = [step for step in presolved.steps if isinstance(step, Forced)]
    component = connected_components(inferred.size, inferred.cannot_link)
    return {
        "n_super_points": reduced.size,
        "n_super_point_cannot_link": len(reduced.cannot_link),
        "n_forced_pairs": sum(len(step.decisions) for step in forced),
        "n_equal_points_joined": sum(len(step.decisions) for step in presolved.steps if isinstance(step, Equal)),
        "n_inferred_super_points": inferred.size,
        "n_inferred_cannot_link": len(inferred.cannot_link),
        "largest_cannot_link_component": int(np.bincount(component).max()),
        "cost_inside_super_points": inferred.offset,
        "feasible": True,
    }


def _num_unconstrained(instance: Instance) -> int:
    constrained = np.union1d(instance.must_link, instance.cannot_link)
    return instance.n_points - constrained.size


def plain(value: Any) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(plain, value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
