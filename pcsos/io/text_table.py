"""Points in text files: the benchmark format and CSV in its many dialects.

A compiled parser reads the rows; only if it fails, or finds a value that is not finite, a slow one reads
them again to say where and why.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError
from pcsos.io.columns import Table, kept_columns
from pcsos.io.source import PathLike, quoted, refuse_other_than_text, text_lines

CONSTRAINT_KEYWORDS = ("ML", "CL", "GAMMA", "DELTA")


@dataclass(frozen=True)
class Layout:
    """How a text file is laid out, judged from its first two lines with content.

    Parameters
    ----------
    delimiter : str or None
        What separates values; None for any run of blanks.
    first_row : int
        Number of the line, counted from 1, from which on there are rows.
    num_columns : int
        Values in a row.
    names : tuple of str or None
        Names of the columns, where there is a header.
    announced : (int, int) or None
        Numbers of points and features that a benchmark header announces.
    """

    delimiter: str | None
    first_row: int
    num_columns: int
    names: tuple[str, ...] | None = None
    announced: tuple[int, int] | None = None


def read_text(data: bytes, path: PathLike, ignore: Sequence[str]) -> Table:
    """Return the points of a text file; see :func:`pcsos.io.points.read_points`."""
    refuse_other_than_text(data, path)
    layout = _layout(data, path)
    kept = kept_columns(layout.num_columns, layout.names, ignore, path)
    points = _fast_rows(data, layout, kept)
    if points is None:
        points = _checked_rows(data, layout, kept, path)
    if layout.announced is not None:
        _refuse_other_counts(layout.announced, layout, points.shape[0], path)
    names = None if layout.names is None else tuple(layout.names[column] for column in kept)
    return Table(points, names)


def _layout(data: bytes, path: PathLike) -> Layout:
    head = list(islice(_content_lines(data), 2))
    if not head:
        raise InputError(f"{path} holds no values, only blank or comment lines; give at least one point")
    (number, first), second = head[0], head[1][1] if len(head) > 1 else None
    _refuse_constraints(first, number, path)
    delimiter = _delimiter(first if second is None else second)
    width = len(_split(first if second is None else second, delimiter))
    announced = _announced(data, first, second, width)
    if announced is not None:
        delimiter = None if delimiter == "\t" else delimiter
        width = announced[1] if second is None else len(_split(second, delimiter))
        return Layout(delimiter, number + 1, width, None, announced)
    fields = [first.strip()] if width == 1 and second is not None and delimiter is None else _split(first, delimiter)
    texts = [column for column, field in enumerate(fields) if _number(field) is None]
    if len(texts) == len(fields):
        return _named(fields, width, second, Layout(delimiter, number + 1, width), path)
    if texts:
        raise InputError(
            f"{path} line {number}, column {texts[0] + 1} is {quoted(fields[texts[0]])}, not a number; "
            "correct it, or name every column if the line is a header"
        )
    if len(fields) > 1 and fields == [str(i) for i in range(len(fields))] and not _all_digits(second, delimiter):
        raise InputError(
            f"{path} line {number} counts the columns (0, 1, ...) and may be a header or a point; name "
            "the columns, or write the point with decimals (0.0, 1.0, ...)"
        )
    return Layout(delimiter, number, len(fields))


def _named(fields: list[str], width: int, second: str | None, layout: Layout, path: PathLike) -> Layout:
    header = layout.first_row - 1
    if second is None:
        raise InputError(
            f"{path} holds no rows of numbers, only line {header} ({quoted(','.join(fields))}); add the points"
        )
    if len(fields) != width:
        raise InputError(
            f"{path} line {header} has {len(fields)} column names but the next row has {width} values; "
            "separate names and values by the same delimiter"
        )
    twice = next((name for name, count in Counter(fields).items() if name and count > 1), None)
    if twice is not None:
        raise InputError(f"{path} line {header} has the column name {quoted(twice)} twice; rename one of them")
    return Layout(layout.delimiter, layout.first_row, width, tuple(fields))


def _announced(data: bytes, first: str, second: str | None, width: int) -> tuple[int, int] | None:
    """Return (n, d) if the first line is the header ``n d`` or ``n d k`` of the benchmark format.

    Two or three whole numbers may also be a point. They are a header if rows have another number of values,
    or if d or n fits what follows.
    """
    fields = first.split()
    if len(fields) not in {2, 3} or not all(
        field.isascii() and field.isdigit() and len(field) <= 18 for field in fields
    ):
        return None
    n, d = int(fields[0]), int(fields[1])
    is_header = second is None or width != len(fields) or d == width or n == sum(1 for _ in _content_lines(data)) - 1
    return (n, d) if is_header else None


def _refuse_other_counts(announced: tuple[int, int], layout: Layout, num_rows: int, path: PathLike) -> None:
    n, d = announced
    header = layout.first_row - 1
    if n == 0 or d == 0:
        raise InputError(f"{path} line {header} announces {n} points and {d} features; give at least one of each")
    if d != layout.num_columns:
        raise InputError(
            f"{path} line {header} announces {d} features but the rows have {layout.num_columns} "
            "values; correct the header, or write that line with decimals if it is a point"
        )
    if n != num_rows:
        raise InputError(
            f"{path} line {header} announces {n} points but {num_rows} rows follow; correct the header, "
            "or write that line with decimals if it is a point"
        )


def _fast_rows(data: bytes, layout: Layout, kept: list[int]) -> NDArray[np.float64] | None:
    """Return the kept columns of all rows, or None where a value or a line needs a closer look."""
    if layout.announced is not None and next(_rows(data, layout), None) is None:
        return np.empty((0, layout.num_columns))
    lines = islice(text_lines(data), layout.first_row - 1, None)
    try:
        rows = np.loadtxt(lines, delimiter=layout.delimiter, comments="#", quotechar='"', ndmin=2)
    except ValueError:
        return None
    if rows.shape[1] != layout.num_columns:
        return None
    points = rows if len(kept) == rows.shape[1] else np.ascontiguousarray(rows[:, kept])
    return points if np.isfinite(points).all() else None


def _checked_rows(data: bytes, layout: Layout, kept: list[int], path: PathLike) -> NDArray[np.float64]:
    """Return the same as :func:`_fast_rows`, value by value, or raise for the first that cannot be used."""
    points = []
    for number, fields in _rows(data, layout):
        if len(fields) != layout.num_columns:
            _refuse_ragged(number, len(fields), layout, path)
        row = np.empty(len(kept))
        for position, column in enumerate(kept):
            value = _number(fields[column])
            if value is None or not np.isfinite(value):
                _refuse_value(fields[column], number, column, layout, path)
            row[position] = value
        points.append(row)
    return np.array(points)


def _refuse_ragged(number: int, width: int, layout: Layout, path: PathLike) -> NoReturn:
    if layout.announced is not None and layout.announced[1] == layout.num_columns:
        others = f"line {layout.first_row - 1} announces {layout.num_columns} features"
    else:
        others = f"the lines before have {layout.num_columns}"
    raise InputError(f"{path} line {number} has {width} value{'s' * (width != 1)} but {others}; correct that line")


def _refuse_value(field: str, number: int, column: int, layout: Layout, path: PathLike) -> NoReturn:
    name = f"{column + 1}" if layout.names is None else repr(layout.names[column])
    where = f"{path} line {number}, column {name}"
    if not field:
        raise InputError(f"{where} is empty; remove that row or impute the value")
    if _number(field) is not None:
        raise InputError(f"{where} is {quoted(field)}, not a finite number; remove that row or impute the value")
    if "," in field and layout.delimiter == ";" and _number(field.replace(",", ".")) is not None:
        raise InputError(f"{where} is {quoted(field)} with a decimal comma; write decimal points")
    ignore = column + 1 if layout.names is None else layout.names[column]
    raise InputError(
        f"{where} is {quoted(field)}, not a number; correct it, or leave the column out with --ignore {ignore}"
    )


def _refuse_constraints(first: str, number: int, path: PathLike) -> None:
    word = first.split(maxsplit=1)[0]
    if word in CONSTRAINT_KEYWORDS or word[0] in "{[":
        raise InputError(
            f"{path} line {number} begins with {quoted(word)} like a constraint file; give the points "
            "here and constraints with --constraints"
        )


def _content_lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number, counted from 1, and the text of each line that is neither blank nor a comment."""
    for number, line in enumerate(text_lines(data), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, line.rstrip("\n")


def _rows(data: bytes, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    for number, line in _content_lines(data):
        if number >= layout.first_row:
            yield number, _split(line.split("#", 1)[0], layout.delimiter)


def _delimiter(line: str) -> str | None:
    outside = "".join(line.split('"')[::2])
    if ";" in outside:
        return ";"
    if "," in outside:
        return ","
    columns = outside.strip().split("\t")
    return "\t" if len(columns) > 1 and all(len(column.split()) < 2 for column in columns) else None


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    if '"' in line:
        try:
            return [field.strip() for field in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
        except csv.Error:
            pass
    return [field.strip() for field in line.split(delimiter)]


def _number(field: str) -> float | None:
    """Return the value of a decimal number, or None; ``1_000``, which Python alone reads, is none."""
    try:
        return None if "_" in field else float(field)
    except ValueError:
        return None


def _all_digits(line: str | None, delimiter: str | None) -> bool:
    return line is None or all(field.isdigit() for field in _split(line, delimiter))
