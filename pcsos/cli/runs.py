"""The commands that look for a partition: ``solve``, ``certify``, ``heuristic`` and ``resume``."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from pcsos import heuristics, lazy
from pcsos.base.control.signals import SIGNALS, Signals, acknowledged
from pcsos.base.events import Event, IncumbentFound, OnEvent, notices
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import Inputs, Source, options_of, read_beginnings, read_inputs, refuse_unless_method
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import Destinations, check_files, is_written, safekeeping
from pcsos.cli.results import finish
from pcsos.evidence.result import Reason, Result
from pcsos.evidence.result.words import VIEWS
from pcsos.io.labels import read_labels
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.report.plot import require_plotly
from pcsos.report.progress import JsonLines, ProgressTable, broadcast
from pcsos.search.journal import Writer
from pcsos.solving import certify as certify_labels
from pcsos.solving import resume as resume_run
from pcsos.solving import solve as solve_instance
from pcsos.verify.reading.database import refuse_missing
from pcsos.verify.reading.text import number_of


def solve(arguments: argparse.Namespace) -> int:
    """Find the optimal partition and prove it."""
    options = options_of(arguments)
    check_files(arguments)
    inputs = read_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    start, earlier = read_beginnings(arguments, inputs)

    def run(on_event: OnEvent) -> Result:
        own = replace(options, on_event=on_event)
        result = solve_instance(instance, start=start, run_file=arguments.run_file, options=own)
        return result if earlier is None else result.matched_to(earlier)

    return logged(run, arguments, inputs, instance, append=False)


#: Share of the time limit that may go into finding a partition, where none is given.
SEARCH_SHARE = 0.25


def certify(arguments: argparse.Namespace) -> int:
    """Bound how far a partition is from the best one."""
    options = options_of(arguments)
    if (arguments.labels_in is None) == (arguments.n_clusters is None):
        raise InputError("give either the labels to certify (--labels FILE) or the number of clusters to look for (-k)")
    check_files(arguments)
    inputs = read_inputs(arguments)

    def run(on_event: OnEvent) -> Result:
        own = replace(options, on_event=on_event)
        if arguments.labels_in is not None:
            labels = read_labels(arguments.labels_in, inputs.names.n_points, inputs.names)
            about = inputs.instance(np.unique(labels).size)
            return certify_labels(about, labels, run_file=arguments.run_file, options=own)
        begun = time.perf_counter()
        instance = inputs.instance(arguments.n_clusters)
        try:
            with Signals(SIGNALS) as signals:
                method = heuristics.suited_method(instance)
                limit = None if options.time_limit is None else SEARCH_SHARE * options.time_limit
                settings = {"num_starts": 5} if method == "ipc-kmeans" else {}
                found, _ = _searched(
                    instance, method, replace(options, time_limit=limit), signals, signals.asked, **settings
                )  # fmt: skip
        except InfeasibleError as error:
            result = Result.refuted(instance, error, seconds=time.perf_counter() - begun, seed=options.seed)
            if arguments.run_file is None:
                return result
            with lazy.RunFile.create(arguments.run_file, instance, options.stored()) as file:
                return lazy.claimed(result, Writer(file, on_event), error)  # with the proof
        if found.labels is None:
            return replace(found, reason=Reason.INTERRUPTED if signals.asked() else Reason.TIME_LIMIT)
        spent = time.perf_counter() - begun
        left = None if options.time_limit is None else max(options.time_limit - spent, 0.0)
        return certify_labels(
            instance, found.labels, run_file=arguments.run_file, options=replace(own, time_limit=left)
        )  # fmt: skip

    return logged(run, arguments, inputs, append=False)


def resume(arguments: argparse.Namespace) -> int:
    """Go on where a stopped or killed run left off."""
    refuse_missing(Path(arguments.run_file))  # before kernels are compiled
    check_files(arguments)

    def run(on_event: OnEvent) -> Result:
        own = Options(node_limit=arguments.node_limit, on_event=on_event)
        return resume_run(
            arguments.run_file, time_limit=arguments.time_limit, workers=arguments.workers, options=own
        )  # fmt: skip

    return logged(run, arguments, append=True)


def logged(
    run: Callable[[OnEvent], Result],
    arguments: argparse.Namespace,
    inputs: Inputs | None = None,
    instance: Instance | None = None,
    *,
    append: bool,
) -> int:
    """Run with the progress table and the log that the arguments ask for, and finish."""
    table = None if arguments.quiet else ProgressTable(sys.stderr)
    log = None if arguments.log is None else JsonLines(arguments.log, append=append)
    on_event = broadcast(table, log)
    try:
        if instance is not None:  # otherwise it is known later, and so is what it needs
            lazy.warm_up(notices(on_event), instance)
        with Signals(SIGNALS), safekeeping(arguments) as safe:  # from here on nothing is lost
            result = run(on_event)
            if log is not None:
                log.finish(result)
            failure = None if log is None else log.failure
            return finish(result, Destinations.of(arguments), inputs, log_failure=failure or "", safe=safe)
    finally:
        if log is not None:
            log.close()


#: The method unless another one suits the points, or where something is chosen of it.
USUAL = "s-mdeclust"
#: Arguments that choose something of a method.
CHOICES = ("variant", "criterion", "matching", "max_stall", "use_all_time")
#: Those that say where a method is to start.
STARTS = ("initial_labels", "initial_centers")


def heuristic(arguments: argparse.Namespace) -> int:
    """Find a good partition without a proof."""
    options = options_of(arguments)
    choices = _choices(arguments)
    check_files(arguments)
    if arguments.report is not None:
        require_plotly()
    inputs = read_inputs(arguments)
    events: list[Event] = []
    instance = inputs.instance(arguments.n_clusters)
    start, earlier = read_beginnings(arguments, inputs)
    if arguments.method is None:
        arguments.method = heuristics.suited_method(instance)
        if inputs.is_noted and arguments.method != USUAL:
            what = f"{number_of(instance.n_points, 'point')} and {number_of(instance.n_clusters, 'cluster')}"
            say(f"note: the method is {arguments.method}, which suits {what}; --method {USUAL} takes longer")
    table = ProgressTable(None if arguments.quiet else sys.stderr)
    notify = notices(table)
    heuristics.warm_up(instance, notify, arguments.method)
    begun = time.perf_counter()

    def on_improvement(found: Partition) -> None:
        source = heuristics.METHODS[arguments.method].source
        events.append(IncumbentFound(found.objective, source, time.perf_counter() - begun))

    settings: dict[str, Any] = choices if start is None else choices | {"start": start}
    with Signals(SIGNALS) as signals, safekeeping(arguments) as safe:  # from here on nothing is lost
        try:
            result, work = _searched(
                instance, arguments.method, options, signals, acknowledged(signals, notify), **settings,
                on_improvement=on_improvement, verbose=not arguments.quiet,
            )  # fmt: skip
        except InfeasibleError as error:
            result, work = Result.refuted(instance, error, seconds=time.perf_counter() - begun, seed=options.seed), {}
        if earlier is not None:
            result = result.matched_to(earlier)
        more = {"method": arguments.method, **choices, **work}
        status = finish(result, Destinations.of(arguments), inputs, more=more, safe=safe)
        if arguments.report is None:
            return status
        data = Source.of(arguments).file_name
        is_reported = is_written(lambda: VIEWS.write_report(arguments.report, result, events=events, data=data))
        return status if is_reported else ExitStatus.FAILURE


def _choices(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is chosen of the method; what it does not have is refused."""
    given = [name for name in (*CHOICES, *STARTS) if getattr(arguments, name) is not None]
    arguments.method = arguments.method or (USUAL if given else None)
    for name in given:
        option = "start" if name in STARTS else name
        known = [method for method, entry in heuristics.METHODS.items() if option in entry.options]
        refuse_unless_method(arguments, name, known)
    if arguments.use_all_time and arguments.time_limit is None:
        raise InputError("--use-all-time is about a time limit, but there is none; give the seconds with --time-limit")
    return {name: getattr(arguments, name) for name in given if name in CHOICES}


def _searched(
    instance: Instance, method: str, options: Options, signals: Signals, should_stop: Callable[[], bool], **more: Any
) -> tuple[Result, dict[str, int]]:
    """Return the result of a heuristic, and how much it did."""
    found = heuristics.run(
        instance, method, seed=options.seed, time_limit=options.time_limit, should_stop=should_stop,
        urgent=signals.urgent, **more,
    )  # fmt: skip
    result = found.result(instance, options.seed, was_interrupted=signals.asked())
    return result, asdict(found.record.work)
