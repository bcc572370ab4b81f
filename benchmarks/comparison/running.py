"""Measuring: the cases of both sides in fresh processes, in turn, so that what drifts meets both alike."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.case import Row
from benchmarks.comparison.sample import Sampled
from benchmarks.comparison.trees import PACKAGE, Side
from benchmarks.load import Beside
from benchmarks.process import run_process
from benchmarks.runner import THREADS

CHILD = Path(__file__).with_name("child.py")
#: Seconds after which a case is killed; the first run of a case compiles kernels, too.
TIME_LIMIT = 600.0


@dataclass(frozen=True)
class Measured:
    """One run of one case.

    Parameters
    ----------
    case, letter : str
        What ran, on which side.
    row : dict
        ``outcome``; where that is done, ``seconds``, ``cpu_seconds``, ``peak_mb`` and what was ``found``; where it is
        not, mostly ``error``.
    beside : float or None
        Mean number of cores that were busy with other work.
    """

    case: str
    letter: str
    row: Row
    beside: float | None

    @property
    def is_done(self) -> bool:
        """Whether the case ended by itself."""
        return bool(self.row["outcome"] == "done")


def in_turn(n_cases: int, rounds: int) -> Iterator[tuple[int, int, int]]:
    """Return round, case and side in the order of the runs.

    The sides of a case follow each other at once; whichever went first goes second in the next case, and in the next
    round of the same case.

    Examples
    --------
    >>> "".join("AB"[side] for _, _, side in in_turn(1, 4))
    'ABBAABBA'
    """
    for number in range(rounds):
        for case in range(n_cases):
            first = (number + case) % 2
            yield number, case, first
            yield number, case, 1 - first


def compared(
    sides: Sequence[Side], cases: Sequence[Sampled], rounds: int, say: Callable[[str], None]
) -> list[Measured]:
    """Run every case once on both sides without counting it, then in turn what ran on both, and return the counted.

    A run that fails where it does not count is returned as well, and not tried again.
    """
    failed: list[Measured] = []
    for number, case in enumerate(cases, start=1):
        say(f"before the first round: {case.name} ({number} of {len(cases)})")
        failed += [run for run in (measured(side, case) for side in sides) if not run.is_done]
    running = [case for case in cases if case.name not in {run.case for run in failed}]
    counted: list[Measured] = []
    for number, which, side in in_turn(len(running), rounds):
        if len(counted) == 2 * number * len(running):
            say(f"round {number + 1} of {rounds}")
        counted.append(measured(sides[side], running[which]))
    return failed + counted


def measured(side: Side, case: Sampled) -> Measured:
    """Run one case on one side in a fresh process, with one BLAS thread."""
    room = side.room(case.name)
    beside = Beside()
    row = run_process(
        [sys.executable, "-P", str(CHILD)],
        {"kind": case.kind, "arguments": case.arguments, "folder": str(room)},
        TIME_LIMIT,
        environment=os.environ | THREADS | side.environment,
        folder=room,
    )
    if row["outcome"] == "done" and not Path(row["package"]).is_relative_to(side.tree / PACKAGE):
        row = {"outcome": "failed", "error": f"ran the {PACKAGE} in {Path(row['package']).parent} instead"}
    return Measured(case.name, side.letter, row, beside.cores())
