"""Side information: what is known about the samples, as pairs of rows of X."""

import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.coercion import real_numbers, spelled_out
from pcsos.constraints import Constraints, Pairs
from pcsos.exceptions import InfeasibleError, InputError
from pcsos.typing import Indices

#: The class of a sample in partial labels where nobody knows it.
UNKNOWN = -1

Labels = Sequence[Hashable]


def row_labels(X: Any) -> Labels | None:
    """Return the labels in the index of a DataFrame; None where rows are called by their position."""
    labels = X.index.tolist() if hasattr(X, "iloc") else None
    return None if labels is None or labels == list(range(len(labels))) else labels


def constraints_on_rows(must_link: Pairs, cannot_link: Pairs, n_rows: int, labels: Labels | None) -> Constraints:
    """Return pairs of positions, or of labels where rows have some, as constraints on the rows."""
    if labels is not None:
        must_link = _positions(must_link, labels, "must_link")
        cannot_link = _positions(cannot_link, labels, "cannot_link")
    return Constraints(n_rows, must_link, cannot_link)


def _positions(pairs: Pairs, labels: Labels, name: str) -> list[tuple[int, int]]:
    """Return pairs of labels as pairs of positions, without those that name a row which is not there."""
    rows = _rows(pairs, name)
    position = {label: at for at, label in enumerate(labels)}
    if rows and len(position) < len(labels):
        raise InputError(f"{name} cannot name rows by an index with labels that occur twice; call X.reset_index first")
    found, missing = [], []
    for number, row in enumerate(rows):
        pair = _pair(row, f"{name}[{number}]")
        lacking = [label for label in pair if label not in position]
        if lacking:
            missing.append(lacking[0])
        else:
            found.append((position[pair[0]], position[pair[1]]))
    if missing:
        warnings.warn(
            f"{name} has {len(missing)} of {len(rows)} pairs with a label that is not in the index of X, such as "
            f"{missing[0]!r}; they are left out",
            stacklevel=4,
        )
    return found


def _pair(row: Any, name: str) -> tuple[Hashable, Hashable]:
    """Return what is given as a pair of labels."""
    labels: Any = [row] if isinstance(row, str) else row  # two letters are no pair
    try:
        first, second = labels
        hash((first, second))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {row!r}; give a pair of labels of the index of X") from error
    return first, second


def _rows(pairs: Pairs, name: str) -> list[Any]:
    """Return the pairs one by one, as plain values."""
    if pairs is None:
        return []
    remedy = "give pairs of labels of the index of X"
    given = spelled_out(pairs, name, remedy, ordered=False)
    values: Any = given.to_numpy() if hasattr(given, "to_numpy") else given
    values = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(values, Iterable):
        raise InputError(f"{name} is {values!r}; {remedy}")
    return list(values)


def checked_classes(partial_labels: ArrayLike | None, n_rows: int) -> Indices:
    """Return the known class of each row, shape (n,), and :data:`UNKNOWN` where there is none."""
    if partial_labels is None:
        return np.full(n_rows, UNKNOWN)
    remedy = f"give one whole number a sample, {UNKNOWN} where the class is not known"
    try:
        classes = real_numbers(np.asarray(spelled_out(partial_labels, "partial_labels", remedy)))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"partial_labels must be whole numbers: {error}; {remedy}") from error
    if classes.shape != (n_rows,):
        raise InputError(f"partial_labels have shape {classes.shape} but there are {n_rows} samples; {remedy}")
    is_whole = np.isfinite(classes) & (classes == np.floor(classes))
    if not is_whole.all():
        row = int(np.argmin(is_whole))
        raise InputError(f"partial_labels[{row}] is {classes[row]}; {remedy}")
    return classes.astype(np.intp)


def pairs_of_classes(classes: Indices, n_clusters: int) -> tuple[Indices, Indices]:
    """Return must-links within classes and cannot-links between them, as few as say it all.

    The samples of a class are linked in a chain, and only the first ones of two classes are kept apart.

    Raises
    ------
    InfeasibleError
        If there are more classes than clusters.
    """
    known = np.flatnonzero(classes != UNKNOWN)
    known = known[np.argsort(classes[known], kind="stable")]
    chain = np.column_stack([known[:-1], known[1:]])
    is_link = classes[chain[:, 0]] == classes[chain[:, 1]]
    first = np.concatenate([known[:1], chain[~is_link, 1]])
    if len(first) > n_clusters:
        raise InfeasibleError(
            f"partial_labels have {len(first)} classes, which cannot be apart in {n_clusters} clusters; "
            "increase n_clusters or join classes",
            {"kind": "clique", "points": first.tolist()},
        )
    one, other = np.triu_indices(len(first), 1)
    return chain[is_link], np.column_stack([first[one], first[other]])
