"""Cluster names: labels from anywhere, numbers or names of clusters or of other groups of points."""

import math
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices

#: What DBSCAN and its like call points in no cluster, and the first cluster; also as text.
NOISE, FIRST = (-1, "-1", b"-1"), (0, "0", b"0")
#: What to do about a number that looks like a measurement.
NO_DECIMALS = "a number with decimals names no {}; give whole numbers or names"


def numbered_clusters(labels: ArrayLike, name: str, *, may_leave_out: bool = False) -> Indices:
    """Return labels as numbers of clusters, shape (n,); what Python calls equal is one cluster.

    With ``may_leave_out``, -1 stands for no cluster, and stays -1. What are no labels is refused by this name.
    """
    array = _checked(labels, name, "cluster")
    values = array.tolist()
    if not may_leave_out:
        refuse_noise(values, lambda row: f"{name}[{row}]")
    names = sorted(set(values)) if array.dtype.kind in "iubSU" else dict.fromkeys(values)
    clusters = {value: number for number, value in enumerate(names)} | dict.fromkeys(NOISE if may_leave_out else (), -1)
    return np.array([clusters[value] for value in values], np.intp)


def sorted_classes(labels: ArrayLike, name: str) -> Indices:
    """Return labels as numbers of classes, shape (n,), in the order of their values; refuse what has none."""
    if np.ma.is_masked(labels):
        raise InputError(f"{name} have masked values; give every point a class")
    array = np.asarray(_objects(labels, name).tolist() if isinstance(labels, list | tuple) else labels)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} have shape {array.shape}; give one class a point")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"{name}[{int(np.argmin(np.isfinite(array)))}] is not finite; give every point a class")
    if array.dtype.kind in "SU" and isinstance(labels, list | tuple) and {*map(type, labels)} - {str, bytes, np.str_}:
        raise InputError(f"{name} are text and other things; give texts only, or numbers only")
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.intp)
    except TypeError:
        raise InputError(f"{name} cannot be put in an order; give texts only, or numbers only") from None


def labels_of_points(labels: ArrayLike, name: str, n_points: int, what: str) -> list[Any]:
    """Return labels of n points as they are, numbers or names of something (``what``), where each point has one.

    What are no labels is refused by this name.
    """
    array = _checked(labels, name, what)
    if array.size != n_points:
        raise InputError(f"{name} are {array.size} labels for {n_points} points; give one label per point")
    return list(array.tolist())


def refuse_noise(labels: Sequence[object], place: Callable[[int], str]) -> None:
    """Refuse -1 beside 0: so DBSCAN marks points that it leaves in no cluster. -1 beside 1 may be two classes."""
    row = next((row for row, label in enumerate(labels) if label in NOISE), None)
    if row is not None and any(label in FIRST for label in labels):
        raise InputError(
            f"{place(row)} is -1 beside 0, as DBSCAN marks points in no cluster; put each of them into a cluster, "
            "or leave them out; if -1 is a cluster, give it another name"
        )


def refuse_other_number(labels: Indices, n_points: int) -> None:
    """Refuse labels of another number of points."""
    if labels.size != n_points:
        raise InputError(f"there are {labels.size} labels for {n_points} points; give one label per point")


def _checked(labels: ArrayLike, name: str, what: str) -> np.ndarray:
    """Return labels as an array, shape (n,), of numbers or names of something."""
    if np.ma.is_masked(labels):
        raise InputError(f"{name} have masked values; give one label per point")
    array = labels if isinstance(labels, np.ndarray) else _objects(labels, name)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} have shape {array.shape}; give one label per point")
    if array.dtype.kind not in "iubSUfO":
        raise InputError(f"{name} are {array.dtype}; give numbers or names of {what}s")
    for row, value in enumerate(array.tolist() if array.dtype.kind in "fO" else ()):
        if not _is_name(value):
            raise InputError(f"{name}[{row}] is {value!r}; give every point the number or name of a {what}")
        if isinstance(value, float) and not value.is_integer():
            raise InputError(f"{name}[{row}] is {value!r}; {NO_DECIMALS.format(what)}")
    return array


def _objects(labels: ArrayLike, name: str) -> np.ndarray:
    """Return an array of the labels as they are: NumPy would make strings of numbers beside strings."""
    if hasattr(labels, "__array__"):
        return np.asarray(labels)
    try:
        if isinstance(labels, str | bytes | Mapping | Set):
            raise TypeError("neither texts nor what has no order are labels")
        values = list(labels)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{name} are of type {type(labels).__name__}; give one label per point") from None
    if any(isinstance(value, list | tuple | np.ndarray) for value in values):
        raise InputError(f"{name} have shape of a table or of ragged rows; give one label per point")
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _is_name(value: object) -> bool:
    """Return whether a value can be the number or name of a cluster: finite, and equal to itself."""
    if isinstance(value, float):
        return math.isfinite(value)
    if value is None or isinstance(value, complex) or type(value).__name__ in ("NAType", "NaTType"):
        return False
    try:
        hash(value)
        return bool(value == value)  # noqa: PLR0124
    except (TypeError, ValueError, ArithmeticError):
        return False
