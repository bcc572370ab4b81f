"""Points in text files: the rows of the benchmark format and of CSV.

A compiled parser reads the rows; only if it fails, or finds a value that is not finite, a slow one reads
them again to say where and why.
"""

import math
import re
import shlex
from collections.abc import Iterator
from decimal import Context, Decimal
from functools import partial
from itertools import islice
from typing import NoReturn

import numpy as np

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats
from pcsos.io.columns import Columns, Roles, Table, is_all
from pcsos.io.fields import MISSING, SPREADSHEET_ERROR, TRUTHS, are_numbers, as_number, is_comment
from pcsos.io.foreign import refuse_text
from pcsos.io.layout import TextFile, text_file, used_columns
from pcsos.io.source import BOM, LINE_END, PathLike, refuse_other_than_text, text_lines
from pcsos.problem.validation.rounding import may_be_rounded, off_by_rounding, show_rounding
from pcsos.verify.reading.text import number_of

#: Blanks that are no white space of a text, and stand in a number between thousands.
WIDE_BLANK = re.compile(r"[^\S\t\n\v\f\r ]")
#: More digits, and a decimal mark, than those that any double can be told from others by; or exponents that may vanish.
LONG = {mark: re.compile(rb"[0-9%b]{17}|[eE]-[0-9]{3}" % mark.encode()) for mark in ".,"}
#: Digits of numbers that are looked at exactly: with as many, any two doubles and what is between them are told apart.
DIGITS = Context(prec=800, Emin=-1200, Emax=400)

WHOLE = re.compile(r"[+-]?\d+")
#: A number in groups of three digits, which with one comma may also have three decimals.
THOUSANDS = rb"[+-]?[1-9]\d{0,2}(?:%b\d{3})+(?:%b\d*)?"
COMMAS, BLANKS = THOUSANDS % (b",", rb"\."), THOUSANDS % (b" ", b"[.,]")
#: Lines of one number each in which commas or blanks seem to separate values, by the delimiter and the decimal mark:
#: all are like the first pattern, and one begins like the second, as hardly anybody would write several numbers.
ONE_NUMBER = {
    (",", "."): (
        (rb"[+-]?\d+,\d+", rb"[+-]0,|[+-]?\d+,0\d"),
        (rb"0,\d+", rb"0,\d\d"),
        (COMMAS, rb"[^#\n]*\."),
    ),
    (None, "."): ((BLANKS, rb"[^#\n]*\."),),
    (None, ","): ((BLANKS, rb"[^#\n]*,"),),
}

#: How to settle what the first line is.
OPTIONS = "say --header if the line names the columns, --no-header if it is a point (in Python header=True or False)"
#: Lines that are looked at to judge the first one, and the part of them that has to be of another kind than it.
HEAD, COMMON = 30, 0.2
#: Rows from which on the only one with a text in a column is odd, not the column.
CLEAR = 4
#: Values that are taken for years, and columns from which on rising or falling values are a sequence.
YEARS, MANY = (1800, 2100), 6
#: What may be peculiar about names that are numbers, in the order of :func:`_peculiarities`.
PECULIARITIES = (
    "looks like years",
    "is a sequence, unlike the others",
    "has quoted values, unlike the others",
    "has whole numbers above decimals",
)


def read_text(data: bytes, path: PathLike, roles: Roles, header: bool | None, decimal: str) -> Table:
    """Return the points of a text file; see :func:`pcsos.io.points.read_points`."""
    refuse_other_than_text(data, path)
    refuse_text(data, path)
    file = text_file(data, path, roles, header, decimal)
    columns = Columns.of(file.num_columns, file.names, roles, path)
    _refuse_rows_like_comments(file, columns)
    _refuse_half_quoted(file)
    if file.is_headless and roles == Roles():
        _refuse_one_number_a_line(file)
    values = _fast_rows(file, columns.kept)
    if values is None:
        values = _checked_rows(file, columns.kept, roles, is_settled=header is not None)
    if file.announced is not None:
        _refuse_other_counts(file.announced, file, len(values))
    is_in_doubt = file.is_headless and header is None and not roles.are_weights
    remark = _doubt(file, roles, len(values)) if is_in_doubt else ""
    texts = {column: file.column(column) for column in columns.texts}
    if roles.have_weights and LONG[file.decimal].search(file.data):
        show_rounding(values[:, -1], lambda: _decimals(file, columns.kept[-1]))
    off = partial(_off, file, values, columns.features)
    return columns.table(values, texts, path, off, lambda row: f"line {file.line_of(row)}", remark)


def _off(file: TextFile, values: Floats, features: list[int]) -> float:
    """Return at least the distance of any point from the decimals of the file."""

    def where(row: int, column: int) -> str:
        return file.where(file.line_of(row), features[column])

    points = values[:, : len(features)]
    is_long = LONG[file.decimal].search(file.data) is not None
    is_in_doubt = np.full(points.shape, True) if is_long else may_be_rounded(points)
    return off_by_rounding(
        points, is_in_doubt, lambda column: _decimals(file, features[column]), where, may_coincide=is_long
    )


def _decimals(file: TextFile, column: int) -> list[Decimal]:
    """Return the numbers of a column as they are written."""
    fields = (field.replace(file.decimal, ".") for field in file.column(column))
    return [DIGITS.create_decimal(TRUTHS.get(field.lower(), field)) for field in fields]


def _fast_rows(file: TextFile, kept: list[int]) -> Floats | None:
    """Return the kept columns of all rows, or None where a value or a line needs a closer look."""
    if next(file.rows(), None) is None:
        return np.empty((0, file.num_columns))
    if _is_beyond_parser(file):
        return None
    plain = file.data.replace(b",", b".") if file.decimal == "," else file.data
    lines: Iterator[str] = islice(text_lines(plain), file.first_row - 1, None)
    if b"#" in file.data:
        lines = (line for line in lines if not is_comment(line))
    try:
        rows = np.loadtxt(lines, delimiter=file.delimiter, comments=None, quotechar='"', ndmin=2)
    except ValueError:
        return None
    if rows.shape[1] != file.num_columns:
        return None
    points = rows if is_all(kept, rows) else np.ascontiguousarray(rows[:, kept])
    return points if np.isfinite(points).all() else None


def _is_beyond_parser(file: TextFile) -> bool:
    """Return whether the compiled parser would take wide blanks, or points beside decimal commas, wrongly."""
    if file.delimiter is None and not file.data.isascii() and WIDE_BLANK.search(file.data.decode()):
        return True
    rows = islice(text_lines(file.data), file.first_row - 1, None)
    return file.decimal == "," and b"." in file.data and any("." in line for line in rows)


def _checked_rows(file: TextFile, kept: list[int], roles: Roles, *, is_settled: bool) -> Floats:
    """Return the same as :func:`_fast_rows`, value by value, or raise for the first that cannot be used.

    Where nobody has settled what the first line is, it is said how to do that.
    """
    points: list[list[float]] = []
    first: list[str] = []
    for number, _, fields in file.rows():
        if len(fields) != file.num_columns:
            _refuse_ragged(number, fields, file)
        first = first or fields
        row = []
        for column in kept:
            field = fields[column]
            value = file.value(field)
            if value is None or not math.isfinite(value):
                why = _why_no_number(field, file, _remedy(file, column, roles, is_first=not points))
                options = f"; or {OPTIONS}" if file.is_headless and not points and not is_settled else ""
                raise InputError(f"{file.where(number, column)} is {why}{options}")
            if (field.lower() in TRUTHS) != (first[column].lower() in TRUTHS):
                raise InputError(
                    f"{file.where(number, column)} is {quoted(field)}, but {quoted(first[column])} in the first row; "
                    "write 1 and 0, or true and false, throughout"
                )
            row.append(value)
        points.append(row)
    return np.array(points)


def _refuse_ragged(number: int, fields: list[str], file: TextFile) -> NoReturn:
    """Raise an :class:`InputError` for a line with another number of values than the others."""
    is_announced = file.announced is not None and file.announced[1] == file.num_columns
    others = f"line {file.first_row - 1} announces" if is_announced else "the lines before have"
    comment = ", and write comments on lines of their own" if any("#" in field for field in fields) else ""
    raise InputError(
        f"{file.path} line {number} has {number_of(len(fields), 'value')} but {others} {file.num_columns}; correct "
        f"that line{comment}"
    )


def _remedy(file: TextFile, column: int, roles: Roles, *, is_first: bool) -> str:
    """Return what to do about a text in a column of numbers: the row is odd, or the column."""
    if roles.are_weights:
        return "give one positive number per line"
    are_odd = [file.value(field) is None for _, _, fields in file.rows() for field in fields[column : column + 1]]
    if sum(are_odd) == 1 and len(are_odd) >= CLEAR and not is_first:
        return "remove that row if it sums up the others, or correct it: all others have numbers there"
    name = shlex.quote(str(column + 1) if file.names is None else file.names[column])
    return f"write plain numbers, leave the column out with --ignore {name}, or say --id {name} if it names the points"


def _why_no_number(field: str, file: TextFile, remedy: str) -> str:
    """Return what is wrong with a value that is no finite number, and what to do about it."""
    said = quoted(field) if field else "empty"
    is_number = as_number(field, file.decimal) is not None
    if is_number or field.lower() in MISSING or SPREADSHEET_ERROR.match(field):
        return f"{said}, {'not a finite number' if is_number else 'a missing value'}; remove that row or impute it"
    if file.decimal == "," and as_number(field.replace(".", ""), ",") is not None:
        return f"{said}, but its decimals stand behind a comma; remove its points, or leave out --decimal"
    if file.decimal == "," and field.count(",") > 1:
        return f"{said} with several commas; separate the values by semicolons or tabs"
    if WIDE_BLANK.search(field):
        return f"{said} with a no-break space; remove it, or separate values by commas"
    if re.fullmatch(COMMAS, field.encode()) or ("," in field and as_number(field, ",") is not None):
        return f"{said} with a comma; say --decimal , if it is a decimal comma, or write no commas in numbers"
    if as_number(re.sub("[dD](?=[+-]?[0-9]+$)", "e", field), file.decimal) is not None:  # as Fortran writes
        remedy = "write e in place of D"
    return f"{said}, not a number; {'write comments on lines of their own' if '#' in field else remedy}"


def _refuse_other_counts(announced: tuple[int, int], file: TextFile, num_rows: int) -> None:
    """Refuse a benchmark header that announces other numbers than follow."""
    if announced != (num_rows, file.num_columns) or 0 in announced:
        raise InputError(
            f"{file.path} line {file.first_row - 1} announces {announced[0]} points and {announced[1]} features but "
            f"{num_rows} rows of {file.num_columns} values follow; correct it, leave it out, or write it with decimals "
            "if it is a point"
        )


def _refuse_rows_like_comments(file: TextFile, columns: Columns) -> None:
    """Refuse a comment that would be a row, if ``#`` belonged to the text in its first column."""
    if 0 in columns.kept or b"#" not in file.data:
        return
    for number, line in enumerate(text_lines(file.data), 1):
        fields = file.fields(line) if is_comment(line) else []
        if len(fields) == file.num_columns and all(file.value(fields[at]) is not None for at in columns.kept):
            raise InputError(
                f"{file.path} line {number} ({quoted(line.strip())}) may be a comment, or a point whose first value "
                "begins with #; remove the line, or write that value in quotation marks"
            )


def _refuse_half_quoted(file: TextFile) -> None:
    """Refuse values that go on behind a closing quotation mark, or whose quotation marks are never closed."""
    mark = re.escape((file.delimiter or " ").encode())
    value = rb'(?:^|(?<=[\n\r\t ]|%b))"(?:[^"]|"")*("|\Z)(?:(?=[\s]|%b|\Z)|(.))' % (mark, mark)
    for found in re.finditer(value, file.data) if b'"' in file.data else ():
        if not found[1] or found[2]:
            number = len(LINE_END.findall(file.data, 0, found.start())) + 1
            raise InputError(
                f"{file.path} line {number} has a value that is not all within its quotation marks; close them, and "
                "double those within"
            )


def _refuse_one_number_a_line(file: TextFile) -> None:
    """Refuse lines of one number each whose commas or blanks look like separators: ``-0,33``, or ``1,234.50``."""
    data = file.data.removeprefix(BOM).replace(b"\r", b"\n")
    for pattern, telling in ONE_NUMBER.get((file.delimiter, file.decimal), ()):
        if re.search(rb"^(?![ \t]*(?:#.*|%b)?[^\S\n]*$)" % pattern, data, re.MULTILINE):
            continue
        found = re.search(rb"^[ \t]*((?:%b).*)" % telling, data, re.MULTILINE)
        if found:
            number = len(LINE_END.findall(file.data, 0, found.start(1) + len(file.data) - len(data))) + 1
            raise InputError(
                f"{file.path} line {number} ({quoted(found[1].decode().strip())}) may be one number, or several; if it "
                "is one, say --decimal , for a comma before its decimals and leave out what parts thousands, and "
                "otherwise name the columns in a first line"
            )


def _doubt(file: TextFile, roles: Roles, num_rows: int) -> str:
    """Refuse a first line of numbers that may name the columns, and return a remark on one that hardly does."""
    head = list(islice(file.rows(), HEAD))
    number, first, fields = head[0]
    used = range(len(fields)) if are_numbers(fields, file.decimal) else used_columns(len(fields), roles)
    own = [fields[column] for column in used]
    shown = f"{file.path} line {number} ({quoted(first)})"
    why = ""
    if num_rows > 2 and own == [str(num_rows - 1), str(file.num_columns)]:
        why = "counts the rows and columns that follow"
    elif len(own) > 1 and own == [str(column) for column in range(len(own))]:
        why = "counts the columns"
    elif len(set(own)) == len(own) and len(head) > 1:
        kinds = np.array([_peculiarities(line, [row[at] for at in used], file) for _, line, row in head])
        is_odd = kinds[0] & (kinds[1:].mean(axis=0) < COMMON)
        why = PECULIARITIES[int(np.argmax(is_odd))] if is_odd.any() else ""
    if why:
        raise InputError(f"{shown} {why}, so it may name the columns; {OPTIONS}")
    return f"{shown} is read as a point; {OPTIONS}" if own in (["0"], ["1", "2"]) else ""


def _peculiarities(line: str, fields: list[str], file: TextFile) -> list[bool]:
    """Return whether a line has years, an even or long sequence, only quoted values, and only whole numbers."""
    values = np.array([file.value(field) for field in fields], np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = np.diff(values) if values.size > 1 else np.zeros(1)
        is_even = values.size > 2 and steps.min() > 0.0 and np.ptp(steps) <= 1e-9 * np.abs(values).max()
    return [
        bool(((values >= YEARS[0]) & (values <= YEARS[1]) & (values == np.rint(values))).all()),
        bool(is_even or (values.size >= MANY and ((steps > 0.0).all() or (steps < 0.0).all()))),
        line.count('"') >= 2 * len(fields),
        all(WHOLE.fullmatch(field) for field in fields),
    ]
