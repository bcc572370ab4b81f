"""The process of a case: how it ends, that nothing of it is left, and that its work is not that of others."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.clock import cpu_clock
from benchmarks.process import run_process
from benchmarks.suites import interrupt
from tests.clocks import wait_until

#: Computes for 0.4 s, says so, and stays.
BUSY = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ntime.sleep(3600)"
LONG = 3600.0
#: Starts it, and ends, or stays, without waiting for it.
PARENT = f"""
import json, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {BUSY!r}], stdout=subprocess.PIPE)
child.stdout.readline()
given = json.load(sys.stdin)
pathlib.Path(given["file"]).write_text(str(child.pid))
print(json.dumps(dict(found=1)), flush=True)
time.sleep(given["stay"])
sys.exit(given["status"])
"""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the system does not say who has computed")


@on_linux
@pytest.mark.parametrize(
    ("status", "stay", "row"),
    [
        (0, 0, {"outcome": "done", "found": 1}),
        (3, 0, {"outcome": "failed", "error": "exit status 3"}),
        (0, 3600, {"outcome": "killed"}),
    ],
)
def test_an_orphan_ends_with_the_case_and_its_work_is_not_that_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, stay: int, row: dict[str, object]
) -> None:
    orphan, communicate = tmp_path / "orphan", subprocess.Popen.communicate

    def until_there_is_one(child: Any, given: str, timeout: float) -> object:
        """Give a process that stays just the time to start the orphan."""
        if not stay:
            return communicate(child, given, timeout=timeout)
        child.stdin.write(given)
        child.stdin.close()
        wait_until(lambda: orphan.exists() and orphan.read_text())
        raise subprocess.TimeoutExpired(child.args, timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", until_there_is_one)
    arguments, before = {"file": str(orphan), "status": status, "stay": stay}, cpu_clock()
    assert run_process([sys.executable, "-c", PARENT], arguments, LONG, os.environ) == row
    assert cpu_clock() - before >= 0.4
    with pytest.raises(ProcessLookupError):
        os.kill(int(orphan.read_text()), 0)


@on_linux
def test_what_a_child_has_waited_for_counts_before_it_ends_itself() -> None:
    busy = "import time\nwhile time.process_time() < 0.4: pass"
    waiting = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {busy!r}])\nprint(flush=True)\ninput()"
    before = cpu_clock()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", waiting], **pipes) as child:
        child.stdout.readline()
        used = cpu_clock() - before
        child.communicate(b"\n")
    assert used >= 0.4


@pytest.mark.parametrize("said", ["", "not a row", "[1]", "3"])
def test_a_process_that_ends_well_without_a_row_has_failed(said: str) -> None:
    row = run_process([sys.executable, "-c", f"print({said!r})" if said else ""], {}, 20.0, os.environ)
    assert row == {"outcome": "failed", "error": "exit status 0, but the last line of its output is no row"}


def test_what_only_waits_for_its_parent_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupt.time, "sleep", lambda _: None)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as child:
        assert interrupt._is_alive(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not interrupt._is_alive(child.pid), "nobody has waited for it yet"
    assert not interrupt._is_alive(child.pid)
