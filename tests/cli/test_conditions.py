"""The command line with limits of clusters and soft pairs: options, files, what is printed, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pcsos import Instance, Sizes, SoftPairs, Weights, certify, solve
from tests.cli.program import Call

POINTS = [0.0, 2.0, 3.0, 9.0, 11.0]
SOFT = SoftPairs(must_link=[(1, 2, 5.0), (0, 4, 0.5)], cannot_link=[(3, 4, 2.0)])
SIZES = ["--sizes", "2,3"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n" + "".join(f"{value}\n" for value in POINTS))
    Path("pairs.txt").write_text("CL 1 2\nSML 2 1 5\nSML 0 4\nSCL 3 4 2\n")
    Path("labels.csv").write_text("0\n0\n1\n1\n1\n")


def test_info_names_limits_and_counts_soft_pairs(call: Call) -> None:
    command = ["info", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--penalty", "0.5", "--weight-max", "3.5"]
    shown = call(*command, *SIZES, "--json", "info.json").out
    assert "sizes       2, 3\n" in shown
    found = json.loads(Path("info.json").read_text())
    assert (found["n_soft_pairs"], found["sum_of_penalties"]) == (3, 7.5)
    assert (found["sizes"], found["weight_max"], "size_min" in found) == ([2, 3], 3.5, False)


def test_info_of_a_run_names_its_limits_as_people_read_them(call: Call) -> None:
    solve(POINTS, 2, workers=1, run_file="a.run", conditions=[Sizes(exactly=[2, 3]), Weights(at_most=3.5)])
    assert "limits          sizes = 2, 3, weight_max = 3.5\n" in call("info", "a.run").out


def test_solve_pays_penalties_and_keeps_to_limits(call: Call) -> None:
    command = ["solve", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--penalty", "0.5", *SIZES]
    command += ["--initial-labels", "labels.csv", "--workers", "1", "--json", "result.json", "--run-file", "a.run"]
    shown = call(*command).out
    found = json.loads(Path("result.json").read_text())
    assert found["limits"] == {"sizes": [2, 3]}
    assert found["penalty"] == 7.5
    assert [pair["penalty"] for pair in found["violated"]] == [5.0, 2.0, 0.5]
    assert found["objective"] == pytest.approx(110.0 / 3.0 + 7.5)
    assert "penalties    7.5 for 3 of 3 soft pairs\n" in shown


def test_verify_compares_limits_and_soft_pairs(call: Call, refused: Callable[..., str]) -> None:
    solve(
        POINTS,
        2,
        cannot_link=[(1, 2)],
        start=[0, 0, 1, 1, 1],
        workers=1,
        run_file="a.run",
        conditions=[Sizes(exactly=[2, 3]), SOFT],
    )
    given = ["verify", "a.run", "--points", "points.csv", "--constraints", "pairs.txt"]
    call(*given, "-k", "2", "--penalty", "0.5", *SIZES)
    call(*given, "-k", "2", "--penalty", "0.6", *SIZES, status=5)
    assert "other limits or soft pairs" in call(*given, "-k", "2", "--penalty", "0.5", status=5).err
    call("verify", "a.run", "--points", "points.csv", status=5)
    assert "give -k, too" in refused(*given, "--penalty", "0.5")
    assert "--size-min says nothing without --points" in refused("verify", "a.run", "--size-min", "2")


def test_certify_judges_labels_by_limits_and_penalties(call: Call, refused: Callable[..., str]) -> None:
    given = ["certify", "points.csv", "--labels", "labels.csv", "--constraints", "pairs.txt", "--penalty", "0.5"]
    call(*given, *SIZES, "--workers", "1", "--json", "result.json", status=(0, 4))
    found = json.loads(Path("result.json").read_text())
    own = certify(POINTS, [0, 0, 1, 1, 1], cannot_link=[(1, 2)], workers=1, conditions=[Sizes(exactly=[2, 3]), SOFT])
    assert (found["objective"], found["lower_bound"]) == (own.objective, own.lower_bound)
    assert "3 need 6 points, but there are 5" in refused(*given, "--size-min", "3")
    assert "cluster 1 has 3 of weight, more than weight_max = 2.5" in refused(*given, "--weight-max", "2.5", "--quiet")


def test_compare_counts_broken_soft_pairs_and_their_cost(call: Call) -> None:
    Path("others.csv").write_text("a\nb\nb\nb\na\n")
    given = ["compare", "points.csv", "labels.csv", "others.csv", "--constraints", "pairs.txt", "--penalty", "0.5"]
    rows = [line.split() for line in call(*given, "--json", "found.json").out.splitlines()[:3]]
    assert rows[0][-3:] == ["broken", "soft", "penalties"]
    assert [row[-2:] for row in rows[1:]] == [["3", "7.5"], ["0", "0"]]
    first, second = json.loads(Path("found.json").read_text())["clusterings"]
    assert first["objective"] == pytest.approx(110.0 / 3.0 + 7.5)
    assert first["violated"][0] == {"i": 1, "j": 2, "kind": "must_link", "penalty": 5.0}
    assert (second["violated"], second["violated_cannot_link"]) == ([], [[1, 2]])


def test_a_certain_soft_pair_is_named_in_a_conflict(call: Call) -> None:
    Path("pairs.txt").write_text("CL 0 1\nSML 0 1 inf\n")
    said = call("info", "points.csv", "-k", "2", "--constraints", "pairs.txt", status=3).err
    assert "ML 0 1  pairs.txt line 2" in said


def test_limits_that_no_must_linked_points_fit_are_infeasible(call: Call) -> None:
    Path("pairs.txt").write_text("ML 0 1\nML 1 2\nML 2 3\n")
    given = ["points.csv", "-k", "2", "--constraints", "pairs.txt", "--size-max", "3"]
    assert "size_max = 3" in call("solve", *given, "--workers", "1", status=3).err
    call("info", *given, status=3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--size-max", "0"], "'0' is not a whole number of at least 1"),
        (["--sizes", "2;3"], "'2;3' is not a whole number"),
        (["--weight-min", "-1"], "'-1' is not a weight; give a number of 0 or more"),
        (["--weight-max", "inf"], "'inf' is not a weight"),
        (["--penalty", "-2"], "'-2' is not a penalty; give a number of 0 or more, distance or confidence"),
        (["--penalty", "nan"], "'nan' is not a penalty"),
        (["--penalty", "confidence"], "pairs.txt line 2 has the confidence 5.0; give a number from 0.5 to 1"),
        ([], "pairs.txt line 3 has no penalty; give it behind the two points, or one for all as penalty"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(
    options: list[str], sentence: str, refused: Callable[..., str]
) -> None:
    given = ["info", "points.csv", "-k", "2", "--constraints", "pairs.txt"]
    more = [] if not options or options[0] == "--penalty" else ["--penalty", "1"]
    assert sentence in refused(*given, *options, *more)


def test_ask_refuses_what_it_cannot_weigh(refused: Callable[..., str]) -> None:
    Path("pairs.txt").write_text("SML 0 1 2\n")
    given = ["ask", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--constraints-out", "out.txt"]
    assert "pairs.txt has soft pairs, whose penalties mean nothing to ask" in refused(*given)


def test_files_mean_what_the_arguments_mean(call: Call) -> None:
    instance = Instance(
        POINTS,
        2,
        conditions=[SoftPairs(must_link=[(1, 2, 5.0), (0, 4)], cannot_link=[(3, 4, 2.0)], penalty="distance")],
    )
    Path("pairs.txt").write_text("SML 2 1 5\nSML 0 4\nSCL 3 4 2\n")
    call("info", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--penalty", "distance", "--json", "a.json")
    assert (
        json.loads(Path("a.json").read_text())["sum_of_penalties"] == instance.soft.total == 5.0 + 121.0 + 2.0 * 117.0
    )


@pytest.mark.parametrize("command", ["solve", "heuristic", "info", "path", "front", "compare"])
def test_a_penalty_without_soft_pairs_is_refused(command: str, refused: Callable[..., str]) -> None:
    Path("hard.txt").write_text("ML 0 1\n")
    given = {"path": ["--to", "3"], "compare": ["labels.csv"]}.get(command, ["-k", "2"])
    for pairs in ([], ["--constraints", "hard.txt"]):
        sentence = refused(command, "points.csv", *given, *pairs, "--penalty", "2")
        assert "--penalty says nothing without soft pairs; give lines SML or SCL in --constraints, or leave" in sentence
