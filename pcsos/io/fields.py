"""Fields of a line of text: what separates them, what is a comment, and the numbers that they are."""

import csv
import re
from collections.abc import Iterable, Iterator

from pcsos.io.source import text_lines

#: How programs write a column of truths, as one made of categories is; it counts 1 and 0, as in a table of pandas.
TRUTHS = {"true": 1.0, "false": 0.0}

#: What stands before a comment: anything but ``#``, which may stand within quotation marks.
BEFORE_COMMENT = re.compile(r'(?:[^"#]|"[^"]*"|")*')
#: Blanks that separate values; others, such as no-break spaces, stand within numbers and names.
BLANKS = re.compile(r"[ \t\n\v\f\r]+")
#: A value in quotation marks, which are doubled within it.
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
WITH_QUOTES = re.compile(r'"(?:[^"]|"")*"(?=[ \t\n\v\f\r]|$)|[^ \t\n\v\f\r]+')

#: Digits in groups of three.
WITH_THOUSANDS = re.compile(r" *[+-]?\d{1,3}( \d{3})+([.,]\d*)? *")
#: Digits that count nothing, such as those of a telephone.
LEADING_ZERO = re.compile(r"0\d+")

#: What stands for a value that is missing, in small letters.
LACKING = frozenset({"", "na", "nan", "none", "null"})


def content_lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number, counted from 1, and the text before any comment of each line that has some."""
    for number, line in enumerate(text_lines(data), 1):
        text = without_comment(line)
        if text.strip():
            yield number, text.rstrip("\n")


def without_comment(line: str) -> str:
    """Return a line without what follows a ``#`` outside quotation marks."""
    if "#" not in line:
        return line
    if '"' not in line:
        return line.split("#", 1)[0]
    before = BEFORE_COMMENT.match(line)
    return before.group() if before else line


def commented_lines(data: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the whole and the text before the comment of each line with a comment."""
    if b"#" not in data:
        return
    for number, line in enumerate(text_lines(data), 1):
        before = without_comment(line)
        if before != line:
            yield number, line, before


def outside_quotes(line: str) -> str:
    """Return a line without what stands within quotation marks."""
    return "".join(line.split('"')[::2])


def delimiter_of(line: str, decimal: str = ".") -> str | None:
    """Return what separates the values of a line; None for blanks."""
    outside = outside_quotes(line)
    if ";" in outside:
        return ";"
    if decimal == "," and '"' in line and are_numbers(split(line, ","), decimal):
        return ","  # between numbers in quotation marks
    columns = outside.strip().split("\t")
    are_alone = len(columns) > 1 and all("," not in column or has_decimal_comma(column) for column in columns)
    if "," in outside and decimal != "," and not are_alone:
        return ","
    return "\t" if len(columns) > 1 and not any(map(holds_several, columns)) else None


def told_delimiter(line: str) -> str | None:
    """Return the delimiter that a first line ``sep=;``, as spreadsheets write it, tells; None for any other line."""
    match = re.fullmatch(r'\s*"?sep=(.?)"?\s*', line, re.IGNORECASE)
    return match.group(1) if match else None


def delimiter_of_both(first: str, second: str, decimal: str = ".") -> str | None:
    """Return what separates the values of two lines: what makes as many of both, or else that of the second one."""
    outside = [line if line.count('"') % 2 else outside_quotes(line) for line in (first, second)]
    marks = [mark for mark in ";\t,"[: 3 - (decimal == ",")] if all(mark in line for line in outside)]
    marks = [mark for mark in marks if len(split(first, mark)) == len(split(second, mark))]
    if marks == ["\t"] and any(map(holds_several, second.split("\t"))):
        return None
    if not marks and "\t" not in first.strip() and len(split(first, None)) == len(split(second, None)) > 1:
        return None
    return marks[0] if len(marks) == 1 else delimiter_of(second, decimal)


def holds_several(column: str) -> bool:
    """Tell whether a column between tabs holds several numbers, which blanks separate; ``030 1234`` is a text."""
    words = column.split()
    return len(words) > 1 and are_numbers(words) and not any(map(LEADING_ZERO.fullmatch, words))


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


def unquoted(text: str) -> str:
    """Return a text without quotation marks around it."""
    quoted = QUOTED.fullmatch(text.strip())
    return quoted.group(1).replace('""', '"') if quoted else text.strip()


def value_of(field: str, decimal: str = ".") -> float | None:
    """Return the value of a number, true or false, or None."""
    value = as_number(field, decimal)
    return TRUTHS.get(field.lower()) if value is None else value


def are_numbers(fields: Iterable[str], decimal: str = ".") -> bool:
    """Tell whether all of some values are numbers with this decimal mark."""
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


def has_decimal_comma(field: str) -> bool:
    """Tell whether a value is a number with a comma before its decimals."""
    return "," in field and as_number(field, ",") is not None
