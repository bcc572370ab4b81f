"""Arrays of integers and doubles from the bytes of a blob (docs/certificate.md, section 2)."""

import math
import struct
import zlib
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.errors import FormatError
from pcsos.verify.reading.memory import Memory

Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]
Words = NDArray[np.uint64]
Found = TypeVar("Found", Integers, Doubles)


class Arrays:
    """Decodes the arrays of one blob, the value of a column, one after the other; the name is for refusals.

    Each array has a number of entries that the reader knows, or knows a limit of, before it is expanded.
    """

    def __init__(self, data: object, name: str, memory: Memory) -> None:
        self._data, self._name, self._memory, self._at = data if isinstance(data, bytes) else b"", name, memory, 0

    def turn_to(self, name: str, memory: Memory | None = None) -> None:
        """Say what comes next and, where it is another, the memory that it may take."""
        self._name, self._memory = name, memory or self._memory

    def take(self, layout: str) -> tuple[Any, ...]:
        """Return the next few numbers of a fixed layout."""
        start, self._at = self._at, self._at + struct.calcsize(layout)
        self.require(self._at <= len(self._data), "missing, or too short")
        return struct.unpack_from(layout, self._data, start)

    def integers(self, ndim: int, size: int | None = None, most: int | None = None) -> Integers:
        """Return the next array of integers, which has so many entries, or at most so many."""
        code, words, shape = self._next(ndim, b"id", size, most)
        values = (words >> np.uint64(1)).view(np.int64)
        values ^= -(words & np.uint64(1)).view(np.int64)
        return (np.cumsum(values, out=values) if code == b"d" else values).reshape(shape)

    def doubles(self, ndim: int, size: int | None = None, most: int | None = None) -> Doubles:
        """Return the next array of finite doubles."""
        _, words, shape = self._next(ndim, b"f", size, most)
        values: Doubles = words.view(np.float64).reshape(shape)
        self.require(np.isfinite(values).all(), "not all of them are finite numbers")
        return values

    def skip(self) -> None:
        """Leave unread what follows."""
        self._at = len(self._data)

    def finished(self) -> None:
        """Refuse what follows the last array."""
        self.require(self._at == len(self._data), "longer than what is in it")

    def _next(
        self, ndim: int, kinds: bytes, size: int | None, most: int | None
    ) -> tuple[bytes, Words, tuple[int, ...]]:
        """Return kind, 64-bit words and shape of the next array."""
        code, width, dimensions, length = self.take("<cBBI")
        known = code in kinds and width <= 8 and dimensions == ndim and (code != b"f" or width == 8)
        self.require(known, "an array of another kind than expected")
        shape = self.take(f"<{ndim}I")
        count, start = math.prod(shape), self._at
        self.require(size is None or count == size, f"an array of {count} numbers instead of {size}")
        self.require(most is None or count <= most, f"an array of {count} numbers, more than there can be")
        self._at += length
        self.require(self._at <= len(self._data), "missing, or too short")
        self._memory.expand(count, self._name)
        return code, self._words(self._data[start : self._at], count, width), shape

    def _words(self, content: bytes, count: int, width: int) -> Words:
        """Return the numbers whose byte planes were compressed."""
        inflater = zlib.decompressobj()
        try:
            planes = inflater.decompress(content, count * width + 1)
        except zlib.error as error:
            raise FormatError(f"{self._name}: cannot be decompressed") from error
        whole = len(planes) == count * width and inflater.eof and not inflater.unused_data
        self.require(whole, "an array of another size than stated")
        words = np.zeros((count, 8), np.uint8)
        words[:, :width] = np.frombuffer(planes, np.uint8).reshape(width, count).T
        return words.reshape(-1).view("<u8").astype(np.uint64, copy=False)

    def require(self, holds: object, otherwise: str) -> None:
        """Refuse the blob if something does not hold."""
        if not holds:
            raise FormatError(f"{self._name}: {otherwise}")


def only(read: Callable[..., Found], data: object, name: str, memory: Memory, **limits: int | None) -> Found:
    """Return the only array of a blob, as :meth:`Arrays.integers` or :meth:`Arrays.doubles` read it."""
    arrays = Arrays(data, name, memory)
    found = read(arrays, **limits)
    arrays.finished()
    return found
