"""The soak: its judge names whatever is wrong, what is drawn is what it says, and scenarios run from end to end."""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.pages.screens import fact
from benchmarks.pages.soak import MENDED
from benchmarks.record.folder import Record
from benchmarks.runner import append_row, start_file
from benchmarks.soak import command, process, scenario, scene
from benchmarks.soak.by_itself import answered, judge_answers
from benchmarks.soak.claims import CLAIMS, value_of
from benchmarks.soak.commands import fitting, troubles_of
from benchmarks.soak.draw import KINDS, drawn
from benchmarks.soak.growth import slope, solve_all, used_kb
from benchmarks.soak.journal import Journal, filed, told
from benchmarks.soak.judge import Judge, Progress
from benchmarks.soak.process import Ran, run, with_options
from benchmarks.soak.scenario import Outcome, judge_seed, try_seed
from benchmarks.soak.scene import Scene
from benchmarks.soak.summary import COLUMNS, GROWTH, STEADY, checks_of, growth_of_all, report, row_of
from benchmarks.soak.trouble import CLOSED, FULL, NONE, Trouble, draw_trouble
from benchmarks.soak.truth import Truth, broken, cost
from benchmarks.soak.workers import outcome_of
from tests.clocks import wait_until

GAP = 1e-4


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def truth() -> Truth:
    return Truth.of(drawn(np.random.default_rng(3), "small", "pairs"))


def ran(status: int = 0, **more: Any) -> Ran:
    return Ran("solve", ["points.csv"], more.pop("trouble", NONE), status, **more)


def names(judge: Judge) -> list[str]:
    return [name for name, _ in judge.wrong]


def right(truth: Truth) -> dict[str, Any]:
    """A result without a fault: the best labels by looking at all partitions that cost the optimum."""
    about = truth.about
    every = np.stack(np.meshgrid(*[range(about.n_clusters)] * about.n, indexing="ij"), -1).reshape(-1, about.n)
    best = min((labels for labels in every if not broken(about, labels)), key=lambda labels: cost(about, labels))
    assert cost(about, best) == pytest.approx(truth.most, rel=1e-12)
    return {"status": "OPTIMAL", "objective": truth.most, "lower_bound": truth.most, "labels": best.tolist()}


def test_a_result_without_a_fault_passes(judge: Judge, truth: Truth) -> None:
    judge.claim(right(truth), truth, GAP, "test")
    assert judge.wrong == []
    assert judge.counts["labels"] == judge.counts["bound"] == judge.counts["optimal"] == 1


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"objective": 1.01}, "objective"),
        ({"lower_bound": 1.001}, "bound"),
        ({"lower_bound": 0.9}, "gap"),
        ({"lower_bound": None}, "proof"),
        ({"labels": None}, "objective"),
        ({"status": "INFEASIBLE"}, "infeasible"),
    ],
)
def test_false_claims_are_named(judge: Judge, truth: Truth, change: dict[str, Any], check: str) -> None:
    scaled = {name: value * truth.most if isinstance(value, float) else value for name, value in change.items()}
    judge.claim(right(truth) | scaled, truth, GAP, "test")
    assert check in names(judge)


def test_worse_labels_that_claim_to_be_optimal_are_named(judge: Judge, truth: Truth) -> None:
    about = truth.about
    labels = about.classes.tolist()
    assert cost(about, labels) > truth.most * 1.01
    record = {"status": "OPTIMAL", "objective": cost(about, labels), "lower_bound": truth.most, "labels": labels}
    judge.claim(record, truth, GAP, "test")
    assert names(judge) == ["optimal", "gap"]


def test_labels_that_break_something_are_named(judge: Judge, truth: Truth) -> None:
    i, j = truth.about.cannot_link[0]
    labels = right(truth)["labels"]
    labels[i] = labels[j]
    judge.claim(right(truth) | {"labels": labels}, truth, GAP, "test")
    assert "labels" in names(judge)
    assert broken(truth.about, labels[:-1])
    assert "clusters of" in broken(truth.about, [0] * truth.about.n)


def test_a_partition_of_what_is_infeasible_is_named(judge: Judge) -> None:
    truth = Truth.of(drawn(np.random.default_rng(0), "small", "infeasible"))
    assert not truth.is_feasible
    judge.claim({"status": "FEASIBLE", "labels": [0] * truth.about.n}, truth, GAP, "test")
    assert names(judge) == ["no partition"]


def test_a_partition_below_an_earlier_bound_is_named(judge: Judge) -> None:
    truth = Truth.of(drawn(np.random.default_rng(0), "medium", "plain"))
    labels = truth.about.classes.tolist()
    truth.believe(1.1 * cost(truth.about, labels))
    judge.partition(labels, cost(truth.about, labels), truth, "test")
    assert names(judge) == ["bounds before"]


@pytest.mark.parametrize(
    ("outcome", "check"),
    [
        (ran(7), "exit status"),
        (ran(-signal.SIGSEGV), "exit status"),
        (ran(err="Traceback (most recent call last):\n  ..."), "no traceback"),
        (ran(1, trouble=Trouble("memory", memory_mb=1000), err="pcsos: unexpected error: ValueError"), "no traceback"),
        (ran(left_running=("17 python",)), "no process left"),
        (ran(left_files=("tmp/abc",)), "no file left"),
        (ran(is_hung=True, seconds=150.0), "ends"),
    ],
)
def test_processes_that_end_badly_are_named(judge: Judge, outcome: Ran, check: str) -> None:
    judge.process(outcome, fitting("solve", True, outcome.trouble, is_limited=False))
    assert names(judge) == [check]


def test_what_a_killed_process_leaves_is_its_due(judge: Judge) -> None:
    trouble = Trouble("SIGKILL")
    judge.process(ran(-9, trouble=trouble, left_files=("tmp/x",)), fitting("solve", True, trouble, is_limited=False))
    assert judge.wrong == []


@pytest.mark.parametrize(
    ("seconds", "file", "passes"),
    [(0.02, "/lib/contextlib.py", True), (0.02, "/lib/pcsos/io/source.py", False), (2.0, "/lib/contextlib.py", False)],
)
def test_only_the_start_of_python_may_show_a_traceback(judge: Judge, seconds: float, file: str, passes: bool) -> None:
    trouble = Trouble("SIGINT", signals=((seconds, signal.SIGINT),))
    said = f'Traceback (most recent call last):\n  File "{file}", line 1\nKeyboardInterrupt'
    judge.process(ran(1, trouble=trouble, err=said, num_signals=1), fitting("verify", True, trouble, is_limited=False))
    assert (judge.wrong == []) == passes


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", '{"status": "OPT'), ("a.csv", "point,label\n0,0\n1"), ("a.html", "<html>"), ("a.txt", "ML 0 1\nCL 2")],
)
def test_half_an_output_is_named(judge: Judge, tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    points = [*"01234"]
    judge.output(path, b"what was there", ran(), points)
    judge.output(path, content.encode(), ran(), points)  # as it was before: not this process's doing
    path.unlink()
    judge.output(path, b"what was there", ran(), points)
    judge.output(path, None, ran(), points)
    assert names(judge) == ["outputs whole"] * 2
    assert judge.counts["outputs whole"] == 3  # where there was nothing, nothing can be lost


def test_lost_progress_is_named(judge: Judge) -> None:
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": 2.0, "lower_bound": 1.5}, "test")
    assert judge.wrong == []
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": 2.1, "lower_bound": 0.9}, "test")
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": None, "lower_bound": None}, "test")
    assert names(judge) == ["best partition kept", "bound kept"] * 2


def test_only_checks_that_can_fail_are_counted(judge: Judge) -> None:
    judge.kept({}, {"objective": 2.0, "lower_bound": 1.0}, "test")
    judge.announced(Progress(math.inf, frozenset()), Progress(2.0, frozenset({0})), "test")
    assert judge.counts.total() == 0
    judge.process(ran(is_hung=True), {0})
    assert judge.counts["exit status"] == 0
    medium = Truth.of(drawn(np.random.default_rng(0), "medium", "plain"))
    judge.partition(medium.about.classes.tolist(), cost(medium.about, medium.about.classes), medium, "test")
    assert judge.counts["bounds before"] == 0


LOG = """{"event": "incumbent", "objective": 3.0}
{"event": "node_closed", "node": 0, "how": "branched"}
{"event": "node_closed", "node": 1, "how": "open"}
{"event": "notice", "message": "the run stops because its run file cannot be written: no space"}
{"event": "node_closed", "node": 2, "how": "bound"}
{"event": "run_started"}
{"event": "incumbent", "objective": 2.5}
{"event": "incumb"""


def test_what_a_killed_run_has_told_is_in_its_file(judge: Judge) -> None:
    progress = told(LOG)
    assert progress == Progress(2.5, frozenset({0}))
    judge.announced(progress, Progress(2.5, frozenset({0, 2})), "test")
    assert judge.wrong == []
    judge.announced(progress, Progress(2.6, frozenset({2})), "test")
    assert names(judge) == ["announced partition kept", "announced nodes kept"]


def test_what_a_run_file_holds_is_read_from_its_tables(tmp_path: Path) -> None:
    import pcsos

    result = pcsos.solve([0.0, 1.0, 5.0, 6.0, 9.0], 3, run_file=tmp_path / "run.pcsos", workers=1)
    assert result.objective is not None
    assert filed(tmp_path / "run.pcsos") == Progress(result.objective, frozenset({0}))
    (tmp_path / "empty").touch()
    assert filed(tmp_path / "empty") == Progress(math.inf, frozenset())


def test_another_end_is_named(judge: Judge) -> None:
    alone = {"status": "OPTIMAL", "objective": 2.0, "reason": "GAP_REACHED"}
    judge.same_end(alone, alone | {"objective": 2.0001}, GAP, "test")
    assert judge.wrong == []
    judge.same_end(alone, alone | {"objective": 2.1, "status": "FEASIBLE"}, GAP, "test")
    assert names(judge) == ["same status", "same objective"]


def test_streams_and_times_that_do_not_fit_are_named(judge: Judge, tmp_path: Path) -> None:
    judge.standard_output(ran(out="a note\n"), is_empty=True)
    judge.standard_output(ran(out="a note\n"), is_empty=False)
    judge.in_time(ran(seconds=9.0), 2.0, 5.0)
    judge.rescued(ran(1), ran(1, err="pcsos: it cannot be written\n").rescued)
    judge.written(tmp_path / "absent.json", False, ran())
    assert names(judge) == ["standard output"] * 2 + ["time limit", "result rescued", "outputs written"]
    judge.rescued(ran(1), ran(1, err='pcsos: it would have held:\n{"labels": [0]}\n').rescued)
    assert len(judge.wrong) == 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_drawn_is_as_feasible_as_it_says(kind: str, seed: int) -> None:
    about = drawn(np.random.default_rng(seed), "small", kind)
    truth = Truth.of(about)
    assert truth.is_feasible == (kind != "infeasible") == (not broken(about, about.classes))
    assert math.isfinite(truth.most) == truth.is_feasible
    if truth.is_feasible:
        assert truth.most <= cost(about, about.classes) * (1 + 1e-12)


def test_troubles_are_drawn_within_the_time_of_a_process() -> None:
    for seed in range(50):
        trouble = draw_trouble(np.random.default_rng(seed), ("SIGKILL", "SIGINT twice", "time limit", "memory"), 2.0)
        assert all(0.0 <= at <= 3.2 for at, _ in trouble.signals)
        assert (len(trouble.signals) > 0) == trouble.name.startswith("SIG")
        assert (trouble.memory_mb is not None) == (trouble.name == "memory")


def test_a_trouble_counts_as_far_as_it_came() -> None:
    twice = Trouble("SIGINT twice", signals=((0.1, signal.SIGINT), (0.2, signal.SIGINT)))
    assert [twice.after(number).name for number in (0, 1, 2)] == ["none", "SIGINT", "SIGINT twice"]
    killed = Trouble("SIGKILL", signals=((0.1, signal.SIGKILL),))
    assert ran(-9, trouble=killed, num_signals=1).met is killed
    assert ran(0, trouble=killed, num_signals=1).met.name == "none"  # it had ended, and nobody had looked yet
    assert ran(1, trouble=Trouble(FULL)).met.name == FULL


def test_only_ctrl_c_may_end_with_its_status() -> None:
    by_name = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
    for name, number in by_name.items():
        trouble = Trouble(name, signals=((0.1, number),))
        assert fitting("solve", True, trouble, is_limited=False) - {130} == {0, 4, -number}
        assert fitting("verify", True, trouble, is_limited=False) - {130} == {0, -number}
        assert (130 in fitting("solve", True, trouble, is_limited=False)) == (name == "SIGINT")


@pytest.mark.parametrize("name", ["report", "ask", "info", "solve"])
def test_outputs_are_led_astray_or_there_is_no_such_trouble(name: str) -> None:
    options = {"report": ["-o"], "ask": ["--constraints-out", "--log"]}.get(name, ["--json"])
    arguments = [word for option in options for word in (option, "out/file")]
    assert "/dev/full" in scene._led_astray(arguments, Trouble(FULL))
    assert (CLOSED in troubles_of(name)) == ("-" in scene._led_astray(arguments, Trouble(CLOSED)))
    assert FULL in troubles_of(name)


def test_an_earlier_rescue_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Scene(tmp_path, 0)
    played.path("run.pcsos.result.json").write_text('{"status": "OPTIMAL"}')
    monkeypatch.setattr(scene, "run", lambda folder, name, arguments, trouble, stdin: Ran(name, arguments, trouble, 1))
    played.do("solve", ["points.csv", "--json", "out/result.json"], Trouble(CLOSED))
    assert names(played.judge) == ["result rescued"]
    assert played.record("result.json") is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("out", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_a_signal_that_comes_too_late_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "quick.py").touch()
    monkeypatch.setitem(process.MODULES, "quick", ["quick"])
    found = run(folder, "quick", [], Trouble("SIGKILL", signals=((60.0, signal.SIGKILL),)))
    assert (found.status, found.num_signals, found.met.name) == (0, 0, "none")


def test_what_ends_the_soak_ends_the_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "long.py").write_text(
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setitem(process.MODULES, "long", ["long"])
    before = signal.signal(signal.SIGUSR1, signal.default_int_handler)

    def end_once_both_are_there() -> None:
        wait_until(lambda: len(process._started_for(folder / "tmp")) == 2)
        os.kill(os.getpid(), signal.SIGUSR1)

    timer = threading.Thread(target=end_once_both_are_there)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run(folder, "long", [], NONE)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert process._started_for(folder / "tmp") == {}


def test_a_process_that_stays_and_a_file_that_stays_are_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "litter.py").write_text(
        "import os, subprocess, sys, tempfile\n"
        "tempfile.mkstemp()\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True,\n"
        "                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    )
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    monkeypatch.setitem(process.MODULES, "litter", ["litter"])
    found = run(folder, "litter", [], NONE)
    assert len(found.left_running) == len(found.left_files) == 1
    assert "time.sleep(60)" in found.left_running[0]
    assert list((folder / "tmp").iterdir()) == []


def with_slopes(*slopes: float) -> list[dict[str, Any]]:
    """Return rows of which each has measured the memory of a process."""
    growths = [{"solves": 450, "kb_a_solve": 9.0, "used_kb_a_solve": slope} for slope in slopes]
    return [row_of([one_wrong()], 1.0, growth, "commit") for growth in growths]


def steps(rng: np.random.Generator) -> np.ndarray:
    """Draw the memory of a process that does not grow: it comes and goes by 2 MB, at one solve in fifty."""
    return np.cumsum(rng.choice([0.0, 2000.0, -2000.0], 450, p=[0.98, 0.01, 0.01]))


@pytest.mark.parametrize("processes", [2, 6])
def test_the_interval_of_growth_holds_as_often_as_it_says(processes: int) -> None:
    rng = np.random.default_rng(processes)
    slopes = [[slope(steps(rng)) for _ in range(processes)] for _ in range(500)]
    found = [growth_of_all([{"solves": 450, "used_kb_a_solve": own} for own in soak]) for soak in slopes]
    assert 0.92 <= np.mean([abs(growth) <= half for growth, half in found]) <= 0.98


def test_growth_of_one_process_has_no_error() -> None:
    assert slope([1.0, 3.0, 5.0, 7.0]) == pytest.approx(2.0)
    growth, half = growth_of_all(with_slopes(2.0))
    assert growth == 2.0
    assert math.isnan(half)
    assert STEADY not in dict(line[:2] for line in checks_of(with_slopes(2.0)))


def test_the_longest_processes_tell_of_growth() -> None:
    longer = [row | {"solves": 4000} for row in with_slopes(0.25, 0.35)]
    assert growth_of_all([*with_slopes(30.0, 31.0, 32.0), *longer])[0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("slopes", "fails"),
    [((30.0, 31.0, 32.0), 1), ((0.5, 0.6, 0.7), 0), ((-31.0, -30.0, -32.0), 0)],
)
def test_growth_that_is_large_and_sure_fails(slopes: tuple[float, ...], fails: int) -> None:
    assert checks_of(with_slopes(*slopes))[-1] == (STEADY, 1, fails)


@pytest.mark.parametrize("slopes", [(-90.0, 31.0, 152.0), (0.0, 1.0, 2.0)])
def test_growth_that_is_not_sure_is_not_judged(slopes: tuple[float, ...]) -> None:
    assert STEADY not in dict(line[:2] for line in checks_of(with_slopes(*slopes)))


def test_rows_that_tell_only_what_was_held_do_not_tell_of_growth() -> None:
    old = [row | {"used_kb_a_solve": None} for row in with_slopes(0.1, 0.2)]
    assert all(math.isnan(number) for number in growth_of_all(old))
    assert growth_of_all([*old, *with_slopes(0.3)])[0] == pytest.approx(0.3)


def test_the_limit_of_a_trouble_takes_the_place_of_that_of_a_command() -> None:
    given = ["points.csv", "--time-limit", "6", "--quiet"]
    assert with_options(given, ("--time-limit", "2")) == ["points.csv", "--quiet", "--time-limit", "2"]
    assert with_options(given, ("--node-limit", "2")) == [*given, "--node-limit", "2"]
    assert with_options(given, ()) == given


def one_wrong() -> Outcome:
    """Return two processes, three checks of a bound, and one that failed."""
    return Outcome(
        7, "small plain, commands", Counter(info=2), Counter(none=1, SIGKILL=1), Counter(bound=3),
        {"info small": 50.0}, [("bound", "bound 2 above a cost of 1")],
    )  # fmt: skip


def test_rows_add_up_in_the_report() -> None:
    first = one_wrong()
    growth = {"solves": 10, "first_mb": 200.0, "last_mb": 201.0, "kb_a_solve": 2.5, "used_kb_a_solve": 0.5}
    rows = [row_of([first], 1800.0, growth, "commit a"), row_of([first, first], 5400.0, {}, "commit b+")]
    rows[1] |= dict.fromkeys(growth)
    said = report(rows)
    assert said.startswith("2.00 hours: 2 scenarios, 6 processes, 9 checks, 3 of them failed")
    assert "bound 2 above a cost of 1" in said
    assert json.loads(rows[1]["wrong_kinds"]) == {"bound": 2}
    assert rows[0]["wrong_seeds"] == "7"
    several = report([rows[0] | {"used_kb_a_solve": slope} for slope in (0.5, 0.55, 0.6)])
    cells = [cell.strip() for cell in next(line for line in several.splitlines() if " 10 |" in line).split("|")[1:-1]]
    assert cells == ["3", "10", "200", "201", "2.5", "0.55", "0.1242"]
    assert "10 checks, 3 of them failed" in several  # that of the memory is one of them


def test_peaks_are_compared_over_as_many_rows() -> None:
    peaks = [50.0, 60.0, 90.0, 55.0, 58.0]
    rows = [row_of([one_wrong()], 1.0, dict.fromkeys(("solves",)), "commit") for _ in peaks]
    said = report([row | {"peaks": json.dumps({"info small": peak})} for row, peak in zip(rows, peaks, strict=True)])
    assert "|    info small |                        60 |            58 |" in said


def test_a_run_file_can_be_moved_again_and_again(tmp_path: Path) -> None:
    journal = Journal(Scene(tmp_path, 0))
    journal.known = {"status": "FEASIBLE"}
    for suffix in ("", "-wal"):
        (tmp_path / "out" / f"{journal.file}{suffix}").write_text(f"data{suffix}")
    before = journal.file
    for _ in range(2):
        journal._move()
    assert before not in {path.name for path in (tmp_path / "out").iterdir()}
    assert [path.read_text() for path in sorted((tmp_path / "out").iterdir())] == ["data", "data-wal"]
    assert journal.has_file


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 3, 5])
def test_scenarios_of_fixed_seeds(tmp_path: Path, seed: int) -> None:
    outcome = judge_seed(seed, tmp_path / "failures")
    assert outcome.wrong == []
    assert outcome.commands.total() >= 3
    assert outcome.checks["ends"] == outcome.commands.total()


@pytest.mark.slow
def test_the_memory_of_many_solves_is_measured() -> None:
    found = solve_all(0, 14)
    assert found["solves"] == 7
    assert found["last_mb"] > 50.0
    assert abs(found["used_kb_a_solve"]) < 10_000.0


def test_the_memory_in_use_is_seen_to_grow_and_to_be_given_back() -> None:
    before = used_kb()
    kept = [bytes(2**22), bytes(2**10)]
    assert used_kb() - before == pytest.approx(2**12, rel=0.1)
    kept.clear()
    assert used_kb() - before == pytest.approx(0.0, abs=400.0)


def test_a_failure_of_the_soak_itself_is_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(seed: int, failures: Path) -> Outcome:
        raise ValueError("no such thing")

    monkeypatch.setattr(scenario, "judge_seed", fail)
    outcome = try_seed(7, tmp_path)
    assert outcome.wrong == [("the soak itself", "ValueError: no such thing")]
    assert "no such thing" in (tmp_path / "seed-7" / "story.txt").read_text()
    future: Future[Outcome] = Future()
    future.set_exception(BrokenProcessPool("a worker was killed"))
    row = row_of([outcome, outcome_of(8, future), outcome_of(8, future)], 1.0, {}, "commit")
    assert (row["first_seed"], row["num_seeds"], row["num_wrong"], row["num_checks"]) == (7, 2, 3, 3)


def test_seeds_go_on_where_they_were() -> None:
    rows = [{"first_seed": 20.0, "num_seeds": 10.0}, {"first_seed": 0.0, "num_seeds": 10.0}]
    assert command.next_seed([], Path("soak.csv")) == 0
    assert command.next_seed(rows, Path("soak.csv")) == command.next_seed(rows, Path("soak.csv"), 30) == 30
    with pytest.raises(SystemExit, match=r"soak.csv has rows up to seed 29; give a --first-seed from 30 on"):
        command.next_seed(rows, Path("soak.csv"), 29)


@pytest.mark.slow
def test_the_command_soaks_and_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SEEDS_A_ROW", 1)
    growth = {"solves": 10, "first_mb": 1.0, "last_mb": 2.0, "kb_a_solve": 0.5, "used_kb_a_solve": 0.1}
    monkeypatch.setattr(command, "measured", lambda seed: growth)
    options = argparse.Namespace(out=tmp_path / "soak.csv", hours=0.0, first_seed=None, workers=1, report=False)
    with pytest.raises(SystemExit, match="has no rows; give it more --hours"):
        command.main(options)
    options.hours = 1e-5
    command.main(options)
    command.main(options)
    rows = command.read_rows(options.out)
    assert [row["name"] for row in rows] == ["seeds-0", "seeds-1"]
    assert [row["solves"] for row in rows] == [10, None]
    assert all(row["num_processes"] > 0 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_soak_that_is_ended_leaves_nothing_behind(tmp_path: Path, number: int) -> None:
    line = [sys.executable, "-m", "benchmarks", "soak", "--out", str(tmp_path / "soak.csv"), "--workers", "2"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    soak = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, start_new_session=True)
    try:
        wait_until(lambda: len(started_below(tmp_path)) >= 2)
        if number == signal.SIGINT:
            os.killpg(soak.pid, number)  # as a terminal does
        else:
            soak.send_signal(number)
        assert b"what is written stays" in soak.communicate()[1]
        assert soak.returncode == 130
        assert started_below(tmp_path, "") == []
        assert [path.name for path in tmp_path.iterdir()] == ["soak.csv"]
    finally:
        for left in started_below(tmp_path, ""):
            os.kill(left, signal.SIGKILL)


def started_below(folder: Path, of: str = "/soak-") -> list[int]:
    """Return the processes that have this folder, or one of the soak in it, for temporary files."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={folder}{of}".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return found


def test_a_report_of_nothing_says_what_to_do(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "benchmarks", "soak", "--out", str(tmp_path / "soak.csv"), "--report"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "has no rows; run the soak first, without --report" in done.stderr


def test_the_page_of_benchmarks_says_what_it_came_to(tmp_path: Path) -> None:
    record = Record(tmp_path)
    start_file(record.file("soak"), list(COLUMNS))
    for number, kilobytes in enumerate((0.5, 0.55)):
        growth = {
            "solves": 10, "first_mb": 200.0, "last_mb": 201.0, "kb_a_solve": 2.5, "used_kb_a_solve": kilobytes,
        }  # fmt: skip
        row = row_of([one_wrong()], 7200.0, growth, f"commit {number}")
        append_row(record.file("soak"), list(COLUMNS), row | {"name": f"seeds-{number}"})
    assert fact(record, "trust.soak") == (
        "4.0 hours at commit 0, commit 1: 2 scenarios, 4 processes, 7 checks, 2 of which failed; "
        "a solve adds 0.5 ± 0.3 kB to the memory that its process uses (95 % confidence)"
    )
    assert fact(record, "trust.soak_troubles") == "left alone (2), SIGKILL (2)"
    lines = fact(record, "trust.soak_checks").splitlines()
    assert [line.split()[1:-1] for line in lines[2:]] == [
        ["bound", "|", "6", "|", "2"],
        [*STEADY.split(), "|", "1", "|", "0"],
    ]


def test_the_page_says_of_a_check_that_failed_where_that_is_mended_since(tmp_path: Path) -> None:
    record, growth = Record(tmp_path), dict.fromkeys(GROWTH)
    start_file(record.file("soak"), list(COLUMNS))
    early, late = (row_of([replace(one_wrong(), seed=MENDED + more)], 1.0, growth, "x") for more in (0, 1))
    for rows, failed in (([early], "1"), ([late | {"wrong_kinds": "{}"}], "1 (mended since)"), ([late], "2")):
        for each in rows:
            append_row(record.file("soak"), list(COLUMNS), each)
        cells = fact(record, "trust.soak_checks").splitlines()[2].split("|")
        assert (cells[1].strip(), cells[3].strip()) == ("bound", failed)


def scene_with(folder: Path, size: str, kind: str, seed: int = 3) -> Scene:
    """Return a scene about an instance of this size and kind."""
    found = Scene(folder, 0)
    found.about = drawn(np.random.default_rng(seed), size, kind)
    found.truth = Truth.of(found.about)
    found.about.write(folder)
    return found


def row(truth: Truth, **more: Any) -> dict[str, Any]:
    """Return a row of a path, or a corner, that is right."""
    assert truth.exact is not None
    labels = truth.exact.best_labels.tolist()
    objective = cost(truth.about, labels)
    found = {"n_clusters": truth.about.n_clusters, "objective": objective, "lower_bound": objective, "labels": labels}
    return found | {"status": "OPTIMAL"} | more


def test_every_number_of_clusters_of_a_path_is_judged(tmp_path: Path) -> None:
    played = scene_with(tmp_path, "small", "pairs")
    own = played.about.n_clusters
    rows = [row(played.truth.of_clusters(number)) for number in (own, own + 1)]
    CLAIMS["path"](played, {"path": rows}, "test")
    assert played.judge.wrong == []
    assert played.judge.counts["optimal"] == 2
    rows[1]["lower_bound"] *= 1.01
    CLAIMS["path"](played, {"path": rows}, "test")
    assert names(played.judge) == ["bound"]


@pytest.mark.parametrize("criterion", ["diameter", "split"])
def test_every_corner_of_a_front_is_judged(tmp_path: Path, criterion: str) -> None:
    played = scene_with(tmp_path, "small", "plain", seed=7)
    exact, sign = played.truth.exact, 1 if criterion == "split" else -1
    assert exact is not None
    costs = np.array([cost(played.about, labels) for labels in exact.labels])
    values = np.array([sign * value_of(criterion, played.about.points, labels) for labels in exact.labels])
    corners, left = [], np.full(len(costs), True)
    while left.any():
        at = int(np.argmin(np.where(left, costs, np.inf)))
        corner = row(played.truth, objective=costs[at], lower_bound=costs[at], labels=exact.labels[at].tolist())
        corners.append(corner | {criterion: sign * values[at]})
        left &= values > values[at] + 1e-7 * abs(values[at])
    record = {"criterion": criterion, "reason": "INFEASIBLE", "corners": corners}
    CLAIMS["front"](played, record, "test")
    assert played.judge.wrong == []
    assert played.judge.counts["bound"] == len(corners) > 1
    last = corners[-1]
    CLAIMS["front"](played, record | {"corners": corners[:-1]}, "test")
    CLAIMS["front"](played, record | {"corners": [*corners[:-1], last | {criterion: 1.01 * last[criterion]}]}, "test")
    higher = last | {"lower_bound": 1.01 * last["lower_bound"]}
    CLAIMS["front"](played, record | {"corners": [*corners[:-1], higher]}, "test")
    assert names(played.judge) == ["front complete", "diameter and split", "bound"]


def test_a_corner_of_a_larger_front_is_bounded_by_those_that_follow(tmp_path: Path) -> None:
    played = scene_with(tmp_path, "medium", "plain")
    labels = played.about.classes.tolist()
    own = {"objective": cost(played.about, labels), "labels": labels, "status": "FEASIBLE"}
    own["diameter"] = value_of("diameter", played.about.points, labels)
    corners = [own | {"lower_bound": None}, own | {"lower_bound": 1.01 * own["objective"]}]
    CLAIMS["front"](played, {"criterion": "diameter", "reason": "TIME_LIMIT", "corners": corners}, "test")
    assert names(played.judge) == ["bound"]


@pytest.mark.parametrize("name", ["violated_must_link", "violated_cannot_link", "objective"])
def test_labels_that_may_break_pairs_are_judged(tmp_path: Path, name: str) -> None:
    played = scene_with(tmp_path, "small", "pairs")
    labels = np.roll(played.about.classes, 1).tolist()
    record = {
        "labels": labels, "objective": cost(played.about, labels),
        "violated_must_link": [[j, i] for i, j in played.about.must_link if labels[i] != labels[j]],
        "violated_cannot_link": [[j, i] for i, j in played.about.cannot_link if labels[i] == labels[j]],
    }  # fmt: skip
    CLAIMS["soft"](played, record, "test")
    assert played.judge.wrong == []
    wrong = {"objective": 1.01 * record["objective"]}.get(name, [[0, 1], [0, 2]])
    CLAIMS["graph"](played, record | {name: wrong}, "test")
    assert names(played.judge) == ["objective" if name == "objective" else "broken pairs"]


def test_a_comparison_and_a_description_are_judged(tmp_path: Path) -> None:
    played = scene_with(tmp_path, "small", "soft")
    real = cost(played.about, played.about.classes)
    own = {"objective": real, "violated_must_link": [], "violated_cannot_link": []}
    CLAIMS["compare"](played, {"clusterings": [own]}, "test")
    sizes = {"n_points": played.about.n, "n_clusters": played.about.n_clusters, "feasible": True}
    CLAIMS["info"](played, sizes | {"cost_inside_super_points": 0.0}, "test")
    assert played.judge.wrong == []
    CLAIMS["compare"](played, {"clusterings": [own | {"objective": real + 1.0}]}, "test")
    CLAIMS["info"](played, sizes | {"cost_inside_super_points": 1.01 * real}, "test")
    CLAIMS["info"](played, sizes | {"feasible": False}, "test")
    assert names(played.judge) == ["objective", "bound", "description"]


def test_certain_pairs_are_judged(tmp_path: Path) -> None:
    played = scene_with(tmp_path, "small", "plain")
    best, n = row(played.truth), played.about.n
    alone = {"epsilon": 0.0, "groups": best["labels"], "n_certain_pairs": n * (n - 1) // 2, "n_uncertain_pairs": 0}
    CLAIMS["certain"](played, best | {"certain": alone}, "test")
    assert played.judge.wrong == []
    CLAIMS["certain"](played, best | {"certain": alone | {"epsilon": 50.0}}, "test")
    CLAIMS["certain"](played, best | {"certain": alone | {"n_uncertain_pairs": 1}}, "test")
    assert names(played.judge) == ["certain pairs"] * 3


def test_answers_that_are_lost_or_changed_are_named(tmp_path: Path) -> None:
    played = scene_with(tmp_path, "small", "pairs")
    log, known = played.path("answers.csv"), played.path("known.txt")
    before = "# 9 points\ni,j,answer\n0,1,yes\n0,2,no\n0,2,undo\n3,4,n"
    log.write_text(before[:-5] + "1,2,unknown\n")  # the half line of a process that was killed is gone
    pairs = (tmp_path / "pairs.txt").read_text()
    known.write_text("ML 1 0\n" + pairs)
    played._new = {known}
    judge_answers(played, before, "test")
    assert played.judge.wrong == []
    assert played.judge.counts.total() == 2
    assert answered('# 4 points\ni,j,answer\n#1,b,yes\n"c,d",#1,no\n') == {
        ("ML", frozenset(("#1", "b"))),
        ("CL", frozenset(("c,d", "#1"))),
    }
    known.write_text("CL 1 0\n" + pairs)
    judge_answers(played, before.replace("yes", "no"), "test")
    assert names(played.judge) == ["answers kept", "answers right"]
