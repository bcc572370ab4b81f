"""Points in the files of NumPy, ``.npy`` and ``.npz``. Nothing in them is ever unpickled."""

import io
import math
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError
from pcsos.io.columns import Columns, Roles, Table, is_all
from pcsos.io.source import PathLike, reason
from pcsos.problem.validation.rounding import off_of

#: The array of an ``.npz`` file with several that is taken for the points, by name, in this order.
POINTS_KEYS = ("points", "X", "data")

#: Arrays of which a sparse matrix, saved by SciPy beside ``data`` and ``shape``, has at least one.
SPARSE_KEYS = frozenset({"indices", "indptr", "row", "col", "coords", "offsets"})

NUMERIC_KINDS = "biuf"
#: What makes real numbers of records, and of complex numbers, which become two each.
REMEDIES = {"V": "numpy.lib.recfunctions.structured_to_unstructured", "c": ".view(float)"}
#: What a damaged archive raises.
DAMAGES = (zipfile.BadZipFile, zlib.error, struct.error, ValueError, KeyError, EOFError, RuntimeError, OSError)


def read_npz(data: bytes, path: PathLike, roles: Roles) -> Table:
    """Return the points of an ``.npz`` file: its only array, or ``points``, ``X`` or ``data``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]
            if not arrays:
                raise InputError(
                    f"{path} is a zip archive without arrays; unpack it with python -m zipfile -e {path} ."
                )
            if {"data", "shape"}.issubset(arrays) and SPARSE_KEYS.intersection(arrays):
                raise InputError(
                    f"{path} is a sparse matrix; save it dense, with numpy.save('points.npy', matrix.toarray()) of "
                    "matrix = scipy.sparse.load_npz(...)"
                )
            named = [key for key in POINTS_KEYS if key in arrays]
            if len(arrays) > 1 and not named:
                raise InputError(
                    f"{path} holds the arrays {', '.join(sorted(arrays))}; call the one to cluster 'points'"
                )
            member = archive.read(f"{arrays[0] if len(arrays) == 1 else named[0]}.npy")
    except InputError:
        raise
    except DAMAGES as error:
        raise InputError(f"{path} is a damaged .npz file ({reason(error)}); save it again") from error
    return read_npy(member, path, roles)


def parse_npy(data: bytes, path: PathLike) -> NDArray[Any]:
    """Return the array of an ``.npy`` file after checking that its size is what the header declares."""
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, fortran, dtype = read_header(stream)
    except Exception as error:  # the header is a Python literal, whose parser raises errors of many kinds
        raise InputError(
            f"{path} is a damaged .npy file (its header is unreadable); save it again with numpy.save"
        ) from error
    if dtype.kind not in NUMERIC_KINDS:
        kind = "Python objects" if dtype.hasobject else f"values of type {dtype}"
        remedy = REMEDIES.get(dtype.kind, ".astype(float)")
        raise InputError(f"{path} holds {kind}, not real numbers; save it with {remedy}")
    count = math.prod(shape)
    held = (len(data) - stream.tell()) // dtype.itemsize
    if count > held or min(shape, default=0) < 0:
        raise InputError(f"{path} declares {count} values of shape {shape} but holds {held}; save it again")
    array = np.frombuffer(data, dtype, count, stream.tell())
    return array.reshape(shape, order="F" if fortran else "C")


def read_npy(data: bytes, path: PathLike, roles: Roles) -> Table:
    """Return the points of an ``.npy`` file, of shape (n, d) or (n,)."""
    array = parse_npy(data, path)
    if array.ndim not in {1, 2}:
        raise InputError(
            f"{path} holds an array of {array.ndim} dimensions; give it two (points, features) with .reshape"
        )
    if array.ndim == 1:
        array = array[:, None]
    columns = Columns.of(array.shape[1], None, roles, path)
    chosen = array if is_all(columns.kept, array) else array[:, columns.kept]
    with np.errstate(over="ignore"):
        values = np.array(chosen, np.float64, order="C")
    texts = {column: [written(value) for value in array[:, column]] for column in columns.texts}
    return columns.table(values, texts, path, lambda: off_of(array[:, columns.features], str(path)))


def written(value: Any) -> str:
    """Return a value as it would be written: with all digits, and whole numbers without decimals."""
    is_whole = isinstance(value, float | np.floating) and value.is_integer()
    return str(int(value)) if is_whole else str(value)
