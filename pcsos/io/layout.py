"""Layout of a text file with points, judged from its first lines: what separates values, and what the first line is."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.columns import Roles, numbered
from pcsos.io.fields import (
    DELIMITERS,
    MISSING,
    are_numbers,
    content_lines,
    delimiter_of,
    outside_quotes,
    records,
    split,
    told_delimiter,
    unquoted,
    value_of,
)
from pcsos.io.source import PathLike, text_lines
from pcsos.verify.reading.text import number_of

#: The benchmark header ``n d`` or ``n d k``.
COUNTS = re.compile(r"[0-9]{1,18}([ \t]+[0-9]{1,18}){1,2}")
#: How a number begins that nobody can read as one: after a mark at the start of a file, a currency, a sign or a quote.
LIKE_NUMBER = re.compile("[\ufeff\\s\"'$€£(+\u2212-]*[.,]?\\d|#")


@dataclass(frozen=True)
class TextFile:
    """A text file with points, and how it is laid out."""

    data: bytes  #: its content
    path: PathLike  #: what it is called
    delimiter: str | None  #: what separates values; None for any run of blanks
    decimal: str  #: "." or ",": what stands before the decimals of a number
    first_row: int  #: number of the line, counted from 1, from which on there are rows
    num_columns: int = 0  #: values in a row
    names: tuple[str, ...] | None = None  #: names of the columns, where there is a header
    announced: tuple[int, int] | None = None  #: numbers of points and features that a benchmark header announces

    @property
    def is_headless(self) -> bool:
        """Whether the first line is a point."""
        return self.names is None and self.announced is None

    def rows(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yield the number and the text of the line where each row begins, and its values."""
        lines = islice(enumerate(text_lines(self.data), 1), self.first_row - 1, None)
        return records(lines, self.delimiter, self.path)

    def column(self, column: int) -> list[str]:
        """Return what a column holds, as text."""
        return [fields[column] for _, _, fields in self.rows()]

    def line_of(self, row: int) -> int:
        """Return the number of the line where a row begins."""
        return next(islice(self.rows(), row, None))[0]

    def where(self, number: int, column: int) -> str:
        """Return where a value is, given its line: with the name of its column, quoted, or the number, from 1."""
        name = f"{column + 1}" if self.names is None else repr(self.names[column])
        return f"{self.path} line {number}, column {name}"

    def fields(self, line: str) -> list[str]:
        """Return the values of a line."""
        return split(line, self.delimiter)

    def value(self, field: str) -> float | None:
        """Return the number that a value counts as, also of true and false, or None."""
        return value_of(field, self.decimal)


def text_file(data: bytes, path: PathLike, roles: Roles, header: bool | None = None, decimal: str = ".") -> TextFile:
    """Return a text with its layout; ``header`` says whether its first line names the columns, if that is known.

    A text without content is refused, and names that do not fit what is below them.
    """
    head = list(islice(content_lines(data), 4))
    told = told_delimiter(head[0][1]) if head else None
    if told is not None and (told == decimal or told not in set(DELIMITERS)):
        raise InputError(f"{path} line {head[0][0]} says that {told!r} separates the values; use semicolon or tab")
    head = head[told is not None :]
    if not head:
        raise InputError(f"{path} holds no values, only blank or comment lines; give at least one point")
    number, first = head[0]
    rows = [line for _, line in head[1:]]
    if header is None and told is None and COUNTS.fullmatch(first.strip()):
        below = TextFile(data, path, delimiter_of(rows or [first], decimal), decimal, number + 1)
        n, d, *_ = map(int, first.split())
        width = len(below.fields(rows[0])) if rows else d
        if not rows or width != len(first.split()) or width == d or n == sum(1 for _ in below.rows()):
            return replace(below, num_columns=width, announced=(n, d))
    file = TextFile(data, path, told or delimiter_of([first, *rows], decimal), decimal, number)
    fields = file.fields(first)
    if file.delimiter is None and rows and len(file.fields(rows[0])) == 1 and not are_numbers(fields, decimal):
        fields = [unquoted(first)]  # blanks are part of the name of a single column
    if header or (header is None and _are_names(fields, roles, file)):
        return _named(replace(file, first_row=number + 1), first, fields, rows)
    return replace(file, num_columns=len(file.fields(first)))


def _are_names(fields: Sequence[str], roles: Roles, file: TextFile) -> bool:
    """Return whether a first line has a name that an option gives, or no number in any column that may be a feature."""
    if any(name in fields and not name.isdigit() for name in roles.given):
        return True
    used = used_columns(len(fields), roles)
    texts = [fields[column] for column in used if file.value(fields[column]) is None]
    return bool(texts) and len(texts) == len(used) and not all(map(_may_be_value, texts))


def used_columns(num_columns: int, roles: Roles) -> list[int]:
    """Return the columns that no option calls by their number as something else than numbers."""
    others = {numbered(name, num_columns) for name in roles.texts}
    features = {numbered(name, num_columns) for name in roles.features} or range(num_columns)
    return [column for column in range(num_columns) if column in features and column not in others]


def _may_be_value(field: str) -> bool:
    """Return whether a field that is no number may stand for one: it is missing, or begins like one."""
    return bool(field) and (field.lower() in MISSING or LIKE_NUMBER.match(field) is not None)


def _named(file: TextFile, first: str, names: list[str], rows: Sequence[str]) -> TextFile:
    """Return a file with the names of its columns, which its first line holds."""
    where = f"{file.path} line {file.first_row - 1} ({quoted(first)})"
    if not rows:
        raise InputError(f"{where} has names of columns, but no rows of numbers follow; add the points")
    if file.decimal == "," and file.delimiter is None and "," in outside_quotes(first):
        raise InputError(f"{where} has commas between names and decimals; separate by semicolons or tabs")
    above = [file.fields(line.lstrip("# ")) for line in islice(text_lines(file.data), file.first_row - 2)]
    if are_numbers(names, file.decimal) and any(len(fields) == len(names) for fields in above):
        raise InputError(f"{where} has numbers below a comment like names; remove its #, or leave out --header")
    below = file.fields(rows[0])
    is_quoted = rows[0].lstrip().startswith('"') and not below[0].startswith('"')
    if len(below) == len(names) + 1 and is_quoted and file.delimiter != ",":  # as R writes; not before decimals
        names = ["", *names]
    if len(below) != len(names):
        raise InputError(
            f"{where} has {number_of(len(names), 'column name')} but the next row has "
            f"{number_of(len(below), 'value')}; name every column, one of row numbers id, and separate names and "
            "values by the same delimiter"
        )
    twice = next((name for name, count in Counter(names).items() if name and count > 1), None)
    if twice is not None:
        raise InputError(f"{where} has the column name {quoted(twice)} twice; rename one of them")
    return replace(file, num_columns=len(names), names=tuple(names))
