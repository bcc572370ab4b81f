"""The log of a session: what was answered is on the disk, and a session goes on from there."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pcsos.analysis.active import ActiveSession, AnswersFile
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames
from tests.analysis.answering import answered

ROOT = Path(__file__).parents[2]
POINTS = np.random.default_rng(4).standard_normal((20, 2))
CLASSES = np.arange(20) % 3


def logged(log: Path | None, number: int, **options: object) -> ActiveSession:
    return answered(ActiveSession(POINTS, 3, strategy="random", log=log, **options), CLASSES, number)


def test_a_session_that_goes_on_asks_what_one_without_a_break_asks(tmp_path: Path) -> None:
    logged(tmp_path / "log.csv", 7)
    resumed = logged(tmp_path / "log.csv", 12)
    assert resumed.answers == logged(None, 12).answers
    assert ActiveSession(POINTS, 3, log=tmp_path / "log.csv").answers == resumed.answers


def test_answers_that_are_taken_back_stay_back(tmp_path: Path) -> None:
    session = logged(tmp_path / "log.csv", 5)
    session.undo()
    session.undo()
    assert logged(tmp_path / "log.csv", 0).answers == logged(None, 3).answers
    assert len(AnswersFile(tmp_path / "log.csv", 20).answers) == 3


def test_a_line_that_was_being_written_when_the_process_was_killed_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    logged(path, 5)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        number = whole[:size].count(b"\n")
        session = ActiveSession(POINTS, 3, strategy="random", log=path)
        assert len(session.answers) == max(number - 2, 0)
    path.write_bytes(whole[:-2])
    assert logged(path, 8).answers == logged(None, 8).answers


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("my only line, without an end", "or no log at all; give the log of these"),
        ("i,j,answer\n0,5,yes\n3,4,no", "or no log at all; give the log of these"),
        ("#", None),
    ],
)
def test_another_file_is_left_as_it_is(tmp_path: Path, text: str, sentence: str | None) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    if sentence is None:  # a log begins so
        assert ActiveSession(POINTS, 3, log=path).answers == ()
        return
    with pytest.raises(InputError, match=sentence):
        ActiveSession(POINTS, 3, log=path)
    assert path.read_text() == text


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text])
def test_a_log_that_another_program_has_saved_is_left_as_it_is(tmp_path: Path, change: Callable[[str], str]) -> None:
    path = tmp_path / "log.csv"
    logged(path, 3)
    path.write_bytes(changed := change(path.read_text()).encode())
    with pytest.raises(InputError, match=r"log\.csv was changed by another program, its line ends or its first bytes"):
        ActiveSession(POINTS, 3, log=path)
    assert path.read_bytes() == changed


def test_line_ends_of_other_systems_lose_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    logged(path, 3)
    path.write_bytes(old := path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(InputError, match="was changed by another program"):
        ActiveSession(POINTS, 3, log=path)
    assert path.read_bytes() == old
    path.write_bytes(old.replace(b"\r", b"\n") + b"0,1\r,yes\n")
    with pytest.raises(InputError, match=r"log\.csv line 6 is not a line of a CSV file"):
        ActiveSession(POINTS, 3, log=path)
    path.write_bytes(b"i,j,answer\n0,1,yes\n" + b"0," + b"1" * 200_000 + b",no\n")
    with pytest.raises(InputError, match=r"log\.csv line 3 is not a line of a CSV file"):
        AnswersFile(path, 20)


def test_points_whose_names_begin_as_comments_do_keep_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    instance = Instance([0.0, 1.0, 9.0, 10.0], 2, names=PointNames(4, ids=["#a", "#b", "c", "d"]))
    session = ActiveSession(instance, log=path)
    session.tell((0, 1), True)
    session.tell((1, 2), False)
    assert len(session.answers) == 2
    path.write_text(path.read_text() + "# a comment, of three, values\n#e,c,no\n")
    assert ActiveSession(instance, log=path).answers == ((0, 1, True), (1, 2, False))


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_all_its_answers(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    code = (
        "import os, signal, sys, numpy as np; from pcsos.analysis.active import ActiveSession\n"
        "points = np.random.default_rng(4).standard_normal((20, 2))\n"
        f"session = ActiveSession(points, 3, strategy='random', log={str(path)!r})\n"
        "for _ in range(4):\n    session.tell(session.ask(), None)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == -signal.SIGKILL
    assert [same for *_, same in logged(path, 0).answers] == [None] * 4


def test_the_budget_counts_what_the_log_holds(tmp_path: Path) -> None:
    logged(tmp_path / "log.csv", 5)
    session = ActiveSession(POINTS, 3, log=tmp_path / "log.csv", budget=3)
    assert len(session.answers) == 5
    assert session.questions_left == 0
    assert session.ask() is None


def test_the_log_calls_points_by_their_names(tmp_path: Path) -> None:
    instance = Instance([0.0, 1.0, 9.0], 2, names=PointNames(3, ids=["a", "b, c", "d"]))
    ActiveSession(instance, log=tmp_path / "log.csv").tell((0, 1), True)
    assert tmp_path.joinpath("log.csv").read_text().splitlines()[1:] == ["i,j,answer", 'a,"b, c",yes']
    assert ActiveSession(instance, log=tmp_path / "log.csv").knowledge.relation(0, 1) is True


def test_a_log_about_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    logged(path, 2)
    for points, k in ((POINTS + 1.0, 3), (POINTS, 4)):
        with pytest.raises(InputError, match="is about other points, or another number of clusters"):
            ActiveSession(points, k, log=path)
    with pytest.raises(InputError, match="cannot be written"):
        ActiveSession(POINTS, 3, log=tmp_path / "nowhere" / "log.csv")
    with pytest.raises(InputError, match="is not a file; give another place"):
        ActiveSession(POINTS, 3, log=tmp_path)


def test_a_log_that_contradicts_what_is_given_is_refused(tmp_path: Path) -> None:
    session = ActiveSession(POINTS, 3, log=tmp_path / "log.csv")
    session.tell((0, 1), True)
    with pytest.raises(InputError, match="line 3 contradicts what is known"):
        ActiveSession(POINTS, 3, log=tmp_path / "log.csv", cannot_link=[(0, 1)])


def test_what_is_taken_back_is_the_answer_about_these_points(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    one, other = ActiveSession(POINTS, 3, log=log), ActiveSession(POINTS, 3, log=log)
    one.tell((0, 1), True)
    other.tell((2, 3), True)
    one.undo()
    assert [(answer.i, answer.j) for answer in ActiveSession(POINTS, 3, log=log).answers] == [(2, 3)]
    given = ActiveSession(POINTS, 3, must_link=[(0, 1)], log=log)
    assert [(answer.i, answer.j) for answer in given.answers] == [(2, 3)]
    with open(log, "a") as file:
        file.write("4,5,undo\n")
    with pytest.raises(InputError, match=r"takes an answer back, but there is none about these points"):
        ActiveSession(POINTS, 3, log=log)


def test_a_line_that_cannot_be_written_whole_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.csv"
    session = ActiveSession(POINTS, 3, log=log)
    session.tell((0, 1), True)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(InputError, match="cannot be written"):
            session.tell((2, 3), True)
    session.tell((2, 3), False)
    assert ActiveSession(POINTS, 3, log=log).answers == session.answers


@pytest.mark.slow
def test_a_log_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    code = (
        "import sys, numpy as np; from pcsos.analysis.active import ActiveSession\n"
        "points = np.random.default_rng(4).standard_normal((20, 2))\n"
        f"session = ActiveSession(points, 3, log={str(log)!r})\n"
        "session.tell((0, 1), True)\nprint('ready', flush=True)\nsys.stdin.read()\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as other:
        assert other.stdout.readline() == b"ready\n"
        before = log.read_bytes()
        with pytest.raises(InputError, match=r"log\.csv is the log of another session that still runs"):
            ActiveSession(POINTS, 3, log=log)
        assert log.read_bytes() == before
        assert AnswersFile(log, 20)(0, 1) is True
        other.communicate()
    assert [(i, j) for i, j, _ in ActiveSession(POINTS, 3, log=log).answers] == [(0, 1)]


def test_a_log_that_is_removed_is_written_again_with_all_answers(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    session = logged(log, 3)
    log.unlink()
    session.tell((18, 19), None)
    session.undo()
    whole = log.read_text()
    assert whole.startswith("# 20 points")
    assert ActiveSession(POINTS, 3, log=log).answers == session.answers == logged(None, 3).answers


def test_a_file_in_the_place_of_a_log_is_left_alone(tmp_path: Path) -> None:
    log, session = tmp_path / "log.csv", logged(tmp_path / "log.csv", 3)
    log.rename(tmp_path / "kept.csv")
    log.write_text("mine\n")
    with pytest.raises(InputError, match=r"log\.csv was replaced while a session wrote to it"):
        session.tell((18, 19), None)
    assert log.read_text() == "mine\n"
    assert len(session.answers) == 3
    log.unlink()
    (tmp_path / "kept.csv").rename(log)
    session.tell((18, 19), None)
    assert ActiveSession(POINTS, 3, log=log).answers == session.answers
