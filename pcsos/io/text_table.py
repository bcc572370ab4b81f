"""Points in text files: the rows of the benchmark format and of CSV in its many dialects.

A compiled parser reads the rows; only if it fails, or finds a value that is not finite, a slow one reads
them again to say where and why.
"""

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
from pcsos.io.columns import Roles, Table, find_id_column, find_shown_columns, is_all, kept_columns, table_of
from pcsos.io.fields import TRUTHS, are_numbers, commented_lines, content_lines, has_decimal_comma, split
from pcsos.io.first_line import is_doubtful, why_names
from pcsos.io.layout import BLANKS_IN_DOUBT, MISSING, OPTIONS, Layout, layout_of
from pcsos.io.source import PathLike, refuse_other_than_text, text_lines
from pcsos.problem.validation.rounding import may_be_rounded, off_by_rounding

#: Blanks that are no white space of a text, and stand in a number between thousands.
WIDE_BLANK = re.compile(r"[^\S\t\n\v\f\r ]")

#: What spreadsheets write for a value that they cannot compute.
SPREADSHEET_ERROR = re.compile(r"#(?:N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)")

#: More digits, and a decimal mark, than those that any double can be told from others by; or exponents that may vanish.
LONG = {mark: re.compile(rb"[0-9%b]{17}|[eE]-[0-9]{3}" % mark.encode()) for mark in ".,"}
#: Digits of numbers that are looked at exactly: with as many, any two doubles and what is between them are told apart.
DIGITS = Context(prec=800, Emin=-1200, Emax=400)

#: A number in groups of three digits, which with one comma may also have three decimals.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")

#: One number with a decimal comma, or two whole ones; and those that hardly anybody would write as two.
DECIMALS = re.compile(r"[+-]?\d+,\d+")
LIKE_DECIMALS = re.compile(r"[+-]0,|[+-]?\d+,0\d")


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
    layout = layout_of(data, path, header, decimal)
    kept = kept_columns(layout.num_columns, layout.names, roles, path)
    if len(kept) < layout.num_columns and layout.delimiter is None:
        _refuse_blanks_in_texts(data, layout, path)
    if header is not False and layout.num_columns > 1:
        _refuse_titles_like_a_comment(data, layout, path)
    if 0 not in kept:
        _refuse_rows_like_comments(data, layout, kept, path)
    elif layout.names is None and header is None and layout.num_columns > 1:
        _refuse_quoted_numbers_of_rows(data, layout, path)
    if roles == Roles() and layout.delimiter == "," and layout.names is None and layout.announced is None:
        _refuse_commas_within_numbers(data, layout, path)
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
    if layout.num_columns - 1 in {id_column, *at.values()}:
        _refuse_comments_behind_text(data, layout, path)
    place = partial(_place, data, layout)
    off = partial(_off, data, layout, values, kept if roles.weights is None else kept[:-1], path)
    return table_of(values, names, roles, path, place, remark, ids, shown, off)


def _off(data: bytes, layout: Layout, values: Floats, kept: list[int], path: PathLike) -> float:
    """Return at least the distance of any point from the decimals of the file."""

    def given(column: int) -> list[Decimal]:
        fields = (_plain(field, layout) for field in _fields_of(data, layout, kept[column], path))
        return [DIGITS.create_decimal(TRUTHS.get(field.lower(), field)) for field in fields]

    points = values[:, : len(kept)]
    is_long = LONG[layout.decimal].search(data) is not None
    return off_by_rounding(
        points,
        np.full(points.shape, True) if is_long else may_be_rounded(points),
        given,
        lambda row, column: f"{path} {_place(data, layout, row)}, column {layout.column(kept[column])}",
        may_coincide=is_long,
    )


def _fast_rows(data: bytes, layout: Layout, kept: list[int]) -> Floats | None:
    """Return the kept columns of all rows, or None where a value or a line needs a closer look."""
    if layout.announced is not None and next(_rows(data, layout), None) is None:
        return np.empty((0, layout.num_columns))
    if _is_beyond_parser(data, layout):
        return None
    plain = data.replace(b",", b".") if layout.decimal == "," else data
    lines = islice(text_lines(plain), layout.first_row - 1, None)
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
            _refuse_ragged(number, len(fields), layout, path, data)
        row = np.empty(len(kept))
        for position, column in enumerate(kept):
            value = layout.value(fields[column])
            if value is None or not np.isfinite(value):
                may_name = _may_name(data, layout, column, roles)
                _refuse_value(fields, number, column, kept, layout, path, roles.remedy, may_name)
            row[position] = value
        points.append(row)
        _refuse_mixed(fields, number, first or fields, kept, layout, path)
        first = first or fields
    return np.array(points)


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


def _rows(data: bytes, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    for number, line in content_lines(data):
        if number >= layout.first_row:
            yield number, split(line, layout.delimiter)


def _plain(text: str, layout: Layout) -> str:
    """Return a text with points before its decimals."""
    return text.replace(",", ".") if layout.decimal == "," else text


def _is_beyond_parser(data: bytes, layout: Layout) -> bool:
    """Tell whether the compiled parser would take wide blanks, or points and commas beside decimal commas, wrongly."""
    if layout.delimiter is None and not data.isascii() and WIDE_BLANK.search(data.decode()):
        return True
    rows = islice(text_lines(data), layout.first_row - 1, None)
    return layout.decimal == "," and (layout.delimiter == "," or (b"." in data and any("." in line for line in rows)))


def _place(data: bytes, layout: Layout, row: int) -> str:
    """Return where a row is."""
    return f"line {next(islice(_rows(data, layout), row, None))[0]}"


def _doubt(data: bytes, layout: Layout, values: Floats, path: PathLike) -> str:
    """Refuse a first line that may name the columns, and return a remark on one that hardly does."""
    number, first = next(line for line in content_lines(data) if line[0] >= layout.first_row)
    fields = [_plain(field, layout) for field in split(first, layout.delimiter)]
    if not are_numbers(fields):
        return ""
    others = (_plain(line, layout) for number, line in content_lines(data) if number > layout.first_row)
    why = why_names(first, fields, others, values[1:])
    if why:
        raise InputError(f"{path} line {number} ({quoted(first)}) {why}, so it may name the columns; {OPTIONS}")
    return (
        f"{path} line {number} ({quoted(first)}) is read as a point; {OPTIONS}"
        if is_doubtful(fields, values[1:])
        else ""
    )


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


def _refuse_mixed(
    fields: list[str], number: int, first: list[str], kept: list[int], layout: Layout, path: PathLike
) -> None:
    """Refuse a row in which a column is true or false that holds a number in the first one, or the other way round."""
    for column in kept:
        if (layout.number(fields[column]) is None) != (layout.number(first[column]) is None):
            where = f"{path} line {number}, column {layout.column(column)}"
            raise InputError(
                f"{where} is {quoted(fields[column])}, but {quoted(first[column])} in the first row; write 1 and 0, or "
                "true and false, throughout"
            )


def _refuse_ragged(number: int, width: int, layout: Layout, path: PathLike, data: bytes) -> NoReturn:
    if layout.announced is not None and layout.announced[1] == layout.num_columns:
        others = f"line {layout.first_row - 1} announces {layout.num_columns} features"
    else:
        others = f"the lines before have {layout.num_columns}"
    is_cut = "#" in next(islice(text_lines(data), number - 1, None))
    why = " before the #, which begins a comment outside quotation marks," if is_cut else ""
    raise InputError(f"{path} line {number} has {width} value{'s' * (width != 1)}{why} but {others}; correct that line")


def _may_name(data: bytes, layout: Layout, column: int, roles: Roles) -> bool:
    """Tell whether the values of a column may be the ids of the points: different texts, where no other column is."""
    if roles.ids is not None or roles.remedy:
        return False
    values = [fields[column] for _, fields in _rows(data, layout) if len(fields) == layout.num_columns]
    return len(set(values)) == len(values) > 1 and all(value and layout.number(value) is None for value in values)


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
    where = f"{path} line {number}, column {layout.column(column)}"
    if not field:
        raise InputError(f"{where} is empty; remove that row or impute the value")
    if layout.number(field) is not None:
        raise InputError(f"{where} is {quoted(field)}, not a finite number; remove that row or impute the value")
    if field.lower() in MISSING:
        raise InputError(f"{where} is {quoted(field)}, a missing value; remove that row or impute the value")
    if layout.decimal == "," and layout.number(field.replace(".", "")) is not None:
        raise InputError(
            f"{where} is {quoted(field)}, but its decimals stand behind a comma; remove points that part thousands, or "
            "leave out --decimal"
        )
    if WIDE_BLANK.search(field):
        raise InputError(f"{where} is {quoted(field)} with a no-break space; remove it, or separate values by commas")
    if THOUSANDS.fullmatch(field):
        raise InputError(
            f"{where} is {quoted(field)}; write {field.replace(',', '')} if the comma parts thousands, or say "
            "--decimal , if it stands before the decimals"
        )
    if has_decimal_comma(field):
        raise InputError(f"{where} is {quoted(field)} with a decimal comma; say --decimal , or write points")
    if layout.delimiter is not None and all(layout.number(part) is not None for part in field.split()):
        raise InputError(f"{where} is {quoted(field)}; write one delimiter between values, and decimal points")
    if remedy:
        raise InputError(f"{where} is {quoted(field)}, not a number; {remedy}")
    texts = [
        at for at in kept if fields[at] and fields[at].lower() not in MISSING and layout.number(fields[at]) is None
    ]
    names = [str(at + 1) if layout.names is None else layout.names[at] for at in texts]
    ignore = " ".join(f"--ignore {shlex.quote(name)}" for name in names)
    remedy = f"leave the column{'s' * (len(texts) > 1)} out with {ignore}"
    if may_name:
        own = str(column + 1) if layout.names is None else layout.names[column]
        remedy += f", or say --id {shlex.quote(own)} if column {layout.column(column)} names the points"
    raise InputError(f"{where} is {quoted(field)}, not a number; correct it, or {remedy}")


def _refuse_spreadsheet_errors(data: bytes, path: PathLike) -> None:
    """Refuse what spreadsheets write for a value that they cannot compute; it looks like a comment."""
    if b"#" not in data:
        return
    for number, line in enumerate(text_lines(data), 1):
        match = SPREADSHEET_ERROR.match(line, line.find("#")) if "#" in line else None
        if match:
            raise InputError(
                f"{path} line {number} has {match.group()}, an error of a spreadsheet; remove that row or impute the "
                "value"
            )


def _refuse_rows_like_comments(data: bytes, layout: Layout, kept: list[int], path: PathLike) -> None:
    """Refuse a comment that would be a row, if ``#`` belonged to the text in its first column."""
    for number, line, before in commented_lines(data):
        is_above = number < layout.first_row and (layout.names, layout.announced) != (None, None)
        if is_above or before.strip():
            continue
        fields = split(line, layout.delimiter)
        if len(fields) == layout.num_columns and all(layout.value(fields[at]) is not None for at in kept):
            raise InputError(
                f"{path} line {number} ({quoted(line.strip())}) may be a comment, or a point whose column "
                f"{layout.column(0)} begins with #; remove the line, or write that value in quotation marks"
            )


def _refuse_blanks_in_texts(data: bytes, layout: Layout, path: PathLike) -> None:
    """Refuse whole numbers between tabs that blanks part in some columns: where columns are texts, one may be, too."""

    def may_be_text(word: str) -> bool:
        return word.isdigit() or layout.number(word) is None

    head = list(islice(content_lines(data), 2))
    columns = [[column.split() for column in line.split("\t") if column.strip()] for _, line in head]
    several = [words for words in columns[-1] if len(words) > 1] if columns else []
    is_even = len(set(map(len, columns))) == 1 and not any('"' in line for _, line in head)
    if is_even and 0 < len(several) < len(columns[-1]) and all(any(map(may_be_text, words)) for words in several):
        number, line = head[-1]
        raise InputError(BLANKS_IN_DOUBT.format(where=f"{path} line {number}", line=quoted(line.strip())))


def _refuse_titles_like_a_comment(data: bytes, layout: Layout, path: PathLike) -> None:
    """Refuse a comment above all rows that has a title for each column, the first one ``#``.

    Below it, numbers in the place of names are a row, whatever comes first in the comment.
    """
    has_names = layout.names is not None and not are_numbers(layout.names, layout.decimal)
    if has_names or layout.announced is not None or layout.delimiter is None:
        return
    for number, line, before in commented_lines(data):
        if before.strip() or number >= layout.first_row:
            return
        first, *titles = split(line, layout.delimiter)
        is_first = first == "#" or layout.names is not None
        is_titles = len(titles) == layout.num_columns - 1 and not any(layout.number(t) is not None for t in titles)
        if is_first and is_titles and all(titles) and titles != ["#"] * len(titles):
            raise InputError(
                f"{path} line {number} ({quoted(line.strip())}) may be a comment, or name the columns; remove the "
                "line, or write what begins with # in quotation marks"
            )


def _refuse_comments_behind_text(data: bytes, layout: Layout, path: PathLike) -> None:
    """Refuse a comment behind a last column of text, which may be a part of the text."""
    for number, line, before in commented_lines(data):
        if number >= layout.first_row and before.strip():
            raise InputError(
                f"{path} line {number} ({quoted(line.strip())}) has a # that may begin a comment or belong to column "
                f"{layout.column(layout.num_columns - 1)}; remove the comment, or write that value in quotation marks"
            )


def _refuse_quoted_numbers_of_rows(data: bytes, layout: Layout, path: PathLike) -> None:
    """Refuse a first column of the numbers of rows in quotation marks, as R writes their names."""
    lines = [line.strip() for _, line in islice(content_lines(data), 3)]
    if len(lines) > 1 and all(
        line.startswith(f'"{row}"') and line.count('"') == 2 for row, line in enumerate(lines, 1)
    ):
        raise InputError(
            f"{path} has the numbers of its rows in quotation marks in column 1; leave it out with --ignore 1, or name "
            "the points by it with --id 1"
        )


def _refuse_commas_within_numbers(data: bytes, layout: Layout, path: PathLike) -> None:
    """Refuse lines of one number each whose commas look like separators: ``-0,33`` and ``0,05``, or ``1,234.50``."""

    def lines() -> Iterator[tuple[int, str]]:
        return ((number, line.strip()) for number, line in content_lines(data) if number >= layout.first_row)

    named = "name the columns in a first line in the second"
    if all(DECIMALS.fullmatch(line) for _, line in lines()):
        for number, line in lines():
            if LIKE_DECIMALS.match(line):
                raise InputError(
                    f"{path} line {number} ({quoted(line)}) may be one number with a decimal comma, or two numbers; "
                    f"say --decimal , in the first case, {named}"
                )
    elif all(THOUSANDS.fullmatch(line) for _, line in lines()) and any("." in line for _, line in lines()):
        number, line = next(lines())
        raise InputError(
            f"{path} line {number} ({quoted(line)}) may be one number whose commas part thousands, or several numbers; "
            f"write {line.replace(',', '')} in the first case, {named}"
        )
