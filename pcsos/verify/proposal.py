"""Proposals of floating point to the spectral proof: a shift, signs and a factor, all integers when they leave.

None of it is trusted (docs/certificate.md, section 6): the proof holds for any integers.
"""

from collections.abc import Iterator

import numpy as np
from flint import arb_mat, fmpz_mat
from numpy.typing import NDArray

from pcsos.verify.exact import midpoints
from pcsos.verify.reader import VerificationError

FACTOR_BITS = 56  # of the largest entry of a part of the factor: sums of products of two fit into two words
SHIFT_BITS = 120  # the shift is an integer in units of 2^-120 of the size of the matrix
LEAST_SIZE = 1e-12  # of an eigenvalue, beside the largest, by which a correction is divided

Panel = tuple[fmpz_mat, fmpz_mat]  # the same columns of the rows with positive signs and of those with negative ones


class Proposal:
    """Integers with ``shift 2^-shift_bits I + F' S F`` close to a symmetric matrix B; S is diagonal, of signs.

    F is the sum of one part or two, each in units of its own ``2^-bits``. A matrix is told block by block, of which
    those on the diagonal and above are enough.
    """

    def __init__(self, size: int) -> None:
        self._matrix = np.zeros((size, size))
        self._told: list[tuple[slice, slice, int]] = []  # blocks and the exponents of their units
        self._parts: list[NDArray[np.int64]] = []
        self.bits: list[int] = []

    def tell(self, rows: slice, columns: slice, block: arb_mat, exponent: int) -> None:
        """Take a block of the matrix, in units of ``2^exponent`` in which its entries are about 1."""
        self._matrix[rows, columns] = midpoints(block.entries(), (block.nrows(), block.ncols()))
        self._told.append((rows, columns, exponent))

    @property
    def is_zero(self) -> bool:
        """Whether no block was told that is other than 0."""
        return not self._told

    def exponent(self) -> int:
        """Return the greatest of the blocks that were told."""
        return max(exponent for _, _, exponent in self._told)

    def _in_one_unit(self, exponent: int) -> None:
        """Bring the blocks that were told into units of ``2^exponent``."""
        for rows, columns, own in self._told:
            if own != exponent:
                self._matrix[rows, columns] = np.ldexp(self._matrix[rows, columns], max(own - exponent, -2000))
        self._told = []

    def factorise(self, u: arb_mat, w: arb_mat, exponent: int, rank: int) -> None:
        """Propose a shift and a factor of ``B = matrix + w u' + u w'``, in units of ``2^exponent``."""
        self._in_one_unit(exponent)
        matrix = self._matrix
        first, second = (midpoints(side.entries(), (1, len(matrix)))[0] for side in (u, w))
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            matrix[i] += b * first + a * second
        try:
            values, vectors = np.linalg.eigh(matrix, UPLO="U")
        except np.linalg.LinAlgError as error:
            raise VerificationError("multipliers: of a size that nothing can be proved with") from error
        if not (np.isfinite(values).all() and np.isfinite(vectors).all()):
            raise VerificationError("multipliers: of a size that nothing can be proved with")
        matrix.fill(0.0)  # for the residual
        shift = float(values[rank - 1] + values[rank]) / 2.0
        self.shift, self.shift_bits = int(np.ldexp(shift, SHIFT_BITS)), SHIFT_BITS - exponent
        self._exponent, self._sizes = exponent, np.abs(values - shift)
        self._num_below = int(np.count_nonzero(values < shift))
        vectors *= np.sqrt(self._sizes)
        self._add_part(vectors.T)

    def _add_part(self, values: NDArray[np.float64]) -> None:
        bits = FACTOR_BITS - int(np.frexp(max(values.max(), -values.min()))[1])
        np.ldexp(values, bits, out=values)
        self._parts.append(values.astype(np.int64))
        self.bits.append(bits)

    def unit(self, first: int, second: int) -> int:
        """Return the exponent of the unit in which the product of two parts is an integer."""
        return self._exponent - self.bits[first] - self.bits[second]

    def panels(self, columns: slice) -> Iterator[Panel]:
        """Yield some columns of each part."""
        for part in self._parts:
            rows = part[self._num_below :, columns], part[: self._num_below, columns]
            above, below = (fmpz_mat(len(own), own.shape[1], own.ravel().tolist()) for own in rows)
            yield above, below

    def improve(self) -> None:
        """Correct the factor to first order, after the blocks of ``B - shift I - F' S F`` have been told.

        The change of each row f of a size |lambda - t| is ``f' E / (2 |lambda - t|)``, with the sign of f.
        """
        self._in_one_unit(self._exponent)
        matrix, self._matrix = self._matrix, self._matrix[:0]
        for i in range(len(matrix)):
            matrix[i + 1 :, i] = matrix[i, i + 1 :]
        change = np.ldexp(self._parts[0].astype(np.float64), -self.bits[0]) @ matrix
        del matrix
        change /= 2.0 * np.maximum(self._sizes, LEAST_SIZE)[:, None]
        change[: self._num_below] *= -1.0
        self._add_part(change)
