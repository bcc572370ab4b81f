"""Proposals of floating point to the spectral proof: a shift, signs and a factor, all integers when they leave.

None of it is trusted (docs/certificate.md, section 6): the proof holds for any integers.
"""

from typing import Any

import numpy as np
from flint import arb_mat
from numpy.typing import NDArray

from pcsos.verify.exact import midpoints
from pcsos.verify.reader import VerificationError

SHIFT_BITS = 120  # the shift is an integer in units of 2^-120
STEP_BITS = 60  # so many more bits of the factor each time it is improved

Integers = NDArray[Any]  # Python's own, of any size


class Proposal:
    """Integers with ``shift 2^-120 I + F' S F`` close to a matrix B of size about 1; S is diagonal, of signs.

    The rows of F are in units of ``2^-bits``.
    """

    def __init__(self, matrix: arb_mat, rank: int) -> None:
        try:
            values, self._vectors = np.linalg.eigh(_floats(matrix))
        except np.linalg.LinAlgError as error:
            raise VerificationError("multipliers: of a size that nothing can be proved with") from error
        if not (np.isfinite(values).all() and np.isfinite(self._vectors).all()):
            raise VerificationError("multipliers: of a size that nothing can be proved with")
        shift = float(values[rank - 1] + values[rank]) / 2.0
        self.shift = int(np.ldexp(shift, SHIFT_BITS))
        self._signs = np.where(values < shift, -1, 1)
        self._sizes = np.abs(values - shift)
        self.bits = STEP_BITS
        self._factor = self._integers(np.sqrt(self._sizes)[:, None] * self._vectors.T)

    def improve(self, residual: arb_mat) -> None:
        """Correct the factor to first order, given ``B - shift I - F' S F``."""
        change = self._signs[:, None] * self._vectors.T @ _floats(residual)
        change /= 2.0 * np.sqrt(np.maximum(self._sizes, 1e-12))[:, None]
        self.bits += STEP_BITS
        self._factor = self._factor * 2**STEP_BITS + self._integers(change)

    def rows(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return the rows of F with positive signs, and those with negative ones."""
        return self._factor[self._signs > 0].tolist(), self._factor[self._signs < 0].tolist()

    def _integers(self, values: NDArray[np.float64]) -> Integers:
        flat = [int(value) for value in np.ldexp(values, self.bits).ravel().tolist()]
        return np.array(flat, object).reshape(values.shape)


def _floats(matrix: arb_mat) -> NDArray[np.float64]:
    return midpoints(matrix.entries(), (matrix.nrows(), matrix.ncols()))
