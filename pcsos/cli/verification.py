"""The command ``verify``: check the claim of a run from its file alone."""

import argparse
from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.cli.inputs import KINDS, Inputs, read_inputs
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import show
from pcsos.verify import Verdict, VerificationError
from pcsos.verify import verify as verify_run
from pcsos.verify.command.words import NOTHING_GIVEN, Checks, read_by, summary
from pcsos.verify.reading.text import is_watched, write

#: By which code that was read what the run is compared with.
OWN_READERS = (
    "points, weights, constraints, kernels and penalties given by pcsos's own readers (pcsos/io, pcsos/problem), as by "
    "the run itself; pcsos-verify loads nothing of these"
)

#: Options that say something without points.
WITHOUT_POINTS = {"-k", "--gap", "--workers", "--quiet", "--debug"}
#: What may be the matter where points are others.
OTHER_POINTS = "; give the options of the run about POINTS, too, such as --standardize, --ignore and --weights"


def verify(arguments: argparse.Namespace) -> int:
    """Check the claim of a finished run, and that it is about what is given."""
    compared = _what_to_compare(arguments)
    checks = Checks(write if is_watched() and not arguments.quiet else None)
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
    text = read_by(OWN_READERS if compared else NOTHING_GIVEN) + checks.text + summary(verdict)
    if arguments.quiet or show(text):
        return ExitStatus.OPTIMAL
    return ExitStatus.FAILURE


def _what_to_compare(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the run should be about: points or inner products, pairs, weights, conditions; or nothing."""
    if any(getattr(arguments, kind) is not None for kind in KINDS):
        inputs = read_inputs(arguments, is_noted=False)  # a doubt that matters ends as another run
        constraints, conditions = inputs.constraints, {}
        if inputs.beside_pairs:
            if arguments.n_clusters is None:
                raise InputError("limits of clusters and soft pairs depend on the number of clusters; give -k, too")
            instance = inputs.instance(arguments.n_clusters)
            constraints, conditions = instance.constraints, instance.asked.to_dict()
        must_link, cannot_link = (
            [(i, j) for i, j in pairs.tolist()] for pairs in (constraints.must_link, constraints.cannot_link)
        )
        pairs = {"constraints": (must_link, cannot_link), "conditions": conditions}
        return {**pairs, "weights": inputs.weights, **_numbers(inputs)}
    about_points = [option for option in arguments.given if option not in WITHOUT_POINTS]
    if about_points:
        raise InputError(f"{about_points[0]} says nothing without --points; give the points too")
    return {}


def _numbers(inputs: Inputs) -> dict[str, Any]:
    """Return the points or the inner products that the run should be about, and how far points may be off a file."""
    table, source = inputs.table.points, inputs.source
    if source.kind == "distances" or source.kernel is not None:
        return {"gram": source.products(table)}
    return {source.kind: table, "off": inputs.table.off() if source.has_coordinates else 0.0}
