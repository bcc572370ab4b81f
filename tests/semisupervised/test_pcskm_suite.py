"""The suite of the benchmarks on soft pairs: its data, and how claims are judged."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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


def test_data_are_read_and_sampled_by_digit(tmp_path: Path) -> None:
    folder = tmp_path / "keel"
    folder.mkdir()
    lines = [f"{row}, {row % 7}, {row % 10}" for row in range(1000)]
    folder.joinpath("penbased.dat").write_text("\n".join(lines))
    points, classes = soft_data.load("digits389", tmp_path, 0)
    assert points.shape == (150, 2)
    assert np.bincount(classes)[[3, 8, 9]].tolist() == [50, 50, 50]
    assert (points[:, 0] % 10 == classes).all()
    assert points.tolist() != soft_data.load("digits389", tmp_path, 1)[0].tolist()
    assert soft_data.available("iris", None)
    assert not soft_data.available("ionosphere", tmp_path)


def test_iris_with_noise_has_ten_noise_features_on_the_same_scale() -> None:
    points, _ = soft_data.load("iris-noise", None, 0)
    assert points.shape == (150, 14)
    assert (points.min(axis=0) == 0.0).all()
    assert (points.max(axis=0) == 1.0).all()
    for column in points[:, 5:].T:
        np.testing.assert_array_equal(np.sort(column), np.sort(points[:, 4]))


def test_ten_folds_are_scored_for_each_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcskm, "REPEATS", 2)
    monkeypatch.setattr(pcskm, "MOST_VALUES", 2)
    row = pcskm.run("score", "iris", "robin", "cannot-link", None)
    assert 0.7 < row["LKM 5% mean"] < 0.9
    assert row["PCSKM 5% half_width"] >= 0.0
    assert "PCSKM-released 5% mean" not in row
    assert set(row) <= set(pcskm.COLUMNS)
    assert pcskm.half_width(np.array([1.0, 2.0, 3.0])) == pytest.approx(4.302653 / np.sqrt(3.0), rel=1e-6)


def test_the_whole_protocol_has_columns_of_their_own_for_all_shares() -> None:
    code = (
        "from benchmarks.suites import pcskm as suite\n"
        "print(suite.REPEATS, suite.MOST_VALUES, len(suite.SHARES), len(set(suite.COLUMNS)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {FULL: "1"}, capture_output=True, text=True, check=True
    )
    usual = len(set(pcskm.COLUMNS)) - len(pcskm.METHODS) * len(pcskm.MEASURES)
    assert done.stdout.split() == ["25", "99", "19", str(usual + 19 * len(pcskm.METHODS) * len(pcskm.MEASURES))]


def test_without_files_the_other_data_are_still_there() -> None:
    datasets = {case.columns["dataset"] for case in pcskm.cases(Settings())}
    assert {"iris", "iris-noise", "groups-5-5"} <= datasets
    assert "ionosphere" not in datasets
