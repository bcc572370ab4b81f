"""Labels that name clusters, and numbers that only look like labels."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos.cluster_names import numbered_clusters
from pcsos.io.labels import read_labels

NOISE = "is -1 beside 0, as DBSCAN marks points in no cluster; put each of them into a cluster, or leave them out"
DECIMALS = "a number with decimals names no cluster; give whole numbers or names"


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, -1, 0],
        ["0", "1", "-1", "0"],
        np.array([0, 1, -1, 0]),
        np.array([0.0, 1.0, -1.0, 0.0]),
        np.array(["0", "1", "-1", "0"], object),
        np.array([b"0", b"1", b"-1", b"0"]),
        pd.Series([0, 1, -1, 0]),
    ],
)
def test_points_in_no_cluster_are_no_cluster(labels: Any) -> None:
    with pytest.raises(pcsos.InputError, match=rf"labels\[2\] {NOISE}"):
        pcsos.certify([0.0, 5.0, 6.0, 1.0], labels)


@pytest.mark.parametrize("labels", [[-1, 1, 1, -1], [-1.0, 1.0, 1.0, -1.0], ["-1", "a", "a", "-1"], [-2, 0, 0, -2]])
def test_minus_one_may_be_a_class_where_no_cluster_is_0(labels: list[Any]) -> None:
    assert numbered_clusters(labels, "labels").tolist() in ([0, 1, 1, 0], [1, 0, 0, 1])


def test_measurements_are_no_labels() -> None:
    with pytest.raises(pcsos.InputError, match=rf"^labels\[1\] is 5\.1; {DECIMALS}$"):
        pcsos.certify([0.0, 5.0, 6.0], [1.0, 5.1, 2.0])
    assert numbered_clusters([1.0, 2.0, 1.0], "labels").tolist() == [0, 1, 0]


def test_both_in_files(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("point,label\n0,0\n1,-1\n2,1\n")
    with pytest.raises(pcsos.InputError, match=rf"labels.csv line 3: the label {NOISE}"):
        read_labels(path, 3)
    path.write_text("0\n1\n2.5e-1\n")
    with pytest.raises(pcsos.InputError, match=rf"labels.csv line 3 has '2.5e-1' for a label; {DECIMALS}$"):
        read_labels(path, 3)
    np.save(tmp_path / "labels.npy", [0.5, 1.0])
    with pytest.raises(pcsos.InputError, match=r"labels.npy entry 0 has '0.5' for a label"):
        read_labels(tmp_path / "labels.npy", 2)


def test_whole_numbers_are_the_same_with_decimals(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("1.0\n1\n007\nv1.2\n-3.\n1e1\n")
    assert read_labels(path, 6).tolist() == ["1", "1", "007", "v1.2", "-3", "10"]
