"""Plain tables and the means that benchmarks quote."""

import math
from collections.abc import Iterable, Sequence


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


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)
