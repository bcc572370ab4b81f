"""Tables for people: rows of text whose columns line up."""

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return lines of rows, the first of their columns to the left, the others to the right.

    Examples
    --------
    >>> from pcsos.base.numerics.aligned import aligned
    >>> print(aligned([["file", "cost"], ["a.csv", "12.5"]]), end="")
    file   cost
    a.csv  12.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:<{width}}" if at == 0 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )
