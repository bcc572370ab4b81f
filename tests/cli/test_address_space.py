"""A limit of memory that is too low for linear algebra is refused at once, where OpenBLAS would hang."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pcsos.cli import address_space
from pcsos.cli.messages import ExitStatus

resource = pytest.importorskip("resource", reason="there are no limits of the address space here")

IRIS = "instances/points/iris.csv"


def run_limited(limit: int, megabytes: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of Python with one thread of linear algebra and so much memory."""
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=60.0,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(limit, (megabytes << 20, megabytes << 20)),
        check=False,
    )


@pytest.mark.parametrize(
    ("limit", "megabytes", "said"),
    [
        (resource.RLIMIT_AS, 345, "the address space is limited to 345 MB (ulimit -v)"),
        (resource.RLIMIT_AS, 560, "the address space is limited to 560 MB (ulimit -v)"),
        (resource.RLIMIT_DATA, 100, "the data segment is limited to 100 MB (ulimit -d)"),
    ],
)
def test_a_limit_under_which_openblas_hangs_is_refused(limit: int, megabytes: int, said: str) -> None:
    ended = run_limited(limit, megabytes, "-m", "pcsos", "path", IRIS, "--from", "2", "--to", "3")
    assert ended.returncode == ExitStatus.FAILURE
    assert ended.stdout == ""
    needed = {resource.RLIMIT_AS: 640, resource.RLIMIT_DATA: 300}[limit]
    assert ended.stderr == (f"pcsos: {said}, and linear algebra with one thread needs {needed} MB; raise the limit\n")


@pytest.mark.parametrize(
    "command",
    [
        "heuristic -k 3",
        pytest.param("solve -k 3 --workers 1", marks=pytest.mark.slow),
        pytest.param("path --from 2 --to 3 --workers 1", marks=pytest.mark.slow),
        pytest.param("certify -k 3", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(
    ("limit", "megabytes"), [(resource.RLIMIT_AS, 640), pytest.param(resource.RLIMIT_DATA, 300, marks=pytest.mark.slow)]
)
def test_what_is_asked_for_is_enough(command: str, limit: int, megabytes: int) -> None:
    name, *options = command.split()
    ended = run_limited(limit, megabytes, "-m", "pcsos", name, IRIS, *options, "--quiet")
    assert (ended.returncode, ended.stderr) == (ExitStatus.OPTIMAL, "")


@pytest.mark.slow
def test_once_the_buffers_are_taken_no_room_is_needed_for_them() -> None:
    """Without them, this ends in a sentence of OpenBLAS, or, by its version, never."""
    script = (
        "import resource, numpy as np; from scipy.linalg.blas import dgemm; from pcsos.cli import address_space\n"
        "address_space.take_buffers()\n"
        "with open('/proc/self/statm') as file: used = int(file.read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), used + (8 << 20)))\n"
        "square = np.ones((300, 300)); print(dgemm(1.0, square @ square, square)[0, 0])"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("here a process cannot say how much it uses")
    ended = run_limited(resource.RLIMIT_AS, 4000, "-c", script)
    assert (ended.stdout, ended.stderr) == ("90000.0\n", "")


@pytest.mark.slow
def test_a_command_without_a_solver_runs_with_less(tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("0\n1\n2\n" * 50)
    ended = run_limited(resource.RLIMIT_AS, 345, "-m", "pcsos", "compare", IRIS, str(labels), str(labels))
    assert (ended.returncode, ended.stderr) == (ExitStatus.OPTIMAL, "")


@pytest.mark.parametrize(
    ("asked", "number", "threads"),
    [
        ({"OPENBLAS_NUM_THREADS": "1"}, 8, 1),
        ({"OPENBLAS_NUM_THREADS": "3"}, 8, 3),
        ({"OPENBLAS_NUM_THREADS": "100"}, 8, 8),
        ({"OPENBLAS_NUM_THREADS": "many"}, 8, 8),
        ({"OPENBLAS_NUM_THREADS": "0", "OMP_NUM_THREADS": "2"}, 8, 2),
        ({"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "2"}, 8, 4),
        ({"GOTO_NUM_THREADS": "5"}, 8, 5),
        ({}, 8, 8),
        ({}, 128, 64),
    ],
)
def test_openblas_has_as_many_threads_as_it_is_told_or_as_there_are_cores(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], number: int, threads: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(number)), raising=False)
    for name in address_space.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, text in asked.items():
        monkeypatch.setenv(name, text)
    assert address_space.num_threads() == threads


def refuse_under(monkeypatch: pytest.MonkeyPatch, command: str = "solve", **limits: float) -> None:
    monkeypatch.setattr(address_space, "limit_mb", limits.get)
    address_space.refuse_tight_address_space(command)


def test_many_threads_and_large_stacks_need_more_and_may_be_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_space, "num_threads", lambda: 32)
    with pytest.raises(
        address_space.PcsosError, match=r"with 32 threads needs 3120 MB; .* or set OPENBLAS_NUM_THREADS=1"
    ):
        refuse_under(monkeypatch, RLIMIT_AS=2000.0)
    with pytest.raises(address_space.PcsosError, match=r"with 32 threads needs 3632 MB;"):
        refuse_under(monkeypatch, RLIMIT_AS=3200.0, RLIMIT_STACK=16.0)
    with pytest.raises(address_space.PcsosError, match=r"data segment is limited to 2000 MB .* needs 2780 MB;"):
        refuse_under(monkeypatch, RLIMIT_AS=4000.0, RLIMIT_DATA=2000.0)
    refuse_under(monkeypatch, "verify", RLIMIT_AS=2000.0)
    refuse_under(monkeypatch, RLIMIT_AS=3120.0, RLIMIT_STACK=8.0)
    refuse_under(monkeypatch, RLIMIT_STACK=1000.0)


def test_what_a_system_does_not_limit_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(resource, "RLIMIT_AS")
    assert address_space.limit_mb("RLIMIT_AS") is None
