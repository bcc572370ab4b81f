"""Parquet files that cannot be read: whatever Arrow raises is about the file, nothing else is."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos.base.exceptions import InputError
from pcsos.io import read_points, read_table


@pytest.mark.parametrize("error", [pa.ArrowTypeError, pa.ArrowKeyError, pa.ArrowInvalid, OSError])
def test_what_arrow_raises_on_the_way_is_about_the_file(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet.write_table(pa.table({"x": [1.0, 2.0]}), tmp_path / "a.parquet")

    def failing(*_: object, **__: object) -> None:
        raise error("page 3 is odd")

    monkeypatch.setattr("pcsos.io.parquet._column", failing)
    with pytest.raises(InputError, match=r"a.parquet is a damaged Parquet file \(.*page 3 is odd.*\); save it again"):
        read_points(tmp_path / "a.parquet")


def test_other_errors_are_not_disguised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet.write_table(pa.table({"x": [1.0, 2.0]}), tmp_path / "a.parquet")
    monkeypatch.setattr("pcsos.io.parquet._numbers", lambda *_: [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="could not broadcast"):
        read_points(tmp_path / "a.parquet")


def test_a_name_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    parquet.write_table(pa.table([[1.0], [2.0]], names=["x", "x"]), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="has the column name 'x' twice; rename one of them"):
        read_points(tmp_path / "a.parquet")


@pytest.mark.parametrize("index", [["a", "b", "c"], [7, 9, 8]])
def test_an_index_of_pandas_is_read_as_from_csv(index: list[object], tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "y": [0.0, 3.0, 4.0]}, index=index)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv")
    own, other = read_table(tmp_path / "a.parquet"), read_table(tmp_path / "a.csv")
    assert own.ids == other.ids == tuple(map(str, index))
    assert own.points.tolist() == other.points.tolist() == frame.to_numpy().tolist()
    assert (own.unnamed, other.unnamed) == ("3", "1")
    assert own.remark.endswith("a.parquet has a column 3 without a name, taken for ids; name it if it is a feature")
    assert read_table(tmp_path / "a.parquet", ignore=["3"]).ids is None
