"""Labels of points in files: CSV, NumPy or Parquet as pcsos writes them, or text with one label per line."""

import csv
import importlib.util
import io
import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Indices
from pcsos.io.arrays import parse_npy, written
from pcsos.io.columns import INDEX_NAMES
from pcsos.io.fields import MISSING, are_numbers, delimiter_of, is_comment, records, told_delimiter
from pcsos.io.foreign import refuse_binary
from pcsos.io.outputs import GZIP_SUFFIX
from pcsos.io.parquet import parse_parquet
from pcsos.io.source import PathLike, kind_of, name_of, read_bytes, refuse_other_than_text, text_lines
from pcsos.problem.validation.cluster_names import NO_DECIMALS, refuse_noise
from pcsos.problem.validation.names import PointNames
from pcsos.verify.reading.text import number_of

#: Names of the column with the labels, and of one that may number the rows, in small letters.
NAMES = ("label", "labels", "cluster", "class", "group", "groups")
NUMBERS = ("id", "idx", "index", "row_id", "rownames", *(name.lower() for name in INDEX_NAMES))
#: A label that counts, as clusters are counted, and a number with decimals or an exponent, none of which is so long.
WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+\.?\d*[eE][+-]?\d+)([eE][+-]?\d+)?", re.ASCII)
LONGEST_NUMBER = 400
#: Endings of files that labels are not written as.
OTHERS = {".feather", ".h5", ".json", ".mat", ".npz", ".ods", ".pkl", ".xls", ".xlsx"}


class Row(NamedTuple):
    """Where a row is, its first line, and its fields."""

    where: str
    text: str
    fields: Sequence[str]


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
    ending = "" if path is None else _ending(path)
    if ending in OTHERS:
        raise InputError(f"{option} {path} is written as CSV, .npy or .parquet, not as {ending}; give another ending")
    if ending == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise InputError(f"{option} {path} needs pyarrow; install pcsos[parquet], or write .csv or .npy")


def read_labels(
    path: PathLike, n_points: int, names: PointNames | None = None, *, may_lack: bool = False, what: str = "cluster"
) -> NDArray[np.str_]:
    """Return the label of each point as it is written.

    Parameters
    ----------
    path : path-like
        ``-`` for standard input, or a file, gzipped or not: text with one label per line; a table with commas,
        semicolons, tabs or blanks, or Parquet, whose column ``label`` (or another of
        :data:`pcsos.io.labels.NAMES`, or behind numbers the last one) holds the labels, and whose column ``point``
        or ``id``, or another one with the ids of points, if there is one, names the points in their order; or an
        ``.npy`` array.
    n_points : int
        Number of points n.
    names : PointNames, optional
        What the file calls the points; their indices, from 0, unless given.
    may_lack : bool
        Whether -1 stands for no cluster, or none that is known; otherwise it is refused beside a 0, as DBSCAN's noise.
    what : str
        What they are labels of, in the singular; only those of clusters may be noise.
    """
    names = names or PointNames(n_points)
    rows = _entries(path, names, what, n_points)
    path = name_of(path)
    if len(rows) != n_points:
        name = f", and call it label if {quoted(rows[0][2])} names the column" if len(rows) == n_points + 1 else ""
        raise InputError(f"{path} holds {len(rows)} labels for {n_points} points; give one label per point{name}")
    for point, (where, called, _) in enumerate(rows):
        if called is not None and called.split() != names[point].split():  # not every white space comes back
            raise InputError(
                f"{where} is about point {quoted(called)} where point {names[point]} is expected; sort the rows by "
                f"point, from {names[0]}"
            )
    labels = [label for _, _, label in rows]
    if not may_lack and what == "cluster":
        refuse_noise(labels, lambda row: f"{rows[row][0]}: the label")
    return np.array(labels)


def read_earlier_labels(path: PathLike, names: PointNames) -> Indices:
    """Return the cluster that each point had in an earlier file of labels, shape (n,), and -1 where it had none.

    The file is as :func:`read_labels` takes it, with whole numbers, of these points or of some of them: of those that
    its column ``point`` or ``id`` names, or else of the first ones. Ids that no point has any more are left out.
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


def _entries(
    path: PathLike, names: PointNames, what: str, n_rows: int | None = None
) -> list[tuple[str, str | None, str]]:
    """Return where each label stands, what the file calls its point, if it does, and the label."""
    data = read_bytes(path)
    path, kind = name_of(path), kind_of(data)
    refuse_binary(data, path)
    if kind == "npy":
        rows, titles = _array_rows(data, path), ["label"]
    elif kind == "parquet":
        rows, titles = _parquet_rows(data, path)
    elif kind == "text":
        rows, titles = _text_rows(data, path, n_rows)
    else:
        raise InputError(f"{path} is a file of kind {kind}, not labels; give one label per line")
    for row in rows:
        if len(row.fields) != len(titles) == 1:
            raise InputError(
                f"{row.where} ({quoted(row.text)}) may be one label or several values; put quotation marks around a "
                "label, or name the columns in the first line, the one with the labels label"
            )
        if len(row.fields) != len(titles):
            values = number_of(len(row.fields), "value")
            raise InputError(f"{row.where} has {values} instead of {len(titles)}; give one label per line")
    wanted = ("group", "groups", *NAMES) if what == "group" else NAMES
    named = [titles.index(name) for name in wanted if name in titles]
    column = named[0] if named else max(at for at, title in enumerate(titles) if not at or title not in NUMBERS)
    naming = _naming_column(rows, titles, column, names, is_whole=n_rows is not None)
    return [
        (row.where, None if naming is None else row.fields[naming], _label(row.fields[column], row.where, what))
        for row in rows
    ]


def _array_rows(data: bytes, path: PathLike) -> list[Row]:
    values = parse_npy(data, path)
    if values.ndim != 1:
        raise InputError(f"{path} holds an array of {values.ndim} dimensions; give one label per point")
    return [Row(f"{path} entry {at}", "", [written(value)]) for at, value in enumerate(values.tolist())]


def _parquet_rows(data: bytes, path: PathLike) -> tuple[list[Row], list[str]]:
    table = parse_parquet(data, path)
    rows = zip(*(map(written, column.to_pylist()) for column in table.columns), strict=True)
    titles = [str(name).strip().lower() for name in table.column_names]
    return [Row(f"{path} row {at}", "", row) for at, row in enumerate(rows)], titles


def _text_rows(data: bytes, path: PathLike, n_rows: int | None) -> tuple[list[Row], list[str]]:
    """Return the rows of a text with labels, and the titles of its columns in small letters."""
    refuse_other_than_text(data, path)
    lines = [*dropwhile(lambda line: not line[1].strip() or is_comment(line[1]), enumerate(text_lines(data), 1))]
    told = told_delimiter(lines[0][1]) if lines else None
    lines = lines[told is not None :]
    head = [line for _, line in lines[:9] if line.strip()]
    delimiter = told or next(filter(None, (delimiter_of(head[at:]) for at in range(len(head[:2])))), None)
    found = records(lines, delimiter, path, has_comments=False)
    rows = [Row(f"{path} line {number}", text, fields) for number, text, fields in found if any(fields)]
    if not rows:
        raise InputError(f"{path} holds no labels; give one label per line")
    titles, below = [field.lower() for field in rows[0].fields], rows[1:]
    is_short = below and all(len(row.fields) == len(titles) + 1 for row in below)
    is_clear = delimiter != "," or len(titles) == 1 or any(title in NAMES for title in titles)  # no decimal commas
    if is_short and is_clear and all(row.text.startswith('"') for row in rows):  # as R writes names of rows
        return below, ["", *titles]
    return (below, titles) if _are_titles(rows, titles, n_rows) else (rows, [NAMES[0]])


def _are_titles(rows: Sequence[Row], titles: Sequence[str], n_rows: int | None) -> bool:
    """Return whether the first row names the columns: one of the labels, or a first one of row numbers without a name.

    Any other name is one where there is a line too many, and whole numbers stand below it.
    """
    if any(title in NAMES for title in titles) or (len(titles) > 1 and not titles[0]):
        return True
    is_over = len(rows) - 1 == n_rows and not are_numbers(titles[-1:])
    return is_over and all(len(row.fields) == len(titles) and WHOLE.fullmatch(row.fields[-1]) for row in rows[1:])


def _naming_column(
    rows: Sequence[Row], titles: list[str], column: int, names: PointNames, *, is_whole: bool
) -> int | None:
    """Return the column that names the points, None where the rows are in their order."""
    for title in ("point", names.title):
        if title in titles and not (title != names.title and _counts_rows(rows, titles.index(title), names)):
            return titles.index(title)
    others = {at: [row.fields[at] for row in rows] for at in range(len(titles)) if at != column}
    if names.ids is not None:
        return _id_column(others, names, rows)
    for at, texts in others.items():
        are_whole = all(map(WHOLE.fullmatch, texts))
        counts = any(texts == [str(row) for row in range(first, first + len(texts))] for first in (0, 1))
        is_in_order = counts or (is_whole and are_whole and all(int(a) < int(b) for a, b in pairwise(texts)))
        if titles[at] in NUMBERS and (are_whole or titles[at] == "id") and not is_in_order:
            raise InputError(
                f"{rows[0].where} and those behind it are numbered in column {at + 1} in an order of their own; name "
                "the points with --id, or sort the rows and leave that column out"
            )
    return None


def _counts_rows(rows: Sequence[Row], column: int, names: PointNames) -> bool:
    """Return whether a column ``point`` beside ids counts the rows from 0, as pcsos does; refuse what may be ids."""
    counted = [row.fields[column] for row in rows]
    if counted != [str(row) for row in range(len(rows))] or counted == [*map(str, names.labels)][: len(rows)]:
        return False
    if any(text in names for text in counted):
        raise InputError(f"{rows[0].where} and those behind it may count points or name their ids; call the column id")
    return True


def _id_column(columns: dict[int, list[str]], names: PointNames, rows: Sequence[Row]) -> int | None:
    """Return the column with the ids of points, None without any."""
    exact = [at for at, texts in columns.items() if texts == list(map(str, names.labels))]
    known = {at: sum(text in names for text in texts) for at, texts in columns.items()}
    likely = [at for at, number in known.items() if 2 * number > len(rows)]
    if not exact and len(likely) > 1:
        both = " and ".join(str(at + 1) for at in likely[:2])
        raise InputError(f"{rows[0].where} and others have ids in columns {both}; call the one that names points id")
    only = [at for at, texts in columns.items() if len(columns) == 1 and (known[at] or not are_numbers(texts))]
    return next(iter(exact or likely or only), None)


def _label(label: str, where: str, what: str) -> str:
    """Return a label as it is written, a whole number without decimals; refuse what looks like a measurement."""
    words = list(filter(None, re.split(r"[\s,;]+", label)))
    if label.lower() in MISSING:
        raise InputError(f"{where} has {quoted(label)} for a label; give every point a {what}")
    if len(words) > 1 and are_numbers(words):
        raise InputError(f"{where} has the numbers {quoted(label)} for a label; give one label per line")
    if len(label) > LONGEST_NUMBER or not NUMBER.fullmatch(label):
        return label
    if not float(label).is_integer():
        raise InputError(f"{where} has {quoted(label)} for a label; {NO_DECIMALS.format(what)}")
    return str(int(float(label)))
