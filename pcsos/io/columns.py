"""Columns of a table: features, weights, or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats
from pcsos.io.source import PathLike

#: Names that a column of row numbers gets when a table is written without naming it; the last one wherever it stands.
INDEX_NAMES = ("", "Unnamed: 0", "__index_level_0__")

#: Names that suggest a class or an identifier instead of a feature.
SUSPECT_NAMES = frozenset({"class", "cluster", "label", "labels", "species", "target", "y", "id", "index"})


@dataclass(frozen=True)
class Roles:
    """What the columns are, each by name or by number, counted from 1: features, unless something else is said."""

    ignore: Sequence[str] = ()  #: columns that are left out
    weights: str | None = None  #: the column that holds the weights of the points
    ids: str | None = None  #: the column that holds their ids
    shown: Sequence[str] = ()  #: columns that are kept as text, for people to look at
    features: Sequence[str] = ()  #: the features, where all other columns are none; empty where all others are
    are_weights: bool = False  #: whether the only column has weights

    def __post_init__(self) -> None:
        for name in ("ignore", "shown", "features"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise InputError(f"{name} is the text {value!r}; give a list of columns, such as [{value!r}]")
            object.__setattr__(self, name, tuple(map(str, value)))

    @property
    def have_weights(self) -> bool:
        """Whether the last column of numbers has weights."""
        return self.are_weights or self.weights is not None

    @property
    def texts(self) -> list[str]:
        """The columns that need not hold numbers."""
        return [*self.ignore, *self.shown, *([] if self.ids is None else [self.ids])]

    @property
    def given(self) -> list[str]:
        """All columns of which something is said."""
        return [*self.texts, *self.features, *([] if self.weights is None else [self.weights])]


def place_of_row(row: int) -> str:
    """Return where a row is, in a file that has no lines."""
    return f"row {row} (counted from 0)"


@dataclass(frozen=True, eq=False)
class Table:
    """Points, the names of their features, and weights, ids and texts where columns hold them."""

    points: Floats  #: shape (n, d): finite coordinates
    names: tuple[str, ...] | None = None  #: names of the d features, where the file has any
    weights: Floats | None = None  #: shape (n,): positive weights
    place: Callable[[int], str] = place_of_row  #: where in the file a row is, for messages
    #: what may have been read otherwise than it was meant, in one sentence; empty where nothing is in doubt
    remark: str = ""
    ids: tuple[str, ...] | None = None  #: length n: different names of the points
    unnamed: str = ""  #: what options call a column without a name that is taken for ids; empty without one
    #: each of length n: columns that are no features, as they stand in the file
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: returns at least the distance of any point from what the file says, which may be no doubles; refuses numbers of
    #: which too much is lost
    off: Callable[[], float] = lambda: 0.0

    @property
    def suspects(self) -> tuple[str, ...]:
        """The features whose names suggest a class label or an identifier; ``y`` beside ``x`` is a coordinate."""
        lower = {name.lower() for name in self.names or ()}
        plain = {"y"} if "x" in lower else set()
        return tuple(name for name in self.names or () if name.lower() in SUSPECT_NAMES - plain)


@dataclass(frozen=True)
class Columns:
    """The columns of a file that are used."""

    kept: list[int]  #: the positions of the features, and behind them that of the weights, if any
    names: tuple[str, ...] | None  #: the names of the features
    weights: str | None  #: what the column of the weights is called
    ids: int | None  #: the position of the column with the ids of the points
    shown: dict[str, int]  #: the positions of the columns that are shown, by what the columns are called
    unnamed: str = ""  #: what options call a column without a name that is taken for ids; empty without one

    @classmethod
    def of(cls, num_columns: int, names: Sequence[str] | None, roles: Roles, path: PathLike) -> "Columns":
        """Return which columns are what.

        A first column without a name, or wherever pandas puts its index, has ids, unless something else is said of it.
        Columns that do not exist, are two things, or leave no feature are refused.
        """
        at = partial(_position, num_columns=num_columns, names=names, path=path)
        shown = [at(name, "show") for name in roles.shown]
        ids = None if roles.ids is None else at(roles.ids, "take ids from")
        weights = [] if roles.weights is None else [at(roles.weights, "take weights from")]
        chosen = sorted({at(name, "take as a feature") for name in roles.features})
        others = {*shown, *(at(name, "ignore") for name in roles.ignore), *([] if ids is None else [ids])}
        for column in [*weights, *chosen]:
            if column in others or (column in weights and column in chosen):
                called = names[column] if names else str(column + 1)
                raise InputError(f"{path} column {called!r} has two roles, such as feature and ignored; drop one")
        others.update(weights)
        index = [column for column, name in enumerate(names or ()) if name in INDEX_NAMES[2 if column else 0 :]]
        unnamed = ""
        for column in set(index[:1]) - others.union(chosen):
            others.add(column)
            if ids is None:
                ids, unnamed = column, str(column + 1)
        features = chosen or [column for column in range(num_columns) if column not in others]
        if not features:
            raise InputError(f"{path} has no column left to use as a feature; leave one for them")
        for column in features:
            if names is not None and names[column] in INDEX_NAMES:
                option = repr(names[column]) if str(column + 1) in names else column + 1
                raise InputError(
                    f"{path} has a column {column + 1} without a name, perhaps row numbers; name it, or leave it out "
                    f"with --ignore {option}"
                )
        titles = {column: names[column] if names else f"column {column + 1}" for column in shown}
        own = None if names is None else tuple(names[column] for column in features)
        return cls(features + weights, own, roles.weights, ids, {titles[column]: column for column in shown}, unnamed)

    @property
    def features(self) -> list[int]:
        """The positions of the features."""
        return self.kept if self.weights is None else self.kept[:-1]

    @property
    def texts(self) -> set[int]:
        """The positions of the columns that are used as text."""
        return {*self.shown.values(), *([] if self.ids is None else [self.ids])}

    def table(
        self,
        values: Floats,
        texts: Mapping[int, Sequence[str]],
        path: PathLike,
        off: Callable[[], float],
        place: Callable[[int], str] = place_of_row,
        remark: str = "",
    ) -> Table:
        """Return the table of the values of the columns that are kept, and of the texts of others.

        Refused are no points, values that are not finite, weights that are not positive, and ids that come twice.
        """
        if values.size == 0:
            raise InputError(f"{path} holds no points (shape {values.shape}); give at least one point with one feature")
        if not np.isfinite(values).all():
            row, position = (int(at) for at in np.argwhere(~np.isfinite(values))[0])
            called = f"{self.kept[position]}" if self.names is None else repr((*self.names, self.weights)[position])
            raise InputError(
                f"{path} holds {values[row, position]} in {place(row)}, column {called}; remove or impute that value"
            )
        ids = None if self.ids is None else tuple(texts[self.ids])
        if ids is not None:
            _refuse_ids(ids, path, place)
        shown = {name: texts[column] for name, column in self.shown.items()}
        weights = None
        if self.weights is not None:
            weights = values[:, -1].copy()
            refuse_weights(weights, path, place, f", column {self.weights!r},")
            values = np.ascontiguousarray(values[:, :-1])
        remark = remark or self._remark(values, path)
        return Table(values, self.names, weights, place, remark, ids, self.unnamed, shown, off)

    def _remark(self, points: Floats, path: PathLike) -> str:
        """Return a remark on what is taken for ids, or on a feature that counts the rows."""
        if self.unnamed:
            return f"{path} has a column {self.unnamed} without a name, taken for ids; name it if it is a feature"
        for column, own in zip(self.features, points.T, strict=True):
            if len(own) > 2 and own[0] in {0.0, 1.0} and np.array_equal(own, own[0] + np.arange(len(own))):
                return (
                    f"{path} counts its rows in column {column + 1}, which is used as a feature; if it is none, leave "
                    f"it out with --ignore {column + 1}"
                )
        return ""


def is_all(kept: list[int], array: NDArray[Any]) -> bool:
    """Return whether all columns of an array are used, in their order, so that nothing need be copied."""
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
                f"{path} {place(row)} has the id {quoted(name)} of {place(first[name])}; give every point its own, or "
                "leave that column out"
            )
        first[name] = row


def _position(name: str, purpose: str, *, num_columns: int, names: Sequence[str] | None, path: PathLike) -> int:
    """Return where a column is. What is a name is taken for it, even where it could be a number, too."""
    if names is not None and name in names:
        return list(names).index(name)
    position = numbered(name, num_columns)
    if position is None:
        known = f"columns {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else "no column names"
        raise InputError(
            f"{path} has no column {name!r} to {purpose} ({num_columns} columns, {known}); correct the name"
        )
    return position


def numbered(name: str, num_columns: int) -> int | None:
    """Return the position of a column that is called by its number, counted from 1, or None."""
    is_number = name.isascii() and name.isdigit() and len(name) <= 18 and 1 <= int(name) <= num_columns
    return int(name) - 1 if is_number else None
