"""Log: answers in a CSV file, a line each as they come, from which a session goes on."""

import csv
import hashlib
import io
from collections.abc import Iterator
from typing import NamedTuple

from pcsos.analysis.active.answer import Answer
from pcsos.analysis.active.log_file import log_file
from pcsos.base.exceptions import InputError, quoted
from pcsos.io.source import PathLike
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames

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
        self.entries = _entries(self._file.text, path, self.names)
        if not self._file.text:
            self._file.append(head + _line(COLUMNS))

    def add(self, answer: Answer) -> None:
        """Write an answer down; it is on the disk when this returns."""
        self._file.append(_line((self.names[answer.i], self.names[answer.j], WORDS[answer.same])))

    def take_back(self, answer: Answer) -> None:
        """Write down that the last answer about these points is taken back."""
        self._file.append(_line((self.names[answer.i], self.names[answer.j], UNDO)))


def read_answers(text: str, path: PathLike, names: PointNames) -> list[Answer]:
    """Return the answers that the text of a log leaves; those that are taken back are gone."""
    return [entry.answer for entry in _entries(text, path, names)]


def _entries(text: str, path: PathLike, names: PointNames) -> list[Entry]:
    """Return the answers that the lines of a log leave."""
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
