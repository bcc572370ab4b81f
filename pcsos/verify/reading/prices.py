"""Prices, and the axes along which places are measured (docs/certificate.md, sections 2 and 12)."""

from pcsos.verify.errors import FormatError
from pcsos.verify.reading.arrays import Arrays, Doubles, Integers
from pcsos.verify.reading.memory import Memory

#: Axes are in units of two to the power of minus that, and there are so many at most.
AXIS_BITS, MOST_AXES = 30, 16


def read_prices(
    data: object, memory: Memory, *, size: int | None = None, most: int | None = None, num_features: int | None = None
) -> tuple[Doubles, Integers | None]:
    """Return so many prices, or at most so many, and their axes, one per row, or None: there need not be any."""
    arrays = Arrays(data, "prices", memory)
    prices = arrays.doubles(1, size, most)
    if arrays.is_finished:
        return prices, None
    axes = arrays.integers(2, most=None if num_features is None else MOST_AXES * num_features)
    arrays.finished()
    if not 1 <= len(axes) <= min(MOST_AXES, axes.shape[1]):
        raise FormatError(f"prices: {len(axes)} axes of {axes.shape[1]} features, not 1 to {MOST_AXES}, and no more")
    if num_features is not None and axes.shape[1] != num_features:
        raise FormatError(f"prices: axes of {axes.shape[1]} features, where there are {num_features}")
    return prices, axes
