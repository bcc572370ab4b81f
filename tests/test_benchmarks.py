"""The runner of the benchmarks: what has a row is skipped, failures and kills become rows; and its reports."""

import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import checking, judging, runner
from benchmarks.__main__ import parser
from benchmarks.case import Case, Settings
from benchmarks.heuristics import combined, time_to_best
from benchmarks.profiles import draw, ratios, share_within
from benchmarks.suites import NAMES, constrained_kmeans, memetic, suite_named, synthetic, variants
from benchmarks.suites.published import read_published, report
from benchmarks.tables import geometric_mean, table
from tests.judgement import Judgement

QUICK = Settings(time_limit=30.0, workers=1)


def run_tiny(out: Path) -> list[dict[str, Any]]:
    return runner.run_suite("instances", suite_named("instances"), QUICK, out, "tiny", retry=False)


def test_a_run_is_recorded_with_its_machine_and_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "deep" / "rows.csv"
    (row,) = run_tiny(out)
    assert (row["name"], row["outcome"], row["status"]) == ("tiny", "done", "OPTIMAL")
    assert row["objective"] == pytest.approx(110 / 3, rel=1e-4)
    assert row["peak_mb"] > 10
    lines = out.read_text().splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["# command", "# machine", "# versions", "# date"]
    before = out.read_bytes()
    monkeypatch.setattr(runner, "description", lambda: ["date: 2099-01-01"])
    assert run_tiny(out) == [row]
    assert "1 already" in capsys.readouterr().out
    assert out.read_bytes() == before, "nothing was added to it"
    assert "tiny" in suite_named("instances").report([row], QUICK)


def test_a_file_that_several_runs_have_made_has_one_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, columns = tmp_path / "rows.csv", ["name", "value"]
    runs = [
        ["command: run a --filter x --out f", "machine: one", "date: 2026-11-21"],
        ["command: run a --filter=y --out f --retry", "machine: two", "date: 2026-11-23"],
        ["command: run a --gap 0.1 --out f", "machine: one", "date: 2026-11-22"],
    ]
    for number, run in enumerate(runs):
        monkeypatch.setattr(runner, "description", lambda run=run: run)
        runner.start_file(out, columns)
        runner.append_row(out, columns, {"name": f"case{number}", "value": "a # b"})
    assert out.read_text().splitlines() == [
        "# command: run a --out f; run a --gap 0.1 --out f",
        "# machine: one; two",
        "# date: 2026-11-21 to 2026-11-23",
        "name,value",
        *(f"case{number},a # b" for number in range(3)),
    ]
    with pytest.raises(SystemExit, match="has other columns than this run; give another file"):
        runner.start_file(out, [*columns, "more"])


@pytest.mark.parametrize("cut", [1, 4, 9])
def test_a_row_that_was_cut_off_is_not_there_and_makes_room_for_the_next(tmp_path: Path, cut: int) -> None:
    out, columns = tmp_path / "rows.csv", ["name", "value"]
    runner.start_file(out, columns)
    for name in ("a", "b"):
        runner.append_row(out, columns, {"name": name, "value": "größer"})
    out.write_bytes(out.read_bytes()[:-cut])
    assert [row["name"] for row in runner.read_rows(out)] == ["a"]
    runner.start_file(out, columns)
    runner.append_row(out, columns, {"name": "c", "value": 1})
    assert [row["name"] for row in runner.read_rows(out)] == ["a", "c"]


def test_a_file_without_any_end_of_a_line_is_left_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("mine")
    with pytest.raises(SystemExit, match="has other columns than this run"):
        runner.start_file(out, ["name"])
    assert out.read_text() == "mine"


def test_a_failure_becomes_a_row_with_its_error() -> None:
    case = Case("broken", {}, {"points": "no-such-file.txt", "constraints": None, "n_clusters": 2})
    row = runner.run_case("instances", case, QUICK)
    assert row["outcome"] == "failed"
    assert "no-such-file.txt" in row["error"]


def test_a_case_that_overruns_is_killed_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE", (0.0, 0.05))
    case = suite_named("scaling").cases(QUICK)[0]
    row = runner.run_case("scaling", case, QUICK)
    assert row["outcome"] == "killed"


@pytest.mark.slow
def test_retry_runs_again_what_did_not_end_well(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    suite = suite_named("instances")
    runner.start_file(out, ["name", *suite.COLUMNS, *runner.COMMON])
    runner.append_row(out, ["name", *suite.COLUMNS, *runner.COMMON], {"name": "tiny", "outcome": "killed"})
    assert [row["outcome"] for row in run_tiny(out)] == ["killed"]
    rows = runner.run_suite("instances", suite, QUICK, out, "tiny", retry=True)
    assert [row["outcome"] for row in rows] == ["done"]


@pytest.mark.parametrize("name", ["certify", "trace", "engines", "balanced", "unconstrained", "memetic"])
def test_cases_whose_files_are_missing_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setattr(runner, "run_child", lambda *_: {"outcome": "done"})
    monkeypatch.setattr(runner, "append_row", lambda out, columns, row: run.append(row["name"]))
    run: list[str] = []
    suite, settings = suite_named(name), Settings(data=tmp_path)
    runner.run_suite(name, suite, settings, tmp_path / "rows.csv", "", retry=False)
    anywhere = [] if name in ("unconstrained", "memetic") else suite.cases(Settings())
    assert run == [case.name for case in anywhere]
    if name != "memetic":  # whose cases are the files that are there
        number = len(suite.cases(settings)) - len(run)
        assert f"{number} cases left out, whose files are not in {tmp_path}" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["run unconstrained --out rows.csv", "record", "compare HEAD"])
def test_a_folder_of_data_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args([*command.split(), "--data", "nowhere"])
    assert capsys.readouterr().err.endswith("error: argument --data: nowhere is no folder\n")


def test_every_suite_has_cases_with_unique_names(tmp_path: Path) -> None:
    folder = tmp_path / "constraints" / "iris"
    folder.mkdir(parents=True)
    folder.joinpath("ml_25_cl_25_0.txt").touch()
    tmp_path.joinpath("synthetic_n500_d2_k20_constraints_100.json.gz").touch()
    for name in NAMES:
        cases = suite_named(name).cases(Settings(data=tmp_path))
        assert cases
        assert len({case.name for case in cases}) == len(cases)


def test_published_figures_stand_beside_ours(tmp_path: Path) -> None:
    tmp_path.joinpath("pc_sos_sdp_exact.csv").write_text(
        "constraint_type,dataset,num_constraints,n,k,mean_root_size,mean_root_gap_percent,mean_nodes,"
        "mean_seconds_16_cores,solved_percent,unsolved_gap_percent\nML+CL,Iris,25,150,3,125.0,0.014,1.8,28.2,100,\n"
    )
    assert read_published(tmp_path)["iris", "ML+CL", 25.0]["mean_seconds_16_cores"] == 28.2
    ours = {"dataset": "iris", "constraint_type": "ML+CL", "num_constraints": 25.0, "outcome": "done"}
    solved = ours | {"status": "OPTIMAL", "gap": 5e-7, "nodes": 1.0, "root_gap": 5e-7, "seconds": 2.82}
    killed = ours | dict.fromkeys(("status", "gap", "nodes", "root_gap", "seconds")) | {"outcome": "killed"}
    text = report([solved | {"wall_seconds": 3.0}, killed | {"wall_seconds": 28.2}], Settings(published=tmp_path))
    assert "failed or killed: 1" in text
    assert "proved to 1e-4: 1; to 1e-6: 1; at the root, without branching: 1" in text
    assert "geometric mean: 3.16" in text


def test_tables_and_means() -> None:
    assert geometric_mean([1.0, 100.0]) == pytest.approx(10.0)
    assert table(["a", "long"], [[1, None], [12345.6, 0.5]]).splitlines()[1:] == [
        "|------:|-----:|",
        "|     1 |    - |",
        "| 12346 |  0.5 |",
    ]


def run_row(objective: float | None, seconds: float) -> dict[str, Any]:
    found = {
        "objective": objective,
        "best_objective": objective,
        "cpu_seconds": seconds,
        "cpu_seconds_to_best": seconds / 2.0,
        "message": None,
    }
    return found | {"local_searches": 20.0, "iterations": 60.0, "exact_assignments": 200.0, "integer_programs": 3.0}


def test_variants_are_compared_with_the_best_known_value() -> None:
    head = {"name": "x", "dataset": "iris", "outcome": "done"}
    runs = {"pcsos": run_row(10.0, 1.0), "SG-MDE": run_row(10.001, 0.5), "SMG-MDE": run_row(10.0, 4.0)}
    row = head | {f"{name} {column}": value for name, run in runs.items() for column, value in run.items()}
    text = memetic.report([row], Settings())
    own, paper = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:4])
    assert own[3:7] == ["pcsos", "100", "0", "0"]
    assert paper[3:7] == ["SG-MDE", "0", "0.01", "0.01"]
    assert own[-1] == "1.5"
    assert time_to_best(runs) == {"pcsos": 0.5, "SG-MDE": None, "SMG-MDE": 2.0}


def test_the_papers_variants_are_compared_with_one_another() -> None:
    runs = {"S-MDE": (10.0, 2.0), "SG-MDE": (10.0, 1.0), "SM-MDE": (9.0, 3.0), "SMG-MDE": (9.5, 1.0)}
    row = {"name": "x", "dataset": "iris", "outcome": "done"}
    row |= {f"{name} {column}": value for name, run in runs.items() for column, value in run_row(*run).items()}
    lines = variants.report([row], Settings()).splitlines()[2:6]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert [line[2:6] for line in cells] == [
        ["S-MDE", "0", "2", "4"],
        ["SG-MDE", "0", "1", "4"],
        ["SM-MDE", "100", "3", "4"],
        ["SMG-MDE", "0", "1", "4"],
    ]
    assert cells[0][-2:] == ["40", "0.6"]


def test_k_means_variants_are_compared_with_each_other_and_with_the_best_known_value() -> None:
    runs = {"sdp-kmeans": 11.0, "ipc-kmeans": 11.0, "post-processing": 12.0, "cop-kmeans": None, "s-mdeclust": 10.0}
    row = {"name": "x", "dataset": "iris", "outcome": "done"}
    row |= {f"{name} {column}": value for name, best in runs.items() for column, value in run_row(best, 1.0).items()}
    lines = constrained_kmeans.report([row], Settings()).splitlines()[2:7]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert [(line[3], line[5], line[7]) for line in cells] == [
        ("100", "0", "0"),
        ("100", "0", "0"),
        ("0", "0", "0"),
        ("0", "0", "100"),
        ("-", "100", "0"),
    ]


def test_instances_that_no_method_solved_count_as_not_reached() -> None:
    row = {"name": "x", "dataset": "iris", "outcome": "done"}
    for suite, column in ((memetic, "reached %"), (constrained_kmeans, "best known %")):
        nothing = run_row(None, 1.0) | {"cpu_seconds_to_best": None}
        runs = {f"{name} {key}": value for name in suite.RUNS for key, value in nothing.items()}
        lines = suite.report([row | runs], Settings()).splitlines()[2 : 2 + len(suite.RUNS)]
        assert [line.split("|")[1 + suite.HEADER.index(column)].strip() for line in lines] == ["0"] * len(suite.RUNS)


def test_seeds_are_combined_to_the_worst_objective_and_mean_times() -> None:
    both = combined([run_row(10.0, 1.0) | {"seconds": 1.0}, run_row(11.0, 2.0) | {"seconds": 4.0}])
    assert (both["objective"], both["best_objective"], both["seconds"], both["cpu_seconds"]) == (11.0, 10.0, 2.5, 1.5)
    assert both["integer_programs"] == 6.0
    none = combined([run_row(None, 1.0) | {"seconds": 1.0}, run_row(11.0, 2.0) | {"seconds": 4.0}])
    assert (none["objective"], none["best_objective"], none["cpu_seconds_to_best"]) == (None, 11.0, None)


def test_growth_is_told_at_equal_k_and_constraints() -> None:
    rows = [
        {"n": n, "k": 20.0, "num_constraints": 500.0, "run": "pcsos", "outcome": "done", "peak_mb": 90.0}
        | run_row(n, seconds)
        for n, seconds in ((500.0, 1.0), (2000.0, 6.0))
    ]
    assert synthetic.growth_lines(rows) == [[20, 500, "pcsos", "500 to 2000", 4.0, 6.0]]
    assert "3 of 200" in synthetic.report(rows, Settings())


def test_a_performance_profile_counts_what_is_within_a_factor_of_the_best(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    profile = ratios([{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": None}, {"a": 4.0, "b": 4.0}, {"a": None, "b": None}])
    assert [share_within(profile["a"], tau) for tau in (1.0, 2.0)] == [1.0, 1.0]
    assert [share_within(profile["b"], tau) for tau in (1.0, 2.0)] == [1 / 3, 2 / 3]
    draw(profile, "objective", tmp_path / "profile.svg")
    assert "<svg" in tmp_path.joinpath("profile.svg").read_text()


def judge_parity(seed: int) -> Judgement:
    return Judgement(seed, "number", {"seen": 1}, (("odd", "not even"),) if seed % 2 else ())


def test_every_seed_is_judged_and_the_wrong_ones_are_named() -> None:
    row = judging.judge_seeds(judge_parity, range(10, 21), 2)
    assert (row["num_wrong"], row["seeds_wrong"]) == (5, "11 13 15 17 19")
    assert row["first_wrong"] == "seed 11 (number): odd: not even"
    done = {"name": "seeds-10", "outcome": "done", "num_seeds": 11.0, "error": None} | row
    killed = {"name": "seeds-21", "outcome": "killed", "num_wrong": None, "first_wrong": None, "error": None}
    text = judging.report([done, killed], "numbers are even")
    assert text.startswith("6 of 11 numbers are even")
    assert [[cell.strip() for cell in line.split("|")[1:3]] for line in text.splitlines() if "seen" in line] == [
        ["seen", "11"]
    ]
    assert "killed" in text
    assert "seed 11 (number)" in text
    assert [case.arguments["start"] for case in judging.seed_cases(7, 3, 5)] == [7, 12, 17]


def test_what_the_checker_says_is_in_the_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no.run"
    file.write_bytes(b"not a run file")
    row = checking.checked(file, 1, 60.0)
    assert (row["verified"], row["verified_gap"]) == ("REFUSED", None)
    assert checking.checked(file, 1, 0.01) == {"verified": "NOT_IN_TIME"}
    monkeypatch.setattr(sys, "executable", "false")
    assert checking.checked(file, 1, 60.0) == {"verified": "CRASHED"}


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,y\n1,2\n")
    with pytest.raises(SystemExit, match=r"points\.csv is not a file of rows: it has no column 'name'"):
        runner.read_rows(file)
