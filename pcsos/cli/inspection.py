"""The command ``info``: what an instance is, and whether it is feasible."""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.instance_files import read_instance
from pcsos.cli.messages import say
from pcsos.cli.rescue import write_or_rescue
from pcsos.control.signals import Signals
from pcsos.exceptions import InfeasibleError
from pcsos.instance import Instance
from pcsos.io.outputs import STDOUT, check_outputs, json_text


def info(arguments: argparse.Namespace) -> int:
    """Describe an instance, what contraction and inference make of it, and whether it is feasible."""
    check_outputs(
        {"--json": arguments.json},
        {"POINTS": arguments.points, "--constraints": arguments.constraints, "--weights": arguments.weights},
    )
    instance = read_instance(arguments)
    with Signals() as signals:
        figures = describe(instance, signals.asked)
    outputs = [] if arguments.json is None else [(arguments.json, json_text(figures) + "\n")]
    if arguments.json != STDOUT:
        outputs.append((STDOUT, _text(figures)))
    written = [write_or_rescue(path, text) for path, text in outputs]
    if figures["feasible"] is False:
        say(f"the instance is infeasible: {figures['message']}")
    if not all(written):
        return ExitStatus.FAILURE
    return ExitStatus.OPTIMAL if figures["feasible"] else ExitStatus.INFEASIBLE


def _text(figures: dict[str, Any]) -> str:
    width = max(map(len, figures))
    return "".join(f"{name.replace('_', ' '):{width}}  {plain(value)}\n" for name, value in figures.items())


def describe(instance: Instance, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Return the figures of an instance: as given, with must-links contracted, with all that follows at once.

    ``feasible`` is false with the proof in ``message``, or true because a colouring of the super-points was
    found.

    Raises
    ------
    KeyboardInterrupt
        If ``should_stop`` becomes true before that is known.
    """
    from pcsos.colouring.budget import Budget
    from pcsos.constraints import connected_components
    from pcsos.control.stop import Interrupted, Stop
    from pcsos.presolve import presolve
    from pcsos.proof import EqualStep, ForcedStep

    figures: dict[str, Any] = {
        "n_points": instance.n_points,
        "n_features": instance.n_features,
        "n_clusters": instance.n_clusters,
        "n_must_link": len(instance.must_link),
        "n_cannot_link": len(instance.cannot_link),
        "n_unconstrained_points": _num_unconstrained(instance),
    }
    stop = Stop(should_stop)
    try:
        presolved = presolve(instance, Budget(stop))
        if stop.asked():
            raise Interrupted
    except Interrupted:
        raise KeyboardInterrupt from None
    except InfeasibleError as error:
        return figures | {"feasible": False, "message": str(error), "witness": error.witness}
    reduced, inferred = presolved.reduced, presolved.problem
    forced = [step for step in presolved.steps if isinstance(step, ForcedStep)]
    component = connected_components(inferred.size, inferred.cannot_link)
    return figures | {
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
    return f"{value:.10g}" if isinstance(value, float) else str(value)
