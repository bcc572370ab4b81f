"""Layout of a text file with points, judged from its first lines: what separates values, and what the first line is.

Whether a first line of numbers names the columns is weighed in :mod:`pcsos.io.first_line`.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.fields import (
    WITH_THOUSANDS,
    are_numbers,
    as_number,
    content_lines,
    delimiter_of,
    delimiter_of_both,
    has_decimal_comma,
    outside_quotes,
    split,
    told_delimiter,
    unquoted,
    value_of,
)
from pcsos.io.source import PathLike

#: How a line of a file with constraints begins.
CONSTRAINT = re.compile(r"[{\[]|(ML|CL|GAMMA|DELTA)[\s,;]+[-+.\d]", re.IGNORECASE)

#: How programs write that a value is missing.
MISSING = frozenset({"na", "n/a", "#n/a", "nil", "none", "null", "missing", "?", "-", "."})

#: How a number begins that nobody can read as one: after a mark at the start of a file, a currency, a sign or a quote.
LIKE_NUMBER = re.compile("[\ufeff\\s\"'$€£(+\u2212-]*[.,]?\\d")

#: What is said of blanks that nobody can explain.
BLANKS_IN_DOUBT = (
    "{where} ({line}) has blanks that may part thousands or separate values; remove them, or write one delimiter "
    "between values"
)

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
    decimal : {".", ","}
        What stands before the decimals of a number.
    """

    delimiter: str | None
    first_row: int
    num_columns: int
    names: tuple[str, ...] | None = None
    announced: tuple[int, int] | None = None
    decimal: str = "."

    def column(self, number: int) -> str:
        """Return what a column is called in messages: by its name, quoted, or by its number, from 1."""
        return f"{number + 1}" if self.names is None else repr(self.names[number])

    def number(self, field: str) -> float | None:
        """Return the number that a value is, or None."""
        return as_number(field, self.decimal)

    def value(self, field: str) -> float | None:
        """Return the number that a value counts as, also of true and false, or None."""
        return value_of(field, self.decimal)


def layout_of(data: bytes, path: PathLike, header: bool | None = None, decimal: str = ".") -> Layout:
    """Return how a text is laid out; ``header`` says whether its first line names the columns, if that is known.

    Raises
    ------
    InputError
        If there is no line with content, or what the first one is remains in doubt.
    """
    return replace(_layout(data, path, header, decimal), decimal=decimal)


def _layout(data: bytes, path: PathLike, header: bool | None, decimal: str) -> Layout:
    head = list(islice(content_lines(data), 3))
    told = _told_delimiter(head, path)
    head = head[1:] if told else head[:2]
    if not head:
        raise InputError(f"{path} holds no values, only blank or comment lines; give at least one point")
    (number, first), second = head[0], head[1][1] if len(head) > 1 else None
    if header is None:
        _refuse_constraints(first, number, path)
    own = delimiter_of(first, decimal) if second is None else delimiter_of_both(first, second, decimal)
    delimiter = told or own
    if decimal == "," and (own != "," or told):
        _refuse_commas_between_values(data, path)
    if delimiter is None:
        _refuse_thousands(head, path, decimal)
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
    fields, delimiter = _first_fields(first, second, delimiter, width, decimal)
    texts = [column for column, field in enumerate(fields) if value_of(field, decimal) is None]
    is_comma_in_text = "," in outside_quotes(first) and any("," in fields[column] for column in texts)
    if decimal == "," and delimiter is None and is_comma_in_text:
        raise InputError(
            f"{path} line {number} ({quoted(first)}) has commas between names, so that decimal commas cannot be "
            "distinguished from those between values; separate both by semicolons or tabs"
        )
    if texts and header is not True and decimal == "." and any(map(has_decimal_comma, fields)):
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
    num_others = sum(1 for _ in content_lines(data)) - 1
    if header is None and num_others > 1 and fields == [str(num_others), str(width)]:
        raise InputError(
            f"{path} line {number} ({quoted(first)}) counts the rows and columns that follow, so it may be a header or "
            "a point; write the header with a blank (n d), or say --no-header if it is a point (in Python header=False)"
        )
    return Layout(delimiter, number, len(fields))


def _refuse_commas_between_values(data: bytes, path: PathLike) -> None:
    """Refuse a line whose commas cannot all stand before decimals."""
    for number, line in content_lines(data):
        if line.count(",") > 1 and not re.search(r"[;\s]", line.strip()):
            raise InputError(
                f"{path} line {number} ({quoted(line)}) has commas between its values, so that decimal commas cannot "
                "be distinguished from them; separate the values by semicolons or tabs"
            )


def _refuse_thousands(head: list[tuple[int, str]], path: PathLike, decimal: str) -> None:
    """Refuse blanks that may part thousands, between tabs or in lines with a decimal comma, where no titles tell."""
    number, line = head[-1]
    first = split(head[0][1], None)
    is_titles = len(head) > 1 and all(as_number(field, decimal) is None for field in first)
    if is_titles and len(first) == len(split(line, None)):
        return
    columns = [column for column in line.split("\t") if len(column.split()) > 1]
    has_decimals = decimal == "," and any("," in text for _, text in head)
    if ("\t" in line.strip() or has_decimals) and columns and all(map(WITH_THOUSANDS.fullmatch, columns)):
        raise InputError(BLANKS_IN_DOUBT.format(where=f"{path} line {number}", line=quoted(line.strip())))


def _told_delimiter(head: list[tuple[int, str]], path: PathLike) -> str | None:
    """Return the delimiter that a first line ``sep=;``, as spreadsheets write it, tells."""
    told = told_delimiter(head[0][1]) if head else None
    if told is not None and told not in {";", ",", "\t"}:
        raise InputError(
            f"{path} line {head[0][0]} says that {told!r} separates the values; use semicolon, comma or tab"
        )
    return told


def _first_fields(
    first: str, second: str | None, delimiter: str | None, width: int, decimal: str
) -> tuple[list[str], str | None]:
    """Return the values of the first line, and the delimiter of the file.

    Above a single column, blanks are part of its name, but other delimiters, or several numbers, make several values.
    """
    if width > 1 or delimiter is not None or second is None:
        return split(first, delimiter), delimiter
    own = delimiter_of(first, decimal)
    fields = split(first, own)
    if own is None and not are_numbers(fields, decimal):
        return [unquoted(first)], None
    return fields, own


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
    is_header = second is None or width != len(fields) or d == width or n == sum(1 for _ in content_lines(data)) - 1
    return (n, d) if is_header else None


def _may_be_value(field: str) -> bool:
    """Tell whether a field that is no number may stand for one: it is missing, or begins like one."""
    return field.strip().lower() in MISSING or LIKE_NUMBER.match(field) is not None


def _refuse_constraints(first: str, number: int, path: PathLike) -> None:
    if CONSTRAINT.match(first.strip()):
        word = re.split(r"[\s,;]", first.strip(), maxsplit=1)[0]
        raise InputError(
            f"{path} line {number} begins with {quoted(word)} like a constraint file; give the points "
            "here and constraints with --constraints"
        )
