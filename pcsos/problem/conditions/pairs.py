"""The constraints: what an expert knows about pairs of points, whatever their coordinates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Flags, Indices, Pairs
from pcsos.problem.conditions.role import Final
from pcsos.problem.validation.arrays import is_whole_number, spelled_out


@dataclass(frozen=True, eq=False, init=False)
class Constraints(Final):
    """Pairs of points that must or cannot share a cluster, validated once and immutable afterwards.

    They may contradict each other: that makes an instance infeasible, not invalid.

    Parameters
    ----------
    n_points : int
        Number of points n that the indices refer to.
    must_link, cannot_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs of point indices, from 0. Duplicates and either order are fine; a must-link of a point with itself says
        nothing and is dropped. None is no pairs.

    Attributes
    ----------
    must_link, cannot_link : ndarray of int, shape (m, 2)
        The pairs with i < j, sorted, without duplicates.

    Raises
    ------
    InputError
        With one sentence that names the argument, the place, the value and the remedy.

    Examples
    --------
    >>> from pcsos import Constraints
    >>> constraints = Constraints(5, must_link=[(3, 1), (4, 3)], cannot_link=[(0, 4), (4, 0)])
    >>> constraints.must_link.tolist(), constraints.cannot_link.tolist()
    ([[1, 3], [3, 4]], [[0, 4]])
    >>> constraints.groups.tolist()
    [0, 1, 2, 1, 1]
    >>> constraints.violation([0, 0, 0, 1, 1])
    'points 1 and 3 must be linked but are apart'
    """

    n_points: int
    must_link: Indices
    cannot_link: Indices

    def __init__(self, n_points: int, must_link: Pairs = (), cannot_link: Pairs = ()) -> None:
        object.__setattr__(self, "n_points", n_points)
        for name, given in (("must_link", must_link), ("cannot_link", cannot_link)):
            pairs = pairs_of_points(given, n_points, name)
            if name == "cannot_link":
                refuse_loops(pairs, name)
            pairs = unique_pairs(pairs[pairs[:, 0] != pairs[:, 1]])
            pairs.setflags(write=False)
            object.__setattr__(self, name, pairs)

    @cached_property
    def groups(self) -> Indices:
        """The group of each point, shape (n,): points that must-links connect, numbered by first appearance."""
        return connected_components(self.n_points, self.must_link)

    def joined(self, others: Iterable["Constraints"]) -> "Constraints":
        """Return the pairs of these and of other constraints on the same points."""
        every = [self, *others]
        must, cannot = ([getattr(own, name) for own in every] for name in ("must_link", "cannot_link"))
        return Constraints(self.n_points, np.vstack(must), np.vstack(cannot)) if len(every) > 1 else self

    def violation(self, labels: ArrayLike, name: Callable[[int], str] = str) -> str | None:
        """Return one sentence on the first pair that labels, shape (n,), break; None if they break none.

        It calls a point by what ``name`` tells, by its index unless given.

        Raises
        ------
        InputError
            If there is not one label per point.
        """
        own = np.asarray(labels)
        if own.shape != (self.n_points,) or np.ma.is_masked(labels):
            raise InputError(
                f"labels have shape {own.shape}, or masked values; give one label for {self.n_points} points"
            )
        apart, together = broken_pairs(self.must_link, self.cannot_link, own)
        if apart.any():
            i, j = self.must_link[np.argmax(apart)]
            return f"points {name(i)} and {name(j)} must be linked but are apart"
        if together.any():
            i, j = self.cannot_link[np.argmax(together)]
            return f"points {name(i)} and {name(j)} cannot be linked but are together"
        return None


def broken_pairs(must_link: Indices, cannot_link: Indices, labels: Indices) -> tuple[Flags, Flags]:
    """Return which must-links have their points apart in labels, shape (n,), and which cannot-links together."""
    must, cannot = labels[must_link], labels[cannot_link]
    return must[:, 0] != must[:, 1], cannot[:, 0] == cannot[:, 1]


def connected_components(n: int, pairs: Indices) -> Indices:
    """Return the component of each of n nodes under these edges, numbered by first appearance."""
    if not len(pairs):
        return np.arange(n)
    from scipy.sparse import coo_array, csgraph  # slow to load

    edges = coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n))
    return np.asarray(csgraph.connected_components(edges, directed=False)[1], np.intp)


def unique_pairs(pairs: Indices) -> Indices:
    """Return the pairs with i < j, sorted and without duplicates."""
    if pairs.size == 0:
        return np.empty((0, 2), np.intp)
    size = int(pairs.max()) + 1
    codes = distinct(np.sort(pairs, axis=1) @ np.array([size, 1]))
    return np.column_stack([codes // size, codes % size]).astype(np.intp)


def distinct(codes: Indices) -> Indices:
    """Return numbers of at least 0 sorted and without duplicates, orders of magnitude faster than numpy.unique."""
    codes = np.sort(codes)
    return codes[np.diff(codes, prepend=-1) > 0]


def refuse_loops(pairs: Indices, name: str) -> None:
    """Refuse the first pair of a point with itself."""
    loops = pairs[:, 0] == pairs[:, 1]
    if loops.any():
        row = int(np.argmax(loops))
        raise InputError(f"{name}[{row}] links point {pairs[row, 0]} to itself; remove that pair")


def pairs_of_points(pairs: Pairs, n: int, name: str) -> Indices:
    """Return pairs of indices of n points as they are given, shape (m, 2); refuse what is none by its place."""
    if pairs is None:
        return np.empty((0, 2), np.int64)
    pairs = spelled_out(pairs, name, "give pairs of point indices such as [(0, 5), (2, 3)]", ordered=False)
    try:
        array = np.asarray(pairs)
    except ValueError as error:
        raise InputError(f"{name} must be pairs of point indices: {error}; give rows of two whole numbers") from error
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim == 1 and array.dtype.kind == "O":
        raise InputError(f"{name}[0] is of type {type(array[0]).__name__}; give a pair of point indices such as (0, 5)")
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{name} has shape {array.shape}; give rows of two point indices")
    _refuse_other_than_whole(array, n, name)
    outside = (array < 0) | (array >= n)
    if outside.any():
        row = int(np.argwhere(outside)[0, 0])
        pair = tuple(int(v) for v in array[row])
        raise InputError(f"{name}[{row}] is {pair}, but point indices go from 0 to {n - 1}; correct the index")
    return array.astype(np.int64)


def _refuse_other_than_whole(array: NDArray[Any], n: int, name: str) -> None:
    kind = array.dtype.kind
    is_whole = kind in "iu" or (kind == "O" and all(map(is_whole_number, array.flat)))
    if kind == "f":
        is_whole = bool(np.all(np.isfinite(array) & (array == np.floor(array))))
    label = next((value for value in array.flat if isinstance(value, str)), None) if kind in "OU" else None
    if label is not None:
        raise InputError(
            f"{name} has the label {quoted(str(label))} where a point index from 0 to {n - 1} belongs; give indices, "
            'or points as a DataFrame whose index has such labels (in a pipeline: set_output(transform="pandas"))'
        )
    if not is_whole:
        raise InputError(f"{name} holds values that are not whole numbers; give point indices from 0 to {n - 1}")
