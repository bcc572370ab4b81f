"""Scaling: features of which each counts as much as the others."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from pcsos.base.numerics.portable import column_deviations, column_means
from pcsos.base.typing import Floats


@dataclass(frozen=True, eq=False)
class Scaling:
    """What moves each feature to mean 0 and stretches it to standard deviation 1; a constant one becomes 0.

    Parameters
    ----------
    means, deviations : ndarray, shape (d,)
        Mean and standard deviation (over n, not n - 1) of each feature, the latter 1 where nothing varies. They have
        the same bits on every processor, so that a run is recognised by its points everywhere.
    """

    means: Floats
    deviations: Floats

    @classmethod
    def of(cls, points: Floats) -> Self:
        """Return the scaling of points, shape (n, d), each of which counts once."""
        spread = column_deviations(points)
        return cls(column_means(points), np.where(spread > 0.0, spread, 1.0))

    def __call__(self, points: Floats) -> Floats:
        """Return points in the new units."""
        scaled: Floats = (points - self.means) / self.deviations
        return scaled
