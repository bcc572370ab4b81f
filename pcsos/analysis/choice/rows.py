"""Rows: what is known of several choices, as a table and as plain values."""

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Result

if TYPE_CHECKING:
    import pandas


def table_of(rows: list[dict[str, Any]]) -> "pandas.DataFrame":
    """Return rows as a table, which needs pandas; what is missing is NaN, and words are strings."""
    try:
        import pandas
    except ImportError as error:
        raise InputError('a table needs pandas, which is not installed; pip install "pcsos[pandas]"') from error
    return pandas.DataFrame([{name: _cell(value) for name, value in row.items()} for row in rows])


def _cell(value: Any) -> Any:
    if value is None:
        return math.nan
    return str(value) if isinstance(value, StrEnum) else value


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with values that JSON has: words as strings, numbers that are not finite as None."""
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, StrEnum) else value


def labels_of(result: Result) -> dict[str, Any]:
    """Return the labels of a result as plain values, and its message, which says why there are none."""
    return {"message": result.message, "labels": None if result.labels is None else result.labels.tolist()}


def shown(value: float | None) -> str:
    """Return a figure as text, a dash where it is not known."""
    return "-" if value is None or not math.isfinite(value) else f"{value:.8g}"


def percent(gap: float | None) -> str:
    """Return a gap as text, a dash where it is not known."""
    return "-" if gap is None or not math.isfinite(gap) else f"{100.0 * gap:.4f}%"
