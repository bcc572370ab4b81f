"""Similarity: matrices of inner products from coordinates, from kernels and from distances."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.numerics.portable import column_means, exponentials, inner_products_of, squared_distances, variance
from pcsos.base.typing import Floats
from pcsos.problem.validation.arrays import symmetric

#: Kernels that have a name.
KERNELS = ("linear", "rbf")
#: Points of which a matrix is computed, at most: it takes 3.2 GB, and several of that size are needed.
MOST_POINTS = 20_000
#: By this share of the greatest squared distance those of points to themselves may differ from 0.
DIAGONAL = 1e-6

KernelFunction = str | Callable[[Floats, Floats], Any]


@dataclass(frozen=True, eq=False)
class Gram:
    """Inner products of the points, which stand in place of their coordinates.

    Parameters
    ----------
    matrix : array_like, shape (n, n)
        The inner products K, symmetric.

    Examples
    --------
    >>> import pcsos
    >>> pcsos.solve(pcsos.Gram([[0.0, 0.0, 0.0], [0.0, 1.0, 5.0], [0.0, 5.0, 25.0]]), 2).objective
    0.5
    """

    matrix: ArrayLike


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared Euclidean distances of the points, which stand in place of their coordinates.

    Parameters
    ----------
    matrix : array_like, shape (n, n)
        The squares, symmetric, none negative, 0 on the diagonal.

    Examples
    --------
    >>> import pcsos
    >>> pcsos.solve(pcsos.Distances([[0.0, 1.0, 25.0], [1.0, 0.0, 16.0], [25.0, 16.0, 0.0]]), 2).objective
    0.5
    """

    matrix: ArrayLike


@dataclass(frozen=True, eq=False)
class Kernel:
    """Points in the feature space of a kernel.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Finite coordinates.
    function : {"linear", "rbf"} or callable
        ``linear``: inner products of the points about their mean. ``rbf``: ``exp(-gamma ||p_i - p_j||^2)``. A callable
        is given the points twice and returns the matrix, as those of ``sklearn.metrics.pairwise`` do.
    gamma : float, optional
        Of ``rbf``; by default 1 / (d times the variance of all coordinates).

    Examples
    --------
    >>> import pcsos
    >>> pcsos.solve(pcsos.Kernel([0.0, 1.0, 5.0, 6.0], "rbf", gamma=0.5), 2).labels.tolist()
    [0, 0, 1, 1]
    """

    points: Any
    function: KernelFunction
    gamma: float | None = None


def kernel_matrix(points: Floats, kernel: KernelFunction, gamma: float | None = None) -> Floats:
    """Return the inner products of points in the feature space of a kernel; see :class:`Kernel`.

    Returns
    -------
    ndarray, shape (n, n)
        Exactly symmetric. Of ``linear`` and ``rbf`` it has the same bits on every processor
        (:mod:`pcsos.base.numerics.portable`), so that a run is recognised by its points everywhere.

    Raises
    ------
    InputError
        If there is no such kernel, gamma is not positive, or a callable returns something else than such a matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.problem.similarity import kernel_matrix
    >>> kernel_matrix(np.array([[0.0], [2.0]]), "rbf", gamma=0.25).round(4).tolist()
    [[1.0, 0.3679], [0.3679, 1.0]]
    """
    if gamma is not None and kernel != "rbf":
        raise InputError(f"gamma is {gamma!r}, but only kernel='rbf' has one; leave it out")
    if not callable(kernel) and kernel not in KERNELS:
        raise InputError(f"kernel is {kernel!r}; give 'linear', 'rbf' or a function of two arrays of points")
    if len(points) > MOST_POINTS:
        size = f"{8e-9 * len(points) ** 2:.3g} GB"
        raise InputError(f"{len(points)} points have a matrix of {size}; give a sample of at most {MOST_POINTS} points")
    name = "what kernel returns" if callable(kernel) else f"the {kernel} kernel"
    return symmetric(
        kernel_between(points, points, kernel, gamma, points), name, "let it be a matrix of inner products"
    )


def kernel_between(
    points: Floats, others: Floats, kernel: KernelFunction, gamma: float | None, fitted: Floats
) -> Floats:
    """Return the inner products of points with others, shape (n, m); mean and gamma are those of the fitted points."""
    if callable(kernel):
        return np.asarray(kernel(points, others), np.float64)
    if kernel == "linear":
        centre = column_means(fitted)
        centred = points - centre
        return inner_products_of(centred, centred if others is points else others - centre)
    return exponentials(-kernel_gamma(fitted, gamma) * squared_distances(points, others))


def kernel_alone(points: Floats, kernel: KernelFunction, gamma: float | None, fitted: Floats) -> Floats:
    """Return the inner product of each point with itself, shape (n,), likewise."""
    if kernel == "rbf":
        return np.ones(len(points))
    if kernel == "linear":
        return squared_distances(points, column_means(fitted)[None])[:, 0]
    alone = (kernel_between(row, row, kernel, gamma, fitted) for row in points[:, None])
    return np.array([float(value[0, 0]) for value in alone])


def kernel_gamma(points: Floats, gamma: object) -> float:
    """Return gamma as it is given, or else 1 / (d times the variance of all coordinates), 1 where nothing varies."""
    if gamma is None:
        spread = variance(points) * points.shape[1]
        return 1.0 / spread if spread > 0.0 else 1.0
    if isinstance(gamma, bool) or not isinstance(gamma, Real) or not 0.0 < float(gamma) < np.inf:
        raise InputError(f"gamma is {gamma!r}; give a positive number")
    return float(gamma)


def inner_products(distances: Any) -> Floats:
    """Return ``-D / 2`` for squared Euclidean distances D: inner products up to what no cost depends on.

    Parameters
    ----------
    distances : array_like, shape (n, n)
        Symmetric, none negative, 0 on the diagonal.

    Raises
    ------
    InputError
        If they are no such distances. Whether they are Euclidean is seen when they are factored.
    """
    remedy = "give a square matrix of squared distances"
    matrix = symmetric(distances, "distances", remedy)
    least = np.unravel_index(matrix.argmin(), matrix.shape)
    if matrix[least] < 0.0:
        raise InputError(f"distances[{least[0]}, {least[1]}] is {matrix[least]:g}; {remedy}, none of them negative")
    worst = int(matrix.diagonal().argmax())
    if matrix[worst, worst] > DIAGONAL * matrix.max():
        raise InputError(f"distances[{worst}, {worst}] is {matrix[worst, worst]:g}; {remedy}, with 0 on the diagonal")
    np.fill_diagonal(matrix, 0.0)
    return -0.5 * matrix
