"""Scaling: features of which each counts as much as the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pcsos.numerics.portable import column_deviations, column_means
from pcsos.typing import Floats


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


#: Share of the variance from which on a feature decides nearly alone.
DOMINANT = 0.95


def scale_note(points: Floats, names: Sequence[str] | None, remedy: str, where: str = "") -> str:
    """Return a sentence on the feature that decides nearly alone, if there is one; empty otherwise."""
    found = dominant_feature(points)
    if found is None or found[1] <= DOMINANT:
        return ""
    feature, share = found
    called = f"{names[feature]!r}" if names else f"number {feature + 1}"
    return f"the feature {called}{where} has {100.0 * share:.3g} % of the variance and decides nearly alone; {remedy}"


def dominant_feature(points: Floats) -> tuple[int, float] | None:
    """Return the feature with the greatest share of the variance, and that share; None where fewer than two vary."""
    with np.errstate(over="ignore", invalid="ignore"):
        variances = points.var(axis=0)
        total = float(variances.sum())
    if not total < np.inf or np.count_nonzero(variances) < 2:
        return None
    greatest = int(np.argmax(variances))
    return greatest, float(variances[greatest]) / total
