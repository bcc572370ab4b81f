"""What the commands read: the first line of the points, weights, and notes on what may not be meant."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcsos import cli, solve

POINTS = np.array([0.0, 2.0, 3.0, 9.0, 11.0])
WEIGHTS = np.array([1.0, 9.0, 0.25, 4.0, 2.0])


def weighted_cost(labels: Any) -> float:
    """The weighted sum of squares, from the definition."""
    cost = 0.0
    for label in set(labels):
        members = np.array(labels) == label
        centre = np.average(POINTS[members], weights=WEIGHTS[members])
        cost += float((WEIGHTS[members] * (POINTS[members] - centre) ** 2).sum())
    return cost


OPTIMUM = min(weighted_cost(labels) for labels in itertools.product((0, 1), repeat=5) if len(set(labels)) == 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the points with and without a column of weights, and the weights."""
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n0\n2\n3\n9\n11\n")
    Path("weights.txt").write_text("".join(f"{weight}\n" for weight in WEIGHTS))
    rows = "".join(f"{weight},{x}\n" for weight, x in zip(WEIGHTS, POINTS, strict=True))
    Path("both.csv").write_text(f"mass,x\n{rows}")
    Path("years.csv").write_text("2019,2020\n1.5,2\n3,4.5\n5.5,6\n7,8.5\n")
    Path("pairs.txt").write_text("ML 0 1\n")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


COMMANDS = {
    "solve": ["solve", "-k", 2, "--workers", 1, "--json", "-"],
    "heuristic": ["heuristic", "-k", 2, "--json", "-"],
    "info": ["info", "-k", 2, "--json", "-"],
}
STATUS = {"solve": 0, "heuristic": 4, "info": 0}


@pytest.mark.usefixtures("folder")
class TestFirstLine:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_is_settled_by_an_option(self, capsys: pytest.CaptureFixture[str], command: str) -> None:
        status, out, err = run(capsys, *COMMANDS[command], "years.csv")
        assert (status, out) == (2, "")
        assert err.startswith("pcsos: years.csv line 1 ('2019,2020') looks like years")
        assert err.count("\n") == 1
        for option, n in {"--header": 4, "--no-header": 5}.items():
            status, out, err = run(capsys, *COMMANDS[command], "years.csv", option)
            assert status == STATUS[command]
            assert json.loads(out)["n_points"] == n

    def test_in_verify(self, capsys: pytest.CaptureFixture[str]) -> None:
        points = np.loadtxt("years.csv", delimiter=",", skiprows=1)
        solve(points, 2, run_file="run", workers=1)
        assert run(capsys, "verify", "run", "--points", "years.csv")[0] == 2
        assert run(capsys, "verify", "run", "--points", "years.csv", "--header")[0] == 0
        assert run(capsys, "verify", "run", "--points", "years.csv", "--no-header")[0] == 5

    def test_options_exclude_each_other(self, capsys: pytest.CaptureFixture[str]) -> None:
        status, _, err = run(capsys, *COMMANDS["info"], "years.csv", "--header", "--no-header")
        assert status == 2
        assert "not allowed with argument --header" in err

    def test_names_that_are_numbers_can_be_ignored(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("named.csv").write_text("name;2019;2020\nPeru;1;2\nChad;3;5\nMali;4;4\n")
        status, out, _ = run(capsys, *COMMANDS["info"], "named.csv", "--header", "--ignore", "name", "--ignore", "2019")
        assert status == 0
        assert (json.loads(out)["n_points"], json.loads(out)["n_features"]) == (3, 1)


@pytest.mark.usefixtures("folder")
class TestWeights:
    OPTIONS = (("points.csv", "--weights", "weights.txt"), ("both.csv", "--weights-column", "mass"))

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_solve(self, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
        status, out, _ = run(capsys, *COMMANDS["solve"], *options, "--run-file", "run")
        assert status == 0
        assert json.loads(out)["objective"] == pytest.approx(OPTIMUM, rel=1e-12)
        assert run(capsys, "verify", "run", "--points", *options)[0] == 0

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_heuristic(self, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
        status, out, _ = run(capsys, *COMMANDS["heuristic"], *options)
        assert status == 4
        assert json.loads(out)["objective"] == pytest.approx(OPTIMUM, rel=1e-12)

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_info(self, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
        status, out, _ = run(capsys, *COMMANDS["info"], *options, "--constraints", "pairs.txt")
        assert status == 0
        assert json.loads(out)["n_features"] == 1
        assert json.loads(out)["cost_inside_super_points"] == pytest.approx(1.0 * 9.0 / 10.0 * 2.0**2, rel=1e-12)

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_verify(self, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
        solve(POINTS, 2, weights=WEIGHTS, run_file="run", workers=1)
        assert run(capsys, "verify", "run", "--points", *options)[0] == 0
        status, _, err = run(capsys, "verify", "run", "--points", "points.csv")
        assert status == 5
        assert "other points or weights" in err
        Path("weights.txt").write_text("1\n9\n0.25\n4\n2.5\n")
        Path("both.csv").write_text(Path("both.csv").read_text().replace("2.0,11", "2.5,11"))
        assert run(capsys, "verify", "run", "--points", *options)[0] == 5

    @pytest.mark.parametrize("option", ["--weights", "--weights-column", "--ignore", "--constraints", "--header"])
    def test_say_nothing_without_points(self, capsys: pytest.CaptureFixture[str], option: str) -> None:
        solve(POINTS, 2, run_file="run", workers=1)
        arguments = [option] if option == "--header" else [option, "weights.txt"]
        status, _, err = run(capsys, "verify", "run", *arguments)
        assert (status, err) == (2, f"pcsos: {option} says nothing without --points; give the points too\n")

    def test_come_from_one_place(self, capsys: pytest.CaptureFixture[str]) -> None:
        status, _, err = run(
            capsys, *COMMANDS["info"], "both.csv", "--weights", "weights.txt", "--weights-column", "mass"
        )
        assert status == 2
        assert "not allowed with argument --weights" in err

    @pytest.mark.parametrize("command", COMMANDS)
    def test_file_is_never_overwritten(self, capsys: pytest.CaptureFixture[str], command: str) -> None:
        status, _, err = run(
            capsys, command, "points.csv", "-k", 2, "--weights", "weights.txt", "--json", "weights.txt"
        )
        assert (status, err) == (2, "pcsos: --json and --weights are both weights.txt; give different files\n")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("1\n9\n0\n4\n2\n", "weights.txt line 3 holds the weight 0; give positive weights"),
            ("1\n9\n-1\n4\n2\n", "weights.txt line 3 holds the weight -1"),
            ("1\n9\nnan\n4\n2\n", "weights.txt line 3, column 1 is 'nan', not a finite number"),
            ("1\n9\n4\n2\n", "weights.txt holds 4 weights, the last in line 4, for 5 points; give one weight a point"),
        ],
    )
    def test_bad_ones_are_refused(self, capsys: pytest.CaptureFixture[str], content: str, message: str) -> None:
        Path("weights.txt").write_text(content)
        status, out, err = run(capsys, *COMMANDS["info"], "points.csv", "--weights", "weights.txt")
        assert (status, out) == (2, "")
        assert err.startswith(f"pcsos: {message}")
        assert err.count("\n") == 1


@pytest.mark.usefixtures("folder")
class TestNotes:
    def test_on_a_first_line_that_might_be_a_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("points.csv").write_text("0\n2\n3\n9\n11\n")
        assert "note: points.csv line 1 ('0') is read as a point" in run(capsys, *COMMANDS["info"], "points.csv")[2]
        assert run(capsys, *COMMANDS["info"], "points.csv", "--no-header")[2] == ""

    def test_not_on_coordinates(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("points.csv").write_text("x,y\n0,1\n2,3\n")
        assert run(capsys, *COMMANDS["info"], "points.csv")[2] == ""

    def test_not_where_it_is_to_be_quiet(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("points.csv").write_text("x,class\n0,1\n2,3\n5,6\n")
        assert "column 'class'" in run(capsys, *COMMANDS["heuristic"], "points.csv")[2]
        assert run(capsys, *COMMANDS["heuristic"], "points.csv", "--quiet")[2] == ""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "- is no file; give its name, or /dev/stdin to read standard input"),
        (["points.csv", "--constraints", "-"], "- is no file; give its name"),
        (["points.csv", "--constraints", "points.csv"], "points.csv line 1 begins with 'x', not with ML"),
    ],
)
def test_one_clear_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    status, out, err = run(capsys, "info", "-k", 2, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"pcsos: {message}")
    assert err.count("\n") == 1
