"""No result is lost in silence: outputs that are full or closed, signals at bad moments, logs on standard output."""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcsos import cli
from pcsos.cli import messages, outputs
from pcsos.verify.command.words import Checks
from pcsos.verify.reading.text import is_watched, write
from tests.cli.program import PROGRAM, Call, Done, heed_interrupts, pcsos
from tests.slow import first_few

FULL = Path("/dev/full")
OPTIMUM = "36.66666667"

needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full, a full disk on Linux")


def run_on_full(*arguments: object, status: int = 0) -> Done:
    with FULL.open("w") as full:
        return pcsos(*arguments, status=status, stdout=full)


@pytest.fixture
def run_file(tmp_path: Path, finished_run: Path) -> Path:
    return Path(shutil.copy(finished_run, tmp_path))


@needs_full
class TestFullDisk:
    @pytest.mark.parametrize(
        ("command", "words"),
        first_few(1, [("solve", OPTIMUM), ("info", "to cluster"), ("heuristic", OPTIMUM)]),
    )
    def test_what_cannot_go_to_standard_output_goes_to_standard_error(
        self, line_files: list[object], command: str, words: str
    ) -> None:
        done = run_on_full(command, *line_files, status=1)
        sentence, _, text = done.err.partition("it would have held:\n")
        assert sentence.splitlines()[-1].startswith(
            "pcsos: standard output cannot be written (No space left on device)"
        )
        assert words in text

    @pytest.mark.slow
    def test_verify(self, run_file: Path) -> None:
        done = run_on_full("verify", run_file, status=1)
        assert "verified lower bound 36.6" in done.err

    @pytest.mark.slow
    def test_the_result_lies_beside_the_run_file(self, tmp_path: Path, line_files: list[object]) -> None:
        path = tmp_path / "a.run"
        done = run_on_full("solve", *line_files, "--run-file", path, "--quiet", "--json", "-", status=1)
        assert done.err == (
            f"pcsos: standard output cannot be written (No space left on device); "
            f"what it would have held is in {path}.result.json\n"
        )
        assert json.loads(Path(f"{path}.result.json").read_text())["labels"] == [0, 0, 1, 1, 1]
        run_on_full("resume", path, "--quiet", "--labels", "-", status=1)
        assert Path(f"{path}.labels.csv").read_text() == "point,label\n0,0\n1,0\n2,1\n3,1\n4,1\n"
        run_on_full("resume", path, status=1)
        assert OPTIMUM in Path(f"{path}.summary.txt").read_text()

    @pytest.mark.slow
    def test_a_result_that_is_in_a_file_is_not_lost_with_its_summary(
        self, tmp_path: Path, line_files: list[object]
    ) -> None:
        done = run_on_full("solve", *line_files, "--json", tmp_path / "a.json")
        assert OPTIMUM in done.err
        assert json.loads((tmp_path / "a.json").read_text())["status"] == "OPTIMAL"

    @pytest.mark.slow
    def test_a_log_that_is_cut_off_leaves_the_summary(self, line_files: list[object]) -> None:
        done = run_on_full("solve", *line_files, "--log", "-", "--quiet", status=1)
        assert "the log on standard output is incomplete (No space left on device)" in done.err
        assert OPTIMUM in done.err


class TestClosedOutput:
    @pytest.mark.slow
    def test_summary(self, line_files: list[object]) -> None:
        done = pcsos("solve", *line_files, stdout=None, preexec_fn=lambda: os.close(1), status=1)
        assert "standard output cannot be written (it is closed); it would have held:\nstatus" in done.err

    def test_without_standard_error_nothing_is_lost_either(self, line_files: list[object]) -> None:
        done = pcsos("solve", *line_files, "--json", "-", stderr=None, preexec_fn=lambda: os.close(2))
        assert json.loads(done.out)["labels"] == [0, 0, 1, 1, 1]


class TestRescue:
    def test_a_terminal_is_spared_what_is_long(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(outputs, "is_watched", lambda: True)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        monkeypatch.setattr(sys, "stdout", None)
        text = "x" * (outputs.MOST_SHOWN + 1)
        assert not outputs.write_or_rescue("-", text)
        name = capsys.readouterr().err.split()[-1]
        assert Path(name).parent == tmp_path
        assert Path(name).read_text() == text
        assert not outputs.write_or_rescue("-", "short")
        assert capsys.readouterr().err.endswith("it would have held:\nshort")

    def test_nobody_listens_to_standard_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for stream in (None, FULL.open("w") if FULL.exists() else None):
            monkeypatch.setattr(sys, "stderr", stream)
            messages.say("a sentence")
            assert not is_watched()
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class TestLog:
    def test_lines_on_standard_output_and_nothing_else(self, line_files: list[object], call: Call) -> None:
        out, err = call("solve", *line_files, "--log", "-")
        events = [json.loads(row)["event"] for row in out.splitlines()]
        assert events[0] == "run_started"
        assert events[-1] == "run_finished"
        assert OPTIMUM in err  # the table


class TestQuiet:
    def test_notes_are_hidden_and_errors_are_not(self, tmp_path: Path, call: Call) -> None:
        (tmp_path / "points.csv").write_text("x,class\n0,0\n1,0\n9,1\n")
        command = ["solve", str(tmp_path / "points.csv"), "-k", "2"]
        assert call(*command, "--quiet", "--json", str(tmp_path / "a.json")) == ("", "")
        assert "column 'class'" in call(*command).err
        assert "-k is 9" in call("solve", str(tmp_path / "points.csv"), "-k", "9", "--quiet", status=2).err

    def test_alone_it_leaves_the_line_that_matters(self, line_files: list[object], call: Call) -> None:
        for command, words in (
            ("solve", r"OPTIMAL \(GAP_REACHED\): objective 36.66666667, lower bound 36.6\d*, gap 0\.0\d+ %\n"),
            ("heuristic", r"FEASIBLE \(HEURISTIC_FINISHED\): objective 36.66666667\n"),
        ):
            out, err = call(command, *map(str, line_files), "--quiet")
            assert re.fullmatch(words, out)
            assert err == ""

    def test_verify(self, run_file: Path, call: Call) -> None:
        assert call("verify", str(run_file), "--quiet") == ("", "")


class TestVerify:
    @pytest.mark.parametrize("content", [b"x,y\n1,2\n", b"\x00" * 5000, b"SQLite format 3\x00" + b"\x07" * 200])
    def test_what_is_no_run_file_is_bad_input_as_for_resume(self, tmp_path: Path, content: bytes, call: Call) -> None:
        path = tmp_path / "no.run"
        path.write_bytes(content)
        for command in ("resume", "verify"):
            assert call(command, path, status=2).err.startswith(f"pcsos: {path} is not a run file")

    def test_a_damaged_run_file_is_not_verified_in_words(self, run_file: Path, call: Call) -> None:
        with contextlib.closing(sqlite3.connect(run_file)) as connection:
            connection.execute("UPDATE instance SET options = 'no JSON'")
            connection.commit()
        words = "the options: no JSON, or nested too deeply, or with a name twice"
        assert call("verify", run_file, status=5).err == f"pcsos: {run_file} is not verified: {words}\n"

    def test_a_count_is_shown_once_it_takes_long(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        now = 0.0
        checks = Checks(write, lambda: now)
        for second in range(6):
            now = 0.4 * second
            checks(f"problem {second}: closed (bound)")
        assert capsys.readouterr().err == "\rpcsos: 6 nodes checked, 2 s"
        checks("the evidence: 6 problems")
        checks.clear()
        assert capsys.readouterr().err == "\r\x1b[K"
        assert checks.text == "checked: the evidence: 6 problems\n"
        checks("multipliers of 5000 super-points, which take about 87 s")
        assert capsys.readouterr().err == "\rpcsos: multipliers of 5000 super-points, which take about 87 s"
        silent = Checks(None, lambda: now)
        now = 60.0
        silent("problem 0: closed (bound)")
        silent.clear()
        assert capsys.readouterr().err == ""


class TestSignals:
    def test_while_the_program_is_loaded(self, tmp_path: Path) -> None:
        """A module that is loaded early sends the signal itself."""
        (tmp_path / "numpy.py").write_text(
            "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**9): pass\n"
        )
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(cli.__file__).parents[2])])}
        done = pcsos("--version", env=environment, preexec_fn=heed_interrupts, status=130)
        assert done.err == "pcsos: interrupted before there was a result\n"

    def test_a_script_that_imports_the_package_is_left_alone(self) -> None:
        script = "import signal, pcsos; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=heed_interrupts)
        assert done.stdout == "True\n"


def test_warmup_says_where_the_kernels_are(call: Call) -> None:
    assert call("warmup").out.startswith("the kernels are compiled, and kept in ")


@pytest.mark.slow
def test_compiling_does_not_count_against_the_limit(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("0,0\n1,0\n0,1\n5,5\n5,6\n6,5\n9,9\n")
    command = ["solve", tmp_path / "points.csv", "-k", 2, "--time-limit", 600, "--json", "-"]
    begun = time.monotonic()
    done = pcsos(*command, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")})
    seconds = time.monotonic() - begun
    assert "Note: the first run compiles the kernels" in done.err
    found = json.loads(done.out)
    assert found["status"] == "OPTIMAL"
    assert found["seconds"] < 0.5 * seconds  # nearly all of which goes into the kernels


@pytest.mark.slow
@pytest.mark.parametrize("limit", [None, 20])
def test_five_thousand_points_end_soon_after_they_are_asked_to(tmp_path: Path, limit: int | None) -> None:
    np.save(tmp_path / "points.npy", np.random.default_rng(0).standard_normal((5000, 2)))
    command: list[Any] = [*PROGRAM, "solve", tmp_path / "points.npy", "-k", "5"]
    command += [] if limit is None else ["--time-limit", str(limit)]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    if limit is None:
        assert process.stderr is not None
        while not process.stderr.readline().startswith(("K ", "M ")):
            assert process.poll() is None
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert time.monotonic() - begun < (limit or 0) + 30.0  # it takes three, those of the grace among them
    assert process.returncode == 4
    assert "status       FEASIBLE" in out


class TestWhatIsThere:
    """Files that a shell has opened for the program, or that someone else has written."""

    @pytest.fixture
    def points(self, tmp_path: Path) -> Path:
        (tmp_path / "four.csv").write_text("0\n1\n5\n6\n")
        return tmp_path / "four.csv"

    @pytest.mark.slow
    def test_the_file_behind_standard_input_is_no_output(self, points: Path) -> None:
        with points.open() as stdin:
            out, err = pcsos("heuristic", "-", "-k", 2, "--quiet", "--labels", points, status=2, stdin=stdin)
        assert out == ""
        assert err == (f"pcsos: --labels is {points}, from which standard input is read; give another file\n")
        assert points.read_text() == "0\n1\n5\n6\n"

    @pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
    @pytest.mark.parametrize("stream", ["stdout", pytest.param("stderr", marks=pytest.mark.slow)])
    @pytest.mark.parametrize(
        ("command", "option", "holds"),
        [
            ("heuristic", "--labels", "point,label\n0,0\n1,0\n2,1\n3,1\n"),
            pytest.param("heuristic", "--json", '"status"', marks=pytest.mark.slow),
            pytest.param("solve", "--log", '"event"', marks=pytest.mark.slow),
        ],
    )
    def test_what_a_stream_is_appended_to_stays(
        self, tmp_path: Path, points: Path, stream: str, command: str, option: str, holds: str
    ) -> None:
        kept = tmp_path / "kept"
        kept.write_text("mine\n")
        with kept.open("a") as end:
            pcsos(command, points, "-k", 2, "--quiet", option, f"/dev/{stream}", **{stream: end})
        assert kept.read_text().startswith("mine\n")
        assert holds in kept.read_text()

    @pytest.mark.slow
    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
    def test_the_reader_of_a_pipe_gets_the_whole(self, tmp_path: Path, points: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        got: list[str] = []
        reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_text()))
        reader.start()
        pcsos("heuristic", points, "-k", 2, "--quiet", "--labels", tmp_path / "pipe")
        reader.join()
        assert got == ["point,label\n0,0\n1,0\n2,1\n3,1\n"]

    def test_a_link_that_leads_nowhere_is_replaced(self, call: Call, tmp_path: Path, points: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        call("heuristic", str(points), "-k", "2", "--quiet", "--labels", str(tmp_path / "loop"))
        assert (tmp_path / "loop").read_text().startswith("point,label\n")

    @pytest.mark.slow
    @needs_full
    def test_what_is_rescued_replaces_nothing(self, tmp_path: Path, points: Path) -> None:
        mine, path = tmp_path / "a.run.labels.csv", tmp_path / "a.run"
        mine.write_text("mine")
        done = run_on_full(
            "solve", points, "-k", 2, "--workers", 1, "--run-file", path, "--quiet", "--labels", "-", status=1
        )
        assert done.err.endswith(f"what it would have held is in {path}-2.labels.csv\n")
        assert Path(f"{path}-2.labels.csv").read_text().startswith("point,label\n")
        assert mine.read_text() == "mine"
