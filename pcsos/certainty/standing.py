"""Standing: what all partitions within epsilon of the best one agree on, and whether that is everything.

With the cost U of a partition and a bound on the cost of all partitions in which a pair is the other way round, the
pair is decided where that bound exceeds (1 + epsilon) U: the best partition costs at most U, so all partitions within
epsilon of it have the pair as this one does. What is decided is a constraint from then on, which strengthens the bounds
of the next pairs. A partition that differs from this one breaks some decided pair first, so it costs at least the least
of all bounds that were used: if all pairs are decided, that is a proof that no other partition lies within epsilon.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from pcsos import tolerances
from pcsos.certainty.flips import Flip, flips
from pcsos.certainty.relaxed import carried, representatives, restricted, trivial_bound
from pcsos.certainty.shared_relaxation import SharedRelaxation
from pcsos.control.stop import NEVER, Stop
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, contract
from pcsos.problem.relations import is_trivial
from pcsos.proofs.multipliers import quantise
from pcsos.relaxation.cutting_plane import CuttingPlane
from pcsos.relaxation.fixing import fixable_pairs
from pcsos.relaxation.memory import shortage
from pcsos.relaxation.safe_bound import prove
from pcsos.result import Standing
from pcsos.typing import Indices

#: Rounds of cutting planes of the whole problem, and of a single pair the other way round.
ROUNDS, FLIP_ROUNDS = 40, 12
#: Pairs are fixed by multipliers where they are at least this share of those that are left.
LEAST_SHARE = 0.02


def standing_of(
    shared: SharedRelaxation,
    *,
    stop: Stop = NEVER,
    may_ask: Callable[[int, int], bool] = lambda i, j: True,
    on_decided: Callable[[Reduced], object] = lambda problem: None,
) -> Standing | None:
    """Decide pairs until all are decided, or one is met that cannot be and may be asked about.

    Parameters
    ----------
    shared : SharedRelaxation
        What is known, and the epsilon.
    stop : Stop
        When to leave the rest undecided.
    may_ask : callable
        Called with two points; where it says no, the pair is left undecided and the next one follows.
    on_decided : callable
        Called with the problem with the pairs that are decided, each time that there are more.

    Returns
    -------
    Standing or None
        None where no partition is found in time.
    """
    partition = shared.partition(stop)
    if partition is None:
        return None
    deciding = _Deciding(shared, partition, stop, on_decided)
    pair = deciding.run(may_ask)
    return Standing(partition, shared.epsilon, deciding.lower_bound, deciding.problem, pair)


class _Deciding:
    """The problem that shrinks as pairs are decided."""

    def __init__(
        self, shared: SharedRelaxation, partition: Partition, stop: Stop, on_decided: Callable[[Reduced], object]
    ) -> None:
        self.shared, self.partition, self.stop, self.on_decided = shared, partition, stop, on_decided
        self.problem, self.lower_bound = shared.knowledge.problem, math.inf
        self.cutoff = tolerances.beyond(partition.objective, shared.epsilon)

    def run(self, may_ask: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Decide what can be decided; return the first pair that cannot and may be asked about."""
        if is_trivial(self.problem):
            return None
        cheap = (representatives(self.problem, flip.pair) for flip in self._flips() if flip.cost < self.cutoff)
        pair = next((points for points in cheap if may_ask(*points)), None)
        if pair is not None:
            return pair
        if not shortage(self.problem.size):
            pair = self._undecided(may_ask)
        is_cut_short = self.stop.asked() or bool(shortage(self.problem.size))
        return self._cheapest(may_ask) if pair is None and is_cut_short else pair

    def _undecided(self, may_ask: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Bound pairs the other way round, the cheapest first, until one that may be asked about is not decided."""
        if self.stop.asked():
            return None
        begun = self.shared.relaxation(self.partition, self.stop)
        plane = self._fix(carried(begun, self.problem, self.problem))
        tried: set[int] = set()
        while not (is_trivial(self.problem) or self.stop.asked()):
            pair = next((flip.pair for flip in self._flips() if self._is_new(flip, tried)), None)
            if pair is None:
                break
            bound, points = self._flip_bound(plane, pair), representatives(self.problem, pair)
            if bound >= self.cutoff:
                plane = self._decide(plane, [pair], (), bound)
            elif may_ask(*points):
                return points
            else:
                tried.add(int(self.problem.representative[pair[0]]))
        if not (is_trivial(self.problem) or self.stop.asked()):
            self._fix(plane)  # super-points are heavier now: more of them are certainly apart
        return None

    def _cheapest(self, may_ask: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """Return the cheapest pair that is left, where there was no time or memory to bound it."""
        if is_trivial(self.problem):
            return None
        left = (representatives(self.problem, flip.pair) for flip in self._flips())
        return next((points for points in left if may_ask(*points)), None)

    def _flips(self) -> list[Flip]:
        labels = self.problem.project(self.partition.labels)
        return flips(self.problem, labels, self.partition.objective)

    def _is_new(self, flip: Flip, tried: set[int]) -> bool:
        return flip.cost >= self.cutoff and int(self.problem.representative[flip.pair[0]]) not in tried

    def _fix(self, plane: CuttingPlane) -> CuttingPlane:
        """Keep apart what the multipliers keep apart, as long as that goes on."""
        left, has_moved = ROUNDS, False
        while left > 0 and not is_trivial(self.problem):
            for _ in plane.rounds(self.stop, lambda: self.cutoff, left, separate_first=has_moved):
                left -= 1
                pairs, least = self._fixable(plane)
                if len(pairs):
                    plane, has_moved = self._decide(plane, (), pairs, least), True
                    break
            else:
                break
        return plane

    def _fixable(self, plane: CuttingPlane) -> tuple[Indices, float]:
        """Return the pairs that multipliers keep apart and the least of their bounds; none where they are few."""
        relaxation, none = plane.relaxation, (np.empty((0, 2), np.intp), math.inf)
        enough = max(1.0, LEAST_SHARE * np.count_nonzero(np.triu(relaxation.upper > 0.0, 1)))
        if len(fixable_pairs(relaxation, plane.best_multipliers(), plane.bound, self.cutoff)[0]) < enough:
            return none
        smallest = float(relaxation.weights.min())
        multipliers = quantise(plane.best_multipliers(), tolerance=0.0, smallest_weight=smallest)
        return fixable_pairs(relaxation, multipliers, prove(relaxation, multipliers), self.cutoff)

    def _flip_bound(self, plane: CuttingPlane, pair: tuple[int, int]) -> float:
        """Return a bound on what partitions cost that have a pair apart."""
        child = restricted(self.problem, pair, together=False)
        if child is None:
            return math.inf
        if is_trivial(child):
            return trivial_bound(child)
        flipped = carried(plane, self.problem, child)
        flipped.advance(self.stop, self.cutoff, FLIP_ROUNDS)
        return flipped.bound

    def _decide(
        self, plane: CuttingPlane, together: Sequence[tuple[int, int]], apart: Sequence[tuple[int, int]] | Indices,
        bound: float,
    ) -> CuttingPlane:  # fmt: skip
        """Make constraints of decided pairs of super-points and carry the loop on to what is left."""
        before, self.lower_bound = self.problem, min(self.lower_bound, bound)
        self.problem, _ = infer_pairs(contract(before, together, apart))
        self.on_decided(self.problem)
        return plane if is_trivial(self.problem) else carried(plane, before, self.problem)
