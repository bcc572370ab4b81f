"""Labels of points in files: CSV, NumPy or Parquet as pcsos writes them, or text with one label per line."""

import csv
import importlib.util
import io
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Indices
from pcsos.io.arrays import parse_npy, written
from pcsos.io.columns import INDEX_NAMES
from pcsos.io.fields import LACKING, as_number
from pcsos.io.label_table import NAMES, WHOLE, Rows, counts, label_table
from pcsos.io.outputs import GZIP_SUFFIX
from pcsos.io.parquet import parse_parquet
from pcsos.io.source import PathLike, kind_of, name_of, read_bytes
from pcsos.problem.validation.cluster_names import NO_DECIMALS, refuse_noise
from pcsos.problem.validation.names import PointNames

#: A number with decimals, or with an exponent.
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+\.?\d*[eE][+-]?\d+)([eE][+-]?\d+)?")
#: Names, in small letters, of a column that may number the rows.
NUMBERS = ("id", "idx", "index", "row_id", "rownames", *(name.lower() for name in INDEX_NAMES))
#: No number that anybody measures has more characters.
LONGEST_NUMBER = 400


def labels_text(labels: Sequence[int] | None, names: PointNames) -> str:
    """Return the labels as CSV with the header ``point,label`` or ``id,label``; no rows without a partition."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow((names.title, "label"))
    rows.writerows((names[point], label) for point, label in enumerate(labels or ()))
    return stream.getvalue()


def labels_data(path: PathLike, labels: Sequence[int] | None, names: PointNames) -> bytes | None:
    """Return the labels as NumPy or Parquet where the ending of the path asks for it, or None: they are to be CSV."""
    kind, stream = _ending(path), io.BytesIO()
    values = np.array([] if labels is None else labels, np.int64)
    if kind == ".npy":
        np.save(stream, values)
    elif kind == ".parquet":
        import pyarrow as pa
        from pyarrow import parquet

        called = [names[point] for point in range(values.size)]
        column = pa.array(called, pa.string()) if names.ids else pa.array(map(int, called), pa.int64())
        parquet.write_table(pa.table({names.title: column, "label": values}), stream)
    else:
        return None
    return stream.getvalue()


def _ending(path: PathLike) -> str:
    """Return the ending of a name, in small letters, before that of a compressed file."""
    return Path(str(path).lower().removesuffix(GZIP_SUFFIX)).suffix


def check_labels_output(option: str, path: PathLike | None) -> None:
    """Raise an :class:`InputError` for an ending that cannot be written here."""
    if path is None or _ending(path) != ".parquet":
        return
    if importlib.util.find_spec("pyarrow") is None:
        raise InputError(f"{option} {path} needs pyarrow; install pcsos[parquet], or write .csv or .npy")


def read_labels(
    path: PathLike,
    n_points: int,
    names: PointNames | None = None,
    *,
    may_lack: bool = False,
    what: str = "cluster",
) -> NDArray[np.str_]:
    """Return the label of each point as it is written.

    Parameters
    ----------
    path : path-like
        ``-`` for standard input, or a file, gzipped or not: text with one label per line; a table with commas,
        semicolons, tabs or blanks, or Parquet, whose column ``label`` (or another of
        :data:`pcsos.io.label_table.NAMES`, or behind numbers the last one) holds the labels, and whose column ``point``
        or ``id``, or another one with the ids of points, if there is one, names the points in their order; or an
        ``.npy`` array.
    n_points : int
        Number of points n.
    names : PointNames, optional
        What the file calls the points; their indices, from 0, unless given.
    may_lack : bool
        Whether -1 stands for a label that is not known; otherwise it is refused beside a 0, as DBSCAN's noise.
    what : str
        What they are labels of, in the singular; only those of clusters may be noise.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    names = names or PointNames(n_points)
    rows = _entries(path, names, what, n_points)
    path = name_of(path)
    labels: list[str] = []
    for where, called, label in rows:
        if len(labels) == n_points:
            raise InputError(f"{path} holds {len(rows)} labels for {n_points} points; give one label per point")
        if called is not None and not _is_name_of(called, names[len(labels)]):
            raise InputError(
                f"{where} is about point {quoted(called)} where point {names[len(labels)]} is expected; "
                f"sort the rows by point, from {names[0]}"
            )
        labels.append(label)
    if len(labels) != n_points:
        raise InputError(f"{path} holds {len(labels)} labels for {n_points} points; give one label per point")
    if not may_lack and what == "cluster":
        refuse_noise(labels, lambda row: f"{rows[row][0]}: the label")
    return np.array(labels)


def read_earlier_labels(path: PathLike, names: PointNames) -> Indices:
    """Return the cluster that each point had in an earlier file of labels, shape (n,), and -1 where it had none.

    Parameters
    ----------
    path : path-like
        A file as :func:`read_labels` takes, with whole numbers, of these points or of some of them: of those that its
        column ``point`` or ``id`` names, or else of the first ones. Ids that no point has any more are left out.
    names : PointNames
        What the file calls the points.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    clusters = np.full(names.n_points, -1, np.intp)
    seen: set[str] = set()
    for row, (where, called, label) in enumerate(_entries(path, names, "cluster")):
        if not WHOLE.fullmatch(label):
            raise InputError(f"{where} has {quoted(label)} for a label; give the numbers that clusters are to keep")
        if called in seen:
            raise InputError(f"{where} is the second label of point {quoted(called)}; give each point one")
        seen.update([] if called is None else [called])
        if called is None and row == names.n_points:
            raise InputError(f"{where} is a label for point {row + 1} of {row}; give labels of these points, or --id")
        if called is None or names.ids is None or called in names:
            clusters[row if called is None else names.index(called, where)] = int(label)
    return clusters


def _is_name_of(called: str, name: str) -> bool:
    """Tell whether a point is called by its name, of which not every white space comes back as it was."""
    return called == name or called.split() == name.split()


def _entries(
    path: PathLike, names: PointNames, what: str, n_rows: int | None = None
) -> list[tuple[str, str | None, str]]:
    """Return where each label stands, what the file calls its point, if it does, and the label."""
    data = read_bytes(path)
    rows, titles = _READERS.get(kind_of(data), _refuse)(data, name_of(path), names, n_rows)
    for where, fields in rows:
        if len(fields) != len(titles):
            one = "a value" if len(fields) == 1 else f"{len(fields)} values"
            raise InputError(f"{where} has {one} instead of {len(titles)}; give one label per line")
    column = _label_column(titles, what)
    counter = _counter(rows, titles, column, names, is_whole=n_rows is not None)
    found = []
    for where, fields in rows:
        if not fields[column]:
            raise InputError(f"{where} has no label; give every point a {what}")
        if fields[column].lower() in LACKING:
            raise InputError(f"{where} has {quoted(fields[column])} for a label; give every point a {what}")
        called = None if counter is None else fields[counter]
        found.append((where, called, _name(fields[column], where, what)))
    return found


def _label_column(titles: Sequence[str], what: str) -> int:
    """Return the column with the labels: that of its name, or the last one that numbers no rows."""
    wanted = ("group", "groups", *NAMES) if what == "group" else NAMES
    named = [titles.index(name) for name in wanted if name in titles]
    return named[0] if named else max(at for at, title in enumerate(titles) if not at or title not in NUMBERS)


def _counter(rows: Rows, titles: list[str], column: int, names: PointNames, *, is_whole: bool) -> int | None:
    """Return the column that names the points, None where the rows are in their order."""
    for title in ("point", names.title):
        if title in titles:
            return titles.index(title)
    others = {at: [fields[at] for _, fields in rows] for at in range(len(titles)) if at != column}
    if names.ids is not None:
        return _id_column(others, names, rows)
    for at, texts in others.items():
        is_named = titles[at] in NUMBERS and (titles[at] == "id" or all(map(WHOLE.fullmatch, texts)))
        is_numbered = is_named or (at == 0 and _is_shuffled(texts))
        if is_numbered and not (counts(texts) or (is_whole and _rise(texts))):
            raise InputError(
                f"{rows[0][0]} and those behind it are numbered in column {at + 1} in an order of their own; name the "
                "points with --id, or sort the rows and leave that column out"
            )
    return None


def _id_column(columns: dict[int, list[str]], names: PointNames, rows: Rows) -> int | None:
    """Return the column with the ids of points, None without any."""
    for at, texts in columns.items():
        if len(texts) == names.n_points and all(text == names[row] for row, text in enumerate(texts)):
            return at
    known = {at: sum(text in names for text in texts) for at, texts in columns.items()}
    likely = [at for at, number in known.items() if 2 * number > len(rows)]
    if len(likely) > 1:
        raise InputError(
            f"{rows[0][0]} and those behind it have ids in the columns {likely[0] + 1} and {likely[1] + 1}; call the "
            "one that names the points id"
        )
    only = [at for at, texts in columns.items() if known[at] or any(as_number(text) is None for text in texts)]
    return next(iter(likely or (only if len(columns) == 1 else ())), None)


def _is_shuffled(texts: Sequence[str]) -> bool:
    """Tell whether texts are the numbers of the rows in another order."""
    return all(map(WHOLE.fullmatch, texts)) and counts([str(number) for number in sorted(map(int, texts))])


def _rise(texts: Sequence[str]) -> bool:
    """Tell whether texts are whole numbers that rise, as of rows that have been chosen from more."""
    return all(map(WHOLE.fullmatch, texts)) and all(int(a) < int(b) for a, b in pairwise(texts))


def _name(label: str, where: str, what: str) -> str:
    """Return a label as it is written, a whole number without decimals; refuse what looks like a measurement."""
    if len(label) > LONGEST_NUMBER or not NUMBER.fullmatch(label):
        return label
    if not float(label).is_integer():
        raise InputError(f"{where} has {quoted(label)} for a label; {NO_DECIMALS.format(what)}")
    return str(int(float(label)))


def _npy_rows(data: bytes, path: PathLike, *_: object) -> tuple[Rows, list[str]]:
    values = parse_npy(data, path)
    if values.ndim != 1:
        raise InputError(f"{path} holds an array of {values.ndim} dimensions; give one label per point")
    return [(f"{path} entry {at}", [written(value)]) for at, value in enumerate(values.tolist())], ["label"]


def _parquet_rows(data: bytes, path: PathLike, *_: object) -> tuple[Rows, list[str]]:
    table = parse_parquet(data, path)
    columns = [column.to_pylist() for column in table.columns]
    rows = [[written(value) for value in row] for row in zip(*columns, strict=True)]
    titles = [str(name).strip().lower() for name in table.column_names]
    return [(f"{path} row {at}", row) for at, row in enumerate(rows)], titles


def _refuse(data: bytes, path: PathLike, *_: object) -> tuple[Rows, list[str]]:
    raise InputError(f"{path} is a file of kind {kind_of(data)}, not labels; give one label per line")


_READERS: dict[str, Callable[[bytes, PathLike, PointNames, int | None], tuple[Rows, list[str]]]] = {
    "text": label_table,
    "npy": _npy_rows,
    "parquet": _parquet_rows,
}
