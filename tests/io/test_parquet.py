"""Parquet files that cannot be read: whatever Arrow raises is about the file, nothing else is."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos.base.exceptions import InputError
from pcsos.io import read_points


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
