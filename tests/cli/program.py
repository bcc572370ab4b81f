"""The installed program, run as a user runs it, and ended as a user ends it."""

import re
import signal
import subprocess
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PROGRAM = [str(Path(sysconfig.get_path("scripts")) / "pcsos")]


class Done(NamedTuple):
    """What a call of the program has written."""

    out: str
    err: str


#: What calls the program with some arguments; it is to end with the ``status`` 0, or with what is given in its place.
Call = Callable[..., Done]


def write_line(folder: Path) -> None:
    (folder / "line.csv").write_text("x\n0\n2\n3\n9\n11\n")
    (folder / "pairs.txt").write_text("ML 0 1\nCL 1 2\n")


def pcsos(*arguments: object, status: int = 0, **options: object) -> Done:
    command = [*PROGRAM, *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command,
        text=True,
        encoding="utf-8",
        timeout=250,
        check=False,
        **streams,  # type: ignore[call-overload]
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in (done.stderr or "") or "--debug" in arguments
    return Done(done.stdout, done.stderr)


def heed_interrupts() -> None:
    """Undo what shells do to jobs in the background: there SIGINT is ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupt(command: list[object], number: int) -> tuple[int, str, str]:
    """Send a signal once there is an incumbent; return the exit status and what was written after that."""
    process = subprocess.Popen(  # type: ignore[call-overload]
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process, killed_after(process, 250):
        while not re.match(r"[A-Z] +[-0-9]", process.stderr.readline()):
            assert process.poll() is None
        process.send_signal(number)
        stdout, stderr = process.communicate()
    assert "Traceback" not in stderr
    return process.returncode, stdout, stderr


class killed_after:  # noqa: N801
    """Kill a process that does not end, so that a failing test ends too."""

    def __init__(self, process: "subprocess.Popen[str]", seconds: float) -> None:
        self._timer = threading.Timer(seconds, process.kill)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
