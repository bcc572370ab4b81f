"""The sample of cases, and their runs on both sides: in fresh processes, in turn, so that what drifts meets both."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.case import Row
from benchmarks.clock import Beside
from benchmarks.compare.sides import PACKAGE, Side
from benchmarks.process import run_process
from benchmarks.repository import ROOT
from benchmarks.runner import THREADS

CHILD = Path(__file__).with_name("child.py")
INSTANCES = ROOT / "instances"
#: Seconds after which a case is killed; the first run of a case compiles kernels, too.
TIME_LIMIT = 600.0
ONE_WORKER = {"workers": 1}


class Sampled(NamedTuple):
    """One case of the sample: its name, one of :data:`benchmarks.compare.child.KINDS`, and what that takes."""

    name: str
    kind: str
    arguments: dict[str, Any]


class Measured(NamedTuple):
    """One run of one case on a side: its row, and how many cores were busy with other work."""

    case: str
    letter: str
    row: Row
    beside: float | None

    @property
    def is_done(self) -> bool:
        """Whether the case ended by itself."""
        return bool(self.row["outcome"] == "done")


def kept(name: str, n_clusters: int, constraints: str = "", **conditions: Any) -> dict[str, Any]:
    """Return an instance whose points, and pairs, are in the files of this repository."""
    pairs = {"constraints": str(INSTANCES / "constraints" / constraints)} if constraints else {}
    return {"points": str(INSTANCES / "points" / name), "n_clusters": n_clusters} | pairs | conditions


def drawn(n: int, d: int, k: int, separation: float, seed: int) -> dict[str, Any]:
    """Return an instance whose points are drawn from as many Gaussians as there are clusters."""
    return {"drawn": [n, d, separation, seed], "n_clusters": k}


BRANCHING = [drawn(40, 4, 5, 1.0, seed) for seed in range(6)]
PAIRS = [
    kept("iris.csv", 3, "iris-both.txt"),
    kept("wine.txt", 3, "wine-both.txt"),
    kept("digits.csv", 4, "digits-both.txt"),
    kept("breast_cancer.txt", 2, "breast_cancer-both.txt"),
    kept("overlap.txt", 4, "overlap-both.txt"),
]
SIZES = [kept("iris.csv", 3, size_min=least, size_max=100 - least) for least in (50, 48, 45)]
#: Each takes a few seconds, so that one round is half a minute a side.
SAMPLE = (
    Sampled("pairs", "solve", {"instances": PAIRS} | ONE_WORKER),
    Sampled("branching", "solve", {"instances": BRANCHING} | ONE_WORKER),
    Sampled(
        "plane", "solve", {"instances": [drawn(2000, 2, 5, 9.0, seed) for seed in range(3)], "gap": 1e-3} | ONE_WORKER
    ),
    Sampled("sizes", "solve", {"instances": SIZES} | ONE_WORKER),
    Sampled("blocks", "certify", {"instances": [drawn(3000, 4, 10, 12.0, 0)], "gap": 1e-2} | ONE_WORKER),
    Sampled("heuristic", "heuristic", {"instances": [drawn(3000, 5, 10, 4.0, 1)], "method": "s-mdeclust"}),
    Sampled("verification", "verify", {"instances": BRANCHING, "times": 10} | ONE_WORKER),
    Sampled("start", "start", {"arguments": ["--version"], "times": 10}),
)


def in_turn(n_cases: int, rounds: int) -> Iterator[tuple[int, int, int]]:
    """Return round, case and side in the order of the runs.

    The sides of a case follow each other at once; the one that went first goes second in the next case, and in the
    next round of the same case.

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
    room = side.folder / "cases" / case.name
    room.mkdir(parents=True, exist_ok=True)
    beside = Beside()
    given = {"kind": case.kind, "arguments": case.arguments, "folder": str(room)}
    environment = os.environ | THREADS | side.environment
    row = run_process([sys.executable, "-P", str(CHILD)], given, TIME_LIMIT, environment, room)
    if row["outcome"] == "done" and not Path(row["package"]).is_relative_to(side.tree / PACKAGE):
        row = {"outcome": "failed", "error": f"ran the {PACKAGE} in {Path(row['package']).parent} instead"}
    return Measured(case.name, side.letter, row, beside.cores())
