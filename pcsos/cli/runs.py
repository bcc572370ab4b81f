"""The commands that prove: ``solve`` and ``resume``; and what every command that proves does around it."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pcsos import lazy
from pcsos.base.control.signals import Signals
from pcsos.base.events import OnEvent, notices
from pcsos.cli.inputs import Inputs, beginning_files, input_files, read_earlier, read_inputs, read_start
from pcsos.cli.outputs import Destinations, check_destinations, safekeeping
from pcsos.cli.results import finish
from pcsos.evidence.result import Result
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.report.progress import JsonLines, ProgressTable, broadcast
from pcsos.solving import resume as resume_run
from pcsos.solving import solve as solve_instance
from pcsos.verify.reading.database import refuse_missing

#: Options that have an argument of the same name.
SETTINGS = ("gap", "time_limit", "node_limit", "workers", "seed", "engine", "ilp")


def solve(arguments: argparse.Namespace) -> int:
    """Find the optimal partition and prove it."""
    options = Options(**{name: getattr(arguments, name) for name in SETTINGS})
    check_destinations(arguments, input_files(arguments) | beginning_files(arguments))
    inputs = read_inputs(arguments)
    instance = inputs.instance(arguments.n_clusters)
    start, earlier = read_start(arguments, inputs), read_earlier(arguments, inputs)

    def run(on_event: OnEvent) -> Result:
        own = replace(options, on_event=on_event)
        result = solve_instance(instance, start=start, run_file=arguments.run_file, options=own)
        return result if earlier is None else result.matched_to(earlier)

    return logged(run, arguments, inputs, instance, append=False)


def resume(arguments: argparse.Namespace) -> int:
    """Go on where a stopped or killed run left off."""
    refuse_missing(Path(arguments.run_file))  # before kernels are compiled
    check_destinations(arguments, {"RUN_FILE": arguments.run_file})

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
