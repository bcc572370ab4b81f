"""Array types: what shapes mean is said where an array is described."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
#: None in rare cases, for which type checkers ask no assertion.
MaybeNone = Any
#: Pairs of points as users give them.
Pairs = ArrayLike | Iterable[Sequence[int]] | None
