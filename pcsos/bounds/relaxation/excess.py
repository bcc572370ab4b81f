"""The excess of soft pairs in alternate projections: what they are charged beyond their matrix (Mathematics 4 and 11).

It is between 0 and 1, costs the penalties, and is part of the cuts about pairs. In units of 1 / (the size of the
entries of Z) it changes about as fast as Z does.
"""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import Rows, charged


class Excess:
    """Both copies of the excess and their scaled multipliers; a relaxation without soft pairs has none.

    It begins with what cuts charge at a point, and with multipliers that balance the penalties.

    Attributes
    ----------
    unit : float
        The coefficient of the excess in a cut.
    swept : ndarray, shape (2 m + 1,)
        What the projection onto box and cuts begins with, and changes.
    """

    def __init__(self, relaxation: PengWei, sigma: float, rows: Rows, x: Floats) -> None:
        self.unit = 1.0 / relaxation.entry_size
        self._penalties = relaxation.penalties if len(relaxation.reduced.soft) else np.empty(0)
        self._value = self._free = self._aimed = self.swept = np.zeros(self._penalties.size)
        self._multipliers = -self._slope(sigma)
        if self._value.size:
            self._value = np.clip(charged(rows, x, self._value.size), 0.0, 1.0) / self.unit

    def aim(self, sigma: float, alpha: float) -> None:
        """Take the step of the other projection, which knows the cost alone, and say what to project."""
        if self._value.size:
            self._free = self._value - self._multipliers - self._slope(sigma)
            self._aimed = alpha * self._free + (1.0 - alpha) * self._value + self._multipliers
            self.swept = self._aimed.copy()

    def settle(self) -> tuple[float, float]:
        """Clip what is swept, update the multipliers, and return the primal and the dual residual."""
        if not self._value.size:
            return 0.0, 0.0
        value = np.clip(self.swept, 0.0, 1.0 / self.unit)
        residuals = float(np.linalg.norm(self._free - value)), float(np.linalg.norm(value - self._value))
        self._value, self._multipliers = value, self._aimed - value
        return residuals

    def rescale(self, factor: float) -> None:
        """Follow a change of the penalty of the engine by this factor."""
        self._multipliers = self._multipliers / factor

    def _slope(self, sigma: float) -> Floats:
        return self._penalties * (self.unit / sigma)
