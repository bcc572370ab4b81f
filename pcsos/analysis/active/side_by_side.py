"""Two points side by side: what they are called, what is known of them, their features, and where they differ."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames, refuse_other_names

#: Features of a pair that are shown at most, those that differ most.
MOST_FEATURES = 30
#: Standard deviations of a feature from which on a difference is marked, once for each that is reached.
MARKED = (0.5, 1.0, 2.0)
#: Letters of a line in a table of text; longer values go on below.
WIDEST = 40


@dataclass(frozen=True)
class Row:
    """What two points have in one column."""

    name: str  #: what the column is called
    values: tuple[str, str]  #: the values of the two points
    apart: float | None  #: standard deviations of the column between them; None where the values are no numbers

    @property
    def is_same(self) -> bool:
        """Whether both have the same value."""
        return self.values[0] == self.values[1] if self.apart is None else self.apart == 0.0

    @property
    def num_marks(self) -> int:
        """How many of the differences in :data:`MARKED` are reached."""
        return sum((self.apart or 0.0) >= least for least in MARKED)

    @property
    def difference(self) -> str:
        """How far the two are from one another, in words; empty for different texts."""
        if self.is_same or self.apart is None:
            return "the same" if self.is_same else ""
        size = f"{self.apart:.2g}"
        return f"{size} standard deviation{'s' * (size != '1')}"


class SideBySide:
    """Shows pairs of points of an instance.

    Parameters
    ----------
    instance : Instance
        The points, with names of points and features where there are any.
    shown : mapping of str to array_like, each of length n, or pandas DataFrame, optional
        What else is known of the points and helps to judge them, by names: numbers or texts, which are no features.
    originals : array_like, shape (n, d), optional
        The features as people know them, where those of the instance are scaled.

    Raises
    ------
    InputError
        If ``shown`` or ``originals`` are not about as many points.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.analysis.active import SideBySide
    >>> instance = Instance([[1.0, 5.0], [1.0, 7.0]], 2, feature_names=("length", "width"))
    >>> print(SideBySide(instance, shown={"town": ["Bonn", "Rome"]})(0, 1))
    point      0     1
    town    Bonn  Rome
    length     1     1  =
    width      5     7  ***  by 2 standard deviations
    """

    def __init__(
        self,
        instance: Instance,
        *,
        shown: Mapping[str, ArrayLike] | None = None,
        originals: ArrayLike | None = None,
    ) -> None:
        self.instance = instance
        refuse_other_names(originals, instance.names, "originals")
        self._features = instance.points if originals is None else np.asarray(originals, np.float64)
        if self._features.shape != instance.points.shape:
            raise InputError(
                f"originals have shape {self._features.shape}, points {instance.points.shape}; give the same features"
            )
        self._spread = _spread(self._features)
        known = () if shown is None else shown.items()
        self._shown = [_Column.of(str(name), values, instance.names) for name, values in known]

    def rows(self, i: int, j: int) -> tuple[Row, ...]:
        """Return what is known of points i and j besides, and then the features in which they differ most."""
        points = self._features
        apart = np.abs(points[i] / self._spread - points[j] / self._spread)
        most = np.sort(np.argsort(-apart, kind="stable")[:MOST_FEATURES]).tolist()
        titles = self.instance.feature_titles
        features = [
            Row(titles[f], (_number(float(points[i, f])), _number(float(points[j, f]))), float(apart[f])) for f in most
        ]
        return (*(column.row(i, j) for column in self._shown), *features)

    @property
    def num_hidden(self) -> int:
        """How many features :meth:`rows` leaves out."""
        return max(self.instance.n_features - MOST_FEATURES, 0)

    def __call__(self, i: int, j: int) -> str:
        """Return a table of points i and j, a line for each row."""
        names = self.instance.names
        cells = list(_lines((names.title, names[i], names[j], "")))
        for row in self.rows(i, j):
            cells += _lines((row.name, *row.values, _marked(row)))
        widths = [max(len(line[column]) for line in cells) for column in range(3)]
        lines = [
            f"{name:<{widths[0]}}  {first:>{widths[1]}}  {second:>{widths[2]}}  {mark}".rstrip()
            for name, first, second, mark in cells
        ]
        hidden = self.num_hidden
        return "\n".join([*lines, *([f"and {hidden} features that differ less"] if hidden else [])])


@dataclass(frozen=True, eq=False)
class _Column:
    """What is known of all points under one name: texts, and numbers in units of their spread where all are some."""

    name: str
    texts: tuple[str, ...]
    numbers: Floats | None

    @classmethod
    def of(cls, name: str, values: Any, names: PointNames) -> "_Column":
        refuse_other_names(values, names, f"the values of {name!r} in shown")
        n_points = names.n_points
        texts = tuple(str(value) for value in values)
        if len(texts) != n_points:
            raise InputError(f"shown has {len(texts)} values of {name!r}, for {n_points} points; give one per point")
        try:
            numbers = np.array([float(text) for text in texts])
        except ValueError:
            return cls(name, texts, None)
        return cls(name, texts, numbers / _spread(numbers) if np.isfinite(numbers).all() else None)

    def row(self, i: int, j: int) -> Row:
        apart = None if self.numbers is None else abs(float(self.numbers[i] - self.numbers[j]))
        return Row(self.name, (self.texts[i], self.texts[j]), apart)


def _spread(values: Floats) -> Floats:
    """Return the standard deviation of each column, 1 where there is none."""
    spread = values.std(axis=0)
    return np.where(spread > 0.0, spread, 1.0)


def _number(value: float) -> str:
    """Return a feature as it is shown: whole numbers with all their digits."""
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def _lines(cells: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a row of a table."""
    yield from zip_longest(*(wrap(cell, WIDEST) or [""] for cell in cells), fillvalue="")


def _marked(row: Row) -> str:
    """Return what is written beside two values."""
    if row.is_same:
        return "="
    stars = "*" * row.num_marks
    return f"{stars or '.':<3}  by {row.difference}" if row.apart is not None else ""
