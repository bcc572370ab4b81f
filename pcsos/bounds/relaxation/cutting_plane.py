"""Solve, bound, separate, repeat (Paper 3.2 and 4.1), without waiting for the engine to converge in between."""

from collections.abc import Callable, Iterator

import numpy as np

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.numerics.kernels import WarmUp
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.admm import finish_step
from pcsos.bounds.relaxation.cuts import select
from pcsos.bounds.relaxation.engine import EngineFactory, WarmStart, remap, settled
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.families import FAMILIES
from pcsos.bounds.relaxation.families.family import Family, Point
from pcsos.bounds.relaxation.families.sets import SETS, improve
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import rows_of
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams, Params
from pcsos.problem.reduction import reduce_instance


class CuttingPlane:
    """The cutting-plane loop on one relaxation: who iterates over its rounds decides whether to go on.

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
    bound : float
        The best bound of the engine so far, in the units of the original sum of squares; -inf at first.
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
        self.engine = make_engine(relaxation, start)
        self.bound = -np.inf
        self._best: Callable[[], Multipliers] | None = None  # in scaled units
        self._threshold = params.first_threshold
        self._history: list[float] = []
        self._num_new = relaxation.size
        self._is_lost = False
        if warm is not None:
            self._evaluate()

    @property
    def cuts(self) -> Cuts:
        """The cuts in use."""
        return self.engine.cuts

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
        found, multipliers = self.engine.bound()
        bound = self.relaxation.in_original_units(found)
        if bound > self.bound:
            self.bound, self._best = bound, multipliers

    def separate(self) -> None:
        """Drop the cuts without a multiplier and add violated ones, with a finer threshold when few are left."""
        limit, rng = self.params.per_point * self.relaxation.size, np.random.default_rng(self.num_rounds)
        violation, num_others = self.engine.separate(self._threshold, limit, self.params, rng)
        self._num_new = len(violation) + num_others
        if len(violation) == limit:
            self._threshold = max(self.params.fall * float(violation[-1]) / self.relaxation.entry_size, self._threshold)
        elif self._threshold > self.params.usual_threshold:
            self._threshold = max(self.params.fall * self._threshold, self.params.usual_threshold)
        elif len(violation) < self.relaxation.size:
            self._threshold = max(self.params.fall * self._threshold, self.params.last_threshold)

    def stalled(self, target: float) -> bool:
        """Return whether the rounds no longer lead to a bound of ``target`` (original units)."""
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
        best = self._best()
        used = best.weights > 0.0
        return Multipliers(best.box, select(best.cuts, used), best.weights[used]).scaled_by(self.relaxation.scale)

    def warm_start(self) -> WarmStart:
        """Return what a loop on a neighbouring relaxation can begin with."""
        start = WarmStart(self.engine.multipliers(), self.engine.sigma, self.engine.x.copy())
        return start.scaled_by(self.relaxation.scale)


POINTS = np.random.default_rng(1).standard_normal((24, 2))


def warm_up_relaxation() -> None:
    """Write down a cut of each family without conditions, bound a few points, add cuts, carry them to fewer points."""
    plane = CuttingPlane(peng_wei.build(reduce_instance(Instance(POINTS, 3))), engine_factory("admm", Params()))
    _write_cuts(plane.relaxation, [family for family in FAMILIES if family.is_plain])
    for _ in range(2):
        plane.round(NEVER)
        plane.separate()
    remap(plane.cuts, np.arange(24) // 2)


def warm_up_conditions() -> None:
    """Write down and look for cuts of the other families, in clusters of nearly equal size."""
    relaxation = peng_wei.build(reduce_instance(Instance(POINTS, 3, size_min=7, size_max=9)))
    _write_cuts(relaxation, [family for family in FAMILIES if not family.is_plain])
    SETS.separate(Point(relaxation, np.eye(24), Cuts.none()))


def _write_cuts(relaxation: PengWei, families: list[Family]) -> None:
    codes = np.array([family.code for family in families], np.int32)
    members = np.tile(np.arange(1, 5, dtype=np.int32), codes.size)
    rows_of(Cuts(codes, np.arange(0, members.size + 1, 4), members), relaxation)


RELAXATION = WarmUp("relaxations", warm_up_relaxation, finish_step)
CONDITIONED = WarmUp("relaxations with conditions", warm_up_conditions, improve)


def relaxation_warm_ups(*, is_plain: bool) -> list[WarmUp]:
    """Return what compiles the kernels that relaxations need, with limits of clusters or soft pairs, or without."""
    return [RELAXATION] if is_plain else [RELAXATION, CONDITIONED]
