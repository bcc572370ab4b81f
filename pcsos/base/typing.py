"""Array types: what shapes mean is said where an array is described."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
#: Pairs of points as users give them.
Pairs = ArrayLike | Iterable[Sequence[int]] | None
