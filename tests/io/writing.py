"""Writing: how the files of an instance are written, by the conventions of those who write such files."""

import csv
import gzip
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: How often files are written in the plainest way.
PLAIN_SHARE = 0.5
#: What ids begin with; a number follows.
STEMS = ("p", "Ada ", "b#", "#", "c,d ", 'say "x" ', "ü;", "0", "1e", "é\u00a0", "x'y", "-")
#: What separates values, and what stands before the decimals.
DIALECTS = ((",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), (" ", "."))
LINE_ENDS = ("\n", "\r\n", "\r")
#: Names of classes.
CLASSES = ("Asian male", "Boston, MA", "1 bedroom", 'the "old" ones', "b#2", "né", "7", "x", "y")
#: Orders of the columns of a table of pairs: the kind, the points, and what breaking the pair costs.
ORDERS = ((0, 1, 2, 3), (1, 2, 0, 3), (3, 1, 2, 0), (0, 3, 1, 2))
TITLES = ("kind", "i", "j", "penalty")
FORMS = ("lines", "table", "json")

#: A line of a file of pairs: the keyword, two points, and what breaking the pair costs, if anything.
Line = tuple[str, int, int, float | None]


@dataclass(frozen=True)
class Writing:
    """How files are written.

    Parameters
    ----------
    delimiter, decimal, line_end : str
        What separates values, stands before decimals, and ends a line.
    ids : tuple of str or None
        What points are called, if not by their indices.
    form : str
        One of :data:`FORMS`: how pairs and labels are written.
    order : tuple of int
        One of :data:`ORDERS`, where pairs are a table.
    has_mark, has_remark, is_compressed : bool
        Whether a file begins with a byte order mark, and a table of points with a comment; whether files are gzipped.
    """

    delimiter: str = ","
    decimal: str = "."
    line_end: str = "\n"
    ids: tuple[str, ...] | None = None
    form: str = "lines"
    order: Sequence[int] = ORDERS[0]
    has_mark: bool = False
    has_remark: bool = False
    is_compressed: bool = False

    @classmethod
    def drawn(cls, rng: np.random.Generator, n: int, *, has_points: bool) -> "Writing":
        """Draw how the files of n points are written; without points, ids have no place."""
        if rng.random() < PLAIN_SHARE:
            return PLAIN
        delimiter, decimal = DIALECTS[int(rng.integers(len(DIALECTS)))] if has_points else (",", ".")
        stems = [stem for stem in STEMS if delimiter != " " or '"' not in stem]
        ids = tuple(f"{stems[at]}{number}" for number, at in enumerate(rng.integers(len(stems), size=n)))
        has_mark, has_remark, is_compressed = (bool(rng.random() < 0.3) for _ in range(3))
        return cls(
            delimiter, decimal, str(rng.choice(LINE_ENDS)), ids if has_points and rng.random() < 0.6 else None,
            str(rng.choice(FORMS)), ORDERS[int(rng.integers(len(ORDERS)))], has_mark, has_remark, is_compressed,
        )  # fmt: skip

    def names(self, n: int) -> list[str]:
        return [*self.ids] if self.ids else [str(point) for point in range(n)]

    def points(self, rows: list[list[float]]) -> bytes:
        """Return a table with a line of titles and, last, the ids."""
        table = [[f"x{feature}" for feature in range(len(rows[0]))], *([self._number(x) for x in row] for row in rows)]
        ids = self.ids or ()
        named = [[*row, name] for row, name in zip(table, ("id", *ids), strict=True)] if ids else table
        remark = ["# drawn, not measured"] * self.has_remark
        return self._text([*remark, *(self._line(row) for row in named)])

    def weights(self, values: list[float]) -> bytes:
        return self._text([self._number(value) for value in values])

    def labels(self, values: list[str]) -> bytes:
        """Return a label a line, below a title or behind the names of the points where they are a table."""
        if self.form == "lines":
            return self._text([self._quoted(value, " ") for value in values])
        title = "point" if self.ids is None else "id"
        rows = [(title, "label"), *zip(self.names(len(values)), values, strict=True)]
        return self._text([self._line(row, ",") for row in rows])

    def pairs(self, lines: list[Line], n: int) -> bytes:
        """Return pairs as lines, as a table with titles, or as JSON."""
        names = self.names(n)
        if self.form == "json":
            return self._text([json.dumps(_lists(lines, self.ids), ensure_ascii=False)])
        rows = [(kind, names[i], names[j], *([] if value is None else [repr(value)])) for kind, i, j, value in lines]
        if self.form == "lines":
            return self._text([self._line(row, "," if self.ids else " ") for row in rows])
        width = 4 if any(len(row) == 4 for row in rows) else 3
        order = [column for column in self.order if column < width]
        filled = [TITLES[:width], *((*row, "") if len(row) < width else row for row in rows)]
        return self._text([self._line([row[column] for column in order], ",") for row in filled])

    def _number(self, value: float) -> str:
        return repr(value).replace(".", self.decimal)

    def _line(self, row: Sequence[str], delimiter: str | None = None) -> str:
        own = delimiter or self.delimiter
        return own.join(self._quoted(value, own) for value in row)

    def _quoted(self, value: str, delimiter: str) -> str:
        """Return a value in quotation marks where it could be read otherwise."""
        blanks = delimiter == " " and any(letter.isspace() for letter in value)
        if not blanks and not any(mark in value for mark in (delimiter, '"', "#")):
            return value
        stream = io.StringIO()
        csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="").writerow([value])
        return stream.getvalue()

    def _text(self, lines: list[str]) -> bytes:
        text = "".join(f"{line}{self.line_end}" for line in lines)
        data = text.encode("utf-8-sig" if self.has_mark else "utf-8")
        return gzip.compress(data, mtime=0) if self.is_compressed else data


#: The plainest way.
PLAIN = Writing()


def _lists(lines: list[Line], ids: Sequence[str] | None) -> dict[str, Any]:
    lists: dict[str, Any] = {}
    for kind, i, j, value in lines:
        named: list[Any] = [ids[i], ids[j]] if ids else [i, j]
        lists.setdefault(kind.lower(), []).append(named if value is None else [*named, value])
    return lists or {"ml": []}
