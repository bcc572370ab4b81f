"""Groups: points in groups, in little memory."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.effort import OF_AN_ITEM, spend


class Groups(Sequence[list[int]]):
    """Groups of points, one after the other in one array; each is a list where it is asked for.

    Parameters
    ----------
    groups : iterable of iterables of int
        The points of each group.
    """

    def __init__(self, groups: Iterable[Iterable[int]]) -> None:
        self._points, self._ends = array("q"), array("q", [0])
        for group in groups:
            self._points.extend(group)
            spend(OF_AN_ITEM * (5 + len(self._points) - self._ends[-1]))
            self._ends.append(len(self._points))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @property
    def firsts(self) -> NDArray[np.int64]:
        """The first point of each group."""
        return np.array(self._points, np.int64)[np.array(self._ends[:-1], np.int64)]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of points of each group."""
        ends = np.array(self._ends, np.int64)
        return ends[1:] - ends[:-1]

    def __getitem__(self, at: Any) -> Any:
        """Return a group, or a list of groups."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        place = at if at >= 0 else at + len(self)
        if not 0 <= place < len(self):
            raise IndexError(at)
        start, end = self._ends[place : place + 2]
        spend(OF_AN_ITEM * (5 + end - start))
        return self._points[start:end].tolist()
