"""Deciding: bounds make constraints of pairs, and the problem shrinks, until no bound decides any more."""

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from pcsos.analysis.certainty.flips import Flip, Moves, flips, moves
from pcsos.analysis.certainty.relaxed import carried, departing, flipped, restricted, trivial_bound
from pcsos.analysis.certainty.shared_relaxation import SharedRelaxation
from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.fixing import fixable_pairs
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.multipliers import quantise
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, contract
from pcsos.problem.relations import is_trivial

#: Rounds of cutting planes of the whole problem, of a single pair the other way round, and of a group.
ROUNDS, FLIP_ROUNDS, GROUP_ROUNDS = 40, 24, 8
#: Pairs are fixed by multipliers where they are at least this share of those that are left.
LEAST_SHARE = 0.02


class Deciding:
    """What is left of a problem while pairs are decided.

    Parameters
    ----------
    shared : SharedRelaxation
        What is known, and the epsilon.
    partition : Partition
        A good one.
    stop : Stop
        When to leave the rest undecided.
    on_decided : callable
        Called with the problem with the pairs that are decided, each time that there are more.

    Attributes
    ----------
    problem : Reduced
        The problem, with what is decided as constraints.
    lower_bound : float
        The least of all bounds that decided something.
    cutoff : float
        What a bound has to reach.
    """

    def __init__(
        self, shared: SharedRelaxation, partition: Partition, stop: Stop, on_decided: Callable[[Reduced], object]
    ) -> None:
        self.shared, self.partition, self.stop, self.on_decided = shared, partition, stop, on_decided
        self.problem, self.lower_bound = shared.knowledge.problem, math.inf
        self.cutoff = tolerances.beyond(partition.objective, shared.epsilon)
        self._plane: CuttingPlane | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether all pairs are decided."""
        return is_trivial(self.problem)

    @property
    def must_end(self) -> bool:
        """Whether nothing is left to decide, or no time."""
        return self.is_trivial or self.stop.asked()

    @property
    def labels(self) -> Indices:
        """Cluster of each super-point."""
        return self.problem.project(self.partition.labels)

    def flips(self) -> list[Flip]:
        """Return super-points with the cores of their clusters, those first that are cheapest to take away."""
        return flips(self.problem, self.labels, self.partition.objective)

    def moves(self) -> Moves:
        """Return what it costs to move each super-point to each other cluster."""
        return moves(self.problem, self.labels, self.partition.objective)

    def fix(self) -> None:
        """Keep apart what the multipliers of the whole problem keep apart, as long as that goes on."""
        left, has_moved = ROUNDS, False
        while left > 0 and not self.must_end:
            for _ in self.plane.rounds(self.stop, lambda: self.cutoff, left, separate_first=has_moved):
                left -= 1
                pairs, least = self._fixable(self.plane)
                if len(pairs):
                    self._decide((), pairs, least)
                    has_moved = True
                    break
            else:
                break

    def put_together(self, pair: tuple[int, int]) -> bool:
        """Put two super-points together if a bound decides that; tell whether it does."""
        bound = self._flip_bound(pair, "CL")
        if bound >= self.cutoff:
            self._decide([pair], (), bound)
        return bound >= self.cutoff

    def keep_apart(self, pair: tuple[int, int]) -> bool:
        """Keep two super-points apart if a bound decides that; tell whether it does."""
        bound = self._flip_bound(pair, "ML")
        if bound >= self.cutoff:
            self._decide((), [pair], bound)
        return bound >= self.cutoff

    def put_group_together(self, core: int, others: Indices) -> Floats | None:
        """Put a group together with a core if one bound decides that, else return how far each departs from it."""
        loop = departing(self.plane, self.problem, core, others)
        loop.advance(self.stop, self.cutoff, GROUP_ROUNDS)
        if loop.bound >= self.cutoff:
            self._decide([(int(other), core) for other in others], (), loop.bound)
            return None
        y, roots = loop.engine.y, loop.relaxation.roots
        return np.asarray(1.0 - y[core, others] * roots[core] / (y[core, core] * roots[others]))

    @property
    def plane(self) -> CuttingPlane:
        """The relaxation of what is left."""
        if self._plane is None:
            self._plane = carried(self.shared.relaxation(self.partition, self.stop), self.problem, self.problem)
        return self._plane

    def _fixable(self, plane: CuttingPlane) -> tuple[Indices, float]:
        """Return the pairs that multipliers keep apart and the least of their bounds; none where they are few."""
        relaxation, none = plane.relaxation, (np.empty((0, 2), np.intp), math.inf)
        enough = max(1.0, LEAST_SHARE * np.count_nonzero(np.triu(relaxation.upper > 0.0, 1)))
        if len(fixable_pairs(relaxation, plane.best_multipliers(), plane.bound, self.cutoff)[0]) < enough:
            return none
        smallest = float(relaxation.weights.min())
        multipliers = quantise(plane.best_multipliers(), tolerance=0.0, smallest_weight=smallest)
        return fixable_pairs(relaxation, multipliers, prove(relaxation, multipliers), self.cutoff)

    def _flip_bound(self, pair: tuple[int, int], kind: Literal["ML", "CL"]) -> float:
        """Return a bound on what partitions cost that have a pair together, or apart."""
        child = restricted(self.problem, pair, together=kind == "ML")
        if child is None:
            return math.inf
        if is_trivial(child):
            return trivial_bound(child)
        loop = flipped(self.plane, self.problem, child)
        loop.advance(self.stop, self.cutoff, FLIP_ROUNDS)
        return loop.bound

    def _decide(
        self, together: Sequence[tuple[int, int]], apart: Sequence[tuple[int, int]] | Indices, bound: float
    ) -> None:  # fmt: skip
        """Make constraints of decided pairs of super-points and carry the relaxation on to what is left."""
        before, self.lower_bound = self.problem, min(self.lower_bound, bound)
        self.problem, _ = infer_pairs(contract(before, together, apart))
        self.on_decided(self.problem)
        if not self.is_trivial:
            self._plane = carried(self.plane, before, self.problem)
