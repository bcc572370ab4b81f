"""One command as a real process under trouble: what happens to it, how it may end, what it says and leaves behind."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from benchmarks.runner import THREADS

SIGNALS = {name: (getattr(signal, name),) for name in ("SIGKILL", "SIGINT", "SIGTERM", "SIGHUP")}
SIGNALS |= {"SIGINT twice": (signal.SIGINT, signal.SIGINT)}
#: A disk that fills up, a device that is full from the start, and a reader that goes away.
FILLING = SMALL_DISK, SMALL_FILES = ("small disk", "small files")
FULL, CLOSED, MEMORY = "/dev/full", "closed stdout", "memory"
#: What has a time limit of its own, and one of nodes; the former end after a signal with what they have.
LIMITS = {
    "--time-limit": ("solve", "resume", "certify", "heuristic", "path", "front"),
    "--node-limit": ("solve", "resume"),
}
#: What looks at a run file, and what may end without a proof.
LOOKING, UNPROVED = ("verify", "pcsos-verify", "report"), ("certify", "heuristic")
#: Exit statuses that fit under a trouble besides (docs/cli.md).
BESIDES = {"--time-limit": {4}, "--node-limit": {4}, MEMORY: {1, 4}, FULL: {1}, CLOSED: {1}}
BESIDES |= {SMALL_DISK: {1, 2, 4}, SMALL_FILES: {1, 2, 4}}
#: Seconds after which a process hangs, in which its own processes have to end after it, and in which Python starts.
DEADLINE, PATIENCE, STARTING = 150.0, 5.0, 1.0
#: Bytes of the disk that outputs are on unless it is to be small.
LARGE_DISK = 2**31
#: Set when the soak is to end: all processes are killed.
ENDING = threading.Event()


@dataclass(frozen=True)
class Trouble:
    """What happens to a process: signals after so many seconds, or a limit of what its name says."""

    name: str = "none"
    signals: tuple[tuple[float, int], ...] = ()
    amount: Any = 0


NONE = Trouble()


def draw_trouble(rng: np.random.Generator, command: str, seconds: float, *, has_disk: bool) -> Trouble:
    """Draw one for a command that takes about so many seconds when it is left alone; Ctrl-C spares Python's start."""
    names = [*SIGNALS, MEMORY, SMALL_FILES, FULL, CLOSED, *([SMALL_DISK] if has_disk else [])]
    names += [option for option, commands in LIMITS.items() if command in commands]
    name, at, value = str(rng.choice(names)), rng.uniform(0.0, 1.1 * seconds), rng.random()
    if name in SIGNALS:
        at = max(at, STARTING) if "SIGINT" in name else at
        return Trouble(name, tuple(zip((at, at + value), SIGNALS[name], strict=False)))
    amounts = {
        "--time-limit": round(value * max(seconds - 0.8, 0.2), 3),
        "--node-limit": int(4 * value),
        MEMORY: int(640 + 860 * value) << 20,
        SMALL_DISK: int(1 + 39 * value) * 4096,
        SMALL_FILES: int(2.0 ** (6 + 12 * value)),
    }
    return Trouble(name, amount=amounts.get(name, 0))


def fitting(command: str, is_feasible: bool, trouble: Trouble, *, is_limited: bool) -> set[int]:
    """Return the exit statuses that fit a command under trouble."""
    statuses = ({0} if is_feasible or command in LOOKING else {3}) | BESIDES.get(trouble.name, set())
    statuses |= {0} if command == "path" else set()  # of other numbers of clusters, too
    statuses |= {4} if is_limited or command in UNPROVED else set()
    for number in SIGNALS.get(trouble.name, ()):
        statuses |= {-number} | ({130} if number == signal.SIGINT else set())
        statuses |= {4} if command in LIMITS["--time-limit"] and number != signal.SIGKILL else set()
    return statuses


@dataclass(frozen=True)
class Ran:
    """A process that has ended, and what is left of it: a signal that was due after its end did not happen to it."""

    name: str
    arguments: list[str]
    trouble: Trouble
    status: int
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    left: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The command, how it ended, and the last lines that it said."""
        last = " / ".join(self.err.strip().splitlines()[-4:])
        return f"{self.name} {' '.join(self.arguments)} [{self.trouble}] ended with {self.status}: {last[-600:]}"


def replaced(arguments: list[str], option: str, value: str) -> list[str]:
    """Return arguments with another value of an option, which the program refuses twice."""
    at = arguments.index(option) if option in arguments else len(arguments)
    return [*arguments[:at], option, value, *arguments[at + 2 :]]


def run(folder: Path, name: str, arguments: list[str], trouble: Trouble) -> Ran:
    """Run a command in a folder, with ``out/`` for its outputs and ``tmp/`` for temporary files."""
    if trouble.name in LIMITS:
        arguments = replaced(arguments, trouble.name, str(trouble.amount))
    module = ["pcsos.verify"] if name == "pcsos-verify" else ["pcsos", name]
    own = os.environ | THREADS | {"TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(Path(pcsos.__file__).parents[1])}
    streams, begun = [folder / stream for stream in ("stdout", "stderr")], time.monotonic()
    if trouble.name == SMALL_DISK:
        held = sum(path.stat().st_size + 4096 for path in (folder / "out").iterdir())
        mount(folder / "out", held + trouble.amount, "remount,")
    with streams[0].open("wb") as out, streams[1].open("wb") as err:
        child = subprocess.Popen(
            [sys.executable, "-m", *module, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stderr=err,
            stdout=subprocess.PIPE if trouble.name == CLOSED else out, env=own, start_new_session=True,
        )  # fmt: skip
        if child.stdout is not None:
            child.stdout.close()  # so that nobody reads it
        limit = {MEMORY: resource.RLIMIT_AS, SMALL_FILES: resource.RLIMIT_FSIZE}.get(trouble.name)
        if limit is not None:
            resource.prlimit(child.pid, limit, (trouble.amount, trouble.amount))
        num_signals = _attend(child, trouble, begun)
        seconds = time.monotonic() - begun
    left = _end_leftovers(folder)
    if trouble.name == SMALL_DISK:
        mount(folder / "out", LARGE_DISK, "remount,")
    met = trouble if num_signals or not trouble.signals else NONE
    said = (stream.read_bytes().decode(errors="replace") for stream in streams)
    return Ran(name, arguments, met, child.returncode, *said, seconds, left)


def _attend(child: "subprocess.Popen[bytes]", trouble: Trouble, begun: float) -> int:
    """Send the signals when they are due, and kill a process that hangs; return how many were sent."""
    due = list(trouble.signals)
    while child.poll() is None:
        passed = time.monotonic() - begun
        if due and passed >= due[0][0]:
            child.send_signal(due.pop(0)[1])
        if passed > DEADLINE or ENDING.is_set():
            os.killpg(child.pid, signal.SIGKILL)
        time.sleep(0.01)
    return len(trouble.signals) - len(due)


def _end_leftovers(folder: Path) -> tuple[str, ...]:
    """Wait for all processes that have this folder for temporary files; kill those that stay, and remove the files."""
    deadline = time.monotonic() + PATIENCE
    while (found := _started_for(folder / "tmp")) and time.monotonic() < deadline and not ENDING.is_set():
        time.sleep(0.05)
    for process in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    hidden = [path for path in (folder / "out").iterdir() if path.name.startswith(".")]
    files = [path for path in [*(folder / "tmp").rglob("*"), *hidden] if not path.is_dir()]
    for path in files:
        path.unlink(missing_ok=True)
    return (*(f"process {number}" for number in found), *(path.name for path in files))


def _started_for(temporary: Path) -> list[int]:
    """Return the processes that inherited the environment with this folder, in whichever session they are."""
    mark, found = f"TMPDIR={temporary}".encode(), []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


def mount(folder: Path, size: int, more: str = "") -> bool:
    """Let a folder lie on a disk of its own, or give that another size; return whether the system allows it."""
    command = ["mount", "-t", "tmpfs", "-o", f"{more}size={size}", "none", str(folder)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
