"""Names: what people call points and features. Nothing is computed from them, and nothing is proved of them."""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Pairs
from pcsos.problem.validation.arrays import spelled_out

Labels = Sequence[Hashable]


def row_labels(points: Any) -> Labels | None:
    """Return the labels in the index of a pandas DataFrame; None where rows are called by their position."""
    labels = points.index.tolist() if hasattr(points, "iloc") else None
    return None if labels is None or labels == list(range(len(labels))) else labels


def index_name(points: Any) -> Hashable:
    """Return what the index of a DataFrame is called, a tuple where it has several levels; None without a name."""
    if not hasattr(points, "iloc"):
        return None
    name: Hashable = tuple(points.index.names) if points.index.nlevels > 1 else points.index.name
    return name


def refuse_other_index(points: Any, values: Any, name: str) -> None:
    """Refuse values a row, such as labels or weights, that a pandas Series has in another order than the table."""
    if hasattr(points, "iloc") and hasattr(values, "iloc") and not values.index.equals(points.index):
        raise InputError(
            f"{name} have another index than the points; give them as {name}.loc[points.index], or as "
            f"{name}.to_numpy() if they are in the order of the points"
        )


def refuse_other_names(values: Any, names: "PointNames", called: str) -> None:
    """Refuse a Series or a table whose index names the points in another order, or other points."""
    if not hasattr(values, "iloc"):
        return
    index, own = values.index.tolist(), list(names.labels)
    is_shuffled = index != own and sorted(map(str, index)) == sorted(map(str, own))
    if is_shuffled or (names.ids is not None and index != own):
        raise InputError(f"{called} have another index than the points; give them in the order of the points")


def refuse_other_columns(values: Any, names: Sequence[str] | None, called: str) -> None:
    """Refuse a table whose columns are called otherwise than the features, or are in another order."""
    own = column_names(values)
    if names is not None and own is not None and own != tuple(names):
        raise InputError(
            f"{called} have the columns {', '.join(own[:8])}, but the features are {', '.join(names[:8])}; give these, "
            "in this order"
        )


def column_names(points: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a DataFrame; None where they have none, or others than text."""
    names = tuple(getattr(points, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


class PointNames:
    """How the n points are called.

    Parameters
    ----------
    n_points : int
        Number of points n.
    first : int
        The number of the first point: 0, or 1 where people count from 1.
    ids : sequence, length n, optional
        Different names, which are used instead of numbers.
    index_name : hashable, optional
        What the index of a DataFrame is called that the ids are from; else ``point`` or ``id``.

    Examples
    --------
    >>> from pcsos.io import PointNames
    >>> PointNames(3, first=1).index("3", "pairs.txt line 1"), PointNames(3, ids=["a", "b", "c"])[1]
    (2, 'b')
    """

    def __init__(
        self, n_points: int, *, first: int = 0, ids: Labels | None = None, index_name: Hashable = None
    ) -> None:
        self.n_points, self.first, self.ids = n_points, first, ids
        self.index_name = self.title if index_name is None else index_name

    def __getitem__(self, point: int) -> str:
        """Return the name of a point, given its index from 0."""
        return str(point + self.first) if self.ids is None else str(self.ids[point])

    def __contains__(self, name: str) -> bool:
        """Return whether a point has this id."""
        return name in self._index_of

    def word(self, point: int) -> str:
        """Return the name of a point as one word: quoted where it has blanks."""
        name = self[point]
        return name if name and not any(letter.isspace() for letter in name) else repr(name)

    @property
    def are_indices(self) -> bool:
        """Whether the names are the indices, from 0."""
        return self.ids is None and self.first == 0

    @property
    def title(self) -> str:
        """What a column of names is called."""
        return "point" if self.ids is None else "id"

    @property
    def labels(self) -> Labels:
        """The names as they were given: numbers where there are no ids."""
        return range(self.first, self.first + self.n_points) if self.ids is None else self.ids

    def index(self, name: str, where: str) -> int:
        """Return the index of a point, from 0, given its name in a file; refuse what is none, with ``where`` it is."""
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
        return {str(name): index for index, name in enumerate(self.ids or ())}


class Located(NamedTuple):
    """Where the rows are that labelled pairs name."""

    found: list[tuple[int, int]]  #: the pairs of positions
    missing: list[tuple[int, Hashable]]  #: the number of each other pair, and a label of it that is not there


def located(pairs: Pairs, labels: Labels, name: str) -> Located:
    """Return where the rows are that pairs of labels name; refuse labels that occur twice, and what is no pair."""
    rows = _rows(pairs, name)
    position = {label: at for at, label in enumerate(labels)}
    if rows and len(position) < len(labels):
        raise InputError(f"{name} cannot name rows by an index with labels that occur twice; call reset_index first")
    found, missing = [], []
    for number, row in enumerate(rows):
        pair = _pair(row, f"{name}[{number}]")
        lacking = [label for label in pair if label not in position]
        if lacking:
            missing.append((number, lacking[0]))
        else:
            found.append((position[pair[0]], position[pair[1]]))
    return Located(found, missing)


def positions(pairs: Pairs, labels: Labels, name: str) -> list[tuple[int, int]]:
    """Return pairs of labels as pairs of positions; what is no pair of labels that are there is refused."""
    found, missing = located(pairs, labels, name)
    if missing:
        number, label = missing[0]
        raise InputError(
            f"{name}[{number}] names the row {label!r}, which is not in the index of the table; give labels of the "
            "index, or call reset_index to call rows by their positions"
        )
    return found


def _pair(row: Any, name: str) -> tuple[Hashable, Hashable]:
    """Return what is given as a pair of labels."""
    labels: Any = [row] if isinstance(row, str) else row  # two letters are no pair
    try:
        first, second = labels
        hash((first, second))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {row!r}; give a pair of labels of the index") from error
    return first, second


def _rows(pairs: Pairs, name: str) -> list[Any]:
    """Return the pairs one by one, as plain values."""
    if pairs is None:
        return []
    remedy = "give pairs of labels of the index"
    given = spelled_out(pairs, name, remedy, ordered=False)
    values: Any = given.to_numpy() if hasattr(given, "to_numpy") else given
    values = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(values, Iterable):
        raise InputError(f"{name} is {values!r}; {remedy}")
    return list(values)
