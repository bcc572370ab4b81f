"""Labels of points in files: CSV, NumPy or Parquet as pcsos writes them, or text with one label per line."""

import csv
import importlib.util
import io
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError, quoted
from pcsos.io.arrays import parse_npy, written
from pcsos.io.parquet import parse_parquet
from pcsos.io.source import PathLike, kind_of, name_of, read_bytes, refuse_other_than_text, text_lines
from pcsos.typing import Indices
from pcsos.validation.cluster_names import NO_DECIMALS, refuse_noise
from pcsos.validation.names import PointNames

#: What stands for a label that is missing.
MISSING = ("nan", "na", "none", "null", "")
#: A number with decimals, or with an exponent.
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+\.?\d*[eE][+-]?\d+)([eE][+-]?\d+)?")
WHOLE = re.compile(r"-?\d{1,9}")
#: Names of the column with the labels, where a header names the columns.
NAMES = ("label", "labels", "cluster", "class", "group", "groups")


def labels_text(labels: Sequence[int] | None, names: PointNames) -> str:
    """Return the labels as CSV with the header ``point,label`` or ``id,label``; no rows without a partition."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow((names.title, "label"))
    rows.writerows((names[point], label) for point, label in enumerate(labels or ()))
    return stream.getvalue()


def labels_data(path: PathLike, labels: Sequence[int] | None, names: PointNames) -> bytes | None:
    """Return the labels as NumPy or Parquet where the ending of the path asks for it, or None: they are to be CSV."""
    kind, stream = Path(path).suffix.lower(), io.BytesIO()
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


def check_labels_output(option: str, path: PathLike | None) -> None:
    """Raise an :class:`InputError` for an ending that cannot be written here."""
    if path is None or Path(path).suffix.lower() != ".parquet":
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
        semicolons or blanks, or Parquet, whose column ``label`` (or another of :data:`NAMES`, or else the last one)
        holds the labels, and whose column ``point`` or ``id``, if there is one, names the points in their order; or an
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
    rows = _entries(path, names, what)
    path = name_of(path)
    labels: list[str] = []
    for where, called, label in rows:
        if len(labels) == n_points:
            raise InputError(f"{path} holds {len(rows)} labels for {n_points} points; give one label per point")
        if called is not None and called != names[len(labels)]:
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
    for row, (where, called, label) in enumerate(_entries(path, names, "cluster")):
        if not WHOLE.fullmatch(label):
            raise InputError(f"{where} has {quoted(label)} for a label; give the numbers that clusters are to keep")
        if called is None and row == names.n_points:
            raise InputError(f"{where} is a label for point {row + 1} of {row}; give labels of these points, or --id")
        if called is None or names.ids is None or called in names:
            clusters[row if called is None else names.index(called, where)] = int(label)
    return clusters


def _entries(path: PathLike, names: PointNames, what: str) -> list[tuple[str, str | None, str]]:
    """Return where each label stands, what the file calls its point, if it does, and the label."""
    data = read_bytes(path)
    rows, titles = _READERS.get(kind_of(data), _refuse)(data, name_of(path))
    column, counter = -1, None
    if any(title in titles for title in NAMES):
        column = next(titles.index(title) for title in NAMES if title in titles)
        counter = next((titles.index(title) for title in ("point", names.title) if title in titles), None)
    found = []
    for where, fields in rows:
        if len(fields) != len(titles):
            raise InputError(f"{where} has {len(fields)} values instead of {len(titles)}; give one label per line")
        if not fields[column]:
            raise InputError(f"{where} has no label; give every point a {what}")
        if fields[column].lower() in MISSING:
            raise InputError(f"{where} has {quoted(fields[column])} for a label; give every point a {what}")
        called = None if counter is None else fields[counter]
        found.append((where, called, _name(fields[column], where, what)))
    return found


def _name(label: str, where: str, what: str) -> str:
    """Return a label as it is written, a whole number without decimals; refuse what looks like a measurement."""
    if not NUMBER.fullmatch(label):
        return label
    if not float(label).is_integer():
        raise InputError(f"{where} has {quoted(label)} for a label; {NO_DECIMALS.format(what)}")
    return f"{float(label):.0f}"


#: Where a row is, and its fields.
Rows = list[tuple[str, list[str]]]


def _text_rows(data: bytes, path: PathLike) -> tuple[Rows, list[str]]:
    """Return the rows of a text, and the titles of its columns in small letters (any fields where there are none)."""
    refuse_other_than_text(data, path)
    lines = [(number, line.strip()) for number, line in enumerate(text_lines(data), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path} holds no labels; give one label per line")
    table = [(f"{path} line {number}", _fields(line, path)) for number, line in lines]
    titles = [field.lower() for field in table[0][1]]
    return table[1:] if any(title in titles for title in NAMES) else table, titles


def _npy_rows(data: bytes, path: PathLike) -> tuple[Rows, list[str]]:
    values = parse_npy(data, path)
    if values.ndim != 1:
        raise InputError(f"{path} holds an array of {values.ndim} dimensions; give one label per point")
    return [(f"{path} entry {at}", [written(value)]) for at, value in enumerate(values.tolist())], ["label"]


def _parquet_rows(data: bytes, path: PathLike) -> tuple[Rows, list[str]]:
    table = parse_parquet(data, path)
    columns = [column.to_pylist() for column in table.columns]
    rows = [[written(value) for value in row] for row in zip(*columns, strict=True)]
    return [(f"{path} row {at}", row) for at, row in enumerate(rows)], [
        str(name).lower() for name in table.column_names
    ]


def _refuse(data: bytes, path: PathLike) -> tuple[Rows, list[str]]:
    raise InputError(f"{path} is a file of kind {kind_of(data)}, not labels; give one label per line")


_READERS = {"text": _text_rows, "npy": _npy_rows, "parquet": _parquet_rows}


def _fields(line: str, path: PathLike) -> list[str]:
    """Return the fields of a line."""
    for delimiter in (",", ";", "\t"):
        if delimiter in line:
            if '"' not in line:
                return [field.strip() for field in line.split(delimiter)]
            try:
                return [field.strip() for field in next(csv.reader([line], delimiter=delimiter))]
            except csv.Error as error:
                raise InputError(f"{path} has a line that cannot be read ({error}); give one label per line") from None
    return line.split()
