"""Matrices: square arrays that have to be symmetric."""

from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.problem.validation.arrays import real_numbers, spelled_out

#: Entries beyond this magnitude would overflow when they are summed and squared.
LARGEST_ENTRY = 1e250
#: By this share of the largest entry a matrix may differ from its transpose: single precision has such roundings.
ASYMMETRY = 1e-6

REMEDY = "give a square matrix of inner products"


def symmetric(values: Any, name: str, remedy: str = REMEDY) -> Floats:
    """Return a matrix as an array of doubles that is exactly symmetric.

    Parameters
    ----------
    values : array_like, shape (n, n)
        Finite numbers, symmetric up to rounding.
    name, remedy : str
        What the user calls the matrix, and what to give instead of one that cannot be used.

    Raises
    ------
    InputError
        If it is not square, symmetric and finite, or too large to be summed.
    """
    values = spelled_out(values, name, remedy)
    try:
        matrix = real_numbers(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be a square array of real numbers: {error}; {remedy}") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise InputError(f"{name} has the shape {matrix.shape}; {remedy}, with a row and a column for each point")
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise InputError(f"{name}[{i}, {j}] is {matrix[i, j]}; remove points whose entries are not finite numbers")
    largest = float(np.abs(matrix).max())
    if largest > LARGEST_ENTRY:
        i, j = np.unravel_index(np.abs(matrix).argmax(), matrix.shape)
        raise InputError(f"{name}[{i}, {j}] is {matrix[i, j]:g}, too large to be squared; divide it by a constant")
    apart = np.abs(matrix - matrix.T)
    if apart.max() > ASYMMETRY * largest:
        i, j = (int(v) for v in np.unravel_index(apart.argmax(), apart.shape))
        raise InputError(
            f"{name}[{i}, {j}] is {matrix[i, j]:g} but {name}[{j}, {i}] is {matrix[j, i]:g}; {remedy} that is symmetric"
        )
    return 0.5 * (matrix + matrix.T)
