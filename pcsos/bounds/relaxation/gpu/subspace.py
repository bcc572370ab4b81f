"""The leading eigenpairs on a device: followed by the filter of the processor, and taken as they are.

No decomposition finds them anew: columns drawn at random join where weights reach the last pair. Matrices are in single
precision; the few columns, their Gram matrix and the small problem, on the processor, in double.
"""

import math
from typing import Any

import numpy as np

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.gpu.device import Device
from pcsos.bounds.relaxation.spectral import (
    ESTIMATE_EVERY,
    LARGEST_RATIO,
    MAX_PASSES,
    Subspace,
    simplex_threshold,
)

#: Passes for the first matrix, most pairs that are followed, how many beyond the rank, and columns that join at a time.
FIRST_PASSES, MOST_PAIRS, FOLLOWED_GUARD, JOINING = 20, 256, 24, 32
#: Combinations of columns whose squared length is a smaller share of the largest one are nothing but rounding.
LEAST_SQUARE = 1e-12


class Leading(Subspace):
    """Follows the leading eigenpairs on the complement of a unit vector; see :class:`Subspace`.

    Parameters
    ----------
    device : Device
        Where matrices are.
    direction : ndarray, shape (s,)
        The unit vector.
    columns : ndarray, shape (s, c)
        Where to begin; columns drawn at random join them.
    """

    def __init__(self, device: Device, direction: Floats, columns: Floats) -> None:
        super().__init__(device.xp.asarray(direction))
        self._device, self._rng = device, np.random.default_rng(1)
        self.columns: Any = self._widened(device.xp.asarray(columns), JOINING)

    def weighted(self, m: Any, trace: float, tolerance: float) -> tuple[Floats, Any, Floats]:
        """Return values, descending, vectors, and the weights that the projection of a matrix gives them.

        Parameters
        ----------
        m : array of the device, shape (s, s)
            Symmetric, in single precision.
        trace, tolerance : float
            As for :meth:`Subspace.pairs`; after a few passes, what is left of the error stays.
        """
        if self._age % ESTIMATE_EVERY == 0:
            self._low = self._lowest(m)
        is_first, self._age = self._age == 0, self._age + 1
        own = self._device.xp.asarray
        for number in range(FIRST_PASSES if is_first else MAX_PASSES):
            if number or not is_first:
                self.columns = self.filtered(m)
            image = self._applied(m, self.columns)
            values, turn = np.linalg.eigh(self._device.host(self.columns.T @ image))
            values, turn = values[::-1], own(turn[:, ::-1].copy())
            vectors = self.columns = self.columns @ turn
            self._cut, self._top = float(values[-1]), float(values[0])
            weights = np.clip(values - simplex_threshold(values, trace), 0.0, 1.0)
            rank = int(np.count_nonzero(weights))
            if rank == values.size:
                if rank >= MOST_PAIRS:
                    break
                self.columns = self._widened(vectors, JOINING)
                continue
            shares = own(weights[:rank] / (values[:rank] - values[-1]))
            rest = image @ turn[:, :rank] - vectors[:, :rank] * own(values[:rank].copy())
            if math.sqrt(2.0) * float(self._device.xp.linalg.norm(rest * shares)) <= tolerance:
                break
        self._resize(min(rank + FOLLOWED_GUARD, MOST_PAIRS))
        return values, vectors, weights

    def filtered(self, m: Any) -> Any:
        """Return the columns after a pass, in the precision of the matrix."""
        if self._top - self._low >= LARGEST_RATIO * (self._cut - self._low):  # the matrix has moved on
            self._low = min(self._lowest(m), self._cut - 1e-3 * (self._top - self._cut))
        return self._orthonormal(self._filtered_columns(m, self.columns))

    def _resize(self, wanted: int) -> None:
        """Follow about as many pairs as are wanted."""
        size = self.columns.shape[1]
        if size > wanted + FOLLOWED_GUARD:
            self.columns = self.columns[:, : wanted + 8].copy()
        elif size < wanted - 8:
            self.columns = self._widened(self.columns, wanted - size)

    def _widened(self, columns: Any, number: int) -> Any:
        """Return an orthonormal basis of these columns and so many drawn at random."""
        xp, s = self._device.xp, self.direction.size
        drawn = xp.asarray(self._rng.standard_normal((s, number)))
        return self._orthonormal(xp.concatenate([columns, drawn], axis=1)[:, : s - 1])

    def _orthonormal(self, columns: Any) -> Any:
        """Return an orthonormal basis of columns less their share of the direction, by their Gram matrix."""
        xp, u = self._device.xp, self.direction[:, None]
        columns = columns - u @ (u.T @ columns)
        columns = columns / xp.maximum(xp.linalg.norm(columns, axis=0), 1e-300)
        for _ in range(2):
            gram = self._device.host(columns.T @ columns)
            try:
                factor = np.linalg.cholesky(gram)
                turn = np.linalg.inv(factor).T.copy()
            except np.linalg.LinAlgError:  # some depend on others, and are left out
                values, turn = np.linalg.eigh(gram)
                kept = values > LEAST_SQUARE * values[-1]
                turn = turn[:, kept] / np.sqrt(values[kept])
            columns = columns @ xp.asarray(turn)
        return columns

    def _applied(self, m: Any, x: Any) -> Any:
        image = (m @ x.astype(m.dtype)).astype(np.float64)
        image -= self._device.xp.outer(self.direction, self.direction @ image)
        return image
