"""Run files between processes and on full disks: one writer at a time, and what was written stays."""

import contextlib
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import RunFileError
from pcsos.evidence.kinds import Bound, Infeasible
from pcsos.evidence.multipliers import quantise
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from tests.evidence.conftest import some_multipliers

ROOT = Path(__file__).parents[2]


def start(code: str, *arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)  # also where there is no terminal to wait for
    return subprocess.Popen(command, cwd=ROOT, text=True, **pipes)  # type: ignore[call-overload, no-any-return]


WRITER = """
    import sys, itertools
    import numpy as np
    from pcsos.problem.instance import Instance
    from pcsos.problem.options import Options
    from pcsos.evidence.kinds import Bound, Branching
    from pcsos.evidence.node import Decision, NodeRecord
    from pcsos.evidence.run_file import RunFile
    from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
    rng = np.random.default_rng(0)
    box = rng.standard_normal((80, 80))
    bound = Bound(quantise(Multipliers(box, Cuts.none(), np.empty(0)), tolerance=1e-9), 1.0)
    with RunFile.create(sys.argv[1], Instance(np.arange(100.0), 2), Options()) as file:
        for node in itertools.count() if len(sys.argv) < 3 else range(int(sys.argv[2])):
            file.add_node(NodeRecord(2 * node, None, None, (bound, Branching(Decision("ML", 0, 1), 0.0))))
            print(node, flush=True)
        print("waiting", flush=True)
        sys.stdin.read() if len(sys.argv) < 4 else None
"""


def lines_of(process: "subprocess.Popen[str]") -> Iterator[str]:
    assert process.stdout is not None
    return iter(process.stdout)


def test_a_second_process_is_refused_and_a_killed_one_leaves_no_lock(path: Path) -> None:
    process = start(WRITER, path, 1)
    assert [next(lines_of(process)).strip() for _ in range(2)] == ["0", "waiting"]
    with pytest.raises(RunFileError, match=r"some\.run is in use by another process; wait until it ends"):
        RunFile.open(path)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with RunFile.open(path) as file:
        assert [r.node for r in file.records()] == [0]


def test_a_second_opening_in_the_same_process_is_refused(written: Path) -> None:
    with RunFile.open(written), pytest.raises(RunFileError, match="in use"):
        RunFile.open(written)
    RunFile.open(written).close()


@pytest.mark.parametrize("nodes", [1, 5, 40])
def test_what_was_written_survives_kill_9(path: Path, nodes: int) -> None:
    process = start(WRITER, path)
    for line in lines_of(process):
        if int(line) >= nodes:
            break
    process.send_signal(signal.SIGKILL)
    assert process.stdout is not None
    with process:
        seen = nodes + len(process.stdout.read().split())  # communicate() would miss what is buffered already
    with RunFile.open(path) as file:
        found = [r.node // 2 for r in file.records()]
        assert found == list(range(len(found)))
        assert len(found) in (seen + 1, seen + 2)  # the last may have been written but not reported
    with contextlib.closing(sqlite3.connect(path)) as connection:
        counts = [connection.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("problems", "evidence")]
    assert counts == [(2 * len(found),)] * 2  # of the last, either all or nothing
    with RunFile.open(path) as file:
        file.add_node(NodeRecord(1, 0, None, (Infeasible(np.empty(0, np.int64)),)))
    with RunFile.open(path) as file:
        assert len(list(file.records())) == len(found) + 1


FULL_DISK = """
    import resource, signal, sys
    from pcsos.base.exceptions import RunFileError
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        exec(open(sys.argv[1]).read(), {"__name__": "writer"})
    except RunFileError as error:
        print("stopped:", error)
"""


def test_a_full_disk_stops_the_writing_cleanly(path: Path, tmp_path: Path) -> None:
    script = tmp_path / "writer.py"
    script.write_text(
        textwrap.dedent(WRITER).replace("sys.argv[1]", repr(str(path))).replace("sys.argv", "sys.argv[:2]")
    )
    process = start(FULL_DISK, script)
    output, errors = process.communicate(timeout=60)
    *nodes, last = output.splitlines()
    assert last.startswith(f"stopped: {path} cannot be written"), output + errors
    assert "what was written before is intact" in last
    assert not errors
    with RunFile.open(path) as file:
        assert [r.node for r in file.records()] == list(range(0, 2 * len(nodes), 2))
    assert len(nodes) >= 1


def test_writing_a_node_takes_little_time(path: Path, instance: Instance) -> None:
    record = NodeRecord(0, None, None, (Bound(quantise(some_multipliers(1, 336), tolerance=1e-7), 2.5),))
    with RunFile.create(path, instance, Options()) as file:
        begun = time.process_time()
        file.add_node(record)
        assert time.process_time() - begun < 2.0
