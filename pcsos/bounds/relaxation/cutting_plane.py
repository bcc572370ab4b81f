"""Solve, bound, separate, repeat (Paper 3.2 and 4.1), without waiting for the engine to converge in between."""

from collections.abc import Callable, Iterator

import numpy as np

from pcsos.base.control.stop import Stop
from pcsos.bounds.relaxation.cuts import join, select
from pcsos.bounds.relaxation.engine import EngineFactory, WarmStart, settled
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import rows_of
from pcsos.bounds.relaxation.safe_bound import safe_bound
from pcsos.bounds.relaxation.separation import separate, separate_apart
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.params import CutParams


class CuttingPlane:
    """The cutting-plane loop on one relaxation: whoever iterates over its rounds decides whether to go on.

    Parameters
    ----------
    relaxation : PengWei
        The relaxation, with s super-points.
    make_engine : callable
        What solves it.
    warm : WarmStart, optional
        From a neighbouring relaxation.
    params : CutParams, optional
        When which cuts are looked for.

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
        params: CutParams = CutParams(),  # noqa: B008
    ) -> None:
        self.relaxation, self.params = relaxation, params
        start = WarmStart(Multipliers.none(relaxation.size)) if warm is None else warm.scaled_by(1.0 / relaxation.scale)
        start = settled(start, relaxation)
        self.cuts = start.multipliers.cuts
        self._rows = rows_of(self.cuts, relaxation)
        self.engine = make_engine(relaxation, self._rows, start)
        self.bound = -np.inf
        self._best: Multipliers | None = None  # in scaled units
        self._threshold = params.first_threshold
        self._history: list[float] = []
        self._num_new = relaxation.size
        self._is_lost = False
        if warm is not None:
            self._evaluate()

    @property
    def num_rounds(self) -> int:
        """Number of rounds done."""
        return len(self._history)

    def rounds(
        self, stop: Stop, target: Callable[[], float], most: int, *, separate_first: bool = False
    ) -> Iterator[float]:
        """Yield the bound after each round; cuts are separated where the caller asks for one more.

        The rounds end where they no longer lead to the target, the run has to end, or there were enough.

        Parameters
        ----------
        target : callable
            Returns the bound that is wanted, in the units of the original sum of squares; asked after each round.
        most : int
            Most rounds.
        separate_first : bool
            Whether cuts are separated before the first round, too, from the point of a warm start.
        """
        for number in range(most):
            if number > 0 or separate_first:
                self.separate()
            self.round(stop)
            yield self.bound
            if self.stalled(target()) or stop.asked():
                return

    def advance(self, stop: Stop, target: float, most: int) -> None:
        """Do rounds until the bound reaches a target; they end earlier as :meth:`rounds` does."""
        for bound in self.rounds(stop, lambda: target, most):
            if bound >= target:
                return

    def round(self, stop: Stop) -> None:
        """Let the engine work, and evaluate the bound; numbers that no engine can work with leave it where it is."""
        try:
            self.engine.advance(stop)
            self._evaluate()
        except np.linalg.LinAlgError:
            self._is_lost = True
        self._history.append(self.bound)

    def _evaluate(self) -> None:
        box, weights = self.engine.multipliers()
        found = safe_bound(self.relaxation, box, self.cuts, weights, self._rows)
        bound = self.relaxation.in_original_units(found)
        if bound > self.bound:
            self.bound = bound
            self._best = Multipliers(box, self.cuts, weights)

    def separate(self) -> None:
        """Drop the cuts without a multiplier and add violated ones, with a finer threshold when few are left."""
        _, weights = self.engine.multipliers()
        limit = self.params.per_point * self.relaxation.size
        new, violation = separate(self.relaxation, self.engine.x, self.cuts, self._threshold, limit)
        rng = np.random.default_rng(self.num_rounds)
        others = separate_apart(self.relaxation, self.engine.x, self.cuts, self.params, rng)
        keep = weights > 0.0
        self.cuts = join(join(select(self.cuts, keep), new), others)
        self._rows = rows_of(self.cuts, self.relaxation)
        self._num_new = len(new) + len(others)
        self.engine.exchange(self._rows, np.concatenate([weights[keep], np.zeros(self._num_new)]))
        if len(new) == limit:
            self._threshold = max(self.params.fall * float(violation[-1]) / self.relaxation.entry_size, self._threshold)
        elif self._threshold > self.params.usual_threshold:
            self._threshold = max(self.params.fall * self._threshold, self.params.usual_threshold)
        elif len(new) < self.relaxation.size:
            self._threshold = max(self.params.fall * self._threshold, self.params.last_threshold)

    def stalled(self, target: float) -> bool:
        """Tell whether the rounds no longer lead to a bound of ``target`` (original units)."""
        if self._is_lost:
            return True
        if self.engine.converged and self._num_new == 0 and self._threshold <= self.params.last_threshold:
            return True
        patience = self.params.patience if self.relaxation.reduced.is_plain else self.params.short_patience
        if self.num_rounds <= 2 * patience or not np.isfinite(target):
            return False
        before = self._history[-1 - patience]
        return self.bound - before < self.params.least_progress * (target - self.bound)

    def best_multipliers(self) -> Multipliers:
        """Return the multipliers of the best bound, in the units of the original sum of squares."""
        if self._best is None:
            return Multipliers.none(self.relaxation.size)
        used = self._best.weights > 0.0
        best = Multipliers(self._best.box, select(self._best.cuts, used), self._best.weights[used])
        return best.scaled_by(self.relaxation.scale)

    def warm_start(self) -> WarmStart:
        """Return what a loop on a neighbouring relaxation can begin with."""
        box, weights = self.engine.multipliers()
        start = WarmStart(Multipliers(box, self.cuts, weights), self.engine.sigma, self.engine.x.copy())
        return start.scaled_by(self.relaxation.scale)
