"""Fields of a line of text: what separates them, what is a comment, and the numbers that they are."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pcsos.base.exceptions import InputError
from pcsos.io.source import PathLike, text_lines

#: What separates values, in the order in which it is looked for; where there is none of these, blanks do.
DELIMITERS = ";\t,"
#: How programs write a column of truths, as one made of categories is; it counts 1 and 0, as in a table of pandas.
TRUTHS = {"true": 1.0, "false": 0.0}

#: Blanks that separate values; others, such as no-break spaces, stand within numbers and names.
BLANKS = re.compile(r"[ \t\n\v\f\r]+")
#: A value in quotation marks, which are doubled within it.
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
WITH_QUOTES = re.compile(r'"(?:[^"]|"")*"(?=[ \t\n\v\f\r]|$)|[^ \t\n\v\f\r]+')

#: What spreadsheets write for a value that they cannot compute.
SPREADSHEET_ERROR = re.compile(r"#(?:N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)")

#: What stands for a value that is missing, in small letters.
MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "nil", "none", "null", "missing", "?", "-", ".", r"\n"})


def content_lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number, counted from 1, and the text of each line that is neither blank nor a comment."""
    for number, line in enumerate(text_lines(data), 1):
        if line.strip() and not is_comment(line):
            yield number, line.rstrip("\n")


def is_comment(line: str) -> bool:
    """Return whether a line begins with ``#``, but not with an error of a spreadsheet."""
    return line.lstrip().startswith("#") and not SPREADSHEET_ERROR.match(line.lstrip())


def outside_quotes(line: str) -> str:
    """Return a line without what stands within quotation marks; one that is alone quotes nothing."""
    return line if line.count('"') % 2 else "".join(line.split('"')[::2])


def delimiter_of(lines: Sequence[str], decimal: str = ".") -> str | None:
    """Return what separates values: what the first two lines have outside quotation marks; None for blanks.

    Where they share none, it is that of the first one, so that the second one has a single value.
    """
    outside = [outside_quotes(line.rstrip()) for line in lines[:2]]
    marks = [mark for mark in DELIMITERS if mark != decimal and mark in outside[0]]
    shared = [mark for mark in marks if mark in outside[-1]]
    return next(iter(shared or marks), None)


def told_delimiter(line: str) -> str | None:
    """Return the delimiter that a first line ``sep=;``, as spreadsheets write it, tells; None for any other line."""
    match = re.fullmatch(r'\s*"?sep=(.?)"?\s*', line, re.IGNORECASE)
    return match.group(1) if match else None


def split(line: str, delimiter: str | None) -> list[str]:
    """Return the values of a line, without quotes around them."""
    if delimiter is None:
        if '"' in line:
            return [unquoted(field) for field in WITH_QUOTES.findall(line)]
        return [field for field in BLANKS.split(line) if field]
    if '"' in line:
        try:
            return [field.strip() for field in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
        except csv.Error:
            pass
    return [field.strip() for field in line.split(delimiter)]


def records(
    lines: Iterable[tuple[int, str]], delimiter: str | None, path: PathLike, *, has_comments: bool = True
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number and the text of the line where each row begins, and its values; no blank lines and comments.

    Where something else than blanks separates values, line ends may stand within quotation marks.
    """
    lines = iter(lines)
    following = (line for _, line in lines)
    for number, line in lines:
        if not line.strip() or (has_comments and is_comment(line)):
            continue
        if delimiter is None or '"' not in line:
            fields = split(line, delimiter)
        else:
            rows = csv.reader(chain([line], following), delimiter=delimiter, skipinitialspace=True)
            try:
                fields = [field.strip() for field in next(rows)]
            except csv.Error as error:
                raise InputError(f"{path} line {number} is no row ({error}); close its quotation marks") from error
        yield number, line.strip(), fields


def unquoted(text: str) -> str:
    """Return a text without quotation marks around it."""
    quoted = QUOTED.fullmatch(text.strip())
    return quoted.group(1).replace('""', '"') if quoted else text.strip()


def value_of(field: str, decimal: str = ".") -> float | None:
    """Return the value of a number, true or false, or None."""
    value = as_number(field, decimal)
    return TRUTHS.get(field.lower()) if value is None else value


def are_numbers(fields: Iterable[str], decimal: str = ".") -> bool:
    """Return whether all of some values are numbers with this decimal mark."""
    return all(as_number(field, decimal) is not None for field in fields)


def as_number(field: str, decimal: str = ".") -> float | None:
    """Return the value of a number with this decimal mark, or None; ``1_000`` and digits of other scripts are none."""
    if decimal == ",":
        if "." in field:
            return None
        field = field.replace(",", ".")
    try:
        return None if "_" in field or not field.isascii() else float(field)
    except ValueError:
        return None
