"""The command ``info``: what an instance is, and whether it is feasible."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pcsos import lazy
from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Interrupted, Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.infeasibility import conflict_lines, say_infeasible, why
from pcsos.cli.instance_files import Inputs, input_files, read_inputs
from pcsos.cli.rescue import show, write_or_rescue
from pcsos.cli.run_description import describe_run, is_run_file
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.evidence.steps import EqualStep, ForcedStep
from pcsos.io.outputs import STDOUT, check_outputs, json_text
from pcsos.problem.conditions.pairs import connected_components
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget


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
    outputs = [] if arguments.json is None else [(arguments.json, json_text(figures) + "\n")]
    written = [write_or_rescue(path, text) for path, text in outputs]
    if arguments.json != STDOUT:
        written.append(show(_text(_for_people(figures, instance), error, inputs)))
    if error is not None:
        say_infeasible(str(error), error.conflict, inputs)
    if not all(written):
        return ExitStatus.FAILURE
    return ExitStatus.OPTIMAL if error is None else ExitStatus.INFEASIBLE


def _text(figures: dict[str, Any], error: InfeasibleError | None, inputs: Inputs) -> str:
    """Return the figures for people, and in words why there is no partition."""
    rows = [
        (name.replace("_", " "), plain(value))
        for name, value in figures.items()
        if name not in {"message", "witness", "conflict"}
    ]
    if error is not None and error.conflict is not None:
        rows.append(("why", why(str(error), error.conflict, inputs.names)))
        lines = conflict_lines(error.conflict, inputs)
        rows.append(("conflict", f"{error.conflict.headline}:"))
        rows.extend(("", line) for line in lines)
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
    """Return the figures with limits in words; what only programs need of them is left out."""
    if instance.limits is None:
        return figures
    limits, shown = instance.limits.to_dict(), instance.limits.shown()
    return {name: shown.get(name, own) for name, own in figures.items() if name not in limits or name in shown}


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
    try:
        presolved = lazy.presolve(instance, Budget(stop))
        if stop.asked():
            raise Interrupted
    except Interrupted:
        raise KeyboardInterrupt from None
    reduced, inferred = presolved.reduced, presolved.problem
    forced = [step for step in presolved.steps if isinstance(step, ForcedStep)]
    component = connected_components(inferred.size, inferred.cannot_link)
    return {
        "n_super_points": reduced.size,
        "n_super_point_cannot_link": len(reduced.cannot_link),
        "n_forced_pairs": sum(len(step.forced) for step in forced),
        "n_equal_points_joined": sum(len(step.decisions) for step in presolved.steps if isinstance(step, EqualStep)),
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
