"""Run one command as a real process under trouble, and see what it says, takes and leaves behind."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pcsos
from benchmarks.machine import memory_kb
from benchmarks.runner import THREADS
from benchmarks.soak.trouble import Trouble, disk

MODULES = {"pcsos-verify": ["pcsos.verify"]}
#: Seconds after which a process hangs, and which its own processes have to end after it.
DEADLINE = 150.0
PATIENCE = 5.0
#: Seconds in which Python itself may still be starting.
LOADING = 0.5
#: Seconds between two looks at a process.
BETWEEN = 0.01
SHARED = Path("/dev/shm")
#: How names of shared memory and semaphores begin that Python's own modules make.
OWN_SEGMENTS = ("psm_", "sem.mp-", "sem.loky", "joblib")


@dataclass(frozen=True)
class Ran:
    """A process that has ended.

    Parameters
    ----------
    name : str
        The command of the program.
    arguments : list of str
        What it was called with.
    trouble : Trouble
        What happened to it.
    status : int
        Its exit status, or minus the signal that it died of.
    out, err : str
        What it wrote.
    seconds, peak_mb : float
        How long it took, and the most memory that it held.
    is_hung : bool
        Whether it had to be killed.
    left_running : list of str
        Processes that were still there after it.
    left_files : list of str
        Temporary files likewise.
    """

    name: str
    arguments: list[str]
    trouble: Trouble
    status: int
    out: str = ""
    err: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    is_hung: bool = False
    left_running: tuple[str, ...] = ()
    left_files: tuple[str, ...] = ()

    @property
    def met_python(self) -> bool:
        """Whether Ctrl-C met Python's own start, before anything of the package: its traceback is not ours."""
        early = any(number == signal.SIGINT and at < LOADING for at, number in self.trouble.signals)
        return early and "KeyboardInterrupt" in self.err and f"{os.sep}pcsos{os.sep}" not in self.err

    @property
    def sentence(self) -> str:
        """The command, how it ended, and the last lines that it said."""
        last = " / ".join(self.err.strip().splitlines()[-4:])
        return f"{self.name} {' '.join(self.arguments)} [{self.trouble}] ended with {self.status}: {last[-600:]}"


def with_options(arguments: list[str], options: tuple[str, ...]) -> list[str]:
    """Return arguments with the option of a trouble, in place of their own of that name: the program refuses two.

    Examples
    --------
    >>> with_options(["points.csv", "--time-limit", "6", "--quiet"], ("--time-limit", "2"))
    ['points.csv', '--quiet', '--time-limit', '2']
    """
    if options and options[0] in arguments:
        place = arguments.index(options[0])
        arguments = arguments[:place] + arguments[place + 2 :]
    return [*arguments, *options]


def run(folder: Path, name: str, arguments: Iterable[str], trouble: Trouble, stdin: str = "") -> Ran:
    """Run a command in a folder, with ``out/`` for its outputs and ``tmp/`` for temporary files."""
    arguments = with_options([*arguments], trouble.options)
    module = MODULES.get(name, ["pcsos", name])
    temporary = folder / "tmp"
    read, write = os.pipe()
    if trouble.name == "closed stdout":
        os.close(read)
    with disk(folder / "out", trouble):
        begun = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-m", *module, *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=write,
            stderr=subprocess.PIPE, env=_environment(temporary), start_new_session=True,
            preexec_fn=lambda: _restrict(trouble),  # noqa: PLW1509 - no other thread runs here
        )  # fmt: skip
        os.close(write)
        said: dict[str, bytes] = {}
        assert child.stdin is not None
        assert child.stderr is not None
        threads = [threading.Thread(target=_feed, args=(child.stdin, stdin.encode()))]
        threads.append(threading.Thread(target=_drain, args=(child.stderr, "err", said)))
        if trouble.name != "closed stdout":
            threads.append(threading.Thread(target=_drain, args=(os.fdopen(read, "rb"), "out", said)))
        for thread in threads:
            thread.start()
        is_hung, peak = _attend(child, trouble, begun)
        seconds = time.monotonic() - begun
        running = _end_leftovers(temporary)
        for thread in threads:
            thread.join()
        files = _remove_leftovers(folder)
    out, err = (said.get(stream, b"").decode(errors="replace") for stream in ("out", "err"))
    return Ran(
        name, arguments, trouble, child.returncode, out, err, seconds, peak, is_hung, tuple(running), tuple(files)
    )


def _attend(child: "subprocess.Popen[bytes]", trouble: Trouble, begun: float) -> tuple[bool, float]:
    """Send the signals when they are due, and watch the memory; kill a process that hangs."""
    due = list(trouble.signals)
    peak, is_hung = 0.0, False
    while child.poll() is None:
        passed = time.monotonic() - begun
        while due and passed >= due[0][0]:
            child.send_signal(due.pop(0)[1])
        if passed > DEADLINE:
            is_hung = True
            os.killpg(child.pid, signal.SIGKILL)
        peak = max(peak, memory_kb("VmHWM", child.pid) / 1024)
        time.sleep(BETWEEN)
    return is_hung, peak


def _environment(temporary: Path) -> dict[str, str]:
    """Let the process load the package that this one has, and put temporary files where they are seen."""
    paths = [str(Path(pcsos.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    own = {"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return os.environ | THREADS | own


def _restrict(trouble: Trouble) -> None:
    """Set limits, and undo what shells do to jobs in the background, where SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if trouble.memory_mb is not None:
        resource.setrlimit(resource.RLIMIT_AS, (trouble.memory_mb << 20, trouble.memory_mb << 20))
    if trouble.file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (trouble.file_bytes, trouble.file_bytes))


def _feed(stream: IO[bytes], text: bytes) -> None:
    with contextlib.suppress(OSError), stream:
        stream.write(text)


def _drain(stream: IO[bytes], name: str, said: dict[str, bytes]) -> None:
    with stream:
        said[name] = stream.read()


def _end_leftovers(temporary: Path) -> list[str]:
    """Wait for all processes that have this folder for temporary files; kill and return those that stay."""
    deadline = time.monotonic() + PATIENCE
    while (found := _started_for(temporary)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"{pid} {command}" for pid, command in found.items()]


def _started_for(temporary: Path) -> dict[int, str]:
    """Return the processes that inherited the environment with this folder, in whichever session they are."""
    mark = f"TMPDIR={temporary}".encode()
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (path / "environ").read_bytes().split(b"\0"):
                found[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:200]
    return found


def _remove_leftovers(folder: Path) -> list[str]:
    """Remove temporary files, and return their names."""
    hidden = [path for path in (folder / "out").iterdir() if path.name.startswith(".")]
    found = [path for path in [*(folder / "tmp").rglob("*"), *hidden] if not path.is_dir()]
    for path in found:
        path.unlink(missing_ok=True)
    return [str(path.relative_to(folder)) for path in found]


def shared_segments() -> set[str]:
    """Return the names of segments of shared memory that a program in Python may have made."""
    found = SHARED.iterdir() if SHARED.is_dir() else []
    return {path.name for path in found if path.name.startswith(OWN_SEGMENTS)}


def orphans(before: set[str]) -> list[str]:
    """Return segments of shared memory that are new and that no process that lives has mapped."""
    new = shared_segments() - before
    if not new:
        return []
    mapped = ""
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mapped += (path / "maps").read_text()
    return sorted(name for name in new & shared_segments() if f"{SHARED / name}" not in mapped)
