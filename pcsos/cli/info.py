"""The command ``info``: what an instance is, whether it is feasible and why not, or what a run claims."""

import argparse
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from pcsos import lazy
from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import Inputs, read_inputs
from pcsos.cli.messages import ExitStatus
from pcsos.cli.outputs import check_files, deliver, write_or_rescue
from pcsos.cli.results import conflict_lines, say_infeasible, why
from pcsos.cli.run_files import describe_run, figures_text, is_run_file, plain
from pcsos.evidence.kinds import Equal, Forced
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.constraints import constraints_text
from pcsos.io.outputs import STDOUT
from pcsos.io.source import STDIN
from pcsos.problem.conditions.pairs import Constraints, connected_components
from pcsos.problem.instance import Instance
from pcsos.problem.options import CERTAIN_SECONDS, Budget


def info(arguments: argparse.Namespace) -> int:
    """Describe an instance, what contraction and inference make of it, and whether it is feasible; or a run."""
    if arguments.points is not None and is_run_file(arguments.points):
        return describe_run(arguments)
    wants_conflicts = arguments.conflicts or arguments.out is not None
    only_of_runs = ("--certain",) if wants_conflicts else ("--certain", "--time-limit")
    of_runs = next((option for option in only_of_runs if option in arguments.given), None)
    if of_runs is not None:
        if arguments.points is not None and not os.path.isfile(arguments.points):
            raise InputError(f"there is no run file {arguments.points}; check the name")
        raise InputError(f"{of_runs} is about the partition of a run; give a run file instead of POINTS")
    if arguments.n_clusters is None:
        if arguments.points not in {None, STDIN} and not os.path.exists(arguments.points):
            raise InputError(f"{arguments.points} does not exist; check the name and the folder")
        raise InputError("the following arguments are required: -k (see `pcsos info --help`)")
    check_files(arguments)
    inputs = read_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    if wants_conflicts:
        return _conflicts(instance, inputs, arguments)
    error: InfeasibleError | None = None
    with Signals(SIGNALS) as signals:
        try:
            figures = _basics(instance) | describe(instance, signals.asked)
        except InfeasibleError as caught:
            error = caught
            conflict = None if error.conflict is None else error.conflict.to_dict()
            proof = {"feasible": False, "message": str(error), "witness": error.witness, "conflict": conflict}
            figures = _basics(instance) | proof
    more = [] if error is None else _infeasible_rows(error, inputs)
    is_written = deliver(figures, figures_text(_for_people(figures, instance), more), arguments.json)
    if error is not None:
        say_infeasible(str(error), error.conflict, inputs)
    if not is_written:
        return ExitStatus.FAILURE
    return ExitStatus.OPTIMAL if error is None else ExitStatus.INFEASIBLE


def _conflicts(instance: Instance, inputs: Inputs, arguments: argparse.Namespace) -> int:
    """Show what contradicts among the pairs, and what to give up, and write what is left."""
    limit = CERTAIN_SECONDS if arguments.time_limit is None else arguments.time_limit
    with Signals(SIGNALS):
        found = lazy.conflicts(instance, time_limit=limit)
    left, name = arguments.out, instance.names.word
    rows = [("contradiction", conflict.in_names(name)) for conflict in found.contradictions]
    rows += [("give up", line) for line in conflict_lines(found.given_up, inputs)]
    share, dearest = _dear(instance.with_(must_link=found.left.must_link, cannot_link=found.left.cannot_link))
    if share >= DEAR:
        rows.append(("pairs", OF_DEAR_PAIRS.format(share)))
        rows += [("looks wrong", line) for line in conflict_lines(dearest, inputs)]
    if left not in (None, STDOUT):
        number = len(found.left.must_link) + len(found.left.cannot_link)
        how = f", to be read with --id {inputs.table.unnamed}" if inputs.table.unnamed else ""
        rows.append(("left", f"{number} pairs in {left}{how}; if some are still in doubt, make them soft"))
    written = [] if left is None else [write_or_rescue(left, constraints_text(found.left, inputs.names))]
    text = "" if left == STDOUT else figures_text({}, [("result", str(found)), *rows])
    most = {"must_link": dearest.must_link.tolist(), "cannot_link": dearest.cannot_link.tolist()}
    figures = found.to_dict() | {"dearer_by": share, "looks_wrong": most}
    written.append(deliver(figures, text, arguments.json))
    if not all(written):
        return ExitStatus.FAILURE
    if found.contradictions:
        return ExitStatus.INFEASIBLE
    return ExitStatus.STOPPED if found.cost else ExitStatus.OPTIMAL


#: From this share on, pairs that make clusters dearer are worth a word, this one; and seconds to find clusters.
DEAR, TO_ESTIMATE = 0.5, 2.0
OF_DEAR_PAIRS = "make clusters about {:.0%} dearer; 'Which pairs hurt' (docs/howto/infeasible.md), or make them soft"


def _dear(instance: Instance) -> tuple[float, Constraints]:
    """Return by how much pairs that can be satisfied make clusters dearer, and which do most, if that is known."""
    if not instance.is_plain or instance.gram is not None:
        return 0.0, Constraints(instance.n_points)
    return lazy.dear_pairs(instance, TO_ESTIMATE)


def _infeasible_rows(error: InfeasibleError, inputs: Inputs) -> list[tuple[str, str]]:
    """Return why there is no partition, row by row, and which command names what to give up."""
    if error.conflict is None:
        return []
    suited = "pcsos info --conflicts: all contradictions at once, and pairs to give up"
    first = [("what suits", suited), ("why", why(str(error), error.conflict, inputs.names))]
    first.append(("conflict", f"{error.conflict.headline}:"))
    return [*first, *(("", line) for line in conflict_lines(error.conflict, inputs))]


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
        "n_unconstrained_points": instance.n_points - np.union1d(instance.must_link, instance.cannot_link).size,
        "digest": instance_digest(instance),
    }


#: Groups of points up to which ``solve`` takes seconds, and up to which it may still be the one to take.
QUICK, POSSIBLE = 500, 3000


def _for_people(figures: dict[str, Any], instance: Instance) -> dict[str, str]:
    """Return the figures in words, with the command that suits them."""
    limits = {} if instance.limits is None else instance.limits.shown()
    soft = f", {instance.soft.num_links} soft of penalties {instance.soft.total:g}" if len(instance.soft) else ""
    words = {
        "points": f"{instance.n_points}, features {instance.n_features}, clusters {instance.n_clusters}",
        "total weight": "" if (instance.weights == 1.0).all() else plain(float(instance.weights.sum())),
        "pairs": f"{figures['n_must_link']} must-links, {figures['n_cannot_link']} cannot-links{soft}",
        **{name.replace("_", " "): plain(value) for name, value in limits.items()},
        "feasible": plain(figures["feasible"]),
    }
    if figures["feasible"]:
        size = figures["n_inferred_super_points"]
        apart = f"{figures['n_inferred_cannot_link']} pairs of these apart"
        words["to cluster"] = f"{size} groups of points that are together, {apart}" if size < instance.n_points else ""
        words["what suits"] = _what_suits(size, instance.n_features)
    return {name: value for name, value in (words | {"digest": figures["digest"]}).items() if value}


def _what_suits(size: int, n_features: int) -> str:
    """Return which command suits so many groups of points, and about how long it takes."""
    if size <= QUICK:
        return "pcsos solve, seconds (minutes with tight limits)"
    if size <= POSSIBLE or n_features <= 2:
        return "pcsos solve, minutes if clusters are clear; else pcsos certify"
    return "pcsos certify, minutes for a proof; pcsos heuristic, seconds without one"


def describe(instance: Instance, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Return the figures of a feasible instance with must-links contracted, and with all that follows at once.

    Raises KeyboardInterrupt if ``should_stop`` becomes true before it is known whether there is a partition.
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
