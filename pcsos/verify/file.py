"""File: a run file that is being checked, and what it may still take."""

from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple, Self

from pcsos.verify.effort import spend
from pcsos.verify.reading.database import open_to_read
from pcsos.verify.reading.memory import Memory

#: Bytes of a matrix for each byte of the file, beside those of :class:`pcsos.verify.bound.Bound`.
OF_MATRICES = 120
#: Bytes that are kept of a point, beside its coordinates, and of a pair of points.
OF_A_POINT, OF_A_PAIR = 32, 32
#: Work that it takes to decode a number.
OF_A_NUMBER = 50


class Metered(Memory):
    """Memory of a file that is charged with the work of whatever is decoded."""

    def expand(self, count: int, what: str) -> None:
        """Refuse an array of so many numbers, if decoding it takes more than is left."""
        super().expand(count, what)
        spend(OF_A_NUMBER * count)


class File(NamedTuple):
    """An open run file, and the memory that it may take, beside that for matrices."""

    connection: Connection
    memory: Memory
    matrices: Memory

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a run file for reading only.

        Raises :class:`pcsos.verify.errors.RunFileError` for what is no run file of this format, or is being written.
        """
        return cls(open_to_read(path), Metered.of_file(path), Metered.of_file(path, OF_MATRICES))
