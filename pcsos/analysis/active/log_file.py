"""Log file: text that is on the disk when it is said to be, and that one process writes at a time."""

import contextlib
import os
import weakref
from pathlib import Path

from pcsos.base.exceptions import InputError
from pcsos.io.source import PathLike, reason, refuse_other_than_text

try:
    import fcntl
except ImportError:  # on Windows, where whoever opens a file keeps others from removing it
    fcntl = None  # type: ignore[assignment]

#: Bytes are written as they are, on Windows, too.
BINARY = getattr(os, "O_BINARY", 0)


class LogFile:
    """The file of a log, locked as long as a session of this process has it.

    Parameters
    ----------
    path : path-like
        Where it is. A last line without an end, which a process leaves that is killed while it writes, is removed.
    head : str
        How it has to begin, if it holds anything: another file is left as it is.

    Raises
    ------
    InputError
        If it cannot be read or written, begins with something else, or another process has it.

    Attributes
    ----------
    text : str
        What it holds.
    """

    def __init__(self, path: Path, head: str) -> None:
        self.path = path
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is not a file; give another place for the log")
        self._open()
        self.read(head)

    def read(self, head: str) -> None:
        """Take over what is in the file."""
        data = self.path.read_bytes()
        refuse_other_than_text(data, self.path)
        begins = head.encode()
        if not (data.startswith(begins) or begins.startswith(data)):
            if data.decode("utf-8-sig").startswith(head.rstrip("\n")):
                raise InputError(
                    f"{self.path} was changed by another program, its line ends or its first bytes; give the log as it "
                    "was, or another file"
                )
            raise InputError(
                f"{self.path} is about other points, or another number of clusters, or no log at all; give the log of "
                "these, or another file"
            )
        size = data.rfind(b"\n") + 1
        if size < len(data):
            os.ftruncate(self._descriptor, size)
        self.text = data[:size].decode()

    def append(self, text: str) -> None:
        """Write a text at the end, whole or not at all; where the file is gone, all that it held comes first.

        Raises
        ------
        InputError
            If it cannot be written, or another file is in its place.
        """
        try:
            if not self.path.exists():
                self._open()
                self._write(self.text + text)
            elif os.path.samestat(self.path.stat(), os.fstat(self._descriptor)):
                self._write(text)
            else:
                raise InputError(
                    f"{self.path} was replaced while a session wrote to it; put the log back, or begin again from it"
                )
        except OSError as error:
            raise InputError(f"{self.path} cannot be written ({reason(error)}); give another place") from error
        self.text += text

    def _open(self) -> None:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o666)
        except OSError as error:
            raise InputError(f"{self.path} cannot be written ({reason(error)}); give another place") from error
        weakref.finalize(self, os.close, self._descriptor)
        if fcntl is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError(
                    f"{self.path} is the log of another session that still runs; end that one, or give another file"
                ) from error
            except OSError:
                return  # a file system without locks

    def _write(self, text: str) -> None:
        size = os.fstat(self._descriptor).st_size
        data = text.encode()
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
            os.fsync(self._descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, size)
            raise


_FILES: weakref.WeakValueDictionary[str, LogFile] = weakref.WeakValueDictionary()


def log_file(path: PathLike, head: str) -> LogFile:
    """Return the file at a path, the same one for all sessions of this process, with what it holds now."""
    place = os.path.realpath(path)
    found = _FILES.get(place)
    if found is None or not found.path.exists():
        found = _FILES[place] = LogFile(Path(path), head)
    else:
        found.read(head)
    return found
