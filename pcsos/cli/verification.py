"""The command ``verify``: check the claim of a run from its file alone."""

import argparse
import math
import textwrap
import time
from collections.abc import Callable
from typing import Any

from pcsos.cli.exit_status import ExitStatus
from pcsos.cli.inspection import plain
from pcsos.cli.instance_files import Inputs, read_inputs
from pcsos.cli.messages import is_watched, say, write
from pcsos.cli.rescue import show
from pcsos.cli.sources import KINDS
from pcsos.cli.values import written
from pcsos.exceptions import InputError
from pcsos.problem.conditions.distances import DistanceKeywords
from pcsos.problem.keywords import ConditionKeywords, KernelKeywords, PointKeywords
from pcsos.progress import USUAL_WIDTH
from pcsos.validation.signatures import options_of
from pcsos.verify import Verdict, VerificationError
from pcsos.verify import verify as verify_run

#: Seconds before progress is shown, and between two times it is.
SHOW_AFTER = 2.0
SHOW_EVERY = 0.5

#: What may be the matter where points are others.
OTHER_POINTS = "; give the options of the run about POINTS, too, such as --standardize, --ignore and --weights"


def verify(arguments: argparse.Namespace) -> int:
    """Check the claim of a finished run, and that it is about what is given."""
    compared = _what_to_compare(arguments)
    checks = Checks(is_shown=is_watched() and not arguments.quiet)
    try:
        verdict: Verdict = verify_run(
            arguments.run_file,
            **compared,
            n_clusters=arguments.n_clusters,
            gap=arguments.gap,
            workers=arguments.workers,
            on_step=checks,
        )
    except VerificationError as error:
        checks.clear()
        hint = OTHER_POINTS if "other points or weights" in str(error) else ""
        say(f"{arguments.run_file} is not verified: {error}{hint}")
        return ExitStatus.NOT_VERIFIED
    finally:
        checks.clear()
    figures = (
        ("status", verdict.status),
        ("points, clusters", f"{verdict.n_points}, {verdict.n_clusters}"),
        ("objective", plain(verdict.objective)),
        ("verified lower bound", plain(verdict.lower_bound)),
        ("gap asked for", f"{100.0 * verdict.gap_asked:.6g} %"),
        ("verified gap", "-" if verdict.gap is None else f"{100.0 * verdict.gap:.6f} %"),
        ("nodes", f"{verdict.num_nodes} ({verdict.num_open} left open)"),
    )
    text = checks.text + "".join(f"{name:21}{value}\n" for name, value in figures)
    if arguments.quiet or show(text):
        return ExitStatus.OPTIMAL
    return ExitStatus.FAILURE


class Checks:
    """What was checked: a text for the end, and a count that is shown while it takes long.

    Parameters
    ----------
    is_shown : bool
        Whether to show the count on standard error.
    clock : callable
        Seconds since some moment.
    """

    def __init__(self, is_shown: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.text = ""
        self._is_shown = is_shown
        self._clock = clock
        self._num_nodes = 0
        self._num_parts = 0
        self._begun = clock()
        self._shown_at = -math.inf

    def __call__(self, sentence: str) -> None:
        """Take note of a check; those of single nodes are only counted."""
        if sentence.startswith("node "):
            self._num_nodes += 1
        elif sentence.startswith("part "):
            self._num_parts += 1
        else:
            line = f"checked: {sentence}"
            self.text += textwrap.fill(line, USUAL_WIDTH, subsequent_indent=" " * 9, break_on_hyphens=False) + "\n"
        now = self._clock()
        if self._is_shown and now - self._begun >= SHOW_AFTER and now - self._shown_at >= SHOW_EVERY:
            self._shown_at = now
            parts = f", {self._num_parts} parts" if self._num_parts else ""
            write(f"\rpcsos: {self._num_nodes} closed nodes{parts} checked, {now - self._begun:.0f} s")

    def clear(self) -> None:
        """Make room where the count stood."""
        if self._shown_at > -math.inf:
            write("\r\x1b[K")
            self._shown_at = -math.inf


def _what_to_compare(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the run should be about: points or inner products, pairs, weights, conditions; or nothing."""
    if any(getattr(arguments, kind) is not None for kind in KINDS):
        inputs = read_inputs(arguments, is_noted=False)  # a doubt that matters ends as another run
        constraints, conditions = inputs.constraints, {}
        if inputs.has_conditions:
            if arguments.n_clusters is None:
                raise InputError("limits of clusters and soft pairs depend on the number of clusters; give -k, too")
            instance = inputs.instance(arguments.n_clusters)
            constraints, conditions = instance.constraints, instance.conditions
        must_link, cannot_link = (
            [(i, j) for i, j in pairs.tolist()] for pairs in (constraints.must_link, constraints.cannot_link)
        )
        pairs = {"constraints": (must_link, cannot_link), "conditions": conditions}
        return {**pairs, "weights": inputs.weights, **_numbers(inputs)}
    options = {
        "--constraints": arguments.constraints,
        **_given(arguments, DistanceKeywords),
        "--features": arguments.features or None,
        "--ignore": arguments.ignore or None,
        "--header": arguments.header or None,
        "--no-header": True if arguments.header is False else None,
        "--id": arguments.id_column,
        "--one-based": arguments.one_based or None,
        "--standardize": arguments.standardize or None,
        "--weights": arguments.weights,
        "--weights-column": arguments.weights_column,
        **_given(arguments, PointKeywords),
        **_given(arguments, ConditionKeywords),
        **_given(arguments, KernelKeywords),
    }
    given = next((option for option, value in options.items() if value is not None), None)
    if given is not None:
        raise InputError(f"{given} says nothing without --points; give the points too")
    return {}


def _given(arguments: argparse.Namespace, family: type[Any]) -> dict[str, Any]:
    """Return the values of the options that keywords of a family are, by how the options are written."""
    return {written(name): getattr(arguments, name) for name in options_of(family)}


def _numbers(inputs: Inputs) -> dict[str, Any]:
    """Return the points or the inner products that the run should be about."""
    table, source = inputs.table.points, inputs.source
    if source.kind == "distances" or source.kernel is not None:
        return {"gram": source.products(table)}
    return {source.kind: table}
