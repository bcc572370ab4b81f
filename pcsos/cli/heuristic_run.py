"""The command ``heuristic``: a good partition without a proof."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from pcsos import heuristics
from pcsos.base.control.signals import Signals, acknowledged
from pcsos.base.control.stop import OUT_OF_TIME, REQUESTED
from pcsos.base.events import Event, IncumbentFound, notices
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.cli.inputs import Source, read_earlier, read_inputs, read_start
from pcsos.cli.messages import ExitStatus
from pcsos.cli.outputs import Destinations, check_files, is_written, safekeeping
from pcsos.cli.results import finish, infeasible
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.report import require_plotly, write_report
from pcsos.report.progress import ProgressTable

#: Arguments that choose something of a method.
CHOICES = ("variant", "criterion", "matching", "max_stall", "use_all_time")
#: Those that say where a method is to start.
STARTS = ("initial_labels", "initial_centers")


def heuristic(arguments: argparse.Namespace) -> int:
    """Find a good partition without a proof."""
    options = Options(time_limit=arguments.time_limit, seed=arguments.seed)
    choices = _choices(arguments)
    check_files(arguments)
    if arguments.report is not None:
        require_plotly()
    inputs = read_inputs(arguments)
    events: list[Event] = []
    instance = inputs.instance(arguments.n_clusters)
    start, earlier = read_start(arguments, inputs), read_earlier(arguments, inputs)
    table = ProgressTable(None if arguments.quiet else sys.stderr)
    notify = notices(table)
    heuristics.warm_up(instance, notify, arguments.method)
    settings: dict[str, Any] = choices if start is None else choices | {"start": start}
    with Signals() as signals, safekeeping(arguments) as safe:  # from here on nothing is lost
        search = partial(
            heuristics.run, instance, **settings, seed=options.seed,
            time_limit=options.time_limit, should_stop=acknowledged(signals, notify), urgent=signals.urgent,
            verbose=not arguments.quiet,
        )  # fmt: skip
        result, work = _result(search, instance, arguments.method, options.seed, events, signals)
        if earlier is not None:
            result = result.matched_to(earlier)
        status = finish(result, Destinations.of(arguments), inputs, more={**choices, **work}, safe=safe)
        return status if arguments.report is None or _is_reported(arguments, result, events) else ExitStatus.FAILURE


def _is_reported(arguments: argparse.Namespace, result: Result, events: list[Event]) -> bool:
    """Write the page, and tell whether that was possible."""
    data = Source.of(arguments).file_name
    return is_written(lambda: write_report(arguments.report, result, events=events, data=data))


def _choices(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the method and what is chosen of it.

    Raises
    ------
    InputError
        If something is chosen that the method does not have.
    """
    given = [name for name in (*CHOICES, *STARTS) if getattr(arguments, name) is not None]
    for name in given:
        option = "start" if name in STARTS else name
        known = [method for method, entry in heuristics.METHODS.items() if option in entry.options]
        if arguments.method not in known:
            raise InputError(
                f"--{name.replace('_', '-')} is for the method {' or '.join(known)}, but the method is "
                f"{arguments.method}; leave it out, or give another --method"
            )
    if arguments.use_all_time and arguments.time_limit is None:
        raise InputError("--use-all-time is about a time limit, but there is none; give the seconds with --time-limit")
    return {"method": arguments.method, **{name: getattr(arguments, name) for name in given if name in CHOICES}}


def _result(
    search: Callable[..., "heuristics.HeuristicResult"],
    instance: Instance,
    method: str,
    seed: int,
    events: list[Event],
    signals: Signals,
) -> tuple[Result, dict[str, int]]:
    """Return the result of a heuristic, and how much it did; its incumbents are added to the events."""
    begun = time.perf_counter()

    def on_improvement(found: Partition) -> None:
        events.append(IncumbentFound(found.objective, heuristics.METHODS[method].source, time.perf_counter() - begun))

    try:
        partition, record = search(on_improvement=on_improvement)
    except InfeasibleError as error:
        return infeasible(instance, error, begun, seed), {}
    is_ended = partition is not None and record.message in (OUT_OF_TIME, REQUESTED)
    result = Result.of(
        instance,
        Status.UNKNOWN if partition is None else Status.FEASIBLE,
        Reason.of_heuristic(record.message, was_interrupted=signals.asked()),
        partition,
        n_super_points=record.n_super_points,
        seconds=time.perf_counter() - begun,
        seed=seed,
        message="" if is_ended else record.message,
    )
    return result, asdict(record.work)
