"""File: a run file that is being checked, and what it may still take."""

from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple, Self

from pcsos.reading.database import open_to_read
from pcsos.reading.memory import Memory
from pcsos.verify.effort import Effort


class File(NamedTuple):
    """An open run file, the memory that it may take, and the work that it may ask for."""

    connection: Connection
    memory: Memory
    effort: Effort

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a run file for reading only.

        Raises :class:`pcsos.exceptions.RunFileError` for what is no run file of this format, or is being written.
        """
        return cls(open_to_read(path), Memory.of_file(path), Effort(path))
