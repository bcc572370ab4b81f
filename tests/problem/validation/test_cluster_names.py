"""Labels that name clusters, and numbers that only look like labels."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos.io.labels import read_labels
from pcsos.problem.validation.cluster_names import labels_of_points, numbered_clusters

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


def test_labels_of_other_groups_are_refused_in_their_own_words(tmp_path: Path) -> None:
    assert labels_of_points(np.array([-1, 0, 1]), "groups", 3, "group") == [-1, 0, 1]
    for labels, sentence in (
        ([1, 2], "^groups are 2 labels for 3 points; give one label per point$"),
        ([1.0, np.nan, 2.0], r"^groups\[1\] is nan; give every point the number or name of a group$"),
        (["a", None, "b"], r"^groups\[1\] is None; give every point the number or name of a group$"),
        ([1.0, 0.5, 2.0], r"^groups\[1\] is 0.5; a number with decimals names no group; give whole numbers or names$"),
        ([[1], [2], [3]], "^groups have shape of a table or of ragged rows; give one label per point$"),
    ):
        with pytest.raises(pcsos.InputError, match=sentence):
            labels_of_points(labels, "groups", 3, "group")


def test_a_file_of_other_groups_has_no_noise(tmp_path: Path) -> None:
    path = tmp_path / "groups.csv"
    path.write_text("point,age,group\n0,40,-1\n1,30,0\n2,50,b\n")
    assert read_labels(path, 3, what="group").tolist() == ["-1", "0", "b"]
    path.write_text("a\nnone\nb\n")
    with pytest.raises(pcsos.InputError, match=r"groups.csv line 2 has 'none' for a label; give every point a group$"):
        read_labels(path, 3, what="group")
