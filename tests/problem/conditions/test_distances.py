"""Limits of distance: the pairs that they stand for, wherever they are given, and what is said of bad ones."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos import cli
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Status
from pcsos.problem.conditions import distances
from pcsos.problem.instance import Instance
from tests import oracle
from tests.asked import asked
from tests.slow import first_few

POINTS = np.array([0.0, 2.0, 3.0, 9.0, 11.0])


def pairs_by_definition(points: np.ndarray, max_diameter: float, min_split: float) -> tuple[set, set]:
    n = len(points)
    spacing = {(i, j): math.dist(points[i], points[j]) for i in range(n) for j in range(i + 1, n)}
    near = {pair for pair, distance in spacing.items() if distance < min_split}
    return near, {pair for pair, distance in spacing.items() if distance > max_diameter}


def test_an_instance_has_the_pairs_that_its_limits_stand_for() -> None:
    points = np.random.default_rng(3).normal(size=(30, 2))
    near, far = pairs_by_definition(points, 2.5, 0.3)
    instance = Instance(points, 3, [(0, 1)], [(2, 3)], conditions=[pcsos.Diameter(2.5), pcsos.Split(0.3)])
    assert min(len(near), len(far)) > 5
    assert {tuple(pair) for pair in instance.must_link.tolist()} == near | {(0, 1)}
    assert {tuple(pair) for pair in instance.cannot_link.tolist()} == far | {(2, 3)}


def test_limits_are_strict() -> None:
    instance = Instance([0.0, 1.0, 3.0], 2, conditions=[pcsos.Diameter(2.0), pcsos.Split(1.0)])
    assert (instance.must_link.tolist(), instance.cannot_link.tolist()) == ([], [[0, 2]])


@pytest.mark.parametrize("seed", first_few(15, range(40)))
def test_the_solver_finds_the_best_partition_within_limits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(8, 2))
    max_diameter, min_split = (rng.uniform(1.5, 3.5), None) if seed % 2 else (None, rng.uniform(0.3, 1.0))
    limits = asked(max_diameter=max_diameter, min_split=min_split)
    truth = oracle.enumerate_feasible(Instance(points, 3, **limits))
    result = pcsos.solve(points, 3, workers=1, **limits)
    if not truth.feasible:
        assert result.status is Status.INFEASIBLE
        return
    assert result.objective == pytest.approx(truth.optimum, rel=1e-4)
    together = result.labels[:, None] == result.labels
    spacing = np.linalg.norm(points[:, None] - points, axis=2)
    assert spacing[together].max() <= (max_diameter or math.inf)
    assert spacing[~together].min() >= (min_split or 0.0)


def test_labels_are_certified_within_limits() -> None:
    labels = [0, 0, 0, 1, 1]
    assert pcsos.certify(POINTS, labels, conditions=[pcsos.Diameter(3.0), pcsos.Split(2.0)]).objective == pytest.approx(
        20.0 / 3.0
    )
    with pytest.raises(InputError, match="points 0 and 2 cannot be linked but are together"):
        pcsos.certify(POINTS, labels, conditions=[pcsos.Diameter(2.5)])


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, "2", True, np.array([1.0, 2.0])])
@pytest.mark.parametrize("name", ["max_diameter", "min_split"])
def test_what_is_no_distance_is_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"^{name} is .*; give a distance of 0 or more$"):
        asked(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("max_diameter", 0.0), ("min_split", 100.0)])
def test_too_many_pairs_are_refused(name: str, value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "MAX_PAIRS", 9)
    with pytest.raises(InputError, match=f"^{name} is {value:g}, which makes more than 9 pairs of these points; give"):
        pcsos.solve(POINTS, 2, **asked(**{name: value}))


def test_limits_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InputError, match=r"^max_diameter is 1\.5, min_split 2\.5, but points 0 and 1 are 2 apart, "):
        pcsos.solve(POINTS, 2, conditions=[pcsos.Diameter(1.5), pcsos.Split(2.5)])
    assert Instance([0.0, 1.0, 9.0], 2, conditions=[pcsos.Diameter(2.0), pcsos.Split(5.0)]).cannot_link.tolist() == [
        [0, 2],
        [1, 2],
    ]


def test_limits_that_leave_no_partition_are_infeasible_with_the_chain() -> None:
    result = pcsos.solve([0.0, 2.0, 4.0, 9.0], 2, conditions=[pcsos.Diameter(3.0), pcsos.Split(2.5)])
    assert result.status is Status.INFEASIBLE
    assert "points 0 and 2 cannot be linked, but must-links connect them: 0 - 1 - 2" in result.message


def test_an_instance_has_its_own_limits() -> None:
    with pytest.raises(InputError, match="conditions is given beside an Instance"):
        pcsos.solve(Instance(POINTS, 2), conditions=[pcsos.Split(1.0)])


@pytest.mark.parametrize("name", ["CertifiedKMeans", "MemeticKMeans"])
def test_estimators_keep_to_limits(name: str) -> None:
    pytest.importorskip("sklearn")
    model = getattr(pcsos, name)(3, conditions=[pcsos.Diameter(1.5)], random_state=0)
    assert model.fit([[0.0], [1.0], [2.0], [9.0]]).labels_.tolist() in ([0, 1, 1, 2], [0, 0, 1, 2])
    apart = getattr(pcsos, name)(2, conditions=[pcsos.Split(4.0)], random_state=0)
    assert apart.fit([[0.0], [3.0], [6.0], [11.0]]).labels_.tolist() == [0, 0, 0, 1]


class TestCommandLine:
    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        Path("points.csv").write_text("x\n0\n2\n3\n9\n11\n")
        Path("pairs.txt").write_text("ML 0 1\n")
        return tmp_path

    @pytest.mark.usefixtures("folder")
    def test_a_run_within_limits_is_solved_and_verified(self, capsys: pytest.CaptureFixture[str]) -> None:
        limits = ["--max-diameter", "2.5", "--constraints", "pairs.txt"]
        assert cli.main(["solve", "points.csv", "-k", "3", *limits, "--json", "-", "--run-file", "run"]) == 0
        assert json.loads(capsys.readouterr().out)["labels"] == [0, 0, 1, 2, 2]
        assert cli.main(["verify", "run", "--points", "points.csv", *limits]) == 0
        assert cli.main(["verify", "run", "--points", "points.csv", *limits[2:]]) == 5

    @pytest.mark.usefixtures("folder")
    def test_infeasible_limits_are_named_with_the_constraints(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["points.csv", "-k", "3", "--max-diameter", "1.5"]
        assert cli.main(["solve", *arguments, "--constraints", "pairs.txt", "--quiet"]) == 3
        lines = ["ML 0 1  pairs.txt line 1", "CL 0 1  --max-diameter 1.5"]
        assert [line.strip() for line in capsys.readouterr().err.splitlines()[1:]] == lines
        assert cli.main(["info", *arguments]) == 3
        assert "CL 3 4  --max-diameter 1.5" in capsys.readouterr().out

    @pytest.mark.usefixtures("folder")
    @pytest.mark.parametrize("value", ["-1", "nan", "inf", "x"])
    def test_what_is_no_distance_is_refused(self, capsys: pytest.CaptureFixture[str], value: str) -> None:
        assert cli.main(["info", "points.csv", "-k", "2", f"--min-split={value}"]) == 2
        assert f"'{value}' is not a distance; give a number of 0 or more" in capsys.readouterr().err

    @pytest.mark.usefixtures("folder")
    def test_labels_are_compared_with_limits(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("labels.csv").write_text("0\n0\n0\n1\n1\n")
        assert cli.main(["compare", "points.csv", "labels.csv", "--max-diameter", "2.5"]) == 0
        assert capsys.readouterr().out.split("\n")[1].split()[-2:] == ["0", "1"]
