"""Gram: inner products in place of coordinates, and points that have almost the same ones (Mathematics 13).

The cost of a partition depends on a matrix K of inner products alone, and on K only up to ``a 1^T + 1 a^T``. So K is
centred and factored, ``K - a 1^T - 1 a^T = X X^T + Delta``, and the rows of X are clustered in its place. For weights w
and ``D = diag(w)`` no partition into k clusters costs a different amount for X than for K by more than

    sqrt(n - k) ||D^(1/2) Delta D^(1/2)||_F .

That norm is measured, not estimated: nothing is assumed about how the factor came about.
"""

import math
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats

#: By this share of the greatest eigenvalue the least one may be negative: single precision has such roundings.
INDEFINITENESS = 1e-6
#: What is left of the trace when a factor ends, at most; a factor that leaves more than this is looked at again.
REST, LOOSE = 1e-12, 1e-10
#: What squares that underflow may lose for each row, in scaled units.
UNDERFLOW = 1e-150


@dataclass(frozen=True, eq=False)
class FactoredGram:
    """A matrix of inner products and points that have almost the same ones.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.problem.gram import FactoredGram
    >>> gram = FactoredGram.of(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.ones(2))
    >>> gram.rank, np.abs(gram.factor).round(9).tolist(), gram.residual < 1e-13
    (1, [[1.0], [1.0]], True)
    """

    matrix: Floats = field(repr=False)  #: shape (n, n): K, symmetric
    factor: Floats = field(repr=False)  #: shape (n, r): X, whose rows stand for the points
    #: at least the Frobenius norm of ``D^(1/2) Delta D^(1/2)`` for the weights of the points, despite rounding
    residual: float

    @classmethod
    def of(cls, matrix: Floats, weights: Floats, name: str = "gram") -> Self:
        """Factor a matrix (n, n) that :func:`symmetric` returns, for positive weights (n,) of the points.

        The ``name`` is what the user calls it.

        Raises
        ------
        InputError
            If it has an eigenvalue below 0 that no rounding explains, where the mean of all points is the origin.
        """
        unit = _even_exponent(matrix)
        centred, _ = _centred(np.ldexp(matrix, -unit), weights)
        factor = _pivoted(centred, weights)
        gram = cls.with_factor(matrix, np.ldexp(factor, unit // 2), weights)
        trace = math.ldexp(float(weights @ centred.diagonal()), unit)
        if gram.residual <= LOOSE * trace:
            return gram
        values, vectors = np.linalg.eigh(_weighed(centred, weights))
        doubtful = INDEFINITENESS * max(float(values[-1]), 0.0) + 64.0 * len(values) * EPS * float(weights.max())
        if not values[0] >= -doubtful:  # as no entry of the scaled matrix exceeds 1
            raise _indefinite(centred, unit, name)
        kept = values > max(REST * values[-1] / len(values), 0.0)
        if not kept.any():
            return gram
        factor = vectors[:, kept] * np.sqrt(values[kept]) / np.sqrt(weights)[:, None]
        other = cls.with_factor(matrix, np.ldexp(_shared(factor, matrix), unit // 2), weights)
        return min(gram, other, key=lambda own: own.residual)

    @classmethod
    def with_factor(cls, matrix: Floats, factor: Floats, weights: Floats) -> Self:
        """Return the matrix with a factor that came about anyhow, measured."""
        for array in (matrix, factor):
            array.setflags(write=False)
        return cls(matrix, factor, _residual(matrix, factor, weights))

    @property
    def rank(self) -> int:
        """Number of columns of the factor."""
        return int(self.factor.shape[1])

    def error(self, n_clusters: int) -> float:
        """Return by how much the costs of a partition for K and for X can differ, rounded upwards."""
        size = math.sqrt(len(self.matrix) - n_clusters) * self.residual
        return math.nextafter(size * (1.0 + 4.0 * EPS), math.inf) if size > 0.0 else 0.0


def _even_exponent(matrix: Floats) -> int:
    """Return an even number e such that no entry exceeds 2^e."""
    exponent = math.frexp(float(np.abs(matrix).max()))[1]
    return exponent + exponent % 2


def _centred(matrix: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return ``K - a 1^T - 1 a^T`` for the inner products about the weighted mean, and a."""
    shares = weights / weights.sum()
    means = matrix @ shares
    shift = means - 0.5 * float(shares @ means)
    return matrix - shift[:, None] - shift[None, :], shift


def _weighed(matrix: Floats, weights: Floats) -> Floats:
    roots = np.sqrt(weights)
    return matrix * roots[:, None] * roots[None, :]


def _pivoted(centred: Floats, weights: Floats) -> Floats:
    """Return a factor by a Cholesky factorisation of ``D^(1/2) K D^(1/2)`` with pivots, up to a small rest."""
    from scipy.linalg.lapack import dpstrf

    heavy = _weighed(centred, weights)
    n, diagonal = len(heavy), heavy.diagonal()
    least = max(REST * float(diagonal.sum()) / n, n * EPS * float(diagonal.max()))
    if not diagonal.max() > 0.0:
        return np.zeros((n, 1))
    triangle, pivots, rank, _ = dpstrf(heavy, tol=least, lower=1)
    factor = np.zeros((n, rank))
    factor[pivots - 1] = np.tril(triangle)[:, :rank]
    return _shared(factor / np.sqrt(weights)[:, None], centred)


def _shared(factor: Floats, matrix: Floats) -> Floats:
    """Return the factor with equal rows where the matrix has equal rows, which are points at one place."""
    first: dict[bytes, int] = {}
    return factor[[first.setdefault((row + 0.0).tobytes(), i) for i, row in enumerate(matrix)]]


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def _residual(matrix: Floats, factor: Floats, weights: Floats) -> float:
    """Return a bound on ``||D^(1/2) Delta D^(1/2)||_F``, despite rounding; infinity where nothing can be said.

    An entry of ``X X^T`` is wrong by at most ``(r + 8) EPS |x_i| |x_j|``, which add up to ``sum_i w_i |x_i|^2``, and
    the differences by 4 EPS of what they are made of; K itself may be rounded from what was given, by EPS. The sum of
    n^2 squares adds its own share. All is done in powers of two of K and the weights, which round nothing.
    """
    if not matrix.any() and not factor.any():
        return 0.0
    n, rank = factor.shape
    unit, mass = _even_exponent(matrix), math.frexp(float(weights.max()))[1]
    matrix, factor, weights = np.ldexp(matrix, -unit), np.ldexp(factor, -unit // 2), np.ldexp(weights, -mass)
    roots = np.sqrt(weights)
    rest, shift = _centred(matrix - factor @ factor.T, weights)
    rest = _weighed(rest, weights)
    lengths = float(weights @ np.einsum("ij,ij->i", factor, factor))
    shifts = float(np.linalg.norm(roots) * np.linalg.norm(roots * shift))
    sizes = float(np.linalg.norm(_weighed(matrix, weights))) + 2.0 * shifts
    rounding = (rank + 8.0) * EPS * lengths + 5.0 * EPS * sizes
    total = float(np.linalg.norm(rest)) * (1.0 + (n * n + 32.0) * EPS) + 2.0 * rounding + n * UNDERFLOW
    return math.ldexp(total, unit + mass) if math.isfinite(total) else math.inf


def _indefinite(centred: Floats, unit: int, name: str) -> InputError:
    """Return the error for a matrix that no points have."""
    least = math.ldexp(float(np.linalg.eigvalsh(centred)[0]), unit)
    if name == "distances":
        return InputError(
            f"distances are not squared Euclidean ones: their inner products have the eigenvalue {least:.4g}; adding "
            f"{-2.0 * least:.4g} to all but the diagonal mends that, and adds {-least:.4g} (n - k) to the cost of each "
            "partition, but only where all weights are 1"
        )
    return InputError(
        f"{name} is not positive semidefinite: its least eigenvalue, about the mean of all points, is {least:.4g}; "
        f"adding {-least:.4g} to its diagonal mends that, and adds {-least:.4g} (n - k) to the cost of each partition, "
        "but only where all weights are 1"
    )
