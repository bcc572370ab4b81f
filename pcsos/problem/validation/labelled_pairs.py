"""Labelled pairs: pairs of rows that are called by the labels of a table's index, as pairs of positions."""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Pairs
from pcsos.problem.validation.arrays import spelled_out
from pcsos.problem.validation.names import Labels


class Located(NamedTuple):
    """Where the rows are that labelled pairs name.

    Parameters
    ----------
    found : list of (int, int)
        The pairs of positions.
    missing : list of (int, label)
        The number of each other pair, and a label of it that is not there.
    """

    found: list[tuple[int, int]]
    missing: list[tuple[int, Hashable]]


def located(pairs: Pairs, labels: Labels, name: str) -> Located:
    """Return where the rows are that pairs of labels name.

    Raises
    ------
    InputError
        If something else than pairs of labels is given, or labels occur twice.
    """
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
    """Return pairs of labels as pairs of positions; all of them have to be there.

    Raises
    ------
    InputError
        If a label is not in the index, or something else than pairs of labels is given.
    """
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
