"""What a run file holds: the command ``report`` writes it as a page, and ``info`` shows what the run claims."""

import argparse
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from pcsos import lazy
from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InputError
from pcsos.cli.messages import ExitStatus, say, telling
from pcsos.cli.outputs import check_files, deliver
from pcsos.evidence.result import CertainPairs, Result
from pcsos.evidence.result.words import VIEWS, whole_percent
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.io.outputs import check_outputs
from pcsos.io.source import LONGEST_MAGIC, kind_of
from pcsos.problem.options import CERTAIN_SECONDS
from pcsos.report.contents import of_run_file
from pcsos.report.page import write_page
from pcsos.report.plot import require_plotly
from pcsos.report.write import result_page


def report(arguments: argparse.Namespace) -> int:
    """Write the page of a run; what the checker refuses is shown as refused."""
    require_plotly()
    check_files(arguments)
    so_far: list[CertainPairs] = []
    limit = CERTAIN_SECONDS if arguments.time_limit is None else arguments.time_limit
    with nullcontext() if arguments.certain is None else _telling(so_far, "reading and checking the run"):
        contents = of_run_file(
            arguments.run_file, verify=arguments.verify, workers=arguments.workers, certain=arguments.certain,
            certain_seconds=limit, on_progress=so_far.append,
        )  # fmt: skip
        write_page(arguments.output, result_page(contents))
    check = contents.check
    if check is not None and check.verdict is None:
        say(f"{arguments.run_file} is not verified: {check.refusal}")
        return ExitStatus.NOT_VERIFIED
    return ExitStatus.OPTIMAL


def _telling(so_far: list[CertainPairs], before: str, hint: str = "") -> AbstractContextManager[None]:
    """Say now and then how many pairs are certain, and something else before any are looked at."""

    def progress() -> str:
        if not so_far:
            return before
        return f"{so_far[-1].num_certain} of {so_far[-1].num_pairs} pairs are certain so far{hint}"

    return telling(progress)


#: Options that say something about a run file, which has the points already.
OF_RUNS = {"--certain", "--time-limit", "--json", "--quiet", "--debug"}
#: Figures of a claim that are shown.
SHOWN = (
    *("status", "reason", "objective", "lower_bound", "gap", "n_points", "n_features", "n_clusters"),
    *("n_super_points", "n_must_link", "n_cannot_link", "n_soft_pairs", "penalty", "limits", "gram_error"),
    *("nodes", "seconds", "seed"),
)


def is_run_file(path: str) -> bool:
    """Tell whether a file is a database; one that cannot be read is none, nor is a pipe."""
    if os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as file:
            return kind_of(file.read(LONGEST_MAGIC)) == "run file"
    return False


def describe_run(arguments: argparse.Namespace) -> int:
    """Show what a run claims, and what is certain about its pairs if that is asked for."""
    if not OF_RUNS.issuperset(arguments.given):
        raise InputError(f"{arguments.points} is a run file, which has points and k; leave out what is about POINTS")
    check_outputs({"--json": arguments.json}, {"RUN_FILE": arguments.points})
    result, digest = _claim(arguments.points)
    figures: dict[str, Any] = {name: value for name, value in result.to_dict().items() if name in SHOWN}
    figures["digest"] = digest
    if arguments.certain is not None:
        figures["certain"] = _certain(result, arguments)
    shown = figures | {"limits": result.instance.limits}
    if "certain" in figures:
        shown |= _of_certain(figures["certain"])
    rows = {name: value for name, value in shown.items() if name != "certain" and value is not None}
    return ExitStatus.OPTIMAL if deliver(figures, figures_text(rows), arguments.json) else ExitStatus.FAILURE


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
    if result.partition is None:
        raise InputError(f"the run has no partition to compare others with: its status is {result.status}")
    so_far: list[CertainPairs] = []
    hint = " (Ctrl-C leaves the rest undecided)"
    tell = nullcontext() if arguments.quiet else _telling(so_far, f"comparing partitions{hint}", hint)
    with Signals(SIGNALS) as signals, tell:
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


def figures_text(figures: dict[str, Any], more: Sequence[tuple[str, str]] = ()) -> str:
    """Return figures for people, and further rows."""
    rows = [(name.replace("_", " "), plain(value)) for name, value in figures.items()]
    rows += more
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {value}\n" for name, value in rows)


def plain(value: Any) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(plain, value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
