"""Columns: what each column of a run file may hold (docs/certificate.md, section 1)."""

import math
from typing import NamedTuple

from pcsos.verify.errors import FormatError

LARGEST = (1 << 62) - 1


class Column(NamedTuple):
    """The values that a column may hold."""

    kind: type  #: ``int``, ``float``, ``str`` or ``bytes``: SQLite's INTEGER, REAL, TEXT and BLOB
    optional: bool = False  #: whether it may be NULL
    least: int = 0  #: of integers
    choices: tuple[str, ...] = ()  #: the texts that it may hold; any, if empty
    is_finite: bool = False  #: of reals, whether infinity is refused

    def check(self, value: object, place: str) -> None:
        """Refuse a value of another kind or range."""
        if value is None and self.optional:
            return
        if type(value) is not self.kind or not self._is_in_range(value):
            shown = f"{value!r:.40}" if isinstance(value, int | float | str) else type(value).__name__
            raise FormatError(f"{place} is {shown}, not {self._wanted}")

    def _is_in_range(self, value: object) -> bool:
        if isinstance(value, int):
            return self.least <= value <= LARGEST
        if isinstance(value, float):
            return not math.isnan(value) and (math.isfinite(value) or not self.is_finite)
        return not self.choices or value in self.choices

    @property
    def _wanted(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        names = {int: f"a whole number from {self.least} on", float: "a number", str: "text", bytes: "an array"}
        return ("a finite number" if self.is_finite else names[self.kind]) + (" or nothing" if self.optional else "")


NUMBER, TEXT, ARRAY = Column(int), Column(str), Column(bytes)
REAL, FINITE = Column(float), Column(float, is_finite=True)
CHANGES = ("ML", "CL", "lighter", "heavier", "part")
#: What each kind of evidence shows is in docs/certificate.md, section 1.
LEAVES = ("bound", "open", "prices", "line", "single", "infeasible")
DEDUCTIONS = ("forced", "fixed", "soft", "far", "equal")
EVIDENCE = (*LEAVES, *DEDUCTIONS, "branching", "cover")
STATUSES = ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN")


def _or_null(column: Column) -> Column:
    return column._replace(optional=True)


#: The columns of each table, in their order.
TABLES: dict[str, dict[str, Column]] = {
    "instance": {
        "n_clusters": Column(int, least=1),
        **dict.fromkeys(("points", "weights", "must_link", "cannot_link"), ARRAY),
        **dict.fromkeys(("digest", "options", "names", "version"), TEXT),
        "conditions": TEXT,
        "gram": _or_null(ARRAY),
    },
    "problems": {
        "problem": Column(int, least=1),
        "parent": NUMBER,
        "change": Column(str, choices=CHANGES),
        "content": ARRAY,
        "digest": TEXT,
    },
    "evidence": {
        **dict.fromkeys(("position", "problem"), NUMBER),
        "kind": Column(str, choices=EVIDENCE),
        "bound": REAL,
        "payload": ARRAY,
        "seconds": FINITE,
        "digest": TEXT,
    },
    "incumbents": {"position": NUMBER, "labels": ARRAY, "objective": FINITE, "source": TEXT, "seconds": FINITE},
    "events": {"position": NUMBER, "name": TEXT, "time": FINITE, "data": TEXT},
    "claim": {
        "status": Column(str, choices=STATUSES),
        **dict.fromkeys(("objective", "lower_bound"), _or_null(FINITE)),
        "labels": _or_null(ARRAY),
        **dict.fromkeys(("details", "digest"), TEXT),
    },
}
