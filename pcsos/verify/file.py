"""File: a run file that is being checked, and what it may still take."""

from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple, Self

from pcsos.reading.database import open_to_read
from pcsos.reading.memory import Memory
from pcsos.verify.effort import Effort

#: Bytes of a matrix for each byte of the file: honest multipliers of s super-points take some 0.7 s^2 bytes of it, and
#: 66 s^2 bytes while they are checked.
OF_MATRICES = 120


class File(NamedTuple):
    """An open run file, the memory that it may take, beside that for matrices, and the work that it may ask for."""

    connection: Connection
    memory: Memory
    matrices: Memory
    effort: Effort

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a run file for reading only.

        Raises :class:`pcsos.exceptions.RunFileError` for what is no run file of this format, or is being written.
        """
        return cls(open_to_read(path), Memory.of_file(path), Memory.of_file(path, OF_MATRICES), Effort(path))
