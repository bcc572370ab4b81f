"""Points in Parquet files, which are read in pieces: only the points themselves are held as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.io.arrays import written
from pcsos.io.columns import (
    Roles,
    Table,
    find_id_column,
    find_shown_columns,
    kept_columns,
    place_of_row,
    refuse_empty,
    refuse_non_finite,
    table_of,
)
from pcsos.io.source import PathLike, reason
from pcsos.problem.validation.rounding import may_be_rounded, off_by_rounding

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

#: Rows of a piece.
PIECE = 65_536


def read_parquet(data: bytes, path: PathLike, roles: Roles) -> Table:
    """Return the points of a Parquet file, whose columns must be numbers without missing values."""
    with _refusing_damage(path):
        file = _opened(data, path)
        names = [str(name) for name in file.schema_arrow.names]
        kept = kept_columns(len(names), names, roles, path)
        for column in kept:
            _refuse_type(file, column, path, roles)
        id_column = find_id_column(len(names), names, roles, path)
        shown = find_shown_columns(len(names), names, roles, path)
        texts: dict[int, list[str]] = {} if id_column is None else {id_column: []}
        texts |= {column: [] for column in shown.values()}
        points = np.empty((file.metadata.num_rows, len(kept)))
        row = 0
        for columns in _pieces(file, {*kept, *texts}):
            size = len(next(iter(columns.values())))
            for position, column in enumerate(kept):
                points[row : row + size, position] = _numbers(columns[column], names[column], row, path)
            for column, values in texts.items():
                values += ["" if value is None else written(value) for value in columns[column].to_pylist()]
            row += size
    used = [names[column] for column in kept]
    refuse_empty(points, path)
    refuse_non_finite(points, path, used)
    ids = None if id_column is None else texts[id_column]
    features = kept if roles.weights is None else kept[:-1]
    off = partial(_off, file, points[:, : len(features)], features, path)
    shown_texts = {name: texts[column] for name, column in shown.items()}
    return table_of(points, used, roles, path, ids=ids, shown=shown_texts, off=off)


def _off(file: "ParquetFile", points: Floats, features: list[int], path: PathLike) -> float:
    """Return at least the distance of any point from the integers and decimals of the file."""
    import pyarrow as pa

    def given(column: int) -> list[Any]:
        own = features[column]
        return [value for piece in _pieces(file, {own}) for value in piece[own].to_pylist()]

    kinds = [file.schema_arrow.field(column).type for column in features]
    is_in_doubt = np.zeros(points.shape, bool)
    for at, kind in enumerate(kinds):
        if pa.types.is_decimal(kind) or pa.types.is_integer(kind):
            own = points[:, at]
            is_in_doubt[:, at] = own != 0.0 if pa.types.is_decimal(kind) else may_be_rounded(own)
    names = file.schema_arrow.names
    return off_by_rounding(
        points,
        is_in_doubt,
        given,
        lambda row, column: f"{path} {place_of_row(row)}, column {names[features[column]]!r}",
    )


def parse_parquet(data: bytes, path: PathLike) -> Any:
    """Return the whole table of a Parquet file."""
    with _refusing_damage(path):
        return _opened(data, path).read()


def _opened(data: bytes, path: PathLike) -> "ParquetFile":
    import pyarrow as pa
    from pyarrow import parquet

    return parquet.ParquetFile(pa.BufferReader(data))


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


def _pieces(file: "ParquetFile", columns: set[int]) -> Iterator[dict[int, Any]]:
    """Yield some rows after others: the values of these columns, by their positions."""
    names, wanted = file.schema_arrow.names, sorted(columns)
    is_plain = len(set(names)) == len(names) == file.metadata.num_columns
    chosen = [names[column] for column in wanted] if is_plain else None
    for batch in file.iter_batches(PIECE, columns=chosen):
        yield {column: batch.column(at if is_plain else column) for at, column in enumerate(wanted)}


def _refuse_type(file: "ParquetFile", column: int, path: PathLike, roles: Roles) -> None:
    import pyarrow as pa

    field, types = file.schema_arrow.field(column), pa.types
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    if any(test(field.type) for test in tests):
        return
    is_text = types.is_string(field.type) or types.is_large_string(field.type)
    values = file.read().column(column) if is_text and roles.ids is None else None
    may_name = values is not None and len(values.unique()) == len(values) > 1
    remedy = f", or say --id {field.name} if it names the points" if may_name else ""
    raise InputError(
        f"{path} column {field.name!r} is of type {field.type}, not numbers; encode it as numbers, or leave it "
        f"out with --ignore {field.name}{remedy}"
    )


def _numbers(values: Any, name: str, first: int, path: PathLike) -> Floats:
    """Return the values of a column in a piece that begins with this row."""
    import pyarrow as pa

    if values.null_count:
        row = first + values.is_null().to_pylist().index(True)
        raise InputError(
            f"{path} column {name!r} has no value in row {row} (counted from 0); remove that row or impute the value"
        )
    if pa.types.is_decimal(values.type):
        return np.array([float(value) for value in values.to_pylist()])
    found: Floats = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return found
