"""Deciding: bounds make constraints of pairs, and the problem shrinks, until no bound decides any more.

With the cost U of a partition and a bound on the cost of all partitions in which a pair is the other way round, the
pair is decided where that bound exceeds (1 + epsilon) U: the best partition costs at most U, so all partitions within
epsilon of it have the pair as this one does. What is decided is a constraint from then on, which strengthens the bounds
of the next pairs. A partition that differs from this one breaks some decided pair first, so it costs at least the least
of all bounds that were used: if all pairs are decided, that is a proof that no other partition lies within epsilon.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from pcsos.analysis.certainty.flips import Flip, Moves, flips, moves
from pcsos.analysis.certainty.relaxed import (
    IMPATIENT,
    SharedRelaxation,
    carried,
    departing,
    representatives,
    restricted,
    trivial_bound,
)
from pcsos.base import tolerances
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.fixing import fixable_pairs
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.multipliers import quantise
from pcsos.evidence.result import Standing
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, contract

#: Says of two points whether they may be asked about.
MayAsk = Callable[[int, int], bool]
#: Called with the problem with the pairs that are decided, each time that there are more.
OnDecided = Callable[[Reduced], object]

#: Rounds of cutting planes of the whole problem, of a single pair the other way round, and of a group.
ROUNDS, FLIP_ROUNDS, GROUP_ROUNDS = 40, 24, 8
#: Super-points that depart by so many times the mean are left out of a group; if none does, groups wait until the core
#: is so much heavier.
FAR, HEAVIER = 2.0, 4.0
#: Pairs are fixed by multipliers where they are at least this share of those that are left.
LEAST_SHARE = 0.02


@dataclass(eq=False)
class Deciding:
    """What is left of a problem while pairs are decided."""

    shared: SharedRelaxation  #: what is known, and the epsilon
    partition: Partition  #: a good one
    stop: Stop  #: when to leave the rest undecided
    on_decided: OnDecided

    lower_bound = math.inf  #: the least of all bounds that decided something
    _plane: CuttingPlane | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        #: the problem, with what is decided as constraints
        self.problem = self.shared.knowledge.problem
        #: what a bound has to reach
        self.cutoff = tolerances.beyond(self.partition.objective, self.shared.epsilon)

    @property
    def is_trivial(self) -> bool:
        """Whether all pairs are decided."""
        return self.problem.is_trivial

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
                pairs, least = self._fixable()
                if len(pairs):
                    self._decide((), pairs, least)
                    has_moved = True
                    break
            else:
                break

    def decide(self, pair: tuple[int, int], *, together: bool) -> bool:
        """Put two super-points together, or keep them apart, if a bound decides that; return whether it does."""
        bound = self._flip_bound(pair, not together)
        if bound >= self.cutoff:
            self._decide([pair] if together else (), () if together else [pair], bound)
        return bound >= self.cutoff

    def put_group_together(self, core: int, others: Indices) -> Floats | None:
        """Put a group together with a core if one bound decides that, else return how far each departs from it."""
        loop = departing(self.plane, self.problem, core, others)
        loop.advance(self.stop, self.cutoff, GROUP_ROUNDS)
        if loop.bound >= self.cutoff:
            self._decide([(int(other), core) for other in others], (), loop.bound)
            return None
        y, roots = loop.engine.y, loop.relaxation.masses.roots
        return np.asarray(1.0 - y[core, others] * roots[core] / (y[core, core] * roots[others]))

    @property
    def plane(self) -> CuttingPlane:
        """The relaxation of what is left."""
        if self._plane is None:
            self._plane = carried(self.shared.relaxation(self.partition, self.stop), self.problem, self.problem)
        return self._plane

    def _fixable(self) -> tuple[Indices, float]:
        """Return the pairs that multipliers keep apart and the least of their bounds; none where they are few."""
        relaxation, best = self.plane.relaxation, self.plane.best_multipliers()
        enough = max(1.0, LEAST_SHARE * np.count_nonzero(np.triu(relaxation.upper > 0.0, 1)))
        if len(fixable_pairs(relaxation, best, self.plane.bound, self.cutoff)[0]) < enough:
            return np.empty((0, 2), np.intp), math.inf
        multipliers = quantise(best, tolerance=0.0, smallest_weight=float(relaxation.weights.min()))
        return fixable_pairs(relaxation, multipliers, prove(relaxation, multipliers), self.cutoff)

    def _flip_bound(self, pair: tuple[int, int], together: bool) -> float:
        """Return a bound on what partitions cost that have a pair together, or apart."""
        child = restricted(self.problem, pair, together)
        if child is None:
            return math.inf
        if child.is_trivial:
            return trivial_bound(child)
        loop = carried(self.plane, self.problem, child, IMPATIENT)
        loop.advance(self.stop, self.cutoff, FLIP_ROUNDS)
        return loop.bound

    def _decide(self, together: ArrayLike, apart: ArrayLike, bound: float) -> None:
        """Make constraints of decided pairs of super-points and carry the relaxation on to what is left."""
        before, self.lower_bound = self.problem, min(self.lower_bound, bound)
        self.problem, _ = infer_pairs(contract(before, together, apart))
        self.on_decided(self.problem)
        if not self.is_trivial:
            self._plane = carried(self.plane, before, self.problem)


def put_cluster_together(deciding: Deciding, cluster: int) -> None:
    """Put super-points together with the core of a cluster, those first that are dearest to take away.

    While a core is light, it might leave as well, so single super-points come first; then as many at once as it weighs.
    A group that a bound does not decide goes on without those that depart most, if any do, and else one by one for a
    while.
    """
    tried: set[int] = set()  # by their first points: alone in vain, or left out of groups
    left_out: set[int] = set()
    enough = 0.0
    while not deciding.must_end:
        core, others = _group(deciding, cluster, tried | left_out)
        if not others.size and left_out:
            left_out, enough = set(), np.inf  # one by one
            continue
        if not others.size:
            return
        weight, points = deciding.problem.weights[core], deciding.problem.representative
        if others.size == 1 or weight < enough:
            if not deciding.decide((int(others[0]), core), together=True):
                tried.add(int(points[others[0]]))
            continue
        departed = deciding.put_group_together(core, others)
        if departed is not None and (is_far := departed * others.size >= FAR).any():
            left_out |= set(points[others[is_far]].tolist())
        elif departed is not None:
            enough = HEAVIER * weight


def _group(deciding: Deciding, cluster: int, without: set[int]) -> tuple[int, Indices]:
    """Return the core of a cluster, and others that are dear to take from it: together not heavier, or a single one."""
    problem, labels = deciding.problem, deciding.labels
    pairs = [
        flip.pair
        for flip in reversed(deciding.flips())
        if labels[flip.pair[1]] == cluster
        and flip.cost >= deciding.cutoff
        and int(problem.representative[flip.pair[0]]) not in without
    ]
    if not pairs:
        return 0, np.empty(0, np.intp)
    core, others = pairs[0][1], np.array([pair[0] for pair in pairs], np.intp)
    most = int(problem.weights[core] / problem.weights[others].mean())
    return core, others[: max(1, most)]


def keep_clusters_apart(deciding: Deciding) -> None:
    """Keep super-points apart from the cores of other clusters, the heaviest first, which decide most pairs."""
    tried: set[tuple[int, int]] = set()
    while not deciding.must_end:
        fresh = (pair for pair in _distant_pairs(deciding) if representatives(deciding.problem, pair) not in tried)
        pair = next(fresh, None)
        if pair is None:
            return
        tried.add(representatives(deciding.problem, pair))
        deciding.decide(pair, together=False)


def _distant_pairs(deciding: Deciding) -> Iterator[tuple[int, int]]:
    """Yield super-points and cores of other clusters that no known partition puts together at a low cost."""
    problem, labels = deciding.problem, deciding.labels
    costs, core = deciding.moves()
    core_of = np.zeros(problem.n_clusters, np.intp)
    core_of[labels] = core
    i, j = problem.cannot_link.T
    is_open = costs >= deciding.cutoff
    is_open[np.arange(problem.size), labels] = False
    for one, other in ((i, j), (j, i)):
        is_core = core_of[labels[other]] == other
        is_open[one[is_core], labels[other[is_core]]] = False
    one, cluster = np.nonzero(is_open)
    for at in np.argsort(-problem.weights[one] * problem.weights[core_of[cluster]], kind="stable"):
        yield int(one[at]), int(core_of[cluster[at]])


def standing_of(
    shared: SharedRelaxation,
    *,
    stop: Stop = NEVER,
    may_ask: MayAsk = lambda i, j: True,
    on_decided: OnDecided = lambda problem: None,
) -> Standing | None:
    """Decide pairs until all are decided, or one is met that cannot be and may be asked about.

    Where ``may_ask`` says no, the pair is left undecided and the next one follows; ``stop`` says when to leave the rest
    undecided. None is returned where no partition is found in time.
    """
    partition = shared.partition(stop)
    if partition is None:
        return None
    deciding = Deciding(shared, partition, stop, on_decided)
    pair = _first_undecided(deciding, may_ask)
    return Standing(partition, shared.epsilon, deciding.lower_bound, deciding.problem, pair)


def _first_undecided(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Decide what can be decided; return the first pair of points that cannot and may be asked about."""
    if deciding.is_trivial:
        return None
    cheap = (representatives(deciding.problem, own.pair) for own in deciding.flips() if own.cost < deciding.cutoff)
    pair = next((points for points in cheap if may_ask(*points)), None)
    if pair is not None:
        return pair
    can_bound = not shortage(deciding.problem.size)
    pair = _bounded(deciding, may_ask) if can_bound else None
    if pair is not None or deciding.is_trivial or (can_bound and not deciding.must_end):
        return pair
    left = (representatives(deciding.problem, own.pair) for own in deciding.flips())
    return next((points for points in left if may_ask(*points)), None)


def _bounded(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Bound pairs the other way round; return the cheapest that is not decided and may be asked about."""
    if deciding.must_end:
        return None
    deciding.fix()
    pair = _cheapest(deciding, may_ask)
    if pair is not None and not deciding.decide(pair, together=True):
        return representatives(deciding.problem, pair)
    for cluster in range(deciding.problem.n_clusters):
        put_cluster_together(deciding, cluster)
    pair = _cheapest(deciding, may_ask)
    if pair is not None:
        return representatives(deciding.problem, pair)
    deciding.fix()  # super-points are heavier now: more of them are certainly apart
    keep_clusters_apart(deciding)
    return None


def _cheapest(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Return a super-point and the core of its cluster, cheapest to part, that may be asked about."""
    if deciding.must_end:
        return None
    dear = (own.pair for own in deciding.flips() if own.cost >= deciding.cutoff)
    return next((pair for pair in dear if may_ask(*representatives(deciding.problem, pair))), None)
