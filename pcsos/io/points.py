"""Points from a file of any supported format; ``docs/formats.md`` describes them."""

from collections.abc import Sequence

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.io.arrays import read_npy, read_npz
from pcsos.io.columns import Roles, Table, refuse_weights
from pcsos.io.foreign import refuse_binary
from pcsos.io.parquet import read_parquet
from pcsos.io.source import PathLike, kind_of, name_of, read_bytes
from pcsos.io.text_table import read_text

BINARY_READERS = {"npy": read_npy, "npz": read_npz, "parquet": read_parquet}


def read_points(
    path: PathLike, *, ignore: Sequence[str] = (), header: bool | None = None, decimal: str = "."
) -> Floats:
    """Return the points of a file, shape (n, d), as the nearest doubles.

    Parameters
    ----------
    path : path-like
        ``-`` for standard input, or a file: text in the benchmark format (a line ``n d``, then n rows), CSV with or
        without header and with comma, semicolon, tab or blanks between the values, ``.npy``, ``.npz`` or Parquet; each
        may be gzipped. The format is recognised by the content.
    ignore : sequence of str
        Columns that are no features, by name or by number, counted from 1.
    header : bool, optional
        Whether the first line of a text names the columns (true) or is a point (false). Unless given, a line
        without numbers names them, and a line of numbers that may do so is refused.
    decimal : {".", ","}
        What stands before the decimals in a text; with a comma, values are separated by something else.

    Raises
    ------
    InputError
        In one sentence with file, line or row, value and remedy; also where doubles lose too much of the numbers.
    """
    table = read_table(path, ignore=ignore, header=header, decimal=decimal)
    table.off()  # refuses what too much would be lost of
    return table.points


def read_table(
    path: PathLike,
    *,
    ignore: Sequence[str] = (),
    header: bool | None = None,
    decimal: str = ".",
    weights_column: str | None = None,
    id_column: str | None = None,
    shown: Sequence[str] = (),
    features: Sequence[str] = (),
) -> Table:
    """Return the points of a file, the names of its columns, and what others of them hold; see :func:`read_points`.

    Parameters
    ----------
    weights_column, id_column : str, optional
        The columns with the weights and the ids of the points, by name or by number; they are no features.
    shown : sequence of str
        Columns that are no features either, but are kept as they stand in the file, for people to look at.
    features : sequence of str
        The columns that are features, in place of all that are not ignored.
    """
    return _table(path, Roles(ignore, weights_column, id_column, shown=shown, features=features), header, decimal)


def read_weights(path: PathLike, n_points: int, *, decimal: str = ".") -> Floats:
    """Return the weights of points, from a file in any format of points with a single column."""
    table = _table(path, Roles(are_weights=True), None, decimal)
    path = name_of(path)
    if table.points.shape[1] != 1:
        raise InputError(f"{path} has {table.points.shape[1]} columns; give weights, one positive number per line")
    weights = table.points[:, 0]
    if weights.size != n_points:
        last = table.place(weights.size - 1)
        raise InputError(
            f"{path} holds {weights.size} weights, the last in {last}, for {n_points} points; give one weight per point"
        )
    refuse_weights(weights, path, table.place)
    return weights


def _table(path: PathLike, roles: Roles, header: bool | None, decimal: str) -> Table:
    if decimal not in {".", ","}:
        raise InputError(f"decimal is {decimal!r}; give '.' or ','")
    data = read_bytes(path)
    path, kind = name_of(path), kind_of(data)
    refuse_binary(data, path)
    if kind == "run file":
        raise InputError(f"{path} is a run file, not points; give it to `pcsos resume` or `pcsos verify`")
    if kind != "text" and header is not None:
        raise InputError(
            f"{path} is a file of kind {kind}, which has no first line; leave out --header and --no-header"
        )
    try:
        if kind == "text":
            return read_text(data, path, roles, header, decimal)
        return BINARY_READERS[kind](data, path, roles)
    except MemoryError:
        raise InputError(f"{path} holds more values than the free memory; use fewer points") from None
