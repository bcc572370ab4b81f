"""Blobs of run files, decoded for tests: any array, whatever its kind and size."""

import struct
from typing import Any

import numpy as np

from pcsos.base.exceptions import FormatError, RunFileError
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.memory import Memory

#: What an array begins with: kind, width, number of dimensions, and length of the content.
HEAD = struct.Struct("<cBBI")


def plenty() -> Memory:
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


def arrays_in(data: bytes) -> list[tuple[int, int]]:
    """Return where each array of a blob begins and ends; exponents and a count stand before those of multipliers."""
    places, at = [], 0
    while at + HEAD.size <= len(data):
        kind, _, dimensions, length = HEAD.unpack_from(data, at)
        if kind in (b"f", b"i", b"d"):
            places.append((at, at + HEAD.size + 4 * dimensions + length))
        at = places[-1][1] if kind in (b"f", b"i", b"d") else at + struct.calcsize("<iiI")
    return places
