"""Points from a file of any supported format; ``docs/formats.md`` describes them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError
from pcsos.io.arrays import read_npy, read_npz, read_parquet
from pcsos.io.columns import Table
from pcsos.io.source import PathLike, kind_of, read_bytes
from pcsos.io.text_table import read_text

READERS = {"npy": read_npy, "npz": read_npz, "parquet": read_parquet, "text": read_text}


def read_points(path: PathLike, *, ignore: Sequence[str] = ()) -> NDArray[np.float64]:
    """Return the points of a file, shape (n, d).

    Parameters
    ----------
    path : path-like
        Text in the benchmark format (a line ``n d``, then n rows), CSV with or without header and with comma,
        semicolon, tab or blanks between the values, ``.npy``, ``.npz`` or Parquet; each may be gzipped. The
        format is recognised by the content.
    ignore : sequence of str
        Columns that are no features, by name or by number, counted from 1.

    Raises
    ------
    InputError
        In one sentence with file, line or row, value and remedy.
    """
    return read_table(path, ignore=ignore).points


def read_table(path: PathLike, *, ignore: Sequence[str] = ()) -> Table:
    """Return the points of a file and the names of its columns; see :func:`read_points`."""
    data = read_bytes(path)
    kind = kind_of(data)
    if kind == "run file":
        raise InputError(f"{path} is a run file, not points; give it to `pcsos resume` or `pcsos verify`")
    try:
        return READERS[kind](data, path, ignore)
    except MemoryError:
        raise InputError(f"{path} holds more values than the free memory; use fewer points") from None
