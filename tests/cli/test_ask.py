"""`pcsos ask`: replies from a pipe, and what is kept when they end."""

import io
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pcsos.analysis.active import ActiveSession
from pcsos.cli import messages
from pcsos.io import read_constraints, read_points
from tests.cli.program import Call

POINTS = "name,length,width\n" + "".join(f"p{i},{10 * (i % 2) + 0.1 * i},{i % 3}\n" for i in range(12))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("points.csv").write_text(POINTS)
    return tmp_path


Ask = Callable[..., str]


@pytest.fixture
def ask(folder: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> Ask:
    """What is said of those replies, where the exit status is as said."""

    def asked(replies: str, *more: str, to: str = "pairs.txt", status: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(replies))
        given = ["points.csv", "-k", "2", "--id", "name", "--constraints-out", to, *more]
        return call("ask", *given, status=status).err

    return asked


def test_answers_become_constraints_by_the_names_of_the_points(call: Call, folder: Path, ask: Ask) -> None:
    shown = ask("y\nperhaps\nn\nu\n", "--budget", "3")
    kinds = [line.split()[0] for line in folder.joinpath("pairs.txt").read_text().splitlines()]
    assert kinds == ["ML", "CL"]
    assert "question 1 of 3" in shown
    assert "length" in shown
    assert "standard deviations" in shown
    assert "give one of y, n, u, b and q" in shown
    assert "3 answers; 1 must-link and 1 cannot-link in all" in shown
    call("info", "points.csv", "-k", "2", "--id", "name", "--constraints", "pairs.txt")


def test_b_takes_answers_back_and_q_ends(folder: Path, ask: Ask) -> None:
    assert "there is no answer to take back" in ask("b\ny\nb\nn\nq\n")
    assert folder.joinpath("pairs.txt").read_text().startswith("CL ")


def test_the_end_of_the_input_keeps_what_was_answered(folder: Path, ask: Ask) -> None:
    ask("n\n", status=4)
    assert folder.joinpath("pairs.txt").read_text().startswith("CL ")


def test_a_log_is_gone_on_with(folder: Path, ask: Ask) -> None:
    arguments = ("--log", "log.csv", "--strategy", "random", "--budget", "4")
    ask("n\nu\nq\n", *arguments)
    shown = ask("u\nu\n", *arguments)
    assert "log.csv has 2 answers already; going on from there" in shown
    assert "question 4 of 4" in shown
    assert len(folder.joinpath("log.csv").read_text().splitlines()) == 2 + 4


def test_given_constraints_are_known_and_written_too(folder: Path, ask: Ask) -> None:
    folder.joinpath("known.txt").write_text("CL p0 p1\n")
    ask("", "--constraints", "known.txt", "--budget", "0")
    assert folder.joinpath("pairs.txt").read_text() == "CL p0 p1\n"


def test_certified_says_when_no_more_is_needed(folder: Path, ask: Ask) -> None:
    shown = ask("u\n" * 9, "--strategy", "certified", "--epsilon", "0.01")
    assert "settled: one partition costs" in shown
    assert "5 answers" in shown
    assert folder.joinpath("pairs.txt").read_text() == "# no pairs\n"


def test_columns_are_shown_as_they_stand_and_are_no_features(call: Call, folder: Path, ask: Ask) -> None:
    rows = [f"{line},town {number},{1900 + number}" for number, line in enumerate(POINTS.splitlines()[1:])]
    folder.joinpath("points.csv").write_text("\n".join(["name,length,width,town,born", *rows]))
    shown = ask("n\nq\n", "--show", "town", "--show", "5", "--ignore", "5")
    table = shown[shown.index("question 1") :].splitlines()[1:6]
    assert [line.split()[0] for line in table] == ["id", "town", "born", "length", "width"]
    one, other = (int(name[1:]) for name in table[0].split()[1:])
    assert table[1].split() == ["town", "town", str(one), "town", str(other)]
    assert table[2].split()[:3] == ["born", str(1900 + one), str(1900 + other)]
    command = "pcsos solve points.csv -k 2 --ignore 5 --ignore town --id name --constraints pairs.txt"
    assert f"pcsos: next: {command}\n" in shown
    call(*command.split()[1:], "--quiet")


def test_the_next_command_reads_the_points_likewise(folder: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    folder.joinpath("my points.csv").write_text("x;y\n0,5;1\n0,7;1\n9,0;2\n9,5;3\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\nq\n"))
    given = ["ask", "my points.csv", "-k", "2", "--one-based", "--decimal", ",", "--header"]
    said = next(
        line for line in call(*given, "--constraints-out", "the pairs.txt").err.splitlines() if "next: " in line
    )
    words = shlex.split(said.split("next: ")[1])
    assert words == ["pcsos", "solve", *given[1:], "--constraints", "the pairs.txt"]
    call(*words[1:], "--quiet")


def test_pairs_beside_ids_that_nobody_declared_are_read_by_the_next_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    folder.joinpath("rows.csv").write_text(",x,y\n3,0,1\n2,0,2\n1,9,1\n0,9,2\n")  # what the numbers mean is open
    monkeypatch.setattr("sys.stdin", io.StringIO("n\nq\n"))
    said = call("ask", "rows.csv", "-k", "2", "--constraints-out", "pairs.txt").err
    words = shlex.split(said.split("next: ")[1].splitlines()[0])
    assert words[words.index("--id") + 1] == "1"
    call(*words[1:], "--quiet")
    shown = call("info", "rows.csv", "-k", "2", "--constraints", "pairs.txt", "--id", "1", "--out", "left.txt").out
    assert "1 pairs in left.txt; if" in shown
    assert "in left.txt, to be read with --id 1;" in call("info", "rows.csv", "-k", "2", "--out", "left.txt").out


def test_features_are_shown_as_they_stand_also_where_they_are_standardized(ask: Ask) -> None:
    shown = ask("n\nq\n", "--standardize")
    heading, length = (shown[shown.index("question 1") :].splitlines()[line].split() for line in (1, 2))
    values = {row.split(",")[0]: float(row.split(",")[1]) for row in POINTS.splitlines()[1:]}
    assert [float(value) for value in length[1:3]] == [values[name] for name in heading[1:3]]
    assert "next: pcsos solve points.csv -k 2 --id name --standardize --constraints pairs.txt" in shown


def test_pairs_on_standard_output_have_no_next_command(ask: Ask) -> None:
    assert "next:" not in ask("n\nq\n", to="-")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["points.csv", "-k", "2", "--show", "town"],
            "points.csv has no column 'town' to show (3 columns, columns name,",
        ),
        (["points.csv", "-k", "13"], "-k is 13 for 12 points"),
        (["-", "-k", "2"], "POINTS and the answers are both standard input"),
        (["points.csv", "-k", "2", "--log", "-"], "--log: '-' is standard output, which cannot take it; give a file"),
        (["points.csv", "-k", "2", "--log", "pairs.txt"], "--log and --constraints-out are both pairs.txt"),
        (["points.csv", "-k", "2", "--budget", "-1"], "not a whole number of at least 0"),
        (["points.csv", "-k", "2", "--epsilon", "x"], "'x' is not a relative distance; give a number from 0 to 1e+20"),
        (
            ["points.csv", "-k", "2", "--epsilon", "-1"],
            "--epsilon: '-1' is not a relative distance; give a number from 0",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(
    folder: Path, refused: Callable[..., str], arguments: list[str], words: str
) -> None:
    assert words in refused("ask", *arguments, "--id", "name", "--constraints-out", "pairs.txt")
    assert not folder.joinpath("pairs.txt").exists()


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_answered(folder: Path) -> None:
    command = [sys.executable, "-m", "pcsos", "ask", "points.csv", "-k", "2", "--id", "name"]
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [*command, "--constraints-out", "pairs.txt", "--log", "log.csv"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": root},
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("n\n")
    process.stdin.flush()
    while "question 2" not in process.stderr.readline():
        assert process.poll() is None
    assert folder.joinpath("log.csv").read_text().count("\n") == 3
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=60)
    assert process.returncode == 4
    assert "1 answer; 0 must-links and 1 cannot-link in all" in shown
    assert folder.joinpath("pairs.txt").read_text().startswith("CL ")


def test_the_terminal_and_python_ask_the_same(folder: Path, ask: Ask) -> None:
    ask("n\nu\nn\n", "--budget", "3", "--log", "log.csv")
    points = read_points("points.csv", ignore=["name"])
    session = ActiveSession(points, 2, budget=3)
    for same in (False, None, False):
        pair = session.ask()
        assert pair is not None
        session.tell(pair, same)
    rows = [row.split(",")[:2] for row in folder.joinpath("log.csv").read_text().splitlines()[2:]]
    assert rows == [[f"p{i}", f"p{j}"] for i, j, _ in session.answers]
    folder.joinpath("plain.txt").write_text(folder.joinpath("pairs.txt").read_text().replace("p", ""))
    assert np.array_equal(read_constraints("plain.txt", points).cannot_link, session.constraints.cannot_link)


def test_earlier_answers_are_not_replaced_unless_their_log_is_given(folder: Path, ask: Ask) -> None:
    ask("y\nq\n", "--log", "log.csv")
    written = folder.joinpath("pairs.txt").read_text()
    assert written.count("\n") == 1
    assert "--constraints-out pairs.txt holds something already, which would be replaced" in ask("q\n", status=2)
    assert folder.joinpath("pairs.txt").read_text() == written
    ask("n\nq\n", "--log", "log.csv")
    assert folder.joinpath("pairs.txt").read_text().count("\n") == 2


@pytest.mark.parametrize(
    ("replies", "arguments", "words"),
    [
        ("u\n", ["--budget", "1"], "the budget of 1 answer is spent"),
        ("n\n" * 40, ["--strategy", "mmffqs"], "nothing is left to ask: all other pairs follow from what is known"),
        (
            "u\n" * 80,
            ["--strategy", "asc"],
            "nothing is left to ask: asc has no question about the pairs that are open",
        ),
        ("u\n" * 9, ["--strategy", "certified", "--epsilon", "0.01"], "all pairs are decided within epsilon"),
    ],
)
def test_the_end_of_the_questions_is_explained(ask: Ask, replies: str, arguments: list[str], words: str) -> None:
    assert words in ask(replies, *arguments)


def test_a_surprise_is_told(folder: Path, ask: Ask) -> None:
    """All is decided after four unknown pairs, and one of two answers to the fifth question is against it."""
    folder.joinpath("points.csv").write_text("name,x\n" + "".join(f"p{i},{x}\n" for i, x in enumerate([0, 1, 50, 51])))
    shown = ""
    for reply in "yn":
        folder.joinpath("pairs.txt").unlink(missing_ok=True)
        shown += ask(f"u\nu\nu\nu\n{reply}\nq\n", "--strategy", "certified")
    surprise = "that is against what was proved: all partitions within 10 % of the least cost have the two"
    assert shown.count(surprise) == 1


def test_long_silence_is_broken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    silences: list[float] = []

    class FourSilences(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            silences.append(timeout or 0.0)
            return len(silences) == 4

    monkeypatch.setattr(messages, "time", SimpleNamespace(monotonic=lambda: sum(silences)))
    with monkeypatch.context() as only_here:
        only_here.setattr(messages, "threading", SimpleNamespace(Event=FourSilences, Thread=threading.Thread))
        with messages.telling(lambda: "counting sheep"):
            pass
    assert silences == [2.0, 4.0, 8.0, 16.0]
    assert capsys.readouterr().err == "".join(f"pcsos: counting sheep, for {s} s so far\n" for s in (2, 6, 14))
    monkeypatch.setattr(messages, "SILENCE", 3600.0)
    with messages.telling(lambda: "counting sheep"):
        pass
    assert capsys.readouterr().err == ""
