"""The commands ``path`` and ``front``: what several choices cost, to choose one."""

import argparse
import importlib.util
import io
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path as FilePath

from pcsos import lazy
from pcsos.analysis import choice
from pcsos.analysis.choice import Front, Path
from pcsos.analysis.choice.numbers import numbers_of, of_any_number
from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.base.exceptions import InputError
from pcsos.cli.inputs import Source, options_of, read_inputs
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import Safekeeping, check_files, is_written, show, stem_of, write_or_rescue
from pcsos.evidence.result import Status
from pcsos.io.outputs import STDOUT, json_text, write_text
from pcsos.problem.instance import Instance
from pcsos.report.plot import require_plotly

#: Endings of pictures, which tell their formats.
PICTURES = (".png", ".svg", ".pdf")


def path(arguments: argparse.Namespace) -> int:
    """Solve an instance with each of several numbers of clusters."""
    first, last = arguments.numbers or (arguments.first, arguments.last)
    if first > last:
        raise InputError(f"numbers of clusters from {first} to {last} are none; give the least one first")
    _check_outputs(arguments)
    inputs = read_inputs(arguments)
    n = len(inputs.table.points)
    if last > n:
        raise InputError(f"{last} clusters are asked for, but there are only {n} points; give at most that")
    free = replace(inputs, conditions=[], is_noted=False).instance(1)
    whole, limits = of_any_number(free, free.points, inputs.conditions)
    numbers = numbers_of(whole, limits, range(first, last + 1))
    inputs.note(numbers[-1].instance)
    options = options_of(arguments)
    for number in numbers:
        _warm_up(number.instance, arguments)
    with Signals(SIGNALS), _safekeeping(arguments) as safe:  # nothing is lost
        found = choice.path_of(numbers, options, verbose=not arguments.quiet)
        if not _written(found, arguments, safe):
            return ExitStatus.FAILURE
    statuses = {result.status for result in found.results}
    if statuses == {Status.INFEASIBLE}:
        return ExitStatus.INFEASIBLE
    return ExitStatus.OPTIMAL if statuses <= {Status.OPTIMAL, Status.INFEASIBLE} else ExitStatus.STOPPED


def front(arguments: argparse.Namespace) -> int:
    """Find the partitions that no other one beats both in cost and in diameter, or in cost and in split."""
    _check_outputs(arguments)
    instance, options = read_inputs(arguments).instance(arguments.n_clusters), options_of(arguments)
    _warm_up(instance, arguments)
    with Signals(SIGNALS), _safekeeping(arguments) as safe:  # nothing is lost
        found = choice.front(instance, criterion=arguments.criterion, options=options, verbose=not arguments.quiet)
        if not _written(found, arguments, safe):
            return ExitStatus.FAILURE
    if found.message:
        say(f"the instance is infeasible: {found.message}")
        return ExitStatus.INFEASIBLE
    return ExitStatus.OPTIMAL if found.is_certified else ExitStatus.STOPPED


def _warm_up(instance: Instance, arguments: argparse.Namespace) -> None:
    """Compile what the searches need, while Ctrl-C still ends the program."""
    lazy.warm_up(lambda sentence: None if arguments.quiet else say(sentence), instance)


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written in the end, and a picture or a page that could not be drawn."""
    check_files(arguments)
    plot = arguments.plot
    if arguments.report is not None:
        require_plotly()
    if plot is None:
        return
    if FilePath(plot).suffix.lower() not in PICTURES:
        raise InputError(f"--plot is {plot}; give a file that ends with {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
    if importlib.util.find_spec("matplotlib") is None:
        raise InputError("--plot needs Matplotlib, which is not installed; pip install matplotlib")


def _safekeeping(arguments: argparse.Namespace) -> AbstractContextManager[Safekeeping | None]:
    """Return where rows and labels go if no option has asked for them."""
    if arguments.json is not None:
        return nullcontext()
    suffix, remedy = f".{arguments.command}.json", "--json FILE names another place"
    return Safekeeping("rows and labels", stem_of(arguments), suffix, remedy, is_quiet=arguments.quiet)


def _written(found: Path | Front, arguments: argparse.Namespace, safe: Safekeeping | None) -> bool:
    """Write table, JSON and picture, and tell whether all of them could be written."""
    written = []
    place = None if safe is None else safe.keep(json_text(found.to_dict()) + "\n")
    if place is not None:
        say(f"rows and labels are in {place}")
    if arguments.json is not None:
        written.append(write_or_rescue(arguments.json, json_text(found.to_dict()) + "\n", suffix=".json"))
    if arguments.plot is not None:
        written.append(is_written(lambda: _draw(found, arguments.plot)))
    if arguments.report is not None:
        data = Source.of(arguments).file_name
        written.append(is_written(lambda: found.report(arguments.report, data=data)))
    if arguments.json != STDOUT and not (arguments.quiet and written):
        written.append(show(f"{found}\n"))
    return all(written)


def _draw(found: Path | Front, plot: str) -> None:
    """Write the picture: of a path, costs and below them indices."""
    from matplotlib.figure import Figure

    figure, picture = Figure(layout="constrained", figsize=(7.0, 6.0)), io.BytesIO()
    if isinstance(found, Path):
        panels = figure.subplots(2, 1, sharex=True)
        found.plot(panels[0])
        found.plot(panels[1], index=True)
    else:
        found.plot(figure.subplots())
    figure.savefig(picture, format=FilePath(plot).suffix[1:].lower())
    write_text(plot, picture.getvalue())
