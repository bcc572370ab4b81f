"""The installed program, run as a user runs it."""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from pcsos import solve
from pcsos.base.control.subprocess import KILLED
from pcsos.cli.options import METHODS
from pcsos.problem import generate
from tests.cli.program import PROGRAM, Call, heed_interrupts, interrupt, killed_after, pcsos
from tests.clocks import Ticking
from tests.conftest import LINE_OPTIMUM
from tests.slow import first_few

DATA = Path(__file__).parents[1] / "data"

JSON_KEYS = {
    *("status", "reason", "objective", "lower_bound", "gap", "n_points", "n_features", "n_clusters"),
    *(
        "n_super_points",
        "n_must_link",
        "n_cannot_link",
        "nodes",
        "root_lower_bound",
        "root_gap",
        "root_seconds",
    ),
    *("seconds", "seed", "version", "labels"),
}


@pytest.fixture
def infeasible_files(tmp_path: Path) -> list[object]:
    (tmp_path / "line.csv").write_text("0\n2\n3\n9\n11\n")
    (tmp_path / "pairs.json").write_text('{"ml": [[0, 1], [1, 3]], "cl": [[0, 3]]}')
    return [tmp_path / "line.csv", "-k", 2, "--constraints", tmp_path / "pairs.json"]


@pytest.fixture(scope="module")
def hard_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Points without any structure, for which a proof takes very long."""
    path = tmp_path_factory.mktemp("hard") / "hard.npy"
    np.save(path, np.random.default_rng(5).uniform(size=(250, 8)))
    return path


class TestBadUsage:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ([], ["COMMAND", "--help"]),
            (["cluster"], ["invalid choice: 'cluster'"]),
            (["solve"], ["-k"]),
            (["solve", "-k", "2"], ["POINTS", "--gram"]),
            (["solve", "points.csv"], ["-k"]),
            (["solve", "points.csv", "-k", "three"], ["-k", "'three'"]),
            (["solve", "points.csv", "-k", "2", "--speed", "9"], ["--speed"]),
            (["solve", "points.csv", "-k", "0"], ["argument -k: '0'"]),
            (["solve", "points.csv", "-k", "4"], ["-k is 4", "3 points"]),
            (["solve", "points.csv", "-k", "2", "--gap", "2"], ["argument --gap: '2'", "less than 1"]),
            (["solve", "points.csv", "-k", "2", "--gap", "nan"], ["argument --gap: 'nan'"]),
            (["solve", "points.csv", "-k", "2", "--time-limit", "-1"], ["--time-limit: '-1'", "give 0 or more"]),
            (["certify", "points.csv", "-k", "2", "--time-limit", "soon"], ["--time-limit: 'soon'"]),
            (
                ["solve", "points.csv", "-k", "2", "--workers", "0"],
                ["--workers: '0' is not a number of processes; give 1 or more, or -1"],
            ),
            (["solve", "points.csv", "-k", "2", "--engine", "magic"], ["--engine", "'magic'"]),
            (["heuristic", "points.csv", "-k", "2", "--method", "magic"], ["--method", "'magic'"]),
            (["heuristic", "points.csv", "-k", "2", "--seed", "-1"], ["--seed: '-1'"]),
            (["solve", "nowhere.csv", "-k", "2"], ["nowhere.csv does not exist"]),
            (["solve", ".", "-k", "2"], ["is a directory"]),
            (
                ["info", str(DATA / "points" / "text_in_numbers.csv"), "-k", "2"],
                ["line 2, column 2 is 'abc'"],
            ),
            (["solve", "points.csv", "-k", "2", "--ignore", "colour"], ["'colour'"]),
            (["solve", "points.csv", "-k", "2", "--constraints", "points.csv"], ["data file"]),
            (["solve", "pairs.txt", "-k", "2"], ["constraint file"]),
            (["solve", "points.csv", "-k", "2", "--constraints", "pairs.txt"], ["line 2 names point 7"]),
            (["solve", "points.csv", "-k", "2", "--json", "none/out.json"], ["--json", "does not exist"]),
            (["solve", "points.csv", "-k", "2", "--labels", "points.csv"], ["--labels and POINTS"]),
            (["solve", "points.csv", "-k", "2", "--log", "none/log"], ["--log", "does not exist"]),
            (["solve", "points.csv", "-k", "2", "--json", "-", "--labels", "-"], ["both -"]),
            (["resume", "nowhere.run"], ["nowhere.run"]),
            (["resume", "points.csv"], ["points.csv"]),
            (["verify", "nowhere.run"], ["no run file nowhere.run"]),
        ],
        ids=lambda value: " ".join(Path(word).name for word in value) if isinstance(value, list) else None,
    )
    def test_one_line_and_exit_status_2(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        refused: Callable[..., str],
        arguments: list[str],
        words: list[str],
    ) -> None:
        (tmp_path / "points.csv").write_text("1.5,2\n3,4\n5,6\n")
        (tmp_path / "pairs.txt").write_text("ML 0 1\nCL 0 7\n")
        monkeypatch.chdir(tmp_path)
        sentence = refused(*arguments)
        assert all(word in sentence for word in words)
        assert sorted(os.listdir(tmp_path)) == ["pairs.txt", "points.csv"]

    @pytest.mark.parametrize("arguments", [["solve"], ["solve", "nowhere.csv", "-k", "2"], ["verify", "nowhere.run"]])
    def test_installed_program(self, arguments: list[str]) -> None:
        done = pcsos(*arguments, status=2)
        assert done.out == ""
        assert done.err.startswith("pcsos: ")
        assert done.err.count("\n") == 1

    @pytest.mark.slow
    def test_debug_shows_where(self) -> None:
        done = pcsos("info", "nowhere.csv", "-k", 2, "--debug", status=2)
        assert "Traceback" in done.err
        assert done.err.splitlines()[-1] == "pcsos: nowhere.csv does not exist; check the name and the folder"


class TestSolve:
    def test_optimum_labels_and_summary(self, tmp_path: Path, line_files: list[object]) -> None:
        outputs = ["--json", tmp_path / "out.json", "--labels", tmp_path / "labels.csv"]
        done = pcsos("solve", *line_files, *outputs)
        found = json.loads((tmp_path / "out.json").read_text())
        assert found.keys() >= JSON_KEYS
        assert found["status"] == "OPTIMAL"
        assert found["reason"] == "GAP_REACHED"
        assert found["objective"] == pytest.approx(LINE_OPTIMUM, rel=1e-12)
        assert found["objective"] * (1 - 1e-4) <= found["lower_bound"] <= LINE_OPTIMUM * (1 + 1e-12)
        assert found["labels"] == [0, 0, 1, 1, 1]
        assert (found["n_points"], found["n_features"], found["n_clusters"]) == (5, 1, 2)
        assert (found["n_must_link"], found["n_cannot_link"]) == (1, 1)
        assert (tmp_path / "labels.csv").read_text() == "point,label\n0,0\n1,0\n2,1\n3,1\n4,1\n"
        assert "OPTIMAL (GAP_REACHED)" in done.out
        assert "36.66666667" in done.out
        assert "clusters     2 of 2 and 3 points\n" in done.out
        assert "--labels" not in done.out
        assert "5 points, 1 feature, 2 clusters" in done.err

    def test_labels_by_the_ending_of_the_file(self, call: Call, tmp_path: Path, line_files: list[object]) -> None:
        for name in ("a.npy", "a.parquet", "a.tsv"):
            assert call("solve", *line_files, "--labels", tmp_path / name, "--quiet").out == ""
        assert np.load(tmp_path / "a.npy").tolist() == [0, 0, 1, 1, 1]
        table = parquet.read_table(tmp_path / "a.parquet")
        assert table.to_pydict() == {"point": [0, 1, 2, 3, 4], "label": [0, 0, 1, 1, 1]}
        assert (tmp_path / "a.tsv").read_text().startswith("point,label\n0,0\n")

    def test_parquet_without_pyarrow_is_refused_before_the_work(
        self, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str], line_files: list[object]
    ) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        sentence = refused("solve", *line_files, "--labels", "a.parquet")
        assert "--labels a.parquet needs pyarrow; install pcsos[parquet]" in sentence

    def test_labels_as_a_workbook_are_refused(self, refused: Callable[..., str], line_files: list[object]) -> None:
        sentence = refused("solve", *line_files, "--labels", "a.xlsx.gz")
        assert "--labels a.xlsx.gz is written as CSV, .npy or .parquet, not as .xlsx; give another ending" in sentence


class TestInfeasible:
    def test_exit_status_3_with_all_outputs(self, call: Call, tmp_path: Path, infeasible_files: list[object]) -> None:
        done = call("solve", *infeasible_files, "--json", tmp_path / "a.json", "--labels", tmp_path / "a.csv", status=3)
        found = json.loads((tmp_path / "a.json").read_text())
        assert found.keys() >= JSON_KEYS
        assert (found["status"], found["reason"]) == ("INFEASIBLE", "INFEASIBLE")
        assert found["labels"] is None
        assert (tmp_path / "a.csv").read_text() == "point,label\n"
        sentence, *listed, advice = done.err.splitlines()[-5:]
        assert advice == "`pcsos info` with --conflicts names all contradictions at once, and pairs to give up"
        assert "must-links connect them: 0 - 1 - 3" in sentence
        path = tmp_path / "pairs.json"
        assert listed == [f"  ML 0 1  {path} ml[0]", f"  ML 1 3  {path} ml[1]", f"  CL 0 3  {path} cl[0]"]


class TestStopped:
    @pytest.mark.parametrize("number", first_few(1, [signal.SIGINT, signal.SIGHUP, signal.SIGTERM]))
    def test_interrupt_in_the_middle(self, tmp_path: Path, hard_file: Path, number: int) -> None:
        outputs = ["--json", tmp_path / "out.json", "--labels", tmp_path / "labels.csv"]
        command = [*PROGRAM, "solve", hard_file, "-k", "6", "--gap", "1e-9", *outputs]
        returncode, stdout, said = interrupt(command, number)
        assert returncode == 4
        assert "Note: stopping" in said
        assert "FEASIBLE (INTERRUPTED)" in stdout
        assert json.loads((tmp_path / "out.json").read_text())["reason"] == "INTERRUPTED"
        assert len((tmp_path / "labels.csv").read_text().splitlines()) == 251

    @pytest.mark.slow
    def test_interrupt_while_reading(self, tmp_path: Path) -> None:
        pipe = tmp_path / "points"
        os.mkfifo(pipe)
        with (
            subprocess.Popen(
                [*PROGRAM, "info", pipe, "-k", "2"],
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=heed_interrupts,  # noqa: PLW1509 - no threads run here
            ) as process,
            killed_after(process, 250),
            pipe.open("w"),
        ):
            process.send_signal(signal.SIGINT)
            stderr = process.communicate()[1]
        assert process.returncode == 130
        assert stderr == "pcsos: interrupted before there was a result\n"


class TestHeuristic:
    @pytest.mark.parametrize("method", [method for method in METHODS if method != "hybrid-de"])
    def test_exit_status_0_without_a_bound(self, call: Call, line_files: list[object], method: str) -> None:
        arguments = ["heuristic", *map(str, line_files), "--method", method, "--json", "-", "--quiet"]
        out, err = call(*arguments)
        assert err == ""
        found = json.loads(out)
        assert found.keys() >= JSON_KEYS
        assert (found["status"], found["reason"]) == ("FEASIBLE", "HEURISTIC_FINISHED")
        assert found["objective"] == pytest.approx(LINE_OPTIMUM)
        assert found["lower_bound"] is None
        assert found["gap"] is None
        assert found["method"] == method
        assert found["local_search_calls"] > 0

    @pytest.mark.slow
    def test_the_method_suits_the_points_unless_something_is_chosen(self, call: Call, tmp_path: Path) -> None:
        np.save(tmp_path / "many.npy", np.random.default_rng(0).normal(size=(100_001, 1)))
        done = call("heuristic", tmp_path / "many.npy", "-k", 2, "--json", "-")
        assert json.loads(done.out)["method"] == "sampled"
        suits = "the method is sampled, which suits 100001 points and 2 clusters; --method s-mdeclust takes longer"
        assert f"note: {suits}\n" in done.err
        done = call("heuristic", tmp_path / "many.npy", "-k", 2, "--criterion", "VRC", status=2)
        assert "--criterion is for the method hybrid-de, but the method is s-mdeclust" in done.err

    def test_progress_and_summary(self, call: Call, line_files: list[object]) -> None:
        done = call("heuristic", *line_files)
        assert "FEASIBLE (HEURISTIC_FINISHED)" in done.out
        assert "clusters     2 of 2 and 3 points\n" in done.out
        assert "labels       with --labels FILE\n" in done.out
        assert not {"lower", "gap", "nodes"} & {line.split()[0] for line in done.out.splitlines()}
        assert re.search(r"^M .* 36\.66666667 ", done.err, flags=re.MULTILINE)

    @pytest.mark.slow
    def test_time_limit(self, call: Call, hard_file: Path) -> None:
        done = call("heuristic", hard_file, "-k", 60, "--time-limit", 0.5, "--json", "-", "--quiet", status=4)
        assert json.loads(done.out)["reason"] == "TIME_LIMIT"

    def test_a_time_limit_is_a_maximum_unless_all_of_it_is_asked_for(
        self, call: Call, line_files: list[object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        arguments = ["heuristic", *map(str, line_files), "--json", "-", "--quiet"]
        clock = Ticking(monkeypatch, tick=0.01)
        usual = json.loads(call(*arguments, "--time-limit", "600").out)
        assert (begun := clock.now) < 60.0
        found = json.loads(call(*arguments, "--time-limit", "30", "--use-all-time", "--max-stall", "20").out)
        assert clock.now - begun >= 30.0
        assert (found["use_all_time"], found["max_stall"]) == (True, 20)
        assert found["local_search_calls"] > usual["local_search_calls"]
        said = call(*arguments, "--use-all-time", status=2).err
        assert "--use-all-time is about a time limit, but there is none; give the seconds" in said

    @pytest.mark.slow
    def test_interrupt_keeps_the_best(self, tmp_path: Path, hard_file: Path) -> None:
        command = [*PROGRAM, "heuristic", hard_file, "-k", "60", "--json", tmp_path / "out.json"]
        returncode, _, _ = interrupt(command, signal.SIGINT)
        assert returncode == 4
        found = json.loads((tmp_path / "out.json").read_text())
        assert (found["status"], found["reason"]) == ("FEASIBLE", "INTERRUPTED")
        assert len(found["labels"]) == 250


@pytest.fixture
def run_file(tmp_path: Path, finished_run: Path) -> Path:
    return Path(shutil.copy(finished_run, tmp_path))


class TestRunFile:
    def test_resume_of_a_finished_run_prints_its_result(self, call: Call, tmp_path: Path, run_file: Path) -> None:
        done = call("resume", run_file, "--json", "-", "--labels", tmp_path / "labels.csv")
        assert json.loads(done.out)["objective"] == pytest.approx(LINE_OPTIMUM)
        assert (tmp_path / "labels.csv").read_text() == "point,label\n0,0\n1,0\n2,1\n3,1\n4,1\n"

    def test_stopped_run_is_resumed(self, call: Call, tmp_path: Path) -> None:
        np.save(tmp_path / "points.npy", generate.gaussian_mixture(20, 2, 3, separation=4.0, seed=1)[0])
        files = ["--run-file", tmp_path / "a.run", "--log", tmp_path / "log"]
        arguments = ["solve", tmp_path / "points.npy", "-k", 3, "--workers", 1, "--quiet"]
        call(*arguments, *files, "--time-limit", 0, status=4)
        num_events = len((tmp_path / "log").read_text().splitlines())
        resumed = call("resume", tmp_path / "a.run", "--json", "-", "--log", tmp_path / "log", "--workers", 1)
        whole = solve(np.load(tmp_path / "points.npy"), 3, workers=1)
        assert json.loads(resumed.out)["objective"] == pytest.approx(whole.objective, rel=1e-9)
        events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()][num_events:]
        assert [event["event"] for event in events[:2]] == ["run_started", "incumbent"]
        assert events[1]["source"] == ""  # what the stopped run had found


class TestProgram:
    def test_version(self) -> None:
        from pcsos import __version__

        assert pcsos("--version").out == f"pcsos {__version__}\n"

    @pytest.mark.slow
    def test_as_a_module(self) -> None:
        done = subprocess.run([sys.executable, "-m", "pcsos", "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == pcsos("--version").out

    def test_help_names_every_command(self) -> None:
        done = pcsos("--help")
        assert "register-python-argcomplete pcsos" in done.out
        for command in ("solve", "heuristic", "info", "verify", "resume", "compare", "demo"):
            assert re.search(rf"^ +{command}\b", done.out, flags=re.MULTILINE)

    @pytest.mark.slow
    @pytest.mark.skipif(importlib.util.find_spec("argcomplete") is None, reason="argcomplete is not installed")
    def test_the_shell_is_told_how_a_line_goes_on(self, tmp_path: Path) -> None:
        for line, expected in (("pcsos ver", {"verify"}), ("pcsos solve x --eng", {"--engine"})):
            answer = tmp_path / "answer"
            asked = {
                "_ARGCOMPLETE": "1",
                "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
                "COMP_LINE": line,
                "COMP_POINT": str(len(line)),
            }
            subprocess.run([sys.executable, "-m", "pcsos"], env=os.environ | asked, check=True, timeout=60)
            assert {word.strip() for word in answer.read_text().split("\013")} == expected

    @pytest.mark.slow
    def test_starts_without_heavy_imports(self) -> None:
        """One process goes through all commands, and says behind each what is loaded by then."""
        commands = [
            ["--version"],
            *([command, "nowhere", "-k", "2"] for command in ("solve", "certify", "front", "ask", "heuristic", "info")),
            ["path", "nowhere", "--from", "2", "--to", "3"],
            *([command, "nowhere"] for command in ("resume", "verify", "report")),
        ]
        code = (
            "import sys, contextlib; from pcsos.cli import main\n"
            f"for arguments in {commands}:\n"
            "    with contextlib.suppress(SystemExit): main(arguments)\n"
            "    names = ('numba', 'scipy', 'networkx', 'pyarrow', 'cvxpy')\n"
            "    print('loaded:', arguments[0], [name for name in names if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        said = [line for line in done.stdout.splitlines() if line.startswith("loaded:")]
        assert said == [f"loaded: {name} []" for name, *_ in commands]

    @pytest.mark.parametrize("command", ["info", "solve"])
    def test_a_step_whose_process_is_killed_is_one_line(
        self, monkeypatch: pytest.MonkeyPatch, call: Call, tmp_path: Path, command: str
    ) -> None:
        own = os.getpid()

        def die(*_: object, **__: object) -> None:
            assert os.getpid() != own
            os.kill(os.getpid(), signal.SIGKILL)

        (tmp_path / "a.csv").write_text("1.5 2.5\n2.5 4.5\n3.5 5.0\n")
        monkeypatch.setattr("pcsos.presolve.presolve.LARGE", 0)
        monkeypatch.setattr("pcsos.presolve.presolve._presolve", die)
        *_, said = call(command, str(tmp_path / "a.csv"), "-k", "2", status=1).err.splitlines()
        assert said == f"pcsos: {KILLED}"
        assert "memory" in said

    def test_unexpected_error_is_one_line(self, monkeypatch: pytest.MonkeyPatch, call: Call, tmp_path: Path) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("the moon\nis full")

        (tmp_path / "a.csv").write_text("1\n2\n")
        monkeypatch.setattr("pcsos.cli.info.describe", fail)
        monkeypatch.delenv("PCSOS_DEBUG", raising=False)
        arguments = ["info", str(tmp_path / "a.csv"), "-k", "1"]
        message = "pcsos: unexpected error (--debug shows where): RuntimeError: the moon is full\n"
        assert call(*arguments, status=1).err == message
        monkeypatch.setenv("PCSOS_DEBUG", "1")
        assert "Traceback" in call(*arguments, status=1).err
