"""The suite of the benchmarks on soft pairs: its data, and how claims are judged."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.datasets import load_iris

from benchmarks import soft_data
from benchmarks.case import FULL, Settings
from benchmarks.soft_claims import claims
from benchmarks.suites import pcskm


def scored(**above: float) -> list[dict[str, Any]]:
    """Rows of ten data sets under each condition: every method at 0.5 and some noise, or above that."""
    rng = np.random.default_rng(0)
    rows = []
    for number, init, kind in product(range(10), pcskm.INITS, pcskm.KINDS):
        if init != "seeding" or kind == "both":
            row: dict[str, Any] = {"dataset": f"set{number}", "init": init, "kind": kind}
            for method in pcskm.METHODS:
                row[f"{method} 5% mean"] = 0.5 + 0.01 * rng.random() + above.get(method, 0.0) + above.get(kind, 0.0)
            rows.append(row)
    return rows


def verdicts(text: str) -> dict[str, str]:
    """The last column of each line of the claims, by the first."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    return {row[0]: row[-1] for row in cells}


def test_claims_that_hold_are_reproduced_and_others_are_not() -> None:
    weighed = [{f"{method} {what}": 0.25 for method in pcskm.WEIGHED for what in pcskm.NOISE_MEASURES}]
    found = verdicts(claims(scored(PCSKM=0.1, SKM=0.2), weighed, (0.05,)))
    assert found["PCSKM beats LKM, p < 1e-10"] == "yes"
    assert found["PCSKM beats SKM, p < 1e-10"] == "no"
    assert found["must-link only is worse than both, p < 0.001"] == "no"
    assert found["cannot-link only and both do not differ, p > 0.1"] == "yes"
    assert found["PCSKM: the order does not matter, p > 0.05"] == "no"
    assert found["must-link only is worse than both, p < 0.001 (digits)"] == "no data"
    assert found["PCSKM: weight of noise is 0"] == "25.0%"
    found = verdicts(claims(scored(**{"must-link": -0.1}), weighed, (0.05,)))
    assert found["must-link only is worse than both, p < 0.001"] == "yes"
    assert found["must-link only is worse than cannot-link, p < 0.01"] == "yes"


def write(path: Path, points: Any, classes: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    savemat(path, {"x": points, "x_labs": np.reshape(classes, (-1, 1)).astype(np.uint8)})


def authors_folder(folder: Path) -> Path:
    """A folder with all files of the authors, whose data are those of iris; every subset of digits is another one."""
    points, classes = load_iris(return_X_y=True)
    for name in soft_data.FILES.values():
        for subset in range(1, soft_data.SUBSETS + 1):
            write(folder / name.format(subset=subset), (points * 10).astype(np.uint8) + subset, classes + 1)
    return folder


def test_data_are_read_and_a_repeat_has_a_subset_of_its_own(tmp_path: Path) -> None:
    folder = authors_folder(tmp_path)
    assert soft_data.missing(folder) == []
    points, classes = soft_data.load("digits389", folder, 1)
    assert (points.shape, points.dtype, points[0, 0]) == ((150, 4), np.float64, 53.0)
    assert np.bincount(classes).tolist() == [0, 50, 50, 50]
    assert soft_data.load("digits389", folder, 11).points.tolist() == points.tolist()
    assert soft_data.load("digits389", folder, 0).points[0, 0] == 52.0
    (folder / "MWM/TTSCST.mat").unlink()
    assert soft_data.missing(folder) == [folder / "MWM/TTSCST.mat"]


def test_ten_folds_are_scored_for_each_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcskm, "REPEATS", 2)
    monkeypatch.setattr(pcskm, "MOST_VALUES", 2)
    row = pcskm.run("score", "fisheriris", "robin", "cannot-link", str(authors_folder(tmp_path)))
    assert 0.7 < row["LKM 2% mean"] < 0.9
    assert row["PCSKM 6% half_width"] >= 0.0
    assert "PCSKM-random 2% mean" not in row
    assert set(row) <= set(pcskm.COLUMNS)
    assert pcskm.half_width(np.array([1.0, 2.0, 3.0])) == pytest.approx(4.302653 / np.sqrt(3.0), rel=1e-6)


@pytest.mark.slow
def test_the_whole_protocol_has_columns_of_their_own_for_all_shares() -> None:
    code = (
        "from benchmarks.suites import pcskm as suite\n"
        "print(suite.REPEATS, suite.MOST_VALUES, len(suite.SHARES), len(set(suite.COLUMNS)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {FULL: "1"}, capture_output=True, text=True, check=True
    )
    usual = len(set(pcskm.COLUMNS)) - len(pcskm.SHARES) * len(pcskm.METHODS) * len(pcskm.MEASURES)
    assert done.stdout.split() == ["25", "99", "19", str(usual + 19 * len(pcskm.METHODS) * len(pcskm.MEASURES))]


def test_without_the_authors_files_what_is_drawn_is_run_and_a_line_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = pcskm.cases(Settings(data=tmp_path))
    assert {case.columns["dataset"] for case in found if case.columns["study"] != "tiny"} == {
        "groups-5-5",
        "groups-3-7",
    }
    assert f"{tmp_path / 'real/fisheriris.mat'} is not there, so only what is drawn is run" in capsys.readouterr().out
    found = pcskm.cases(Settings(data=authors_folder(tmp_path)))
    assert sum(case.columns["study"] == "score" for case in found) == 60
    assert not capsys.readouterr().out
