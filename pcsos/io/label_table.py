"""Label tables: the rows and titles of a text with labels, whether it is a table or has one label a line."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.fields import (
    LEADING_ZERO,
    WITH_THOUSANDS,
    are_numbers,
    as_number,
    delimiter_of,
    delimiter_of_both,
    holds_several,
    outside_quotes,
    split,
    told_delimiter,
    unquoted,
)
from pcsos.io.source import PathLike, refuse_other_than_text, text_lines
from pcsos.problem.validation.names import PointNames

#: Names of the column with the labels, where a header names the columns.
NAMES = ("label", "labels", "cluster", "class", "group", "groups")
#: A label that counts, as clusters are counted.
WHOLE = re.compile(r"-?\d{1,9}")

#: Where a row is, and its fields.
Rows = list[tuple[str, list[str]]]


class Record(NamedTuple):
    """Where a line is, or several with line ends within quotation marks, what it says, and its fields."""

    where: str
    text: str
    fields: list[str]


def label_table(data: bytes, path: PathLike, names: PointNames, n_rows: int | None) -> tuple[Rows, list[str]]:
    """Return the rows of a text with labels, and the titles of its columns in small letters.

    Without titles, a line is a label as a whole, blanks and all, unless something stands before it that is none:
    numbers, ids, or different names before numbers of clusters.

    Parameters
    ----------
    n_rows : int or None
        How many labels there are to be, if that is known.

    Raises
    ------
    InputError
        If there are none, or a line may be one label or several values.
    """
    refuse_other_than_text(data, path)
    head = [line for _, line in zip(range(3), filter(str.strip, text_lines(data)), strict=False)]
    told = told_delimiter(head[0]) if head else None
    head = head[1:] if told else head
    if not head:
        raise InputError(f"{path} holds no labels; give one label per line")
    delimiter = told or _delimiter(head[0], head[1] if len(head) > 1 else head[0])
    table = list(_records(data, path, delimiter))[told is not None :]
    if not table:
        raise InputError(f"{path} holds no labels; give one label per line")
    titles = [field.lower() for field in table[0].fields]
    if any(title in titles for title in NAMES) and not (delimiter is None and _is_label(table, n_rows)):
        return _titled(table[1:], titles, names)
    return _untitled(table, delimiter, names)


def _delimiter(first: str, second: str) -> str | None:
    """Return what separates the values of two lines, or else those of a first line of titles."""
    own = delimiter_of(first)
    is_header = own is not None and any(title.lower() in NAMES for title in split(first, own))
    return own if is_header else delimiter_of_both(first, second)


def _records(data: bytes, path: PathLike, delimiter: str | None) -> Iterator[Record]:
    """Yield the records of a text that are not blank."""
    lines = enumerate(text_lines(data), 1)
    for number, line in lines:
        parts = [line]
        if delimiter and (line.startswith('"') or f'{delimiter}"' in line):
            is_open = line.count('"') % 2 == 1
            while is_open and (more := next(lines, None)):
                parts.append(more[1])
                is_open = more[1].count('"') % 2 == 0
        text = "".join(parts)
        if text.strip():
            yield Record(f"{path} line {number}", text.strip(), split(text.rstrip("\n"), delimiter))


def _is_label(table: Sequence[Record], n_rows: int | None) -> bool:
    """Tell whether a first line of several words is a label that contains a word like ``group``, not titles."""
    first, others = table[0], table[1:]
    if len(first.fields) == 1:
        return False
    return any(other.text == first.text for other in others) or (
        len(table) == n_rows and not all(are_numbers(other.fields[:-1]) for other in others)
    )


def _titled(table: Sequence[Record], titles: list[str], names: PointNames) -> tuple[Rows, list[str]]:
    """Return the rows below titles; the names of rows, as R writes them, have no title."""
    while len(titles) > 1 and not titles[-1] and all(len(r.fields) == len(titles) and not r.fields[-1] for r in table):
        titles, table = titles[:-1], [Record(r.where, r.fields[0], r.fields[:-1]) for r in table]  # an empty column
    if table and all(len(row.fields) == len(titles) + 1 for row in table) and _are_row_names(table, names):
        titles = ["", *titles]
    if len(titles) > 1:
        return [(row.where, row.fields) for row in table], titles
    return _whole(table)


def _untitled(table: Sequence[Record], delimiter: str | None, names: PointNames) -> tuple[Rows, list[str]]:
    """Return the rows of a text without titles."""
    width = len(table[0].fields)
    is_table = width > 1 and all(len(row.fields) == width for row in table)
    if is_table and _ends_in_ids(table, names):
        if width > 2 or all(WHOLE.fullmatch(row.fields[-1]) for row in table):
            _refuse_doubtful(table[0])
        return [(row.where, row.fields) for row in table], [NAMES[0], names.title]
    _refuse_several(table, delimiter, names)
    before = [field for row in table for field in row.fields[:-1] if names.ids is None or field not in names]
    is_telephone = delimiter is None and width == 2 and any(map(LEADING_ZERO.fullmatch, before))
    is_behind = are_numbers(before) and not is_telephone
    if delimiter == "\t" or (is_table and (is_behind or _are_named_numbers(table))):
        rows = [(row.where, row.fields) for row in table]
        return rows, [*(f"column {at}" for at in range(1, width)), NAMES[0]]
    if delimiter is not None or (is_table and _are_different(row.fields[0] for row in table)):
        _refuse_doubtful(table[0])
    for row in table:
        parts = re.split("[,;]", outside_quotes(row.text))
        is_side_by_side = len(row.fields) > 1 and (row.text.startswith('"') or "\t" in row.text)
        is_parted = len(parts) > 1 and any(not part.strip() or as_number(part) is not None for part in parts)
        if is_side_by_side or is_parted:
            _refuse_doubtful(row)
    return _whole(table)


def _ends_in_ids(table: Sequence[Record], names: PointNames) -> bool:
    """Tell whether the last column has the ids of points, each of another one, and the first one has none."""
    if names.ids is None or any(row.fields[0] in names or row.fields[-1] not in names for row in table):
        return False
    return _are_different(row.fields[-1] for row in table)


def _refuse_several(table: Sequence[Record], delimiter: str | None, names: PointNames) -> None:
    """Refuse numbers that blanks part where they may be one label: in whole lines, or behind a comma or a tab."""
    is_number = all(WITH_THOUSANDS.fullmatch(row.text) for row in table)
    if delimiter is None and is_number and not counts([row.fields[0] for row in table]):
        _refuse_doubtful(table[0])
    mark = delimiter or "\t"
    for row in table if mark in ",\t" else ():
        is_named = names.ids is not None and row.fields[0] in names
        if mark in row.text and not is_named and holds_several(row.text.rpartition(mark)[2]):
            _refuse_doubtful(row)


def _refuse_doubtful(row: Record) -> NoReturn:
    raise InputError(
        f"{row.where} ({quoted(row.text)}) may be one label or several values; put quotation marks around a label, or "
        "name the columns in the first line, the one with the labels label"
    )


def _are_row_names(table: Sequence[Record], names: PointNames) -> bool:
    """Tell whether what stands before the titled columns names the rows: quoted, ids, counting, or before numbers."""
    first = [row.fields[0] for row in table]
    is_quoted = all(row.text.startswith('"') for row in table)
    are_ids = names.ids is not None and all(name in names for name in first)
    return is_quoted or are_ids or counts(first) or _are_named_numbers(table)


def _are_named_numbers(table: Sequence[Record]) -> bool:
    """Tell whether rows are different names before numbers of clusters."""
    return _are_different(row.fields[0] for row in table) and all(WHOLE.fullmatch(row.fields[-1]) for row in table)


def _are_different(values: Iterator[str]) -> bool:
    own = list(values)
    return len(set(own)) == len(own) > 1


def counts(texts: Sequence[str]) -> bool:
    """Tell whether texts count from 0 or from 1."""
    return any(all(text == str(row) for row, text in enumerate(texts, first)) for first in (0, 1))


def _whole(table: Sequence[Record]) -> tuple[Rows, list[str]]:
    """Return each line as one label, but where there are several numbers, these."""
    return [(row.where, row.fields if are_numbers(row.fields) else [unquoted(row.text)]) for row in table], [NAMES[0]]
