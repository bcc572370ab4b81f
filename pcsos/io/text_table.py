"""Points in text files: the benchmark format and CSV in its many dialects.

A compiled parser reads the rows; only if it fails, or finds a value that is not finite, a slow one reads
them again to say where and why.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NoReturn

import numpy as np

from pcsos.exceptions import InputError, quoted
from pcsos.io.columns import Roles, Table, find_id_column, find_shown_columns, is_all, kept_columns, table_of
from pcsos.io.fields import as_number, delimiter_of, has_decimal_comma, split, value_of
from pcsos.io.first_line import is_doubtful, why_names
from pcsos.io.source import PathLike, refuse_other_than_text, text_lines
from pcsos.typing import Floats

#: How a line of a file with constraints begins.
CONSTRAINT = re.compile(r"[{\[]|(ML|CL|GAMMA|DELTA)[\s,;]+[-+.\d]", re.IGNORECASE)

#: How programs write that a value is missing.
MISSING = frozenset({"na", "n/a", "#n/a", "nil", "none", "null", "missing", "?", "-", "."})

#: How a number begins that nobody can read as one: after a mark at the start of a file, a currency, a sign or a quote.
LIKE_NUMBER = re.compile("[\ufeff\\s\"'$€£(+\u2212-]*[.,]?\\d")
#: What spreadsheets write for a value that they cannot compute.
SPREADSHEET_ERROR = re.compile(rb"#(?:N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)")

#: A number in groups of three digits, which with one comma may also have three decimals.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")

#: How to settle what the first line is.
OPTIONS = "say --header if the line names the columns, --no-header if it is a point (in Python header=True or False)"


@dataclass(frozen=True)
class Layout:
    """How a text file is laid out, judged from its first lines with content.

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


def read_text(
    data: bytes,
    path: PathLike,
    roles: Roles,
    header: bool | None = None,
    *,
    decimal: str = ".",
    doubt: bool = True,
) -> Table:
    """Return the points of a text file; see :func:`pcsos.io.points.read_points`.

    With ``doubt``, a first line of numbers that may name the columns is refused unless ``header`` settles it.
    """
    refuse_other_than_text(data, path)
    _refuse_spreadsheet_errors(data, path)
    if decimal == ",":
        data = _with_decimal_points(data, path)
    layout = _layout(data, path, header)
    kept = kept_columns(layout.num_columns, layout.names, roles, path)
    values = _fast_rows(data, layout, kept)
    if values is None:
        values = _checked_rows(data, layout, kept, path, roles)
    if layout.announced is not None:
        _refuse_other_counts(layout.announced, layout, values.shape[0], path)
    remark = ""
    if doubt and header is None and layout.names is None and layout.announced is None:
        remark = _doubt(data, layout, values, path)
    names = None if layout.names is None else [layout.names[column] for column in kept]
    id_column = find_id_column(layout.num_columns, layout.names, roles, path)
    ids = None if id_column is None else _fields_of(data, layout, id_column, path)
    at = find_shown_columns(layout.num_columns, layout.names, roles, path)
    shown = {name: _fields_of(data, layout, column, path) for name, column in at.items()}
    return table_of(values, names, roles, path, partial(_place, data, layout), remark, ids, shown)


def _layout(data: bytes, path: PathLike, header: bool | None = None) -> Layout:
    head = list(islice(_content_lines(data), 3))
    told = _told_delimiter(head, path)
    head = head[1:] if told else head[:2]
    if not head:
        raise InputError(f"{path} holds no values, only blank or comment lines; give at least one point")
    (number, first), second = head[0], head[1][1] if len(head) > 1 else None
    if header is None:
        _refuse_constraints(first, number, path)
    delimiter = told or delimiter_of(first if second is None else second)
    width = len(split(first if second is None else second, delimiter))
    announced = None if told else _announced(data, first, second, width)
    if announced is not None and header is not None and width != len(first.split()):
        raise InputError(
            f"{path} line {number} announces points and features, which is neither a point nor names of columns; "
            "leave out --header and --no-header (in Python header=None)"
        )
    if announced is not None and header is None:
        delimiter = None if delimiter == "\t" else delimiter
        width = announced[1] if second is None else len(split(second, delimiter))
        return Layout(delimiter, number + 1, width, None, announced)
    fields, delimiter = _first_fields(first, second, delimiter, width)
    texts = [column for column, field in enumerate(fields) if value_of(field) is None]
    if texts and header is not True and any(has_decimal_comma(field) for field in fields):
        raise InputError(f"{path} line {number} ({quoted(first)}) has a decimal comma; say --decimal , or write points")
    if header is None and len(texts) == len(fields) and all(map(_may_be_value, fields)):
        raise InputError(
            f"{path} line {number} ({quoted(first)}) may be a point whose values are missing or no plain numbers, or "
            "name the columns; correct the values, or say --header if they are names (in Python header=True)"
        )
    if header is True or (header is None and len(texts) == len(fields)):
        return _named(fields, width, second, Layout(delimiter, number + 1, width), path)
    if texts and (header is None or len(texts) == len(fields)):
        raise InputError(
            f"{path} line {number}, column {texts[0] + 1} is {quoted(fields[texts[0]])}, not a number; correct it, or "
            f"{OPTIONS}"
        )
    num_others = sum(1 for _ in _content_lines(data)) - 1
    if header is None and num_others > 1 and fields == [str(num_others), str(width)]:
        raise InputError(
            f"{path} line {number} ({quoted(first)}) counts the rows and columns that follow, so it may be a header or "
            "a point; write the header with a blank (n d), or say --no-header if it is a point (in Python header=False)"
        )
    return Layout(delimiter, number, len(fields))


def _with_decimal_points(data: bytes, path: PathLike) -> bytes:
    """Return the text with a decimal point in place of each comma before a digit."""
    for number, line in _content_lines(data):
        if line.count(",") > 1 and not re.search(r"[;\s]", line.strip()):
            raise InputError(
                f"{path} line {number} ({quoted(line)}) has commas between its values, so that decimal commas cannot "
                "be distinguished from them; separate the values by semicolons or tabs"
            )
    return re.sub(rb",(?=\d)", b".", data)


def _told_delimiter(head: list[tuple[int, str]], path: PathLike) -> str | None:
    """Return the delimiter that a first line ``sep=;``, as spreadsheets write it, tells."""
    match = re.fullmatch(r'\s*"?sep=(.?)"?\s*', head[0][1], re.IGNORECASE) if head else None
    if match is None:
        return None
    told = match.group(1)
    if told not in {";", ",", "\t"}:
        raise InputError(
            f"{path} line {head[0][0]} says that {told!r} separates the values; use semicolon, comma or tab"
        )
    return told


def _first_fields(first: str, second: str | None, delimiter: str | None, width: int) -> tuple[list[str], str | None]:
    """Return the values of the first line, and the delimiter of the file.

    Above a single column, blanks are part of its name, but other delimiters, or several numbers, make several values.
    """
    if width > 1 or delimiter is not None or second is None:
        return split(first, delimiter), delimiter
    own = delimiter_of(first)
    fields = split(first, own)
    if own is None and any(as_number(field) is None for field in fields):
        return [first.strip().strip('"')], None
    return fields, own


def _doubt(data: bytes, layout: Layout, values: Floats, path: PathLike) -> str:
    """Refuse a first line that may name the columns, and return a remark on one that hardly does."""
    number, first = next(line for line in _content_lines(data) if line[0] >= layout.first_row)
    first = first.split("#", 1)[0].strip()
    fields = split(first, layout.delimiter)
    if any(as_number(field) is None for field in fields):
        return ""
    others = (line.split("#", 1)[0] for number, line in _content_lines(data) if number > layout.first_row)
    why = why_names(first, fields, others, values[1:])
    if why:
        raise InputError(f"{path} line {number} ({quoted(first)}) {why}, so it may name the columns; {OPTIONS}")
    return (
        f"{path} line {number} ({quoted(first)}) is read as a point; {OPTIONS}"
        if is_doubtful(fields, values[1:])
        else ""
    )


def _place(data: bytes, layout: Layout, row: int) -> str:
    """Return where a row is."""
    return f"line {next(islice(_rows(data, layout), row, None))[0]}"


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


def _fast_rows(data: bytes, layout: Layout, kept: list[int]) -> Floats | None:
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
    points = rows if is_all(kept, rows) else np.ascontiguousarray(rows[:, kept])
    return points if np.isfinite(points).all() else None


def _checked_rows(data: bytes, layout: Layout, kept: list[int], path: PathLike, roles: Roles) -> Floats:
    """Return the same as :func:`_fast_rows`, value by value, or raise for the first that cannot be used."""
    points, first = [], None
    for number, fields in _rows(data, layout):
        if len(fields) != layout.num_columns:
            _refuse_ragged(number, len(fields), layout, path)
        row = np.empty(len(kept))
        for position, column in enumerate(kept):
            value = value_of(fields[column])
            if value is None or not np.isfinite(value):
                may_name = _may_name(data, layout, column, roles)
                _refuse_value(fields, number, column, kept, layout, path, roles.remedy, may_name)
            row[position] = value
        points.append(row)
        _refuse_mixed(fields, number, first or fields, kept, layout, path)
        first = first or fields
    return np.array(points)


def _refuse_mixed(
    fields: list[str], number: int, first: list[str], kept: list[int], layout: Layout, path: PathLike
) -> None:
    """Refuse a row in which a column is true or false that holds a number in the first one, or the other way round."""
    for column in kept:
        if (as_number(fields[column]) is None) != (as_number(first[column]) is None):
            name = f"{column + 1}" if layout.names is None else repr(layout.names[column])
            raise InputError(
                f"{path} line {number}, column {name} is {quoted(fields[column])}, but {quoted(first[column])} in the "
                "first row; write 1 and 0, or true and false, throughout"
            )


def _refuse_ragged(number: int, width: int, layout: Layout, path: PathLike) -> NoReturn:
    if layout.announced is not None and layout.announced[1] == layout.num_columns:
        others = f"line {layout.first_row - 1} announces {layout.num_columns} features"
    else:
        others = f"the lines before have {layout.num_columns}"
    raise InputError(f"{path} line {number} has {width} value{'s' * (width != 1)} but {others}; correct that line")


def _may_name(data: bytes, layout: Layout, column: int, roles: Roles) -> bool:
    """Tell whether the values of a column may be the ids of the points: different texts, where no other column is."""
    if roles.ids is not None or roles.remedy:
        return False
    values = [fields[column] for _, fields in _rows(data, layout) if len(fields) == layout.num_columns]
    return len(set(values)) == len(values) > 1 and all(value and as_number(value) is None for value in values)


def _refuse_value(
    fields: list[str],
    number: int,
    column: int,
    kept: list[int],
    layout: Layout,
    path: PathLike,
    remedy: str,
    may_name: bool,
) -> NoReturn:
    field = fields[column]
    name = f"{column + 1}" if layout.names is None else repr(layout.names[column])
    where = f"{path} line {number}, column {name}"
    if not field:
        raise InputError(f"{where} is empty; remove that row or impute the value")
    if as_number(field) is not None:
        raise InputError(f"{where} is {quoted(field)}, not a finite number; remove that row or impute the value")
    if field.lower() in MISSING:
        raise InputError(f"{where} is {quoted(field)}, a missing value; remove that row or impute the value")
    if THOUSANDS.fullmatch(field):
        raise InputError(
            f"{where} is {quoted(field)}; write {field.replace(',', '')} if the comma parts thousands, or say "
            "--decimal , if it stands before the decimals"
        )
    if has_decimal_comma(field):
        raise InputError(f"{where} is {quoted(field)} with a decimal comma; say --decimal , or write points")
    if layout.delimiter is not None and all(as_number(part) is not None for part in field.split()):
        raise InputError(f"{where} is {quoted(field)}; write one delimiter between values, and decimal points")
    if remedy:
        raise InputError(f"{where} is {quoted(field)}, not a number; {remedy}")
    texts = [at for at in kept if fields[at] and fields[at].lower() not in MISSING and as_number(fields[at]) is None]
    names = [str(at + 1) if layout.names is None else layout.names[at] for at in texts]
    ignore = " ".join(f"--ignore {shlex.quote(name)}" for name in names)
    remedy = f"leave the column{'s' * (len(texts) > 1)} out with {ignore}"
    if may_name:
        own = str(column + 1) if layout.names is None else layout.names[column]
        remedy += f", or say --id {shlex.quote(own)} if column {name} names the points"
    raise InputError(f"{where} is {quoted(field)}, not a number; correct it, or {remedy}")


def _refuse_constraints(first: str, number: int, path: PathLike) -> None:
    if CONSTRAINT.match(first.strip()):
        word = re.split(r"[\s,;]", first.strip(), maxsplit=1)[0]
        raise InputError(
            f"{path} line {number} begins with {quoted(word)} like a constraint file; give the points "
            "here and constraints with --constraints"
        )


def _fields_of(data: bytes, layout: Layout, column: int, path: PathLike) -> list[str]:
    """Return what a column holds, as text."""
    found = []
    for number, fields in _rows(data, layout):
        if column >= len(fields):
            raise InputError(
                f"{path} line {number} has no column {column + 1}; remove line ends within quotes of the line before"
            )
        found.append(fields[column])
    return found


def _may_be_value(field: str) -> bool:
    """Tell whether a field that is no number may stand for one: it is missing, or begins like one."""
    return field.strip().lower() in MISSING or LIKE_NUMBER.match(field) is not None


def _refuse_spreadsheet_errors(data: bytes, path: PathLike) -> None:
    """Refuse what spreadsheets write for a value that they cannot compute; it looks like a comment."""
    for match in SPREADSHEET_ERROR.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        if b"#" not in data[start : match.start()]:
            number = data.count(b"\n", 0, start) + 1
            raise InputError(
                f"{path} line {number} has {match.group().decode()}, an error of a spreadsheet; remove that row or "
                "impute the value"
            )


def _content_lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number, counted from 1, and the text before any comment of each line that has some."""
    for number, line in enumerate(text_lines(data), 1):
        text = line.split("#", 1)[0]
        if text.strip():
            yield number, text.rstrip("\n")


def _rows(data: bytes, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    for number, line in _content_lines(data):
        if number >= layout.first_row:
            yield number, split(line.split("#", 1)[0], layout.delimiter)
