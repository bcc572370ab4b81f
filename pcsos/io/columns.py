"""Which columns of a table are features."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError
from pcsos.io.source import PathLike

#: Names that a column of row numbers gets when a table is written without naming it.
INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")

#: Names that suggest a class or an identifier instead of a feature.
SUSPECT_NAMES = frozenset({"class", "cluster", "label", "labels", "species", "target", "y", "id", "index"})


@dataclass(frozen=True, eq=False)
class Table:
    """Points and the names of their features.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Finite coordinates.
    names : tuple of str or None
        Names of the d features, where the file has any.
    """

    points: NDArray[np.float64]
    names: tuple[str, ...] | None = None

    @property
    def suspects(self) -> tuple[str, ...]:
        """The features whose names suggest a class label or an identifier."""
        return tuple(name for name in self.names or () if name.lower() in SUSPECT_NAMES)


def kept_columns(num_columns: int, names: Sequence[str] | None, ignore: Sequence[str], path: PathLike) -> list[int]:
    """Return the positions of the columns that are features.

    Parameters
    ----------
    ignore : sequence of str
        Names of columns to leave out, or their numbers, counted from 1.

    Raises
    ------
    InputError
        If a column to leave out does not exist, none is left, or one looks like unnamed row numbers.
    """
    dropped = {_position(name, num_columns, names, path) for name in ignore}
    kept = [column for column in range(num_columns) if column not in dropped]
    if not kept:
        raise InputError(f"{path} has no column left to use as a feature; ignore fewer columns")
    for column in kept if names is not None else ():
        if names is not None and names[column] in INDEX_NAMES:
            raise InputError(
                f"{path} has a column {column + 1} without a name, perhaps row numbers; name it, or "
                f"leave it out with --ignore {column + 1}"
            )
    return kept


def refuse_non_finite(points: NDArray[np.float64], path: PathLike, names: Sequence[str] | None = None) -> None:
    """Raise an :class:`InputError` for the first value of an array that is not a finite number."""
    finite = np.isfinite(points)
    if not finite.all():
        row, column = (int(v) for v in np.argwhere(~finite)[0])
        where = f"column {names[column]!r}" if names else f"column {column}"
        raise InputError(
            f"{path} holds {points[row, column]} in row {row} (counted from 0), {where}; remove or impute that value"
        )


def _position(name: str, num_columns: int, names: Sequence[str] | None, path: PathLike) -> int:
    if names is not None and name in names:
        return list(names).index(name)
    if name.isdecimal() and 1 <= int(name) <= num_columns:
        return int(name) - 1
    known = f"columns {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else "no column names"
    raise InputError(f"{path} has no column {name!r} to ignore ({num_columns} columns, {known}); correct the name")
