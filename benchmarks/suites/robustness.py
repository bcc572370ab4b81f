"""Runs that are killed, interrupted, or handed out: nothing is lost, all ends soon, and the bound is the same.

``kill/`` kills a solve at random moments with SIGKILL, resumes it each time, and compares it with one that was left
alone; few rounds of cutting planes a node and no prices let it branch, so that there is something to resume. A run is a
process that already has the kernels, so that kills fall into the solve. ``interrupt/`` asks a run of the program on
5,000 points to end, by one signal, by two, or by a time limit; ending includes the end of all that it has started.
``executors/`` certifies one clustering by a pool of processes and by the workers of a Dask cluster here, in turn.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import pcsos
from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.instances import build
from benchmarks.machine import num_cores, process_fields
from benchmarks.rows import done, rows_of
from pcsos import heuristics
from pcsos.base.control.signals import STOPPING
from pcsos.base.events import Event, NodeClosed
from pcsos.evidence.kinds import Open
from pcsos.evidence.run_file import RunFile
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.params import Params, PriceParams, TreeParams
from pcsos.verify.reading.database import holds_nothing

SAME = ("same_objective", "same_bound", "same_status")
COLUMNS = (
    *("kills", "kills_before_file", "kills_in_tree", "nodes", "solved_twice", *SAME),
    *("acknowledged_seconds", "ended_seconds", "status", "has_partition", "left_running"),
    *("executor", "n_blocks", "gap", "lower_bound", "seconds"),
)
SHOWN = ("name", *COLUMNS, "outcome", "error")
INSTANCES = 300
BRANCHING = Params(tree=TreeParams(root_rounds=2, node_rounds=2), prices=PriceParams(features_up_to=0))
POINTS, CLUSTERS = 5000, 5
MOMENTS, LIMITS = (2.0, 5.0, 20.0), (3.0, 20.0)
#: Seconds between the first and the second signal, where there is one.
BETWEEN = 0.5
EXECUTORS, REPEATS = ("pool", "dask"), 5
#: Points, variance of the centres, pairs, clusters and features: more of these than prices are tried with.
CERTIFIED = [5000, 2, 0, 5, 20]


def cases(data: Path | None) -> list[Case]:
    """Return an instance to be killed a case, each way and moment to end a run, and the repeats of both executors."""
    kills = [Case(f"kill/{number:04d}", {"number": number}) for number in range(INSTANCES)]
    ways = [(f"{signals}x", seconds, signals) for seconds in MOMENTS for signals in (1, 2)]
    ways += [("limit", seconds, 0) for seconds in LIMITS]
    interrupts = [
        Case(f"interrupt/{way}-{seconds:g}s-{pairs}cl", {"pairs": pairs, "seconds": seconds, "signals": signals})
        for pairs in (0, 2000)
        for way, seconds, signals in ways
    ]
    executors = [
        Case(f"executors/{name}/{repeat}", {"executor": name}, {"executor": name}, gap=5e-3)
        for repeat in range(REPEATS)
        for name in EXECUTORS
    ]
    return [*in_tiers(kills, every=6, quick=2), *in_tiers(interrupts), *in_tiers(executors)]


def run(
    number: int | None = None, executor: str | None = None, pairs: int = 0, seconds: float = 0.0, signals: int = 0,
    **options: Any,
) -> Row:  # fmt: skip
    """Run one case of the three kinds."""
    if number is not None:
        return killed(number)
    return interrupted(pairs, seconds, signals) if executor is None else handed_out(executor, **options)


def killed(number: int) -> Row:
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
            has_been_killed, closed = _live(number, path, float(rng.uniform(0.0, lasts)))
            now = _nodes_in(path)
            _refuse_loss(stored, closed, now)
            twice += len(closed & (stored or set()))
            if not has_been_killed:
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
    """Solve the instance of this seed; the run that is left alone has a run file, too, as that may move a bound."""
    points, labels = gaussian_mixture(90, 2, 4, separation=2.0, seed=seed)
    must, cannot = constraints_from_labels(labels, n_must_link=10, n_cannot_link=20, seed=seed)
    options = pcsos.Options(gap=1e-6, workers=2, params=BRANCHING, on_event=on_event)
    return pcsos.solve(points, 4, must_link=must, cannot_link=cannot, run_file=run_file, options=options)


def _live(seed: int, path: Path, seconds: float) -> tuple[bool, set[int]]:
    """Solve or resume in a process of its own; return whether it had to be killed, and the nodes that it closed."""
    log = path.with_suffix(".closed")
    log.write_text("")
    process = multiprocessing.get_context("fork").Process(target=_solve_or_resume, args=(seed, path, log))
    process.start()
    process.join(seconds)
    has_been_killed = process.is_alive()
    process.kill()
    process.join()
    if not has_been_killed and process.exitcode != 0:
        raise RuntimeError(f"the run ended with exit status {process.exitcode}")
    return has_been_killed, {int(node) for node in log.read_text().split()}


def _solve_or_resume(seed: int, path: Path, log: Path) -> None:
    with log.open("a", buffering=1) as stream:

        def on_event(event: Event) -> None:
            if isinstance(event, NodeClosed) and event.how != Open.kind:
                stream.write(f"{event.node}\n")

        if _nodes_in(path) is None:
            solve(seed, str(path), on_event)
        else:
            pcsos.resume(path, workers=2, options=pcsos.Options(on_event=on_event))


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
        return {record.node for record in file.records() if not isinstance(record.end, Open)}


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


def interrupted(pairs: int, seconds: float, signals: int) -> Row:
    """Run the program, and end it as the case says."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "points.npy", rng.standard_normal((POINTS, 2)))
        links = [rng.choice(POINTS, 2, replace=False) for _ in range(pairs)]
        if links:
            (folder / "pairs.txt").write_text("".join(f"CL {i} {j}\n" for i, j in links))
        command = [sys.executable, "-m", "pcsos", "solve", "points.npy", "-k", str(CLUSTERS)]
        command += ["--labels", "labels.csv", *(["--constraints", "pairs.txt"] if links else [])]
        command += [] if signals else ["--time-limit", str(seconds)]
        row = _measure(command, folder, seconds, signals)
        labels = folder / "labels.csv"
        row["has_partition"] = labels.exists() and len(labels.read_text().splitlines()) == POINTS + 1
    return row


def _measure(command: list[str], folder: Path, seconds: float, signals: int) -> Row:
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - no threads run here yet
    )  # fmt: skip
    said: list[float] = []
    started: list[float] = []

    def listen() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            if STOPPING in line:
                said.append(time.perf_counter())
            elif line.startswith("pcsos ") and not signals:
                started.append(time.perf_counter())

    listener = threading.Thread(target=listen)
    listener.start()
    first = last = time.perf_counter()
    for number in range(signals):
        time.sleep(BETWEEN if number else seconds)
        last = time.perf_counter()
        first = last if number == 0 else first
        process.send_signal(signal.SIGINT)
    status = process.wait()
    ended = time.perf_counter()
    listener.join()
    begun = started[0] + seconds if started else last
    return {
        "acknowledged_seconds": round(said[0] - first, 3) if said else None,
        "ended_seconds": round(ended - begun, 3),
        "status": status,
        "left_running": _is_alive(process.pid),
    }


def _heed_interrupts() -> None:
    """Undo what shells do to jobs in the background, where SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_alive(group: int) -> bool:
    """Return whether anything that a process has started still runs two seconds after it.

    What has only not been waited for does not: the runner is the parent of its orphans.
    """
    time.sleep(2.0)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    found = [process_fields(path.name) for path in Path("/proc").glob("[0-9]*")]
    states = [fields[0] for fields in found if fields and int(fields[2]) == group]
    return not (states and set(states) <= {"Z", "X"})


def handed_out(executor: str, *, gap: float, time_limit: float, workers: int | None) -> Row:
    """Certify the mixture twice by an executor that has been started, and measure the second time."""
    instance = build(spread=CERTIFIED)
    labels = heuristics.run(instance, "ipc-kmeans", num_starts=5).partition.labels
    number = workers or num_cores()
    with started(executor, number) as there:
        for _ in range(2):
            begun = time.perf_counter()
            result = pcsos.certify(
                instance, labels, workers=number, gap=gap, time_limit=time_limit, options=pcsos.Options(executor=there)
            )
            seconds = time.perf_counter() - begun
    return {"n_blocks": result.n_blocks, "gap": result.gap, "lower_bound": result.lower_bound, "seconds": seconds}


@contextmanager
def started(name: str, number: int) -> Iterator[Executor]:
    """Give an executor with so many processes."""
    if name == "pool":
        with ProcessPoolExecutor(number) as pool:
            yield pool
        return
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


def kill(rows: Rows) -> str:
    """Return how many kills there were, and how many runs came to the same result."""
    own = done(rows_of(rows, "robustness", "kill/"))
    kills, in_tree = (int(sum(row[column] for row in own)) for column in ("kills", "kills_in_tree"))
    same = ", ".join(
        f"the same {column.removeprefix('same_')} in {wording.of(sum(row[column] == 'True' for row in own), len(own))}"
        for column in SAME
    )
    return f"{kills:,} kills, {in_tree:,} within the tree: {same} runs"


def interrupt(rows: Rows) -> str:
    """Return how soon a run ends, and whether a process stays behind."""
    own = done(rows_of(rows, "robustness", "interrupt/"))
    ended = wording.seconds(max(row["ended_seconds"] for row in own))
    left = sum(row["left_running"] == "True" for row in own)
    behind = f"{left} LEFT a process behind" if left else "none left a process behind"
    return f"{len(own)} runs ended within {ended} seconds, {behind}"


def executors(rows: Rows) -> str:
    """Return the median seconds of both executors, and how many bounds they came to."""
    own = [row for row in done(rows_of(rows, "robustness", "executors/")) if row["n_blocks"] > 1]
    seconds = [
        f"{wording.seconds(median(values))} seconds by {name}"
        for name in EXECUTORS
        if (values := [row["seconds"] for row in own if row["executor"] == name])
    ]
    return f"{', '.join(seconds)}; {wording.counted(len({row['lower_bound'] for row in own}), 'lower bound')}"


def wrong(rows: Rows) -> str:
    """Return which runs failed, came to another objective or status, or left a process behind."""
    found = [
        row["name"]
        for row in rows_of(rows, "robustness")
        if row["outcome"] != "done"
        or "False" in (row["same_objective"], row["same_status"])
        or row["left_running"] == "True"
    ]
    return ", ".join(found) or "nothing"


FIGURES: dict[str, Figure] = {"kill": kill, "interrupt": interrupt, "executors": executors, "wrong": wrong}
