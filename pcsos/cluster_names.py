"""Cluster names: labels from anywhere, numbers or names, as numbers of clusters."""

import math

import numpy as np
from numpy.typing import ArrayLike

from pcsos.exceptions import InputError
from pcsos.typing import Indices


def numbered_clusters(labels: ArrayLike, name: str) -> Indices:
    """Return labels as numbers of clusters, shape (n,); what Python calls equal is one cluster.

    Raises
    ------
    InputError
        If they are no labels, with one sentence that calls them by this name.
    """
    if np.ma.is_masked(labels):
        raise InputError(f"{name} have masked values; give one label a point")
    array = labels if isinstance(labels, np.ndarray) else _objects(labels, name)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} have shape {array.shape}; give one label a point")
    if array.dtype.kind in "iubSU":
        return np.unique(array, return_inverse=True)[1].astype(np.intp)
    if array.dtype.kind not in "fO":
        raise InputError(f"{name} are {array.dtype}; give numbers or names of clusters")
    clusters: dict[object, int] = {}
    numbers = np.empty(array.size, np.intp)
    for row, value in enumerate(array.tolist()):
        if not _is_name(value):
            raise InputError(f"{name}[{row}] is {value!r}; give every point the number or name of a cluster")
        numbers[row] = clusters.setdefault(value, len(clusters))
    return numbers


def refuse_other_number(labels: Indices, n_points: int) -> None:
    """Refuse labels of another number of points."""
    if labels.size != n_points:
        raise InputError(f"there are {labels.size} labels for {n_points} points; give one label a point")


def _objects(labels: ArrayLike, name: str) -> np.ndarray:
    """Return an array of the labels as they are: NumPy would make strings of numbers beside strings."""
    if hasattr(labels, "__array__"):
        return np.asarray(labels)
    try:
        values = list(labels)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{name} are of type {type(labels).__name__}; give one label a point") from None
    if any(isinstance(value, list | tuple | np.ndarray) for value in values):
        raise InputError(f"{name} have shape of a table or of ragged rows; give one label a point")
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _is_name(value: object) -> bool:
    """Tell whether a value can be the number or name of a cluster: finite, and equal to itself."""
    if isinstance(value, float):
        return math.isfinite(value)
    if value is None or isinstance(value, complex) or type(value).__name__ in ("NAType", "NaTType"):
        return False
    try:
        hash(value)
        return bool(value == value)  # noqa: PLR0124
    except (TypeError, ValueError, ArithmeticError):
        return False
