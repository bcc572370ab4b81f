"""What the commands read: the first line of the points, weights, and notes on what may not be meant."""

import io
import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos import solve
from pcsos.base.exceptions import InputError
from pcsos.io import read_weights
from tests.cli.program import Call

POINTS = np.array([0.0, 2.0, 3.0, 9.0, 11.0])
WEIGHTS = np.array([1.0, 9.0, 0.25, 4.0, 2.0])


def weighted_cost(labels: Any) -> float:
    cost = 0.0
    for label in set(labels):
        members = np.array(labels) == label
        centre = np.average(POINTS[members], weights=WEIGHTS[members])
        cost += float((WEIGHTS[members] * (POINTS[members] - centre) ** 2).sum())
    return cost


OPTIMUM = min(weighted_cost(labels) for labels in itertools.product((0, 1), repeat=5) if len(set(labels)) == 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n0\n2\n3\n9\n11\n")
    Path("weights.txt").write_text("".join(f"{weight}\n" for weight in WEIGHTS))
    rows = "".join(f"{weight},{x}\n" for weight, x in zip(WEIGHTS, POINTS, strict=True))
    Path("both.csv").write_text(f"mass,x\n{rows}")
    Path("years.csv").write_text("2019,2020\n1.5,2\n3,4.5\n5.5,6\n7,8.5\n")
    Path("pairs.txt").write_text("ML 0 1\n")
    return tmp_path


COMMANDS = {
    "solve": ["solve", "-k", 2, "--workers", 1, "--json", "-"],
    "heuristic": ["heuristic", "-k", 2, "--json", "-"],
    "info": ["info", "-k", 2, "--json", "-"],
}


@pytest.mark.usefixtures("folder")
class TestFirstLine:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_is_settled_by_an_option(self, call: Call, refused: Callable[..., str], command: str) -> None:
        sentence = refused(*COMMANDS[command], "years.csv")
        assert sentence.startswith("pcsos: years.csv line 1 ('2019,2020') looks like years")
        for option, n in {"--header": 4, "--no-header": 5}.items():
            out = call(*COMMANDS[command], "years.csv", option).out
            assert json.loads(out)["n_points"] == n

    def test_in_verify(self, call: Call) -> None:
        points = np.loadtxt("years.csv", delimiter=",", skiprows=1)
        solve(points, 2, run_file="run", workers=1)
        call("verify", "run", "--points", "years.csv", status=2)
        call("verify", "run", "--points", "years.csv", "--header")
        call("verify", "run", "--points", "years.csv", "--no-header", status=5)


@pytest.mark.usefixtures("folder")
class TestWeights:
    OPTIONS = (("points.csv", "--weights", "weights.txt"), ("both.csv", "--weights-column", "mass"))

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_solve_and_heuristic(self, call: Call, options: tuple[str, ...]) -> None:
        out = call(*COMMANDS["solve"], *options, "--run-file", "run").out
        assert json.loads(out)["objective"] == pytest.approx(OPTIMUM, rel=1e-12)
        call("verify", "run", "--points", *options)
        out = call(*COMMANDS["heuristic"], *options).out
        assert json.loads(out)["objective"] == pytest.approx(OPTIMUM, rel=1e-12)

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_info(self, call: Call, options: tuple[str, ...]) -> None:
        out = call(*COMMANDS["info"], *options, "--constraints", "pairs.txt").out
        assert json.loads(out)["n_features"] == 1
        assert json.loads(out)["cost_inside_super_points"] == pytest.approx(1.0 * 9.0 / 10.0 * 2.0**2, rel=1e-12)

    @pytest.mark.parametrize("options", OPTIONS, ids=["file", "column"])
    def test_verify(self, call: Call, options: tuple[str, ...]) -> None:
        solve(POINTS, 2, weights=WEIGHTS, run_file="run", workers=1)
        call("verify", "run", "--points", *options)
        err = call("verify", "run", "--points", "points.csv", status=5).err
        assert "other points or weights" in err
        Path("weights.txt").write_text("1\n9\n0.25\n4\n2.5\n")
        Path("both.csv").write_text(Path("both.csv").read_text().replace("2.0,11", "2.5,11"))
        call("verify", "run", "--points", *options, status=5)

    @pytest.mark.parametrize("option", ["--weights", "--weights-column", "--ignore", "--constraints", "--header"])
    def test_say_nothing_without_points(self, call: Call, option: str) -> None:
        solve(POINTS, 2, run_file="run", workers=1)
        arguments = [option] if option == "--header" else [option, "weights.txt"]
        err = call("verify", "run", *arguments, status=2).err
        assert err == f"pcsos: {option} says nothing without --points; give the points too\n"

    @pytest.mark.parametrize("command", COMMANDS)
    def test_file_is_never_overwritten(self, call: Call, command: str) -> None:
        err = call(command, "points.csv", "-k", 2, "--weights", "weights.txt", "--json", "weights.txt", status=2).err
        assert err == "pcsos: --json and --weights are both weights.txt; give different files\n"


@pytest.mark.usefixtures("folder")
class TestNotes:
    def test_on_a_first_line_that_might_be_a_name(self, call: Call) -> None:
        Path("points.csv").write_text("0\n2\n3\n9\n11\n")
        assert "note: points.csv line 1 ('0') is read as a point" in call(*COMMANDS["info"], "points.csv").err
        assert call(*COMMANDS["info"], "points.csv", "--no-header").err == ""

    @pytest.mark.parametrize(
        "command",
        [*COMMANDS.values(), ["certify", "--labels", "labels.txt"], ["path", "--from", 2, "--to", 2]],
        ids=lambda command: command[0],
    )
    def test_on_a_capacity_without_weights(self, call: Call, command: list[Any]) -> None:
        Path("labels.txt").write_text("0\n0\n0\n1\n1\n")
        err = call(*command, "points.csv", "--weight-max", 3).err
        note = "pcsos: note: no point has another weight than 1, so that weight_max counts points; give weights"
        assert (err.count("weight_max"), note in err) == (1, True)
        assert "weight_max" not in call(*command, "points.csv", "--weight-max", 3, "--quiet").err
        weighed = ["--weight-max", 15, "--weights", "weights.txt"]
        assert "weight_max" not in call(*command, "points.csv", *weighed).err

    @pytest.mark.parametrize(
        "command",
        [["compare", "labels.txt"], ["certify", "--labels", "labels.txt"], ["soft", "-k", 4], ["front", "-k", 4]],
        ids=lambda command: command[0],
    )
    def test_on_equal_points_in_different_clusters(self, call: Call, command: list[Any]) -> None:
        Path("points.csv").write_text("x\n0\n0\n3\n9\n9\n")
        Path("labels.txt").write_text("0\n1\n2\n3\n3\n")
        err = call(command[0], "points.csv", *command[1:]).err
        assert err.count("note: there are only 3 different points for 4 clusters") == 1

    def test_of_whoever_knows_no_number_of_clusters(self, call: Call) -> None:
        Path("points.csv").write_text("0,1,2\n1,0,4\n2,4,0\n")
        Path("known.txt").write_text("0\n-1\n1\n")
        err = call("graph", "points.csv", "--no-header", "--known", "known.txt", "--neighbours", 1).err
        assert err.count("note: the points are symmetric with zeros on the diagonal; if these are distances, give") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "--constraints", "-"], "POINTS and --constraints are both standard input; give a file for one"),
        (["points.csv", "--decimal", ";"], "argument --decimal: invalid choice: ';'"),
        (["years.csv", "--header", "--no-header"], "argument --no-header: not allowed with argument --header"),
        (
            ["both.csv", "--weights", "weights.txt", "--weights-column", "mass"],
            "argument --weights-column: not allowed with argument --weights",
        ),
        (["points.csv", "--constraints", "points.csv"], "points.csv line 1 begins with 'x', not with ML"),
    ],
)
def test_one_clear_sentence(refused: Callable[..., str], arguments: list[str], message: str) -> None:
    assert refused("info", "-k", 2, *arguments).startswith(f"pcsos: {message}")


def conflict_lines(said: str) -> list[str]:
    """What is listed under the sentence about an infeasible instance."""
    first, *lines = said.splitlines()
    assert first.startswith("pcsos: the instance is infeasible: ")
    return [line.strip() for line in lines]


@pytest.mark.usefixtures("folder")
class TestNamesOfPoints:
    def test_ids_in_constraints_and_labels(self, call: Call) -> None:
        Path("people.csv").write_text("name;x\nEva;0\nAda;2\nBob;3\nKim;9\nLeo;11\n")
        Path("pairs.csv").write_text("kind,a,b\nml,Eva,Ada\ncl,Ada,Bob\n")
        arguments = ["people.csv", "--id", "name", "--constraints", "pairs.csv"]
        out = call("solve", "-k", 2, *arguments, "--labels", "-").out
        assert out == "id,label\nEva,0\nAda,0\nBob,1\nKim,1\nLeo,1\n"
        Path("labels.csv").write_text(out)
        call("certify", *arguments, "--labels", "labels.csv")
        Path("labels.csv").write_text(out.replace("Eva", "Kim"))
        err = call("certify", *arguments, "--labels", "labels.csv", status=2).err
        assert err.count("labels.csv line 2 is about point 'Kim' where point Eva is expected") == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("name,x\nEva,0\nAda,2\nEva,3\n", "people.csv line 4 has the id 'Eva' of line 2; give every point its own"),
            ("name,x\nEva,0\n,2\nAda,3\n", "people.csv line 3 has no id; give every point one"),
            ("x,y\n0,1\n2,3\n", "people.csv has no column 'name' to take ids from"),
        ],
    )
    def test_bad_ids_are_refused(self, refused: Callable[..., str], content: str, message: str) -> None:
        Path("people.csv").write_text(content)
        assert refused("info", "people.csv", "-k", 1, "--id", "name").startswith(f"pcsos: {message}")

    def test_numbers_from_1(self, call: Call) -> None:
        Path("pairs.txt").write_text("ML 1 2\nCL 2 3\nCL 1 5\n")
        arguments = ["points.csv", "--one-based", "--constraints", "pairs.txt"]
        out = call("solve", "-k", 2, *arguments, "--labels", "-").out
        assert out == "point,label\n1,0\n2,0\n3,1\n4,1\n5,1\n"
        err = call("solve", "-k", 2, "points.csv", "--constraints", "pairs.txt", status=2).err
        assert ("line 3 names point 5" in err, "--one-based" in err) == (True, True)

    def test_ids_of_parquet_and_numpy(self, call: Call) -> None:
        table = pa.table({"name": ["a", "b", "c"], "x": [0.0, 1.0, 5.0]})
        parquet.write_table(table, "p.parquet")
        np.save("p.npy", np.array([[7.0, 0.0], [8.0, 1.0], [9.0, 5.0]]))
        for path, column, ids in (("p.parquet", "name", "abc"), ("p.npy", "1", "789")):
            out = call("heuristic", path, "-k", 2, "--id", column, "--labels", "-", "--quiet").out
            assert out == "id,label\n" + "".join(
                f"{name},{label}\n" for name, label in zip(ids, (0, 0, 1), strict=True)
            )

    def test_numbers_and_ids_exclude_each_other(self, call: Call) -> None:
        Path("ids.csv").write_text(",x,name\n1,0.5,a\n2,1.5,b\n3,4,c\n")
        for own in (["--id", "name"], ["--ignore", "name"]):
            err = call("info", "ids.csv", "-k", 2, "--one-based", *own, status=2).err
            assert "--one-based and ids of points exclude each other; leave it out" in err
        err = call("info", "ids.csv", "-k", 2, "--ignore", "name").err
        assert "a column 1 without a name, taken for ids" in err

    @pytest.mark.parametrize(
        ("ids", "pairs", "is_refused"),
        [
            ("1234", "CL 1 2", True),
            ("1234", "ML 2 3\nSML 1 3 5", True),
            ("1234", "CL 1 4", False),  # none would count 4 rows from 0
            ("0123", "CL 1 2", False),  # both are the same
            ("3120", "CL 1 2", False),
            ("3120", "CL 1 3", True),
            ("abcd", "CL a b", False),
            ("1234", "GAMMA 9", False),
        ],
    )
    def test_numbers_that_may_be_ids_or_count_rows(self, ids: str, pairs: str, is_refused: bool, call: Call) -> None:
        Path("r.csv").write_text("\n".join([",x", *(f"{name},{at * at}" for at, name in enumerate(ids))]))
        Path("pairs.txt").write_text(pairs + "\n")
        arguments = ["info", "r.csv", "-k", 2, "--constraints", "pairs.txt"]
        err = call(*arguments, status=2 if is_refused else 0).err
        assert ("column 1 of r.csv, which has no name, or count the rows from 0; say --id 1" in err) == is_refused
        if is_refused:
            assert [call(*arguments, *own).err for own in (["--id", 1], ["--ignore", 1])] == ["", ""]

    def test_decimal_commas(self, call: Call) -> None:
        Path("comma.csv").write_text("x;y\n0,5;1\n-2,25;,5\n3;9,0\n")
        out = call("info", "comma.csv", "-k", 2, "--decimal", ",", "--json", "-").out
        assert json.loads(out)["n_features"] == 2
        err = call("info", "comma.csv", "-k", 2, status=2).err
        assert "say --decimal ," in err

    def test_points_from_standard_input(self, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0\n2\n3\n9\n11\n")))
        arguments = ["heuristic", "-", "-k", 2, "--no-header", "--quiet", "--json", "-"]
        out = call(*arguments).out
        assert json.loads(out)["n_points"] == 5


@pytest.mark.usefixtures("folder")
class TestConflicts:
    LISTED = ("ML 0 1  pairs.txt line 2", "ML 1 3  pairs.txt line 4", "CL 0 3  pairs.txt line 1")

    def write(self) -> list[object]:
        Path("pairs.txt").write_text("CL 3 0\nML 0 1\nML 1 2\nML 3 1\nCL 2 4\n")
        return ["points.csv", "-k", 2, "--constraints", "pairs.txt"]

    @pytest.mark.parametrize("command", ["solve", "heuristic", "certify"])
    def test_are_listed_with_their_lines(self, call: Call, command: str) -> None:
        err = call(command, *self.write(), "--quiet", status=3).err
        assert conflict_lines(err) == list(self.LISTED)
        assert "must-links connect them: 0 - 1 - 3; one of these has to go:" in err.splitlines()[0]

    def test_in_info(self, call: Call) -> None:
        out, err = call("info", *self.write(), "--json", "info.json", status=3)
        assert [line.strip() for line in out.splitlines()[-3:]] == list(self.LISTED)
        assert "{" not in out
        assert conflict_lines(err) == list(self.LISTED)
        found = json.loads(Path("info.json").read_text())
        assert found["conflict"] == {"must_link": [[0, 1], [1, 3]], "cannot_link": [[0, 3]], "is_irreducible": True}
        assert found["witness"]["must_link_path"] == [0, 1, 3]

    def test_by_ids_without_indices_that_would_mislead(self, call: Call) -> None:
        Path("people.csv").write_text("name;x\n1;0\n2;2\n3;3\n0;9\n")
        Path("pairs.json").write_text('{"ml": [[1, 0]], "cl": [[2, 3], ["0", 1]]}')
        arguments = ["people.csv", "-k", 2, "--id", "name", "--constraints", "pairs.json"]
        err = call("solve", *arguments, "--quiet", status=3).err
        assert err.splitlines()[0].endswith("must-links connect them: 1 - 0; one of these has to go:")
        assert conflict_lines(err) == ["ML 1 0  pairs.json ml[0]", "CL 1 0  pairs.json cl[1]"]

    def test_of_too_many_must_links(self, call: Call) -> None:
        Path("pairs.txt").write_text("ML 1 2\nML 2 3\nML 3 4\nML 4 5\n")
        err = call("solve", "points.csv", "-k", 2, "--one-based", "--constraints", "pairs.txt", status=3).err
        assert "the must-links leave 1 groups of points, too few for 2 non-empty clusters; one of these" in err
        assert len(conflict_lines(err.rpartition("`pcsos info`")[0])) == 4

    @pytest.mark.slow
    def test_long_ones_are_cut_on_the_way_to_info(self, call: Call) -> None:
        n = 31
        Path("points.csv").write_text("".join(f"{v}.5\n" for v in range(n)))
        Path("pairs.txt").write_text("".join(f"CL {v} {(v + 1) % n}\n" for v in range(n)))
        arguments = ["points.csv", "-k", 2, "--constraints", "pairs.txt"]
        err = call("solve", *arguments, "--quiet", status=3).err
        lines = conflict_lines(err)
        assert (len(lines), lines[-1]) == (21, "and 11 more, which `pcsos info` lists")
        assert call("info", *arguments, status=3).out.count("pairs.txt line") == n


@pytest.mark.usefixtures("folder")
class TestCompare:
    def write(self) -> list[object]:
        Path("a.csv").write_text("point,label\n0,0\n1,0\n2,1\n3,1\n4,1\n")
        Path("b.txt").write_text("red\nred\nred\nblue\nblue\n")
        np.save("c.npy", np.array([0, 1, 2, 2, 2]))
        parquet.write_table(pa.table({"point": range(5), "label": [1, 1, 0, 0, 0]}), "d.parquet")
        Path("pairs.txt").write_text("ML 0 1\nCL 1 2\nCL 0 2\n")
        return ["compare", "points.csv", "a.csv", "b.txt", "c.npy", "d.parquet", "--constraints", "pairs.txt"]

    def test_costs_pairs_and_agreement(self, call: Call) -> None:
        out, err = call(*self.write())
        assert err == ""
        rows = [line.split() for line in out.splitlines()]
        assert rows[0] == ["labels", "clusters", "objective", "broken", "ML", "broken", "CL"]
        assert rows[1:5] == [
            ["a.csv", "2", "36.66666667", "0", "0"],
            ["b.txt", "2", "6.666666667", "0", "2"],
            ["c.npy", "3", "34.66666667", "1", "0"],
            ["d.parquet", "2", "36.66666667", "0", "0"],
        ]
        assert rows[-4] == ["a.csv", "1.0000", "0.1667", "0.7826", "1.0000"]

    def test_as_json(self, call: Call) -> None:
        out = call(*self.write(), "--json", "-").out
        found = json.loads(out)
        assert found["clusterings"][1]["violated_cannot_link"] == [[0, 2], [1, 2]]
        assert found["clusterings"][2]["violated_must_link"] == [[0, 1]]
        matrix = np.array(found["adjusted_rand_index"])
        assert np.array_equal(matrix, matrix.T)
        assert matrix[0, 3] == 1.0

    def test_weights_count(self, call: Call) -> None:
        out = call(*self.write(), "--weights", "weights.txt", "--json", "-").out
        assert json.loads(out)["clusterings"][1]["objective"] == pytest.approx(weighted_cost([0, 0, 0, 1, 1]))

    def test_labels_of_other_points_are_refused(self, refused: Callable[..., str]) -> None:
        np.save("wrong.npy", np.zeros(4))
        sentence = "pcsos: wrong.npy holds 4 labels for 5 points; give one label per point\n"
        assert refused("compare", "points.csv", "wrong.npy") == sentence


@pytest.mark.usefixtures("folder")
def test_demo_can_be_repeated_from_its_files(call: Call) -> None:
    out, err = call("demo", "drawn")
    assert all(mark in out for mark in "o+x")
    assert "OPTIMAL (GAP_REACHED)" in out
    assert "90 points, 2 features, 3 clusters" in err
    command = out.splitlines()[-1].split()
    call(*command[1:], "--labels", "again.csv")
    assert Path("again.csv").read_text() == Path("drawn/labels.csv").read_text()
    err = call("demo", "drawn", status=2).err
    assert "holds points.csv already" in err


def test_weights_that_are_text_are_not_told_to_leave_a_column_out(tmp_path: Path) -> None:
    tmp_path.joinpath("weights.txt").write_text("a\nb\nc\n")
    with pytest.raises(
        InputError, match=r"line 2, column 'a' is 'b', not a number; give one positive number per line$"
    ):
        read_weights(tmp_path / "weights.txt", 3)
