"""Points in Parquet files, which are read by columns: only the points themselves are held as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.io.arrays import written
from pcsos.io.columns import Columns, Roles, Table, place_of_row
from pcsos.io.source import PathLike, reason
from pcsos.problem.validation.rounding import may_be_rounded, off_by_rounding, show_rounding

#: A file of pyarrow, which has no types.
ParquetFile = Any


def read_parquet(data: bytes, path: PathLike, roles: Roles) -> Table:
    """Return the points of a Parquet file, whose columns must be numbers without missing values."""
    with _refusing_damage(path):
        file = _opened(data, path)
        names = [str(name) for name in file.schema_arrow.names]
        columns = Columns.of(len(names), names, roles, path)
        points = np.empty((file.metadata.num_rows, len(columns.kept)))
        for position, column in enumerate(columns.kept):
            points[:, position] = _numbers(file, column, path)
        texts = {
            column: ["" if value is None else written(value) for value in _column(file, column).to_pylist()]
            for column in columns.texts
        }
    if roles.have_weights:
        show_rounding(points[:, -1], lambda: _column(file, columns.kept[-1]).to_pylist())
    return columns.table(points, texts, path, partial(_off, file, points, columns.features, path))


def _off(file: ParquetFile, points: Floats, features: list[int], path: PathLike) -> float:
    """Return at least the distance of any point from the integers and decimals of the file."""
    import pyarrow as pa

    kinds = [file.schema_arrow.field(column).type for column in features]
    points = points[:, : len(features)]
    is_in_doubt = np.zeros(points.shape, bool)
    for at, kind in enumerate(kinds):
        if pa.types.is_decimal(kind) or pa.types.is_integer(kind):
            own = points[:, at]
            is_in_doubt[:, at] = own != 0.0 if pa.types.is_decimal(kind) else may_be_rounded(own)
    names = file.schema_arrow.names
    return off_by_rounding(
        points,
        is_in_doubt,
        lambda column: _column(file, features[column]).to_pylist(),
        lambda row, column: f"{path} {place_of_row(row)}, column {names[features[column]]!r}",
    )


def parse_parquet(data: bytes, path: PathLike) -> Any:
    """Return the whole table of a Parquet file."""
    with _refusing_damage(path):
        return _opened(data, path).read()


def _opened(data: bytes, path: PathLike) -> ParquetFile:
    import pyarrow as pa
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(data))
    names = file.schema_arrow.names
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path} has the column name {twice!r} twice; rename one of them")
    return file


@contextmanager
def _refusing_damage(path: PathLike) -> Iterator[None]:
    """Refuse a file that turns out to be damaged, or that cannot be read here."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise InputError(
            f"{path} is a Parquet file, which needs pyarrow; install pcsos[parquet], or save it as CSV"
        ) from error
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is a damaged Parquet file ({reason(error).split('. ')[0]}); save it again") from error


def _column(file: ParquetFile, column: int) -> Any:
    """Return a column, given its position."""
    return file.read(columns=[file.schema_arrow.names[column]]).column(0)


def _numbers(file: ParquetFile, column: int, path: PathLike) -> Floats:
    """Return the values of a column, which must be numbers, none of them missing."""
    import pyarrow as pa

    field, types = file.schema_arrow.field(column), pa.types
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    if not any(test(field.type) for test in tests):
        raise InputError(
            f"{path} column {field.name!r} is of type {field.type}, not numbers; encode it as numbers, leave it out "
            f"with --ignore {field.name}, or say --id {field.name} if it names the points"
        )
    values = _column(file, column)
    if values.null_count:
        row = values.is_null().to_pylist().index(True)
        raise InputError(
            f"{path} column {field.name!r} has no value in {place_of_row(row)}; remove that row or impute it"
        )
    if pa.types.is_decimal(values.type):
        return np.array([float(value) for value in values.to_pylist()])
    found: Floats = values.cast(pa.float64(), safe=False).to_numpy()
    return found
