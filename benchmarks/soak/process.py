"""Run one command as a real process under trouble, and see what it says, takes and leaves behind."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pcsos
from benchmarks.machine import memory_kb
from benchmarks.runner import THREADS
from benchmarks.soak.trouble import CLOSED, Trouble, disk

MODULES = {"pcsos-verify": ["pcsos.verify"]}
#: Seconds after which a process hangs, and which its own processes have to end after it.
DEADLINE = 150.0
PATIENCE = 5.0
#: Seconds in which a process that was being started shows what it was started for.
STARTING = 0.5
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
        What was to happen to it.
    status : int
        Its exit status, or minus the signal that it died of.
    out, err : str
        What it wrote.
    seconds, peak_mb : float
        How long it took, and the most memory that it held.
    is_hung : bool
        Whether it had to be killed.
    num_signals : int
        How many of the signals of the trouble came before it had ended.
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
    num_signals: int = 0
    left_running: tuple[str, ...] = ()
    left_files: tuple[str, ...] = ()

    @property
    def met(self) -> Trouble:
        """What did happen to it: a signal that was due after its end did not."""
        has_escaped = self.trouble.kills and self.status != -signal.SIGKILL
        return self.trouble.after(0 if has_escaped else self.num_signals)

    @property
    def met_python(self) -> bool:
        """Whether Ctrl-C met Python's own start, before anything of the package: its traceback is not ours."""
        early = any(number == signal.SIGINT and at < LOADING for at, number in self.met.signals)
        return early and "KeyboardInterrupt" in self.err and f"{os.sep}pcsos{os.sep}" not in self.err

    @property
    def rescued(self) -> dict[str, Any] | None:
        """The result that standard error has in place of a file that could not be written."""
        for line in self.err.splitlines():
            with contextlib.suppress(ValueError):
                if isinstance(found := json.loads(line), dict):
                    return found
        return None

    @property
    def sentence(self) -> str:
        """The command, how it ended, and the last lines that it said."""
        last = " / ".join(self.err.strip().splitlines()[-4:])
        return f"{self.name} {' '.join(self.arguments)} [{self.trouble}] ended with {self.status}: {last[-600:]}"


class Watched(NamedTuple):
    """What was seen of a process while it ran: its time, its memory, whether it hung, and the signals it got."""

    seconds: float
    peak_mb: float
    is_hung: bool
    num_signals: int


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
    """Run a command in a folder, with ``out/`` for its outputs and ``tmp/`` for temporary files.

    Whatever ends the soak meanwhile ends all processes of the command, too.
    """
    arguments = with_options([*arguments], trouble.options)
    temporary = folder / "tmp"
    with disk(folder / "out", trouble), _ended(temporary):
        begun = time.monotonic()
        child = _start(folder, [*MODULES.get(name, ["pcsos", name]), *arguments], trouble)
        talk = Talk(child, stdin)
        watched = _attend(child, trouble, begun)
        running = _end_leftovers(temporary)
        out, err = talk.end()
        files = _remove_leftovers(folder)
    left = tuple(running), tuple(files)
    return Ran(name, arguments, trouble, child.returncode, out, err, *watched, *left)


def _start(folder: Path, arguments: list[str], trouble: Trouble) -> "subprocess.Popen[bytes]":
    """Start Python with a module; where that is the trouble, nobody will read its standard output."""
    child = subprocess.Popen(
        [sys.executable, "-m", *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=_environment(folder / "tmp"), start_new_session=True,
        preexec_fn=lambda: _restrict(trouble),  # noqa: PLW1509 - no other thread runs here
    )  # fmt: skip
    if trouble.name == CLOSED and child.stdout is not None:
        child.stdout.close()
        child.stdout = None
    return child


class Talk:
    """Tells a process what is on its standard input, and listens to what it says, beside whoever watches it."""

    def __init__(self, child: "subprocess.Popen[bytes]", stdin: str) -> None:
        self._said: tuple[bytes | None, bytes | None] = None, None
        self._thread = threading.Thread(target=self._talk, args=(child, stdin.encode()), daemon=True)
        self._thread.start()

    def _talk(self, child: "subprocess.Popen[bytes]", stdin: bytes) -> None:
        self._said = child.communicate(stdin)

    def end(self) -> tuple[str, str]:
        """Return all that it said on both streams, once nobody holds them any more."""
        self._thread.join()
        out, err = ((said or b"").decode(errors="replace") for said in self._said)
        return out, err


def _attend(child: "subprocess.Popen[bytes]", trouble: Trouble, begun: float) -> Watched:
    """Send the signals when they are due, and watch the memory; kill a process that hangs."""
    due = list(trouble.signals)
    peak, is_hung = 0.0, False
    while child.poll() is None:
        passed = time.monotonic() - begun
        if due and passed >= due[0][0]:
            child.send_signal(due.pop(0)[1])
        if passed > DEADLINE:
            is_hung = True
            os.killpg(child.pid, signal.SIGKILL)
        peak = max(peak, memory_kb("VmHWM", child.pid) / 1024)
        time.sleep(BETWEEN)
    return Watched(time.monotonic() - begun, peak, is_hung, len(trouble.signals) - len(due))


def _environment(temporary: Path) -> dict[str, str]:
    """Let the process load the package that this one has, and put temporary files where they are seen."""
    paths = [str(Path(pcsos.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    own = {"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return os.environ | THREADS | own


def _restrict(trouble: Trouble) -> None:
    """Set limits, and heed what is ignored in jobs in the background (SIGINT) and under ``nohup`` (SIGHUP)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if trouble.memory_mb is not None:
        resource.setrlimit(resource.RLIMIT_AS, (trouble.memory_mb << 20, trouble.memory_mb << 20))
    if trouble.file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (trouble.file_bytes, trouble.file_bytes))


@contextlib.contextmanager
def _ended(temporary: Path) -> Iterator[None]:
    """Leave no process behind that has this folder for temporary files, where an exception ends the soak."""
    try:
        yield
    except BaseException:
        deadline = time.monotonic() + STARTING
        while _kill(_started_for(temporary)) or time.monotonic() < deadline:
            time.sleep(BETWEEN)
        raise


def _end_leftovers(temporary: Path) -> list[str]:
    """Wait for all processes that have this folder for temporary files; kill and return those that stay."""
    deadline = time.monotonic() + PATIENCE
    while (found := _started_for(temporary)) and time.monotonic() < deadline:
        time.sleep(0.05)
    _kill(found)
    return [f"{pid} {command}" for pid, command in found.items()]


def _kill(found: Collection[int]) -> bool:
    """Kill processes, and tell whether there were any."""
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(found) > 0


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
