"""Columns of a table: features, weights, or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats
from pcsos.io.source import PathLike

#: Names that a column of row numbers gets when a table is written without naming it.
INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")

#: Names that suggest a class or an identifier instead of a feature.
SUSPECT_NAMES = frozenset({"class", "cluster", "label", "labels", "species", "target", "y", "id", "index"})


@dataclass(frozen=True)
class Roles:
    """What the columns are, each by name or by number, counted from 1: features, unless something else is said.

    Parameters
    ----------
    features : sequence of str
        The features, where all other columns are none; empty where all others are.
    ignore : sequence of str
        Columns that are left out.
    weights : str or None
        The column that holds the weights of the points.
    ids : str or None
        The column that holds their ids.
    remedy : str
        What to do about a value that is no number, where that is not to leave its column out.
    shown : sequence of str
        Columns that are kept as text, for people to look at.
    """

    ignore: Sequence[str] = ()
    weights: str | None = None
    ids: str | None = None
    remedy: str = ""
    shown: Sequence[str] = ()
    features: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("ignore", "shown", "features"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise InputError(f"{name} is the text {value!r}; give a list of columns, such as [{value!r}]")
            object.__setattr__(self, name, tuple(map(str, value)))


def place_of_row(row: int) -> str:
    """Return where a row is, in a file that has no lines."""
    return f"row {row} (counted from 0)"


@dataclass(frozen=True, eq=False)
class Table:
    """Points, the names of their features, and weights, ids and texts where columns hold them.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Finite coordinates.
    names : tuple of str or None
        Names of the d features, where the file has any.
    weights : ndarray of shape (n,) or None
        Positive weights.
    place : callable
        Where in the file a row is, for messages.
    remark : str
        What may have been read otherwise than it was meant, in one sentence; empty where nothing is in doubt.
    ids : tuple of str or None, length n
        Different names of the points.
    shown : mapping of str to sequence of str, each of length n
        Columns that are no features, as they stand in the file.
    off : callable
        Returns at least the distance of any point from what the file says, which may be no doubles; refuses numbers of
        which too much is lost.
    """

    points: Floats
    names: tuple[str, ...] | None = None
    weights: Floats | None = None
    place: Callable[[int], str] = place_of_row
    remark: str = ""
    ids: tuple[str, ...] | None = None
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    off: Callable[[], float] = lambda: 0.0

    @property
    def suspects(self) -> tuple[str, ...]:
        """The features whose names suggest a class label or an identifier; ``y`` beside ``x`` is a coordinate."""
        lower = {name.lower() for name in self.names or ()}
        plain = {"y"} if "x" in lower else set()
        return tuple(name for name in self.names or () if name.lower() in SUSPECT_NAMES - plain)


def table_of(
    values: Floats,
    names: Sequence[str] | None,
    roles: Roles,
    path: PathLike,
    place: Callable[[int], str] = place_of_row,
    remark: str = "",
    ids: Sequence[str] | None = None,
    shown: Mapping[str, Sequence[str]] | None = None,
    off: Callable[[], float] = lambda: 0.0,
) -> Table:
    """Return the table of the values and names of the columns that :func:`kept_columns` names, ids and texts."""
    if ids is not None:
        ids = tuple(ids)
        _refuse_ids(ids, path, place)
    shown = shown or {}
    if roles.weights is None:
        return Table(values, None if names is None else tuple(names), None, place, remark, ids, shown, off)
    weights = values[:, -1].copy()
    refuse_weights(weights, path, place, f", column {roles.weights!r},")
    features = None if names is None else tuple(names[:-1])
    return Table(np.ascontiguousarray(values[:, :-1]), features, weights, place, remark, ids, shown, off)


def kept_columns(num_columns: int, names: Sequence[str] | None, roles: Roles, path: PathLike) -> list[int]:
    """Return the positions of the columns that are features, and behind them that of the weights, if any.

    Raises
    ------
    InputError
        If a column that is named does not exist, no feature is left, or one looks like unnamed row numbers.
    """
    dropped = {_position(name, num_columns, names, path, "ignore") for name in roles.ignore}
    dropped.update(find_shown_columns(num_columns, names, roles, path).values())
    last = []
    if roles.weights is not None:
        last = [_position(roles.weights, num_columns, names, path, "take weights from")]
        if last[0] in dropped:
            raise InputError(f"{path} column {roles.weights!r} cannot be ignored and hold weights; drop one option")
    id_column = find_id_column(num_columns, names, roles, path)
    if id_column in last:
        raise InputError(f"{path} column {roles.ids!r} cannot hold both ids and weights; name two columns")
    dropped.update([] if id_column is None else [id_column])
    others = dropped.union(last)
    chosen = {name: _position(name, num_columns, names, path, "take as a feature") for name in roles.features}
    for name, column in chosen.items():
        if column in others:
            raise InputError(f"{path} column {name!r} cannot be a feature and something else; drop one option")
    kept = sorted(set(chosen.values())) or [column for column in range(num_columns) if column not in others]
    if not kept:
        raise InputError(f"{path} has no column left to use as a feature; leave one for them")
    for column in kept if names is not None else ():
        if names is not None and names[column] in INDEX_NAMES:
            option = repr(names[column]) if str(column + 1) in names else column + 1
            raise InputError(
                f"{path} has a column {column + 1} without a name, perhaps row numbers; name it, or "
                f"leave it out with --ignore {option}"
            )
    return kept + last


def find_id_column(num_columns: int, names: Sequence[str] | None, roles: Roles, path: PathLike) -> int | None:
    """Return the position of the column with the ids, None where there is none."""
    return None if roles.ids is None else _position(roles.ids, num_columns, names, path, "take ids from")


def find_shown_columns(num_columns: int, names: Sequence[str] | None, roles: Roles, path: PathLike) -> dict[str, int]:
    """Return the positions of the columns that are shown, by what the columns are called."""
    at = [_position(name, num_columns, names, path, "show") for name in roles.shown]
    return {names[column] if names else f"column {column + 1}": column for column in at}


def is_all(kept: list[int], array: NDArray[Any]) -> bool:
    """Tell whether all columns of an array are used, in their order, so that nothing need be copied."""
    return kept == list(range(array.shape[1]))


def refuse_weights(weights: Floats, path: PathLike, place: Callable[[int], str], column: str = "") -> None:
    """Raise an :class:`InputError` for the first weight that is not positive."""
    bad = ~(weights > 0.0)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"{path} {place(row)}{column} holds the weight {weights[row]:g}; give positive weights, and leave out "
            "points without any"
        )


def _refuse_ids(ids: Sequence[str], path: PathLike, place: Callable[[int], str]) -> None:
    """Raise an :class:`InputError` for the first id that is empty or that an earlier point has."""
    if len(set(ids)) == len(ids) and "" not in ids:
        return
    first: dict[str, int] = {}
    for row, name in enumerate(ids):
        if not name:
            raise InputError(f"{path} {place(row)} has no id; give every point one")
        if name in first:
            raise InputError(
                f"{path} {place(row)} has the id {quoted(name)} of {place(first[name])}; give every point its own"
            )
        first[name] = row


def refuse_empty(array: NDArray[Any], path: PathLike) -> None:
    """Raise an :class:`InputError` for an array without values."""
    if array.size == 0:
        raise InputError(f"{path} holds no points (shape {array.shape}); give at least one point with one feature")


def refuse_non_finite(points: Floats, path: PathLike, names: Sequence[str] | None = None) -> None:
    """Raise an :class:`InputError` for the first value of an array that is not a finite number."""
    finite = np.isfinite(points)
    if not finite.all():
        row, column = (int(v) for v in np.argwhere(~finite)[0])
        where = f"column {names[column]!r}" if names else f"column {column}"
        raise InputError(
            f"{path} holds {points[row, column]} in {place_of_row(row)}, {where}; remove or impute that value"
        )


def _position(name: str, num_columns: int, names: Sequence[str] | None, path: PathLike, purpose: str) -> int:
    """Return where a column is. What is a name is taken for it, even where it could be a number, too."""
    if names is not None and name in names:
        return list(names).index(name)
    if name.isascii() and name.isdigit() and len(name) <= 18 and 1 <= int(name) <= num_columns:
        return int(name) - 1
    known = f"columns {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else "no column names"
    raise InputError(f"{path} has no column {name!r} to {purpose} ({num_columns} columns, {known}); correct the name")
