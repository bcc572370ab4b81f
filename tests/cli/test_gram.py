"""Matrices and kernels on the command line: verified from points, and limits of distance in the feature space."""

import json
from pathlib import Path

import numpy as np
import pytest

from pcsos import Diameter, Distances, Gram, Instance, Kernel, Split, cli


@pytest.fixture
def rings(tmp_path: Path) -> tuple[str, str]:
    """Points of two rings, and the file of a run on their kernel."""
    angles = np.linspace(0.0, 6.0, 20)
    radii = np.repeat([1.0, 4.0], 10)
    points, run_file = tmp_path / "rings.csv", tmp_path / "rings.run"
    np.savetxt(points, np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]), delimiter=",")
    options = ["--kernel", "rbf", "--gamma", "0.5", "-k", "2", "--run-file", str(run_file), "--quiet"]
    assert cli.main(["solve", str(points), *options]) == 0
    return str(points), str(run_file)


def test_a_run_on_a_kernel_is_verified_from_the_points(
    rings: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    points, run_file = rings
    own = ["verify", run_file, "--points", points]
    assert cli.main([*own, "--kernel", "rbf", "--gamma", "0.5", "-k", "2"]) == 0
    assert cli.main([*own, "--kernel", "rbf", "--gamma", "0.6"]) == 5
    assert "the run is about other inner products or weights" in capsys.readouterr().err
    assert cli.main(own) == 5
    assert "the run is about a Gram matrix, not about points" in capsys.readouterr().err
    assert cli.main(["verify", run_file, "--kernel", "rbf"]) == 2
    assert "--kernel says nothing without --points; give the points too" in capsys.readouterr().err


def squares(points: np.ndarray) -> np.ndarray:
    return ((points[:, None] - points) ** 2).sum(axis=2)


@pytest.mark.parametrize("kind", ["gram", "distances", "kernel"])
@pytest.mark.parametrize("as_lines", [False, True])
def test_limits_of_distance_are_those_of_the_feature_space(
    kind: str, as_lines: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    points = np.random.default_rng(0).integers(0, 4, (12, 2)).astype(float)
    np.save("points.npy", points)
    np.save("K.npy", points @ points.T)
    np.save("D.npy", squares(points))
    between = np.sqrt(squares(points))  # many of them are exactly 1, 2 and 3
    place: object = {"distances": Distances(squares(points)), "kernel": Kernel(points, "rbf", 0.5)}.get(
        kind, Gram(points @ points.T)
    )
    if kind == "kernel":
        between = np.sqrt(2.0 - 2.0 * np.exp(-0.5 * squares(points)))
    far, near = (1.4, 0.9) if kind == "kernel" else (3.0, 1.0)
    instance = Instance(place, 5, conditions=[Diameter(far), Split(near)])
    i, j = np.triu_indices(12, 1)
    assert sorted(instance.cannot_link.tolist()) == [[a, b] for a, b in zip(i, j, strict=True) if between[a, b] > far]
    assert sorted(instance.must_link.tolist()) == [[a, b] for a, b in zip(i, j, strict=True) if between[a, b] < near]
    assert min(len(instance.cannot_link), len(instance.must_link)) > 0
    options = ["--max-diameter", str(far), "--min-split", str(near)]
    if as_lines:
        Path("pairs.txt").write_text(f"GAMMA {far}\nDELTA {near}\n")
        options = ["--constraints", "pairs.txt"]
    source = {
        "gram": ["--gram", "K.npy"], "distances": ["--distances", "D.npy"],
        "kernel": ["points.npy", "--kernel", "rbf", "--gamma", "0.5"],
    }[kind]  # fmt: skip
    assert cli.main(["info", *source, "-k", "5", *options, "--json", "info.json"]) in (0, 3)
    figures = json.loads(Path("info.json").read_text())
    assert figures["n_cannot_link"] == len(instance.cannot_link)
    assert figures["n_must_link"] == len(instance.must_link)
