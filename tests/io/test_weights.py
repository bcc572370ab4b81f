"""Weights from a file of their own or from a column of the points."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos.base.exceptions import InputError
from pcsos.io import read_table, read_weights
from tests.io.files import refusal, written

WEIGHTS = [1.0, 0.5, 3.0]


@pytest.mark.parametrize(
    "content", ["1\n0.5\n3\n", "w\n1\n0.5\n3\n", "# mass\n\n1\n0.5\n# half\n3", "3 1\n1\n0.5\n3\n"]
)
def test_text(tmp_path: Path, content: str) -> None:
    path = tmp_path / "weights"
    for data in (content.encode(), gzip.compress(content.encode())):
        path.write_bytes(data)
        np.testing.assert_array_equal(read_weights(path, 3), WEIGHTS)


def test_binary(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", WEIGHTS)
    np.savez(tmp_path / "a.npz", WEIGHTS)
    parquet.write_table(pa.table({"w": WEIGHTS}), tmp_path / "a.parquet")
    for name in ("a.npy", "a.npz", "a.parquet"):
        np.testing.assert_array_equal(read_weights(tmp_path / name, 3), WEIGHTS)
    np.save(tmp_path / "a.npy", [1.0, 0.0, 3.0])
    with pytest.raises(InputError, match=r"a\.npy row 1 \(counted from 0\) holds the weight 0; give positive"):
        read_weights(tmp_path / "a.npy", 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n# c\n0\n3\n", "line 3 holds the weight 0; give positive weights"),
        ("w\n1\n-2.5\n3\n", "line 3 holds the weight -2.5"),
        ("1\nnan\n3\n", "line 2, column 1 is 'nan', not a finite number"),
        ("1\ninf\n3\n", "line 2, column 1 is 'inf', not a finite number"),
        ("1\nheavy\n3\n", "line 2, column 1 is 'heavy', not a number"),
        ("1\n\n2\n", "holds 2 weights, the last in line 3, for 3 points; give one weight per point"),
        ("1\n2\n3\n4\n", "holds 4 weights, the last in line 4, for 3 points"),
        ("0,1\n1,2\n2,1\n", "has 2 columns; give weights, one positive number per line"),
        ("1,5\n2\n3\n", "line 2 has 1 value"),
        ("", "is empty"),
    ],
)
def test_refused(tmp_path: Path, content: str, message: str) -> None:
    assert message in refusal(lambda path: read_weights(path, 3), written(tmp_path, content))


class TestColumn:
    @pytest.mark.parametrize("column", ["mass", "2"])
    def test_is_no_feature(self, tmp_path: Path, column: str) -> None:
        path = written(tmp_path, "x,mass,class,y\n1,1,0,2\n3,0.5,0,4\n5,3,1,6\n")
        table = read_table(path, ignore=["class"], weights_column=column)
        assert table.points.tolist() == [[1, 2], [3, 4], [5, 6]]
        assert table.names == ("x", "y")
        assert table.weights is not None
        assert table.weights.tolist() == WEIGHTS

    def test_binary(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", np.column_stack([WEIGHTS, [1, 3, 5]]))
        parquet.write_table(pa.table({"w": WEIGHTS, "x": [1, 3, 5]}), tmp_path / "a.parquet")
        for name in ("a.npy", "a.parquet"):
            table = read_table(tmp_path / name, weights_column="1")
            assert table.points.tolist() == [[1], [3], [5]]
            assert table.weights is not None
            assert table.weights.tolist() == WEIGHTS
            assert table.names == (("x",) if name == "a.parquet" else None)

    def test_all_columns_in_another_order(self, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, "w,x\n2,1\n4,3\n"), weights_column="w")
        assert table.points.tolist() == [[1], [3]]

    @pytest.mark.parametrize(
        ("content", "column", "message"),
        [
            ("x,w\n1,1\n\n2,0\n", "w", "line 4, column 'w', holds the weight 0; give positive weights"),
            ("x,w\n1,1\n2,-1\n", "2", "line 3, column '2', holds the weight -1"),
            ("x,w\n1,1\n2,nan\n", "w", "line 3, column 'w' is 'nan'"),
            ("x,w\n1,1\n2,\n", "w", "line 3, column 'w' is empty"),
            ("x,w\n1,1\n", "v", "has no column 'v' to take weights from (2 columns, columns x, w)"),
            ("x,w\n1,1\n", "3", "has no column '3' to take weights from"),
            ("w\n1\n", "w", "no column left to use as a feature"),
            ("x,z,w\n1,1,1\n", "z", "column 'z' has two roles"),
        ],
    )
    def test_refused(self, tmp_path: Path, content: str, column: str, message: str) -> None:
        settings = {"ignore": ["z"] if "z" in content else [], "weights_column": column}
        assert message in refusal(lambda path: read_table(path, **settings), written(tmp_path, content))
