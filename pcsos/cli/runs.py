"""The commands that prove: ``solve``, ``certify`` and ``resume``; and what each of them does around it."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pcsos import heuristics, lazy
from pcsos.base.control.signals import Signals
from pcsos.base.events import OnEvent, notices
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import Inputs, read_earlier, read_inputs, read_start
from pcsos.cli.outputs import Destinations, check_files, safekeeping
from pcsos.cli.results import finish, infeasible
from pcsos.evidence.result import Reason, Result, Status
from pcsos.io.labels import read_labels
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.report.progress import JsonLines, ProgressTable, broadcast
from pcsos.search.journal import Writer
from pcsos.solving import certify as certify_labels
from pcsos.solving import resume as resume_run
from pcsos.solving import solve as solve_instance
from pcsos.verify.reading.database import refuse_missing

#: Options that have an argument of the same name.
SETTINGS = ("gap", "time_limit", "node_limit", "workers", "seed", "engine", "ilp")


def solve(arguments: argparse.Namespace) -> int:
    """Find the optimal partition and prove it."""
    options = Options(**{name: getattr(arguments, name) for name in SETTINGS})
    check_files(arguments)
    inputs = read_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    start, earlier = read_start(arguments, inputs), read_earlier(arguments, inputs)

    def run(on_event: OnEvent) -> Result:
        own = replace(options, on_event=on_event)
        result = solve_instance(instance, start=start, run_file=arguments.run_file, options=own)
        return result if earlier is None else result.matched_to(earlier)

    return logged(run, arguments, inputs, instance, append=False)


#: Share of the time limit that may go into finding a partition, where none is given.
SEARCH_SHARE = 0.25


def certify(arguments: argparse.Namespace) -> int:
    """Bound how far a partition is from the best one."""
    options = Options(
        arguments.gap, arguments.time_limit, None, arguments.workers, arguments.seed, block_size=arguments.block_size
    )
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
            with Signals() as signals:
                found = _find(instance, options, signals)
        except InfeasibleError as error:
            result = infeasible(instance, error, begun, options.seed)
            if arguments.run_file is None:
                return result
            with lazy.RunFile.create(arguments.run_file, instance, options.stored()) as file:
                return lazy.claimed(result, Writer(file, on_event), error)  # with the proof
        if isinstance(found, Result):
            return found
        spent = time.perf_counter() - begun
        left = None if options.time_limit is None else max(options.time_limit - spent, 0.0)
        return certify_labels(
            instance, found.labels, run_file=arguments.run_file, options=replace(own, time_limit=left)
        )  # fmt: skip

    return logged(run, arguments, inputs, append=False)


def _find(instance: Instance, options: Options, signals: Signals) -> Partition | Result:
    """Return a good partition, or the result of having found none."""
    method = heuristics.suited_method(instance)
    settings: dict[str, Any] = {"num_starts": 5} if method == "ipc-kmeans" else {}
    limit = None if options.time_limit is None else SEARCH_SHARE * options.time_limit
    begun = time.perf_counter()
    partition, record = heuristics.run(
        instance,
        method,
        seed=options.seed,
        time_limit=limit,
        should_stop=signals.asked,
        urgent=signals.urgent,
        **settings,
    )
    if partition is not None:
        return partition
    reason = Reason.INTERRUPTED if signals.asked() else Reason.TIME_LIMIT
    seconds = time.perf_counter() - begun
    return Result.of(instance, Status.UNKNOWN, reason, seconds=seconds, seed=options.seed, message=record.message)


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
        with Signals(), safekeeping(arguments) as safe:  # from here on nothing is lost
            result = run(on_event)
            if log is not None:
                log.finish(result)
            failure = None if log is None else log.failure
            return finish(result, Destinations.of(arguments), inputs, log_failure=failure or "", safe=safe)
    finally:
        if log is not None:
            log.close()
