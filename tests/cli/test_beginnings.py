"""Initial centres and labels, numbers that are kept, and features of one scale, from files."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pcsos
from tests.cli.program import Call

RNG = np.random.default_rng(5)
POINTS = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 10, axis=0) + RNG.standard_normal((30, 2))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"n{i},{x},{y}\n" for i, (x, y) in enumerate(POINTS.tolist()))
    Path("points.csv").write_text(f"id,x,y\n{rows}")
    Path("centers.csv").write_text("y,x\n9,0\n0,0\n0,9\n")


def labels(path: str = "out.csv") -> list[int]:
    return [int(line.split(",")[1]) for line in Path(path).read_text().splitlines()[1:]]


@pytest.mark.parametrize("command", ["solve", "heuristic"])
def test_centers_are_taken_by_the_names_of_columns(command: str, call: Call) -> None:
    given = ("points.csv", "-k", "3", "--id", "id", "--initial-centers", "centers.csv")
    err = call(command, *given, "--json", "out.json").err
    found = json.loads(Path("out.json").read_text())
    assert found["objective"] == pytest.approx(pcsos.solve(POINTS, 3, workers=1).objective)
    if command == "solve":
        assert "C = IPC-k-means from the initial centres" in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x,z\n0,0\n1,1\n2,2\n", "centers.csv has no column 'y', which is a feature of the points"),
        ("x,y\n0,0\n1,1\n", "centres have shape (2, 2); give 3 centres"),
        ("0.5 1\n2 0.5\n", "centres have shape (2, 2)"),
        ("0.5 1 2\n2 0.5 3\n", "centers.csv has 3 columns for 2 features"),
    ],
)
def test_other_centers_are_refused(text: str, reason: str, refused: Callable[..., str]) -> None:
    Path("centers.csv").write_text(text)
    assert reason in refused("solve", "points.csv", "-k", 3, "--id", "id", "--initial-centers", "centers.csv")


@pytest.mark.parametrize("command", ["solve", "heuristic"])
def test_clusters_keep_the_numbers_of_a_file_of_fewer_points_in_another_order(call: Call, command: str) -> None:
    Path("before.csv").write_text("id,label\nn25,0\nn3,2\ngone,1\nn14,1\n")
    arguments = ["points.csv", "-k", "3", "--id", "id", "--match-to", "before.csv", "--labels", "out.csv"]
    call(command, *arguments)
    assert labels() == [2] * 10 + [1] * 10 + [0] * 10


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("label\na\n", "before.csv line 2 has 'a' for a label; give the numbers that clusters are to keep"),
        ("0\n" * 31, "is a label for point 31 of 30"),
    ],
)
def test_other_labels_are_refused(text: str, reason: str, refused: Callable[..., str]) -> None:
    Path("before.csv").write_text(text)
    assert reason in refused("solve", "points.csv", "-k", 3, "--id", "id", "--match-to", "before.csv")


class TestStandardize:
    @pytest.fixture(autouse=True)
    def scales(self) -> None:
        self.table = POINTS * [1.0, 1000.0] + [5.0, -70.0]
        np.savetxt("scales.csv", self.table, delimiter=",", header="small,large", comments="", fmt="%.17g")

    def test_a_feature_that_decides_alone_is_pointed_at(self, call: Call) -> None:
        note = (
            "note: the feature 'large' has 100 % of the variance and decides nearly alone; scale features unless they "
            "have one unit (--standardize; "
        )
        assert note in call("solve", "scales.csv", "-k", "3").err
        assert "decides nearly alone" not in call("solve", "scales.csv", "-k", "3", "--standardize").err

    def test_it_solves_scores(self, call: Call) -> None:
        scores = (self.table - self.table.mean(axis=0)) / self.table.std(axis=0)
        call("solve", "scales.csv", "-k", "3", "--standardize", "--json", "out.json")
        assert json.loads(Path("out.json").read_text())["objective"] == pytest.approx(
            pcsos.solve(scores, 3, workers=1).objective, rel=1e-9
        )

    def test_a_run_of_scores_is_verified_from_the_file(self, call: Call) -> None:
        call("solve", "scales.csv", "-k", "3", "--standardize", "--run-file", "a.run")
        call("verify", "a.run", "-k", "3", "--points", "scales.csv", "--standardize")
        call("verify", "a.run", "-k", "3", "--points", "scales.csv", status=5)

    def test_centers_are_in_the_units_of_the_file(self, call: Call) -> None:
        Path("centers.csv").write_text("small,large\n5,-70\n14,-70\n5,8930\n")
        shown = call("solve", "scales.csv", "-k", "3", "--standardize", "--initial-centers", "centers.csv").err
        assert "C = IPC-k-means" in shown
        assert "K = " not in shown  # as good as the best

    def test_matrices_have_no_features(self, call: Call) -> None:
        np.savetxt("gram.csv", POINTS @ POINTS.T, delimiter=",")
        said = call("solve", "--gram", "gram.csv", "-k", "3", "--standardize", status=2).err
        assert "--standardize is for POINTS, but --gram is given" in said

    def test_constant_and_extreme_features(self, call: Call) -> None:
        Path("odd.csv").write_text("a,b\n1e200,3\n2e200,3\n9e200,3\n8e200,3\n")
        call("solve", "odd.csv", "-k", "2", "--standardize", "--labels", "out.csv")
        assert labels() == [0, 0, 1, 1]
