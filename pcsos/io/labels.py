"""Labels of points from a file: one a line, or the column ``label`` of a table such as pcsos writes."""

import csv

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError
from pcsos.io.source import PathLike, kind_of, quoted, read_bytes, refuse_other_than_text, text_lines

#: What stands for a label that is missing.
MISSING = ("nan", "na", "none", "null", "")
#: Names of the column with the labels, where a header names the columns.
NAMES = ("label", "labels", "cluster", "class")


def read_labels(path: PathLike, n_points: int) -> NDArray[np.str_]:
    """Return the label of each point as it is written.

    Parameters
    ----------
    path : path-like
        Text, gzipped or not: a label a line; or a table with commas, semicolons or blanks, whose column ``label`` (or
        ``cluster``, or else the last one) holds the labels, and whose column ``point``, if there is one, counts from 0.
    n_points : int
        Number of points n.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    data = read_bytes(path)
    if kind_of(data) != "text":
        raise InputError(f"{path} is a file of kind {kind_of(data)}, not labels; give one label a line")
    refuse_other_than_text(data, path)
    rows = [(number, line.strip()) for number, line in enumerate(text_lines(data), 1) if line.strip()]
    if not rows:
        raise InputError(f"{path} holds no labels; give one label a line")
    table = [(number, _fields(line, path)) for number, line in rows]
    names = [field.lower() for field in table[0][1]]
    column, counter = -1, None
    if any(name in names for name in NAMES):
        column = next(names.index(name) for name in NAMES if name in names)
        counter = names.index("point") if "point" in names else None
        table = table[1:]
    width = len(names)
    labels: list[str] = []
    for number, fields in table:
        if len(fields) != width or not fields[column]:
            raise InputError(f"{path} line {number} has {len(fields)} values instead of {width}; give one label a line")
        if counter is not None and fields[counter] != str(len(labels)):
            raise InputError(
                f"{path} line {number} is about point {quoted(fields[counter])} where point {len(labels)} is expected; "
                "sort the rows by point, from 0"
            )
        if fields[column].lower() in MISSING:
            raise InputError(
                f"{path} line {number} has {quoted(fields[column])} for a label; give every point a cluster"
            )
        labels.append(fields[column])
    if len(labels) != n_points:
        raise InputError(f"{path} holds {len(labels)} labels for {n_points} points; give one label a point")
    return np.array(labels)


def _fields(line: str, path: PathLike) -> list[str]:
    """Return the fields of a line."""
    for delimiter in (",", ";", "\t"):
        if delimiter in line:
            if '"' not in line:
                return [field.strip() for field in line.split(delimiter)]
            try:
                return [field.strip() for field in next(csv.reader([line], delimiter=delimiter))]
            except csv.Error as error:
                raise InputError(f"{path} has a line that cannot be read ({error}); give one label a line") from None
    return line.split()
