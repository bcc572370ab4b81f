"""Kill a run with SIGKILL at a random moment, resume it, and compare with a run that was left alone.

The tree is made to branch by few rounds of cutting planes a node, so that there is something to resume.
"""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos.events import Event, NodeClosed
from pcsos.generate import constraints_from_labels, gaussian_mixture
from pcsos.run_file import RunFile

COLUMNS = ("kill_after", "nodes", "nodes_before", "solved_twice", "same_objective", "same_bound", "same_status")
REPETITIONS = 200
ROUNDS = 2

#: The killed process: an instance by its seed, and the path of the run file.
SCRIPT = """
import sys
from benchmarks.suites import kill
kill.solve(int(sys.argv[1]), sys.argv[2])
"""


def cases(settings: Settings) -> list[Case]:
    """Return one case a repetition; five instances take turns."""
    return [Case(f"kill-{number:04d}", {}, {"number": number}) for number in range(REPETITIONS)]


def solve(seed: int, run_file: str | None) -> pcsos.Result:
    """Solve the instance of this seed with few rounds a node."""
    _few_rounds()
    points, labels = gaussian_mixture(90, 2, 4, separation=2.0, seed=seed)
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=10, n_cannot_link=20, seed=seed)
    return pcsos.solve(points, 4, must_link=must_link, cannot_link=cannot_link, gap=1e-6, workers=2, run_file=run_file)


def run(number: int, **options: Any) -> Row:
    """Kill one run and resume it."""
    seed = number % 5
    begun = time.perf_counter()
    expected = solve(seed, None)
    lasts = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "killed.run"
        # The child needs about two seconds to start; the moment is drawn over its whole life.
        delay = float(np.random.default_rng(number).uniform(0.5, 3.0 + lasts))
        _solve_and_kill(seed, path, delay)
        before = _nodes_in(path)
        again: list[int] = []
        result = _resume(path, again) if before is not None else solve(seed, str(path))
    return {
        "kill_after": round(delay, 3),
        "nodes": result.nodes,
        "nodes_before": None if before is None else len(before),
        "solved_twice": len(set(again) & (before or set())),
        "same_objective": result.objective == expected.objective,
        "same_bound": result.lower_bound == expected.lower_bound,
        "same_status": result.status == expected.status,
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return the counts."""
    done = [row for row in rows if row["outcome"] == "done"]
    lines = [
        ("runs killed and resumed", len(done)),
        ("failed", len(rows) - len(done)),
        ("killed before the run file existed", sum(row["nodes_before"] is None for row in done)),
        ("killed in the middle of the tree", sum(0 < (row["nodes_before"] or 0) < row["nodes"] for row in done)),
        ("nodes solved twice", sum(row["solved_twice"] for row in done)),
        *((f"{key.replace('_', ' ')}", sum(row[key] == "True" for row in done)) for key in COLUMNS[-3:]),
    ]
    return table(("what", "number"), lines)


def _few_rounds() -> None:
    from pcsos.tree import bounding

    bounding.ROOT_ROUNDS = bounding.NODE_ROUNDS = ROUNDS


def _solve_and_kill(seed: int, path: Path, delay: float) -> None:
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, str(seed), str(path)])
    try:
        child.wait(delay)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.wait()


def _nodes_in(path: Path) -> set[int] | None:
    """Return the nodes that a run file holds; None if the run was killed before it had been written."""
    if not path.exists():
        return None
    try:
        with RunFile.open(path) as file:
            return {record.node for record in file.records()}
    except pcsos.RunFileError:
        path.unlink()
        return None


def _resume(path: Path, closed: list[int]) -> pcsos.Result:
    def on_event(event: Event) -> None:
        if isinstance(event, NodeClosed):
            closed.append(event.node)

    _few_rounds()
    return pcsos.resume(path, workers=2, on_event=on_event)
