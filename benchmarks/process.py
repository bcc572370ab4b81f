"""The process of a case: what it has started ends with it, and all of their CPU seconds count as those of a child."""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from benchmarks.case import Row

#: PR_SET_CHILD_SUBREAPER of Linux.
ADOPT_ORPHANS = 36


def run_process(
    command: Sequence[str],
    arguments: Row,
    seconds: float,
    environment: Mapping[str, str],
    folder: Path | None = None,
) -> Row:
    """Run a process that reads its arguments as JSON and whose last line is the row; return how it ended."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        with _as_parent_of_orphans():
            child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=out,  # no pipe, which would stay open as long as what the process has started
                stderr=err,
                text=True,
                env=environment,
                cwd=folder,
                start_new_session=True,
            )
            try:
                child.communicate(json.dumps(arguments), timeout=seconds)
            except subprocess.TimeoutExpired:
                return {"outcome": "killed"}
            finally:
                _end_group(child)
        if child.returncode != 0:
            return _failed((_lines(err) or [f"exit status {child.returncode}"])[-1])
        try:
            return {"outcome": "done"} | json.loads(_lines(out)[-1])
        except (IndexError, TypeError, ValueError):
            return _failed("exit status 0, but the last line of its output is no row")


def _lines(file: IO[str]) -> list[str]:
    file.seek(0)
    return file.read().strip().splitlines()


def _failed(error: str) -> Row:
    return {"outcome": "failed", "error": error}


@contextlib.contextmanager
def _as_parent_of_orphans() -> Iterator[None]:
    """On Linux, become the parent of every process below this one whose own parent ends without waiting for it.

    Otherwise init does, and its CPU seconds look like the work of others.
    """
    if sys.platform != "linux":
        yield
        return
    change = ctypes.CDLL(None).prctl
    change(ADOPT_ORPHANS, 1, 0, 0, 0)
    try:
        yield
    finally:
        change(ADOPT_ORPHANS, 0, 0, 0, 0)


def _end_group(child: "subprocess.Popen[str]") -> None:
    """Kill what is left of a process and of what it has started in its group, and wait for all of it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    with child:
        pass  # closes its pipes, and waits
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-child.pid, 0)
