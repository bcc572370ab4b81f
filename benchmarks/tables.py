"""Plain tables, and the means and shares that benchmarks quote."""

import math
from collections.abc import Iterable, Sequence
from statistics import median

#: Relative difference up to which two objectives count as the same.
SAME = 1e-6


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 0) -> str:
    """Return a table with aligned columns, as Markdown; as many of the first as asked for are set left."""
    cells = [list(header), *([_text(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    to_left = [column < left for column in range(len(header))]
    lines = [
        "| "
        + " | ".join(c.ljust(w) if first else c.rjust(w) for c, w, first in zip(row, widths, to_left, strict=True))
        + " |"
        for row in cells
    ]
    rules = ("-" * (w + 2) if first else "-" * (w + 1) + ":" for w, first in zip(widths, to_left, strict=True))
    lines.insert(1, "|" + "|".join(rules) + "|")
    return "\n".join(lines)


def mean(values: Iterable[float]) -> float:
    """Return the arithmetic mean, NaN without values."""
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean, NaN without values."""
    return math.exp(mean(math.log(value) for value in values))


def excess(objective: float | None, best: float | None) -> float | None:
    """Return by how much an objective is above the best known one, relative to it; None where there is none."""
    return None if objective is None or best is None else (objective - best) / abs(best)


def reaches(objective: float | None, best: float | None) -> bool:
    """Return whether an objective is the best known one, to a relative difference of :data:`SAME`."""
    return objective is not None and best is not None and objective - best <= SAME * abs(best)


def least(values: Iterable[float | None]) -> float | None:
    """Return the least of those that are there, or None."""
    return min((value for value in values if value is not None), default=None)


def middle(values: Iterable[float | None]) -> float | None:
    """Return the median of those that are there, or None."""
    there = [value for value in values if value is not None]
    return median(there) if there else None


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)
