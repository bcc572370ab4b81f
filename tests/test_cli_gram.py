"""Kernels on the command line: a run is verified from the points that its kernel was computed from."""

from pathlib import Path

import numpy as np
import pytest

from pcsos import cli


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
