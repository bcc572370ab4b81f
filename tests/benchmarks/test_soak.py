"""The soak: its judge names what is wrong, what is drawn is what it says, and scenarios run from end to end."""

import argparse
import math
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.soak import command, process
from benchmarks.soak.draw import KINDS, Drawn, draw
from benchmarks.soak.process import CLOSED, FULL, NONE, Ran, Trouble, draw_trouble, fitting, replaced, run
from benchmarks.soak.scene import GAP, Scene
from tests.clocks import wait_until


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A scene of a small instance with pairs, after one process."""
    monkeypatch.setattr(process, "mount", lambda *_: False)
    found = Scene(tmp_path, 0)
    found.about = draw(np.random.default_rng(3), "small", "pairs")
    found.runs.append(ran())
    return found


def ran(status: int = 0, **more: Any) -> Ran:
    return Ran("solve", more.pop("arguments", ["points.csv"]), more.pop("trouble", NONE), status, **more)


def names(scene: Scene) -> list[str]:
    return [name for name, _ in scene.wrong]


def right(about: Drawn) -> dict[str, Any]:
    """A result without a fault: the best labels by looking at all partitions that cost the optimum."""
    every = np.stack(np.meshgrid(*[range(about.n_clusters)] * len(about.points), indexing="ij"), -1)
    best = min(filter(about.is_partition, every.reshape(-1, len(about.points))), key=about.cost)
    assert about.cost(best) == pytest.approx(about.most, rel=1e-12)
    return {"status": "OPTIMAL", "objective": about.most, "lower_bound": about.most, "labels": best.tolist()}


def test_a_result_without_a_fault_passes(scene: Scene) -> None:
    scene.claim(right(scene.about), GAP)
    assert scene.wrong == []
    assert scene.checks["labels"] == scene.checks["bound"] == scene.checks["proof"] == 1


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"objective": 1.01}, "objective"),
        ({"lower_bound": 1.001}, "bound"),
        ({"lower_bound": 0.9}, "proof"),
        ({"lower_bound": None}, "proof"),
        ({"status": "INFEASIBLE"}, "feasible"),
    ],
)
def test_false_claims_are_named(scene: Scene, change: dict[str, Any], check: str) -> None:
    most = scene.about.most
    scaled = {name: value * most if isinstance(value, float) else value for name, value in change.items()}
    scene.claim(right(scene.about) | scaled, GAP)
    assert check in names(scene)


def test_worse_labels_that_claim_to_be_optimal_are_named(scene: Scene) -> None:
    about = scene.about
    labels, cost = about.classes.tolist(), about.cost(about.classes)
    assert cost > about.most * 1.01
    scene.claim({"status": "OPTIMAL", "objective": cost, "lower_bound": about.most, "labels": labels}, GAP)
    assert names(scene) == ["proof"]


def test_labels_that_break_something_are_named(scene: Scene) -> None:
    record = right(scene.about)
    i, j = scene.about.cannot_link[0]
    record["labels"][i] = record["labels"][j]
    scene.claim(record, GAP)
    assert "labels" in names(scene)
    assert not scene.about.is_partition(record["labels"][:-1])
    assert not scene.about.is_partition([0] * len(scene.about.points))


def test_a_partition_of_what_is_infeasible_is_named(scene: Scene) -> None:
    scene.about = draw(np.random.default_rng(0), "small", "infeasible")
    assert not scene.about.is_feasible
    scene.claim({"status": "FEASIBLE", "labels": [0] * len(scene.about.points)}, GAP)
    assert names(scene) == ["no partition"]


def test_a_partition_below_an_earlier_bound_is_named(scene: Scene) -> None:
    scene.about = draw(np.random.default_rng(0), "medium", "plain")
    cost = scene.about.cost(scene.about.classes)
    scene.about.least = 1.1 * cost
    scene.claim({"status": "FEASIBLE", "objective": cost, "labels": scene.about.classes.tolist()}, GAP)
    assert names(scene) == ["bounds before"]


@pytest.mark.parametrize(
    ("outcome", "check"),
    [
        (ran(7), "exit status"),
        (ran(-signal.SIGSEGV), "exit status"),
        (ran(err="Traceback (most recent call last):\n  ..."), "no traceback"),
        (ran(1, trouble=Trouble("memory"), err="pcsos: unexpected error: ValueError"), "no traceback"),
        (ran(left=("process 17",)), "nothing left"),
        (ran(left=("abc",)), "nothing left"),
        (ran(seconds=150.0), "ends"),
        (ran(seconds=29.0, arguments=["--time-limit", "6"]), "time limit"),
    ],
)
def test_processes_that_end_badly_are_named(scene: Scene, outcome: Ran, check: str) -> None:
    scene.runs.append(outcome)
    scene.judge_process(outcome, ())
    assert names(scene) == [check]


def test_what_a_killed_process_leaves_is_its_due_but_no_process(scene: Scene) -> None:
    for left, wrong in ((("tmp1",), []), (("process 17",), ["nothing left"])):
        scene.judge_process(ran(-9, trouble=Trouble("SIGKILL"), left=left), ())
        assert names(scene) == wrong


def test_a_bound_that_a_checker_calls_verified_is_judged(scene: Scene) -> None:
    scene.judge_process(ran(out=f"verified lower bound  {1.01 * scene.about.most}\n"), ())
    assert names(scene) == ["bound"]


def test_outputs_that_are_lost_or_cut_off_are_named(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, other = scene.out / "labels.csv", scene.out / "page.html"
    labels.write_text("point,label\n")
    other.write_text("<html></html>\n")

    def half(*_: Any) -> Ran:
        labels.unlink()
        other.write_text("<html>")
        return ran()

    monkeypatch.setattr(process, "run", half)
    scene.do("solve", ["points.csv", "--json", "out/result.json"])
    assert names(scene) == ["outputs kept", "outputs whole", "outputs written"]


@pytest.mark.parametrize("trouble", [FULL, CLOSED])
def test_a_result_that_is_nowhere_is_named(scene: Scene, monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    said = iter(["pcsos: it cannot be written\n", 'it would have held:\n{"labels": [0]}\n'])
    given: list[list[str]] = []

    def failed(folder: Path, name: str, arguments: list[str], what: Trouble) -> Ran:
        given.append(arguments)
        return ran(1, trouble=what, err=next(said))

    monkeypatch.setattr(process, "run", failed)
    for wrong in (["result rescued"], ["result rescued"]):  # the second one is rescued
        scene.do("solve", ["points.csv", "--json", "out/result.json"], Trouble(trouble))
        assert names(scene) == wrong
    assert given[0][-1] == {FULL: "/dev/full", CLOSED: "-"}[trouble]


def test_lost_progress_is_named(scene: Scene) -> None:
    labels, cost = scene.about.classes.tolist(), scene.about.cost(scene.about.classes)
    record = {"status": "FEASIBLE", "objective": cost, "lower_bound": 0.5, "labels": labels}
    (scene.out / "a.run").touch()
    assert scene.after({"objective": cost, "lower_bound": 0.4}, record, is_kept=True) is record
    assert scene.after({"status": "x"}, record, is_kept=False) == {"status": "x"}
    assert scene.wrong == []
    scene.after({"objective": 0.9 * cost, "lower_bound": 0.6}, record, is_kept=True)
    scene.after({"objective": cost, "lower_bound": 0.6}, {"status": "UNKNOWN"}, is_kept=True)
    assert names(scene) == ["best partition kept", "bound kept"] * 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_drawn_is_as_feasible_as_it_says(kind: str, seed: int) -> None:
    about = draw(np.random.default_rng(seed), "small", kind)
    assert about.is_feasible == (kind != "infeasible") == about.is_partition(about.classes)
    assert math.isfinite(about.most) == about.is_feasible
    if about.is_feasible:
        assert about.most <= about.cost(about.classes) * (1 + 1e-12)


def test_troubles_are_drawn_within_the_time_of_a_process() -> None:
    found = [draw_trouble(np.random.default_rng(seed), "solve", 2.0, has_disk=True) for seed in range(200)]
    assert {trouble.name for trouble in found} == {*process.SIGNALS, *process.BESIDES}
    for trouble in found:
        assert all(0.0 <= at <= 3.2 for at, _ in trouble.signals)
        assert (len(trouble.signals) > 0) == trouble.name.startswith("SIG")
        assert (trouble.amount > 0) or trouble.name in {*process.SIGNALS, FULL, CLOSED, "--node-limit"}
    without = {draw_trouble(np.random.default_rng(seed), "verify", 2.0, has_disk=False).name for seed in range(200)}
    assert without == {*process.SIGNALS, "memory", "small files", FULL, CLOSED}


def test_only_ctrl_c_may_end_with_its_status() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        trouble, number = Trouble(name), getattr(signal, name)
        assert fitting("solve", True, trouble, is_limited=False) - {130} == {0, 4, -number}
        assert fitting("verify", True, trouble, is_limited=False) - {130} == {0, -number}
        assert (130 in fitting("solve", True, trouble, is_limited=False)) == (name == "SIGINT")
    assert fitting("solve", True, Trouble("SIGKILL"), is_limited=False) == {0, -9}
    assert fitting("solve", False, NONE, is_limited=False) == {3}


def test_an_option_is_given_once() -> None:
    given = ["points.csv", "--time-limit", "6", "--quiet"]
    assert replaced(given, "--time-limit", "2") == ["points.csv", "--time-limit", "2", "--quiet"]
    assert replaced(given, "--node-limit", "2") == [*given, "--node-limit", "2"]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which another program takes the place of pcsos."""
    for name in ("out", "tmp", "pcsos"):
        (tmp_path / name).mkdir()
    (tmp_path / "pcsos" / "__init__.py").touch()
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    yield tmp_path / "pcsos" / "__main__.py"
    process.ENDING.clear()


STAYS = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"


def test_a_signal_that_comes_too_late_is_none(program: Path) -> None:
    program.touch()
    found = run(program.parents[1], "solve", [], Trouble("SIGKILL", signals=((60.0, signal.SIGKILL),)))
    assert (found.status, found.trouble) == (0, NONE)


def test_a_process_that_stays_and_a_file_that_stays_are_found(program: Path) -> None:
    program.write_text(f"import subprocess, sys, tempfile\ntempfile.mkstemp()\n{STAYS}")
    found = run(program.parents[1], "solve", [], NONE)
    assert [what.partition(" ")[0] for what in found.left][:1] == ["process"]
    assert len(found.left) == 2
    assert list((program.parents[1] / "tmp").iterdir()) == []


def test_what_ends_the_soak_ends_the_process_and_what_it_has_started(program: Path) -> None:
    program.write_text(f"import subprocess, sys, time\n{STAYS}time.sleep(60)\n")
    folder = program.parents[1]

    def end_once_both_are_there() -> None:
        wait_until(lambda: len(process._started_for(folder / "tmp")) == 2)
        process.ENDING.set()

    timer = threading.Thread(target=end_once_both_are_there, daemon=True)
    timer.start()
    assert run(folder, "solve", [], NONE).status == -signal.SIGKILL
    timer.join()
    wait_until(lambda: process._started_for(folder / "tmp") == [])


def test_a_failure_of_the_soak_itself_is_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(scene: Scene) -> None:
        raise ValueError("no such thing")

    monkeypatch.setattr(process, "mount", lambda *_: False)
    for story in ("journaled", "by_itself"):
        monkeypatch.setattr(command, story, fail)
    scene = command.judge_seed(tmp_path, 7)
    assert scene.wrong == [("the soak itself", "ValueError: no such thing")]
    assert "no such thing" in (tmp_path / "seed-7" / "story.txt").read_text()
    scene.runs, scene.checks = [ran(), ran(trouble=Trouble("SIGKILL"))], Counter(bound=3)
    row = command.row_of(range(7, 8), [scene], 3600.0)
    assert (row["first_seed"], row["num_processes"], row["num_checks"], row["num_wrong"]) == (7, 2, 3, 1)
    assert row["first_wrong"] == "the soak itself: ValueError: no such thing"
    said = command.sentence([row | {"commit": "commit a"}, row | {"commit": "commit b", "num_wrong": 0}])
    assert said == (
        "2.0 hours, last at commit b: 2 scenarios, 4 processes, 6 checks, 1 of which failed (commit a: the soak itself)"
    )


@pytest.mark.slow
def test_the_scenario_of_a_fixed_seed(tmp_path: Path) -> None:
    scene = command.judge_seed(tmp_path / "failures", 1)
    assert scene.wrong == []
    assert scene.checks["ends"] == len(scene.runs) >= 3


@pytest.mark.slow
def test_the_command_soaks_and_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SEEDS_A_ROW", 1)
    options = argparse.Namespace(out=tmp_path / "soak.csv", hours=1e-5, workers=1)
    for _ in range(2):
        command.main(options)
    rows = command.read_rows(options.out)
    assert [row["name"] for row in rows] == ["seeds-0", "seeds-1"]
    assert all(row["num_processes"] > 0 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_soak_that_is_ended_leaves_nothing_behind(tmp_path: Path, number: int) -> None:
    line = [sys.executable, "-m", "benchmarks", "soak", "--out", str(tmp_path / "soak.csv"), "--workers", "2"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    soak = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, start_new_session=True)
    try:
        wait_until(lambda: len(started_below(tmp_path)) >= 2)
        soak.send_signal(number)
        assert b"what is written stays" in soak.communicate()[1]
        assert soak.returncode == 130
        assert started_below(tmp_path) == []
        assert [path.name for path in tmp_path.iterdir()] == ["soak.csv"]
    finally:
        for left in started_below(tmp_path):
            os.kill(left, signal.SIGKILL)


def started_below(folder: Path) -> list[int]:
    """Return the processes of scenarios whose folders are in this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={folder}/soak-".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return found
