"""The soak: its judge names whatever is wrong, what is drawn is what it says, and scenarios run from end to end."""

import json
import math
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.pages.screens import fact
from benchmarks.record.folder import Record
from benchmarks.runner import append_row, start_file
from benchmarks.soak.commands import fitting
from benchmarks.soak.draw import KINDS, drawn
from benchmarks.soak.growth import slope, slope_of_means, solve_all
from benchmarks.soak.judge import Judge
from benchmarks.soak.process import Ran, run, with_options
from benchmarks.soak.scenario import Outcome, judge_seed
from benchmarks.soak.scene import Scene
from benchmarks.soak.stories import Journal
from benchmarks.soak.summary import COLUMNS, report, row_of
from benchmarks.soak.trouble import NONE, Trouble, draw_trouble
from benchmarks.soak.truth import Truth, broken, cost

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
    judge.process(ran(1, trouble=trouble, err=said), fitting("verify", True, trouble, is_limited=False))
    assert (judge.wrong == []) == passes


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", '{"status": "OPT'), ("a.csv", "point,label\n0,0\n1"), ("a.html", "<html>"), ("a.txt", "ML 0 1\nCL 2")],
)
def test_half_an_output_is_named(judge: Judge, tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    judge.output(path, b"what was there", ran(), 5)
    judge.output(path, content.encode(), ran(), 5)  # as it was before: not this process's doing
    path.unlink()
    judge.output(path, b"what was there", ran(), 5)
    judge.output(path, None, ran(), 5)
    assert names(judge) == ["outputs whole"] * 2


def test_lost_progress_is_named(judge: Judge) -> None:
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": 2.0, "lower_bound": 1.5}, "test")
    assert judge.wrong == []
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": 2.1, "lower_bound": 0.9}, "test")
    judge.kept({"objective": 2.0, "lower_bound": 1.0}, {"objective": None, "lower_bound": None}, "test")
    assert names(judge) == ["best partition kept", "bound kept"] * 2


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
    judge.rescued(ran(1, err="pcsos: it cannot be written\n"), None)
    judge.written(tmp_path / "absent.json", None, ran())
    assert names(judge) == ["standard output"] * 2 + ["time limit", "result rescued", "outputs written"]
    judge.rescued(ran(1, err='pcsos: it would have held:\n{"labels": [0]}\n'), None)
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


def test_a_process_that_stays_and_a_file_that_stays_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.soak import process

    (tmp_path / "litter.py").write_text(
        "import os, subprocess, sys, tempfile\n"
        "tempfile.mkstemp()\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True,\n"
        "                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    )
    for name in ("out", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    monkeypatch.setitem(process.MODULES, "litter", ["litter"])
    found = run(tmp_path, "litter", [], NONE)
    assert len(found.left_running) == len(found.left_files) == 1
    assert "time.sleep(60)" in found.left_running[0]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_slope_and_its_error() -> None:
    assert slope(np.array([1.0, 3.0, 5.0, 7.0])) == (2.0, 0.0)
    a, error = slope(np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]))
    assert abs(a) < 2 * error
    a, error = slope_of_means(np.arange(100.0) * 3.0, block=10)
    assert (a, error) == (pytest.approx(3.0), pytest.approx(0.0, abs=1e-9))
    steps = np.cumsum(np.random.default_rng(0).choice([0.0, 2000.0, -2000.0], 450, p=[0.98, 0.01, 0.01]))
    assert slope_of_means(steps)[1] > slope(steps)[1]


def test_the_limit_of_a_trouble_takes_the_place_of_that_of_a_command() -> None:
    given = ["points.csv", "--time-limit", "6", "--quiet"]
    assert with_options(given, ("--time-limit", "2")) == ["points.csv", "--quiet", "--time-limit", "2"]
    assert with_options(given, ("--node-limit", "2")) == [*given, "--node-limit", "2"]
    assert with_options(given, ()) == given


def one_wrong() -> Outcome:
    """Return two processes, three checks of a bound, and one that failed."""
    return Outcome(
        7, "small plain, commands", Counter(info=2), Counter(none=1, SIGKILL=1), Counter(bound=3),
        {"info small": 50.0}, [("bound", "bound 2 above a cost of 1")], 1.0,
    )  # fmt: skip


def test_rows_add_up_in_the_report() -> None:
    first = one_wrong()
    growth = {"solves": 10, "first_mb": 200.0, "last_mb": 201.0, "kb_a_solve": 0.5, "kb_error": 1.0}
    rows = [row_of([first], 1800.0, growth, "commit a"), row_of([first, first], 5400.0, {}, "commit b+")]
    rows[1] |= dict.fromkeys(growth)
    said = report(rows)
    assert said.startswith("2.00 hours: 3 scenarios, 6 processes, 9 checks, 3 of them failed")
    assert "bound 2 above a cost of 1" in said
    assert json.loads(rows[1]["wrong_kinds"]) == {"bound": 2}
    assert rows[0]["wrong_seeds"] == "7"
    assert "|                    20 |           - |          - |        0.5 |         0.7071 |" in report(
        [rows[0], rows[0]]
    )


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
    assert outcome.checks["exit status"] == outcome.commands.total()


@pytest.mark.slow
def test_the_memory_of_many_solves_is_measured() -> None:
    found = solve_all(0, 14)
    assert found["solves"] == 7
    assert found["last_mb"] > 50.0


@pytest.mark.slow
def test_the_command_line_soaks_and_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "soak.csv"
    command = [sys.executable, "-m", "benchmarks", "soak", "--out", str(out)]
    done = subprocess.run([*command, "--hours", "0"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "has no rows" in done.stderr
    assert out.read_text().startswith("# command: python -m benchmarks soak")


def test_the_page_of_benchmarks_says_what_it_came_to(tmp_path: Path) -> None:
    record = Record(tmp_path)
    growth = {"solves": 10, "first_mb": 200.0, "last_mb": 201.0, "kb_a_solve": 0.5, "kb_error": 1.0}
    start_file(record.file("soak"), list(COLUMNS))
    for number, more in enumerate((growth, {})):
        row = row_of([one_wrong()], 7200.0, more, f"commit {number}")
        append_row(record.file("soak"), list(COLUMNS), row | {"name": f"seeds-{number}"})
    assert fact(record, "trust.soak") == (
        "4.0 hours at commit 0, commit 1: 2 scenarios, 4 processes, 6 checks, 2 of which failed; "
        "a solve adds 0.5 ± 1.0 kB to the memory of its process"
    )
    assert fact(record, "trust.soak_troubles") == "left alone (2), SIGKILL (2)"
    assert "| bound   |     6 |      2 |" in fact(record, "trust.soak_checks")
