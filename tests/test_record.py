"""The record: one commit, one folder, rows that say what else the machine did, and refusals in a sentence."""

import gzip
import hashlib
import re
import subprocess
import tomllib
from argparse import Namespace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from benchmarks import load, machine, repository, runner
from benchmarks.case import Case
from benchmarks.data import named_files
from benchmarks.load import Beside
from benchmarks.record import command
from benchmarks.record.data import digests
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN, Part, spread

TINY = Part("tiny", "instances", "^tiny$", time_limit=30.0, workers=1)
OPTIONS: dict[str, Any] = {"quick": False, "data": None, "part": None, "hours": None}


def stat(path: Path, user: int, steal: int, idle: int) -> None:
    path.write_text(f"cpu  {user} 0 0 {idle} 0 0 0 {steal} 0 0\ncpu0 1 1 1 1\n")


def test_the_work_of_others_counts_but_neither_idle_time_nor_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, clock = iter([10.0, 13.0]), iter([100.0, 102.0])
    monkeypatch.setattr(load, "STAT", tmp_path / "stat")
    monkeypatch.setattr(load, "cpu_clock", lambda: next(own))
    monkeypatch.setattr(load.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(load.os, "sysconf", lambda _: 100)
    stat(tmp_path / "stat", user=1000, steal=0, idle=0)
    beside = Beside()
    stat(tmp_path / "stat", user=1350, steal=50, idle=9000)  # four seconds, three of them ours, in two
    assert beside.cores() == pytest.approx(0.5)


def test_where_the_system_does_not_tell_nothing_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "STAT", tmp_path / "missing")
    assert Beside().cores() is None
    assert [load.is_marked(cores) for cores in (None, 0.0, 0.3, 0.31)] == [False, False, False, True]


def test_paths_of_the_machine_stay_out_of_the_head() -> None:
    given = ["record", "--data", "/here/data", "--out", "/there/rows.csv", "--published", "p", "--part", "x"]
    assert " ".join(machine.without_paths(given)) == "record --data DATA --out rows.csv --published PUBLISHED --part x"


@pytest.mark.parametrize(("number", "names"), [(0, ""), (1, "a"), (2, "ac"), (3, "abc"), (4, "abcd"), (9, "abcd")])
def test_a_quick_record_takes_cases_from_all_over_a_suite(number: int, names: str) -> None:
    assert "".join(case.name for case in spread([Case(name) for name in "abcd"], number)) == names


def test_parts_have_names_of_their_own_and_find_cases_where_no_data_are_needed() -> None:
    assert len({part.name for part in PLAN}) == len(PLAN)
    for part in PLAN:
        if part.data is None:
            found = part.cases(part.settings(None), quick=False)
            assert found, part.name
            assert len(part.cases(part.settings(None), quick=True)) == min(part.quick, len(found))
        else:
            assert part.cases(part.settings(None), quick=False) == [], part.name


def test_a_record_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = []
    monkeypatch.setattr(command, "PLAN", (TINY, Part("none", "published", data="")))
    monkeypatch.setattr(command, "commit_of_code", lambda: "c" * 40)
    monkeypatch.setattr(command, "refuse_commercial_solver", lambda: None)
    monkeypatch.setattr(command, "warm_up", lambda: None)
    monkeypatch.setattr(Beside, "cores", lambda _: 0.9)
    monkeypatch.setattr(
        runner, "run_child", lambda *_: runs.append(1) or {"outcome": "done", "status": "OPTIMAL", "peak_mb": 50.0}
    )
    options = Namespace(out=tmp_path, retry=False, busy=True, **OPTIONS)
    command.main(options)
    record = Record(tmp_path)
    assert record.facts["commit"] == "c" * 40
    assert record.summary("tiny") | {"seconds": 0} == {
        "rows": 1, "not done": 0, "beside other work": 1, "taken again": 0, "after a failure": 0, "seconds": 0,
        "peak MB": 50.0,
    }  # fmt: skip
    said = capsys.readouterr().out
    assert "none: left out without its data" in said
    assert re.search(r"\| tiny \|\s+1 \|\s+0 \|\s+1 \|", said)
    command.main(options)
    assert len(runs) == 1
    assert [row["name"] for row in record.rows("tiny")] == ["tiny"]

    versions = record.facts["versions"]
    for package in ("numba", "highspy", "scikit-learn"):
        assert f", {package} {metadata.version(package)}" in versions
    monkeypatch.setattr(command, "description", lambda: ["machine: other", f"versions: {versions}, new 1"])
    with pytest.raises(SystemExit, match="is of other versions: new 1; give another --out"):
        command.main(options)

    monkeypatch.setattr(command, "description", lambda: ["machine: other", f"versions: {versions}"])
    record.file("tiny").unlink()
    command.main(options)
    assert len(runs) == 1, "a part went on on another machine"
    assert f"left to {record.facts['machines']['tiny']}, which began it" in capsys.readouterr().out

    monkeypatch.setattr(command, "commit_of_code", lambda: "d" * 40)
    with pytest.raises(SystemExit, match="is of commit ccccccccc, this is ddddddddd; give another --out"):
        command.main(options)


def test_a_record_of_which_all_is_left_out_has_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PLAN", (Part("none", "unconstrained", data=""),))
    monkeypatch.setattr(command, "commit_of_code", lambda: "c" * 40)
    monkeypatch.setattr(command, "refuse_commercial_solver", lambda: None)
    monkeypatch.setattr(command, "warm_up", lambda: None)
    command.main(Namespace(out=tmp_path / "out", retry=False, busy=True, **OPTIONS | {"data": tmp_path}))
    said = capsys.readouterr().out
    assert "none: left out without its data" in said
    assert said.endswith(f"commit {'c' * 10}, 0.00 hours\n")


def test_an_interrupted_part_is_in_the_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        monkeypatch.setattr(command, "now", lambda: "later")
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run_cases", interrupted)
    record, facts = Record(tmp_path), command.new_facts("c" * 40, quick=False)
    with pytest.raises(KeyboardInterrupt):
        command.run_part(record, facts, TINY, Namespace(retry=False, **OPTIONS))
    assert record.facts["ended"] == "later"


@pytest.mark.parametrize("part", PLAN, ids=lambda part: part.name)
def test_parts_leave_out_what_is_not_in_the_folder_of_data(tmp_path: Path, part: Part) -> None:
    found = part.cases(part.settings(tmp_path), quick=False)
    assert [path for case in found for path in named_files(case, tmp_path)] == []


def test_with_retry_marked_rows_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter([0.9, 0.9, 0.1, 0.1])
    monkeypatch.setattr(Beside, "cores", lambda _: next(loads))
    monkeypatch.setattr(runner, "run_child", lambda *_: {"outcome": "done"})
    case, suite = Case("tiny"), command.suite_named("instances")

    def beside(*, retry: bool) -> float:
        (row,) = runner.run_cases("instances", suite, [case], TINY.settings(None), tmp_path / "a", retry=retry)
        return float(row["load_beside"])

    assert [beside(retry=retry) for retry in (False, False, True, True, True)] == [0.9, 0.9, 0.9, 0.1, 0.1]
    assert next(loads) == 0.1, "a row without a mark ran again"


def test_rows_that_were_taken_again_are_counted_with_those_that_had_failed(tmp_path: Path) -> None:
    record = Record(tmp_path)
    attempts = {"once": ["failed"], "beside": ["done", "done"], "passed": ["failed", "done"], "tried": ["killed"] * 3}
    lines = [f"{name},{outcome},1.0,0.1," for name, outcomes in attempts.items() for outcome in outcomes]
    record.file("a").write_text("\n".join(["name,outcome,wall_seconds,load_beside,peak_mb", *lines, ""]))
    assert record.retries("a") == (3, 2)
    assert record.retries("missing") == (0, 0)
    summary = record.summary("a")
    assert [summary[key] for key in ("rows", "not done", "taken again", "after a failure")] == [4, 2, 3, 2]


def test_files_of_data_are_known_by_their_digests(tmp_path: Path) -> None:
    points = tmp_path / "data" / "plane" / "a.txt"
    points.parent.mkdir(parents=True)
    points.write_text("1 2\n")
    (tmp_path / "own.txt").touch()
    given: dict[str, Any] = {
        "files": [str(points), str(tmp_path / "own.txt"), None, 3],
        "name": "a.txt",
        "deeper": {"no": "/a/b"},
    }
    packed = points.with_name("b.txt.gz")
    packed.write_bytes(gzip.compress(b"1 2\n", mtime=1))
    given["packed"] = str(packed)
    found = digests([Case("a", {"unread": str(points)}, given)], tmp_path / "data")
    assert found == dict.fromkeys(("plane/a.txt", "plane/b.txt.gz"), hashlib.sha256(b"1 2\n").hexdigest())
    assert digests([Case("a", {"unread": str(points)})], tmp_path / "data") == {}
    assert command.same_data({"b": "1"}, found) == {"b": "1"} | found
    with pytest.raises(SystemExit, match=r"plane/a\.txt in --data is not the file that the record began with"):
        command.same_data({"plane/a.txt": "1"}, found)


def test_a_commercial_solver_is_refused_and_no_part_of_what_a_record_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(command.importlib.util, "find_spec", lambda name: None)
        command.refuse_commercial_solver()
    (tmp_path / "gurobipy.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit, match="made without a commercial solver; first: pip uninstall gurobipy"):
        command.refuse_commercial_solver()
    monkeypatch.setattr(command, "commit_of_code", lambda: "c" * 40)
    with pytest.raises(SystemExit, match="gurobipy"):
        command.main(Namespace(out=tmp_path, retry=False, busy=True, **OPTIONS))
    assert "gurobipy" not in required("bench") > {"scs", "scikit-learn", "distributed"}


def required(extra: str) -> set[str]:
    """Return the packages of an extra, with those of the extras that it names."""
    extras = tomllib.loads(repository.ROOT.joinpath("pyproject.toml").read_text())["project"]["optional-dependencies"]
    found = set()
    for requirement in extras[extra]:
        name, _, others = requirement.rstrip("]").partition("[")
        found |= set().union(*map(required, others.split(","))) if others else {re.match(r"[\w-]*", name)[0]}
    return found


def test_what_is_not_one_commit_on_a_quiet_machine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "WATCHED", 0.0)
    monkeypatch.setattr(Beside, "cores", lambda _: 0.8)
    with pytest.raises(SystemExit, match=r"0\.8 cores are busy with other work \(at most 0\.3\); wait, or give --busy"):
        command.refuse_busy_machine()
    with pytest.raises(SystemExit, match="no part 'nope'; there are published, "):
        command.chosen(["nope"])
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="is not a git repository"):
        command.commit_of_code()
    (tmp_path / "pcsos").mkdir()
    (tmp_path / "pcsos" / "new.py").touch()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "empty"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    with pytest.raises(SystemExit, match="commit or put away first: pcsos/"):
        command.commit_of_code()
