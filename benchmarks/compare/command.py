"""``python -m benchmarks compare A B``: whether a change made pcsos faster or slower, and whether it finds the same."""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.compare.report import FEWEST_ROUNDS, Comparison, report
from benchmarks.compare.runs import SAMPLE, compared
from benchmarks.compare.sides import RefusedError, unpacked

WORSE, REFUSED, INTERRUPTED = 1, 2, 130


def add_parser(commands: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = commands.add_parser(
        "compare",
        help="judge whether a change made pcsos faster or slower",
        description=__doc__,
        epilog="exit status: 0; 1 if B fails where A does not, has a status or an objective that A has in no round, or "
        "lies above --fail-above, and if no case runs on both sides; 2 for bad input; 130 when interrupted",
    )
    command.add_argument("a", metavar="A", help="revision to compare with; WORK is the working tree as it is")
    command.add_argument("b", metavar="B", nargs="?", default="HEAD", help="revision to judge (HEAD)")
    command.add_argument("--sample", nargs="+", metavar="NAME", help=f"of {', '.join(case.name for case in SAMPLE)}")
    command.add_argument("--rounds", type=int, default=6, metavar="R", help="runs of each case and side, even (6)")
    command.add_argument("--fail-above", type=float, metavar="X", help="exit with 1 if B / A is above X for certain")
    command.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Compare, print the report, and exit with the status that it has come to."""
    try:
        sys.exit(status(options, run(options)))
    except RefusedError as error:
        print(f"compare: {error}", file=sys.stderr)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        print("compare: interrupted, nothing is kept", file=sys.stderr)
        sys.exit(INTERRUPTED)


def run(options: argparse.Namespace) -> Comparison:
    """Unpack both sides, measure them, and print the report.

    Raises
    ------
    RefusedError
        If what is asked for cannot be compared.
    """
    names = [case.name for case in SAMPLE]
    unknown = set(options.sample or ()) - set(names)
    if unknown:
        raise RefusedError(f"there is no case {min(unknown)!r}; there are {', '.join(names)}")
    if options.rounds < FEWEST_ROUNDS or options.rounds % 2:
        raise RefusedError(f"--rounds is {options.rounds}; give an even number, so that each side is first as often")
    if options.fail_above is not None and not options.fail_above > 0.0:
        raise RefusedError(f"--fail-above is {options.fail_above}; give a ratio such as 1.1")
    cases = [case for case in SAMPLE if not options.sample or case.name in options.sample]
    with tempfile.TemporaryDirectory(prefix="pcsos-compare-") as folder:
        revisions = {"A": options.a, "B": options.b}
        sides = [unpacked(letter, revision, Path(folder).resolve()) for letter, revision in revisions.items()]
        print("\n".join(f"{side.letter}: {side.shown}" for side in sides), flush=True)
        say = partial(print, file=sys.stderr, flush=True)
        comparison = Comparison(compared(sides, cases, options.rounds, say))
    print(f"\n{report(comparison)}")
    return comparison


def status(options: argparse.Namespace, comparison: Comparison) -> int:
    """Return the exit status of a comparison."""
    mean = comparison.mean("seconds")
    if mean is None or comparison.is_worse():
        return WORSE
    return WORSE if options.fail_above is not None and mean.low > options.fail_above else 0
