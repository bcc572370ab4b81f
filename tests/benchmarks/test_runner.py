"""Running cases: what has a row is skipped, failures and kills become rows, and nothing of a case is left or lost."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import checking, clock, machine, rows, runner
from benchmarks.__main__ import parser
from benchmarks.case import Case
from benchmarks.clock import Beside, cpu_clock
from benchmarks.instances import of_repository
from benchmarks.process import run_process
from benchmarks.rows import NotMeasuredError, append_row, read_all, read_rows, rows_of, start_file
from benchmarks.tables import geometric_mean, table
from tests.clocks import wait_until

TINY = Case("tiny", {"files": of_repository()["tiny"]}, time_limit=30.0, workers=1)
COLUMNS = ["name", "value"]


def run_tiny(out: Path, *, retry: bool = False) -> list[dict[str, Any]]:
    return runner.run_cases("unconstrained", [TINY], out, retry=retry)


@pytest.mark.slow
def test_a_run_is_recorded_with_its_commit_and_machine_and_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "deep" / "rows.csv"
    (row,) = run_tiny(out)
    assert (row["name"], row["outcome"], row["status"], row["verified"]) == ("tiny", "done", "OPTIMAL", "OPTIMAL")
    assert row["objective"] == pytest.approx(110 / 3, rel=1e-4)
    assert row["peak_mb"] > 10
    lines = out.read_text().splitlines()
    assert [line.split(":")[0] for line in lines[:5]] == ["# command", "# commit", "# machine", "# versions", "# date"]
    before = out.read_bytes()
    monkeypatch.setattr(rows, "description", lambda: ["date: 2099-01-01"])
    assert run_tiny(out) == [row]
    assert "1 already" in capsys.readouterr().out
    assert out.read_bytes() == before, "nothing was added to it"


def test_each_run_tells_before_its_rows_how_they_came_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "rows.csv"
    for number, commit in enumerate(("a", "b")):
        monkeypatch.setattr(rows, "description", lambda commit=commit: [f"commit: {commit}"])
        start_file(out, COLUMNS)
        append_row(out, COLUMNS, {"name": f"case{number}", "value": "a # b"})
    assert out.read_text().splitlines() == ["# commit: a", "name,value", "case0,a # b", "# commit: b", "case1,a # b"]
    assert [row["value"] for row in read_rows(out)] == ["a # b"] * 2
    with pytest.raises(SystemExit, match="has other columns than this run; give another file"):
        start_file(out, [*COLUMNS, "more"])


@pytest.mark.parametrize("cut", [1, 4, 9])
def test_a_row_that_was_cut_off_is_not_there_and_makes_room_for_the_next(tmp_path: Path, cut: int) -> None:
    out = tmp_path / "rows.csv"
    start_file(out, COLUMNS)
    for name in ("a", "b"):
        append_row(out, COLUMNS, {"name": name, "value": "größer"})
    out.write_bytes(out.read_bytes()[:-cut])
    assert [row["name"] for row in read_rows(out)] == ["a"]
    start_file(out, COLUMNS)
    append_row(out, COLUMNS, {"name": "c", "value": 1})
    assert [row["name"] for row in read_rows(out)] == ["a", "c"]


def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    notes, points = tmp_path / "notes.txt", tmp_path / "points.csv"
    notes.write_text("mine")
    with pytest.raises(SystemExit, match="has other columns than this run"):
        start_file(notes, ["name"])
    assert notes.read_text() == "mine"
    points.write_text("x,y\n1,2\n")
    with pytest.raises(SystemExit, match=r"points\.csv is not a file of rows: it has no column 'name'"):
        read_rows(points)


def test_the_last_row_of_a_name_counts_and_all_are_there(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    start_file(out, COLUMNS)
    for name, value in (("a", 1), ("b", 2), ("a", 3)):
        append_row(out, COLUMNS, {"name": name, "value": value})
    assert [(row["name"], row["value"]) for row in read_rows(out)] == [("a", 3.0), ("b", 2.0)]
    assert len(read_all(out)) == 3
    assert rows_of({"x": read_rows(out)}, "x", "b") == [{"name": "b", "value": 2.0}]
    for suite, prefix in (("x", "c"), ("y", "")):
        with pytest.raises(NotMeasuredError):
            rows_of({"x": read_rows(out)}, suite, prefix)


@pytest.mark.slow
def test_a_failure_becomes_a_row_with_its_error() -> None:
    row = runner.run_case("unconstrained", Case("broken", {"files": ["no-such-file.txt", None, 2]}))
    assert row["outcome"] == "failed"
    assert "no-such-file.txt" in row["error"]


def test_a_case_that_overruns_is_killed_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE", (0.0, 0.05))
    assert runner.run_case("unconstrained", TINY)["outcome"] == "killed"


def test_with_retry_what_failed_or_is_marked_runs_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads, outcomes = iter([0.9, 0.1, 0.1]), iter(["done", "killed", "done"])
    monkeypatch.setattr(Beside, "cores", lambda _: next(loads))
    monkeypatch.setattr(runner, "run_child", lambda *_: {"outcome": next(outcomes)})
    found = [run_tiny(tmp_path / "a", retry=retry)[0] for retry in (False, False, True, True, True)]
    assert [(row["load_beside"], row["outcome"]) for row in found] == [
        *[(0.9, "done")] * 2, (0.1, "killed"), *[(0.1, "done")] * 2,
    ]  # fmt: skip


def test_what_the_checker_says_is_in_the_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no.run"
    file.write_bytes(b"not a run file")
    row = checking.checked(file, 1, 60.0)
    assert (row["verified"], row["verified_gap"]) == ("REFUSED", None)
    assert checking.checked(file, 1, 0.01) == {"verified": "NOT_IN_TIME"}
    monkeypatch.setattr(sys, "executable", "false")
    assert checking.checked(file, 1, 60.0) == {"verified": "CRASHED"}


@pytest.mark.parametrize("command", ["run unconstrained --out rows.csv", "record"])
def test_a_folder_of_data_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args([*command.split(), "--data", "nowhere"])
    assert capsys.readouterr().err.endswith("error: argument --data: nowhere is no folder\n")


def test_tables_and_means() -> None:
    assert geometric_mean([1.0, 100.0]) == pytest.approx(10.0)
    assert table(["a", "long"], [[1, None], [12345.6, 0.5]]).splitlines()[1:] == [
        "|------:|-----:|",
        "|     1 |    - |",
        "| 12346 |  0.5 |",
    ]


def test_paths_of_the_machine_stay_out_of_the_comments() -> None:
    given = ["record", "--data", "/here/data", "--out", "/there/rows.csv", "--suite", "x"]
    assert " ".join(machine.without_paths(given)) == "record --data DATA --out rows.csv --suite x"


def stat(path: Path, user: int, steal: int, idle: int) -> None:
    path.write_text(f"cpu  {user} 0 0 {idle} 0 0 0 {steal} 0 0\ncpu0 1 1 1 1\n")


def test_the_work_of_others_counts_but_neither_idle_time_nor_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, ticks = iter([10.0, 13.0]), iter([100.0, 102.0])
    monkeypatch.setattr(clock, "STAT", tmp_path / "stat")
    monkeypatch.setattr(clock, "cpu_clock", lambda: next(own))
    monkeypatch.setattr(clock.time, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(clock.os, "sysconf", lambda _: 100)
    stat(tmp_path / "stat", user=1000, steal=0, idle=0)
    beside = Beside()
    stat(tmp_path / "stat", user=1350, steal=50, idle=9000)  # four seconds, three of them ours, in two
    assert beside.cores() == pytest.approx(0.5)


def test_where_the_system_does_not_tell_nothing_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "STAT", tmp_path / "missing")
    assert Beside().cores() is None
    assert [clock.is_marked(cores) for cores in (None, 0.0, 0.3, 0.31)] == [False, False, False, True]


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert used >= 0.3


@pytest.mark.parametrize("said", ["", "not a row", "[1]", "3"])
def test_a_process_that_ends_well_without_a_row_has_failed(said: str) -> None:
    row = run_process([sys.executable, "-c", f"print({said!r})" if said else ""], {}, 20.0, os.environ)
    assert row == {"outcome": "failed", "error": "exit status 0, but the last line of its output is no row"}
