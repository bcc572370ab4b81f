"""The command ``info``: of an instance, and of a run file, what is claimed and which pairs are certain."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pcsos
import pcsos.problem.options
from pcsos.cli import messages
from pcsos.cli.info import _what_suits
from pcsos.evidence.run_file import RunFile
from tests.cli.program import Call

POINTS = [0.0, 1.0, 5.0, 9.0, 10.0]


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    pcsos.solve(POINTS, 2, run_file=tmp_path / "some.run")
    return tmp_path / "some.run"


def test_an_instance_is_described_in_words(tmp_path: Path, call: Call) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y,w\n" + "".join(f"{at},{at % 7},{1 + at % 2}\n" for at in range(6)))
    out = call("info", path, "-k", 2, "--weights-column", "w", "--weight-max", 6).out
    lines = dict(line.split("  ", 1) for line in out.splitlines())
    assert lines["points"].strip() == "6, features 2, clusters 2"
    assert lines["total weight"].strip() == "9"
    assert lines["what suits"].strip().startswith("pcsos solve, seconds")


@pytest.mark.parametrize(
    ("size", "n_features", "command"),
    [
        (500, 9, "pcsos solve, seconds"),
        (3000, 9, "pcsos solve, minutes"),
        (9000, 2, "pcsos solve"),
        (9000, 3, "pcsos cert"),
    ],
)
def test_the_command_that_suits_is_named(size: int, n_features: int, command: str) -> None:
    assert _what_suits(size, n_features).startswith(command)


def test_pairs_that_make_clusters_much_dearer_are_named(tmp_path: Path, call: Call) -> None:
    points, pairs = tmp_path / "points.csv", tmp_path / "pairs.txt"
    points.write_text("".join(f"{at % 3 * 9 + at / 99}\n" for at in range(12)))
    pairs.write_text("ML 0 3\nML 1 2\nCL 0 1\n")
    out = call("info", points, "-k", 3, "--constraints", pairs, "--conflicts").out
    assert re.search(r"^pairs +make clusters about \d+% dearer; 'Which pairs hurt'", out, re.MULTILINE)
    assert re.findall(r"^looks wrong +(.*?)  +", out, re.MULTILINE) == ["ML 1 2"]
    figures = json.loads(call("info", points, "-k", 3, "--constraints", pairs, "--conflicts", "--json", "-").out)
    assert figures["looks_wrong"] == {"must_link": [[1, 2]], "cannot_link": []}
    pairs.write_text("ML 0 3\n")
    assert "dearer" not in call("info", points, "-k", 3, "--constraints", pairs, "--conflicts").out


def test_a_run_is_described(run_file: Path, call: Call) -> None:
    lines = dict(line.split("  ", 1) for line in call("info", str(run_file)).out.splitlines())
    assert lines["status"].strip() == "OPTIMAL"
    assert float(lines["objective"]) == pytest.approx(14.5)
    assert "n certain pairs" not in lines


def test_certain_pairs_of_a_run_are_counted_and_listed(run_file: Path, call: Call) -> None:
    certain = json.loads(call("info", str(run_file), "--certain", "0.1", "--json", "-").out)["certain"]
    assert (certain["n_certain_pairs"], certain["n_uncertain_pairs"], certain["n_undecided_pairs"]) == (6, 4, 0)
    assert (certain["status"], certain["reason"]) == ("COMPLETE", "FINISHED")
    assert certain["groups"] == [0, 0, 1, 2, 2]
    lines = call("info", str(run_file), "--certain", "0.1").out.splitlines()
    assert lines[-6:] == [
        "certain within     10 %",
        "proved so far      COMPLETE (FINISHED)",
        "n certain pairs    6",
        "n uncertain pairs  4",
        "n undecided pairs  0",
        "n groups           3",
    ]


@pytest.mark.slow
def test_how_far_it_is_goes_to_standard_error_unless_it_is_to_be_quiet(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "long.run")
    pcsos.solve(np.random.default_rng(0).normal(size=(60, 2)), 4, run_file=file, workers=1)
    command = ["info", file, "--certain", "0.01", "--json", "-"]
    monkeypatch.setattr(messages, "SILENCE", 3600.0)
    assert call(*command, "--time-limit", "0.3").err == ""
    monkeypatch.setattr(messages, "SILENCE", 0.02)
    out, err = call(*command, "--time-limit", "0.3")
    assert re.search(r"of 1770 pairs are certain so far \(Ctrl-C leaves the rest undecided\), for \d+ s so far\n", err)
    assert "certain" in json.loads(out)
    assert call(*command, "--time-limit", "0.3", "--quiet").err == ""
    lines = call(*command[:-2], "--time-limit", "0", "--quiet").out.splitlines()
    assert lines[-5:-1] == [
        "proved so far      PARTIAL (TIME_LIMIT)",
        "n certain pairs    at least 0",
        f"n uncertain pairs  {lines[-3].split('  ')[-1]}",
        f"n undecided pairs  {lines[-2].split('  ')[-1]}",
    ]
    assert "at least" in lines[-3]
    assert "at most" in lines[-2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-k", "3"], "is a run file, which has points and k; leave out what is about POINTS"),
        (["--ignore", "x"], "is a run file, which has points and k; leave out what is about POINTS"),
        (["--certain", "-1"], "is not a relative distance"),
    ],
)
def test_what_a_run_file_has_already_is_not_taken(
    run_file: Path, options: list[str], sentence: str, refused: Callable[..., str]
) -> None:
    assert sentence in refused("info", run_file, *options)


def test_points_have_no_certain_pairs_and_need_k(tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x\n1\n2\n")
    said = refused("info", path, "-k", "1", "--certain", "0.1")
    assert "--certain is about the partition of a run; give a run file instead of" in said
    assert "the following arguments are required: -k" in refused("info", path)
    assert "none.run does not exist; check the name" in refused("info", "none.run")


def test_a_run_without_a_claim_or_a_partition_says_so(tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "infeasible.run"
    pcsos.solve(POINTS, 1, cannot_link=[(0, 1)], run_file=path)
    said = refused("info", path, "--certain", "0.1")
    assert "the run has no partition to compare others with: its status is INFEASIBLE" in said
    begun = tmp_path / "begun.run"
    RunFile.create(begun, pcsos.Instance(POINTS, 2), pcsos.problem.options.Options()).close()
    assert "is the file of a run that has not ended; resume it first" in refused("info", begun)


class TestInfo:
    def test_json(self, call: Call, line_files: list[object]) -> None:
        figures = json.loads(call("info", *line_files, "--json", "-").out)
        assert figures["n_super_points"] == 4
        assert figures["n_super_point_cannot_link"] == 1
        assert figures["largest_cannot_link_component"] == 2
        assert figures["n_unconstrained_points"] == 2
        assert figures["cost_inside_super_points"] == pytest.approx(2.0)
        assert figures["feasible"] is True

    def test_equal_points_are_told(self, call: Call, tmp_path: Path) -> None:
        path = tmp_path / "points.txt"
        path.write_text("0 0\n0 0\n1 1\n1 1\n1 1\n5 5\n")
        figures = json.loads(call("info", path, "-k", 2, "--json", "-").out)
        assert (figures["n_equal_points_joined"], figures["n_inferred_super_points"]) == (3, 3)
