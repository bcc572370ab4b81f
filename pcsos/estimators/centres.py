"""Centres of clusters: their order."""

import numpy as np

from pcsos.base.typing import Floats, Indices

#: Digits to which coordinates of centres, relative to their spread, count when centres are ordered.
DIGITS = 9


def lexicographic_order(centres: Floats) -> Indices:
    """Return the order of the centres by their first coordinate, then the next, as far as rounding leaves it alone.

    Only where all rounded coordinates are equal, the others count.
    """
    offsets = centres - centres.min(axis=0)
    spread = offsets.max()
    rounded = np.round(offsets / (spread or 1.0), DIGITS)
    return np.lexsort((*offsets.T[::-1], *rounded.T[::-1]))
