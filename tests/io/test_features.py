"""Features by name, among many columns."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos.base.exceptions import InputError
from pcsos.cli import main
from pcsos.io import read_table

TEXT = "name,x,y,z,mass\na,1,2,3,1\nb,4,5,6,2\nc,7,8,9,1\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text(TEXT)
    columns = {"name": ["a", "b", "c"], "x": [1, 4, 7], "y": [2, 5, 8], "z": [3, 6, 9], "mass": [1, 2, 1]}
    parquet.write_table(pa.table(columns), "points.parquet")
    np.save("points.npy", np.arange(12.0).reshape(3, 4))


@pytest.mark.usefixtures("files")
class TestFeatures:
    @pytest.mark.parametrize("path", ["points.csv", "points.parquet"])
    def test_all_other_columns_are_left_alone(self, path: str) -> None:
        table = read_table(path, features=["z", "x"])
        assert table.names == ("x", "z")
        assert table.points.tolist() == [[1.0, 3.0], [4.0, 6.0], [7.0, 9.0]]

    def test_beside_ids_and_weights(self) -> None:
        table = read_table("points.csv", features=["y"], id_column="name", weights_column="mass")
        assert table.points.tolist() == [[2.0], [5.0], [8.0]]
        assert (table.ids, table.weights.tolist()) == (("a", "b", "c"), [1.0, 2.0, 1.0])

    def test_by_number(self) -> None:
        assert read_table("points.npy", features=["2", "4"]).points.tolist() == [[1.0, 3.0], [5.0, 7.0], [9.0, 11.0]]

    @pytest.mark.parametrize(
        ("settings", "reason"),
        [
            ({"features": ["w"]}, "has no column 'w' to take as a feature"),
            ({"features": ["x"], "ignore": ["x"]}, "column 'x' has two roles"),
            ({"features": ["mass"], "weights_column": "mass"}, "column 'mass' has two roles"),
        ],
    )
    def test_contradictions_are_refused(self, settings: dict[str, object], reason: str) -> None:
        with pytest.raises(InputError, match=reason):
            read_table("points.csv", **settings)  # type: ignore[arg-type]

    def test_on_the_command_line_and_in_the_check(self) -> None:
        options = ["--features", "x,z"]
        assert main(["solve", "points.csv", "-k", "2", *options, "--run-file", "a.run", "--quiet"]) == 0
        assert main(["verify", "a.run", "-k", "2", "--points", "points.csv", *options, "--quiet"]) == 0
        assert main(["verify", "a.run", "-k", "2", "--points", "points.csv", "--features", "x,y", "--quiet"]) == 5


def test_whole_numbers_as_ids_keep_all_their_digits(tmp_path: Path) -> None:
    large = [2**53 + 1, 2**53, 123456789012345678]
    np.save(tmp_path / "points.npy", np.column_stack([large, [1, 2, 3]]))
    assert read_table(tmp_path / "points.npy", id_column="1").ids == tuple(str(value) for value in large)
