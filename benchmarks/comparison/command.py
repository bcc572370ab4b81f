"""``python -m benchmarks compare A B``: whether a change made pcsos faster or slower, and whether it finds the same."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.comparison.intervals import FEWEST_ROUNDS
from benchmarks.comparison.report import CLAIMED, Comparison, report
from benchmarks.comparison.running import compared
from benchmarks.comparison.sample import SAMPLE, Sampled, sample
from benchmarks.comparison.trees import RefusedError, unpacked
from benchmarks.data import folder

WORSE, REFUSED, INTERRUPTED = 1, 2, 130


def add_parser(subparsers: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = subparsers.add_parser(
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
    command.add_argument("--data", type=folder, help="folder of all data: published instances are compared, too")
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
    """Unpack both sides, measure them, and print the report."""
    cases = chosen(options.sample, options.data)
    if options.rounds < FEWEST_ROUNDS:
        raise RefusedError(f"--rounds is {options.rounds}; give {FEWEST_ROUNDS} or more")
    if options.rounds % 2:
        raise RefusedError(f"--rounds is {options.rounds}; give an even number, so that each side is first as often")
    if options.fail_above is not None and not options.fail_above > 0.0:
        raise RefusedError(f"--fail-above is {options.fail_above}; give a ratio such as 1.1")
    with tempfile.TemporaryDirectory(prefix="pcsos-compare-") as folder:
        sides = [
            unpacked(letter, revision, Path(folder).resolve())
            for letter, revision in (("A", options.a), ("B", options.b))
        ]
        print("\n".join(f"{side.letter}: {side.shown}" for side in sides), flush=True)
        comparison = Comparison(compared(sides, cases, options.rounds, say))
    print(f"\n{report(comparison)}")
    return comparison


def chosen(names: list[str] | None, data: Path | None) -> list[Sampled]:
    """Return the cases of these names, or all.

    Raises
    ------
    RefusedError
        If there is no case of a name.
    """
    cases = sample(data)
    unknown = set(names or ()) - {case.name for case in cases}
    if unknown:
        raise RefusedError(f"there is no case {min(unknown)!r}; there are {', '.join(case.name for case in cases)}")
    return [case for case in cases if not names or case.name in names]


def status(options: argparse.Namespace, comparison: Comparison) -> int:
    """Return the exit status of a comparison."""
    mean = comparison.mean("seconds")
    if mean is None or comparison.broken() or comparison.is_changed(CLAIMED):
        return WORSE
    return WORSE if options.fail_above is not None and mean.low > options.fail_above else 0


def say(sentence: str) -> None:
    """Tell on standard error how far it is."""
    print(sentence, file=sys.stderr, flush=True)
