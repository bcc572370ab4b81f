"""What took long to find is never lost for want of an option, and never litters."""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from pcsos.cli import outputs
from pcsos.cli.outputs import Safekeeping
from tests.cli.program import Call

LABELS = "point,label\n0,0\n1,0\n2,1\n3,1\n4,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("line.csv").write_text("x\n0\n2\n3\n9\n11\n")
    Path("pairs.txt").write_text("ML 0 1\nCL 1 2\n")
    Path("worse.csv").write_text("0\n0\n0\n1\n0\n")
    return tmp_path


class AtOnce:
    """A timer whose time is up when it is started."""

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self.start = function

    def cancel(self) -> None:
        """Do nothing: it is too late."""

    join = cancel


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run be a long one."""
    monkeypatch.setattr(outputs, "threading", SimpleNamespace(Timer=AtOnce))


ABOUT = ("line.csv", "-k", "2", "--constraints", "pairs.txt")


def names() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"line.csv", "pairs.txt", "worse.csv"}


@pytest.mark.parametrize("command", ["solve", "certify", "heuristic"])
def test_labels_of_a_long_run_are_kept_where_it_said(command: str, long: None, call: Call) -> None:
    done, option = call(command, *ABOUT), "--labels-out" if command == "certify" else "--labels"
    assert f"pcsos: the labels will be in line-k2.labels.csv; {option} FILE names another place\n" in done.err
    assert "labels       in line-k2.labels.csv\n" in done.out
    assert Path("line-k2.labels.csv").read_text() == LABELS


@pytest.mark.parametrize("command", ["path", "front"])
def test_rows_of_a_long_choice_are_kept(command: str, long: None, call: Call) -> None:
    given = ABOUT if command == "front" else ("line.csv", "--constraints", "pairs.txt", "--to", "3")
    name = "line-k2.front.json" if command == "front" else "line.path.json"
    said = f"pcsos: rows and labels will be in {name}; --json FILE names another place\n"
    assert said in call(command, *given).err
    rows = json.loads(Path(name).read_text())["corners" if command == "front" else "path"]
    assert rows[0]["labels"] == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("command", ["solve", "certify", "heuristic", "path", "front"])
def test_a_short_run_leaves_nothing(command: str, call: Call) -> None:
    given = ABOUT if command != "path" else ("line.csv", "--to", "3")
    assert "will be in" not in call(command, *given).err
    assert names() == set()


@pytest.mark.parametrize("more", [["--labels", "a.csv"], ["--json", "a.json"], ["--run-file", "a.run"]])
def test_nothing_is_kept_twice(more: list[str], long: None, call: Call) -> None:
    assert "will be in" not in call("solve", *ABOUT, *more).err
    assert names() == {more[1]}


def test_quietly_the_line_of_the_result_names_the_file(long: None, call: Call) -> None:
    done = call("solve", *ABOUT, "--quiet")
    assert done.out.endswith("; labels in line-k2.labels.csv\n")
    assert done.err == ""


def test_where_the_summary_is_not_shown_the_file_is_named_all_the_same(long: None, call: Call) -> None:
    assert call("solve", *ABOUT, "--quiet", "--log", "-").err == "pcsos: the labels are in line-k2.labels.csv\n"


def test_a_better_partition_is_kept_and_labels_that_the_user_has_are_not(long: None, call: Call) -> None:
    words = "the labels of a better partition, if one is met, will be in line.labels.csv; --better-out FILE"
    assert words in call("certify", "line.csv", "--labels", "worse.csv", status=4).err
    assert Path("line.labels.csv").read_text() == "point,label\n0,0\n1,0\n2,0\n3,1\n4,1\n"
    Path("line.labels.csv").rename("best.csv")
    call("certify", "line.csv", "--labels", "best.csv")
    assert names() == {"best.csv"}


def test_nothing_is_overwritten(long: None, call: Call) -> None:
    Path("line-k2.labels.csv").write_text("mine")
    Path("line-k2-2.labels.csv").symlink_to("nowhere")
    call("solve", *ABOUT)
    assert Path("line-k2-3.labels.csv").read_text() == LABELS
    assert (Path("line-k2.labels.csv").read_text(), names()) == (
        "mine",
        {"line-k2.labels.csv", "line-k2-2.labels.csv", "line-k2-3.labels.csv"},
    )


def test_a_name_that_is_taken_meanwhile_is_left_alone(long: None) -> None:
    with Safekeeping("the labels", "a", ".csv", "remedy", is_quiet=True) as safe:
        Path("a.csv").write_text("mine")
        assert safe.keep("text") == "a-2.csv"
    assert Path("a.csv").read_text() == "mine"


def test_what_cannot_be_kept_is_shown(long: None, capsys: pytest.CaptureFixture[str]) -> None:
    with Safekeeping("the labels", "no folder/a", ".csv", "remedy", is_quiet=True) as safe:
        assert safe.keep("text\n") is None
    assert "a.csv cannot be written" in (err := capsys.readouterr().err)
    assert err.endswith("it would have held:\ntext\n")


def test_a_folder_that_may_not_be_written_to_is_left_for_another(
    long: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *arguments: False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with Safekeeping("the labels", "a", ".csv", "remedy", is_quiet=True) as safe:
        assert safe.keep("text") == str(tmp_path / "temporary" / "a.csv")


@pytest.mark.parametrize(
    ("table", "name"), [("a/b.data.csv.gz", "b"), ("-", "pcsos"), (".csv", ".csv"), ("x.y.npy", "x.y")]
)
def test_the_name_is_that_of_the_table(table: str, name: str) -> None:

    assert outputs.stem_of(argparse.Namespace(points=table)) == name
    assert outputs.stem_of(argparse.Namespace(points=table, n_clusters=4)) == f"{name}-k4"


@pytest.mark.slow
def test_ctrl_c_keeps_them_too(call: Call, folder: Path) -> None:
    program = (
        "import sys; from pcsos import cli; from pcsos.cli import outputs; outputs.LONG = 0.2;"
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    (folder / "many.csv").write_text("".join(f"{i * i % 97},{i * 31 % 89}\n" for i in range(300)))
    command = [sys.executable, "-c", program, "solve", "many.csv", "-k", "7", "--workers", "1", "--gap", "1e-9"]
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    said = ""
    while "will be in" not in said or "\nK " not in said:  # there is a partition
        line = child.stderr.readline()
        assert line, said
        said += line
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 4, said + err
    assert "labels       in many-k7.labels.csv\n" in out
    assert (folder / "many-k7.labels.csv").read_text().count("\n") == 301
