"""Points from a file of any supported format; ``docs/formats.md`` describes them."""

from collections.abc import Sequence

from pcsos.exceptions import InputError
from pcsos.io.arrays import read_npy, read_npz, read_parquet
from pcsos.io.columns import Roles, Table, refuse_weights
from pcsos.io.source import PathLike, kind_of, read_bytes
from pcsos.io.text_table import read_text
from pcsos.typing import Floats

BINARY_READERS = {"npy": read_npy, "npz": read_npz, "parquet": read_parquet}


def read_points(path: PathLike, *, ignore: Sequence[str] = (), header: bool | None = None) -> Floats:
    """Return the points of a file, shape (n, d).

    Parameters
    ----------
    path : path-like
        Text in the benchmark format (a line ``n d``, then n rows), CSV with or without header and with comma,
        semicolon, tab or blanks between the values, ``.npy``, ``.npz`` or Parquet; each may be gzipped. The
        format is recognised by the content.
    ignore : sequence of str
        Columns that are no features, by name or by number, counted from 1.
    header : bool, optional
        Whether the first line of a text names the columns (true) or is a point (false). Unless given, a line
        without numbers names them, and a line of numbers that may do so is refused.

    Raises
    ------
    InputError
        In one sentence with file, line or row, value and remedy.
    """
    return read_table(path, ignore=ignore, header=header).points


def read_table(
    path: PathLike, *, ignore: Sequence[str] = (), header: bool | None = None, weights_column: str | None = None
) -> Table:
    """Return the points of a file, the names of its columns, and weights from one; see :func:`read_points`.

    Parameters
    ----------
    weights_column : str, optional
        The column with the weights of the points, by name or by number; it is no feature.
    """
    return _table(path, Roles(ignore, weights_column), header)


def read_weights(path: PathLike, n_points: int) -> Floats:
    """Return the weights of points, from a file in any format of points with a single column.

    Raises
    ------
    InputError
        In one sentence with file, line or row, value and remedy.
    """
    table = _table(path, Roles(), None, doubt=False)
    if table.points.shape[1] != 1:
        raise InputError(f"{path} has {table.points.shape[1]} columns; give weights, one positive number a line")
    weights = table.points[:, 0]
    if weights.size != n_points:
        last = table.place(weights.size - 1)
        raise InputError(
            f"{path} holds {weights.size} weights, the last in {last}, for {n_points} points; give one weight a point"
        )
    refuse_weights(weights, path, table.place)
    return weights


def _table(path: PathLike, roles: Roles, header: bool | None, *, doubt: bool = True) -> Table:
    data = read_bytes(path)
    kind = kind_of(data)
    if kind == "run file":
        raise InputError(f"{path} is a run file, not points; give it to `pcsos resume` or `pcsos verify`")
    if kind == "workbook":
        raise InputError(f"{path} is a workbook of a spreadsheet; save the sheet as CSV, with decimal points")
    if kind != "text" and header is not None:
        raise InputError(
            f"{path} is a file of kind {kind}, which has no first line; leave out --header and --no-header"
        )
    try:
        if kind == "text":
            return read_text(data, path, roles, header, doubt=doubt)
        return BINARY_READERS[kind](data, path, roles)
    except MemoryError:
        raise InputError(f"{path} holds more values than the free memory; use fewer points") from None
