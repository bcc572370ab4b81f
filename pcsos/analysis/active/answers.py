"""Answers: what was said about pairs of points, and the log that a session writes them to and goes on from."""

import contextlib
import csv
import hashlib
import io
import os
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.source import PathLike, reason, refuse_other_than_text
from pcsos.problem.instance import Instance
from pcsos.problem.validation.arrays import is_whole_number
from pcsos.problem.validation.names import PointNames


class Answer(NamedTuple):
    """A question and its answer.

    Attributes
    ----------
    i, j : int
        The points, by their indices.
    same : bool or None
        Whether they belong together; None where that is not known.
    """

    i: int
    j: int
    same: bool | None


def checked(pair: object, same: object, n_points: int) -> Answer:
    """Return a pair of points and what was said about it.

    Raises
    ------
    InputError
        If it is no pair of different points, or no answer.
    """
    listed = list(pair) if isinstance(pair, Sequence | np.ndarray) and not isinstance(pair, str | bytes) else []
    if len(listed) != 2 or not all(map(is_whole_number, listed)):
        raise InputError(f"pair is {pair!r}; give two point indices such as (0, 5)")
    i, j = map(int, listed)
    if not (0 <= i < n_points and 0 <= j < n_points):
        raise InputError(f"pair is {(i, j)}, but point indices go from 0 to {n_points - 1}; correct the index")
    if i == j:
        raise InputError(f"pair is {(i, j)}, one point twice; give two different points")
    if same is not None and not isinstance(same, bool | np.bool_):
        raise InputError(f"the answer about {(i, j)} is {same!r}; give True, False or None")
    return Answer(i, j, None if same is None else bool(same))


try:
    import fcntl
except ImportError:  # on Windows, where an open file cannot be removed
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


COLUMNS = ("i", "j", "answer")
WORDS = {True: "yes", False: "no", None: "unknown"}
#: What takes the answer before it back.
UNDO = "undo"
MEANINGS = {word: same for same, word in WORDS.items()}


class Entry(NamedTuple):
    """An answer that was not taken back, and where it stands."""

    answer: Answer
    where: str


class Log:
    """The log of a session; one that is there already is gone on with.

    Parameters
    ----------
    path : path-like
        Where it is.
    instance : Instance
        The points, which have to be those that the log is about.

    Raises
    ------
    InputError
        If it cannot be read or written, is about other points, or another process writes it.
    """

    def __init__(self, path: PathLike, instance: Instance) -> None:
        head = f"# {instance.n_points} points, {instance.n_clusters} clusters, data {_fingerprint(instance)}\n"
        self.names, self._file = instance.names, log_file(path, head)
        self.entries = read_entries(self._file.text, path, self.names)
        if not self._file.text:
            self._file.append(head + _line(COLUMNS))

    def add(self, answer: Answer, *, is_taken_back: bool = False) -> None:
        """Write down an answer, or that the last one about its points is taken back; then it is on the disk."""
        word = UNDO if is_taken_back else WORDS[answer.same]
        self._file.append(_line((self.names[answer.i], self.names[answer.j], word)))


def read_entries(text: str, path: PathLike, names: PointNames) -> list[Entry]:
    """Return the answers that the text of a log leaves; those that are taken back are gone."""
    left: list[Entry] = []
    for number, row in _rows(text, path):
        where = f"{path} line {number}"
        is_comment = bool(row) and row[0].startswith("#") and row[0] not in names
        if not row or is_comment or tuple(row) == COLUMNS:
            continue
        if len(row) != len(COLUMNS):
            raise InputError(f"{where} has {len(row)} values; give two points and an answer, such as 0,5,yes")
        if row[2] not in (*MEANINGS, UNDO):
            raise InputError(f"{where} has the answer {quoted(row[2])}; give {', '.join(MEANINGS)} or {UNDO}")
        i, j = (names.index(name, where) for name in row[:2])
        if i == j:
            raise InputError(f"{where} is about the point {names[i]} twice; give two different points")
        if row[2] == UNDO:
            _take_back(left, {i, j}, where)
        else:
            left.append(Entry(Answer(i, j, MEANINGS[row[2]]), where))
    return left


def _rows(text: str, path: PathLike) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the number of its last line."""
    reader = csv.reader(io.StringIO(text))
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num} is not a line of a CSV file ({error}); save it with the line ends of this "
            "system, and names with quotes in quotes"
        ) from error


def _take_back(left: list[Entry], pair: set[int], where: str) -> None:
    """Remove the last answer about a pair of points."""
    own = [at for at, (answer, _) in enumerate(left) if {answer.i, answer.j} == pair]
    if not own:
        raise InputError(f"{where} takes an answer back, but there is none about these points; remove the line")
    del left[own[-1]]


def _line(values: tuple[str, ...]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(values)
    return stream.getvalue()


def _fingerprint(instance: Instance) -> str:
    return hashlib.sha256(repr(instance.points.shape).encode() + instance.points.tobytes()).hexdigest()[:16]
