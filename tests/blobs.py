"""Blobs of run files, decoded for tests: any array, whatever its kind and size."""

from typing import Any

import numpy as np

from pcsos.base.exceptions import FormatError, RunFileError
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.memory import Memory


def plenty() -> Memory:
    """Return memory that is enough for whatever a test reads."""
    return Memory(1 << 33)


def arrays(data: object) -> Arrays:
    """Return the arrays of a blob, none of them read yet."""
    return Arrays(data, "the array", plenty())


def decode_array(data: bytes) -> np.ndarray[Any, Any]:
    """Return the only array of a blob."""
    own, ndim = arrays(data), data[2] if len(data) > 2 else 1
    try:
        found = own.doubles(ndim) if data[:1] == b"f" else own.integers(ndim)
        own.finished()
    except FormatError as error:
        raise RunFileError(str(error)) from error
    return found
