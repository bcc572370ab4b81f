"""A limit of the address space that is too low for linear algebra is refused at once, where OpenBLAS would hang."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pcsos.cli import address_space
from pcsos.cli.exit_status import ExitStatus

resource = pytest.importorskip("resource", reason="there are no limits of the address space here")


def run_limited(megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with one thread of linear algebra and so much address space."""
    return subprocess.run(
        [sys.executable, "-m", "pcsos", *arguments],
        capture_output=True,
        text=True,
        timeout=60.0,
        env=os.environ | {address_space.THREADS_VARIABLE: "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)),
        check=False,
    )


@pytest.mark.parametrize("megabytes", [345, 465])
def test_a_limit_under_which_openblas_hangs_is_refused(megabytes: int) -> None:
    ended = run_limited(megabytes, "solve", "instances/points/iris.csv", "-k", "3")
    assert ended.returncode == ExitStatus.FAILURE
    assert ended.stdout == ""
    assert ended.stderr == (
        f"pcsos: the address space is limited to {megabytes} MB (ulimit -v), and linear algebra with one thread needs "
        "550 MB; raise the limit\n"
    )


def test_what_is_asked_for_is_enough() -> None:
    ended = run_limited(550, "solve", "instances/points/iris.csv", "-k", "3", "--quiet")
    assert (ended.returncode, ended.stderr) == (ExitStatus.OPTIMAL, "")


def test_a_command_without_a_solver_runs_with_less(tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("0\n1\n2\n" * 50)
    ended = run_limited(345, "compare", "instances/points/iris.csv", str(labels), str(labels))
    assert (ended.returncode, ended.stderr) == (ExitStatus.OPTIMAL, "")


@pytest.mark.parametrize(("asked", "threads"), [("1", 1), ("3", 3), ("100", 8), ("", 8), ("many", 8), ("0", 8)])
def test_openblas_has_as_many_threads_as_it_is_told_or_as_there_are_cores(
    monkeypatch: pytest.MonkeyPatch, asked: str, threads: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setenv(address_space.THREADS_VARIABLE, asked)
    assert address_space.num_threads() == threads


def test_many_threads_need_more_and_may_be_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_space, "limit_mb", lambda: 2000.0)
    monkeypatch.setattr(address_space, "num_threads", lambda: 32)
    sentence = r"with 32 threads needs 3030 MB; .* or set OPENBLAS_NUM_THREADS=1"
    with pytest.raises(address_space.PcsosError, match=sentence):
        address_space.refuse_tight_address_space("solve")
    address_space.refuse_tight_address_space("verify")
    monkeypatch.setattr(address_space, "limit_mb", lambda: None)
    address_space.refuse_tight_address_space("solve")
