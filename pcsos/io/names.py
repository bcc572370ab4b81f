"""Names of points: what files call them, by number from 0 or from 1, or by ids of their own."""

from collections.abc import Sequence
from functools import cached_property

from pcsos.exceptions import InputError
from pcsos.io.source import quoted


class PointNames:
    """How files call the n points.

    Parameters
    ----------
    n_points : int
        Number of points n.
    first : int
        The number of the first point: 0, or 1 where people count from 1.
    ids : sequence of str, length n, optional
        Different names, which are used instead of numbers.

    Examples
    --------
    >>> from pcsos.io.names import PointNames
    >>> PointNames(3, first=1).index("3", "pairs.txt line 1"), PointNames(3, ids=["a", "b", "c"])[1]
    (2, 'b')
    """

    def __init__(self, n_points: int, *, first: int = 0, ids: Sequence[str] | None = None) -> None:
        self.n_points, self.first, self.ids = n_points, first, ids

    def __getitem__(self, point: int) -> str:
        """Return the name of a point, given its index from 0."""
        return str(point + self.first) if self.ids is None else self.ids[point]

    @property
    def are_indices(self) -> bool:
        """Whether the names are the indices, from 0."""
        return self.ids is None and self.first == 0

    @property
    def title(self) -> str:
        """What a column of names is called."""
        return "point" if self.ids is None else "id"

    def index(self, name: str, where: str) -> int:
        """Return the index of a point, from 0, given its name.

        Raises
        ------
        InputError
            If there is no such point; ``where`` in a file it is named begins the sentence.
        """
        if self.ids is not None:
            if name not in self._index_of:
                raise InputError(f"{where} names the point {quoted(name)}, but no point has this id; correct the id")
            return self._index_of[name]
        if not name.removeprefix("-").isdecimal() or len(name) > 18:
            raise InputError(
                f"{where} has {quoted(name)} where a point index is expected; give a whole number, or --id for ids"
            )
        index = int(name) - self.first
        if not 0 <= index < self.n_points:
            span = f"from {self.first} to {self.n_points - 1 + self.first}"
            remedy = (
                ", or say --one-based if the first point is 1" if self.first == 0 and index == self.n_points else ""
            )
            raise InputError(f"{where} names point {name}, but point indices go {span}; correct the index{remedy}")
        return index

    @cached_property
    def _index_of(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.ids or ())}
