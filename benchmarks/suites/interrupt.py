"""Ask runs on large instances to end, at several moments, and measure how soon they say so and end.

A case is a process of the program on 5,000 points: it gets SIGINT some seconds after its start, or a second one half a
second after the first, or a time limit. Ending includes the end of the process and of all that it has started.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Case, Row, Settings
from benchmarks.machine import process_fields
from benchmarks.tables import table
from pcsos.base.control.signals import STOPPING

COLUMNS = ("acknowledged_seconds", "ended_seconds", "status", "has_partition", "left_running")
POINTS = 5000
CLUSTERS = 5
MOMENTS = (2.0, 5.0, 20.0)
#: Seconds between the first and the second signal, where there is one.
BETWEEN = 0.5
LIMITS = (3.0, 20.0)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each way and moment to end a run, without and with cannot-links."""
    ways = [(f"interrupt-{signals}x", seconds, signals) for seconds in MOMENTS for signals in (1, 2)]
    ways += [("limit", seconds, 0) for seconds in LIMITS]
    return [
        Case(f"{way}-{seconds:g}s-{pairs}cl", {}, {"pairs": pairs, "seconds": seconds, "signals": signals})
        for pairs in (0, 2000)
        for way, seconds, signals in ways
    ]


def run(pairs: int, seconds: float, signals: int, **options: Any) -> Row:
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
    """Tell whether anything that a process has started still runs two seconds after it."""
    time.sleep(2.0)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return not _has_ended(group)


def _has_ended(group: int) -> bool:
    """Tell whether what is left of a group has only not been waited for: the runner is the parent of its orphans."""
    found = [process_fields(path.name) for path in Path("/proc").glob("[0-9]*")]
    states = [fields[0] for fields in found if fields and int(fields[2]) == group]
    return bool(states) and set(states) <= {"Z", "X"}


def report(rows: list[Row], settings: Settings) -> str:
    """Return the slowest of each kind, in seconds after the last signal or the limit."""
    done = [row for row in rows if row["outcome"] == "done"]
    kinds = {"one signal": "interrupt-1x", "two signals": "interrupt-2x", "time limit": "limit"}
    lines = []
    for kind, part in kinds.items():
        chosen = [row for row in done if part in row["name"]]
        known = [row["acknowledged_seconds"] for row in chosen if row["acknowledged_seconds"] is not None]
        ended = max((row["ended_seconds"] for row in chosen), default=None)
        without = sum(str(row["has_partition"]) != "True" for row in chosen)
        lines.append((kind, len(chosen), max(known, default=None), ended, without))
    return table(("ended by", "runs", "acknowledged, slowest", "ended, slowest", "without partition"), lines)
