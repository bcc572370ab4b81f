"""Links: the constraints of an instance."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.effort import OF_AN_ITEM, spend

KINDS = ("ML", "CL")
AT_ONCE = 1 << 12  # links that are objects at a time


@dataclass(frozen=True, eq=False)
class Links:
    """Must-links and cannot-links, of shape (m, 2) each; walking over them yields (kind, i, j)."""

    must_link: NDArray[np.int64]
    cannot_link: NDArray[np.int64]

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.must_link) + len(self.cannot_link)

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        for kind, pairs in zip(KINDS, (self.must_link, self.cannot_link), strict=True):
            for start in range(0, len(pairs), AT_ONCE):
                spend(OF_AN_ITEM * len(pairs[start : start + AT_ONCE]))
                for i, j in pairs[start : start + AT_ONCE].tolist():
                    yield kind, i, j


def differing_pairs(first: NDArray[np.int64], second: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return the pairs of n points, in either order, that one of two lists has and the other one has not."""
    both = [pairs.min(axis=1) * n + pairs.max(axis=1) for pairs in (first, second)]
    codes = np.setxor1d(*both)
    return np.stack([codes // n, codes % n], axis=1)
