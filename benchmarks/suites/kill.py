"""Kill a run with SIGKILL at random moments, resume it each time, and compare with a run that was left alone.

The tree is made to branch by few rounds of cutting planes a node and no prices, so that there is something to resume.
A run is a process that already has the kernels, so that kills fall into the solve; it is killed and resumed until it
ends by itself. The run that was left alone writes a run file, too: with one, a bound is what the file proves, which may
differ in its last place from what is known without one.
"""

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos.base.events import Event, NodeClosed
from pcsos.evidence.closings import OpenClosing
from pcsos.evidence.run_file import RunFile
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.params import Params, PriceParams, TreeParams
from pcsos.verify.reading.database import holds_nothing

SAME = ("same_objective", "same_bound", "same_status")
COLUMNS = ("kills", "kills_before_file", "kills_in_tree", "nodes", "solved_twice", *SAME)
INSTANCES = 300
BRANCHING = Params(tree=TreeParams(root_rounds=2, node_rounds=2), prices=PriceParams(features_up_to=0))


def cases(settings: Settings) -> list[Case]:
    """Return one case an instance."""
    return [Case(f"kill-{number:04d}", {}, {"number": number}) for number in range(INSTANCES)]


def run(number: int, **options: Any) -> Row:
    """Kill and resume the solve of one instance until it ends."""
    solve(number, None)  # loads the compiled kernels
    rng = np.random.default_rng(number)
    kills = before_file = in_tree = twice = 0
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        expected = solve(number, str(Path(folder) / "alone.run"))
        lasts = time.perf_counter() - begun
        path = Path(folder) / "killed.run"
        while True:
            stored = _nodes_in(path)
            killed, closed = _live(number, path, float(rng.uniform(0.0, lasts)))
            now = _nodes_in(path)
            _refuse_loss(stored, closed, now)
            twice += len(closed & (stored or set()))
            if not killed:
                break
            kills += 1
            before_file += now is None
            in_tree += now is not None and 0 < len(now) < expected.nodes
        result = pcsos.resume(path)
    return {
        "kills": kills,
        "kills_before_file": before_file,
        "kills_in_tree": in_tree,
        "nodes": result.nodes,
        "solved_twice": twice,
        "same_objective": result.objective == expected.objective,
        "same_bound": result.lower_bound == expected.lower_bound,
        "same_status": result.status == expected.status,
    }


def solve(seed: int, run_file: str | None, on_event: Any = None) -> pcsos.Result:
    """Solve the instance of this seed."""
    points, labels = gaussian_mixture(90, 2, 4, separation=2.0, seed=seed)
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=10, n_cannot_link=20, seed=seed)
    return pcsos.solve(
        points,
        4,
        must_link=must_link,
        cannot_link=cannot_link,
        gap=1e-6,
        workers=2,
        params=BRANCHING,
        run_file=run_file,
        on_event=on_event,
    )


def report(rows: list[Row], settings: Settings) -> str:
    """Return the counts."""
    done = [row for row in rows if row["outcome"] == "done"]
    lines = [
        ("runs", len(done)),
        ("failed", len(rows) - len(done)),
        ("kills", sum(row["kills"] for row in done)),
        ("kills before the run file existed", sum(row["kills_before_file"] for row in done)),
        ("kills in the middle of the tree", sum(row["kills_in_tree"] for row in done)),
        ("nodes solved twice", sum(row["solved_twice"] for row in done)),
        *((f"runs with the {key.replace('_', ' ')}", sum(row[key] == "True" for row in done)) for key in SAME),
    ]
    return table(("what", "number"), lines)


def _live(seed: int, path: Path, seconds: float) -> tuple[bool, set[int]]:
    """Solve or resume in a process of its own; return whether it had to be killed, and the nodes that it closed."""
    log = path.with_suffix(".closed")
    log.write_text("")
    process = multiprocessing.get_context("fork").Process(target=_solve_or_resume, args=(seed, path, log))
    process.start()
    process.join(seconds)
    killed = process.is_alive()
    process.kill()
    process.join()
    if not killed and process.exitcode != 0:
        raise RuntimeError(f"the run ended with exit status {process.exitcode}")
    return killed, {int(node) for node in log.read_text().split()}


def _solve_or_resume(seed: int, path: Path, log: Path) -> None:
    with log.open("a", buffering=1) as stream:

        def on_event(event: Event) -> None:
            if isinstance(event, NodeClosed) and event.how != OpenClosing.how:
                stream.write(f"{event.node}\n")

        if _nodes_in(path) is None:
            solve(seed, str(path), on_event)
        else:
            pcsos.resume(path, workers=2, on_event=on_event)


def _nodes_in(path: Path) -> set[int] | None:
    """Return the nodes that a run file holds; None if the run was killed before anything had been written.

    Raises
    ------
    RunFileError
        If a kill has left a file that holds something else than a run.
    """
    if not path.exists() or holds_nothing(path):
        return None
    with RunFile.open(path) as file:
        return {record.node for record in file.records() if not isinstance(record.closing, OpenClosing)}


def _refuse_loss(before: set[int] | None, closed: set[int], now: set[int] | None) -> None:
    """Compare what was in the file, and what was announced since, with what is in it.

    Raises
    ------
    RuntimeError
        If the file has gone, or a node: it is written down before it is announced.
    """
    if before is not None and now is None:
        raise RuntimeError("a kill lost the run file")
    lost = ((before or set()) | closed) - (now or set())
    if lost:
        raise RuntimeError(f"closed nodes are not in the run file: {sorted(lost)}")
