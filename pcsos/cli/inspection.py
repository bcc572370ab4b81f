"""The commands that look: ``info`` at an instance, ``verify`` at the file of a run."""

import argparse
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.instance_files import read_inputs, read_instance
from pcsos.cli.signals import StopRequest
from pcsos.exceptions import InfeasibleError, InputError
from pcsos.instance import Instance
from pcsos.io.outputs import STDOUT, OutputError, check_outputs, json_text, write_text

Points = NDArray[np.float64] | None
Links = tuple[list[tuple[int, int]], list[tuple[int, int]]] | None


def info(arguments: argparse.Namespace) -> int:
    """Describe an instance, what contraction and inference make of it, and whether it is feasible."""
    check_outputs(
        {"--json": arguments.json},
        {"POINTS": arguments.points, "--constraints": arguments.constraints, "--weights": arguments.weights},
    )
    instance = read_instance(arguments)
    with StopRequest() as should_stop:
        figures = describe(instance, should_stop)
    if arguments.json is not None:
        write_text(arguments.json, json_text(figures) + "\n")
    if arguments.json != STDOUT:
        width = max(map(len, figures))
        lines = [f"{name.replace('_', ' '):{width}}  {_plain(value)}\n" for name, value in figures.items()]
        _show("".join(lines).rstrip())
    if figures["feasible"] is False:
        print(f"pcsos: the instance is infeasible: {figures['message']}", file=sys.stderr)
        return ExitStatus.INFEASIBLE
    return ExitStatus.OPTIMAL


def describe(instance: Instance, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Return the figures of an instance: as given, after the must-links are contracted, and after inference.

    ``feasible`` is false with the proof in ``message``, or true because a colouring of the super-points was
    found.

    Raises
    ------
    KeyboardInterrupt
        If ``should_stop`` becomes true before that is known.
    """
    from pcsos.assignment.interruption import Interrupted, interruptible

    figures: dict[str, Any] = {
        "n_points": instance.n_points,
        "n_features": instance.n_features,
        "n_clusters": instance.n_clusters,
        "n_must_link": len(instance.must_link),
        "n_cannot_link": len(instance.cannot_link),
        "n_unconstrained_points": _num_unconstrained(instance),
    }
    try:
        with interruptible(should_stop):
            figures |= _describe_reduction(instance)
        if should_stop():
            raise Interrupted
    except Interrupted:
        raise KeyboardInterrupt from None
    except InfeasibleError as error:
        return figures | {"feasible": False, "message": str(error), "witness": error.witness}
    return figures | {"feasible": True}


def _describe_reduction(instance: Instance) -> dict[str, Any]:
    from pcsos.inference import settle
    from pcsos.reduction import connected_components, reduce_instance

    reduced = reduce_instance(instance)
    inferred, step = settle(reduced)
    component = connected_components(inferred.size, inferred.cannot_link)
    return {
        "n_super_points": reduced.size,
        "n_super_point_cannot_link": len(reduced.cannot_link),
        "n_forced_pairs": 0 if step is None else len(step.forced),
        "n_inferred_super_points": inferred.size,
        "n_inferred_cannot_link": len(inferred.cannot_link),
        "largest_cannot_link_component": int(np.bincount(component).max()),
        "cost_inside_super_points": inferred.offset,
    }


def verify(arguments: argparse.Namespace) -> int:
    """Check the claim of a finished run, and with files given that it is a claim about them."""
    if not Path(arguments.run_file).is_file():
        raise InputError(f"there is no run file {arguments.run_file}; check the name")
    points, constraints, weights = _what_to_compare(arguments)
    from pcsos.verify import VerificationError
    from pcsos.verify import verify as verify_run

    try:
        verdict = verify_run(
            arguments.run_file,
            points,
            constraints,
            weights=weights,
            on_step=lambda sentence: _show(f"checked: {sentence}"),
        )
    except VerificationError as error:
        if "database is locked" in str(error):
            raise InputError(f"{arguments.run_file} is in use by another process; wait until it ends") from error
        print(f"pcsos: {arguments.run_file} is not verified: {error}", file=sys.stderr)
        return ExitStatus.NOT_VERIFIED
    _show(
        f"{'status':21}{verdict.status}\n"
        f"{'objective':21}{_plain(verdict.objective)}\n"
        f"{'verified lower bound':21}{_plain(verdict.lower_bound)}\n"
        f"{'verified gap':21}{'-' if verdict.gap is None else f'{100.0 * verdict.gap:.6f} %'}\n"
        f"{'nodes':21}{verdict.num_nodes} ({verdict.num_open} left open)"
    )
    return ExitStatus.OPTIMAL


def _what_to_compare(arguments: argparse.Namespace) -> tuple[Points, Links, Points]:
    """Return the points, pairs and weights that the run should be about; all None where no points are given."""
    if arguments.points is not None:
        inputs = read_inputs(arguments)
        must_link, cannot_link = (
            [(i, j) for i, j in pairs.tolist()]
            for pairs in (inputs.constraints.must_link, inputs.constraints.cannot_link)
        )
        return inputs.table.points, (must_link, cannot_link), inputs.weights
    options = {
        "--constraints": arguments.constraints,
        "--ignore": arguments.ignore or None,
        "--header": arguments.header or None,
        "--no-header": True if arguments.header is False else None,
        "--weights": arguments.weights,
        "--weights-column": arguments.weights_column,
    }
    given = next((option for option, value in options.items() if value is not None), None)
    if given is not None:
        raise InputError(f"{given} says nothing without --points; give the points too")
    return None, None, None


def _show(text: str) -> None:
    """Print to standard output as long as somebody reads it."""
    with contextlib.suppress(OutputError):
        write_text(STDOUT, text + "\n")


def _num_unconstrained(instance: Instance) -> int:
    constrained = np.union1d(instance.must_link, instance.cannot_link)
    return instance.n_points - constrained.size


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
