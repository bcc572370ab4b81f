"""How figures are written: no more digits than another run would show again; and sentences about proofs."""

import math
from collections.abc import Sequence

from benchmarks.case import Row
from benchmarks.rows import is_proved

NONE = "–"


def seconds(value: float | None) -> str:
    """Return two figures.

    Examples
    --------
    >>> [seconds(value) for value in (0.4923, 3.611, 53.2, 1346.0, None)]
    ['0.49', '3.6', '53', '1,300', '–']
    """
    return _figures(value, 2)


def minutes(value: float) -> str:
    """Return seconds as minutes, with two figures."""
    return _figures(value / 60.0, 2)


def ratio(value: float | None) -> str:
    """Return a whole number, or two figures below ten.

    Examples
    --------
    >>> [ratio(value) for value in (378.6, 4727.2, 1.26, 0.2571)]
    ['379', '4,727', '1.3', '0.26']
    """
    return whole(value) if _is_there(value) and abs(value or 0.0) >= 9.95 else _figures(value, 2)


def gap(value: float | None) -> str:
    """Return a relative gap.

    Examples
    --------
    >>> [gap(value) for value in (1.3127e-4, 0.035, 4e-12, 0.0)]
    ['1.3e-4', '3.5e-2', '4.0e-12', '0']
    """
    if not _is_there(value):
        return NONE
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}" if value else "0"


def percent(share: float | None) -> str:
    """Return a share in per cent: a whole number, or two figures below ten.

    Examples
    --------
    >>> [percent(share) for share in (0.757, 1.0, 0.03614, 0.0007008, 0.0)]
    ['76 %', '100 %', '3.6 %', '0.07 %', '0 %']
    """
    return NONE if share is None or math.isnan(share) else f"{ratio(100.0 * share)} %"


def whole(value: float | None) -> str:
    """Return a whole number."""
    return f"{value:,.0f}" if _is_there(value) else NONE


def counted(number: int, thing: str) -> str:
    """Return so many of a thing.

    Examples
    --------
    >>> counted(1, "row"), counted(2300, "row")
    ('1 row', '2,300 rows')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def of(part: int, total: int) -> str:
    """Return a count, ``all`` included.

    Examples
    --------
    >>> of(198, 198), of(14, 20)
    ('all 198', '14 of 20')
    """
    return f"all {total:,}" if part == total else f"{part:,} of {total:,}"


def proved_of(rows: Sequence[Row]) -> str:
    """Return how many rows are proved, of how many."""
    return of(sum(map(is_proved, rows)), len(rows))


def not_proved(rows: Sequence[Row]) -> str:
    """Return what is not proved, each with its gap, or that there is no bound."""
    return ", ".join(f"{row['name']} ({bound(row)})" for row in rows if not is_proved(row)) or "none"


def bound(row: Row) -> str:
    """Return the gap of a row, or that there is no bound."""
    return "no bound" if row["gap"] is None else f"gap {gap(row['gap'])}"


def _figures(value: float | None, number: int) -> str:
    if value is None or not math.isfinite(value):
        return NONE
    if value == 0.0:
        return "0"
    decimals = number - 1 - math.floor(math.log10(abs(float(f"{value:.{number - 1}e}"))))
    text = f"{round(value, decimals):,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text and abs(value) < 0.1 else text


def _is_there(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
