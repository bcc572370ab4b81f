"""Solve, bound, separate, repeat (Paper 3.2 and 4.1), without waiting for the engine to converge in between."""

import numpy as np
from numpy.typing import NDArray

from pcsos.proof import Cuts, Multipliers
from pcsos.relaxation import cuts as cut_lists
from pcsos.relaxation.engine import EngineFactory, StopCheck, WarmStart
from pcsos.relaxation.peng_wei import PengWei
from pcsos.relaxation.safe_bound import safe_bound
from pcsos.relaxation.separation import separate

#: New cuts a round, at most, as a multiple of s.
CUTS_PER_POINT = 60
#: Violation asked for, relative to the size k / E of the entries of Z: at first, later, and when few cuts are left.
FIRST_THRESHOLD = 1e-1
USUAL_THRESHOLD = 1e-3
LAST_THRESHOLD = 1e-5
#: From one round to the next violations fall to about this share.
FALL = 0.3
#: Rounds over which progress is judged, and the share of the remaining gap that they must close.
PATIENCE = 8
LEAST_PROGRESS = 0.1


class CuttingPlane:
    """The cutting-plane loop on one relaxation; the caller decides after each round whether to go on.

    Parameters
    ----------
    relaxation : PengWei
        The relaxation, with s super-points.
    make_engine : callable
        What solves it.
    warm : WarmStart, optional
        From a neighbouring relaxation.

    Attributes
    ----------
    cuts : Cuts
        The cuts in use.
    bound : float
        The best safe bound so far, in the units of the original sum of squares; -inf at first.
    """

    def __init__(
        self,
        relaxation: PengWei,
        make_engine: EngineFactory,
        warm: WarmStart | None = None,
    ) -> None:
        self.relaxation = relaxation
        start = _cold_start(relaxation) if warm is None else warm
        self.cuts = start.cuts
        self._rows = self._coefficients()
        self.engine = make_engine(relaxation, self._rows, start)
        self.bound = -np.inf
        self._best: tuple[NDArray[np.float64], Cuts, NDArray[np.float64]] | None = None
        self._threshold = FIRST_THRESHOLD
        self._history: list[float] = []
        self._num_new = relaxation.size
        if warm is not None:
            self._evaluate()

    @property
    def rounds(self) -> int:
        """Number of rounds done."""
        return len(self._history)

    def round(self, stop: StopCheck) -> None:
        """Let the engine work, and evaluate the bound."""
        self.engine.advance(stop)
        self._evaluate()
        self._history.append(self.bound)

    def _evaluate(self) -> None:
        box, weights = self.engine.multipliers()
        found = safe_bound(self.relaxation, box, self.cuts, weights, self._rows)
        bound = self.relaxation.in_original_units(found)
        if bound > self.bound:
            self.bound = bound
            self._best = (box, self.cuts, weights)

    def separate(self) -> None:
        """Drop the cuts without a multiplier and add violated ones, with a finer threshold when few are left."""
        _, weights = self.engine.multipliers()
        limit = CUTS_PER_POINT * self.relaxation.size
        new, violation = separate(self.relaxation, self.engine.x, self.cuts, self._threshold, limit)
        keep = weights > 0.0
        self.cuts = cut_lists.join(cut_lists.select(self.cuts, keep), new)
        self._rows = self._coefficients()
        self.engine.exchange(self._rows, np.concatenate([weights[keep], np.zeros(len(new))]))
        self._num_new = len(new)
        if len(new) == limit:
            self._threshold = max(FALL * float(violation[-1]) / self.relaxation.entry_size, self._threshold)
        elif self._threshold > USUAL_THRESHOLD:
            self._threshold = max(FALL * self._threshold, USUAL_THRESHOLD)
        elif len(new) < self.relaxation.size:
            self._threshold = max(FALL * self._threshold, LAST_THRESHOLD)

    def stalled(self, target: float) -> bool:
        """Tell whether the rounds no longer lead to a bound of ``target`` (original units)."""
        if self.engine.converged and self._num_new == 0 and self._threshold <= LAST_THRESHOLD:
            return True
        if self.rounds <= 2 * PATIENCE or not np.isfinite(target):
            return False
        before = self._history[-1 - PATIENCE]
        return self.bound - before < LEAST_PROGRESS * (target - self.bound)

    def best_multipliers(self) -> Multipliers:
        """Return the multipliers of the best bound, in the units of the original sum of squares."""
        if self._best is None:
            return Multipliers(np.zeros_like(self.engine.x), Cuts.none(), np.empty(0))
        box, cuts, weights = self._best
        scale = self.relaxation.scale
        used = weights > 0.0
        return Multipliers(box * scale, cut_lists.select(cuts, used), weights[used] * scale)

    def warm_start(self) -> WarmStart:
        """Return what a loop on a neighbouring relaxation can begin with."""
        box, weights = self.engine.multipliers()
        scale = self.relaxation.scale
        return WarmStart(box * scale, self.cuts, weights * scale, self.engine.sigma * scale, self.engine.x)

    def _coefficients(self) -> cut_lists.Rows:
        return cut_lists.rows_of(self.cuts, self.relaxation.roots, float(self.relaxation.largest.max()))


def _cold_start(relaxation: PengWei) -> WarmStart:
    return WarmStart(np.zeros((relaxation.size, relaxation.size)), Cuts.none(), np.empty(0))
